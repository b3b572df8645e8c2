/* Eigenvalues and eigenvectors of square matrices that need not be hermitian.
 *
 * A routine balances first: it works on B = D^-1 A D, with powers of two that it chooses, and finds
 * the eigenvalues of B + E, |E| <= p(n) u |B| (LAPACK Users' Guide, 3rd ed., section 4.8; Golub and
 * Van Loan, Matrix Computations, 4th ed., section 7.5.6), and vectors y with |B y - w y| <= p(n) u
 * |B| |y|.  For v = D y that is |A v - w v|_i <= p(n) u d_i |B| |D^-1 v|.  How D is chosen differs
 * by version: norms were sums of magnitudes without the diagonal until LAPACK 3.5, and are
 * Euclidean since (James, Langou and Lowery, On matrix balancing and eigenvector computation,
 * 2014); its elements are at most the relative error of a rounding over the least normal number
 * (SFMAX2 of xGEBAL, 2^969 in binary64). What one of D = I and these two gives is admitted; p(n) is
 * that of spectrum.h, which is a convention.
 *
 * An eigenvalue without its vector satisfies smin(B - w I) <= p(n) u |B| for one of them (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., section 7.1, for the distance to
 * singularity).  An upper bound of smin is found by inverse iteration, so that what is admitted is
 * admitted rightly.  Similarities keep the trace: |sum w - trace A| <= n p(n) u |B|. */
#ifndef OPS_LAPACK_EIGEN_H
#define OPS_LAPACK_EIGEN_H

#include "matrix.h"

/* Scaling by powers of two: exponents of d, and Frobenius' norm of D^-1 A D. */
typedef struct Balance {
    int *exponents;
    int largest; /* of an exponent's magnitude */
    long double norm;
} Balance;

enum { EIGEN_BALANCES = 3 };
typedef struct EigenProblem {
    const Matrix *a;
    DType dtype;
    Balance balance[EIGEN_BALANCES];
    double norm; /* of A; 1 where that is 0 */
    double factor;
    /* What the matrix may be off by besides p(n) u |B|, in Frobenius' norm; 0 unless a routine that
     * says so sets it. */
    double slack;
    bool known; /* finite, and all norms within the range of the type */
} EigenProblem;

/* Which rows are left where those whose eigenvalue stands on the diagonal take no part. */
void eigen_isolate(const Matrix *a, bool *active);
/* Exponents of a D that balances all rows and columns by Euclid's norms, of magnitudes up to
 * `largest`. */
void eigen_scale(const Matrix *a, int largest, int *exponents, Arena *arena);
EigenProblem eigen_problem(const Matrix *a, DType dtype, Arena *arena);

/* How far w is from an eigenvalue: smin(B - w I) / (p u |B|), the least of the three, or more; at
 * most 1 where it is admitted.  slack is added to what it is divided by. */
double eigen_value_ratio(const EigenProblem *problem, Scalar w, Arena *arena);

/* The largest |sum w - trace A| that is admitted. */
double eigen_trace_bound(const EigenProblem *problem);

/* The element of A v - w v over the norm of A in row i, and what is admitted there. */
Scalar eigen_residual(const EigenProblem *problem, const Scalar *v, Scalar w, int64_t i,
                      double *bound);

/* What was computed less what is right, and what is admitted there. */
typedef struct EigenDefect {
    Scalar off;
    double bound;
} EigenDefect;

/* Judges all values, each by itself where there are no right vectors, and the last one by what the
 * others leave of the trace. */
void eigen_judge_values(const EigenProblem *problem, const Scalar *w, bool has_vectors,
                        EigenDefect *defects, Arena *arena);
/* Element i of a vector: its residual, or its length less 1 beyond 8 n u where that is more, in
 * both parts where it is complex. */
EigenDefect eigen_judge_element(const EigenProblem *problem, const Scalar *v, Scalar w, int64_t i,
                                bool is_complex);

/* Column j of `to`: a vector for w, right or left, of norm 1, whose largest element is real, by
 * inverse iteration in 64 bits; real where A and w are. */
void eigen_put_vector(const Matrix *a, Scalar w, bool left, Matrix *to, int64_t j, Arena *arena);

/* Values, and vectors of norm 1 as columns, right and left ones: A v = w v, u^H A = w u^H, by QR
 * iterations with 64 bits.  For a real matrix pairs are conjugate, the one with the positive
 * imaginary part first, and what has no partner is real. */
typedef struct Eigen {
    Scalar *values;
    Matrix right, left;
} Eigen;
Eigen eigen_of(const Matrix *a, bool is_real, Arena *arena);

/* A = Z T Z^H, T upper triangular, or of a real matrix with blocks of two for pairs, whose diagonal
 * is equal and whose other elements differ in sign; with 64 bits, rounded to binary64. */
typedef struct SchurForm {
    Matrix t, z;
} SchurForm;
SchurForm schur_form_of(const Matrix *a, Arena *arena);
SchurForm schur_real_form_of(const Matrix *a, Arena *arena);
/* Exchanges the blocks of a real form of which the first begins in row k and another one follows,
 * and turns Z as well; false, and nothing is changed, where they are too close. */
bool schur_real_exchange(SchurForm *form, int64_t k, Arena *arena);

#endif
