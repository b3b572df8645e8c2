/* Residuals of solutions, inverses, and products of reflections, against exact arithmetic of 2000
 * bits. */
#include <math.h>
#include <mpfr.h>

#include "ops/case/operands.h"
#include "ops/lapack/inverse.h"
#include "ops/lapack/singular.h"
#include "ops/lapack/solve.h"
#include "reference/function.h"
#include "reference/random.h"
#include "reference/wide_complex.h"
#include "tests/check.h"

enum { PRECISION = 2000, ORDER_MAX = 6, COLUMNS = 2, SAMPLES = 1500, HESSENBERG_SAMPLES = 100 };

static uint64_t state = 3;

static Scalar draw(DType dtype)
{
    Scalar value = {0, 0};
    value.re = dtype_round(dtype, 2 * random_unit(random_next(&state)) - 1);
    if (dtype_components(dtype) == 2)
        value.im = dtype_round(dtype, 2 * random_unit(random_next(&state)) - 1);
    return value;
}

static Matrix draw_matrix(DType dtype, int64_t rows, int64_t columns, Arena *arena)
{
    Matrix matrix = matrix_zeros(rows, columns, arena);
    for (int64_t i = 0; i < rows * columns; i++)
        matrix.values[i] = draw(dtype);
    return matrix;
}

