/* Reads operands and lays them out as factors of one real product.
 *
 * A complex product is a real one of twice the depth: row (i, re) of A is [ar, -ai] and row (i, im)
 * is [ai, ar] for each contraction index, column j of B is [br, bi]. */
#include <math.h>
#include <string.h>

#include "affine_parts.h"
#include "mag.h"
#include "power.h"
#include "product_kernel.h"

int lowest_set_bit(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & 0xfffffffffffffu;
    if (exponent == 0)
        return __builtin_ctzll(fraction) - 1074;
    return __builtin_ctzll(fraction | 1ull << 52) + exponent - 1075;
}

typedef struct ReadContext {
    double *values;
    DType dtype;
    int components;
    bool conjugate;
} ReadContext;

static void read_floats(double *to, const char *at, int64_t step, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, at + i * step * (int64_t)sizeof value, sizeof value);
        to[i] = value;
    }
}

static void read_doubles(double *to, const char *at, int64_t step, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(&to[i], at + i * step * (int64_t)sizeof *to, sizeof *to);
}

static void read_components(const ReadContext *context, double *to, const char *at, int64_t stride,
                            int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        for (int part = 0; part < context->components; part++) {
            double value = dtype_load(context->dtype, at, i * stride * context->components + part);
            *to++ = part == 1 && context->conjugate ? -value : value;
        }
    }
}

static void read_run(void *opaque, int64_t first, int64_t count, char *at, int64_t stride)
{
    const ReadContext *context = opaque;
    double *to = context->values + first * context->components;
    if (context->components == 1 && context->dtype == DT_F32 && stride == 1)
        read_floats(to, at, 1, count);
    else if (context->components == 1 && context->dtype == DT_F32)
        read_floats(to, at, stride, count);
    else if (context->components == 1 && context->dtype == DT_F64)
        read_doubles(to, at, stride, count);
    else
        read_components(context, to, at, stride, count);
}

static bool lies_by_columns(const Tensor *t)
{
    return t->dtype == DT_F32 && t->rank == 2 && !t->limited && t->stride[0] == 1 &&
           t->stride[1] > 1;
}

/* In blocks whose rows and columns stay in the caches side by side. */
static void read_columns(double *to, const Tensor *t)
{
    enum { TALL = 16, WIDE = 8 };
    size_t rows = (size_t)t->extent[0], columns = (size_t)t->extent[1];
    size_t step = (size_t)t->stride[1] * sizeof(float);
    const char *from = t->origin;
    for (size_t top = 0; top < rows; top += TALL)
        for (size_t left = 0; left < columns; left += WIDE)
            for (size_t i = top; i < rows && i < top + TALL; i++)
                for (size_t j = left; j < columns && j < left + WIDE; j++) {
                    float value;
                    memcpy(&value, from + j * step + i * sizeof value, sizeof value);
                    to[i * columns + j] = value;
                }
}

/* What is noted of all values, zeros that are not stored among them. */
static void note_values(Operand *operand, size_t count)
{
    ValueNotes notes;
    product_kernels()->note(&notes, operand->values, count);
    operand->has_zero |= notes.has_zero;
    operand->has_nonfinite = notes.has_nonfinite;
    operand->smallest = notes.smallest;
    operand->largest = notes.largest;
    if (notes.lowest < INFINITY)
        operand->lattice = ilogb(notes.lowest);
}

/* A value that is not 0 stays so: its class beside an infinity depends on it. */
static double scale_value(double value, int scale)
{
    double scaled = times_power_of_two(value, scale);
    return scaled == 0 && value != 0 ? copysign(0x1p-1074, value) : scaled;
}

