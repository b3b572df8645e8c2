/* What Sylvester's equations are solved by: matrices in Schur form, and systems of few equations.
 */
#ifndef OPS_LAPACK_SYLVESTER_H
#define OPS_LAPACK_SYLVESTER_H

#include "dense.h"

/* op of a matrix in Schur form; second[i] where row i is the second one of a block. */
typedef struct SchurFactor {
    int64_t n;
    LongComplex *values;
    bool *second, upper;
    double largest;
} SchurFactor;

SchurFactor sylvester_factor(const Tensor *t, int64_t trans, bool real, Arena *arena);
/* The row behind the block that begins in row i; the first row of the block of a step, of which
 * there is one for each row, in either direction. */
int64_t sylvester_block_end(const SchurFactor *f, int64_t i);
int64_t sylvester_block_start(const SchurFactor *f, int64_t step, bool forwards);

/* |re| + |im|, and the largest of many. */
long double sylvester_size(LongComplex x);
double sylvester_largest(const LongComplex *x, int64_t count);

/* Solves `count` equations, of which each row has its right side behind the coefficients, with
 * complete pivoting; unknown number i takes the place of the right side of row i.  True where a
 * pivot was too small and taken for the least one. */
enum { SYLVESTER_MAX = 8 };
bool sylvester_solve_small(LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1], int count,
                           double least);

#endif
