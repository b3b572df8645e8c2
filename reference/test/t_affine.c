/* The reference against exact arithmetic (MPFR with enough bits to be exact), its companions
 * against their definitions, and its classes against the rules. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/affine.h"
#include "reference/product_kernel.h"
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

static void check_near(double value, int exponent, long double expected)
{
    long double scaled = ldexpl(value, exponent);
    CHECK(scaled >= expected && scaled <= expected * (1 + 0x1p-30L) + ldexpl(1, exponent - 1072));
}

/* Of a real element: what may overflow beside the sum, and how many roundings may underflow. */
static void check_companions(const Ref *ref, const AffineInput *in, int64_t i, int64_t j)
{
    long double alpha = fabsl(in->alpha.re), sizes = 0, largest = 0, sum[2] = {0, 0};
    int64_t depth = in->a.extent[1], at = i * in->c.extent[1] + j;
    for (int64_t l = 0; l < depth; l++) {
        double x[2], y[2];
        load(&in->a, i, l, false, x);
        load(&in->b, l, j, false, y);
        sizes += fabsl((long double)x[0] * y[0]);
        largest = fmaxl(largest, fmaxl(fabsl(x[0]), fabsl(y[0])));
        sum[0] += fabsl(x[0]);
        sum[1] += fabsl(y[0]);
    }
    check_near(ref->middle[at], ref->exponent, fmaxl(sizes, alpha * largest));
    check_near(ref->underflow[at], ref->exponent,
               1 + 2 * depth + fmaxl(sum[0], sum[1]) + (alpha >= 1 ? alpha * depth : 0));
}

static void test_against_exact(Arena *arena, Exact *e)
{
    static const int spreads[] = {0, 4, 30, 300, 505};
    uint64_t state = 11;
    static Problem p;
    for (long round = 0; round < check_scaled(400); round++) {
        DType dtype = (DType)(round % 4);
        bool narrow = dtype_format(dtype)->precision == 24;
        make_problem(&p, dtype, &state, spreads[round / 4 % (narrow ? 3 : 5)]);
        Ref ref;
        arena_reset(arena);
        affine_reference(&ref, &p.in, arena);
        for (size_t i = 0; i < ref.rows; i++)
            for (size_t j = 0; j < ref.columns; j++) {
                exact_element(e, &p.in, (int64_t)i, (int64_t)j);
                if (dtype_components(dtype) == 1)
                    check_companions(&ref, &p.in, (int64_t)i, (int64_t)j);
                for (int part = 0; part < dtype_components(dtype); part++)
                    check_element(e, &ref,
                                  (i * ref.columns + j) * (size_t)dtype_components(dtype) +
                                      (size_t)part,
                                  part);
            }
    }
}

/* One product of two factors, and an addend. */
static Ref refer_one(double a, double b, double alpha, double beta, double c, Arena *arena)
{
    Ref ref;
    double values[3] = {a, b, c};
    AffineInput in = {.alpha = {alpha, 0}, .beta = {beta, 0}};
    in.a = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[0]);
    in.b = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[1]);
    in.c = tensor_matrix(DT_F64, 1, 1, 1, 1, &values[2]);
    arena_reset(arena);
    affine_reference(&ref, &in, arena);
    return ref;
}

