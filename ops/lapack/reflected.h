/* Factors by reflections of a matrix as one looks at it, so that all are factors Q R
 * (householder.h): `turned`, of A^H, where Q is on the right; `reversed`, of A with its rows and
 * columns in reverse, where the triangle ends at the last row or column, and the reflections are
 * then in reverse as well. */
#ifndef OPS_LAPACK_REFLECTED_H
#define OPS_LAPACK_REFLECTED_H

#include "householder.h"

typedef struct Reflected {
    bool turned, reversed;
    int64_t block; /* reflections of a block, where T stands in place of tau; 0: there are none */
} Reflected;

/* The matrix that is looked at; that of it is A. */
Matrix reflected_look(const Reflected *way, const Matrix *a, Arena *arena);
/* A before the call, and after it where there are results; without these room for them. */
Householder reflected_factors(const Reflected *way, DType dtype, const Matrix *before,
                              const Tensor *after, const Tensor *tau, Arena *arena);
/* Puts what is demanded of A and of tau by their residuals; or one right result, which h has. */
void reflected_judge(const Reflected *way, const Householder *h, const HouseholderResidual *r,
                     Ref *a, Ref *tau);
void reflected_put(const Reflected *way, const Householder *h, Ref *a, Ref *tau);
/* Where element (i, j) of the matrix that is looked at lies in A. */
size_t reflected_place(const Reflected *way, const Ref *ref, int64_t i, int64_t j);

#endif
