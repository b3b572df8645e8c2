/* References of products with matrices that store some of their elements: each row of a result is a
 * sum over elements of the first factor that are stored, and over the rows of the second one that
 * they meet.  What is not stored is no term. */
#ifndef OPS_NN_NN_SPARSE_H
#define OPS_NN_NN_SPARSE_H

#include "nn_products.h"

/* alpha (the sum over e of left[of_left[e]] right[of_right[e], :]) + beta c.  left and right are
 * views, left one column; c is one row, read where beta is not 0.  Of integers alpha is 1 and beta
 * is 0. */
typedef struct SparseRow {
    StoredMatrix left, right;
    const size_t *of_left, *of_right;
    size_t count;
    Scalar alpha, beta;
    Tensor c;
} SparseRow;

typedef struct SparseResult {
    Ref *ref;
    DType dtype;
    int64_t columns, next; /* the row that is put next */
    ProductBlocks blocks;
    Arena *arena;
} SparseResult;

/* A result of so many rows and columns, whose rows are put one after the other.  Integers are what
 * two's complement leaves of them; where a sum of magnitudes has more than 63 bits, anything. */
void sparse_begin(SparseResult *result, Ref *ref, DType dtype, int64_t rows, int64_t columns,
                  Arena *arena);
void sparse_put(SparseResult *result, const SparseRow *row);
void sparse_end(SparseResult *result);

/* Which columns a row of a mask has set: their number, and they themselves in *columns. */
size_t sparse_stored(const Tensor *mask, int64_t row, size_t *columns);
/* A row of a view as a column. */
Tensor sparse_row_as_column(const Tensor *view, int64_t row);
/* y = a b for an a of which the elements are stored at which a mask is set. */
void sparse_product(Ref *ref, const Tensor *mask, const Tensor *a, const Tensor *b, DType dtype,
                    Arena *arena);

#endif
