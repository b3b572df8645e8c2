/* The reference result of one output: the value of each element, a bound of the reference's own
 * error, and companions (magnitudes, counts, classes) from which oracle/bound.c computes how far a
 * correct kernel may be off.  An operator's reference fills it once for each case; oracle/judge.c
 * compares with it the output of every backend. */
#ifndef REFERENCE_REF_H
#define REFERENCE_REF_H

#include "base.h"
#include "flaw.h"
#include "tensor.h"

/* Classes of value, as a set. */
enum {
    CLASS_FINITE = 1,
    CLASS_POSITIVE_INFINITY = 2,
    CLASS_NEGATIVE_INFINITY = 4,
    CLASS_NAN = 8,
    CLASS_INFINITE = CLASS_POSITIVE_INFINITY | CLASS_NEGATIVE_INFINITY,
    CLASS_ANY = 15
};

/* How closely a kernel's element must agree with the reference. */
typedef enum RefMatch {
    MATCH_BOUND,   /* |got - value| <= bound */
    MATCH_VALUE,   /* every order of evaluation is exact: equal, the sign of zero is free */
    MATCH_ROUNDED, /* one rounding of an exact value: equal, the sign of zero is free */
    MATCH_BITS,    /* one rounding of an exact value: equal, and so is the sign of zero */
    MATCH_USUAL,   /* the same, but no text demands the sign: the other zero is a convention */
    MATCH_SET      /* equal to one of the element's candidates, the sign of zero is free */
} RefMatch;

/* Which theorem bounds the error; oracle/bound.h has them. */
typedef enum RefRule {
    RULE_REDUCTION, /* a sum of products in any order */
    RULE_SOLVE,     /* one unknown of a triangular system, given the others as computed */
    RULE_RELATIVE   /* |got - value| <= unit * magnitude: magnitude carries the constant */
} RefRule;

enum { REF_CANDIDATES = 3, REF_NO_LATTICE = -(1 << 20), REF_ZERO_LATTICE = 1 << 20 };

/* One reduction  value = sum of terms  per component of each output element, row-major, components
 * interleaved.  high, low, error, magnitude, addend, middle and square are in units of 2^exponent
 * (square of its square), so that binary64 results near the ends of the range stay representable.
 *
 *   |exact value - (high + low)| <= error
 *   magnitude >= sum of |scaled products|, addend = |beta c|, terms = number of non-zero terms
 *   middle    >= every intermediate outside the final sum (unscaled sums, scaled factors)
 *   classes   admitted by strict IEEE evaluation; classes_skipping also when a product with a
 *             factor of exactly zero may be left out; classes_filling also when the zeros that a
 *             triangle or band leaves out may be multiplied
 *   square    sum of squared terms, or NULL when the statistical tiers do not apply (always when
 *             exponent is not 0)
 *   underflow number of roundings that may underflow, weighted by what multiplies them after,
 *             times 2^-exponent
 *   factors   sum of what multiplies each factor of a product, for models that replace subnormal
 *             factors by zero; 0 where no product has factors of the inputs
 *   candidates  REF_CANDIDATES values per component for MATCH_SET, unscaled; else NULL
 *
 * lattice is an exponent such that every term is a multiple of 2^lattice, however it is formed, or
 * REF_NO_LATTICE; accumulator is the type that sums are formed in before one rounding to dtype; its
 * components are those of dtype. */
typedef struct Ref {
    DType dtype, accumulator;
    RefRule rule;
    size_t rows, columns;
    size_t count; /* rows * columns * components; 0 for an operand that is no output */
    int exponent, lattice;
    /* The columns, which ref.c has a table of: one entry for each component. */
    double *high, *low, *error, *magnitude, *addend, *middle, *square, *underflow, *factors;
    double *candidates;
    /* The error that Fourier transforms add to a convolution, as a multiple of the accumulator's
     * unit (conv.h); NULL for other operators. */
    double *spectrum;
    /* For sums of products under RULE_RELATIVE: the sum of the products' magnitudes and the number
     * of products, for the bound on a matrix unit; NULL where they are not known. */
    double *sizes;
    uint32_t *terms, *counts;
    uint8_t *classes, *classes_skipping, *classes_filling, *match;
    int64_t depth;          /* factors along the sum of a product, zeros included; 0: not known */
    int factor_bits;        /* bits of the longer factor of the products; 0: not known */
    int scale_roundings;    /* roundings per product for alpha: 0, 1, or 2 for complex alpha */
    int addend_roundings;   /* roundings for beta c: 0 or 1 */
    bool signs_drawn;       /* the contraction index carries independent random signs */
    uint8_t *unspecified;   /* 1 for components that no text speaks of; NULL: there are none */
    Flaw flaw;              /* of all elements together, where each is right */
    double least, greatest; /* numbers beyond are wrong whatever the bounds are; infinities: none */
    /* Another reading of the standard that some libraries follow, under the name of a policy; NULL
     * when there is none. */
    const char *policy;
    struct Ref *alternative;
    struct RefDraft *draft; /* what is known of it, until it is complete (draft.h), or NULL */
} Ref;