static unsigned class_of(double a, double b, double alpha, double beta, double c, Arena *arena)
{
    return refer_one(a, b, alpha, beta, c, arena).classes[0];
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

/* What an element may be where a product with a factor of zero may be left out beside 1. */
static unsigned skipping_of(double a, double b, double alpha, Arena *arena)
{
    return refer_one(a, b, alpha, 1, 1, arena).classes_skipping[0];
}

/* The zero may be in either factor; without one nothing is left out, but what an infinite alpha
 * multiplies. */
static void test_skipping(Arena *arena)
{
    static const double special[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(special); i++) {
        CHECK(skipping_of(special[i], 0, 1, arena) == (CLASS_NAN | CLASS_FINITE));
        CHECK(skipping_of(0, special[i], 1, arena) == (CLASS_NAN | CLASS_FINITE));
        CHECK(skipping_of(special[i], 2, 1, arena) == value_class(special[i]));
        CHECK(skipping_of(2, special[i], 1, arena) == value_class(special[i]));
    }
    CHECK(skipping_of(2, 2, INFINITY, arena) == CLASS_ANY);
    CHECK(skipping_of(2, 2, NAN, arena) == (CLASS_NAN | CLASS_FINITE));
}

/* The call that is wrong: the sums, or their squares. */
static int calls, wrong_call;

static ProductDgemm wrong_dgemm;
static bool wrong_dgemm(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            c[i * n + j] = 0;
            for (size_t l = 0; l < k; l++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
        }
    if (calls++ == wrong_call)
        c[0] += 0x1p-20;
    return true;
}

/* Squares of a library are those of the kernels but for roundings, and wrong ones are replaced. */
static void test_squares(ProductInput *in, Arena *arena)
{
    Product own, lent;
    in->want_square = true;
    product_compute(&own, in, arena);
    for (wrong_call = 0; wrong_call < 2; wrong_call++) {
        calls = 0;
        product_use_dgemm(wrong_dgemm);
        product_compute(&lent, in, arena);
        product_use_dgemm(NULL);
        for (size_t i = 0; i < in->rows * in->stride; i++)
            CHECK(fabs(own.square[i] - lent.square[i]) <= 0x1p-40 * own.square[i]);
    }
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
    uint64_t rejected = product_counts().rejected;
    wrong_call = calls = 0;
    product_use_dgemm(wrong_dgemm);
    product_compute(&lent, &in, arena);
    product_use_dgemm(NULL);
    CHECK(product_counts().rejected == rejected + 1);
    CHECK(memcmp(own.high, lent.high, sizeof left) == 0);
    CHECK(memcmp(own.magnitude, lent.magnitude, sizeof left) == 0);
    test_squares(&in, arena);
}

enum { LARGE_ROWS = 67, LARGE_DEPTH = 70, LARGE_COLUMNS = 64 };

/* Plain numbers; far apart by rows or one by one; zeros, of which there are whole columns; so near
 * the ends that a bias would leave the range. */
static double draw_factor(uint64_t *state, int kind, size_t line)
{
    double value = random_unit(random_next(state)) - 0.5;
    int spread = (int)(random_next(state) % 200) - 100;
    if (kind == 1)
        return ldexp(value, (int)(line % 90) * (line % 2 ? 5 : -5));
    if (kind == 2)
        return ldexp(value, spread);
    if (kind == 3)
        return line % 3 == 0 || random_next(state) % 2 ? 0 : value;
    return kind == 4 ? ldexp(value, line % 2 ? 478 : -478) : value;
}

static void check_large(const ProductInput *in, const Product *p, Exact *e)
{
    for (size_t i = 0; i < in->rows; i++)
        for (size_t j = 0; j < in->stride; j++) {
            size_t at = i * in->stride + j;
            uint32_t terms = 0;
            mpfr_set_zero(e->re, 1);
            for (size_t l = 0; l < in->depth; l++) {
                double x = in->left[i * in->depth + l], y = in->right[l * in->stride + j];
                mpfr_set_d(e->product, x, MPFR_RNDN);
                mpfr_mul_d(e->product, e->product, y, MPFR_RNDN);
                mpfr_add(e->re, e->re, e->product, MPFR_RNDN);
                terms += x != 0 && y != 0;
            }
            mpfr_sub_d(e->re, e->re, p->high[at], MPFR_RNDN);
            mpfr_sub_d(e->re, e->re, p->low[at], MPFR_RNDN);
            CHECK(fabs(mpfr_get_d(e->re, MPFR_RNDA)) <= p->error_factor * p->magnitude[at]);
            CHECK(p->terms[at] == terms);
        }
}

/* Sums beside a bias keep their error, and where they would not Dot2 takes their place. */
static void test_large_products(Arena *arena, Exact *e)
{
    static double left[LARGE_ROWS * LARGE_DEPTH], right[LARGE_DEPTH * LARGE_COLUMNS];
    ProductInput in = {LARGE_ROWS, LARGE_DEPTH,  LARGE_COLUMNS,     left,
                       right,      PRODUCT_WIDE, .want_terms = true};
    size_t bytes = sizeof(double) * LARGE_ROWS * LARGE_COLUMNS;
    for (int kind = 0; kind < 5; kind++) {
        Product product[3];
        uint64_t state = (uint64_t)kind;
        for (size_t i = 0; i < COUNT_OF(left); i++)
            left[i] = draw_factor(&state, kind, i / LARGE_DEPTH);
        for (size_t i = 0; i < COUNT_OF(right); i++)
            right[i] = draw_factor(&state, kind, i % LARGE_COLUMNS);
        arena_reset(arena);
        for (int level = 0; level < 3; level++) {
            product_force_isa(level);
            product_compute(&product[level], &in, arena);
            CHECK(memcmp(product[0].high, product[level].high, bytes) == 0);
            CHECK(memcmp(product[0].low, product[level].low, bytes) == 0);
            CHECK(memcmp(product[0].magnitude, product[level].magnitude, bytes) == 0);
        }
        check_large(&in, &product[2], e);
    }
}

enum { NARROW_DEPTH = 333, NARROW_KINDS = 7 };

/* Plain numbers; far apart by rows or one by one, to the ends of binary32; zeros, of which there
 * are whole rows; subnormal numbers; one large number in each column beside small ones; terms that
 * are lost beside the first of each block. */
static float draw_narrow(uint64_t *state, int kind, size_t line, size_t l)
{
    double value = random_unit(random_next(state)) - 0.5;
    int spread = (int)(random_next(state) % 250) - 140;
    if (kind == 1)
        return (float)ldexp(value, (int)(line % 60) * (line % 2 ? 2 : -2));
    if (kind == 2)
        return (float)ldexp(value, spread);
    if (kind == 3)
        return line % 3 == 0 || random_next(state) % 2 ? 0 : (float)value;
    if (kind == 4)
        return (float)ldexp(value, -140);
    if (kind == 5)
        return (float)ldexp(value, l == line % NARROW_DEPTH ? 80 + (int)(line % 3) * 10 : -100);
    if (kind == 6)
        return line >= LARGE_ROWS || l % NARROW_BLOCK == 0 ? 1 : 0x1.fep-26F;
    return (float)value;
}

/* Magnitudes, in binary64 and 64 bits that round by less than 2^-50. */
static void check_narrow(const ProductInput *in, const Product *p)
{
    for (size_t i = 0; i < in->rows; i++)
        for (size_t j = 0; j < in->stride; j++) {
            long double sum = 0;
            for (size_t l = 0; l < in->depth; l++)
                sum += fabsl((long double)in->left[i * in->depth + l] *
                             (long double)in->right[l * in->stride + j]);
            double magnitude = p->magnitude[i * in->stride + j];
            CHECK(magnitude >= sum && magnitude <= sum * (1 + 0x1p-16L));
        }
}

/* Sums of magnitudes in binary32 are no less than exact ones and hardly more, and the same by every
 * instruction set. */
static void test_narrow_magnitudes(Arena *arena)
{
    static double left[LARGE_ROWS * NARROW_DEPTH], right[NARROW_DEPTH * LARGE_COLUMNS];
    ProductInput in = {LARGE_ROWS, NARROW_DEPTH,   LARGE_COLUMNS,     left,
                       right,      PRODUCT_DOUBLE, .want_terms = true};
    wrong_call = -1;
    product_use_dgemm(wrong_dgemm);
    for (int kind = 0; kind < NARROW_KINDS; kind++) {
        Product product[3];
        uint64_t state = (uint64_t)kind;
        ProductCounts before = product_counts();
        for (size_t i = 0; i < COUNT_OF(left); i++)
            left[i] = draw_narrow(&state, kind, i / NARROW_DEPTH, i % NARROW_DEPTH);
        for (size_t i = 0; i < COUNT_OF(right); i++)
            right[i] = draw_narrow(&state, kind, LARGE_ROWS + i % LARGE_COLUMNS, i / LARGE_COLUMNS);
        arena_reset(arena);
        for (int level = 0; level < 3; level++) {
            product_force_isa(level);
            product_compute(&product[level], &in, arena);
            CHECK(memcmp(product[0].magnitude, product[level].magnitude,
                         sizeof(double) * LARGE_ROWS * LARGE_COLUMNS) == 0);
        }
        CHECK(product_counts().by_library == before.by_library + 3);
        CHECK(product_counts().rejected == before.rejected);
        check_narrow(&in, &product[2]);
    }
    product_use_dgemm(NULL);
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
    test_skipping(&arena);
    test_library_is_checked(&arena);
    test_large_products(&arena, &e);
    test_narrow_magnitudes(&arena);
    mpfr_clears(e.re, e.im, e.product, e.factor, (mpfr_ptr)0);
    return check_end("reference/t_affine");
}
