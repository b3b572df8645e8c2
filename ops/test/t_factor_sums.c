/* Operators that say which factors their results are (OpDesc.factors): sums leave right results
 * alone, by whichever correct kernel, and name the row of each element that is far off, whose
 * reference then refuses it; elements that are a little off are within the bound of their row. */
#include <math.h>
#include <string.h>

#include "ops/case/operands.h"
#include "ops/lapack/factors.h"
#include "ops/lapack/householder.h"
#include "ops/lapack/kernel.h"
#include "ops/lapack/solve.h"
#include "oracle/bound.h"
#include "reference/factor_sums.h"
#include "reference/random.h"
#include "reference/selftest.h"
#include "tests/check.h"

static Workspace workspace;

/* A small case with the data of large ones. */
static void draw(Case *c, const OpDesc *op, FillKind kind, uint64_t seed)
{
    enum { EXTENT = 70 };
    Scope scope = scope_all();
    scope.ops[0] = op;
    scope.op_count = 1;
    do
        case_draw_seeded(c, &scope, seed++);
    while (!op_has_sums(op, c->params));
    for (const Param *param = op->params; param->name; param++)
        if (param->kind == PARAM_DIM)
            *param_integer(param, c->params) =
                1 + (int64_t)(random_at(seed, param->offset) % EXTENT);
    for (const Param *param = exec_params; param->name; param++)
        param_set_simplest(param, &c->exec);
    for (int i = 0; op->tensors[i]; i++)
        c->fill[i] = (Fill){.kind = kind, .seed = (int64_t)(seed % 1000) + i};
    if (op_has_params(op, "diag")) {
        op->well_posed(c->params);
        c->fill[0].scale = -8;
    }
    case_normalise(c, NULL);
}

/* Both factors of what stands in a whole matrix, or a triangle and its conjugate. */
static void solve(const Operands *o, const Kernel *kernel, const Matrix *a, const int64_t *pivots,
                  Arena *arena)
{
    int at = op_operand(o->source->op, "b");
    if (at < 0)
        return;
    int64_t trans = op_has_params(o->source->op, "trans") ? case_int(o->source, "trans") : 0;
    bool has_uplo = op_has_params(o->source->op, "uplo");
    bool lower = has_uplo && case_int(o->source, "uplo") == UPLO_LOWER, turned = trans != 0;
    Matrix l = lapack_factor(a, true, !has_uplo, arena), u = lapack_factor(a, false, false, arena);
    if (has_uplo && lower)
        u = lapack_transposed(&l, true, arena);
    else if (has_uplo)
        l = lapack_transposed(&u, true, arena);
    Matrix f = turned ? lapack_transposed(&u, trans == TRANSPOSE_CONJUGATE, arena) : l;
    Matrix g = turned ? lapack_transposed(&l, trans == TRANSPOSE_CONJUGATE, arena) : u;
    Matrix x = matrix_read(&o->view[at], arena);
    if (pivots && !turned)
        lapack_exchange(&x, pivots, false);
    kernel_trsm(kernel, &f, true, &x);
    kernel_trsm(kernel, &g, false, &x);
    if (pivots && turned)
        lapack_exchange(&x, pivots, true);
    matrix_write(&x, &o->view[at]);
}

static void solve_triangle(const Operands *o, const Kernel *kernel, const Matrix *a, Arena *arena)
{
    const Case *c = o->source;
    bool lower = case_int(c, "uplo") == UPLO_LOWER, turned = case_int(c, "trans") != 0;
    Matrix f = lapack_factor(a, lower, case_int(c, "diag") == DIAGONAL_UNIT, arena);
    Matrix g = lapack_transposed(&f, case_int(c, "trans") == TRANSPOSE_CONJUGATE, arena);
    Matrix x = matrix_read(&o->view[1], arena);
    kernel_trsm(kernel, turned ? &g : &f, lower != turned, &x);
    matrix_write(&x, &o->view[1]);
}

/* X with A X = I in the place of A, a triangle, or the factors of P A. */
static void invert(const Operands *o, const Kernel *kernel, Matrix *a, const int64_t *pivots,
                   Arena *arena)
{
    const Case *c = o->source;
    Matrix x = matrix_identity(a->rows, arena);
    if (pivots) {
        Matrix l = lapack_factor(a, true, true, arena), u = lapack_factor(a, false, false, arena);
        lapack_exchange(&x, pivots, false);
        kernel_trsm(kernel, &l, true, &x);
        kernel_trsm(kernel, &u, false, &x);
    } else {
        bool lower = case_int(c, "uplo") == UPLO_LOWER;
        Matrix t = lapack_factor(a, lower, case_int(c, "diag") == DIAGONAL_UNIT, arena);
        kernel_trsm(kernel, &t, lower, &x);
    }
    matrix_write(&x, &o->view[0]);
}

