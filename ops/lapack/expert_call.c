/* Solutions, their bounds and condition numbers by factors. */
#include "expert_call.h"

#include <math.h>

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "solve.h"

void expert_shape_results(const Lapack *q, bool refines, Shapes *shapes)
{
    shapes->tensor[shapes->count++] =
        lapack_matrix(q, q->n, q->nrhs, q->ldx, refines ? ROLE_INOUT : ROLE_OUT);
    if (!refines)
        shapes->tensor[shapes->count++] = blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
    for (int i = 0; i < 2; i++)
        shapes->tensor[shapes->count++] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[shapes->count++] = lapack_integers(1);
}

double expert_work(const OpDesc *op, const void *params_of_case)
{
    const Lapack *q = params_of_case;
    (void)op;
    return 6 * lapack_parts(q) * (double)((q->n + 2) * (q->n + 2)) * (double)(q->n + 8) *
           (double)(q->nrhs + 3);
}

int expert_place(const ExpertCall *e, const char *name)
{
    return op_operand(e->input->op, name);
}

void expert_begin(ExpertCall *e, Arena *arena)
{
    const Tensor *given = e->input->tensors;
    int info = expert_place(e, "info");
    int64_t got = e->input->computed ? lapack_integer(&e->input->computed[info], 0) : 0;
    e->info = got > e->q->n ? 0 : got;
    e->condition = (Condition){.dtype = (DType)e->q->dtype,
                               .f = &e->factors[0],
                               .g = &e->factors[1],
                               .by_rows = e->q->trans != TRANSPOSE_NONE,
                               .inverse = &e->factors[2]};
    e->info_ref = &e->refs[info];
    for (int i = expert_place(e, "x"); i < info; i++)
        lapack_admit_all(&e->refs[i], &given[i], arena);
    ref_allocate_exact(e->info_ref, &given[info], arena);
    lapack_put_integer(e->info_ref, 0, 0, 0, 0);
}

void expert_take_lu(ExpertCall *e, const LuFactors *lu, bool heeds, Arena *arena)
{
    const Kernel kernel = {.dtype = lapack_is_real(e->q) ? DT_F64 : DT_C128, .style = KERNEL_WIDE};
    e->factors[0] = lapack_factor(&lu->lu, true, true, arena);
    e->factors[1] = lapack_factor(&lu->lu, false, false, arena);
    e->factors[2] = matrix_identity(e->q->n, arena);
    lapack_exchange(&e->factors[2], lu->pivots, false);
    kernel_trsm(&kernel, &e->factors[0], true, &e->factors[2]);
    kernel_trsm(&kernel, &e->factors[1], false, &e->factors[2]);
    e->unordered = matrix_copy(&e->factors[0], arena);
    lapack_exchange(&e->factors[0], lu->pivots, true);
    e->condition.singular = lapack_first_zero(&e->factors[1]) > 0;
    if (heeds)
        return;
    /* gecon takes no notice of exchanges. */
    e->condition.f = &e->unordered;
    e->condition.inverse = NULL;
}

void expert_take_triangles(ExpertCall *e, const Matrix *f, const Matrix *g, Arena *arena)
{
    const Kernel kernel = {.dtype = lapack_is_real(e->q) ? DT_F64 : DT_C128, .style = KERNEL_WIDE};
    e->factors[0] = *f;
    e->factors[1] = *g;
    e->factors[2] = matrix_identity(e->q->n, arena);
    kernel_trsm(&kernel, f, true, &e->factors[2]);
    kernel_trsm(&kernel, g, false, &e->factors[2]);
    e->condition.singular = lapack_first_zero(f) > 0;
}

