/* Eigenvalues and vectors as geev and geevx store them: of a real matrix two columns have the parts
 * of a pair's first vector (op_geev.c has what is demanded). */
#ifndef OPS_LAPACK_EIGENVECTORS_H
#define OPS_LAPACK_EIGENVECTORS_H

#include "eigenvalues.h"
#include "lapack.h"

/* References that admit anything, of w and wi behind it, and of vectors. */
typedef struct EigenvectorRefs {
    Ref *w_wi, *vl, *vr;
} EigenvectorRefs;

/* Judges what was computed: vl and vr where q says so.  The problem is that of A. */
void eigenvectors_judge(const EigenvectorRefs *refs, const Lapack *q, EigenProblem problem,
                        const Tensor w_wi[2], const Tensor *vl, const Tensor *vr, Arena *arena);
/* One right result for a finite matrix. */
void eigenvectors_put(const EigenvectorRefs *refs, const Lapack *q, const Matrix *a, Arena *arena);

/* Column j of vectors, both columns of a pair. */
void eigenvectors_read(const Matrix *z, int64_t j, bool pair, Scalar *v);

#endif