/* sum += sign x y z for numbers of which x and y are doubles. */
static void add_product(mpfr_t sum, double sign, double x, double y, double z)
{
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    mpfr_set_d(product, sign * x, MPFR_RNDN);
    mpfr_mul_d(product, product, y, MPFR_RNDN);
    mpfr_mul_d(product, product, z, MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
    mpfr_clear(product);
}

/* The real or imaginary part of row i of B - F G X. */
static void exact_rest(mpfr_t rest, const ProductSolve *s, int64_t i, int64_t column, int part)
{
    int64_t n = s->f->rows;
    Scalar b = *matrix_at(s->b, i, column);
    mpfr_set_d(rest, part ? b.im : b.re, MPFR_RNDN);
    for (int64_t k = 0; k < n; k++)
        for (int64_t j = 0; j < n; j++) {
            Scalar f = *matrix_at(s->f, i, k), g = *matrix_at(s->g, k, j);
            Scalar x = *matrix_at(s->computed, j, column);
            /* (f g x) by parts: an even number of imaginary factors is real. */
            for (int bits = 0; bits < 8; bits++) {
                int imaginary = (bits & 1) + (bits >> 1 & 1) + (bits >> 2);
                if (imaginary % 2 != part)
                    continue;
                add_product(rest, imaginary / 2 ? 1 : -1, bits & 1 ? f.im : f.re,
                            bits & 2 ? g.im : g.re, bits & 4 ? x.im : x.re);
            }
        }
}

/* The largest magnitude in row i of |F| |G|. */
static double row_size(const ProductSolve *s, int64_t i)
{
    double largest = 0;
    for (int64_t j = 0; j < s->g->columns; j++) {
        double sum = 0;
        for (int64_t k = 0; k < s->f->columns; k++)
            sum += scalar_size(*matrix_at(s->f, i, k)) * scalar_size(*matrix_at(s->g, k, j));
        largest = fmax(largest, sum);
    }
    return largest;
}

/* What is expected differs from what was computed by the residual in units of the row. */
static void test_solution(DType dtype, Arena *arena)
{
    int64_t n = 1 + (int64_t)(random_next(&state) % ORDER_MAX);
    arena_reset(arena);
    Matrix a = draw_matrix(dtype, n, n, arena), b = draw_matrix(dtype, n, COLUMNS, arena);
    Matrix x = draw_matrix(dtype, n, COLUMNS, arena);
    Matrix f = lapack_factor(&a, true, true, arena), g = lapack_factor(&a, false, false, arena);
    const ProductSolve solve = {.f = &f, .g = &g, .b = &b, .computed = &x};
    Tensor view = tensor_matrix(dtype, n, COLUMNS, COLUMNS, 1, NULL);
    Ref ref = {0};
    mpfr_t rest;
    mpfr_init2(rest, PRECISION);
    ref_allocate_bounded(&ref, dtype, &view, arena);
    lapack_put_solution(&ref, &solve, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < COLUMNS; j++)
            for (int part = 0; part < dtype_components(dtype); part++) {
                size_t at = matrix_element(&ref, i, j) + (size_t)part;
                Scalar got = *matrix_at(&x, i, j);
                exact_rest(rest, &solve, i, j, part);
                mpfr_div_d(rest, rest, row_size(&solve, i), MPFR_RNDN);
                mpfr_add_d(rest, rest, part ? got.im : got.re, MPFR_RNDN);
                mpfr_sub_d(rest, rest, ref.high[at], MPFR_RNDN);
                mpfr_sub_d(rest, rest, ref.low[at], MPFR_RNDN);
                mpfr_abs(rest, rest, MPFR_RNDN);
                CHECK(mpfr_cmp_d(rest, ref.error[at]) <= 0);
                /* Far below the bound, or below the distance that it is compared with. */
                double bound = ref.magnitude[at] * dtype_format(dtype)->unit;
                double off = fabs(ref.high[at] - (part ? got.im : got.re));
                CHECK(ref.error[at] < 0x1p-4 * bound + 0x1p-49 * off);
            }
    mpfr_clear(rest);
}

/* Column j of the inverse of a lower triangle by substitution in 2000 bits: parts of its elements.
 */
typedef struct ExactColumn {
    mpfr_t part[ORDER_MAX][2];
} ExactColumn;

static void invert_exactly(const Matrix *l, int64_t j, ExactColumn *column)
{
    mpfr_t norm, product[2];
    mpfr_inits2(PRECISION, norm, product[0], product[1], (mpfr_ptr)NULL);
    for (int64_t i = 0; i < l->rows; i++) {
        mpfr_t *to = column->part[i];
        mpfr_set_d(to[0], i == j, MPFR_RNDN);
        mpfr_set_zero(to[1], 1);
        for (int64_t k = 0; k < i; k++) {
            Scalar x = *matrix_at(l, i, k);
            for (int part = 0; part < 2; part++) {
                mpfr_mul_d(product[0], column->part[k][part], x.re, MPFR_RNDN);
                mpfr_mul_d(product[1], column->part[k][1 - part], part ? x.im : -x.im, MPFR_RNDN);
                mpfr_sub(to[part], to[part], product[0], MPFR_RNDN);
                mpfr_sub(to[part], to[part], product[1], MPFR_RNDN);
            }
        }
        Scalar d = *matrix_at(l, i, i);
        mpfr_set_d(norm, d.re, MPFR_RNDN);
        mpfr_mul_d(norm, norm, d.re, MPFR_RNDN);
        mpfr_set_d(product[0], d.im, MPFR_RNDN);
        mpfr_mul_d(product[0], product[0], d.im, MPFR_RNDN);
        mpfr_add(norm, norm, product[0], MPFR_RNDN);
        for (int part = 0; part < 2; part++)
            mpfr_mul_d(product[part], to[part], d.re, MPFR_RNDN);
        mpfr_mul_d(to[0], to[0], d.im, MPFR_RNDN);
        mpfr_mul_d(to[1], to[1], d.im, MPFR_RNDN);
        mpfr_add(product[0], product[0], to[1], MPFR_RNDN);
        mpfr_sub(product[1], product[1], to[0], MPFR_RNDN);
        for (int part = 0; part < 2; part++)
            mpfr_div(to[part], product[part], norm, MPFR_RNDN);
    }
    mpfr_clears(norm, product[0], product[1], (mpfr_ptr)NULL);
}

/* What is known of inverses of triangles is within its error of the exact ones, which is far below
 * the bound. */
static void test_inverse(DType dtype, Arena *arena)
{
    int64_t n = 1 + (int64_t)(random_next(&state) % ORDER_MAX);
    arena_reset(arena);
    Matrix a = draw_matrix(dtype, n, n, arena), l = lapack_factor(&a, true, false, arena);
    TriangleInverse inverse = triangle_inverse(&l, dtype, arena);
    ExactColumn exact;
    mpfr_t off;
    mpfr_init2(off, PRECISION);
    for (int64_t i = 0; i < n; i++)
        mpfr_inits2(PRECISION, exact.part[i][0], exact.part[i][1], (mpfr_ptr)NULL);
    for (int64_t j = 0; j < n && inverse.known; j++) {
        invert_exactly(&l, j, &exact);
        for (int64_t i = j; i < n; i++)
            for (int part = 0; part < 2; part++) {
                int64_t at = i * n + j;
                Wide value = part ? inverse.values[at].im : inverse.values[at].re;
                mpfr_sub_d(off, exact.part[i][part], value.high, MPFR_RNDN);
                mpfr_sub_d(off, off, value.low, MPFR_RNDN);
                mpfr_abs(off, off, MPFR_RNDN);
                CHECK(mpfr_cmp_d(off, inverse.errors[at]) <= 0);
                CHECK(inverse.errors[at] < 0x1p-20 * inverse.bounds[at]);
            }
    }
    for (int64_t i = 0; i < n; i++)
        mpfr_clears(exact.part[i][0], exact.part[i][1], (mpfr_ptr)NULL);
    mpfr_clear(off);
}

/* Exchanges backwards take back those in their order, and stay within the matrix. */
static void test_exchange(Arena *arena)
{
    const int64_t pivots[] = {2, 2, 3, 3};
    arena_reset(arena);
    Matrix a = draw_matrix(DT_F64, 4, 1, arena), b = matrix_zeros(4, 1, arena);
    for (int64_t i = 0; i < 4; i++)
        b.values[i] = a.values[i];
    lapack_exchange(&b, pivots, false);
    CHECK(b.values[0].re == a.values[2].re);
    lapack_exchange(&b, pivots, true);
    for (int64_t i = 0; i < 4; i++)
        CHECK(b.values[i].re == a.values[i].re);
}

typedef mpfr_t Exact[2];

/* to += sign x y, with the conjugate of x where that is asked for. */
static void add_exactly(Exact to, double sign, Scalar x, bool conjugate, const Exact y)
{
    double im = conjugate ? -x.im : x.im;
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    for (int part = 0; part < 2; part++) {
        mpfr_mul_d(product, y[part], sign * x.re, MPFR_RNDN);
        mpfr_add(to[part], to[part], product, MPFR_RNDN);
        mpfr_mul_d(product, y[1 - part], (part ? sign : -sign) * im, MPFR_RNDN);
        mpfr_add(to[part], to[part], product, MPFR_RNDN);
    }
    mpfr_clear(product);
}

/* x becomes x - tau v v^H x: v stands in column k - 1 from row k to `end`, and begins with 1. */
static void reflect_exactly(Exact *x, const Matrix *v, Scalar tau, int64_t k, int64_t end)
{
    Exact sums[2];
    for (int i = 0; i < 2; i++)
        for (int part = 0; part < 2; part++) {
            mpfr_init2(sums[i][part], PRECISION);
            mpfr_set_zero(sums[i][part], 1);
        }
    for (int64_t i = k; i < end; i++)
        add_exactly(sums[0], 1, i == k ? (Scalar){1, 0} : *matrix_at(v, i, k - 1), true, x[i]);
    add_exactly(sums[1], 1, tau, false, sums[0]);
    for (int64_t i = k; i < end; i++)
        add_exactly(x[i], -1, i == k ? (Scalar){1, 0} : *matrix_at(v, i, k - 1), false, sums[1]);
    for (int i = 0; i < 2; i++)
        mpfr_clears(sums[i][0], sums[i][1], (mpfr_ptr)NULL);
}

/* Whether a part of an element of the reference is within its error of the exact one. */
static void check_part(const Ref *ref, size_t at, const mpfr_t exact)
{
    mpfr_t off;
    mpfr_init2(off, PRECISION);
    mpfr_sub_d(off, exact, ref->high[at], MPFR_RNDN);
    mpfr_sub_d(off, off, ref->low[at], MPFR_RNDN);
    mpfr_abs(off, off, MPFR_RNDN);
    CHECK(mpfr_cmp_d(off, ref->error[at]) <= 0);
    mpfr_clear(off);
}

/* x becomes Q x for reflections of rows ilo to ihi; of a row of Q^H's product its conjugate. */
static void reflect_all(Exact *x, const Matrix *v, const Matrix *tau, int64_t ilo, int64_t ihi)
{
    for (int64_t k = ihi - 1; k >= ilo; k--)
        reflect_exactly(x, v, *matrix_at(tau, k - 1, 0), k, ihi);
}

/* Q of orghr and its product with C: element by element. */
static void test_hessenberg(DType dtype, bool multiplies, Workspace *workspace)
{
    enum { N = 6, ILO = 2, IHI = 5 };
    char line[256];
    Case c;
    Operands o;
    Text error = {0};
    Ref refs[OP_TENSORS_MAX] = {0};
    Exact x[N];
    unsigned seed = (unsigned)(random_next(&state) & 0xffff);
    (void)snprintf(
        line, sizeof line,
        multiplies ? "ormhr/1 dtype=%s m=6 n=6 ilo=2 ihi=5 | a=normal:%x tau=normal:%x c=normal:7"
                   : "orghr/1 dtype=%s n=6 ilo=2 ihi=5 | a=normal:%x tau=normal:%x",
        dtype_names[dtype], seed, seed + 1);
    CHECK(case_parse(&c, line, &error));
    text_release(&error);
    operands_build(&o, workspace, &c);
    operands_reference(&o, refs, &workspace->arena);
    Matrix v = matrix_read(&o.view[0], &workspace->arena),
           tau = matrix_read(&o.view[1], &workspace->arena);
    Matrix start = multiplies ? matrix_read(&o.view[2], &workspace->arena)
                              : matrix_identity(N, &workspace->arena);
    const Ref *ref = &refs[multiplies ? 2 : 0];
    for (int64_t i = 0; i < N; i++)
        mpfr_inits2(PRECISION, x[i][0], x[i][1], (mpfr_ptr)NULL);
    for (int64_t j = 0; j < N; j++) {
        for (int64_t i = 0; i < N; i++) {
            mpfr_set_d(x[i][0], matrix_at(&start, i, j)->re, MPFR_RNDN);
            mpfr_set_d(x[i][1], matrix_at(&start, i, j)->im, MPFR_RNDN);
        }
        reflect_all(x, &v, &tau, ILO, IHI);
        for (int64_t i = 0; i < N; i++)
            for (int part = 0; part < dtype_components(dtype); part++)
                check_part(ref, matrix_element(ref, i, j) + (size_t)part, x[i][part]);
    }
    for (int64_t i = 0; i < N; i++)
        mpfr_clears(x[i][0], x[i][1], (mpfr_ptr)NULL);
}

/* The elements of gehrd are off by those of A - Q H Q^H over the norm of A, whatever was computed.
 */
static void test_reduction(DType dtype, Workspace *workspace)
{
    enum { N = 6, ILO = 2, IHI = 5 };
    char line[256];
    Case c;
    Operands o;
    Text error = {0};
    Ref refs[OP_TENSORS_MAX] = {0};
    Exact x[N][N], turned[N];
    (void)snprintf(line, sizeof line, "gehrd/1 dtype=%s n=6 ilo=2 ihi=5 | a=normal:%x",
                   dtype_names[dtype], (unsigned)(random_next(&state) & 0xffff));
    CHECK(case_parse(&c, line, &error));
    text_release(&error);
    operands_build(&o, workspace, &c);
    Matrix before = matrix_read(&o.view[0], &workspace->arena);
    Matrix v = draw_matrix(dtype, N, N, &workspace->arena),
           tau = draw_matrix(dtype, N - 1, 1, &workspace->arena);
    matrix_write(&v, &o.view[0]);
    matrix_write(&tau, &o.view[1]);
    operands_reference(&o, refs, &workspace->arena);
    for (int64_t j = 0; j < N; j++) {
        for (int64_t i = 0; i < N; i++) {
            bool is_vector = j >= ILO - 1 && i < IHI && i > j + 1;
            Scalar h = is_vector ? (Scalar){0, 0} : *matrix_at(&v, i, j);
            mpfr_inits2(PRECISION, x[j][i][0], x[j][i][1], (mpfr_ptr)NULL);
            mpfr_set_d(x[j][i][0], h.re, MPFR_RNDN);
            mpfr_set_d(x[j][i][1], h.im, MPFR_RNDN);
        }
        reflect_all(x[j], &v, &tau, ILO, IHI);
    }
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < N; j++) {
            mpfr_inits2(PRECISION, turned[j][0], turned[j][1], (mpfr_ptr)NULL);
            mpfr_set(turned[j][0], x[j][i][0], MPFR_RNDN);
            mpfr_neg(turned[j][1], x[j][i][1], MPFR_RNDN);
        }
        reflect_all(turned, &v, &tau, ILO, IHI);
        for (int64_t j = 0; j < N; j++)
            for (int part = 0; part < dtype_components(dtype); part++) {
                Scalar a = *matrix_at(&before, i, j), got = *matrix_at(&v, i, j);
                mpfr_t *to = &turned[j][part];
                if (part == 0)
                    mpfr_neg(*to, *to, MPFR_RNDN);
                mpfr_add_d(*to, *to, part ? a.im : a.re, MPFR_RNDN);
                mpfr_div_d(*to, *to, matrix_norm(&before), MPFR_RNDN);
                mpfr_add_d(*to, *to, part ? got.im : got.re, MPFR_RNDN);
                check_part(&refs[0], matrix_element(&refs[0], i, j) + (size_t)part, *to);
                CHECK(refs[0].error[matrix_element(&refs[0], i, j)] < 0x1p-20);
            }
        for (int64_t j = 0; j < N; j++)
            mpfr_clears(turned[j][0], turned[j][1], (mpfr_ptr)NULL);
    }
    for (int64_t i = 0; i < N * N; i++)
        mpfr_clears(x[i / N][i % N][0], x[i / N][i % N][1], (mpfr_ptr)NULL);
}

