/* The arithmetic that a backend promises, and other readings of the standards that libraries are
 * known to follow.  oracle/bound.h turns a model into bounds; oracle/judge.h tries them in turn. */
#ifndef ORACLE_MODEL_H
#define ORACLE_MODEL_H

#include <stdbool.h>

enum { MODEL_NAME_BYTES = 24 };

/* One admitted way for a correct kernel to compute.  The default (all false) is IEEE arithmetic in
 * the element type: sums in any order, fused or separate multiply-add, gradual underflow, every
 * product formed. */
typedef struct Model {
    const char *name;    /* of fewer bytes than MODEL_NAME_BYTES */
    bool flush;          /* subnormal products and results may be replaced by zero */
    bool flush_factors;  /* subnormal factors of products as well */
    bool zero_skip;      /* a product with a factor of exactly zero may be left out */
    bool zero_fill;      /* the zeros that a triangle or band leaves out may be multiplied */
    bool alpha_factored; /* alpha (A B + (beta / alpha) C), in blocks of the depth */
    bool any_zero;       /* a zero whose sign no text demands may have either */
    bool nan_clamped;    /* NaN may become an infinity, as the end of a range that clamps it */
    /* A matrix unit: products are added `step` at once, with the sum so far; what lies below
     * 2^-kept of the largest of them is cut off, and so is what the sum's type does not hold.  The
     * depth is cut at multiples of step, and sums of its parts are added.  0: IEEE additions, as
     * where factors have more bits than the unit takes. */
    int step, kept, factor_bits;
    /* Factors of binary32 may be sums of so many numbers of bfloat16, all of whose products are
     * added; 0: they are not split. */
    int split;
    bool transforms; /* convolutions may be products of Fourier transforms */
    /* Sums of slices of the depth, none shorter than this, may be rounded to the type of the
     * output before they are added; 0: never. */
    int slice;
} Model;

/* How a kernel reads its inputs: subnormal numbers as zero (flush); factors of products rounded to
 * `precision` bits, to nearest or truncated (cut). */
typedef struct InputReading {
    const char *name;
    bool flush, cut;
    int precision; /* 0: all bits */
} InputReading;

/* The models that a backend promises, strictest first, and the readings under which its output is
 * tried when it breaks them; each list ends with an entry whose name is NULL. */
typedef struct Promise {
    const Model *models, *readings;
    bool unordered;             /* sums need not be formed in the same order again */
    bool narrow;                /* sums and functions of half precision may round at every step */
    const InputReading *inputs; /* other ways to read inputs that are as good, or NULL */
} Promise;

#endif
