/* Powers and pseudoinverses of matrices in other correct ways than the reference's own. */
#include "matrices.h"
#include "ops/lapack/dense.h"
#include "ops/lapack/solve.h"

/* X Y, each operation rounded to the type. */
static Matrix multiply(DType dtype, const Matrix *x, const Matrix *y, Arena *arena)
{
    Matrix product = matrix_zeros(x->rows, y->columns, arena);
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < y->columns; j++) {
            double sum = 0;
            for (int64_t k = x->columns - 1; k >= 0; k--)
                sum = dtype_round(dtype, sum + dtype_round(dtype, matrix_at(x, i, k)->re *
                                                                      matrix_at(y, k, j)->re));
            matrix_at(&product, i, j)->re = sum;
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

/* Of R^-1 Q^T, in binary64. */
static void finish_pseudoinverse_by_qr(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "a");
    if (view->rank != 2 || view->extent[0] < view->extent[1])
        return;
    Matrix a = matrix_read(view, call->arena);
    Matrix q = matrix_zeros(a.rows, a.columns, call->arena);
    Matrix r = matrix_zeros(a.columns, a.columns, call->arena);
    dense_factor_qr(&a, &q, &r);
    Matrix turned = lapack_transposed(&q, false, call->arena);
    Matrix x = dense_solve(&r, &turned, call->arena);
    /* Of a matrix without full rank there is none by these factors. */
    if (matrix_is_finite(&x))
        planted_store_matrix(planted_view_of(call, "y"), &x);
}

const PlantedFault planted_matrix_function_faults[] = {
    {"ok-matrix-power-by-steps", "matrix_power", "right: a factor at a time, from the left", NULL,
     finish_power_by_steps},
    {"ok-matrix-power-by-squares", "matrix_power", "right: by squares, the first digit first", NULL,
     finish_power_by_squares},
    {"ok-pinv-by-qr", "pinv", "right: by factors Q R", NULL, finish_pseudoinverse_by_qr},
    {NULL, NULL, NULL, NULL, NULL},
};
