/* Eigenvalues of matrices that need not be hermitian, as LAPACK stores them: of a real matrix the
 * real parts are in w and the imaginary ones in wi, pairs together, the positive imaginary part
 * first; of a complex one the values are in w, and wi has no elements.  wi stands behind w in all
 * arrays here. */
#ifndef OPS_LAPACK_EIGENVALUES_H
#define OPS_LAPACK_EIGENVALUES_H

#include "eigen.h"

/* The n values in w and wi. */
Scalar *eigenvalues_read(const Tensor w_wi[2], int64_t n, Arena *arena);

/* Whether value j of n of a real matrix is the first one of a pair, by its imaginary part. */
bool eigenvalues_begin_pair(const Scalar *w, int64_t j, int64_t n);

/* Puts value j, rounded to the type, as what is expected. */
void eigenvalues_put_rounded(Ref w_wi[2], int64_t j, Scalar value);

/* Judges values that were computed as eigen_judge_values does; those of a real matrix must be
 * conjugate bit by bit in pairs, and real where they have no partner. */
void eigenvalues_judge(Ref w_wi[2], const EigenProblem *problem, const Scalar *w, bool has_vectors,
                       Arena *arena);

#endif
