/* Operators whose results are exact, or one rounding of a number: a row puts the values of each
 * output; of complex types a row puts each part, or each number as a whole. */
#ifndef OPS_NN_NN_EXACT_H
#define OPS_NN_NN_EXACT_H

#include "nn.h"

/* Each row takes some of these. */
typedef struct Exact {
    int64_t dtype;
    Shape shape, shape_b;
    int64_t axis, axes, keepdims, num_indices, broadcast_mask;
    int64_t rows, columns, offset, bins, num_classes, equal_nan, mode, reduction;
    int64_t start, step, steps;
    Scalar value, nan, posinf, neginf, rtol, atol, end, base;
    int64_t part; /* 1 where imaginary parts are put: value.re is that of the value then */
} Exact;

typedef struct ExactRow {
    const char *name, *summary;
    const char *const *tensors;
    const Param *params;
    void (*normalise)(void *params);
    void (*shape)(const void *params, Shapes *shapes);
    uint32_t dtypes, fills;
    /* refs of the outputs are allocated; all of their elements are to be put. */
    void (*put)(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
    bool bounded; /* outputs are allocated by ref_allocate_bounded, for balls */
    const IllegalRule *illegal;
    const ZeroSign *zeros;
} ExactRow;

/* Makes the value one of the integers, where the case is of those. */
void nn_normalise_value(void *params);

/* Element number i of an operand; without an imaginary part it is 0. */
Scalar nn_element(const Tensor *t, int64_t i);
bool nn_is_nonzero(Scalar x);

/* The descriptions of rows, which end with one without name; table has room for them and an end.
 * Of complex types each part is put, or each number as a whole. */
void nn_describe_exact(OpDesc *table, const ExactRow *rows);
void nn_describe_whole(OpDesc *table, const ExactRow *rows);

#endif
