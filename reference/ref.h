/* What the reference knows of each output element: its value, how sure it is of it, and the
 * companions from which the oracle computes what a correct kernel may return. */
#ifndef REFERENCE_REF_H
#define REFERENCE_REF_H

#include "dtype.h"

/* Classes of value, as a set. */
enum {
    CLASS_FINITE = 1,
    CLASS_POSITIVE_INFINITY = 2,
    CLASS_NEGATIVE_INFINITY = 4,
    CLASS_NAN = 8,
    CLASS_ANY = 15
};

/* How an element must match beyond its bound. */
typedef enum RefMatch {
    MATCH_BOUND,   /* |got - value| <= bound */
    MATCH_VALUE,   /* every order of evaluation is exact: equal, the sign of zero is free */
    MATCH_ROUNDED, /* one rounding of an exact value: equal, the sign of zero is free */
    MATCH_BITS     /* one rounding of an exact value: equal, and so is the sign of zero */
} RefMatch;

/* One reduction  value = sum of terms  per component of each output element, row-major, components
 * interleaved.  high, low, error, magnitude, addend, middle and square are in units of 2^exponent
 * (square of its square), so that binary64 results near the ends of the range stay representable.
 *
 *   |exact value - (high + low)| <= error
 *   magnitude >= sum of |scaled products|, addend = |beta c|, terms = number of non-zero terms
 *   middle    >= every intermediate outside the final sum (unscaled sums, scaled factors)
 *   classes   admitted by strict IEEE evaluation; classes_skipping also when a product with a
 *             factor of exactly zero may be left out
 *   square    sum of squared terms, or NULL when the statistical tiers do not apply (always when
 *             exponent is not 0)
 *   underflow number of roundings that may underflow, weighted by what multiplies them after,
 *             times 2^-exponent */
typedef struct Ref {
    DType dtype;
    size_t rows, columns;
    size_t count; /* rows * columns * components */
    int exponent;
    double *high, *low, *error, *magnitude, *addend, *middle, *square, *underflow;
    uint32_t *terms;
    uint8_t *classes, *classes_skipping, *match;
    int scale_roundings;  /* roundings per product for alpha: 0, 1, or 2 for complex alpha */
    int addend_roundings; /* roundings for beta c: 0 or 1 */
    bool signs_drawn;     /* the contraction index carries independent random signs */
} Ref;

/* CLASS_* of one value. */
unsigned value_class(double value);

#endif
