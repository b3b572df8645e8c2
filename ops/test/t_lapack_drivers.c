/* Triangles of blocks of reflections and norms of inverses, against arithmetic of 300 bits, and
 * pencils whose values are known. */
#include <math.h>
#include <mpfr.h>

#include "ops/lapack/condition.h"
#include "ops/lapack/householder.h"
#include "ops/lapack/pencil.h"
#include "ops/lapack/tridiagonal.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 300, ROWS = 6, STEPS = 5, SAMPLES = 400 };

static uint64_t state = 29;

static double draw(void)
{
    return 2 * random_unit(random_next(&state)) - 1;
}

static void make(mpfr_t *x, int count)
{
    for (int i = 0; i < count; i++) {
        mpfr_init2(x[i], PRECISION);
        mpfr_set_zero(x[i], 1);
    }
}

static void drop(mpfr_t *x, int count)
{
    for (int i = 0; i < count; i++)
        mpfr_clear(x[i]);
}

/* to += x y. */
static void add_product(mpfr_t to, double x, const mpfr_t y)
{
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    mpfr_mul_d(product, y, x, MPFR_RNDN);
    mpfr_add(to, to, product, MPFR_RNDN);
    mpfr_clear(product);
}

static double vector_at(const Householder *f, int64_t i, int64_t k)
{
    return i < k ? 0 : i == k ? 1 : matrix_at(&f->after, i, k)->re;
}

/* x becomes x - V W V^T x of reflections `first` to end - 1; W is tau of one, or T. */
static void apply(const Householder *f, mpfr_t *x, const Matrix *t, int64_t first, int64_t end)
{
    mpfr_t inner[STEPS], sum;
    make(inner, STEPS);
    mpfr_init2(sum, PRECISION);
    for (int64_t j = first; j < end; j++)
        for (int64_t i = 0; i < ROWS; i++)
            add_product(inner[j], vector_at(f, i, j), x[i]);
    for (int64_t j = first; j < end; j++) {
        mpfr_set_zero(sum, 1);
        for (int64_t l = j; l < end; l++)
            add_product(sum, t ? matrix_at(t, j - first, l)->re : f->tau[j].re, inner[l]);
        for (int64_t i = 0; i < ROWS; i++)
            add_product(x[i], -vector_at(f, i, j), sum);
    }
    mpfr_clear(sum);
    drop(inner, STEPS);
}

/* Blocks are the products of their reflections. */
static void test_blocks(Arena *arena)
{
    arena_reset(arena);
    Householder f = {.dtype = DT_F64, .steps = STEPS};
    f.after = matrix_zeros(ROWS, STEPS, arena);
    f.tau = arena_take_zeroed(arena, STEPS, sizeof *f.tau);
    for (int i = 0; i < ROWS * STEPS; i++)
        f.after.values[i].re = draw();
    for (int k = 0; k < STEPS; k++)
        f.tau[k].re = draw();
    int64_t nb = 1 + (int64_t)(random_next(&state) % STEPS);
    double *sizes = arena_take_zeroed(arena, (size_t)(nb * STEPS), sizeof *sizes), most = 1;
    Matrix t;
    householder_blocks(&f, nb, &t, sizes, arena);
    for (int64_t i = 0; i < nb * STEPS; i++) {
        CHECK(fabs(t.values[i].re) <= sizes[i] * (1 + 0x1p-40));
        most += sizes[i];
    }
    mpfr_t x[ROWS], y[ROWS];
    make(x, ROWS);
    make(y, ROWS);
    for (int i = 0; i < ROWS; i++) {
        mpfr_set_d(x[i], draw(), MPFR_RNDN);
        mpfr_set(y[i], x[i], MPFR_RNDN);
    }
    for (int64_t k = STEPS - 1; k >= 0; k--)
        apply(&f, x, NULL, k, k + 1);
    for (int64_t first = (STEPS - 1) / nb * nb; first >= 0; first -= nb)
        apply(&f, y, &t, first, first + nb < STEPS ? first + nb : STEPS);
    for (int i = 0; i < ROWS; i++) {
        mpfr_sub(x[i], x[i], y[i], MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(x[i], MPFR_RNDN)) <= 0x1p-50 * pow(most * ROWS * STEPS, STEPS));
    }
    drop(x, ROWS);
    drop(y, ROWS);
}