void operand_read(Operand *operand, const Tensor *tensor, bool conjugate, bool rescale,
                  Arena *arena)
{
    enum { COMFORTABLE = 200, TARGET = 400 };
    int components = dtype_components(tensor->dtype);
    size_t count = (size_t)(tensor->extent[0] * tensor->extent[1] * components);
    *operand = (Operand){
        .rows = (size_t)tensor->extent[0],
        .columns = (size_t)tensor->extent[1],
        .values = tensor->limited ? arena_take_zeroed(arena, count, sizeof(double))
                                  : arena_take(arena, count, sizeof(double)),
        .has_zero = tensor->limited,
        .limited = tensor->limited,
        .below = tensor->below,
        .above = tensor->above,
        .smallest = INFINITY,
        .lattice = LATTICE_NONE,
    };
    ReadContext context = {operand->values, tensor->dtype, components, conjugate};
    if (lies_by_columns(tensor))
        read_columns(operand->values, tensor);
    else
        tensor_visit_runs(tensor, read_run, &context);
    note_values(operand, count);
    int exponent = operand->largest > 0 ? ilogb(operand->largest) : 0;
    int lowest = operand->largest > 0 ? ilogb(operand->smallest) : 0;
    if (!rescale || (exponent < COMFORTABLE && lowest > -COMFORTABLE))
        return;
    operand->scale = TARGET - exponent;
    operand->lossy = lowest + operand->scale < -1022;
    for (size_t i = 0; i < count; i++)
        operand->values[i] = scale_value(operand->values[i], operand->scale);
}

/* Entry (row, l) of the real matrix that stands for a complex A. */
static double expanded_a(const Operand *a, size_t row, size_t l)
{
    const double *entry = a->values + 2 * ((row / 2) * a->columns + l / 2);
    if (row % 2 == 0)
        return l % 2 == 0 ? entry[0] : -entry[1];
    return l % 2 == 0 ? entry[1] : entry[0];
}

/* Entry (l, column) of the real matrix that stands for a complex B. */
static double expanded_b(const Operand *b, size_t l, size_t column)
{
    return b->values[2 * ((l / 2) * b->columns + column) + l % 2];
}

/* A real matrix, or its transpose, with rows of `stride` elements; the operand's own values where
 * they are that. */
static double *lay_out(const Operand *operand, bool turned, size_t stride, Arena *arena)
{
    size_t rows = turned ? operand->columns : operand->rows;
    size_t columns = turned ? operand->rows : operand->columns;
    if (!turned && stride == columns)
        return operand->values;
    double *to = arena_take(arena, rows * stride, sizeof *to);
    for (size_t i = 0; i < rows; i++) {
        double *row = to + i * stride;
        if (!turned)
            memcpy(row, operand->values + i * columns, columns * sizeof *row);
        for (size_t j = 0; turned && j < columns; j++)
            row[j] = operand->values[j * rows + i];
        for (size_t j = columns; j < stride; j++)
            row[j] = 0;
    }
    return to;
}

static void fill_factors(Factors *f, const Operand *a, const Operand *b, int components,
                         Arena *arena)
{
    if (components == 1) {
        f->raw_left = lay_out(f->swapped ? b : a, f->swapped, f->depth, arena);
        f->raw_right = lay_out(f->swapped ? a : b, f->swapped, f->stride, arena);
        return;
    }
    f->raw_left = arena_take(arena, f->rows * f->depth, sizeof(double));
    f->raw_right = arena_take(arena, f->depth * f->stride, sizeof(double));
    for (size_t i = 0; i < f->rows; i++)
        for (size_t l = 0; l < f->depth; l++)
            f->raw_left[i * f->depth + l] = f->swapped ? expanded_b(b, l, i) : expanded_a(a, i, l);
    for (size_t l = 0; l < f->depth; l++) {
        double *row = f->raw_right + l * f->stride;
        for (size_t j = 0; j < f->columns; j++)
            row[j] = f->swapped ? expanded_a(a, j, l) : expanded_b(b, l, j);
        for (size_t j = f->columns; j < f->stride; j++)
            row[j] = 0;
    }
}