/* What a correct kernel leaves. */
static void compute(const Operands *o, KernelStyle style, Arena *arena)
{
    const OpDesc *op = o->source->op;
    const Tensor *view = o->view;
    int ipiv = op_operand(op, "ipiv"), info = op_operand(op, "info");
    bool inverts = op->well_posed && op_operand(op, "b") < 0;
    bool factors = o->shapes.tensor[0].role == ROLE_INOUT && !inverts;
    Kernel kernel = {.dtype = view[0].dtype, .style = style};
    Matrix a = matrix_read(&view[0], arena);
    int64_t *pivots = ipiv >= 0 ? lapack_read_pivots(&view[ipiv], arena) : NULL, result = 0;
    if (factors && ipiv >= 0)
        result = kernel_getrf(&kernel, &a, pivots);
    else if (factors)
        result = kernel_potrf(&kernel, &a, case_int(o->source, "uplo") == UPLO_LOWER);
    for (int64_t k = 0; factors && ipiv >= 0 && k < view[ipiv].extent[0]; k++)
        dtype_store(view[ipiv].dtype, view[ipiv].origin, tensor_offset(&view[ipiv], k, 0),
                    (double)(pivots[k] + 1));
    if (factors)
        matrix_write(&a, &view[0]);
    dtype_store(view[info].dtype, view[info].origin, 0, (double)result);
    CHECK(result == 0);
    if (inverts)
        invert(o, &kernel, &a, pivots, arena);
    else if (op_has_params(op, "diag"))
        solve_triangle(o, &kernel, &a, arena);
    else
        solve(o, &kernel, &a, pivots, arena);
}

static bool is_element_refused(const Ref *ref, size_t i, double got)
{
    double off = fabs(got - ref->high[i] - ref->low[i]);
    return (!isfinite(got) && !(ref->classes[i] & value_class(got))) ||
           off > ref->magnitude[i] * dtype_format(ref->accumulator)->unit + ref->error[i];
}

/* Whether the reference of the worst elements of a row refuses one. */
static bool is_refused(const FactorEquation *e, int64_t row, Arena *arena)
{
    enum { WORST = 4 };
    int64_t columns[WORST], width = e->right.view.extent[1], count = width < WORST ? width : WORST;
    size_t numbers[WORST], parts = (size_t)dtype_components(e->right.view.dtype);
    double got[2 * WORST];
    Ref ref;
    bool refused = false;
    count = factor_worst_columns(e, row, columns, count, arena);
    factor_refer(&ref, e, row, columns, count, got, numbers, arena);
    for (size_t i = 0; i < (size_t)count * parts; i++)
        refused = refused || is_element_refused(&ref, i, got[i]);
    return refused;
}

/* One element, far off: its row is named, or one that is computed from it, and refused. */
static void spoil(FactorEquation *e, int64_t i, int64_t j, double to, uint64_t seed, Arena *arena)
{
    int64_t parts = dtype_components(e->stored.dtype);
    int64_t at = tensor_offset(&e->stored, i, j) * parts;
    double value = dtype_load(e->stored.dtype, e->stored.origin, at);
    dtype_store(e->stored.dtype, e->stored.origin, at, to);
    size_t used = arena->used;
    FactorSums sums = factor_sums(e, seed, arena);
    CHECK(sums.named > 0);
    bool refused = false;
    for (int64_t row = 0; row < e->right.view.extent[0] && !refused; row++)
        refused = sums.rows[row] && is_refused(e, row, arena);
    CHECK(refused);
    arena->used = used;
    dtype_store(e->stored.dtype, e->stored.origin, at, value);
}

/* Solutions may be large. */
static double largest_of(const Tensor *t)
{
    double largest = 1;
    for (int64_t i = 0; i < t->extent[0]; i++) {
        TensorRow row = tensor_row(t, i);
        for (int64_t j = row.first; j < row.end; j++) {
            Scalar x = stored_element(&(StoredMatrix){.view = *t}, i, j);
            largest = fmax(largest, fabs(x.re) + fabs(x.im));
        }
    }
    return largest;
}

static void spoil_some(FactorEquation *e, uint64_t seed, Arena *arena)
{
    const Tensor *t = &e->stored;
    const double size = largest_of(t);
    for (uint64_t k = 0; k < 4; k++) {
        int64_t i =
            k == 0 ? t->extent[0] - 1 : (int64_t)(random_at(seed, k) % (uint64_t)t->extent[0]);
        TensorRow row = tensor_row(t, i);
        if (row.first >= row.end)
            continue;
        int64_t width = row.end - row.first;
        int64_t j = row.first + (int64_t)(random_at(seed, k + 8) % (uint64_t)width);
        spoil(e, i, k == 1 ? row.end - 1 : j,
              k == 2   ? NAN
              : k == 3 ? -0x1p22 * size
                       : 0x1p20 * size,
              seed, arena);
    }
}

/* Elements of a few rows of a right result are admitted. */
static void check_elements(const FactorEquation *e, uint64_t seed, Arena *arena)
{
    size_t used = arena->used;
    for (uint64_t k = 0; k < 4; k++)
        CHECK(!is_refused(e, (int64_t)(random_at(seed, k) % (uint64_t)e->right.view.extent[0]),
                          arena));
    arena->used = used;
}

