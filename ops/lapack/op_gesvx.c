/* Systems A X = B and with the transpose by an expert driver, with FACT = 'N': A and its right
 * sides are not scaled.  A is factored as by getrf (lu.h), X is refined and its error bounds
 * estimated (refine.h), and rcond is the estimate of gecon for the norm of columns, or for a
 * transpose of rows (condition.h), with a norm of A that is off by n roundings.  EQUED becomes 'N'.
 *
 * info is the number of the first 0 on the diagonal of U: then rcond is 0 and the rest open; n + 1
 * where rcond is below the unit roundoff, 0 elsewhere (dgesvx.f). */
#include <math.h>

#include "kernel.h"
#include "lu.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "refine.h"
#include "solve.h"

static const Param params[] = {LAPACK_DTYPE_ORDER,
                               LAPACK_TRANS,
                               LAPACK_N("rows and columns of A"),
                               LAPACK_NRHS,
                               LAPACK_LDA,
                               LAPACK_LDAF,
                               LAPACK_LDB,
                               LAPACK_LDX,
                               LAPACK_MATRIX,
                               P_END};
static const char *const tensors[] = {"a",     "af",   "ipiv", "equed", "b", "x",
                                      "rcond", "ferr", "berr", "info",  NULL};
enum { A, AF, IPIV, EQUED, B, X, RCOND, FERR, BERR, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_IN);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[AF] = lapack_matrix(q, q->n, q->n, q->ldaf, ROLE_OUT);
    shapes->tensor[IPIV] = lapack_integers(q->n);
    shapes->tensor[EQUED] = blas_number(DT_U8, ROLE_OUT);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_IN);
    shapes->tensor[X] = lapack_matrix(q, q->n, q->nrhs, q->ldx, ROLE_OUT);
    shapes->tensor[RCOND] = blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
    shapes->tensor[FERR] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[BERR] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 6 * lapack_parts(q) * (double)((q->n + 2) * (q->n + 2)) * (double)(q->n + 8) *
           (double)(q->nrhs + 3);
}

/* What the factors say: those of the kernel, or our own. */
typedef struct Expert {
    LuFactors factors;
    Matrix a, f, g, ordered_f, inverse;
    bool usable;
} Expert;

/* The references of the factors.  An info of n + 1 says that they are usable. */
static void refer_factors(Expert *e, Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *before = input->tensors, *after = input->computed;
    int64_t n = before[A].extent[0];
    int32_t stood_for = 0;
    Tensor info = before[INFO];
    if (after) {
        int64_t given = lapack_integer(&after[INFO], 0);
        stood_for = given > n ? 0 : (int32_t)given;
        info.origin = &stood_for;
    }
    const LapackLu lu = {.a_ref = &refs[AF],
                         .ipiv_ref = &refs[IPIV],
                         .info_ref = &refs[INFO],
                         .a = &before[A],
                         .ipiv = &before[IPIV],
                         .info = &before[INFO],
                         .computed_a = after ? &after[AF] : NULL,
                         .computed_ipiv = after ? &after[IPIV] : NULL,
                         .computed_info = after ? &info : NULL};
    e->usable = lapack_lu_reference(&lu, &e->factors, arena);
    e->a = matrix_read(&before[A], arena);
    e->f = lapack_factor(&e->factors.lu, true, true, arena);
    e->g = lapack_factor(&e->factors.lu, false, false, arena);
    if (!e->usable)
        return;
    const Kernel kernel = {.dtype = dtype_components(before[A].dtype) == 2 ? DT_C128 : DT_F64,
                           .style = KERNEL_WIDE};
    e->ordered_f = matrix_copy(&e->f, arena);
    lapack_exchange(&e->ordered_f, e->factors.pivots, true);
    e->inverse = matrix_identity(n, arena);
    lapack_exchange(&e->inverse, e->factors.pivots, false);
    kernel_trsm(&kernel, &e->f, true, &e->inverse);
    kernel_trsm(&kernel, &e->g, false, &e->inverse);
}

/* rcond of the factors, and what info makes of the one that was computed. */
static void put_condition(Ref *refs, const Expert *e, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    bool by_rows = q->trans != TRANSPOSE_NONE;
    Matrix turned = lapack_transposed(&e->a, true, arena);
    const Condition c = {.dtype = (DType)q->dtype,
                         .f = &e->f,
                         .g = &e->g,
                         .by_rows = by_rows,
                         .norm = condition_norm(by_rows ? &turned : &e->a),
                         .norm_error = equation_gamma(format, (double)q->n + 16)};
    condition_put(&refs[RCOND], &c, arena);
    const Ref *ref = &refs[RCOND];
    const Tensor *after = input->computed;
    double rcond = after ? dtype_load(after[RCOND].dtype, after[RCOND].origin, 0)
                         : dtype_round(ref->dtype, ref->high[0] + ref->low[0]);
    int64_t small = rcond < format->unit ? q->n + 1 : 0;
    int64_t info = after ? lapack_integer(&after[INFO], 0) : small;
    bool open = !matrix_is_finite(&e->a) || isnan(rcond);
    lapack_put_integer(&refs[INFO], 0, info, open ? 0 : small, open ? q->n + 1 : small);
}

static void put_solution(Ref *refs, const Expert *e, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = refine_transposed(&e->a, q->trans, arena);
    Matrix b = matrix_read(&input->tensors[B], arena);
    const Refinement r = {.dtype = (DType)q->dtype,
                          .a = &a,
                          .factors = {.dtype = (DType)q->dtype,
                                      .f = &e->ordered_f,
                                      .g = &e->g,
                                      .by_rows = q->trans == TRANSPOSE_NONE,
                                      .inverse = &e->inverse},
                          .nonzeros = (double)q->n + 1,
                          .most_nonzeros = (double)q->n + 1};
    Matrix x = input->computed ? matrix_read(&input->computed[X], arena)
                               : refine_solve(&r, &b, q->trans, arena);
    if (input->computed)
        refine_put_solution(&refs[X], &r, &b, &x, &x, arena);
    else
        matrix_put(&x, &refs[X]);
    refine_put_bounds(&refs[FERR], &refs[BERR], &r, &b, &x, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    Expert e;
    refer_factors(&e, refs, input, arena);
    ref_allocate_exact(&refs[EQUED], &given[EQUED], arena);
    ref_set_exact(&refs[EQUED], 0, 'N', MATCH_VALUE);
    for (int i = X; i < INFO; i++)
        ref_allocate_bounded(&refs[i], given[i].dtype, &given[i], arena);
    if (e.usable) {
        put_condition(refs, &e, input, arena);
        put_solution(refs, &e, input, arena);
        return;
    }
    for (int i = X; i < INFO; i++)
        for (size_t k = 0; k < refs[i].count; k++)
            ref_set_classes(&refs[i], k, CLASS_ANY);
    bool told = matrix_is_finite(&e.a) && input->tensors[A].extent[0] > 0;
    if (told)
        ref_set_exact(&refs[RCOND], 0, 0, MATCH_VALUE);
}

const OpDesc op_gesvx = {
    .name = "gesvx",
    .summary = "refined solutions of systems with condition numbers and error bounds",
    LAPACK_OP_TABLES,
    .dtypes = DTYPES_BLAS,
    .shape = shape,
    .work = work,
    .reference = reference,
};
