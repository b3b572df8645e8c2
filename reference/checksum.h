/* Whether a result is what its equation says (product_equation.h), for matrices that are too large
 * to be computed again: products of both sides with two vectors, A (B x) beside R x, take as many
 * operations as there are elements (Freivalds, Probabilistic machines can use less running time,
 * 1977).  Where R is a triangle, rows of both sides are of their elements in it, or where it is
 * symmetric of all: the last of the rows that wrong elements of a lower triangle name has one that
 * is stored, of an upper one the first.  Where T R is given, or R T, the left side is T (R x), or
 * R (T x), and a row that of its residual.
 *
 * Exact data.  Let R be given, all terms alpha a b and beta c0 be multiples of q = 2^lattice, n the
 * columns of R, and G an upper bound of the sum of their magnitudes in any element, with G <= 2^p q
 * for the precision p of the element type, and none of the intermediates below the normal numbers.
 * Then every order of evaluation is exact, and a right result is the exact matrix R.
 *
 * Theorem.  Let an element of row i of a result differ from R.  Then the row is named but with
 * probability at most 2^-(2 t), over vectors x of independent integers, uniform in 0..2^t - 1.
 * Proof.  A row with an element that is not finite, no multiple of q, or larger than G, is named
 * always.  Of any other row let d be the difference, of which d_j is not 0.  Given the other
 * elements of x, d x = 0 holds for one value of x_j at most, and two vectors are independent.  All
 * sums that are formed of |x| < 2^t, of elements of at most G and of the terms, or of some of
 * these, are multiples of q, or of the lattice of B, and at most n 2^t G <= 2^53 q: they are exact
 * in binary64, in any order, so that d x = 0 is what equality of both sides says.  QED. t is at
 * least CHECKSUM_BITS_LEAST, or the data are not taken as exact: the probability is at most 2^-30.
 * x is a function of a seed that no kernel is told.
 *
 * Half precision.  The same holds for sums that are formed in binary32, p = 24, and rounded once to
 * h bits, where every element of a row is found below 2^h q in magnitude.  For let one of them, c,
 * be another number than the rounded element r of R.  Were c = r, |r| < 2^h q would be a number of
 * h bits, which rounding leaves as it is; so that d_j is not 0.  A right row of such elements is
 * that of R, since rounding takes no number from 2^h q on below it.  A row with larger ones is
 * open, or named where one is beyond G (1 + 2^-h): it may be right without being that of R.
 *
 * Other data.  Let each element of a right R differ by E_ij at most from what the right side is, or
 * so T R or R T where R solves it (oracle/bound.h: a reduction, or the residual of a solve before
 * it is divided by the diagonal).  Let e be the error of the sums here, (n + 2 k + 32) 2^-53 of the
 * sums of magnitudes, of both sides.  With x of independent signs, the distance of both sides of
 * row i is at most sum_j E_ij + e.  A row that breaks this has a wrong element: where R is given it
 * is of that row; where T R is, it is the unknown of that row, or one that this is computed from.
 * What it misses: errors in a row whose sum with random signs is below twice that, about 2 n times
 * the bound of one element; a lone error above it is always found. */
#ifndef REFERENCE_CHECKSUM_H
#define REFERENCE_CHECKSUM_H

#include "matrix_sums.h"
#include "product_equation.h"

enum { CHECKSUM_BITS_LEAST = 15, CHECKSUM_BITS_MOST = 31 };

typedef enum ChecksumKind {
    CHECKSUM_NONE,   /* values that are not finite or near the end of the range: nothing is known */
    CHECKSUM_EXACT,  /* each row that is neither named nor open is right, but with the probability
                      * above */
    CHECKSUM_BOUNDED /* each row is within the bound of its sum */
} ChecksumKind;

/* The vectors, and the sums of both sides by row and component.  bound is of CHECKSUM_BOUNDED: a
 * row is one element of it, whose bound under a model (oracle/bound.h) is at least sum_j E_ij. */
typedef struct Checksum {
    ChecksumKind kind;
    const ProductEquation *equation;
    size_t rows, columns;
    int components, bits, lattice;
    double limit;       /* the G of exact data */
    double rounds_from; /* the 2^h q of half precision, else infinite */
    double *x[CHECKSUM_VECTORS], *right[CHECKSUM_VECTORS], *left[CHECKSUM_VECTORS];
    StoredMatrix found; /* what was computed */
    bool unusual;       /* elements were read that exact data do not have, or that may be rounded */
    double largest;     /* magnitude of an element of T, where there is one */
    double *addends;    /* and the sums of magnitudes of beta c, without the factor */
    Ref bound;
} Checksum;

/* Of what a right result is, from the operands before the call; the equation is kept. */
void checksum_begin(Checksum *checksum, const ProductEquation *equation, uint64_t seed,
                    Arena *arena);

/* Sums up what was computed; where the result solves its equation, bound follows from it. */
void checksum_read(Checksum *checksum, const Tensor *computed, Arena *arena);

/* What sums say of a row. */
enum { ROW_RIGHT, ROW_WRONG, ROW_OPEN };

/* Sets rows[i] to what is said of row i of what was read, and returns the number of those that are
 * named; bounds are those of the elements of Checksum.bound, NULL for exact data. */
size_t checksum_compare(const Checksum *checksum, const double *bounds, uint8_t *rows,
                        Arena *arena);

#endif
