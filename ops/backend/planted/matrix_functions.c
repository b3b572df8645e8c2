/* Powers and pseudoinverses of matrices in other correct ways than the reference's own. */
#include "matrices.h"
#include "ops/lapack/dense.h"
#include "ops/lapack/solve.h"

/* sum + x y, each operation rounded to the type. */
static double added(DType dtype, double sum, double x, double y)
{
    return dtype_round(dtype, sum + dtype_round(dtype, x * y));
}

/* X Y. */
static Matrix multiply(DType dtype, const Matrix *x, const Matrix *y, Arena *arena)
{
    Matrix product = matrix_zeros(x->rows, y->columns, arena);
    bool real = dtype_components(dtype) == 1;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < y->columns; j++) {
            Scalar sum = {0, 0};
            for (int64_t k = x->columns - 1; k >= 0; k--) {
                Scalar a = *matrix_at(x, i, k), b = *matrix_at(y, k, j);
                sum.re = added(dtype, sum.re, a.re, b.re);
                if (real)
                    continue;
                sum.re = added(dtype, sum.re, -a.im, b.im);
                sum.im = added(dtype, added(dtype, sum.im, a.re, b.im), a.im, b.re);
            }
            *matrix_at(&product, i, j) = sum;
        }
    return product;
}

typedef Matrix Power(DType dtype, const Matrix *a, int64_t exponent, Arena *arena);

/* One factor after the other from the left. */
static Matrix power_by_steps(DType dtype, const Matrix *a, int64_t exponent, Arena *arena)
{
    Matrix power = *a;
    for (int64_t step = 1; step < exponent; step++)
        power = multiply(dtype, a, &power, arena);
    return power;
}

/* The factors of its binary digits, least first. */
static Matrix power_by_squares(DType dtype, const Matrix *a, int64_t exponent, Arena *arena)
{
    Matrix square = *a, power = *a;
    bool started = false;
    for (int64_t left = exponent; left > 0; left /= 2) {
        if (left % 2)
            power = started ? multiply(dtype, &power, &square, arena) : square;
        started = started || left % 2;
        if (left > 1)
            square = multiply(dtype, &square, &square, arena);
    }
    return power;
}

static void finish_power(PlantedCall *call, Power *raise_to)
{
    const Tensor *view = planted_view_of(call, "a");
    int64_t exponent = case_int(call->operands->source, "exponent");
    if (view->rank != 2 || exponent < 2)
        return;
    Matrix a = matrix_read(view, call->arena);
    Matrix power = raise_to(view->dtype, &a, exponent, call->arena);
    planted_store_matrix(planted_view_of(call, "y"), &power);
}

static void finish_power_by_steps(PlantedCall *call)
{
    finish_power(call, power_by_steps);
}

static void finish_power_by_squares(PlantedCall *call)
{
    finish_power(call, power_by_squares);
}

/* Of R^-1 Q^H, in binary64. */
static void finish_pseudoinverse_by_qr(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "a");
    if (view->rank != 2 || view->extent[0] < view->extent[1])
        return;
    Matrix a = matrix_read(view, call->arena);
    Matrix q = matrix_zeros(a.rows, a.columns, call->arena);
    Matrix r = matrix_zeros(a.columns, a.columns, call->arena);
    dense_factor_qr(&a, &q, &r);
    Matrix turned = lapack_transposed(&q, true, call->arena);
    Matrix x = dense_solve(&r, &turned, call->arena);
    /* Of a matrix without full rank there is none by these factors. */
    if (matrix_is_finite(&x))
        planted_store_matrix(planted_view_of(call, "y"), &x);
}

static Scalar negated(Scalar x)
{
    return (Scalar){-x.re, -x.im};
}

