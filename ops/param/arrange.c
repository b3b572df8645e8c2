/* Arrangements, element by element. */
#include "arrange.h"

#include <math.h>
#include <stdlib.h>

#include "reference/base.h"

enum { GRADE_ROWS = 3, GRADE_COLUMNS = 2, GRADE_RANGE = 60 };

static void *place_of(const Tensor *t, int64_t i, int64_t j)
{
    return (char *)t->origin + tensor_offset(t, i, j) * (int64_t)dtype_size(t->dtype);
}

static Scalar load(const Tensor *t, int64_t i, int64_t j)
{
    const void *at = place_of(t, i, j);
    bool pair = dtype_components(t->dtype) == 2;
    return (Scalar){dtype_load(t->dtype, at, 0), pair ? dtype_load(t->dtype, at, 1) : 0};
}

static void store(const Tensor *t, int64_t i, int64_t j, Scalar value)
{
    void *at = place_of(t, i, j);
    dtype_store(t->dtype, at, 0, value.re);
    if (dtype_components(t->dtype) == 2)
        dtype_store(t->dtype, at, 1, value.im);
}

static bool exists(const Tensor *t, int64_t i, int64_t j)
{
    TensorRow row = tensor_row(t, i);
    return j >= row.first && j < row.end;
}

static void grade(const Tensor *t, bool alike)
{
    for (int64_t i = 0; i < t->extent[0]; i++) {
        TensorRow row = tensor_row(t, i);
        for (int64_t j = row.first; j < row.end; j++) {
            Scalar value = load(t, i, j);
            int64_t down = alike ? GRADE_ROWS * i % GRADE_RANGE + GRADE_ROWS * j % GRADE_RANGE
                                 : (GRADE_ROWS * i + GRADE_COLUMNS * j) % GRADE_RANGE;
            store(t, i, j, (Scalar){ldexp(value.re, (int)-down), ldexp(value.im, (int)-down)});
        }
    }
}

static void make_singular(const Tensor *t)
{
    int64_t rows = t->extent[0], columns = t->extent[1];
    for (int64_t j = 0; j < columns && rows > 1; j++)
        if (exists(t, rows - 1, j))
            store(t, rows - 1, j, exists(t, 0, j) ? load(t, 0, j) : (Scalar){0, 0});
    for (int64_t i = 0; i < rows && columns % 2 == 1; i++)
        if (exists(t, i, columns / 2))
            store(t, i, columns / 2, (Scalar){0, 0});
}

static void mirror(const Tensor *t, bool conjugate)
{
    for (int64_t i = 0; i < t->extent[0]; i++)
        for (int64_t j = 0; j < i && j < t->extent[1]; j++) {
            if (!exists(t, i, j) || i >= t->extent[1] || !exists(t, j, i))
                continue;
            Scalar value = load(t, i, j);
            store(t, j, i, (Scalar){value.re, conjugate ? -value.im : value.im});
        }
}

static void clear_imaginary_diagonal(const Tensor *t)
{
    for (int64_t i = 0; i < t->extent[0] && i < t->extent[1]; i++)
        store(t, i, i, (Scalar){load(t, i, i).re, 0});
}

/* share of the sum of the magnitudes beside the diagonal, and 1 where there are none; both: in rows
 * and columns, else in what is conjugate to itself. */
static void fill_diagonal(const Tensor *t, double share, bool both)
{
    int64_t n = t->extent[0] < t->extent[1] ? t->extent[0] : t->extent[1];
    int64_t lines = t->extent[0] + t->extent[1];
    double *sums = memory_allocate((size_t)lines + 1, sizeof *sums);
    for (int64_t i = 0; i < t->extent[0]; i++) {
        TensorRow row = tensor_row(t, i);
        for (int64_t j = row.first; j < row.end; j++) {
            Scalar value = load(t, i, j);
            double size = i == j ? 0 : fabs(value.re) + fabs(value.im);
            sums[i] += size;
            sums[j] += both || !exists(t, j, i) ? size : 0;
        }
    }
    for (int64_t i = 0; i < n; i++) {
        double size = sums[i] == 0 ? 1 : share * sums[i];
        store(t, i, i, (Scalar){size + ldexp(size, -7), 0});
    }
    free(sums);
}