/* Of lines whose elements are `step` apart, and which are `next` apart themselves. */
static Specials list_specials(const double *values, const uint8_t *special, size_t lines,
                              size_t depth, size_t next, size_t step, Arena *arena)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < lines; i++)
        most += special[i] ? depth : 0;
    Specials list = {arena_take(arena, lines + 1, sizeof *list.first),
                     arena_take(arena, most + 1, sizeof *list.at)};
    for (size_t i = 0; i < lines; i++) {
        list.first[i] = count;
        for (size_t l = 0; special[i] && l < depth; l++) {
            list.at[count] = l;
            count += !isfinite(values[i * next + l * step]);
        }
    }
    list.first[lines] = count;
    return list;
}

/* Copies the factors with every non-finite value replaced by 0, and marks where they were. */
static void separate_specials(Factors *f, Arena *arena)
{
    f->left = arena_take(arena, f->rows * f->depth, sizeof(double));
    f->right = arena_take(arena, f->depth * f->stride, sizeof(double));
    for (size_t i = 0; i < f->rows; i++) {
        for (size_t l = 0; l < f->depth; l++) {
            double value = f->raw_left[i * f->depth + l];
            f->left_special[i] |= !isfinite(value);
            f->left[i * f->depth + l] = isfinite(value) ? value : 0;
        }
    }
    for (size_t l = 0; l < f->depth; l++) {
        for (size_t j = 0; j < f->stride; j++) {
            double value = f->raw_right[l * f->stride + j];
            f->right_special[j] |= !isfinite(value);
            f->right[l * f->stride + j] = isfinite(value) ? value : 0;
        }
    }
    f->in_left = list_specials(f->raw_left, f->left_special, f->rows, f->depth, f->depth, 1, arena);
    f->in_right =
        list_specials(f->raw_right, f->right_special, f->stride, f->depth, 1, f->stride, arena);
}

/* In sums side by side. */
static void measure_row(Factors *f, size_t i)
{
    enum { LANES = 8 };
    const double *row = f->left + i * f->depth;
    double sums[LANES] = {0}, most[LANES] = {0}, sum = 0, largest = 0;
    size_t l = 0;
    for (; l + LANES <= f->depth; l += LANES)
        for (size_t lane = 0; lane < LANES; lane++) {
            double magnitude = fabs(row[l + lane]);
            sums[lane] += magnitude;
            most[lane] = magnitude > most[lane] ? magnitude : most[lane];
        }
    for (; l < f->depth; l++) {
        sums[0] += fabs(row[l]);
        most[0] = fabs(row[l]) > most[0] ? fabs(row[l]) : most[0];
    }
    for (size_t lane = 0; lane < LANES; lane++) {
        sum += sums[lane];
        largest = most[lane] > largest ? most[lane] : largest;
    }
    f->left_sum[i] = formula_up(sum, (int)f->depth + LANES);
    f->left_largest[i] = largest;
}

static void measure_factors(Factors *f)
{
    for (size_t i = 0; i < f->rows; i++)
        measure_row(f, i);
    for (size_t l = 0; l < f->depth; l++) {
        for (size_t j = 0; j < f->stride; j++) {
            double magnitude = fabs(f->right[l * f->stride + j]);
            f->right_sum[j] += magnitude;
            f->right_largest[j] = magnitude > f->right_largest[j] ? magnitude : f->right_largest[j];
        }
    }
    for (size_t j = 0; j < f->stride; j++)
        f->right_sum[j] = formula_up(f->right_sum[j], (int)f->depth);
}

static double *all_unscaled(double *values, size_t count, int scale, Arena *arena)
{
    if (scale == 0)
        return values;
    double *to = arena_take(arena, count, sizeof *to);
    for (size_t i = 0; i < count; i++)
        to[i] = unscaled(values[i], scale);
    return to;
}

