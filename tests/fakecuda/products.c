/* Products whose element types are arguments.  Sums are formed as their type says, one product
 * after the other; with FAKECUDA=unit products of short factors go through a matrix unit that adds
 * 16 at once and keeps 25 bits, with coarse-unit through one that keeps 13; cut-factors cuts
 * factors off that are rounded otherwise, and three-products leaves six of the nine out that
 * factors in three parts have.  misaligned drops the last term where A is no multiple of 16 bytes,
 * and sum-transposed does not transpose the second matrix of a sum where it is square. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "epilogue.h"
#include "fakecuda.h"
#include "reference/dtype.h"
#include "tests/matrix_unit.h"

enum { STEP = 16, SLICE = 64 };
enum { HALF = 64, SINGLE = 68, DOUBLE = 70, INTEGER = 72, FAST_BF16 = 75, FAST_TF32 = 77 };
enum { SINGLE_OF_BF16 = 78, DOUBLE_OF_INTEGERS = 79, PARTS = 3 };

typedef struct Complex {
    double re, im;
} Complex;

/* cudaDataType; DT_COUNT for those that are none of ours. */
static DType type_of(int number)
{
    static const struct {
        int number;
        DType dtype;
    } types[] = {{0, DT_F32},   {1, DT_F64}, {4, DT_C64},  {5, DT_C128},  {2, DT_F16},
                 {14, DT_BF16}, {3, DT_I8},  {10, DT_I32}, {28, DT_E4M3}, {29, DT_E5M2}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].number == number)
            return types[i].dtype;
    return DT_COUNT;
}

size_t fake_size(int type)
{
    return type_of(type) == DT_COUNT ? 1 : dtype_size(type_of(type));
}

double fake_load(int type, const void *data, int64_t place)
{
    return dtype_load(type_of(type), data, place);
}

void fake_store(int type, void *data, int64_t place, double value)
{
    dtype_store(type_of(type), data, place, value);
}

/* The combinations of the table of cublasGemmEx in the documentation of cuBLAS. */
bool fake_is_supported(int a, int b, int c, int compute)
{
    enum { F32, F64, F16, I8, C64, C128, I32 = 10, BF16 = 14, E4M3 = 28, E5M2 = 29 };
    bool single = compute == SINGLE || compute == SINGLE + 1;
    bool fast = compute == FAST_BF16 || compute == FAST_TF32 || compute == FAST_BF16 - 1 ||
                compute == SINGLE_OF_BF16;
    if (a == E4M3 || a == E5M2)
        return (b == E4M3 || (b == E5M2 && a == E4M3)) && single &&
               (c == F32 || c == E4M3 || (c == E5M2 && (a == E5M2 || b == E5M2)));
    if (a != b)
        return false;
    if (compute == HALF || compute == HALF + 1)
        return a == F16 && c == F16;
    if (compute == INTEGER || compute == INTEGER + 1)
        return a == I8 && c == I32;
    if (compute == DOUBLE || compute == DOUBLE + 1 || compute == DOUBLE_OF_INTEGERS)
        return (a == F64 || a == C128) && c == a;
    if (fast || single)
        return (c == a && (a == F32 || a == C64)) ||
               (single &&
                (((a == F16 || a == BF16) && (c == a || c == F32)) || (a == I8 && c == F32)));
    return false;
}

size_t fake_factor_size(int compute, int c_type)
{
    DType c = type_of(c_type);
    if (compute == HALF || compute == HALF + 1)
        return 2;
    return c == DT_COUNT || dtype_component_size(c) < 4 ? 4 : dtype_size(c);
}

static Complex load(DType dtype, const void *base, int64_t at)
{
    int parts = dtype_components(dtype);
    return (Complex){dtype_load(dtype, base, at * parts),
                     parts == 2 ? dtype_load(dtype, base, at * parts + 1) : 0};
}

int64_t fake_place(const FakeMatrix *matrix, int64_t i, int64_t j)
{
    enum { COLUMNS, ROWS, TILES, COMPOSED = 4, TILE = 32 };
    int64_t in_tile = (((i % 8) / 2 * 4 + i % TILE / 8) * 2 + i % 2) * TILE;
    if (matrix->order == TILES)
        return j / TILE * matrix->leading + i * TILE + j % TILE;
    if (matrix->order == COMPOSED)
        return j / TILE * matrix->leading + i / TILE * TILE * TILE + in_tile + j % TILE;
    return matrix->order == ROWS ? i * matrix->leading + j : j * matrix->leading + i;
}

/* Element (i, j) of op(X). */
static Complex element(const FakeMatrix *x, int64_t i, int64_t j)
{
    bool across = x->operation != 0;
    Complex value =
        load(type_of(x->type), x->data, across ? fake_place(x, j, i) : fake_place(x, i, j));
    if (x->operation == 2)
        value.im = -value.im;
    return value;
}