/* |A^-1| by columns of a definite tridiagonal matrix: L D L^T x = e_j. */
static double inverse_norm(const Matrix *d, const Matrix *e)
{
    double largest = 0;
    for (int64_t j = 0; j < ROWS; j++) {
        mpfr_t x[ROWS], sum;
        make(x, ROWS);
        mpfr_init2(sum, PRECISION);
        mpfr_set_zero(sum, 1);
        mpfr_set_d(x[j], 1, MPFR_RNDN);
        for (int64_t i = 1; i < ROWS; i++)
            add_product(x[i], -e->values[i - 1].re, x[i - 1]);
        for (int64_t i = 0; i < ROWS; i++)
            mpfr_div_d(x[i], x[i], d->values[i].re, MPFR_RNDN);
        for (int64_t i = ROWS - 2; i >= 0; i--)
            add_product(x[i], -e->values[i].re, x[i + 1]);
        for (int64_t i = 0; i < ROWS; i++) {
            mpfr_abs(x[i], x[i], MPFR_RNDN);
            mpfr_add(sum, sum, x[i], MPFR_RNDN);
        }
        largest = fmax(largest, mpfr_get_d(sum, MPFR_RNDN));
        mpfr_clear(sum);
        drop(x, ROWS);
    }
    return largest;
}

/* The norm of the inverse of L D L^T is known from either side. */
static void test_exact_condition(Arena *arena)
{
    arena_reset(arena);
    Matrix d = matrix_zeros(ROWS, 1, arena), e = matrix_zeros(ROWS - 1, 1, arena), f, g;
    for (int i = 0; i < ROWS; i++)
        d.values[i].re = 1.5 + draw();
    for (int i = 0; i + 1 < ROWS; i++)
        e.values[i].re = 0.5 * draw();
    tridiagonal_definite_factors(&d, &e, false, &f, &g, arena);
    Ref ref = {0};
    const Condition condition = {.dtype = DT_F64, .f = &f, .g = &g, .norm = 1, .exact = true};
    condition_put(&ref, &condition, arena);
    Matrix rcond = matrix_zeros(1, 1, arena);
    rcond.values[0].re = 1 / inverse_norm(&d, &e);
    CHECK(matrix_ratio(&rcond, &ref) <= 1);
    rcond.values[0].re *= 1 + 0x1p-30;
    CHECK(matrix_ratio(&rcond, &ref) > 1);
    rcond.values[0].re *= 1 - 0x1p-29;
    CHECK(matrix_ratio(&rcond, &ref) > 1);
}

/* Of triangles the values are the quotients of the diagonals, and no others. */
static void test_pencil(Arena *arena)
{
    arena_reset(arena);
    Matrix a = matrix_zeros(ROWS, ROWS, arena), b = matrix_zeros(ROWS, ROWS, arena);
    PencilValue values[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = i; j < ROWS; j++) {
            matrix_at(&a, i, j)->re = draw();
            matrix_at(&b, i, j)->re = i == j ? 1 + draw() / 2 : draw();
        }
    Pencil p = pencil_problem(&a, &b, DT_F64, arena);
    CHECK(p.known);
    for (int64_t i = 0; i < ROWS; i++) {
        values[i] = (PencilValue){*matrix_at(&a, i, i), *matrix_at(&b, i, i)};
        CHECK(pencil_value_ratio(&p, values[i], arena) <= 0x1p-4);
    }
    double off, bound;
    if (pencil_judge_product(&p, values, &off, &bound, arena)) {
        CHECK(fabs(off) <= bound / 16);
        values[0] = values[1];
        CHECK(pencil_judge_product(&p, values, &off, &bound, arena));
    }
    const PencilValue far = {{40, 0}, {1, 0}};
    CHECK(pencil_value_ratio(&p, far, arena) > 1);
    PencilEigen found = pencil_eigen(&p, arena);
    for (int64_t i = 0; i < ROWS; i++)
        CHECK(pencil_value_ratio(&p, found.values[i], arena) <= 1);
}

int main(void)
{
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 24));
    for (long i = check_scaled(SAMPLES); i > 0; i--) {
        test_blocks(&arena);
        test_exact_condition(&arena);
        test_pencil(&arena);
    }
    arena_release(&arena);
    return check_end("t_lapack_drivers");
}
