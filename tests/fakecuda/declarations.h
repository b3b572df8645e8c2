/* What is called beside the routines of cuBLAS, as the headers of CUDA must have it. */
#ifndef FAKECUDA_DECLARATIONS_H
#define FAKECUDA_DECLARATIONS_H

/* Prints C that compiles where each function has the type, each enumerator the value, and each
 * structure the size that this tool goes by. */
void declarations_put_head(void);

#endif
