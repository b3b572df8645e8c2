/* Eigenvalues and vectors as geev and geevx store them: of a real matrix two columns have the parts
 * of a pair's first vector (op_geev.c has what is demanded). */
#ifndef OPS_LAPACK_EIGENVECTORS_H
#define OPS_LAPACK_EIGENVECTORS_H

#include "eigenvalues.h"
#include "lapack.h"

/* Leading dimensions of the vectors. */
#define EIGENVECTORS_LEADING                                                                       \
    P_ROW("ldvl", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of VL beyond its minimum",   \
          .maximum = 1 << 16),                                                                     \
        P_ROW("ldvr", PARAM_PAD, Lapack, ldv, int64_t,                                             \
              "leading dimension of VR beyond its minimum", .maximum = 1 << 16)

/* The operands that both routines begin with, a, w, wi, vl and vr, and info, which is the last; and
 * the work of both. */
void eigenvectors_shape(const Lapack *q, Shapes *shapes, int info);
double eigenvectors_work(const void *of);

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
/* |y^H x| over the norms of both, within (n + 8) 2^-61. */
long double eigenvectors_cosine(const Scalar *y, const Scalar *x, int64_t n);
/* What is demanded of element (i, j) of these: what was computed less its defect, by parts. */
void eigenvectors_put_element(Ref *ref, int64_t i, int64_t j, bool pair, Scalar got, Scalar defect,
                              double bound);

#endif
