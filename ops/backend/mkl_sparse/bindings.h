/* What MKL's sparse routines are asked for each operator, one row each. */
#ifndef OPS_BACKEND_MKL_SPARSE_BINDINGS_H
#define OPS_BACKEND_MKL_SPARSE_BINDINGS_H

#include "ops/backend/row.h"

typedef enum SparseFormat { SPARSE_CSR, SPARSE_CSC, SPARSE_COO, SPARSE_BSR } SparseFormat;

/* A row is a routine without mkl_sparse_, the letter of the type and _64, and words: a format of
 * the matrices (csr, csc, coo, bsr), in which
 *
 *     base=1      places count from 1
 *     64          places and extents have 64 bits
 *     blocks=2    blocks of the format bsr have so many rows and columns
 *     backwards   elements stand from the last to the first
 *     optimized   mkl_sparse_optimize is called before, for one more call
 *     converted   mkl_sparse_convert_csr makes what the routine is given
 *     staged      a product is asked for what it stores first, and then for the numbers
 *     ordered     mkl_sparse_order is called on the result
 *
 * Behind `requires` stand conditions without which the case is declined. */
typedef struct SparseRow {
    char routine[ROW_WORD_BYTES];
    SparseFormat format;
    int base, block;
    bool wide, backwards, optimized, converted, staged, ordered;
} SparseRow;

/* The row that a case asks for by exec.function, among those whose conditions hold; false with the
 * reason that the last one gave in *why. */
bool mkl_sparse_row(SparseRow *row, const Operands *operands, Text *why);
bool mkl_sparse_knows(const OpDesc *op, DType dtype);
/* BackendKind.describe. */
void mkl_sparse_describe(const char *name, const OpDesc *op, Text *text);

#endif
