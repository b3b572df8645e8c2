/* Factors that bring the rows and columns of a matrix to the same size, and what an expert driver
 * makes of them: r_i = 1 / max_j |a_ij|, c_j = 1 / max_i r_i |a_ij|, of a complex type with |re| +
 * |im| for moduli; or s_i = 1 / sqrt a_ii for a definite matrix (dgeequ.f, dpoequ.f). */
#ifndef OPS_LAPACK_EQUILIBRATE_H
#define OPS_LAPACK_EQUILIBRATE_H

#include "lapack.h"

/* With 64 bits.  Of a definite matrix r and c are the same factors. */
typedef struct Equilibration {
    long double *r, *c;
    long double row_ratio, column_ratio; /* of the least factor to the largest one */
    long double largest;                 /* of the elements, or of those on the diagonal */
    int64_t
        zero; /* info: the number of the first row without a factor, or m and that of a column */
    /* Numbers are finite, and their magnitudes within the range; factors can be told: no column's
     * products underflow. */
    bool finite, known;
} Equilibration;

Equilibration equilibrate(const Matrix *a, DType dtype, Arena *arena);
/* The diagonal is read. */
Equilibration equilibrate_definite(const Matrix *a, DType dtype, Arena *arena);

/* Puts number i, which a kernel gets by `count` roundings. */
void equilibrate_put(Ref *ref, int64_t i, long double value, double count);

/* How many roundings are between the factors of a kernel and these, and between the ratios. */
enum {
    EQUILIBRATE_ROW = 3,
    EQUILIBRATE_COLUMN = 6,
    EQUILIBRATE_ROW_RATIO = 8,
    EQUILIBRATE_COLUMN_RATIO = 16
};

#endif
