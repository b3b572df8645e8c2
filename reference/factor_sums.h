/* Whether factors and solutions that were computed satisfy their equations, for matrices that are
 * too large for each element to be computed from the others (equation.h):
 *
 *     F G = A,   F G X = B,   F X = B,
 *
 * where rows of the right side, or of X, may be exchanged, and B may be the identity: then X is an
 * inverse, or the transpose of one, which satisfies X^T G^T F^T = I.  Both sides times a random
 * vector x, F (G (X x)) beside B x, take as many operations as there are elements (Freivalds,
 * Probabilistic machines can use less running time, 1977).  Its numbers have random signs and
 * magnitudes, from 1/2 to 1, so that columns that are exchanged show.
 *
 * Theorem.  Let each element of a right result satisfy |right - product|_ij <= gamma (|F| |G|
 * |X|)_ij + w, part by part, which is what is known of it element by element (ops/lapack: Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., theorems 9.3, 9.4 and 10.3).  With |x_j|
 * <= 1 row i of the distance of both sides is at most
 *     gamma (|F| |G| |X| |x|)_i + n w + h ((|F| |G| |X| |x|)_i + (|right| |x|)_i),
 * for n columns and h = (2 d + 64) 2^-53, d the terms of all sums that are formed here, two for one
 * where numbers are complex.  Proof.  The distance is the sum of x_j (right - product)_ij, whose
 * magnitudes are bounded by the first two parts; sums in binary64 are off by gamma_d of the sums of
 * magnitudes (ibid., 3.1 and lemma 3.5).  QED.
 *
 * A row that breaks this has a wrong element, or is computed from one.  What is missed: errors
 * whose sum with random signs is below the bound, which is about n times that of one element; a
 * lone error d of the second of two factors shows in a row by |f| d, of the first one in its row by
 * d times some sqrt n elements of the second.  So it is a weaker check than that of each element.
 */
#ifndef REFERENCE_FACTOR_SUMS_H
#define REFERENCE_FACTOR_SUMS_H

#include "ref.h"
#include "stored_matrix.h"

enum { FACTOR_CHAIN_MAX = 3, FACTOR_EQUATIONS_MAX = 2 };

/* What an element follows from when the others are given: the residual, divided by that. */
typedef enum FactorDivisor {
    DIVISOR_BELOW,    /* the diagonal of G, below it */
    DIVISOR_TRIANGLE, /* the same, and on it: of a hermitian right side */
    DIVISOR_ROW       /* the largest magnitude in its row of all factors but the last */
} FactorDivisor;

/* Factors are whole, or triangles by their limits, those of two may be trapezoids: as many rows, or
 * columns, as the other has.  All have the type of the right side. */
typedef struct FactorEquation FactorEquation;
struct FactorEquation {
    StoredMatrix factor[FACTOR_CHAIN_MAX], right;
    int factors;
    bool identity; /* the right side is, of which only type and extents are read */
    bool turned;   /* the last factor is the transpose of the operand, and so is `stored` */
    /* Row i of the right side is row order[i] of what is stored; or that of the last factor, where
     * the rows of solutions are exchanged.  NULL: none are. */
    const int64_t *order;
    bool orders_solution;
    double gamma, underflow;
    double range;            /* nothing is known of a row whose sums of magnitudes are above it, */
    double largest, least;   /* nor where a factor has parts above that, or G's diagonal below */
    double most;             /* a part of an element of F may be that large */
    bool has_positive_roots; /* the diagonal of G is real and positive */
    FactorDivisor divisor;
    int operand;   /* which operand's elements are judged */
    Tensor stored; /* as they were computed */
    /* Whether a right result may have elements that are not finite; NULL: none may. */
    bool (*may_overflow)(const FactorEquation *equation, Arena *arena);
};

/* In place of equations: columns that are right in norm.  Begins what an operator knows of them. */
typedef struct FactorColumns FactorColumns;
struct FactorColumns {
    int operand; /* whose elements are judged */
    /* The column that is furthest off, and its operand, where sums do not admit all; or else -1. */
    int64_t (*find)(FactorColumns *columns, uint64_t seed, bool *known, Arena *arena);
    /* Puts the worst elements of it to a reference, as factor_refer does; their number. */
    int64_t (*refer)(Ref *ref, const FactorColumns *columns, int64_t column, int64_t count,
                     double *got, size_t *numbers, Arena *arena);
};

/* What a call left: some equations, and references of the integers that it gave, by operand. */
typedef struct FactorChecks {
    FactorEquation equation[FACTOR_EQUATIONS_MAX];
    int count;
    FactorColumns *columns; /* or these */
    bool either; /* the first or the second equation is enough: both are of the same operand */
    Ref *refs;
    uint32_t judged; /* operands that refs are filled of */
} FactorChecks;

typedef struct FactorSums {
    uint8_t *rows; /* 1: named */
    size_t named;
    int64_t worst; /* the named row that is furthest off beside its bound */
    bool known;    /* false: sums may have left the range */
} FactorSums;

/* By a seed that no kernel is told. */
FactorSums factor_sums(const FactorEquation *equation, uint64_t seed, Arena *arena);

/* The columns of one row, among those that have an element in the operand, whose residuals are
 * largest beside their bounds, the largest first: `count` of them, or the number that is returned
 * where there are fewer. */
int64_t factor_worst_columns(const FactorEquation *equation, int64_t row, int64_t *columns,
                             int64_t count, Arena *arena);
/* Whether the element of a row and a column of the equation is stored, itself or as its mirror. */
bool factor_has_element(const FactorEquation *equation, int64_t row, int64_t column);

/* Puts elements (row, columns[k]) of the equation, in double-double, to number k of ref, which has
 * room for `count` of the operand's type, as references of the elements that got[] is filled with;
 * numbers[k] is their place in the operand. */
void factor_refer(Ref *ref, const FactorEquation *equation, int64_t row, const int64_t *columns,
                  int64_t count, double *got, size_t *numbers, Arena *arena);

#endif