/* Every other vector of Q the other way round. */
static void finish_turned_factors(PlantedCall *call)
{
    const Tensor *q = planted_view_of(call, "q"), *r = planted_view_of(call, "r");
    if (q->rank != 2)
        return;
    Matrix x = matrix_read(q, call->arena), y = matrix_read(r, call->arena);
    for (int64_t k = 0; k < x.columns; k += 2) {
        for (int64_t i = 0; i < x.rows; i++)
            *matrix_at(&x, i, k) = negated(*matrix_at(&x, i, k));
        for (int64_t j = 0; j < y.columns; j++)
            *matrix_at(&y, k, j) = negated(*matrix_at(&y, k, j));
    }
    planted_store_matrix(q, &x);
    planted_store_matrix(r, &y);
}

/* Conjugates an operand of complex numbers. */
static void conjugate(PlantedCall *call, const char *operand)
{
    const Tensor *view = planted_view_of(call, operand);
    for (int64_t i = 0; dtype_components(view->dtype) == 2 && i < tensor_count(view); i++) {
        char *at =
            (char *)view->origin + tensor_offset_of(view, i) * (int64_t)dtype_size(view->dtype);
        dtype_store(view->dtype, at, 1, -dtype_load(view->dtype, at, 1));
    }
}

static void finish_conjugate_y(PlantedCall *call)
{
    conjugate(call, "y");
}

static void finish_conjugate_x(PlantedCall *call)
{
    conjugate(call, "x");
}

static void finish_conjugate_v(PlantedCall *call)
{
    conjugate(call, "v");
}

static void finish_conjugate_sign(PlantedCall *call)
{
    conjugate(call, "sign");
}

/* Every other pair of singular vectors times i, which no equation of theirs notices. */
static void finish_pairs_times_i(PlantedCall *call)
{
    const Tensor *left = planted_view_of(call, "u"), *right = planted_view_of(call, "v");
    if (left->rank != 2 || dtype_components(left->dtype) == 1)
        return;
    Matrix u = matrix_read(left, call->arena), v = matrix_read(right, call->arena);
    for (int64_t k = 0; k < u.columns; k += 2) {
        for (int64_t i = 0; i < u.rows; i++)
            *matrix_at(&u, i, k) = (Scalar){-matrix_at(&u, i, k)->im, matrix_at(&u, i, k)->re};
        for (int64_t j = 0; j < v.columns; j++)
            *matrix_at(&v, k, j) = (Scalar){matrix_at(&v, k, j)->im, -matrix_at(&v, k, j)->re};
    }
    planted_store_matrix(left, &u);
    planted_store_matrix(right, &v);
}

const PlantedFault planted_matrix_function_faults[] = {
    {"ok-matrix-power-by-steps", "matrix_power", "right: a factor at a time, from the left", NULL,
     finish_power_by_steps},
    {"ok-matrix-power-by-squares", "matrix_power", "right: by squares, the first digit first", NULL,
     finish_power_by_squares},
    {"ok-pinv-by-qr", "pinv", "right: by factors Q R", NULL, finish_pseudoinverse_by_qr},
    {"ok-qr-turned", "qr", "right: vectors of other signs", NULL, finish_turned_factors},
    {"ok-svd-times-i", "svd", "right: pairs of complex singular vectors of another phase", NULL,
     finish_pairs_times_i},
    {"svd-plain-transpose", "svd", "complex: V^T in place of V^H", NULL, finish_conjugate_v},
    {"eigh-conjugate", "eigh", "complex: the vectors of the other triangle", NULL,
     finish_conjugate_v},
    {"cholesky-conjugate", "cholesky", "complex: the factor is conjugated", NULL,
     finish_conjugate_y},
    {"det-conjugate", "det", "complex: that of the conjugate matrix", NULL, finish_conjugate_y},
    {"slogdet-conjugate", "slogdet", "complex: the sign of the conjugate matrix", NULL,
     finish_conjugate_sign},
    {"pinv-plain-transpose", "pinv", "complex: its transpose where it is to be conjugate", NULL,
     finish_conjugate_y},
    {"lstsq-conjugate", "lstsq", "complex: the solution is conjugated", NULL, finish_conjugate_x},
    {"matrix-power-conjugate", "matrix_power", "complex: that of the conjugate matrix", NULL,
     finish_conjugate_y},
    {NULL, NULL, NULL, NULL, NULL},
};
