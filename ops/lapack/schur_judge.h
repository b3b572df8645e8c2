/* Schur forms A = Z T Z^H as routines give them, judged by their parts (op_hseqr.c has the bounds).
 * w_wi are the references of w and of wi behind it. */
#ifndef OPS_LAPACK_SCHUR_JUDGE_H
#define OPS_LAPACK_SCHUR_JUDGE_H

#include "eigen.h"
#include "ops/op.h"

/* Demands the form of T: zeros, and standard blocks of two. */
void schur_judge_form(Ref *ref, const Matrix *t, bool real);
/* Demands that the values are those of T's diagonal. */
void schur_judge_diagonal(Ref w_wi[2], const Matrix *t, bool real);
/* Puts them, rounded to the type. */
void schur_put_values(Ref w_wi[2], const Matrix *t, bool real);
/* Puts Q Z for a Q that is given, rounded to the type. */
void schur_put_product(Ref *ref, const Tensor *given, const Matrix *z, Arena *arena);
/* Judges each element of Z by what Z T Z^H - Q A Q^H, or Z Z^H - Q Q^H, has there, whichever is
 * larger beside what is admitted; by the second one alone where T is NULL. */
void schur_judge_vectors(Ref *ref, const EigenProblem *p, const Matrix *z, const Matrix *t,
                         const Matrix *q, Arena *arena);
/* The square of the norm of Q, or more: the product of the largest sums of rows and columns. */
double schur_squared_norm(const Matrix *q);
/* Judges the references of T, w, wi and Z, in this order, by what was computed in the same one, and
 * Z where there is one; gives T. */
Matrix schur_judge_whole(Ref refs[4], const Tensor computed[4], const EigenProblem *p, bool has_z,
                         Arena *arena);
/* T without Z: its norm is A's.  What is off is said of its last element of the first row. */
void schur_judge_norm(Ref *ref, const EigenProblem *p, const Matrix *t);

/* A routine that gives one: admit() allocates the references and admits anything, judge() puts what
 * is known of a problem; `end` is the number of the references before its info and the like. */
typedef struct SchurRoutine {
    void (*admit)(Ref *refs, const Tensor *given, Arena *arena);
    void (*judge)(Ref *refs, const ReferenceInput *input, const EigenProblem *p, Arena *arena);
    int end;
} SchurRoutine;
/* Judges its results, and as the alternative of the operator's policy where small elements are
 * taken for 0 however small A is.  refs are allocated; the matrix is not balanced. */
void schur_judge(Ref *refs, const ReferenceInput *input, EigenProblem *p,
                 const SchurRoutine *routine, Arena *arena);

#endif
