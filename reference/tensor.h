/* Strided views of typed data. */
#ifndef REFERENCE_TENSOR_H
#define REFERENCE_TENSOR_H

#include "base.h"
#include "dtype.h"

enum { TENSOR_RANK_MAX = 5 };

/* Packed triangles: which one is stored, and by which lines, without gaps. */
typedef enum TensorPacking {
    PACKING_NONE,
    PACKING_UPPER_COLUMNS,
    PACKING_LOWER_COLUMNS,
    PACKING_UPPER_ROWS,
    PACKING_LOWER_ROWS
} TensorPacking;

/* A view: element (i0, i1, ...) lies sum(i * stride) elements after origin.  Strides count
 * elements and may be negative or larger than dense.  The view does not own its data.
 *
 * A view of rank 2 may leave elements out: when limited, (i, j) exists only where
 * -below <= j - i <= above.  A packed one ignores its strides.  Where storage is not 0 the view
 * lies in that many elements, before elements into them: band storage, whose corners belong to it.
 */
typedef struct Tensor {
    DType dtype;
    int rank;
    int64_t extent[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX];
    void *origin;
    bool limited;
    TensorPacking packing;
    int64_t below, above;
    int64_t storage, before;
} Tensor;

/* A whole matrix with the given strides. */
Tensor tensor_matrix(DType dtype, int64_t rows, int64_t columns, int64_t row_stride,
                     int64_t column_stride, void *origin);

/* True when both views have the same elements at the same distances. */
bool tensor_same_layout(const Tensor *a, const Tensor *b);

/* Number of elements that exist; 1 for rank 0. */
int64_t tensor_count(const Tensor *tensor);

/* True when the extents leave no room for elements. */
bool tensor_is_empty(const Tensor *tensor);

/* Elements of row i that exist: columns first..end-1. */
typedef struct TensorRow {
    int64_t first, end;
} TensorRow;
TensorRow tensor_row(const Tensor *tensor, int64_t i);

/* The offset of element (i, j) of a view of rank 2, in elements after the origin. */
int64_t tensor_offset(const Tensor *tensor, int64_t i, int64_t j);

/* The offset of the element with this row-major number, in elements after the origin, and its
 * value; for real types. */
int64_t tensor_offset_of(const Tensor *tensor, int64_t number);
/* The same of a part that the first axes have: of a matrix of a batch, whose axes they are. */
int64_t tensor_offset_of_part(const Tensor *tensor, int axes, int64_t number);
double tensor_value(const Tensor *tensor, int64_t number);

/* The innermost index of a row-major number of an axis that is not empty; the number is left
 * without it. */
int64_t tensor_take_index(int64_t *number, int64_t extent);

/* True when the elements lie in row-major order without gaps; strides that make it so. */
bool tensor_is_dense(const Tensor *tensor);
void tensor_pack(Tensor *tensor);

/* Elements spanned from the lowest to the highest address, gaps included; 0 when empty. */
int64_t tensor_span(const Tensor *tensor);

/* Elements by which origin lies above the lowest address: not 0 when a stride is negative. */
int64_t tensor_origin_offset(const Tensor *tensor);

/* A view of the same data with the two axes of a view of rank 2 exchanged. */
Tensor tensor_transposed(Tensor tensor);

/* A view of the part that has index i along the first axis, which stays, with the extent 1. */
Tensor tensor_one_row(const Tensor *tensor, int64_t i);

/* The elements of row i that exist, as a whole view of one row: the first is in column *first. */
Tensor tensor_existing_row(const Tensor *tensor, int64_t i, int64_t *first);

/* The real parts of a view of a complex type, or the imaginary ones, as a view of a real type; of a
 * real type the view. */
Tensor tensor_part(Tensor tensor, int part);

/* A dense copy of a view of a real type in another one, in the arena. */
Tensor tensor_converted(const Tensor *tensor, DType dtype, Arena *arena);

/* Calls visit for each run of `count` elements along the last axis: elements of a run lie `stride`
 * elements apart, and `first` is the row-major number of the run's first element among all extents,
 * elements that are left out included. */
typedef void TensorVisit(void *context, int64_t first, int64_t count, char *at, int64_t stride);
void tensor_visit_runs(const Tensor *tensor, TensorVisit *visit, void *context);

/* Sets marks[i] to 1 for each element that lies i elements behind `memory`. */
void tensor_mark(const Tensor *tensor, const void *memory, uint8_t *marks);

#endif
