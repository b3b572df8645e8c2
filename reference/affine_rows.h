/* One row of alpha A B + beta C, real and within the range of binary64: the loops that affine.c has
 * element by element, with the same operations in the same order, so that the results are the same
 * bits.  Compiled once for each instruction set. */
#ifndef REFERENCE_AFFINE_ROWS_H
#define REFERENCE_AFFINE_ROWS_H

#include "base.h"

/* What is the same for all rows.  alpha and beta are finite and not 0; powers are powers of two. */
typedef struct AffineRule {
    double alpha, product_power, square_power;
    double beta, addend_power;
    double error_factor, underflow_error; /* of the reference itself */
    uint32_t depth;
    bool beside; /* alpha is not 1 or -1: sums and factors are scaled beside the final sum */
    double alpha_size, alpha_power; /* |alpha| is their product, in the units of the result */
    double beside_power;            /* of the product that is not scaled, in these units */
    double count, scaled_count; /* roundings that may underflow: of an element, and after alpha */
    double underflow_power;     /* the units that `underflow` counts in */
    bool on_lattice;
    double lattice_limit, error_share; /* as put_match of affine.c has them */
    double whole_beta;                 /* not scaled */
    bool single;                       /* results are rounded to binary32, not to binary64 */
} AffineRule;

/* Of the product and of C, in their units; square, terms and c may be NULL, and are then not
 * there.  own_sum and own_largest belong to the factor of this row, sums and largest to those of
 * the columns. */
typedef struct AffineRow {
    size_t count;
    const double *product_high, *product_low, *product_magnitude, *product_square, *c;
    const uint32_t *product_terms;
    double own_sum, own_largest;
    const double *sums, *largest;
    /* Columns of the Ref, from the row's first element on; square may be NULL. */
    double *high, *low, *error, *magnitude, *addend, *middle, *square, *underflow;
    uint32_t *terms;
    uint8_t *match;
} AffineRow;

/* False where a bound leaves the normal numbers, which only affine.c rounds upward: then the row
 * has no meaning. */
typedef bool AffineRowKernel(const AffineRule *rule, const AffineRow *row);

AffineRowKernel affine_row_baseline, affine_row_avx2, affine_row_avx512;

/* The same without a product: one rounding of beta c each.  False also where one is not finite. */
AffineRowKernel unread_row_baseline, unread_row_avx2, unread_row_avx512;

/* Of the finite values that are not 0: the least and the largest magnitude, and the least value of
 * a lowest bit, each infinity or 0 where there is none. */
typedef struct ValueNotes {
    double smallest, largest, lowest;
    bool has_zero, has_nonfinite;
} ValueNotes;

typedef void ValueNoter(ValueNotes *notes, const double *values, size_t count);

ValueNoter values_note_baseline, values_note_avx2, values_note_avx512;

#endif
