/* Storage of operands. */
#include "blas.h"

const char *const blas_orders[] = {"col", "row", NULL};
const char *const blas_sides[] = {"left", "right", NULL};
const char *const blas_uplos[] = {"upper", "lower", NULL};
const char *const blas_transposes[] = {"n", "t", "c", NULL};
const char *const blas_plain_transposes[] = {"n", "t", NULL};
const char *const blas_conjugate_transposes[] = {"n", "c", NULL};
const char *const blas_diagonals[] = {"stored", "unit", NULL};

DType blas_dtype(const Blas *q)
{
    return (DType)q->dtype;
}

DType blas_real_dtype(const Blas *q)
{
    return dtype_component(blas_dtype(q));
}

static int64_t at_least_one(int64_t extent)
{
    return extent > 1 ? extent : 1;
}

TensorSpec blas_matrix(const Blas *q, int64_t rows, int64_t columns, int64_t pad)
{
    bool by_rows = q->order == ORDER_ROWS;
    int64_t leading = at_least_one(by_rows ? columns : rows) + pad;
    return (TensorSpec){
        .role = ROLE_IN,
        .layout = {.dtype = blas_dtype(q),
                   .rank = 2,
                   .extent = {rows, columns},
                   .stride = {by_rows ? leading : 1, by_rows ? 1 : leading}},
        .leading = leading,
        .contraction = -1,
    };
}

TensorSpec blas_vector(const Blas *q, int64_t length, int64_t increment)
{
    return (TensorSpec){
        .role = ROLE_IN,
        .layout = {.dtype = blas_dtype(q),
                   .rank = 2,
                   .extent = {length, 1},
                   .stride = {increment, 1}},
        .leading = increment,
        .contraction = -1,
    };
}

TensorSpec blas_number(DType dtype, TensorRole role)
{
    return (TensorSpec){
        .role = role,
        .layout = {.dtype = dtype, .rank = 2, .extent = {1, 1}, .stride = {1, 1}},
        .leading = 1,
        .contraction = -1,
    };
}

static void limit_to_triangle(const Blas *q, Tensor *layout, int64_t n)
{
    int64_t diagonal = q->diag == DIAGONAL_UNIT ? -1 : 0;
    layout->limited = true;
    layout->below = q->uplo == UPLO_UPPER ? diagonal : n;
    layout->above = q->uplo == UPLO_UPPER ? n : diagonal;
}

TensorSpec blas_triangle(const Blas *q, int64_t n, int64_t pad)
{
    TensorSpec spec = blas_matrix(q, n, n, pad);
    limit_to_triangle(q, &spec.layout, n);
    return spec;
}

TensorSpec blas_packed_triangle(const Blas *q, int64_t n)
{
    TensorSpec spec = blas_matrix(q, n, n, 0);
    limit_to_triangle(q, &spec.layout, n);
    if (q->order == ORDER_COLUMNS)
        spec.layout.packing = q->uplo == UPLO_UPPER ? PACKING_UPPER_COLUMNS : PACKING_LOWER_COLUMNS;
    else
        spec.layout.packing = q->uplo == UPLO_UPPER ? PACKING_UPPER_ROWS : PACKING_LOWER_ROWS;
    return spec;
}

/* Line l of the storage (a column, or a row) holds the band around element l of the diagonal:
 * element (i, j) lies at l leading + before + (distance along the line from the diagonal). */
TensorSpec blas_band(const Blas *q, int64_t rows, int64_t columns, int64_t kl, int64_t ku,
                     int64_t pad)
{
    bool by_rows = q->order == ORDER_ROWS;
    int64_t leading = kl + ku + 1 + pad, lines = by_rows ? rows : columns;
    TensorSpec spec = blas_matrix(q, rows, columns, 0);
    spec.leading = leading;
    spec.layout.stride[by_rows ? 0 : 1] = leading - 1;
    spec.layout.limited = true;
    spec.layout.below = kl;
    spec.layout.above = ku;
    spec.layout.before = by_rows ? kl : ku;
    spec.layout.storage = (at_least_one(lines) - 1) * leading + kl + ku + 1;
    return spec;
}

TensorSpec blas_band_triangle(const Blas *q, int64_t n, int64_t pad)
{
    bool upper = q->uplo == UPLO_UPPER;
    TensorSpec spec = blas_band(q, n, n, upper ? 0 : q->k, upper ? q->k : 0, pad);
    int64_t *beside = upper ? &spec.layout.below : &spec.layout.above;
    *beside = q->diag == DIAGONAL_UNIT ? -1 : 0;
    return spec;
}

TensorSpec blas_operated(TensorSpec spec, int64_t transpose)
{
    if (transpose != TRANSPOSE_NONE)
        spec.layout = tensor_transposed(spec.layout);
    return spec;
}

TensorSpec blas_part(TensorSpec spec, TensorPart part, int contraction)
{
    spec.part = part;
    spec.contraction = contraction;
    return spec;
}

TensorSpec blas_role(TensorSpec spec, TensorRole role)
{
    spec.role = role;
    return spec;
}

TensorSpec blas_ignored(TensorSpec spec, bool ignored)
{
    spec.ignored = ignored;
    return spec;
}