static LineSizes lines_of(const Factors *f, bool left, int scale, Arena *arena)
{
    size_t count = left ? f->rows : f->stride;
    double *sum = left ? f->left_sum : f->right_sum;
    double *largest = left ? f->left_largest : f->right_largest;
    return (LineSizes){all_unscaled(sum, count, scale, arena),
                       all_unscaled(largest, count, scale, arena)};
}

void factors_build(Factors *f, const Operand *a, const Operand *b, int components, Arena *arena)
{
    size_t a_rows = a->rows * (size_t)components, b_columns = b->columns;
    *f = (Factors){.swapped = b_columns < a_rows,
                   .depth = a->columns * (size_t)components,
                   .a = a,
                   .b = b,
                   .components = (size_t)components};
    f->rows = f->swapped ? b_columns : a_rows;
    f->columns = f->swapped ? a_rows : b_columns;
    f->stride = (f->columns + PRODUCT_LANES - 1) / PRODUCT_LANES * PRODUCT_LANES;
    f->left_sum = arena_take(arena, f->rows, sizeof(double));
    f->left_largest = arena_take(arena, f->rows, sizeof(double));
    f->right_sum = arena_take_zeroed(arena, f->stride, sizeof(double));
    f->right_largest = arena_take_zeroed(arena, f->stride, sizeof(double));
    f->left_special = arena_take_zeroed(arena, f->rows, 1);
    f->right_special = arena_take_zeroed(arena, f->stride, 1);
    fill_factors(f, a, b, components, arena);
    f->left = f->raw_left;
    f->right = f->raw_right;
    if (a->has_nonfinite || b->has_nonfinite)
        separate_specials(f, arena);
    measure_factors(f);
    f->of_a = lines_of(f, !f->swapped, a->scale, arena);
    f->of_b = lines_of(f, f->swapped, b->scale, arena);
}

/* Contraction indices first..end-1 at which both factors exist. */
typedef struct DepthRange {
    int64_t first, end;
} DepthRange;

static void narrow(DepthRange *range, int64_t first, int64_t end)
{
    range->first = first > range->first ? first : range->first;
    range->end = end < range->end ? end : range->end;
}

static DepthRange depth_range(const Factors *f, size_t row, size_t column)
{
    DepthRange range = {0, (int64_t)(f->depth / f->components)};
    int64_t i = (int64_t)((f->swapped ? column : row) / f->components);
    int64_t j = (int64_t)(f->swapped ? row : column);
    if (f->a->limited)
        narrow(&range, i - f->a->below, i + f->a->above + 1);
    if (f->b->limited)
        narrow(&range, j - f->b->above, j + f->b->below + 1);
    return range;
}

static unsigned leaf_class(const Factors *f, size_t row, size_t column, size_t l, Reading reading)
{
    double x = f->raw_left[row * f->depth + l], y = f->raw_right[l * f->stride + column];
    if (isnan(x) || isnan(y) || x == 0 || y == 0)
        return reading == READING_SKIPPING && (x == 0 || y == 0) ? 0 : CLASS_NAN;
    return signbit(x) == signbit(y) ? CLASS_POSITIVE_INFINITY : CLASS_NEGATIVE_INFINITY;
}

unsigned factors_leaf_classes(const Factors *f, size_t row, size_t column, Reading reading)
{
    unsigned classes = 0;
    DepthRange range = {0, (int64_t)(f->depth / f->components)};
    if (reading != READING_FILLING)
        range = depth_range(f, row, column);
    const Specials *in[] = {&f->in_left, &f->in_right};
    size_t line[] = {row, column};
    int64_t first = range.first * (int64_t)f->components, end = range.end * (int64_t)f->components;
    for (int side = 0; side < 2 && f->in_left.first; side++)
        for (size_t k = in[side]->first[line[side]]; k < in[side]->first[line[side] + 1]; k++) {
            int64_t l = (int64_t)in[side]->at[k];
            if (l >= first && l < end)
                classes |= leaf_class(f, row, column, (size_t)l, reading);
            if (classes & CLASS_NAN)
                return classes;
        }
    return classes;
}
