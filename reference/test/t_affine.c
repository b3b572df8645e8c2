/* The reference against exact arithmetic (MPFR with enough bits to be exact), its companions
 * against their definitions, and its classes against the rules. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/affine.h"
#include "reference/product.h"
#include "reference/random.h"
#include "reference/selftest.h"
#include "tests/check.h"

enum { BITS = 6000, SIDE = 9 };

static double draw(uint64_t *state, int spread)
{
    double value = random_unit(random_next(state)) - 0.5;
    return ldexp(value, (int)(random_next(state) % (uint64_t)(2 * spread + 1)) - spread);
}

typedef struct Problem {
    double data[3][2 * SIDE * SIDE];
    float narrow[3][2 * SIDE * SIDE];
    AffineInput in;
} Problem;

static Tensor view(Problem *p, int i, DType dtype, int64_t rows, int64_t columns)
{
    bool is_narrow = dtype_format(dtype)->precision == 24;
    return tensor_matrix(dtype, rows, columns, columns, 1,
                         is_narrow ? (void *)p->narrow[i] : (void *)p->data[i]);
}

static void make_problem(Problem *p, DType dtype, uint64_t *state, int spread)
{
    int64_t m = (int64_t)(random_next(state) % SIDE) + 1,
            n = (int64_t)(random_next(state) % SIDE) + 1;
    int64_t k = (int64_t)(random_next(state) % SIDE) + 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2 * SIDE * SIDE; j++) {
            p->data[i][j] = draw(state, spread);
            p->narrow[i][j] = (float)p->data[i][j];
        }
    p->in = (AffineInput){
        .a = view(p, 0, dtype, m, k),
        .b = view(p, 1, dtype, k, n),
        .c = view(p, 2, dtype, m, n),
        .conjugate_a = random_next(state) & 1,
        .conjugate_b = random_next(state) & 1,
        .alpha = {dtype_round(dtype, draw(state, 4)), 0},
        .beta = {dtype_round(dtype, draw(state, 4)), 0},
    };
    if (dtype_components(dtype) == 2) {
        p->in.alpha.im = dtype_round(dtype, draw(state, 4));
        p->in.beta.im = dtype_round(dtype, draw(state, 4));
    }
}

static void load(const Tensor *t, int64_t i, int64_t j, bool conjugate, double out[2])
{
    int components = dtype_components(t->dtype);
    int64_t at = (i * t->stride[0] + j * t->stride[1]) * components;
    out[0] = dtype_load(t->dtype, t->origin, at);
    out[1] = components == 2 ? dtype_load(t->dtype, t->origin, at + 1) : 0;
    if (conjugate)
        out[1] = -out[1];
}

typedef struct Exact {
    mpfr_t re, im, product, factor;
} Exact;

/* sum += x * y * z exactly, into the real or imaginary part of the result. */
static void add_product(Exact *e, int imaginary, double sign, double x, double y, double z)
{
    mpfr_set_d(e->product, x * sign, MPFR_RNDN);
    mpfr_mul_d(e->product, e->product, y, MPFR_RNDN);
    mpfr_mul_d(e->product, e->product, z, MPFR_RNDN);
    mpfr_add(imaginary ? e->im : e->re, imaginary ? e->im : e->re, e->product, MPFR_RNDN);
}

static void exact_element(Exact *e, const AffineInput *in, int64_t i, int64_t j)
{
    double alpha[2] = {in->alpha.re, in->alpha.im}, beta[2] = {in->beta.re, in->beta.im}, c[2];
    mpfr_set_zero(e->re, 1);
    mpfr_set_zero(e->im, 1);
    for (int64_t l = 0; l < in->a.extent[1]; l++) {
        double a[2], b[2];
        load(&in->a, i, l, in->conjugate_a, a);
        load(&in->b, l, j, in->conjugate_b, b);
        for (int mask = 0; mask < 8; mask++) {
            int parts = (mask & 1) + (mask >> 1 & 1) + (mask >> 2);
            add_product(e, parts & 1, parts & 2 ? -1 : 1, alpha[mask & 1], a[mask >> 1 & 1],
                        b[mask >> 2]);
        }
    }
    load(&in->c, i, j, false, c);
    for (int mask = 0; mask < 4; mask++) {
        int parts = (mask & 1) + (mask >> 1);
        add_product(e, parts & 1, parts & 2 ? -1 : 1, beta[mask & 1], c[mask >> 1], 1);
    }
}

/* |exact - (high + low) 2^exponent| <= error 2^exponent, and the error is small beside what any
 * kernel may lose. */