static void raise_to_places(const Tensor *t)
{
    for (int64_t i = 0; i < t->extent[0]; i++)
        if (load(t, i, 0).re < (double)i + 1)
            store(t, i, 0, (Scalar){(double)i + 1, 0});
}

static void set_near_places(const Tensor *t)
{
    for (int64_t i = 0; i < t->extent[0]; i++) {
        bool next = i + 1 < t->extent[0] && (int64_t)load(t, i, 0).re % 2 == 1;
        store(t, i, 0, (Scalar){(double)i + (next ? 2 : 1), 0});
    }
}

/* Of a number by itself. */
static Scalar arranged_number(Scalar x, Arrangement arrangement)
{
    if (arrangement == ARRANGED_MAGNITUDES)
        return (Scalar){isfinite(x.re) ? fabs(x.re) : 1, 0};
    bool above = arrangement == ARRANGED_ABOVE_ONE;
    double parts[] = {above ? fabs(x.re) : x.re, above ? 0 : x.im};
    for (int part = 0; part < 2; part++) {
        int exponent = 0;
        double mantissa = frexp(parts[part], &exponent);
        if (above && part == 0 && !(parts[part] >= 1))
            parts[part] = isnan(parts[part]) ? parts[part] : mantissa > 0 ? 2 * mantissa : 1;
        if (!above && isfinite(mantissa) && exponent > -2)
            parts[part] = ldexp(mantissa, -2);
    }
    return (Scalar){parts[0], parts[1]};
}

static void arrange_numbers(const Tensor *t, Arrangement arrangement)
{
    for (int64_t i = 0; i < t->extent[0]; i++) {
        TensorRow row = tensor_row(t, i);
        for (int64_t j = row.first; j < row.end; j++)
            store(t, i, j, arranged_number(load(t, i, j), arrangement));
    }
}

/* Steps count from the last row on where the triangle is upper. */
static void set_blocks(const Tensor *t, bool upper)
{
    int64_t n = t->extent[0];
    for (int64_t k = 0; k < n;) {
        int64_t with = (int64_t)load(t, upper ? n - 1 - k : k, 0).re - 1;
        int64_t width = with % 2 == 1 && k + 1 < n ? 2 : 1, last = k + width - 1;
        if (upper)
            with = n - 1 - with;
        if (with < last)
            with = last;
        double number = (double)(upper ? n - 1 - with : with) + 1;
        for (; k <= last; k++)
            store(t, upper ? n - 1 - k : k, 0, (Scalar){width == 2 ? -number : number, 0});
    }
}

/* Every third pair of rows may be a block. */
static void make_schur(const Tensor *t)
{
    bool real = dtype_components(t->dtype) == 1;
    for (int64_t i = 0; i < t->extent[0]; i++) {
        double above = i > 0 ? load(t, i - 1, i).re : 0, below = i > 0 ? load(t, i, i - 1).re : 0;
        bool pair = real && i % 3 == 1 && isfinite(above) && isfinite(below) && above != 0;
        for (int64_t j = 0; j < i; j++)
            if (j + 1 < i || !pair)
                store(t, i, j, (Scalar){0, 0});
        if (!pair || below == 0)
            continue;
        store(t, i, i - 1, (Scalar){-copysign(below, above), 0});
        store(t, i, i, load(t, i - 1, i - 1));
    }
}

static void make_schur_partner(const Tensor *t)
{
    bool real = dtype_components(t->dtype) == 1;
    for (int64_t i = 0; i < t->extent[0]; i++) {
        for (int64_t j = 0; j < i; j++)
            store(t, i, j, (Scalar){0, 0});
        store(t, i, i, (Scalar){fabs(load(t, i, i).re), 0});
        if (!real || i % 3 != 1)
            continue;
        double before = load(t, i - 1, i - 1).re, after = load(t, i, i).re;
        int exponent = 0;
        before = before > 0 && isfinite(before) ? before : 1;
        store(t, i - 1, i - 1, (Scalar){before, 0});
        store(t, i - 1, i, (Scalar){0, 0});
        double by = after > 0 && isfinite(after) ? frexp(after, &exponent) : 1;
        store(t, i, i, (Scalar){before * by, 0});
        if (!(load(t, i, i).re > 0))
            store(t, i, i, (Scalar){before, 0});
    }
}

