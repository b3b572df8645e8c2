/* Eigenvectors of a matrix from those of what gebal made of it, in place of them: as `job` says the
 * rows ilo to ihi of V are multiplied by the factors that scale has for them, or for left vectors
 * divided by them, and after that row k is exchanged with row scale(k), for k from ilo - 1 to 1 and
 * from ihi + 1 to n (dgebak.f).  scale has powers of two and numbers of rows, as gebal gives them.
 *
 * Products with powers of two are exact within the normal range (IEEE 754-2019, 4.3 and 7.5), and
 * rounded once below it.  Of a row with numbers that are not finite, or that leave the range,
 * nothing is said. */
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, lapack_balances, "what gebal has done"),
    P_CHOICE(Lapack, side, blas_sides, "left or right eigenvectors"),
    LAPACK_M("columns of V"),
    LAPACK_N("rows of V"),
    LAPACK_BLOCK,
    P_PAD(Lapack, ldv, 1 << 16, "leading dimension of V beyond its minimum"),
    P_END,
};
static const char *const tensors[] = {"scale", "v", "info", NULL};
enum { SCALE, V, INFO };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[SCALE] = lapack_real_vector(q, q->n);
    shapes->tensor[SCALE].role = ROLE_IN;
    shapes->tensor[SCALE].block = lapack_block(q);
    shapes->tensor[SCALE].block.exchanges = true;
    shapes->tensor[V] = lapack_matrix(q, q->n, q->m, q->ldv, ROLE_INOUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 4 * lapack_parts(q) * (double)(q->n + 1) * (double)(q->m + 1);
}

/* A row of V times a factor, at its place. */
static void put_row(Ref *ref, const Matrix *v, int64_t from, int64_t to, double factor)
{
    const Format *format = dtype_format(ref->dtype);
    for (int64_t j = 0; j < v->columns; j++)
        for (int part = 0; part < dtype_components(ref->dtype); part++) {
            size_t at = matrix_element(ref, to, j) + (size_t)part;
            Scalar x = *matrix_at(v, from, j);
            double value = factor * (part ? x.im : x.re);
            if (factor == 1)
                ref_set_exact(ref, at, value, MATCH_VALUE);
            else if (!scalar_is_finite(x) || fabs(value) > format->largest)
                ref_set_classes(ref, at, CLASS_ANY);
            else
                ref_put_bounded(ref, at, value, 0,
                                fabs(value) < format->smallest_normal && value != 0
                                    ? format->smallest_subnormal
                                    : 0);
        }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool permutes = q->job & 1, scales = q->job & 2, left = q->side == SIDE_LEFT;
    Matrix v = matrix_read(&input->tensors[V], arena);
    Matrix scale = matrix_read(&input->tensors[SCALE], arena);
    int64_t *from = arena_take(arena, (size_t)q->n + 1, sizeof *from);
    for (int64_t i = 0; i < q->n; i++)
        from[i] = i;
    for (int64_t step = 0; step < q->n && permutes; step++) {
        int64_t i = step < q->ilo - 1 ? q->ilo - 2 - step : step;
        if (i >= q->ilo - 1 && i < q->ihi)
            continue;
        int64_t with = (int64_t)scale.values[i].re - 1, kept = from[i];
        from[i] = from[with];
        from[with] = kept;
    }
    ref_allocate_bounded(&refs[V], (DType)q->dtype, &input->tensors[V], arena);
    for (int64_t i = 0; i < q->n; i++) {
        bool inside = from[i] >= q->ilo - 1 && from[i] < q->ihi;
        double factor = inside && scales ? scale.values[from[i]].re : 1;
        put_row(&refs[V], &v, from[i], i, left ? 1 / factor : factor);
    }
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
}

const OpDesc op_gebak = {
    .name = "gebak",
    .summary = "eigenvectors of a matrix by those of the balanced one",
    LAPACK_OP_DIRECT,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
