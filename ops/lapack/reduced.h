/* Bidiagonal forms by reflections, A = Q B P^H: B is upper bidiagonal where A has no fewer rows
 * than columns, else lower bidiagonal.  Q is a product of H_i as in householder.h and P one of G_i
 * in the same way, from the row or column on where B has its diagonal, or one further; u_i^H lies
 * in rows of A as v_i does in columns. */
#ifndef OPS_LAPACK_REDUCED_H
#define OPS_LAPACK_REDUCED_H

#include "matrix.h"

/* A becomes B with the vectors beside it, in binary64. */
void reduced_bidiagonal(Matrix *a, Scalar *tauq, Scalar *taup, bool positive, Arena *arena);

#endif
