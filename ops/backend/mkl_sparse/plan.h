/* How a case becomes calls of MKL's sparse routines: matrices as the library is given them, and
 * calls as lists of arguments, from which both calls and C source are made. */
#ifndef OPS_BACKEND_MKL_SPARSE_PLAN_H
#define OPS_BACKEND_MKL_SPARSE_PLAN_H

#include "bindings.h"

enum { SPARSE_ARGUMENTS_MAX = 12, SPARSE_CALLS_MAX = 8, SPARSE_UNSUPPORTED = 6 };

/* Handles by number: two factors, the result, and what the result is converted to. */
enum { HANDLE_A, HANDLE_B, HANDLE_C, HANDLE_D, SPARSE_HANDLES };

/* A matrix in arrays.  first has where each row or column begins, and one more; of entries it has
 * their rows.  places has the columns or rows of elements, which are blocks in row-major order.
 * Both count from base. */
typedef struct SparseMatrix {
    SparseFormat format;
    int base;
    int64_t rows, columns, block, count, firsts;
    int64_t *first, *places;
    char *elements;
} SparseMatrix;

typedef enum SparseArgumentKind {
    SPARSE_CONSTANT, /* of an enumeration of the header */
    SPARSE_BASE,     /* sparse_index_base_t */
    SPARSE_COUNT,    /* MKL_INT */
    SPARSE_SCALAR,   /* a number of the element type */
    SPARSE_DESCRIPTION,
    SPARSE_OPERAND, /* the address of an operand, by its number */
    SPARSE_FIRST,   /* arrays of a matrix, by its number */
    SPARSE_ENDS,    /* the first one without its first element */
    SPARSE_PLACES,
    SPARSE_ELEMENTS,
    SPARSE_HANDLE,
    SPARSE_NEW /* the address of a handle */
} SparseArgumentKind;

typedef struct SparseArgument {
    SparseArgumentKind kind;
    int64_t number;
    Scalar scalar;
    int description[3]; /* struct matrix_descr: type, mode, diag */
} SparseArgument;

typedef struct SparseCall {
    char function[64];
    int count;
    SparseArgument arguments[SPARSE_ARGUMENTS_MAX];
} SparseCall;

typedef struct SparsePlan {
    const Operands *operands;
    DType dtype;
    SparseRow row;
    int matrix_count, call_count;
    SparseMatrix matrix[2];
    SparseCall calls[SPARSE_CALLS_MAX];
    int result;             /* the handle whose elements are the result; -1: there is none */
    bool result_by_columns; /* in the format csc, not csr */
} SparsePlan;

/* Whether there are calls for the case, of which data need not be there; false with the reason in
 * *why. */
bool mkl_sparse_can_plan(const Operands *operands, Text *why);
/* The calls; what they need lies in the arena. */
bool mkl_sparse_plan(SparsePlan *plan, const Operands *operands, Arena *arena, Text *why);

/* mkl_sparse_LETTER_NAME, or without a letter, and with _64 where integers have so many bits. */
void mkl_sparse_spell(const SparsePlan *plan, const char *name, bool typed, char *symbol,
                      size_t size);

#endif
