/* Cholesky factors, as potrf and the drivers that call it give them: |A - L L^H| is bounded element
 * by element (reference/equation.h), and info is the order of a leading minor that was found not to
 * be positive definite, which may be what reference/definite.h says. */
#ifndef OPS_LAPACK_CHOLESKY_H
#define OPS_LAPACK_CHOLESKY_H

#include "lapack.h"

/* The references to fill, of which that of info is allocated; A as it is stored; and what was
 * computed (NULL: nothing). */
typedef struct LapackCholesky {
    Ref *factor_ref, *info_ref;
    const Tensor *place; /* the triangle of the factor */
    const Matrix *a;
    bool lower;
    const Tensor *computed;
    int64_t info;
} LapackCholesky;

/* The factor, and what info is of it. */
int64_t lapack_cholesky_reference(const LapackCholesky *cholesky, Matrix *factor, Arena *arena);

/* The reference of info, given what it is. */
void lapack_judge_definite(Ref *ref, const Matrix *a, DType dtype, int64_t info, bool lower,
                           Arena *arena);

#endif
