/* Schur forms whose eigenvalues are put into another order, A = Z T Z^H of a T that is one itself.
 *
 * T and Z are judged as hseqr's are (op_hseqr.c), with T as it was for H: exchanges of neighbours
 * are rotations and reflections of T and of Z, each with an error of a few roundings, and those of
 * blocks of two are refused where what they leave below is more (Bai and Demmel, On swapping
 * diagonal blocks in real Schur form, Linear Algebra and its Applications 186, 1993).
 *
 * Which value stands where follows of that.  Theorem.  Let T' be a Schur form of T + E, |E| <= e,
 * and V have eigenvectors of T for columns, k = |V| |V^-1| in Frobenius' norm.  Each value of T' is
 * within k e of one of T (Bauer and Fike; Golub and Van Loan, Matrix Computations, 4th ed., theorem
 * 7.2.2), and where those are further apart than 2 k e just one is near each, since values move
 * continuously from T to T + E.  QED.  Where they are more than 8 k e apart, it is demanded that
 * the right one stands in each place; closer ones have no order.
 *
 * Condition numbers of the first m values together: s = 1 / sqrt(1 + |R|^2) with T_11 R - R T_22 =
 * T_12, and sep(T_11, T_22) (LAPACK Users' Guide, 3rd ed., section 4.8.1.3).  With k of T' sep is
 * at least g / k^2, g how far the values of both are apart, as T_11 and T_22 are similar to
 * diagonal matrices by parts of V where all values are apart as above; so what substitutions leave,
 * gamma_(n+8) 2 |T| |R| with 192 u for blocks (op_trsyl.c), is at most d = (gamma_(n+8) 2 + 192 u)
 * |T| k^2 / g of R, and as much of s.  An estimate of 1 / sep is no more than sqrt(m (n - m)) k^2 /
 * g / (1 - d) and no less than that of an operator whose norm is 2 sqrt(n) |T|.  A difference of
 * two values is taken for m (n - m) safmin / (2 u) at least (dtrsyl.f: SMLNUM): of closer ones
 * nothing is said below. */
#ifndef OPS_LAPACK_REORDER_H
#define OPS_LAPACK_REORDER_H

#include "schur_judge.h"

/* A Schur form's eigenvalues by their places, k of its vectors, and the least distance of two. */
typedef struct SchurValues {
    int64_t n;
    Scalar *values;
    double condition, gap;
    Matrix right, left; /* vectors of norm 1 as columns, by places */
} SchurValues;
SchurValues schur_values(const Matrix *t, bool real, Arena *arena);
/* Whether the values are that far apart for an error e of T. */
bool schur_values_are_apart(const SchurValues *values, double error);

/* Demands of the place j of T' a value of T that has the label at[j], of which each stands in one
 * place, and where Z is not known that they are values at all; ref is that of T'. */
typedef struct Reordering {
    const EigenProblem *problem; /* T before */
    const int64_t *labels, *at;
    bool has_vectors;
} Reordering;
void reorder_judge(Ref *ref, const Reordering *reordering, const Matrix *after, Arena *arena);

/* The same of values of T, which is off by at most `error`, and those of T', said of the diagonal
 * of another matrix. */
void reorder_judge_values(Ref *ref, const Matrix *shown, const SchurValues *before,
                          const Matrix *after, double error, const int64_t *labels,
                          const int64_t *at, Arena *arena);

/* Judges T' by its form, and with it Q' (or, where of_q is NULL, its norm alone), of a Q that was
 * given; gives T'. */
Matrix reorder_judge_factors(Ref *of_t, Ref *of_q, const Tensor *t, const Tensor *q,
                             const Tensor *given, const EigenProblem *p, Arena *arena);

/* The first and the last row of what is a block of T, or of one row. */
int64_t schur_block_first(const Matrix *t, bool real, int64_t i);
int64_t schur_block_last(const Matrix *t, bool real, int64_t i);
/* What an operand `select` chooses of a Schur form, both rows of a block where it has either:
 * labels[i] is 1 of each row that is chosen, and at[i] of each place that `count` rows go to. */
typedef struct SchurChoice {
    int64_t count, *labels, *at;
    bool has_pairs;
} SchurChoice;
SchurChoice schur_choice(const Matrix *t, const Tensor *select, bool real, Arena *arena);
/* Moves the block that begins in row `from` so that it begins, or going down ends, in row `to` or
 * the next one that blocks leave; false where some were too close to exchange. */
bool reorder_move(SchurForm *form, bool real, int64_t from, int64_t to, Arena *arena);

/* s and sep of the first m values of T', 1 x 1 references or NULL. */
void reorder_judge_conditions(Ref *s, Ref *sep, const Matrix *t, DType dtype, int64_t m,
                              Arena *arena);
/* One right result of both, of a computed T'. */
void reorder_put_conditions(Ref *s, Ref *sep, const Matrix *t, DType dtype, int64_t m,
                            Arena *arena);
/* sep(w, rest) of one value, or of a pair, each by itself. */
void reorder_judge_separation(Ref *sep, size_t at, const SchurValues *values, double norm,
                              DType dtype, int64_t j);

#endif
