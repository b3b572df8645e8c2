/* Eigenvalues and eigenvectors of square pencils: pairs (alpha, beta), not both 0, for which
 * beta A - alpha B is singular.
 *
 * The QZ algorithm finds those of (A + E, B + F), |E| <= p(n) u |A|, |F| <= p(n) u |B|, in
 * Frobenius' norm (LAPACK Users' Guide, 3rd ed., section 4.11; Golub and Van Loan, Matrix
 * Computations, 4th ed., section 7.7.8), with p(n) of spectrum.h, which is a convention.  So of
 * C = beta A - alpha B over s = |beta| |A| + |alpha| |B|
 *     smin(C) <= p(n) u s,  |C v| <= p(n) u s |v|,  |u^H C| <= p(n) u s |u|,
 * whatever alpha and beta are multiplied by.  Rows and columns are exchanged before, and A and B
 * scaled by a number each (dggev.f): neither changes that.
 *
 * Values that are each right may be the same one.  det (A + E) = det A det (I + A^-1 E) is within
 * n t / (1 - t) of det A by its logarithm, t = |A^-1|_F |E|, and so is det B: the product of all
 * |alpha / beta| is |det A / det B| but for that.  It is held against that where t is below 1/8 of
 * both.
 *
 * Where |alpha| <= 4 p u |A| and |beta| <= 4 p u |B| the pencil is to be singular, whatever its
 * factors are: it is asked of two of them, and nothing of the vectors. */
#ifndef OPS_LAPACK_PENCIL_H
#define OPS_LAPACK_PENCIL_H

#include "eigen.h"

typedef struct Pencil {
    const Matrix *a, *b;
    DType dtype;
    double a_norm, b_norm; /* 1 where a norm is 0 */
    double factor;
    bool known; /* finite, and norms within the range of the type */
} Pencil;
Pencil pencil_problem(const Matrix *a, const Matrix *b, DType dtype, Arena *arena);

/* No element but 0 is below u of its matrix's norm. */
bool pencil_is_even(const Pencil *pencil);

typedef struct PencilValue {
    Scalar alpha, beta;
} PencilValue;

/* beta A - alpha B over |beta| |A| + |alpha| |B|. */
Matrix pencil_combine(const Pencil *pencil, PencilValue value, Arena *arena);
/* Both are so small that the pencil must be singular. */
bool pencil_is_degenerate(const Pencil *pencil, PencilValue value);
/* smin of that over what is admitted, at most 1 where a value is right. */
double pencil_value_ratio(const Pencil *pencil, PencilValue value, Arena *arena);
/* How far the product of all |alpha / beta| is from |det A / det B|, by its logarithm, and how far
 * it may be; false where that is not known. */
bool pencil_judge_product(const Pencil *pencil, const PencilValue *values, double *off,
                          double *bound, Arena *arena);

/* Values and vectors as columns, whose largest |re| + |im| is 1, in 64 bits: beta is real and no
 * negative number; of real matrices pairs are conjugate, the one whose alpha has the positive
 * imaginary part first, and the rest is real. */
typedef struct PencilEigen {
    PencilValue *values;
    Matrix right, left;
} PencilEigen;
PencilEigen pencil_eigen(const Pencil *pencil, Arena *arena);
/* Finds vectors of a value over the norms as columns j, and the value of these; one that is real.
 */
void pencil_polish(const Pencil *pencil, PencilEigen *e, int64_t j, bool real, Arena *arena);

#endif