/* Of `count` outputs in so many equal parts each, one after the other: nothing is stated of any
 * element of one of the parts, though it has some. */
bool refs_have_open_part(const Ref *refs, int count, size_t parts);

/* Arrays from the arena for rows x columns elements: all zero, every class CLASS_FINITE. */
void ref_allocate(Ref *ref, DType dtype, size_t rows, size_t columns, Arena *arena);
/* The same for a reference that sets high, low, error, magnitude, addend, middle, underflow, terms
 * and match of each element, which have no values before. */
void ref_allocate_sums(Ref *ref, DType dtype, size_t rows, size_t columns, Arena *arena);

/* Ref.factor_bits for products of two operands: the larger precision of their types, in bits. */
int ref_factor_bits(const Tensor *left, const Tensor *right);

/* Appends another reading to the end of the list; it is copied to the arena. */
void ref_add_alternative(Ref *ref, const Ref *alternative, const char *policy, Arena *arena);

/* One result that is admitted for an element, not yet rounded: the exact value if a finite one is
 * admitted, else NaN or an infinity. */
double ref_result(const Ref *ref, size_t element);

/* The elements of `from` in another order: element i is number tensor_offset_of(order, i) of it. */
void ref_gather(Ref *ref, const Ref *from, const Tensor *order, Arena *arena);
/* The same from element number `first` on. */
void ref_gather_from(Ref *ref, const Ref *from, size_t first, const Tensor *order, Arena *arena);

/* One reference of a complex type, of those of its parts, which have the same extents and the same
 * alternatives. */
void ref_interleave(Ref *ref, const Ref *re, const Ref *im, DType dtype, Arena *arena);

/* Rows first..first + rows - 1 of ref, whose arrays they share. */
Ref ref_rows(const Ref *ref, size_t first, size_t rows);

/* One class set for all three readings of an element; the empty set refuses any value. */
void ref_set_classes(Ref *ref, size_t element, unsigned classes);

/* No text says what a component holds after the call: it may be anything, and another thing after a
 * second call. */
void ref_leave(Ref *ref, size_t element, Arena *arena);

/* A real factor may be promoted to a complex one, whose zero part meets both parts of an element:
 * where one part of element number `element` (a multiple of 2) is special, both may become NaN. */
void ref_spread_special(Ref *ref, size_t element);

/* Replaces the element by a value that must be met to the bit (MATCH_BITS), but for a sign that
 * nothing demands (MATCH_USUAL), or in value. */
void ref_set_exact(Ref *ref, size_t element, double value, RefMatch match);

/* One of a few values, which must be met; anything where more than REF_CANDIDATES of them are
 * different numbers.  The reference has candidates. */
void ref_put_one_of(Ref *ref, size_t element, const double *values, int count);

/* An integer of the output's type: the exact one, or where that is out of range what is left of it
 * by two's complement, or the end of the range; anything where it has more than 64 bits, or the
 * reference no candidates.  What binary64 does not hold is compared as dtype_whole says. */
void ref_put_integer(Ref *ref, size_t element, long double exact);

/* The same of an integer of any size: its lowest 64 bits, and its value but for `error`.  Anything
 * where its sign is not known. */
void ref_put_whole(Ref *ref, size_t element, uint64_t bits, long double value, long double error);

/* What two's complement leaves of an integer in a type. */
double ref_wrapped(DType dtype, long double exact);

/* Declares that the sums are rounded once more, from their type to a narrower one. */
void ref_narrow(Ref *ref, DType dtype);

/* Admits anything in an element, and forgets what was known of it. */
void ref_admit_anything(Ref *ref, size_t element);
/* Admits anything in the elements that a limited view leaves out. */
void ref_limit(Ref *ref, const Tensor *view);

/* to += from, or its transpose, or its conjugate transpose: the terms of both belong to one sum of
 * the same rule.  from has the extents of to, exchanged if transposed, and is used up. */
typedef enum RefAddition { ADD_PLAIN, ADD_TRANSPOSED, ADD_CONJUGATE_TRANSPOSED } RefAddition;
void ref_add(Ref *to, const Ref *from, RefAddition addition);

/* Puts blocks one after the other along an axis of to (0: below each other, 1: beside each other),
 * whose elements they make up; they have one rule, and are used up. */
void ref_join(Ref *to, Ref *blocks, size_t count, int axis);

/* CLASS_* of one value. */
unsigned value_class(double value);
/* True for equal numbers, zeros of both signs among them, and for two NaN. */
bool value_same(double a, double b);
/* Of doubles that are not NaN, for qsort and bsearch: the lesser first. */
int value_compare(const void *a, const void *b);

/* Class of a sum of terms with these classes: a set of one. */
unsigned sum_class(unsigned leaves);

#endif