/* Values by rotations of columns are those of the doubled matrix by rotations on both sides, and
 * the vectors belong to them, of matrices with rows that are alike or of very different size. */
static void test_singular(DType dtype, Arena *arena)
{
    int64_t m = (int64_t)(random_next(&state) % 7), n = (int64_t)(random_next(&state) % 7);
    int kind = (int)(random_next(&state) % 3);
    arena_reset(arena);
    Matrix a = draw_matrix(dtype, m, n, arena), whole = matrix_zeros(m + n, m + n, arena);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(&a, kind == 1 && i == m - 1 ? 0 : i, j);
            if (kind == 2)
                x = (Scalar){ldexp(x.re, (int)(-9 * i)), ldexp(x.im, (int)(-9 * i))};
            *matrix_at(&a, i, j) = x;
            *matrix_at(&whole, m + j, i) = scalar_conjugate(x);
        }
    Spectrum by_columns = singular_spectrum(&a, arena), exact = spectrum_of(&whole, arena);
    CHECK(by_columns.known && fabs(by_columns.norm - exact.norm) <= 0x1p-40 * exact.norm);
    CHECK(by_columns.error <= 0x1p-40 * exact.norm + 0x1p-1074);
    for (int64_t i = 0; i < m + n; i++) {
        long double off = (long double)by_columns.values[i] + by_columns.lows[i];
        off -= (long double)exact.values[i] + exact.lows[i];
        CHECK(fabsl(off) <= (long double)by_columns.error + exact.error);
    }
    for (int64_t at = m > n ? m : n; at < m + n; at++)
        for (int64_t i = 0; i < m + n && by_columns.values[at] > 0x1p-48 * exact.norm; i++) {
            WideComplex rest = {{0, 0}, {0, 0}};
            for (int64_t j = 0; j < m + n; j++) {
                Scalar x =
                    j < i ? *matrix_at(&whole, i, j) : scalar_conjugate(*matrix_at(&whole, j, i));
                wide_complex_add_product(&rest, 1, x, *matrix_at(&by_columns.vectors, j, at));
            }
            wide_complex_add_product(&rest, -by_columns.values[at], (Scalar){1, 0},
                                     *matrix_at(&by_columns.vectors, i, at));
            CHECK(hypot(rest.re.high, rest.im.high) <= 0x1p-44 * exact.norm);
        }
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64, DT_C64, DT_C128};
    static Workspace workspace;
    Arena arena;
    CHECK(workspace_init(&workspace));
    CHECK(arena_init(&arena, (size_t)1 << 24));
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (long i = check_scaled(SAMPLES); i > 0; i--) {
            test_solution(dtypes[d], &arena);
            test_inverse(dtypes[d], &arena);
            test_singular(dtypes[d], &arena);
        }
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (long i = check_scaled(HESSENBERG_SAMPLES); i > 0; i--) {
            test_hessenberg(dtypes[d], i % 2, &workspace);
            test_reduction(dtypes[d], &workspace);
        }
    test_exchange(&arena);
    arena_release(&arena);
    workspace_release(&workspace);
    return check_end("t_lapack");
}
