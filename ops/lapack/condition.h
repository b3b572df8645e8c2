/* Estimates of reciprocal condition numbers 1 / (|A| |A^-1|), in the norm of the largest sum of a
 * column, or of a row.
 *
 * An estimate of |Z|, Z = A^-1 or its conjugate transpose, is |Z x| / |x| for some x: it never
 * exceeds |Z|.  The method of LAPACK (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 * ed., algorithm 15.4) begins with x = e / n, which later ones do not fall below, and ends with the
 * larger of that and 2 |Z b| / (3 n), b_i = +-(1 + (i - 1) / (n - 1)).  So much is asked of a
 * result, and no more: 1 / (|A| |Z|) <= rcond <= 1 / (|A| max(|Z e| / n, 2 |Z b| / (3 n))).
 *
 * Each product Z x is two substitutions with F G = A, whose result is that of F G + E, |E| <= (2
 * gamma + gamma^2) |F| |G| (theorem 9.4): it is off by less than delta / (1 - delta) of itself,
 * delta = (2 gamma + gamma^2) | |Z| |F| |G| |.  Both ends have room for 16 of that.  Where delta is
 * above 2^-10, steps of the method may be led astray.  What is computed for any x is y with
 * x = (F G + E) y, so that Z x = (I + Z E) y and |y| >= |Z x| / (1 + delta), however large delta
 * is: the estimate is no less than the least of |Z e| / n and the |Z e_j|, and than the last one,
 * over 1 + delta, and rcond of a matrix that is nearly singular is small.
 *
 * The same holds of factors of a band, whose F has its rows exchanged, and of P L D L^H P^T by
 * diagonal pivoting with the residual of indefinite.h, 11 times as large, for D as it counts there;
 * substitutions with these L and D are not scaled, and where they may leave the range nothing is
 * said.  sycon of complex types takes A^-1 for its conjugate transpose as well (zsycon.f), which
 * leads steps astray: its estimate is |Z x| / |x| for some x nevertheless.
 *
 * Of L D L^H with an L of two diagonals |A^-1| = |L^-H| |D^-1| |L^-1|, since a diagonal of numbers
 * of modulus 1 takes A to a matrix whose off-diagonals are below 0 (Higham, section 15.6): ptcon
 * finds the norm itself in 2 n steps that add positive numbers, so that 1 / (|A| |Z|) is rcond from
 * either side.
 *
 * Where numbers may leave the range on the way, routines scale, or give 0: the lower end is 0.
 * Those of packed and band triangles add up the columns before (slatps.f, slatbs.f): where these
 * sums overflow nothing is said.
 * Underflow adds to each row of a substitution less than 4 n of the smallest subnormal number,
 * which Z and the other factor multiply.  The inverse here is found in the same way in binary64;
 * where that is not accurate nothing is said but that rcond is no negative number.  A factor whose
 * diagonal has a zero, and a norm of zero, have rcond 0. */
#ifndef OPS_LAPACK_CONDITION_H
#define OPS_LAPACK_CONDITION_H

#include "lapack.h"

/* A = F G, and whether sums are those of rows. */
typedef struct Condition {
    DType dtype;
    const Matrix *f, *g;
    bool by_rows;
    double norm, norm_error; /* |A|, and how far that of a kernel may be off, relatively */
    /* A^-1 in binary64 where F and G are no triangles: then they are sizes alone, and it may be
     * known that A is singular, and that steps are led astray whatever delta is; reach: what
     * numbers on the way may be as large as. */
    const Matrix *inverse;
    bool singular, astray;
    bool adds_columns; /* of F and G, without scaling */
    bool exact;        /* the norm of the inverse itself is found, not an estimate of it */
    double reach;
    /* Of an estimate of |D Z|, D = diag(w): what w is at least and at most; NULL: 1. */
    const double *least_weights, *weights;
} Condition;

/* What an estimate of |D Z| is at least, and at most but for a factor 1 / (1 - 16 delta) where
 * that is above 0.  The products D Z x are off by delta of themselves as above, with
 * delta = (2 gamma + gamma^2) | D |Z| |F| |G| D^-1 |.  known: these can be told at all; in_range:
 * numbers stay within the range on the way; adds_up: sums of columns of F and of G do. */
typedef struct ConditionEstimate {
    long double low, high;
    double delta;
    bool known, in_range, adds_up;
} ConditionEstimate;
ConditionEstimate condition_estimate(const Condition *condition, const Matrix *z, Arena *arena);

/* The 1 x 1 reference of rcond. */
void condition_put(Ref *ref, const Condition *condition, Arena *arena);

/* (F G)^-1, or its conjugate transpose where sums are those of rows, in binary64. */
Matrix condition_inverse(const Condition *condition, Arena *arena);
/* The largest sum of magnitudes of a column; the estimate that the method begins and ends with. */
double condition_norm(const Matrix *a);
double condition_start(const Matrix *inverse);

#endif