/* rcond of the factors, and what info makes of the one that was computed. */
static void put_condition(ExpertCall *e, Arena *arena)
{
    const Format *format = dtype_format((DType)e->q->dtype);
    const Tensor *after = e->input->computed;
    int at = expert_place(e, "rcond"), info_at = expert_place(e, "info");
    int64_t n = e->q->n;
    bool by_rows = e->condition.by_rows;
    Matrix turned = lapack_transposed(&e->whole, true, arena);
    e->condition.norm = condition_norm(by_rows ? &turned : &e->whole);
    e->condition.norm_error = equation_gamma(format, (double)n + 16);
    condition_put(&e->refs[at], &e->condition, arena);
    const Ref *ref = &e->refs[at];
    double rcond = after ? dtype_load(after[at].dtype, after[at].origin, 0)
                         : dtype_round(ref->dtype, ref->high[0] + ref->low[0]);
    int64_t small = rcond < format->unit ? n + 1 : 0;
    int64_t info = after ? lapack_integer(&after[info_at], 0) : small;
    bool open = !matrix_is_finite(&e->whole) || isnan(rcond);
    lapack_put_integer(e->info_ref, 0, info, open ? 0 : small, open ? n + 1 : small);
}

static void put_solution(ExpertCall *e, Arena *arena)
{
    const Tensor *given = e->input->tensors, *after = e->input->computed;
    int at = expert_place(e, "x"), ferr = expert_place(e, "ferr");
    DType dtype = (DType)e->q->dtype;
    Matrix a = refine_transposed(&e->whole, e->q->trans, arena);
    Refinement r = {.dtype = dtype,
                    .a = &a,
                    .factors = {.dtype = dtype,
                                .f = &e->factors[0],
                                .g = &e->factors[1],
                                .by_rows = e->q->trans == TRANSPOSE_NONE,
                                .inverse = &e->factors[2],
                                .singular = e->condition.singular,
                                .astray = e->condition.astray,
                                .exact = e->condition.exact,
                                .reach = e->condition.reach},
                    .nonzeros = e->nonzeros,
                    .most_nonzeros = e->most_nonzeros,
                    .factors_of_x = e->system.factors_of_x,
                    .ratio = e->system.ratio};
    Matrix found =
        after ? matrix_read(&after[at], arena) : refine_solve(&r, &e->system.b, e->q->trans, arena);
    Matrix x = after ? expert_unscaled(&e->system, &found, dtype, arena) : found;
    Matrix before = e->refines ? matrix_read(&given[at], arena) : x;
    if (after) {
        r.scaled = r.factors_of_x ? &found : NULL;
        refine_put_solution(&e->refs[at], &r, &e->system.b, &before, &x, arena);
        refine_put_bounds(&e->refs[ferr], &e->refs[ferr + 1], &r, &e->system.b, &x, arena);
        return;
    }
    refine_put_bounds(&e->refs[ferr], &e->refs[ferr + 1], &r, &e->system.b, &x, arena);
    for (int64_t i = 0; i < x.rows * x.columns && r.factors_of_x; i++) {
        double factor = r.factors_of_x[i / x.columns];
        x.values[i] = (Scalar){x.values[i].re * factor, x.values[i].im * factor};
    }
    matrix_put_rounded(&x, &e->refs[at]);
}

void expert_put(ExpertCall *e, Arena *arena)
{
    if (!e->refines)
        put_condition(e, arena);
    put_solution(e, arena);
}

void expert_leave(ExpertCall *e, bool given, int64_t failed, Arena *arena)
{
    const Tensor *after = e->input->computed;
    int rcond = expert_place(e, "rcond"), info = expert_place(e, "info");
    bool finite = matrix_is_finite(&e->whole);
    for (int i = expert_place(e, "x"); i < info; i++)
        for (size_t k = 0; k < e->refs[i].count && i != rcond; k++)
            ref_leave(&e->refs[i], k, arena);
    if (finite && e->q->n > 0 && !given)
        ref_set_exact(&e->refs[rcond], 0, 0, MATCH_VALUE);
    if (given || !finite)
        lapack_put_integer(e->info_ref, 0, after ? lapack_integer(&after[info], 0) : failed, 0,
                           e->refines ? 0 : e->q->n + 1);
}
