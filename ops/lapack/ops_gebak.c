/* Eigenvectors of a matrix, or of a pencil, from those of what gebal, or ggbal, made of it, in
 * place of them: as `job` says the rows ilo to ihi of V are multiplied by the factors that scale
 * has for them, or for left vectors of a matrix divided by them, and after that row k is exchanged
 * with row scale(k), for k from ilo - 1 to 1 and from ihi + 1 to n (dgebak.f).  Of a pencil left
 * vectors are multiplied by those of lscale, right ones by those of rscale, and the other array is
 * not used (dggbak.f).  Factors are powers of two, as gebal gives them and ggbal may, and numbers
 * of rows.
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
static const char *const pencil_tensors[] = {"lscale", "rscale", "v", "info", NULL};

typedef struct BackRow {
    LapackRow op;
    int scales; /* arrays of factors, which stand before V */
} BackRow;

static const BackRow rows[] = {
    {{"gebak", "eigenvectors of a matrix by those of the balanced one", params, tensors,
      DTYPES_BLAS},
     1},
    {{"ggbak", "eigenvectors of a pencil by those of the balanced one", params, pencil_tensors,
      DTYPES_BLAS},
     2},
};

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const BackRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = row->scales + 2, .depth = 1};
    for (int i = 0; i < row->scales; i++) {
        shapes->tensor[i] = lapack_real_vector(q, q->n);
        shapes->tensor[i].role = ROLE_IN;
        shapes->tensor[i].block = lapack_block(q);
        shapes->tensor[i].block.exchanges = true;
    }
    shapes->tensor[row->scales] = lapack_matrix(q, q->n, q->m, q->ldv, ROLE_INOUT);
    shapes->tensor[row->scales + 1] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
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
    const BackRow *row = input->op->detail;
    const Lapack *q = input->params;
    int v_at = row->scales, info_at = v_at + 1;
    bool permutes = q->job & 1, scales = q->job & 2, left = q->side == SIDE_LEFT;
    bool divides = left && row->scales == 1;
    Matrix v = matrix_read(&input->tensors[v_at], arena);
    Matrix scale = matrix_read(&input->tensors[row->scales == 2 && !left ? 1 : 0], arena);
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
    ref_allocate_bounded(&refs[v_at], (DType)q->dtype, &input->tensors[v_at], arena);
    for (int64_t i = 0; i < q->n; i++) {
        bool inside = from[i] >= q->ilo - 1 && from[i] < q->ihi;
        double factor = inside && scales ? scale.values[from[i]].re : 1;
        put_row(&refs[v_at], &v, from[i], i, divides ? 1 / factor : factor);
    }
    ref_allocate_exact(&refs[info_at], &input->tensors[info_at], arena);
    lapack_put_integer(&refs[info_at], 0, 0, 0, 0);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .normalise = normalise, .shape_of_row = shape,
                              .work_of_row = work, .reference = reference};

OP_TABLE(ops_gebak)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
