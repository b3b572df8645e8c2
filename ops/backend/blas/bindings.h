/* The routines of the BLAS and of LAPACK as data: one row for each, from which come its calls by
 * the interfaces of C (the CBLAS, LAPACKE) and by that of Fortran, their C source, and the numbers
 * of arguments that may be illegal. */
#ifndef OPS_BACKEND_BLAS_BINDINGS_H
#define OPS_BACKEND_BLAS_BINDINGS_H

#include "ops/backend/backend.h"

/* A row is the call as the documentation of the CBLAS has it, without the prefix cblas_:
 *
 *     result = i?amax(n, x, incx)
 *
 * ? is the letter of the BLAS for the element type; {f16=sh bf16=sb} in its place lists the types
 * that there are, with the letters of each; a name without either serves all types.  The operand in
 * front of = takes the value of the function.
 *
 * Arguments have the names of the operator's parameters and operands.  incx is the increment of
 * operand x, lda the leading dimension of operand a, stridea the distance of its matrices; *m is an
 * array of one m per group, *a one of the addresses of the matrices.  Choices are passed as
 * enumerators, extents as integers, real numbers by value, complex ones by address.  GPU libraries
 * have more: &c is an operand that lies where factors do, type(a) the number of its element type,
 * compute that of the type of the sums, algorithm that of an algorithm, and 'n' a choice that is
 * always the same.
 *
 * "extension" marks a routine that is not of the standard, so that <cblas.h> may not declare it,
 * and "until OpenBLAS 0.3.31" ends the row of a routine whose calling sequence is another one from
 * that version on.
 *
 * The routine of Fortran follows from that of C: sgemm_ for cblas_sgemm, cdotu_, which is a
 * function, for cblas_cdotu_sub.  It has no argument `order`, unless the row says "ordered", and
 * stores matrices by columns; choices are letters, whose lengths follow all other arguments, and
 * everything is passed by address.  "Fortran" marks a row that holds for that interface alone,
 * such as all of LAPACK, whose operand `info` says which argument is illegal; work, rwork(n) and
 * lwork(3*n|1) are arrays that a routine works in and their lengths (scratch.h), and
 * nothing is what it does not look at, and negative a function that says whether the real number,
 * or the real part, that its first argument points to is below 0.  "balanced" marks one that
 * calls gebal, "counted" one that says how many results there are before it looks at its arguments,
 * or looks at one only where another asks for it (tgsyl's ijob): it is given no illegal ones.
 *
 * LAPACKE's functions follow from those rows of Fortran: LAPACKE_dgesv and LAPACKE_dgesv_work for
 * dgesv_.  An argument `order` comes first where the operator has matrices, letters and integers
 * are passed by value, and so is an operand behind =, as in =anorm; info is the value of the
 * function.  Arrays to work in are arguments of the second one alone.  "LAPACKE" marks a row that
 * holds for the first one alone, in place of that of Fortran. */
typedef struct CblasRoutine {
    const char *op, *call;
} CblasRoutine;

typedef enum CblasInterface {
    INTERFACE_C,
    INTERFACE_FORTRAN,
    INTERFACE_LAPACKE,      /* takes the arrays that a routine works in itself */
    INTERFACE_LAPACKE_WORK, /* is given them */
    INTERFACE_COUNT
} CblasInterface;

bool cblas_is_lapacke(CblasInterface interface);

/* The first row for an operator, NULL if the CBLAS has none; and the next one, which is for
 * libraries that lack it, or NULL. */
const CblasRoutine *cblas_routine(const char *op);
const CblasRoutine *cblas_next_routine(const CblasRoutine *routine);

/* The rows by numbers from 0 on; NULL behind the last one. */
const CblasRoutine *cblas_routine_number(int number);

/* BackendKind.known_function: by its name in C, as cblas_ddot, or in Fortran, as ddot and ddot_. */
bool cblas_known_function(int number, KnownFunction *function);

