/* Eigenvalues and right eigenvectors of square matrices as the linear algebra of frameworks has
 * them: of the last two axes, the others are a batch, and results are complex.  Judged as eigen.h
 * says: each vector by its residual and its norm, which is 1 within 8 n u (torch.linalg.eig and
 * numpy.linalg.eig: "normalized to have norm 1"), each value without vectors by the distance of
 * A - w I to singularity, all values by the trace.  Their order is open, and so is the phase of a
 * vector.  Where numbers are not finite, or a norm may leave the range, nothing is said. */
#include <math.h>
#include <string.h>

#include "eigen.h"
#include "lapack.h"
#include "reference/function.h"
#include "spectrum.h"

typedef struct Eig {
    int64_t dtype;
    Shape batch_shape;
    int64_t n, matrix;
} Eig;

enum {
    A,
    W,
    V,
};

static const char *const matrices[] = {"free", "graded", "singular", NULL};
static const Param params[] = {
    P_DTYPE(Eig, dtype, "element type of a"), P_SHAPE(Eig, batch_shape, 0, 2, "axes of the batch"),
    P_DIM(Eig, n, 1, 48, "rows and columns of a"),
    P_CHOICE(Eig, matrix, matrices, "what the data of a are made into"), P_END};
static const char *const tensors[] = {"a", "w", "v", NULL};
static const char *const value_tensors[] = {"a", "w", NULL};

static DType complex_of(DType dtype)
{
    return dtype_component(dtype) == DT_F32 ? DT_C64 : DT_C128;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    static const Arrangement arranged[] = {ARRANGED_FREELY, ARRANGED_GRADED, ARRANGED_SINGULAR};
    const Eig *q = of;
    Shape extents = q->batch_shape;
    DType dtype = (DType)q->dtype;
    extents.extent[extents.rank++] = q->n;
    Shape square = extents;
    square.extent[square.rank++] = q->n;
    *shapes = (Shapes){.count = op->tensors[V] ? V + 1 : W + 1, .depth = q->n};
    shapes->tensor[A] = lapack_dense(dtype, &square, ROLE_IN);
    shapes->tensor[W] = lapack_dense(complex_of(dtype), &extents, ROLE_OUT);
    if (op->tensors[V])
        shapes->tensor[V] = lapack_dense(complex_of(dtype), &square, ROLE_OUT);
    shapes->tensor[A].arrangement = arranged[q->matrix];
}

static double work(const OpDesc *op, const void *of)
{
    const Eig *q = of;
    double n = (double)q->n;
    return 8 * (double)shape_count(&q->batch_shape) * n * n * (n + 8) *
           (op->tensors[V] ? 64 : n + 8);
}

static void judge(Ref *refs, const ReferenceInput *input, int64_t b, Arena *arena)
{
    const Eig *q = input->params;
    bool has_vectors = input->op->tensors[V] != NULL;
    int64_t n = q->n;
    Matrix a = lapack_part(&input->tensors[A], 2, b, arena);
    EigenProblem p = eigen_problem(&a, (DType)q->dtype, arena);
    if (!p.known)
        return;
    Matrix w = lapack_part(&input->computed[W], 1, b, arena);
    EigenDefect *defects = arena_take(arena, (size_t)n + 1, sizeof *defects);
    eigen_judge_values(&p, w.values, has_vectors, defects, arena);
    for (int64_t j = 0; j < n; j++)
        spectrum_put_defect(&refs[W], 2 * (size_t)(b * n + j), w.values[j], defects[j].off,
                            defects[j].bound);
    if (!has_vectors)
        return;
    Matrix z = lapack_part(&input->computed[V], 2, b, arena);
    Scalar *v = arena_take(arena, (size_t)n + 1, sizeof *v);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++)
            v[i] = *matrix_at(&z, i, j);
        for (int64_t i = 0; i < n; i++) {
            EigenDefect defect = eigen_judge_element(&p, v, w.values[j], i, true);
            spectrum_put_defect(&refs[V], 2 * (size_t)((b * n + i) * n + j), v[i], defect.off,
                                defect.bound);
        }
    }
}

/* One right result. */
static void compute(Ref *refs, const ReferenceInput *input, int64_t b, Arena *arena)
{
    const Eig *q = input->params;
    Matrix a = lapack_part(&input->tensors[A], 2, b, arena);
    int64_t n = q->n;
    if (!matrix_is_finite(&a))
        return;
    Eigen e = eigen_of(&a, dtype_components((DType)q->dtype) == 1, arena);
    for (int64_t j = 0; j < n; j++)
        matrix_put_number(&refs[W], (size_t)(b * n + j), e.values[j]);
    for (int64_t i = 0; i < n * n && input->op->tensors[V]; i++)
        matrix_put_number(&refs[V], (size_t)(b * n * n + i), e.right.values[i]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Eig *q = input->params;
    for (int i = W; input->op->tensors[i]; i++) {
        ref_allocate_bounded(&refs[i], complex_of((DType)q->dtype), &input->tensors[i], arena);
        for (size_t at = 0; at < refs[i].count; at++)
            ref_set_classes(&refs[i], at, CLASS_ANY);
    }
    for (int64_t b = 0; b < shape_count(&q->batch_shape); b++)
        (input->computed ? judge : compute)(refs, input, b, arena);
}

#define EIG_OP                                                                                     \
    .family = "linalg", .version = 1, .size = sizeof(Eig), .params = params,                       \
    .dtypes = DTYPES_BLAS, .fills = lapack_moderate_fills, .any_layout = true,                     \
    .judged_by_residual = true, .only_by_residual = true, .shape_of_row = shape,                   \
    .work_of_row = work, .reference = reference

static const OpDesc table[] = {
    {EIG_OP, .name = "eig", .summary = "eigenvalues and vectors of square matrices",
     .tensors = tensors},
    {EIG_OP, .name = "eigvals", .summary = "eigenvalues of square matrices",
     .tensors = value_tensors},
    {.name = NULL},
};

OP_TABLE(ops_eig)
{
    return table;
}
