/* Recipes that generate tensor data, bit for bit the same on any machine. */
#ifndef OPS_FILL_H
#define OPS_FILL_H

#include "param.h"
#include "reference/tensor.h"

typedef enum FillKind {
    FILL_ONES,      /* all 1 */
    FILL_ZEROS,     /* all +0 */
    FILL_INT,       /* small non-zero integers: every order of summation is exact */
    FILL_LIST,      /* explicit values, repeated */
    FILL_WIDE,      /* odd integers of as many bits as stay exact, against 1 and -1 */
    FILL_NORMAL,    /* sum of four uniforms, variance 1, full significands */
    FILL_POSITIVE,  /* uniform in [0, 1) */
    FILL_EXPONENTS, /* normal times 2^-16..2^16 by element */
    FILL_CANCEL,    /* neighbours along the contraction nearly cancel */
    FILL_HUGE,      /* normal, scaled so that results come near the overflow threshold */
    FILL_TINY,      /* normal, scaled so that products or results are subnormal */
    FILL_SPARSE,    /* nine of ten are 0 */
    FILL_BITS,      /* uniform among the bit patterns of finite numbers */
    FILL_NEAR,      /* 1, -1, 0.5 or 2, up to 16 neighbours away */
    FILL_PARTS,     /* parts of complex numbers: half of them special values, each its own */
    FILL_OFFSET,    /* normal, about one number far from 0, of up to all bits but two */
    FILL_KIND_COUNT
} FillKind;

/* The fields are the parameters of fill_params. */
typedef struct Fill {
    int64_t kind, seed, scale, special, place;
    ValueList values;
} Fill;

extern const Param fill_params[];
extern const char *const fill_kind_names[];

/* The part that a tensor plays in a reduction. */
typedef enum TensorPart { PART_LEFT, PART_RIGHT, PART_ADDEND } TensorPart;

/* Writes recipe `fill` into every element of tensor.  depth is the number of terms of each
 * sum; contraction is the axis of the tensor that is summed over, -1 if none.  signs multiplies by
 * an independent random sign per contraction index.  Rows are all axes but the last.  Elements of
 * integer types are the recipe's values, rounded. */
typedef struct FillTarget {
    Tensor tensor;
    TensorPart part;
    int contraction;
    int64_t depth;
    bool signs, positive, probability;
    int64_t index_below; /* elements are indices, drawn from the recipe's seed; see ops/op.h */
    int index_axis;
    int64_t index_first; /* what is added to indices */
} FillTarget;
void fill_write(const Fill *fill, const FillTarget *target);

/* Sorts each row of the last axis of a dense tensor, the least first; NaN come last. */
void fill_sort(const Tensor *tensor);

/* Reflects numbers that are not above `least` at it, all but every eighth element. */
void fill_reflect(const Tensor *tensor, double least);

/* Puts 1 where a tensor is 0. */
void fill_nonzero(const Tensor *tensor);

/* The special value that a recipe puts among the others; false where it has none. */
bool fill_special(const Fill *fill, DType dtype, double *value);

/* True when the values are exchangeable draws: the statistical bounds apply. */
bool fill_is_exchangeable(const Fill *fill);

/* Draws recipes for count tensors that fit together: mostly one kind for all of them.  kinds is a
 * mask of the kinds that are wanted, 0 for those that suit sums of products. */
void fill_draw_all(Fill *fills, int count, uint32_t kinds, Draw *draw);

#endif
