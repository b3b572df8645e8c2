/* Factors P^T A P = L D L^T of a symmetric matrix, or L D L^H of a hermitian one, as sytrf and
 * hetrf give them by diagonal pivoting: L unit lower triangular, D of blocks of one and of two.
 * ipiv(k) is the row that row k of a block of one was exchanged with; both rows of a block of two
 * have the opposite of the one that its second row was exchanged with.  The multipliers of a step
 * stay where that step left them.  Of an upper triangle all is in reverse, from the last row on.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 11.3).  |A - P
 * L D L^H P^T| <= p(n) u (|A| + P |L| |D| |L^H| P^T) where systems with blocks of two are solved
 * with a small backward error, p linear in n; solutions have the residual p(n) u P |L| |D| |L^H|
 * P^T |X|. p u is gamma_(10 n + 60), twice that and doubled for complex types.  No bound on growth
 * is needed, as it is that of the factors; but pivots must be such that growth is limited: the
 * largest element after k columns is at most (1 + 1/alpha)^k, 1 / alpha = 8 / (1 + sqrt 17), of
 * that of A (section 11.1.2), and that of D as well.
 *
 * Where D is given, blocks of two may be near to singular.  sytrs multiplies by their inverses,
 * which is E^-1 within c kappa u |E^-1|, kappa = 1 + (|e_11 e_22 / e_21^2| + 1) / |e_11 e_22 /
 * e_21^2 - 1|: |E| has kappa |E| |E^-1| |E| added to it there.
 *
 * info is the number of an element of D that is exactly 0 and a block by itself. */
#ifndef OPS_LAPACK_INDEFINITE_H
#define OPS_LAPACK_INDEFINITE_H

#include "lapack.h"

/* What is stored, as the factors of a lower triangle; order[i] is the row of A that row i of the
 * factors is, of a lower triangle as well. */
typedef struct Indefinite {
    DType dtype;
    bool hermitian, legal; /* legal: ipiv is as it says above */
    int64_t n;
    Matrix stored, l, d; /* D as a whole matrix */
    int64_t *order;
    bool *pairs; /* the row is the first one of a block of two */
} Indefinite;

/* The lower triangle that `stored` is, in reverse where it is an upper one. */
Matrix indefinite_lower(const Matrix *stored, bool lower, Arena *arena);
Indefinite indefinite_read(const Matrix *stored, const Tensor *ipiv, bool lower, bool hermitian,
                           DType dtype, Arena *arena);

/* Puts the elements of the triangle that is stored, and returns what info must be: the first zero
 * of D, from 1, in the order of the steps, else 0; -1 where nothing is known. */
int64_t indefinite_put_factors(Ref *ref, const Indefinite *factors, const Matrix *a, bool lower,
                               Arena *arena);
/* Sizes of D as it counts in solutions, of its inverse on the way to them, and how many times as
 * large as gamma_(n+6), or gamma_(4n+24) of complex types, what they are multiplied by is. */
double *indefinite_block_sizes(const Indefinite *factors, double **inverse, Arena *arena);
enum { INDEFINITE_WEIGHT = 11 };
/* Puts X of A X = B. */
void indefinite_put_solution(Ref *ref, const Indefinite *factors, const Matrix *b,
                             const Matrix *computed, bool lower, Arena *arena);

/* Puts the triangle of the inverse that is stored.
 *
 * Theorem.  What sums and products make of L and D^-1, in any order that multiplied out has the
 * terms of S^T D^-1 S, S = L^-1, such as bordering (dsytri.f) and a product of inverses, is within
 * gamma_c M^T |D^-1| M of it, M the inverse of the matrix that has -|l_ij| below its unit diagonal,
 * |D^-1| of blocks of two times kappa, c = (n + 2) (n + 8) + 16.  Proof.  Magnitudes of all terms
 * sum up to that.  A term is made in at most n sums, each from results of those before, of at most
 * n + 2 roundings, and D^-1 with fewer than 16 (Higham, Accuracy and Stability of Numerical
 * Algorithms, 2nd ed., lemma 3.1).  QED.  Of complex types gamma is 2 gamma of twice the count.
 * Where numbers may leave the range nothing is put. */
void indefinite_put_inverse(Ref *ref, const Indefinite *factors, bool lower, Arena *arena);
/* The number of the first zero of D that is a block by itself in the order of the steps, or 0. */
int64_t indefinite_first_zero(const Indefinite *factors, bool lower);

/* Which pivots are taken: those of partial pivoting, the largest of the diagonal where it is large
 * enough beside all others, or the next one, which is wrong. */
typedef enum PivotChoice { PIVOT_PARTIAL, PIVOT_DIAGONAL, PIVOT_NEXT } PivotChoice;

/* Factors of the lower triangle in place of it by Bunch and Kaufman's partial pivoting, in the
 * arithmetic of an element type; pivots as ipiv has them.  What info is. */
int64_t indefinite_factor(DType dtype, Matrix *a, bool hermitian, PivotChoice choice,
                          int64_t *pivots);
/* Stores factors of a lower triangle as the triangle that `stored` has, and brings the pivots into
 * the order of ipiv.  zero: what info is of the lower triangle; returns what it is of this one. */
int64_t indefinite_store(const Matrix *a, int64_t zero, bool lower, int64_t *pivots,
                         Matrix *stored);
/* X in place of B, whose rows are those of the lower triangle. */
void indefinite_solve(const Indefinite *factors, Matrix *b, Arena *arena);

#endif