static double rounded_factor(double value, int compute)
{
    if (compute == FAST_BF16)
        return dtype_round(DT_BF16, value);
    if (compute != FAST_TF32 || value == 0 || !isfinite(value))
        return value;
    double quantum = ldexp(1, ilogb(value) - 10);
    double places = value / quantum;
    places = fake_fault("cut-factors") ? trunc(places) : nearbyint(places);
    return (float)(places * quantum);
}

/* A sum in the type, on its way through a matrix unit or not. */
typedef struct Sum {
    DType type;
    int kept; /* 0: no unit */
    bool split;
    int count;
    double total, products[STEP];
} Sum;

static void sum_flush(Sum *sum)
{
    if (sum->kept && sum->count > 0)
        sum->total = matrix_unit_step((float)sum->total, sum->products, sum->count, sum->kept);
    sum->count = 0;
}

static void sum_one(Sum *sum, double a, double b)
{
    if (!sum->kept) {
        sum->total = dtype_round(sum->type, sum->total + dtype_round(sum->type, a * b));
        return;
    }
    sum->products[sum->count++] = a * b;
    if (sum->count == STEP)
        sum_flush(sum);
}

/* A product of single precision as those of three parts of each factor.  What is not finite, or too
 * small for parts, stays whole. */
static void sum_add(Sum *sum, double a, double b)
{
    int last = fake_fault("three-products") ? 1 : 2 * (PARTS - 1);
    if (!sum->split || !isfinite(a) || !isfinite(b) || (a != 0 && fabs(a) < 0x1p-100) ||
        (b != 0 && fabs(b) < 0x1p-100) || fabs(a) > 0x1p120 || fabs(b) > 0x1p120) {
        sum_one(sum, a, b);
        return;
    }
    double left[PARTS], right[PARTS];
    for (int i = 0; i < PARTS; i++) {
        left[i] = dtype_round(DT_BF16, a);
        right[i] = dtype_round(DT_BF16, b);
        a -= left[i];
        b -= right[i];
    }
    for (int i = 0; i < PARTS; i++)
        for (int j = 0; j < PARTS; j++)
            if (i + j <= last)
                sum_one(sum, left[i], right[j]);
}

static DType sum_type(int compute)
{
    if (compute == HALF || compute == HALF + 1)
        return DT_F16;
    if (compute == INTEGER || compute == INTEGER + 1)
        return DT_I32;
    return compute == DOUBLE || compute == DOUBLE + 1 || compute == DOUBLE_OF_INTEGERS ? DT_F64
                                                                                       : DT_F32;
}

static int bits_kept(const FakeMatrix *a, int compute)
{
    bool eight = type_of(a->type) == DT_E4M3 || type_of(a->type) == DT_E5M2;
    if (eight && fake_fault("unit"))
        return 13;
    bool shorter = fake_size(a->type) == 2 || compute == FAST_TF32 || compute == FAST_BF16 ||
                   compute == SINGLE_OF_BF16;
    if (!shorter || sum_type(compute) != DT_F32)
        return 0;
    return fake_fault("unit") ? 25 : fake_fault("coarse-unit") ? 13 : 0;
}

static Complex dot(const FakeProduct *p, int64_t i, int64_t j, int64_t from, int64_t end)
{
    Sum re = {.type = sum_type(p->compute), .kept = bits_kept(&p->a, p->compute)}, im = re;
    re.split = im.split = p->compute == SINGLE_OF_BF16;
    bool complex = fake_size(p->a.type) > 4 && p->a.type != 1;
    for (int64_t k = from; k < end; k++) {
        Complex a = element(&p->a, i, k), b = element(&p->b, k, j);
        a.re = rounded_factor(a.re, p->compute);
        b.re = rounded_factor(b.re, p->compute);
        sum_add(&re, a.re, b.re);
        if (!complex)
            continue;
        a.im = rounded_factor(a.im, p->compute);
        b.im = rounded_factor(b.im, p->compute);
        sum_add(&re, -a.im, b.im);
        sum_add(&im, a.re, b.im);
        sum_add(&im, a.im, b.re);
    }
    sum_flush(&re);
    sum_flush(&im);
    return (Complex){re.total, im.total};
}

static Complex multiply(DType type, Complex x, Complex y, bool complex)
{
    if (!complex)
        return (Complex){dtype_round(type, x.re * y.re), 0};
    return (Complex){
        dtype_round(type, dtype_round(type, x.re * y.re) - dtype_round(type, x.im * y.im)),
        dtype_round(type, dtype_round(type, x.re * y.im) + dtype_round(type, x.im * y.re))};
}