static void check_element(Exact *e, const Ref *ref, size_t element, int imaginary)
{
    mpfr_t *sum = imaginary ? &e->im : &e->re;
    mpfr_set_d(e->factor, ref->high[element], MPFR_RNDN);
    mpfr_add_d(e->factor, e->factor, ref->low[element], MPFR_RNDN);
    mpfr_mul_2si(e->factor, e->factor, ref->exponent, MPFR_RNDN);
    mpfr_sub(e->factor, *sum, e->factor, MPFR_RNDN);
    mpfr_mul_2si(e->factor, e->factor, -ref->exponent, MPFR_RNDN);
    mpfr_abs(e->factor, e->factor, MPFR_RNDN);
    CHECK(mpfr_cmp_d(e->factor, ref->error[element]) <= 0);
    double u = dtype_format(ref->dtype)->unit;
    CHECK(ref->error[element] <=
          0x1p-20 * u * (ref->magnitude[element] + ref->addend[element]) + 0x1p-1060);
}

static void test_against_exact(Arena *arena, Exact *e)
{
    static const int spreads[] = {0, 4, 30, 300};
    uint64_t state = 11;
    static Problem p;
    for (long round = 0; round < check_scaled(400); round++) {
        DType dtype = (DType)(round % 4);
        bool narrow = dtype_format(dtype)->precision == 24;
        make_problem(&p, dtype, &state, spreads[round / 4 % (narrow ? 3 : 4)]);
        Ref ref;
        arena_reset(arena);
        affine_reference(&ref, &p.in, arena);
        for (size_t i = 0; i < ref.rows; i++)
            for (size_t j = 0; j < ref.columns; j++) {
                exact_element(e, &p.in, (int64_t)i, (int64_t)j);
                for (int part = 0; part < dtype_components(dtype); part++)
                    check_element(e, &ref,
                                  (i * ref.columns + j) * (size_t)dtype_components(dtype) +
                                      (size_t)part,
                                  part);
            }
    }
}

static unsigned class_of(double a, double b, double alpha, double beta, double c, Arena *arena)
{
    Ref ref;
    double values[3] = {a, b, c};
    AffineInput in = {.alpha = {alpha, 0}, .beta = {beta, 0}};
    in.a = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[0]);
    in.b = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[1]);
    in.c = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[2]);
    arena_reset(arena);
    affine_reference(&ref, &in, arena);
    return ref.classes[0];
}

static void test_classes(Arena *arena)
{
    CHECK(class_of(1, 2, 1, 0, NAN, arena) == CLASS_FINITE);
    CHECK(class_of(NAN, 2, 0, 1, 1, arena) == CLASS_FINITE);
    CHECK(class_of(NAN, 0, 1, 0, 1, arena) == CLASS_NAN);
    CHECK(class_of(INFINITY, 0, 1, 0, 1, arena) == CLASS_NAN);
    CHECK(class_of(INFINITY, 2, 1, 0, 1, arena) == CLASS_POSITIVE_INFINITY);
    CHECK(class_of(INFINITY, -2, 1, 0, 1, arena) == CLASS_NEGATIVE_INFINITY);
    CHECK(class_of(INFINITY, 2, -1, 0, 1, arena) == CLASS_NEGATIVE_INFINITY);
    CHECK(class_of(INFINITY, 2, 1, 1, -INFINITY, arena) == CLASS_NAN);
    CHECK(class_of(1, 2, 1, NAN, 1, arena) == CLASS_NAN);
    CHECK(class_of(1, 2, 1, INFINITY, 0, arena) == CLASS_NAN);
    CHECK(class_of(1, 2, NAN, 0, 0, arena) == CLASS_NAN);
    /* A factor that would underflow when the operand is scaled still counts as non-zero. */
    CHECK(class_of(INFINITY, 0x1p-1074, 1, 0, 1, arena) == CLASS_POSITIVE_INFINITY);
}

static ProductDgemm wrong_dgemm;
static bool wrong_dgemm(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (size_t l = 0; l < k; l++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
        }
    c[0] += 0x1p-20;
    return true;
}

/* A library that computes one element wrong is caught, and its product replaced. */
static void test_library_is_checked(Arena *arena)
{
    enum { N = 80 };
    static double left[N * N], right[N * N];
    Product own, lent;
    ProductInput in = {.rows = N, .depth = N, .stride = N, .left = left, .right = right};
    for (int i = 0; i < N * N; i++) {
        left[i] = (float)(random_unit(random_at(5, (uint64_t)i)) - 0.5);
        right[i] = (float)(random_unit(random_at(6, (uint64_t)i)) - 0.5);
    }
    arena_reset(arena);
    product_compute(&own, &in, arena);
    product_use_dgemm(wrong_dgemm);
    uint64_t rejected = product_counts().rejected;
    product_compute(&lent, &in, arena);
    product_use_dgemm(NULL);
    CHECK(product_counts().rejected == rejected + 1);
    CHECK(memcmp(own.high, lent.high, sizeof left) == 0);
}

int main(void)
{
    Arena arena;
    Exact e;
    mpfr_inits2(BITS, e.re, e.im, e.product, e.factor, (mpfr_ptr)0);
    CHECK(arena_init(&arena, 1 << 28));
    CHECK(selftest_run() == NULL);
    test_against_exact(&arena, &e);
    test_classes(&arena);
    test_library_is_checked(&arena);
    mpfr_clears(e.re, e.im, e.product, e.factor, (mpfr_ptr)0);
    return check_end("reference/t_affine");
}
