/* Faults of operators of matrices that store some elements, and ways to compute them that are
 * right. */
#include <math.h>

#include "matrices.h"
#include "ops/nn/nn.h"
#include "planted.h"

static const Tensor *output(const PlantedCall *call)
{
    return &call->operands->view[call->operands->shapes.count - 1];
}

static int64_t index_at(const PlantedCall *call, int operand, int64_t i)
{
    return (int64_t)tensor_value(&call->operands->view[operand], i);
}

static bool is_real(const Tensor *t)
{
    return dtype_components(t->dtype) == 1 && !dtype_is_integer(t->dtype);
}

/* Every element counts as stored, in both factors. */
static void prepare_all_stored(PlantedCall *call)
{
    for (int mask = 0; mask <= 2; mask += 2) {
        char *copy = planted_copy(call, mask);
        for (int64_t i = 0; i < tensor_count(&call->view[mask]); i++)
            dtype_store(DT_BOOL, copy, i, 1);
    }
}

/* Of entries that meet the last one counts. */
static void finish_last_entry(PlantedCall *call)
{
    const Tensor *y = output(call), *values = &call->operands->view[2];
    int parts = dtype_components(y->dtype);
    for (int64_t e = 0; e < tensor_count(values); e++)
        for (int part = 0; part < parts; part++) {
            int64_t at = index_at(call, 0, e) * y->extent[1] + index_at(call, 1, e);
            double value = dtype_load(values->dtype, values->origin,
                                      tensor_offset_of(values, e) * parts + part);
            dtype_store(y->dtype, y->origin, tensor_offset_of(y, at) * parts + part, value);
        }
}

/* Entries that meet are added before they are multiplied. */
static void finish_added_first(PlantedCall *call)
{
    const Tensor *y = output(call), *values = &call->operands->view[2],
                 *b = &call->operands->view[3];
    int64_t rows = y->extent[0], columns = y->extent[1], depth = b->extent[0];
    if (!is_real(y))
        return;
    double *dense = arena_take_zeroed(call->arena, (size_t)(rows * depth) + 1, sizeof *dense);
    bool *stored = arena_take_zeroed(call->arena, (size_t)(rows * depth) + 1, sizeof *stored);
    for (int64_t e = 0; e < tensor_count(values); e++) {
        int64_t at = index_at(call, 0, e) * depth + index_at(call, 1, e);
        dense[at] = dtype_round(y->dtype, dense[at] + tensor_value(values, e));
        stored[at] = true;
    }
    for (int64_t i = 0; i < rows * columns; i++) {
        double sum = 0;
        for (int64_t k = 0; k < depth; k++)
            if (stored[i / columns * depth + k])
                sum = dtype_round(
                    y->dtype,
                    sum + dtype_round(y->dtype, dense[i / columns * depth + k] *
                                                    tensor_value(b, k * columns + i % columns)));
        dtype_store(y->dtype, y->origin, tensor_offset_of(y, i), sum);
    }
}

/* What one matrix alone stores meets the 0 of the other one. */
static void finish_dense_product(PlantedCall *call)
{
    const Tensor *v = call->operands->view, *y = output(call);
    for (int64_t i = 0; i < tensor_count(y) && is_real(y); i++) {
        bool in_a = tensor_value(&v[0], i) != 0, in_b = tensor_value(&v[2], i) != 0;
        if (in_a != in_b)
            dtype_store(y->dtype, y->origin, tensor_offset_of(y, i),
                        0 * tensor_value(&v[in_a ? 1 : 3], i));
    }
}

/* One step of a substitution by columns, with the reciprocal of the diagonal: x[row] is found, and
 * leaves the rows behind it. */
static void eliminate(const PlantedCall *call, double *x, int64_t row, bool lower)
{
    const Tensor *mask = &call->operands->view[0], *a = &call->operands->view[1];
    DType dtype = a->dtype;
    int64_t order = a->extent[0];
    bool unit = case_int(&call->altered, "diag") != 0;
    if (!unit)
        x[row] =
            dtype_round(dtype, x[row] * dtype_round(dtype, 1 / tensor_value(a, row * order + row)));
    for (int64_t i = lower ? row + 1 : 0; i < (lower ? order : row); i++)
        if (tensor_value(mask, i * order + row) != 0)
            x[i] = dtype_round(
                dtype, x[i] - dtype_round(dtype, tensor_value(a, i * order + row) * x[row]));
}

