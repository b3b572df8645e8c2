/* Declarations of the functions of CUDA that are called beside cuBLAS's routines, to hold against
 * the headers. */
#ifndef FAKECUDA_DECLARATIONS_H
#define FAKECUDA_DECLARATIONS_H

/* Prints C that compiles where each function has the type, each enumerator the value, and each
 * structure the size that this tool goes by. */
void declarations_put_head(void);

#endif
