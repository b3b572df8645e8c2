/* References of large products in binary32 of which only the sums are known.  Most results are
 * admitted, and none of them is the worst, by bounds of the companions that take as many operations
 * as there are elements; judge_draft (oracle/judge.h) uses them, and has companions computed where
 * they decide.
 *
 * Theorem.  Let a and b have k terms, P and p be the sums of their magnitudes, D^2 = sum a^2 - P^2
 * / k and d^2 the same of b, and S = sum |a b|.  Then
 *     P p / k - D d <= S <= P p / k + D d,   S^2 / k <= sum (a b)^2   and   |sum a b| <= S.
 * Proof.  The numbers |a| - P / k and |b| - p / k sum up to 0, so that S less P p / k is the sum of
 * their products, which is D d at most by the inequality of Cauchy and Schwarz: D^2 and d^2 are the
 * sums of their squares.  The next is the same inequality of |a b| and 1, and the last one that of
 * the triangle.  QED.
 * A bound grows with S, |value| and the sum of squares (oracle/bound.h): what that of less admits
 * is admitted. */
#ifndef REFERENCE_DRAFT_H
#define REFERENCE_DRAFT_H

#include "ref.h"

/* Numbers of a draft are finite, and but for zeros between these, as are alpha and beta, which is 0
 * too; terms are few enough that what is rounded in any of the sums here is below DRAFT_SLACK of
 * it. */
#define DRAFT_LEAST 0x1p-40
#define DRAFT_MOST  0x1p40
#define DRAFT_SLACK 0x1p-36
enum { DRAFT_TERMS_MAX = 1 << 12 };

/* Its Ref has room for columns, which have no values but for the classes, all finite: those of an
 * element once it is put, and all once it is completed.  Its exponent is 0. */
typedef struct RefDraft {
    bool exact;                 /* every way of evaluating is: alpha A B + beta C is the result */
    uint32_t terms, most_terms; /* of an element at least, where it is not exact, and at most */
    double alpha, beta;
    double reach; /* at least magnitude and addend of each element, and what lies beside */
    /* Of rows and columns: magnitude lies in sum * sum -+ rest * rest but for DRAFT_SLACK of both;
     * NULL where it is exact. */
    const double *row_sum, *row_rest, *column_sum, *column_rest;
    struct DraftedAffine *affine;
} RefDraft;

/* A row of A B, and of C, NULL where beta is 0; a copy in the arena where it does not lie so. */
const double *draft_products(const Ref *ref, size_t row, Arena *arena);
const double *draft_addends(const Ref *ref, size_t row);
double draft_product(const Ref *ref, size_t row, size_t column);

/* The vectors whose products an element sums up: depth numbers each.  The second lies in `turned`,
 * which draft_turn makes of all. */
typedef struct DraftFactors {
    const double *left;
    const float *right;
    size_t depth;
} DraftFactors;
float *draft_turn(const Ref *ref, Arena *arena);
DraftFactors draft_factors(const Ref *ref, const float *turned, size_t row, size_t column);

/* The sums of |a b| and (a b)^2 of the first element, in any order. */
typedef struct DraftSizes {
    double size, square;
} DraftSizes;
DraftSizes draft_first_sizes(const Ref *ref);

/* The columns of one element, of which the sums of |a b| and (a b)^2 are these, in any order. */
void draft_put(Ref *ref, size_t row, size_t column, double size, double square);

/* All columns, as they are without a draft.  The arena is for scratch. */
void draft_complete(Ref *ref, Arena *arena);

#endif
