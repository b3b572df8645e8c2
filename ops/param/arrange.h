/* Matrices of a kind, made of the data of a recipe, which knows no matrices. */
#ifndef OPS_PARAM_ARRANGE_H
#define OPS_PARAM_ARRANGE_H

#include "reference/tensor.h"

/* Bit for bit the same on any machine.  Axes but the last two are a batch.  Of a view that leaves
 * elements out, those that exist are arranged as parts of the whole matrix. */
typedef enum Arrangement {
    ARRANGED_FREELY,
    ARRANGED_PIVOTS,      /* of integers from 1: number k is k at least */
    ARRANGED_NEAR_PIVOTS, /* number k is k, or k + 1 where it is odd and there is one */
    ARRANGED_MAGNITUDES,  /* without signs, and 1 where there is no number */
    /* With exponents that make magnitudes at least 1, or less than 1/2. */
    ARRANGED_ABOVE_ONE,
    ARRANGED_BELOW_HALF,
    /* Of integers from 1: the rows that the steps of sytrf exchange, from the first step of a lower
     * triangle and from the last of an upper one; an even number makes a block of two. */
    ARRANGED_LOWER_BLOCKS,
    ARRANGED_UPPER_BLOCKS,
    ARRANGED_REAL_DIAGONAL,
    /* The diagonal is at least the sum of the magnitudes beside it, by rows and by columns. */
    ARRANGED_DOMINANT,
    ARRANGED_GRADED, /* element (i, j) times 2^-(3 i + 2 j mod 60) */
    /* The last row is the first one, and of an odd number of columns the middle one is 0. */
    ARRANGED_SINGULAR,
    /* Upper triangular, of real types with blocks of two on the diagonal, each with an equal
     * diagonal and others of different sign (Schur form). */
    ARRANGED_SCHUR,
    /* The upper triangle that makes a generalized Schur form with one of these: its diagonal is not
     * negative, and where the other one may have a block of two it has 0 beside two numbers that
     * are no more than a factor of two apart and not 0. */
    ARRANGED_SCHUR_PARTNER,
    ARRANGED_SYMMETRIC, /* element (j, i) is (i, j) for i > j */
    ARRANGED_HERMITIAN, /* the diagonal is real; of a whole matrix also conjugate to itself */
    /* The diagonal is at least the sum of the magnitudes beside it. */
    ARRANGED_DEFINITE,
    ARRANGED_DEFINITE_GRADED, /* the same, (i, j) times 2^-((3 i mod 60) + (3 j mod 60)) after */
    ARRANGED_NEARLY_DEFINITE  /* half of that diagonal, which may be too small */
} Arrangement;

void tensor_arrange(const Tensor *tensor, Arrangement arrangement);

/* A block of rows and columns first to end - 1, or nothing where end is 0: outside the matrix is an
 * upper triangle, or where `unit` the identity, and within its elements below the first subdiagonal
 * are 0 where `narrow`.  Of a column that `exchanges` what stands outside are numbers of rows, from
 * 1: before the block of the same row or a later one until its end, behind it of the same or an
 * earlier one; within are powers of two, of which one by itself is 1. */
typedef struct DiagonalBlock {
    int64_t first, end;
    bool narrow, unit, exchanges;
} DiagonalBlock;
void tensor_clear_outside(const Tensor *tensor, DiagonalBlock block);

#endif
