/* Strided views of typed data. */
#ifndef REFERENCE_TENSOR_H
#define REFERENCE_TENSOR_H

#include "dtype.h"

enum { TENSOR_RANK_MAX = 4 };

/* A view: element (i0, i1, ...) lies sum(i * stride) elements after origin.  Strides count
 * elements and may be negative or larger than dense.  The view does not own its data. */
typedef struct Tensor {
    DType dtype;
    int rank;
    int64_t extent[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX];
    void *origin;
} Tensor;

/* Number of elements; 1 for rank 0. */
int64_t tensor_count(const Tensor *tensor);

/* Elements spanned from the lowest to the highest address, gaps included; 0 when empty. */
int64_t tensor_span(const Tensor *tensor);

/* Elements by which origin lies above the lowest address: not 0 when a stride is negative. */
int64_t tensor_origin_offset(const Tensor *tensor);

/* The same data with the two axes of a rank-2 view exchanged. */
Tensor tensor_transposed(Tensor tensor);

/* Calls visit for each run of `count` elements along the last axis: elements of a run lie `stride`
 * elements apart, and `first` is the row-major number of the run's first element. */
typedef void TensorVisit(void *context, int64_t first, int64_t count, char *at, int64_t stride);
void tensor_visit_runs(const Tensor *tensor, TensorVisit *visit, void *context);

#endif
