/* Factors of a matrix by Householder reflections, A = H_1 ... H_k R, H_i = I - tau_i v_i v_i^H, R
 * upper trapezoidal, v_i with a 1 in place i and zeros before it, as geqrf leaves them.
 *
 * Theorem.  Let the reflections be applied one by one, or in blocks as I - V T V^H with T from
 * V and tau by substitution.  For column j of A and R as they were computed
 *     |a_j - H_1 ... H_k r_j|_2 <= 2 (gamma_(m + 2 k + 8) sqrt k eta + gamma_(20 m + 60)) |a_j|_2,
 *     eta = | |V| |T| |V|^H + |V| |T| |S| |T| |V|^H |_F,  S the upper triangle of |V|^H |V|,
 * with T of all reflections.  Proof.  A block with V_b and T_b that is applied to C gives C - V_b
 * T_b^H V_b^H C within gamma_(m + 2 k + 8) |V_b| |T_b| |V_b|^H |C| for the products and with |T_b|
 * |S_b| |T_b| in place of |T_b| for the substitution that T_b comes from (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., (3.13) and theorem 8.5); one reflection is a block
 * with T_b = tau.  T_b is a diagonal block of T, so that the sum of these matrices is at most that
 * of eta, element by element, and the sum of their Frobenius norms at most sqrt k times its norm.
 * Reflections keep norms, so that errors add up as in lemma 19.3 and theorem 19.4, section 19.5.
 * Where column j becomes a multiple of a unit vector, v and tau carry what a norm of m numbers is
 * off by, (5 m / 2 + 4) u where it is rescaled on the way, and ten roundings more: H_j a is off by
 * at most gamma_(20 m + 60) |a| (lemma 19.1).  The factor 2 is for second-order terms while the
 * bound is below 1/4; nothing is judged above.
 *
 * Corollary.  In blocks of b reflections at most, wherever they begin, the first term is
 *     gamma_(m + 2 b + 8) sqrt b sum eta_w,
 * eta_w of the reflections of the windows of 2 b that begin at each multiple of b.  Proof.  A block
 * lies in the window of the multiple of b at or before its begin; at most b of them begin between
 * two multiples, whose matrices are parts of the window's, and of these parts the sum of the norms
 * is at most sqrt b times the norm of the sum.
 *
 * H_i is unitary where 2 re tau = |tau|^2 |v|^2: both sides agree within gamma_(10 m + 40) 2 |tau|.
 *
 * Of complex types gamma is 2 gamma of twice the count (Higham, lemma 3.5).  Underflow adds 16 (m +
 * 4) (k + 1) subnormals. */
#ifndef OPS_LAPACK_HOUSEHOLDER_H
#define OPS_LAPACK_HOUSEHOLDER_H

#include "lapack.h"
#include "reference/wide_complex.h"

/* Blocks of reflections, whose triangles T stand one beside the other. */
#define HOUSEHOLDER_NB                                                                             \
    P_ROW("nb", PARAM_DIM, Lapack, kl, int64_t, "reflections of a block", .minimum = 1,            \
          .maximum = 1024, .simplest = 1)
#define HOUSEHOLDER_LDT P_PAD(Lapack, ldt, 1 << 16, "leading dimension of T beyond its minimum")
/* nb as it may be of so many reflections. */
int64_t householder_block(int64_t nb, int64_t steps);

/* A before, and after: R, and below its diagonal the v_i. */
typedef struct Householder {
    DType dtype;
    Matrix before, after;
    Scalar *tau;
    int64_t steps;
    bool positive; /* householder_factor makes no element of R's diagonal negative */
} Householder;

/* a_j - H_1 ... H_k r_j for all columns: residuals by parts, and for each column the bound of their
 * components, an upper bound of their own error, and a scale to divide them by; errors of tau with
 * their bounds likewise.  Nothing is judged where `known` is false. */
typedef struct HouseholderResidual {
    bool known;
    Matrix rest;
    double *bounds, *errors, *scales, *tau_defects, *tau_bounds;
} HouseholderResidual;
HouseholderResidual householder_residual(const Householder *factors, Arena *arena);
/* The same of column j alone, as column 0, by the corollary with 2 b = HOUSEHOLDER_WINDOW; or of
 * tau alone. */
enum { HOUSEHOLDER_WINDOW = 128 };
HouseholderResidual householder_column_residual(const Householder *factors, int64_t j, bool of_tau,
                                                Arena *arena);
/* The theorem's factor of |a_j|_2 without its doubling, for reflections that are applied on `sides`
 * of a matrix. */
double householder_factor_error(const Householder *factors, int sides, Arena *arena);
/* The triangles T of blocks, I - V T V^H = H_1 ... H_nb, in nb rows, from V and tau in 64 bits:
 * t_jj = tau_j, and above it column j is -tau_j T V^H v_j of those before.  sizes: the same of
 * magnitudes, which what is computed in any order of these products and sums is within gamma_c of,
 * c = (nb + 1) (2 m + 3 nb + 8) (ops_reflections.c). */
void householder_blocks(const Householder *factors, int64_t nb, Matrix *t, double *sizes,
                        Arena *arena);
/* Errors of tau with their bounds. */
void householder_judge_taus(const Householder *factors, double *defects, double *bounds);
/* A column in double-double becomes H_1 ... H_k x, or (H_1 ... H_k)^H x. */
void householder_apply(const Householder *factors, WideComplex *x);
void householder_apply_adjoint(const Householder *factors, WideComplex *x);
/* A matrix by rows becomes Q X, or X Q^H, Q = H_1 ... H_k on rows, or columns, from `first` on. */
void householder_apply_left(const Householder *factors, WideComplex *x, int64_t columns,
                            int64_t first);
void householder_apply_right(const Householder *factors, WideComplex *x, int64_t rows,
                             int64_t columns, int64_t first);

/* Makes reflection k of what stands in column k of after from row k on, in place. */
void householder_reflect(Householder *factors, int64_t k);
/* Column j of X becomes (I - t v_k v_k^H) x. */
void householder_reflect_column(const Householder *factors, int64_t k, Scalar t, Matrix *x,
                                int64_t j);
/* A becomes H with the vectors below it, A = Q H Q^H, by reflections of rows and columns first to
 * end - 1, in binary64; tau has one number for each of the n - 1 columns. */
void householder_reduce(Matrix *a, int64_t first, int64_t end, Scalar *tau, bool positive,
                        Arena *arena);
/* Factors by reflections one by one, in binary64: after and tau from before. */
void householder_factor(Householder *factors);
/* X becomes H_1 ... H_k X, in binary64. */
void householder_multiply(const Householder *factors, Matrix *x);

#endif
