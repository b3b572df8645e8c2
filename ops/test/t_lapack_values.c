/* Values that references of LAPACK's routines find against arithmetic of 300 bits: eigenvalues of
 * tridiagonal matrices by counts, their vectors by what they leave, singular values with small
 * relative errors by the sums of the minors of A^H A, and scaled pencils by their products. */
#include <math.h>
#include <mpfr.h>

#include "ops/case/operands.h"
#include "ops/lapack/singular.h"
#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 300, SAMPLES = 60 };

static uint64_t state = 47;
static Workspace workspace;

typedef struct Run {
    Case c;
    Operands o;
    Ref own[OP_TENSORS_MAX];
} Run;

static void run(Run *r, const char *op, DType dtype, const char *params, const char *fill)
{
    Text line = {0}, error = {0};
    *r = (Run){0};
    const OpDesc *desc = op_find(op);
    text_printf(&line, "%s/1 dtype=%s %s |", op, dtype_names[dtype], params);
    for (int i = 0; desc->tensors[i]; i++)
        text_printf(&line, " %s=%s:%x", desc->tensors[i], fill,
                    (unsigned)(random_next(&state) & 0xffff));
    CHECK(case_parse(&r->c, text_string(&line), &error));
    text_release(&error);
    text_release(&line);
    operands_build(&r->o, &workspace, &r->c);
    const ReferenceInput input = {.op = desc, .params = r->c.params, .tensors = r->o.view};
    op_reference(r->own, &input, &workspace.arena);
}

/* How many eigenvalues of a tridiagonal matrix are below x: negative pivots of T - x I. */
static int64_t count_below(const Matrix *d, const Matrix *e, double x)
{
    int64_t count = 0;
    mpfr_t pivot, part;
    mpfr_inits2(PRECISION, pivot, part, (mpfr_ptr)NULL);
    for (int64_t i = 0; i < d->rows; i++) {
        mpfr_set_d(part, d->values[i].re, MPFR_RNDN);
        mpfr_sub_d(part, part, x, MPFR_RNDN);
        if (i > 0) {
            double beside = e->values[i - 1].re;
            if (mpfr_zero_p(pivot))
                mpfr_set_d(pivot, 0x1p-1000, MPFR_RNDN);
            mpfr_ui_div(pivot, 1, pivot, MPFR_RNDN);
            mpfr_mul_d(pivot, pivot, beside, MPFR_RNDN);
            mpfr_mul_d(pivot, pivot, beside, MPFR_RNDN);
            mpfr_sub(pivot, part, pivot, MPFR_RNDN);
        } else
            mpfr_set(pivot, part, MPFR_RNDN);
        count += mpfr_sgn(pivot) < 0;
    }
    mpfr_clears(pivot, part, (mpfr_ptr)NULL);
    return count;
}

static void test_bisected(DType dtype)
{
    enum { N = 9, D = 0, E, W = 9 };
    Run r;
    run(&r, "stebz", dtype, "sorted=entire n=9", "normal");
    Matrix d = matrix_read(&r.o.view[D], &workspace.arena);
    Matrix e = matrix_read(&r.o.view[E], &workspace.arena);
    double off = 8 * dtype_format(dtype)->unit * (matrix_norm(&d) + matrix_norm(&e));
    for (int64_t k = 0; k < N; k++) {
        double w = r.own[W].high[k];
        CHECK(count_below(&d, &e, w - off) <= k);
        CHECK(count_below(&d, &e, w + off) > k);
    }
}

/* T z - w z of each vector, where z has a norm of 1. */
static void test_iterated(DType dtype)
{
    enum { N = 7, D = 0, E, W, Z = 5 };
    Run r;
    run(&r, "stein", dtype, "n=7 m=7", "normal");
    Matrix d = matrix_read(&r.o.view[D], &workspace.arena);
    Matrix e = matrix_read(&r.o.view[E], &workspace.arena);
    Matrix w = matrix_read(&r.o.view[W], &workspace.arena);
    int parts = dtype_components(dtype);
    mpfr_t sum, part;
    mpfr_inits2(PRECISION, sum, part, (mpfr_ptr)NULL);
    double off = 32 * dtype_format(dtype)->unit * (matrix_norm(&d) + matrix_norm(&e));
    for (int64_t j = 0; j < N; j++) {
        double norm = 0;
        for (int64_t i = 0; i < N; i++) {
            mpfr_set_zero(sum, 1);
            for (int64_t k = i > 0 ? i - 1 : 0; k < N && k <= i + 1; k++) {
                double t = k == i ? d.values[i].re : e.values[k < i ? k : i].re;
                double z = r.own[Z].high[(k * N + j) * parts];
                mpfr_set_d(part, t, MPFR_RNDN);
                if (k == i)
                    mpfr_sub_d(part, part, w.values[j].re, MPFR_RNDN);
                mpfr_mul_d(part, part, z, MPFR_RNDN);
                mpfr_add(sum, sum, part, MPFR_RNDN);
                norm += k == i ? z * z : 0;
            }
            CHECK(fabs(mpfr_get_d(sum, MPFR_RNDN)) <= off);
        }
        CHECK(fabs(norm - 1) <= 32 * dtype_format(dtype)->unit);
    }
    mpfr_clears(sum, part, (mpfr_ptr)NULL);
}

