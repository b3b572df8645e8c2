/* Systems of equations whose matrix is a product of computed factors, and triangular ones. */
#ifndef OPS_LAPACK_SOLVE_H
#define OPS_LAPACK_SOLVE_H

#include "lapack.h"

/* X with F G X = B, F lower and G upper triangular: each column by a solve with F, then one with G,
 * both triangular.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 9.4).  Any
 * order of evaluation gives an X' with |B - F G X'| <= (2 gamma_c + gamma_c^2) |F| |G| |X'|, where
 * c = n
 * + 2 as in reference/equation.h (2 n + 12 and twice that for complex types).
 *
 * The residual of row i of a column is put at element i of it: what is expected there differs from
 * what was computed by the residual, divided by the largest magnitude in row i of |F| |G|.
 * A column with numbers that are not finite must have none where substitution with all numbers
 * replaced by their magnitudes says that nothing overflows and no divisor is subnormal. */
typedef struct ProductSolve {
    const Matrix *f, *g; /* n x n, with ones on the diagonal written out */
    const Matrix *b, *computed;
    const int64_t *places; /* the row of the reference for each row, NULL: the same one */
} ProductSolve;
void lapack_put_solution(Ref *ref, const ProductSolve *solve, Arena *arena);

/* Which rows ipiv exchanges: those of B before the solves, in its order, or those of X after them,
 * backwards. */
typedef enum LapackExchange { EXCHANGE_RIGHT_SIDES, EXCHANGE_SOLUTIONS } LapackExchange;

/* The reference of X for a routine: with computed values as lapack_put_solution says, without them
 * by substitution in the element type. */
typedef struct LapackSolve {
    Ref *b_ref;
    const Matrix *f, *g;
    const Matrix *right;        /* B where it is no operand, NULL: it is `b` */
    const Tensor *b, *computed; /* computed: NULL before the call */
    const int64_t *pivots;      /* row k is exchanged with pivots[k], from 0; NULL: no rows are */
    LapackExchange exchanges;
} LapackSolve;
void lapack_solve_reference(const LapackSolve *solve, Arena *arena);
/* OpDesc.work of routines that solve with two factors. */
double lapack_solve_work(const void *params);

/* Exchanges row k with row pivots[k], for all k in their order or backwards; rows that are none
 * stay.
 */
void lapack_exchange(Matrix *matrix, const int64_t *pivots, bool backwards);

/* One triangle of a matrix, with zeros elsewhere; unit: ones on its diagonal. */
Matrix lapack_factor(const Matrix *matrix, bool lower, bool unit, Arena *arena);
Matrix lapack_transposed(const Matrix *matrix, bool conjugate, Arena *arena);

#endif
