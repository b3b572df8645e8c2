/* The calling sequences of the CBLAS as data: one row per routine. */
#ifndef OPS_BACKEND_CBLAS_ROUTINES_H
#define OPS_BACKEND_CBLAS_ROUTINES_H

#include "ops/op.h"

/* names: the symbols after cblas_, in the order of the element types, or one pattern in which ? is
 * the letter of the type; alternatives have | between them, a missing routine is -.
 * arguments: in calling order, by the names of the operator's parameters and operands.  incx is the
 * increment of operand x, lda the leading dimension of operand a, stridea the distance of its
 * matrices; *m is an array of one m per group, *a one of the addresses of the matrices; =c is an
 * operand that GPU libraries take where they take factors; ~a is the number of the element type of
 * operand a, ~compute that of the type of the sums, ~algorithm that of an algorithm; !n is the
 * enumerator of a choice that is always the same.  Parameters are passed as the C interface wants
 * them: choices as enumerators, extents as integers, real numbers by value, complex ones by
 * address. returns: the operand that takes the value of the function, or NULL. until: the version
 * of OpenBLAS in which the calling sequence became another one, or NULL. */
typedef struct CblasRoutine {
    const char *op, *names, *arguments, *returns, *until;
} CblasRoutine;

extern const CblasRoutine cblas_routines[]; /* ended by a NULL op */

/* The row for an operator, NULL if the CBLAS has none. */
const CblasRoutine *cblas_routine(const char *op);

enum { CBLAS_ARGUMENTS_MAX = 24 };

typedef enum CblasArgumentKind {
    ARGUMENT_CHOICE,
    ARGUMENT_INTEGER,
    ARGUMENT_LEADING, /* leading dimension or increment of operand `tensor` */
    ARGUMENT_STRIDE,  /* elements from one matrix of operand `tensor` to the next */
    ARGUMENT_SCALAR,
    ARGUMENT_TYPE,      /* element type of operand `tensor` */
    ARGUMENT_COMPUTE,   /* type of the sums */
    ARGUMENT_ALGORITHM, /* one that the library chooses */
    ARGUMENT_CONSTANT,  /* the choice that the name is */
    ARGUMENT_OPERAND
} CblasArgumentKind;

typedef struct CblasArgument {
    char name[12];
    CblasArgumentKind kind;
    const Param *param; /* NULL for operands and leading dimensions */
    int tensor;
    bool by_group;  /* an array with one entry per group; for operands one address per matrix */
    bool as_scalar; /* an operand that lies where the library's factors do */
} CblasArgument;

/* Resolves the names of a row; returns the number of arguments. */
int cblas_arguments(const CblasRoutine *routine, const OpDesc *op,
                    CblasArgument arguments[CBLAS_ARGUMENTS_MAX]);

/* Index of the operand with this name, -1 if there is none. */
int cblas_operand(const OpDesc *op, const char *name, size_t length);

/* Element type of an operand of the simplest case in a type, and the type that its factors are
 * passed in: that of C where there is one. */
DType cblas_operand_dtype(const OpDesc *op, DType dtype, int operand);
DType cblas_factor_dtype(const OpDesc *op, DType dtype);

/* Appends a number of the element type as C writes it; those of half precision as their bits. */
void cblas_emit_number(DType dtype, double value, Text *text);

/* Value of the enumerator for the name of a choice, such as "t" or "upper". */
int cblas_enumerator(const char *choice);

#endif