static void check_case(const Case *c, KernelStyle style, uint64_t seed)
{
    Operands o;
    FactorChecks checks;
    Arena *arena = &workspace.arena;
    operands_build(&o, &workspace, c);
    compute(&o, style, arena);
    operands_factors(&o, &checks, arena);
    CHECK(checks.count > 0);
    for (int i = 0; i < checks.count; i++) {
        FactorEquation *e = &checks.equation[i];
        FactorSums sums = factor_sums(e, seed, arena);
        CHECK(sums.known || dtype_components(case_dtype(c)) == 2);
        /* Of the ways to invert a matrix the kernel's satisfies the first equation. */
        if (!checks.either || i == 0) {
            CHECK(sums.named == 0);
            check_elements(e, seed, arena);
        }
        spoil_some(e, seed, arena);
    }
}

/* Factors Q R by reflections, one by one. */
static void compute_reflections(const Operands *o, Arena *arena)
{
    const Tensor *view = o->view;
    int tau = op_operand(o->source->op, "tau"), info = op_operand(o->source->op, "info");
    Matrix a = matrix_read(&view[0], arena);
    int64_t steps = view[tau].extent[0];
    Householder h = {.dtype = view[0].dtype,
                     .before = a,
                     .after = matrix_copy(&a, arena),
                     .tau = arena_take_zeroed(arena, (size_t)steps + 1, sizeof(Scalar)),
                     .steps = steps};
    householder_factor(&h);
    matrix_write(&h.after, &view[0]);
    matrix_write(&(Matrix){h.tau, steps, 1}, &view[tau]);
    dtype_store(view[info].dtype, view[info].origin, 0, 0);
}

/* One number, far off: a column is named, and refused. */
static void spoil_column(FactorColumns *columns, const Tensor *t, int64_t i, int64_t j, double to,
                         uint64_t seed, Arena *arena)
{
    enum { WORST = 4 };
    size_t used = arena->used, numbers[WORST], parts = (size_t)dtype_components(t->dtype);
    int64_t at = tensor_offset(t, i, j) * (int64_t)parts;
    double value = dtype_load(t->dtype, t->origin, at), got[2 * WORST];
    bool known, refused = false;
    Ref ref;
    dtype_store(t->dtype, t->origin, at, to);
    int64_t column = columns->find(columns, seed, &known, arena);
    CHECK(known && column >= 0);
    size_t count =
        column < 0 ? 0 : (size_t)columns->refer(&ref, columns, column, WORST, got, numbers, arena);
    for (size_t k = 0; k < count * parts; k++)
        refused = refused || is_element_refused(&ref, k, got[k]);
    CHECK(refused);
    dtype_store(t->dtype, t->origin, at, value);
    arena->used = used;
}

static void check_columns(const Case *c, uint64_t seed)
{
    Operands o;
    FactorChecks checks;
    Arena *arena = &workspace.arena;
    bool known;
    operands_build(&o, &workspace, c);
    compute_reflections(&o, arena);
    operands_factors(&o, &checks, arena);
    FactorColumns *columns = checks.columns;
    CHECK(columns->find(columns, seed, &known, arena) < 0 && known);
    const Tensor *a = &o.view[0], *tau = &o.view[op_operand(c->op, "tau")];
    int64_t m = a->extent[0], n = a->extent[1];
    double size = largest_of(a);
    spoil_column(columns, a, m - 1, n - 1, 0x1p20 * size, seed, arena);
    spoil_column(columns, a, 0, n / 2, -0x1p22 * size, seed, arena);
    spoil_column(columns, a, m / 2, 0, NAN, seed, arena);
    spoil_column(columns, tau, tau->extent[0] / 2, 0, 3, seed, arena);
}

static void test_op(const OpDesc *op)
{
    for (long i = 0; i < check_scaled(60); i++) {
        uint64_t seed = random_mix((uint64_t)i);
        Case c;
        draw(&c, op, i % 2 ? FILL_NORMAL : FILL_POSITIVE, seed);
        int failures = check_failures;
        if (op_has_params(op, "lwork") && op_operand(op, "tau") > 0)
            check_columns(&c, seed);
        else
            check_case(&c, (KernelStyle)(i % 3), seed);
        Text line = {0};
        if (check_failures > failures) {
            case_print(&c, &line);
            fprintf(stderr, "  %s\n", text_string(&line));
        }
        text_release(&line);
    }
}

int main(void)
{
    CHECK(selftest_run() == NULL);
    CHECK(workspace_init(&workspace));
    int with = 0;
    for (int i = 0; op_registry[i]; i++)
        if (op_registry[i]->factors) {
            test_op(op_registry[i]);
            with++;
        }
    CHECK(with == 10);
    workspace_release(&workspace);
    return check_end("t_factor_sums");
}