static void arrange_matrix(const Tensor *t, Arrangement arrangement)
{
    bool hermitian = arrangement >= ARRANGED_HERMITIAN;
    REQUIRE(!hermitian || t->extent[0] == t->extent[1]);
    if (arrangement == ARRANGED_PIVOTS)
        raise_to_places(t);
    else if (arrangement == ARRANGED_NEAR_PIVOTS)
        set_near_places(t);
    else if (arrangement < ARRANGED_LOWER_BLOCKS)
        arrange_numbers(t, arrangement);
    else if (arrangement < ARRANGED_REAL_DIAGONAL)
        set_blocks(t, arrangement == ARRANGED_UPPER_BLOCKS);
    else if (arrangement == ARRANGED_REAL_DIAGONAL)
        clear_imaginary_diagonal(t);
    else if (arrangement == ARRANGED_DOMINANT)
        fill_diagonal(t, 1, true);
    else if (arrangement == ARRANGED_GRADED)
        grade(t, false);
    else if (arrangement == ARRANGED_SINGULAR)
        make_singular(t);
    else if (arrangement == ARRANGED_SCHUR)
        make_schur(t);
    else if (arrangement == ARRANGED_SCHUR_PARTNER)
        make_schur_partner(t);
    else
        mirror(t, hermitian);
    if (hermitian)
        clear_imaginary_diagonal(t);
    if (arrangement > ARRANGED_HERMITIAN)
        fill_diagonal(t, arrangement == ARRANGED_NEARLY_DEFINITE ? 0.5 : 1, false);
    if (arrangement == ARRANGED_DEFINITE_GRADED)
        grade(t, true);
}

void tensor_arrange(const Tensor *t, Arrangement arrangement)
{
    if (arrangement == ARRANGED_FREELY || tensor_is_empty(t))
        return;
    REQUIRE(t->rank >= 2);
    int outer = t->rank - 2;
    int64_t count = 1;
    for (int axis = 0; axis < outer; axis++)
        count *= t->extent[axis];
    for (int64_t b = 0; b < count; b++) {
        Tensor matrix = *t;
        int64_t bytes = tensor_offset_of_part(t, outer, b) * (int64_t)dtype_size(t->dtype);
        if (outer > 0)
            matrix =
                tensor_matrix(t->dtype, t->extent[outer], t->extent[outer + 1], t->stride[outer],
                              t->stride[outer + 1], (char *)t->origin + bytes);
        arrange_matrix(&matrix, arrangement);
    }
}

static void set_exchanges(const Tensor *t, DiagonalBlock block)
{
    for (int64_t i = 0; i < t->extent[0]; i++) {
        double x = load(t, i, 0).re;
        int exponent = 0;
        double mantissa = fabs(frexp(isfinite(x) && x != 0 ? x : 1, &exponent));
        bool before = i < block.first, inside = !before && i < block.end;
        int64_t first = before ? i : 0, count = before ? block.end - i : i + 1;
        int64_t by = (int64_t)ldexp(mantissa, 20) % 997 + (exponent < 0 ? -exponent : exponent);
        double number = (double)(first + by % count + 1);
        double factor = block.end - block.first == 1 ? 1 : ldexp(1, exponent % 20);
        store(t, i, 0, (Scalar){inside ? factor : number, 0});
    }
}

void tensor_clear_outside(const Tensor *t, DiagonalBlock block)
{
    if (block.exchanges) {
        set_exchanges(t, block);
        return;
    }
    for (int64_t i = 0; i < t->extent[0] && block.end > 0; i++)
        for (int64_t j = 0; j < t->extent[1]; j++) {
            bool inside = i >= block.first && i < block.end && j >= block.first && j < block.end;
            bool kept = j < i ? inside && !(block.narrow && j + 1 < i) : inside || !block.unit;
            if (!kept && exists(t, i, j))
                store(t, i, j, (Scalar){i == j, 0});
        }
}