static void finish_by_columns(PlantedCall *call)
{
    const Tensor *b = &call->operands->view[2], *y = output(call);
    Scalar alpha = case_scalar(&call->altered, "alpha");
    bool lower = case_int(&call->altered, "uplo") == 0;
    int64_t order = y->extent[0], columns = y->extent[1];
    if (!is_real(y) || case_int(&call->altered, "ta") != 0)
        return;
    double *x = arena_take(call->arena, (size_t)order + 1, sizeof *x);
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t i = 0; i < order; i++)
            x[i] = dtype_round(y->dtype, alpha.re * tensor_value(b, i * columns + j));
        for (int64_t step = 0; step < order; step++)
            eliminate(call, x, lower ? step : order - 1 - step, lower);
        for (int64_t i = 0; i < order; i++)
            dtype_store(y->dtype, y->origin, tensor_offset_of(y, i * columns + j), x[i]);
    }
}

static double at(const Tensor *view, int64_t i, int64_t j)
{
    return dtype_load(view->dtype, view->origin, tensor_offset(view, i, j));
}

/* The element of a general matrix at (i, p) of op(A); false where it is not stored. */
static bool stored_at(const PlantedCall *call, int64_t i, int64_t p, double *value)
{
    const Tensor *mask = &call->operands->view[0], *a = &call->operands->view[1];
    bool turned = case_int(&call->altered, "ta") != 0;
    int64_t row = turned ? p : i, column = turned ? i : p;
    *value = at(a, row, column);
    return at(mask, row, column) != 0;
}

/* Sums that begin with beta c, whose factors are scaled by alpha first. */
static void finish_scaled_first(PlantedCall *call)
{
    const Tensor *b = &call->operands->view[2], *y = output(call);
    Matrix c = planted_before_of(call, "c");
    Scalar alpha = case_scalar(&call->altered, "alpha"), beta = case_scalar(&call->altered, "beta");
    double a = 0;
    if (!is_real(y) || case_int(&call->altered, "kind") != 0 || alpha.re == 0)
        return;
    for (int64_t i = 0; i < y->extent[0]; i++)
        for (int64_t j = 0; j < y->extent[1]; j++) {
            double sum =
                beta.re == 0 ? 0 : dtype_round(y->dtype, beta.re * matrix_at(&c, i, j)->re);
            for (int64_t p = 0; p < b->extent[0]; p++) {
                if (!stored_at(call, i, p, &a))
                    continue;
                double factor = dtype_round(y->dtype, alpha.re * a);
                sum = dtype_round(y->dtype, sum + dtype_round(y->dtype, factor * at(b, p, j)));
            }
            dtype_store(y->dtype, y->origin, tensor_offset(y, i, j), sum);
        }
}

const PlantedFault planted_sparse_faults[] = {
    {"sparse-product-unstored", "sparse_product", "elements that are not stored",
     prepare_all_stored, NULL},
    {"sparse-add-unstored", "sparse_add", "elements that are not stored", prepare_all_stored, NULL},
    {"sparse-mul-unstored", "sparse_mul", "elements that are not stored", prepare_all_stored, NULL},
    {"entries-last", "entries_to_dense", "entries that meet", NULL, finish_last_entry},
    {"ok-entries-added-first", "entries_matmul", "right: entries that meet are added first", NULL,
     finish_added_first},
    {"ok-mul-dense", "sparse_mul", "right: what one matrix alone stores meets a 0", NULL,
     finish_dense_product},
    {"ok-solve-by-columns", "sparse_solve", "right: by columns and reciprocals", NULL,
     finish_by_columns},
    {"ok-gemm-scaled-first", "sparse_gemm", "right: alpha times the factors, beta c first", NULL,
     finish_scaled_first},
    {NULL, NULL, NULL, NULL, NULL},
};