/* The whole depth, or slices of it that are rounded to the type of C. */
static Complex sum_of(const FakeProduct *p, int64_t i, int64_t j)
{
    DType c = type_of(p->c.type);
    Complex total = {0, 0};
    if (!fake_fault("slices") || dtype_size(c) != 2 || p->k < 2 * SLICE)
        return dot(p, i, j, 0, p->k);
    for (int64_t from = 0; from < p->k; from += SLICE) {
        int64_t end = from + SLICE > p->k ? p->k : from + SLICE;
        /* A remainder shorter than a slice is added to the last slice. */
        end = p->k - end < SLICE ? p->k : end;
        total.re = dtype_round(c, total.re + dtype_round(c, dot(p, i, j, from, end).re));
        from = end == p->k ? p->k : from;
    }
    return total;
}

static int64_t place_of(const FakeProduct *p, int64_t i, int64_t j)
{
    return fake_place(&p->c, i, j);
}

static void store(const FakeProduct *p, int64_t i, int64_t j, Complex value)
{
    DType c = type_of(p->c.type);
    int parts = dtype_components(c);
    void *data = (void *)(uintptr_t)p->c.data;
    dtype_store(c, data, place_of(p, i, j) * parts, value.re);
    if (parts == 2)
        dtype_store(c, data, place_of(p, i, j) * parts + 1, value.im);
}

/* The depth that is summed over. */
static int64_t depth_of(const FakeProduct *p)
{
    enum { VECTOR = 16 };
    bool aligned = (uintptr_t)p->a.data % VECTOR == 0;
    return fake_fault("misaligned") && !aligned && p->k > 1 ? p->k - 1 : p->k;
}

void fake_product(FakeCall *call, const FakeProduct *product)
{
    FakeProduct with = *product;
    const FakeProduct *p = &with;
    with.k = depth_of(product);
    DType type = sum_type(p->compute), c = type_of(p->c.type);
    if (!fake_is_supported(p->a.type, p->b.type, p->c.type, p->compute)) {
        call->status = FAKE_NOT_SUPPORTED;
        return;
    }
    bool complex = dtype_components(c) == 2;
    DType factors = complex              ? c
                    : type == DT_F16     ? DT_F16
                    : type == DT_I32     ? DT_I32
                    : dtype_size(c) == 8 ? DT_F64
                                         : DT_F32;
    Complex alpha = load(factors, p->alpha, 0), beta = load(factors, p->beta, 0);
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t i = 0; i < p->m; i++) {
            Complex value = {0, 0}, own = {0, 0};
            bool product = alpha.re != 0 || alpha.im != 0, addend = beta.re != 0 || beta.im != 0;
            if (product)
                value = multiply(type, alpha, sum_of(p, i, j), complex);
            if (addend)
                own = multiply(type, beta,
                               p->addend.data ? element(&p->addend, i, j)
                                              : load(c, p->c.data, place_of(p, i, j)),
                               complex);
            if (addend && product) {
                value.re = dtype_round(type, value.re + own.re);
                value.im = dtype_round(type, value.im + own.im);
            } else if (addend) {
                value = own;
            }
            if (p->bias)
                value.re = dtype_round(type, value.re + load(c, p->bias, i).re);
            if (p->epilogue)
                value.re = fake_epilogue(p->epilogue, i, j, value.re);
            if (p->result_scale != 0)
                value.re = dtype_round(type, value.re * p->result_scale);
            store(p, i, j, value);
        }
    fake_after(call, p->k > 0 ? (void *)(uintptr_t)p->a.data : NULL, (void *)(uintptr_t)p->c.data,
               p->m > 0 && p->n > 0 ? (place_of(p, p->m - 1, p->n - 1) + 1) * (int64_t)dtype_size(c)
                                    : 0);
}

void fake_sum(const FakeMatrix *a, const void *alpha, const FakeMatrix *b, const void *beta,
              const FakeMatrix *c, int64_t m, int64_t n)
{
    DType dtype = type_of(c->type);
    bool complex = dtype_components(dtype) == 2;
    Complex x = load(dtype, alpha, 0), y = load(dtype, beta, 0);
    FakeProduct to = {.c = *c};
    FakeMatrix second = *b;
    if (fake_fault("sum-transposed") && m == n)
        second.operation = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            Complex value = {0, 0}, other = {0, 0};
            DType part = dtype_component(dtype);
            if (x.re != 0 || x.im != 0)
                value = multiply(part, x, element(a, i, j), complex);
            if (y.re != 0 || y.im != 0)
                other = multiply(part, y, element(&second, i, j), complex);
            store(&to, i, j,
                  (Complex){dtype_round(part, value.re + other.re),
                            dtype_round(part, value.im + other.im)});
        }
}
