/* Shared by the files that make up the affine reference; private to them. */
#ifndef REFERENCE_AFFINE_PARTS_H
#define REFERENCE_AFFINE_PARTS_H

#include "affine.h"
#include "power.h"
#include "product.h"

/* One operand as dense doubles, components interleaved, multiplied by 2^scale; non-finite values
 * are kept here and replaced by 0 in the factors of the product. */
typedef struct Operand {
    size_t rows, columns;
    double *values;
    int scale;
    bool has_zero, has_nonfinite;
    bool limited; /* elements outside -below <= column - row <= above are zeros by structure */
    int64_t below, above;
    bool lossy;               /* scaling rounded some values, by at most 2^-1074 each */
    double smallest, largest; /* magnitudes of the finite non-zero values, before scaling */
    int lattice;              /* every finite value is a multiple of 2^lattice (unscaled) */
} Operand;

enum { LATTICE_NONE = 1 << 20 }; /* an operand of zeros alone */

/* Where the lines of a factor, rows or columns, hold non-finite values: of line i these are
 * at[first[i]] to at[first[i + 1] - 1].  NULL where all values are finite. */
typedef struct Specials {
    size_t *first, *at;
} Specials;

/* Of the factors of each row of A, or column of B, not scaled: at least the sum of the magnitudes,
 * and the largest one. */
typedef struct LineSizes {
    double *sum, *largest;
} LineSizes;

/* The product in the orientation that wastes least padding: rows of left and columns of right are
 * components of rows of A and columns of B, or the other way round when swapped. */
typedef struct Factors {
    bool swapped;
    size_t rows, columns, depth, stride;
    double *left, *right; /* finite, as product.h wants them */
    double *raw_left,
        *raw_right; /* with the non-finite values; equal to the above if there are none */
    double *left_sum, *left_largest, *right_sum, *right_largest;
    LineSizes of_a, of_b;
    uint8_t *left_special, *right_special; /* the row or column holds a non-finite value */
    Specials in_left, in_right;
    const Operand *a, *b;
    size_t components;
} Factors;

/* How products with a factor of zero are treated: all are formed; they are left out; or they are
 * formed even where the factor is a zero that a triangle or band does not store. */
typedef enum Reading { READING_STRICT, READING_SKIPPING, READING_FILLING } Reading;

static inline double unscaled(double value, int scale)
{
    return scale == 0 ? value : times_power_of_two(value, -scale);
}

/* Exponent of the lowest set bit of a finite non-zero value. */
int lowest_set_bit(double value);

void operand_read(Operand *operand, const Tensor *tensor, bool conjugate, bool rescale,
                  Arena *arena);
void factors_build(Factors *factors, const Operand *a, const Operand *b, int components,
                   Arena *arena);
/* Classes of the terms of one sum: a set of CLASS_NAN and infinities; 0 when all are finite. Beside
 * NaN not all infinities need be there. */
unsigned factors_leaf_classes(const Factors *factors, size_t row, size_t column, Reading reading);

#endif