/* BackendKind.describe. */
void cblas_describe(const char *name, const OpDesc *op, Text *text);

/* The name of the function for an element type, without cblas_; false where there is none for it.
 */
bool cblas_spell(const CblasRoutine *routine, DType dtype, char *name, size_t size);
/* The same for an interface, with what this one puts around it: cblas_cdotu_sub or cdotu_. */
bool cblas_spell_symbol(const CblasRoutine *routine, CblasInterface interface, DType dtype,
                        char *name, size_t size);

/* True for a routine of LAPACK. */
bool cblas_is_of_lapack(const CblasRoutine *routine);
/* True when headers of the CBLAS may lack the routine. */
bool cblas_is_extension(const CblasRoutine *routine);
/* True when it calls gebal, which reports a matrix with a NaN, and infinities make some when they
 * are scaled, as an illegal argument of its own (dgebal.f since LAPACK 3.5); its caller goes on. */
bool cblas_is_balanced(const CblasRoutine *routine);
/* True when it writes a count before it looks at its arguments: it is given no illegal ones. */
bool cblas_is_counted(const CblasRoutine *routine);
/* True when it is given arrays to work in. */
bool cblas_has_scratch(const CblasRoutine *routine);
/* The version of OpenBLAS from which on the row does not hold, or NULL. */
const char *cblas_until(const CblasRoutine *routine);

/* The operand that takes the value of the function of an interface, or -1; and that which takes a
 * position, as of i?amax, which the library has as an integer. */
int cblas_result(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface);
int cblas_position(const CblasRoutine *routine, const OpDesc *op);

enum { CBLAS_ARGUMENTS_MAX = 28, CBLAS_SCRATCH_MAX = 4 };

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
    ARGUMENT_NOTHING,   /* no array and no function */
    ARGUMENT_FUNCTION,  /* one that says whether a number is below 0 */
    ARGUMENT_SCRATCH,   /* an array to work in: scratch.h */
    ARGUMENT_LENGTH,    /* the length of one */
    ARGUMENT_OPERAND
} CblasArgumentKind;

typedef struct CblasArgument {
    char name[12];
    CblasArgumentKind kind;
    const Param *param;  /* NULL for operands and leading dimensions */
    const char *formula; /* of a length; NULL where another argument has it */
    int tensor;
    bool by_group;  /* an array with one entry per group; for operands one address per matrix */
    bool as_scalar; /* an operand that lies where the library's factors do */
    bool by_value;  /* a number that LAPACKE does not take by address */
    bool repeated;  /* an extent that an argument before has: the room of an array */
} CblasArgument;

/* Resolves the names of a row; returns the number of arguments. */
int cblas_arguments(const CblasRoutine *routine, const OpDesc *op,
                    CblasArgument arguments[CBLAS_ARGUMENTS_MAX]);
/* The arguments of the function of an interface; of Fortran without the lengths of the choices. */
int cblas_arguments_by(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface,
                       CblasArgument arguments[CBLAS_ARGUMENTS_MAX]);

/* Index of the operand with this name, -1 if there is none. */
int cblas_operand(const OpDesc *op, const char *name, size_t length);

/* Element type of an operand of the simplest case in a type, and the type that its factors are
 * passed in: that of C where there is one. */
DType cblas_operand_dtype(const OpDesc *op, DType dtype, int operand);
DType cblas_factor_dtype(const OpDesc *op, DType dtype);

/* Value of the enumerator for the name of a choice, such as "t" or "upper", that has one. */
bool cblas_has_enumerator(const char *choice);
int cblas_enumerator(const char *choice);
/* Its name in <cblas.h>; NULL where no enumerator has the value. */
const char *cblas_enumerator_name(int64_t value);
/* The letter of Fortran for the value of an enumerator, such as 'T'; '/' for any other value. */
char cblas_letter(int64_t value);

#endif