/* The minor of A^T A of the lines of a set, by elimination. */
static void add_minor(mpfr_t sum, const Matrix *a, unsigned set)
{
    enum { N = 3 };
    mpfr_t g[N][N], part, det;
    int lines[N], count = 0;
    mpfr_inits2(PRECISION, part, det, (mpfr_ptr)NULL);
    for (int i = 0; i < N; i++)
        if (set >> i & 1)
            lines[count++] = i;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            mpfr_init2(g[i][j], PRECISION);
            mpfr_set_zero(g[i][j], 1);
            for (int64_t k = 0; k < a->rows; k++) {
                mpfr_set_d(part, matrix_at(a, k, lines[i])->re, MPFR_RNDN);
                mpfr_mul_d(part, part, matrix_at(a, k, lines[j])->re, MPFR_RNDN);
                mpfr_add(g[i][j], g[i][j], part, MPFR_RNDN);
            }
        }
    mpfr_set_ui(det, 1, MPFR_RNDN);
    for (int k = 0; k < count; k++) {
        mpfr_mul(det, det, g[k][k], MPFR_RNDN);
        for (int i = k + 1; i < count; i++)
            for (int j = count - 1; j >= k; j--) {
                mpfr_mul(part, g[i][k], g[k][j], MPFR_RNDN);
                mpfr_div(part, part, g[k][k], MPFR_RNDN);
                mpfr_sub(g[i][j], g[i][j], part, MPFR_RNDN);
            }
    }
    mpfr_add(sum, sum, det, MPFR_RNDN);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            mpfr_clear(g[i][j]);
    mpfr_clears(part, det, (mpfr_ptr)NULL);
}

/* Columns whose norms differ by up to 2^80: each sum of products of `order` squared values is that
 * of the minors of A^T A, whose relative error is no more than theirs, since none is negative. */
static void test_relative(void)
{
    enum { N = 3, ROWS = 5 };
    Matrix a = matrix_zeros(ROWS, N, &workspace.arena);
    for (int64_t j = 0; j < N; j++) {
        int by = (int)(random_next(&state) % 80) - 40;
        for (int64_t i = 0; i < ROWS; i++)
            matrix_at(&a, i, j)->re =
                ldexp((double)(int64_t)(random_next(&state) & 0xffff) - 0x8000, by);
    }
    RelativeValues values = singular_relative(&a, DT_F64, &workspace.arena);
    if (!values.known)
        return;
    mpfr_t minors, sums, part;
    mpfr_inits2(PRECISION, minors, sums, part, (mpfr_ptr)NULL);
    for (int order = 1; order <= N; order++) {
        mpfr_set_zero(minors, 1);
        mpfr_set_zero(sums, 1);
        for (unsigned set = 1; set < 1u << N; set++) {
            if (__builtin_popcount(set) != order)
                continue;
            add_minor(minors, &a, set);
            mpfr_set_ui(part, 1, MPFR_RNDN);
            for (int i = 0; i < N; i++)
                for (int twice = 0; twice < 2 && (set >> i & 1); twice++) {
                    mpfr_t value;
                    mpfr_init2(value, PRECISION);
                    mpfr_set_ld(value, values.values[i], MPFR_RNDN);
                    mpfr_mul(part, part, value, MPFR_RNDN);
                    mpfr_clear(value);
                }
            mpfr_add(sums, sums, part, MPFR_RNDN);
        }
        mpfr_div(part, sums, minors, MPFR_RNDN);
        mpfr_sub_ui(part, part, 1, MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(part, MPFR_RNDN)) <= 2.5 * order * values.error);
        CHECK(values.error <= 0x1p-40 && values.error < values.bound);
    }
    mpfr_clears(minors, sums, part, (mpfr_ptr)NULL);
}

int main(void)
{
    static const DType all[] = {DT_F32, DT_F64, DT_C64, DT_C128};
    CHECK(workspace_init(&workspace));
    for (long i = check_scaled(SAMPLES); i > 0; i--) {
        test_bisected(all[i % 2]);
        test_iterated(all[i % 4]);
        test_relative();
    }
    workspace_release(&workspace);
    return check_end("t_lapack_values");
}
