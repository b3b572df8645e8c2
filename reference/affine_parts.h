/* Shared by the files that make up the affine reference; private to them. */
#ifndef REFERENCE_AFFINE_PARTS_H
#define REFERENCE_AFFINE_PARTS_H

#include <math.h>

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

/* A scalar as parts times 2^exponent, below 2^top; zero where it is not finite. */
typedef struct ScaledScalar {
    double re, im;
    int exponent, top;
} ScaledScalar;

typedef struct Affine {
    const AffineInput *in;
    int components;
    bool product_read, c_read;
    Operand a, b, c;
    Factors factors;
    ProductInput multiplied;
    Product product;
    ScaledScalar alpha, beta;
    int product_exponent, addend_exponent; /* units of product and of c, scalars included */
    bool scalars_exact;                    /* alpha and beta are 0 or real powers of two */
    int lattice_bits;                      /* precision + exponent of the common lattice */
    bool lattice_normal;                   /* no lattice point on the way underflows */
    double lattice_limit;                  /* 2^lattice_bits in units of 2^exponent */
    double underflow_error;                /* of the reference's own operations on one element */
} Affine;

/* Exponent of the lowest set bit of a finite non-zero value. */
int lowest_set_bit(double value);

void operand_read(Operand *operand, const Tensor *tensor, bool conjugate, bool rescale,
                  Arena *arena);
void factors_build(Factors *factors, const Operand *a, const Operand *b, int components,
                   Arena *arena);
/* Classes of the terms of one sum: a set of CLASS_NAN and infinities; 0 when all are finite. Beside
 * NaN not all infinities need be there. */
unsigned factors_leaf_classes(const Factors *factors, size_t row, size_t column, Reading reading);

static inline bool scalar_is_finite(Scalar s)
{
    return isfinite(s.re) && isfinite(s.im);
}

/* Index in the product's arrays of component `part` of the sum for element (i, j). */
size_t affine_index(const Affine *affine, size_t i, size_t j, int part);
/* The products of row i, or what else is by element; of what is swapped a copy in the arena. */
const double *affine_sums(const Affine *affine, size_t i, size_t count, Arena *arena);
/* Where every way of evaluating is exact, once the units are known. */
void affine_choose_lattice(Affine *affine, Ref *ref);
/* What the reference loses in one element by underflow. */
double affine_underflow(const Affine *affine);
/* The columns of one component, and of all, once the product has its companions. */
void affine_put_element(const Affine *affine, Ref *ref, size_t i, size_t j, int part);
void affine_put_all(Affine *affine, Ref *ref, Arena *arena);

/* Of draft.c: makes the reference a draft; false, with nothing of it put, where it cannot be one.
 */
bool affine_draft(Ref *ref, Affine *affine, Arena *arena);

#endif
