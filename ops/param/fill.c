/* Data of operands: each kind of recipe, element by element, and the draw of recipes that fit
 * together. */
#include "fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/power.h"
#include "reference/random_loops.h"

const char *const fill_kind_names[] = {
    "ones", "zeros", "int",    "list", "wide", "normal", "positive", "exponents", "cancel",
    "huge", "tiny",  "sparse", "bits", "near", "parts",  "offset",   NULL};

typedef enum Special {
    SPECIAL_NONE,
    SPECIAL_ZERO,
    SPECIAL_NAN,
    SPECIAL_INF,
    SPECIAL_MINUS_INF,
    SPECIAL_MINUS_ZERO,
    SPECIAL_LARGEST,
    SPECIAL_SMALLEST_NORMAL,
    SPECIAL_SUBNORMAL,
    SPECIAL_ONE_UP
} Special;

static const char *const special_names[] = {"none", "zero", "nan",       "inf",    "-inf", "-0",
                                            "max",  "min",  "subnormal", "one_up", NULL};

typedef enum Place {
    PLACE_FIRST,
    PLACE_LAST,
    PLACE_MIDDLE,
    PLACE_ROW_END,
    PLACE_COLUMN_END,
    PLACE_ANY,
    PLACE_ALL
} Place;

static const char *const place_names[] = {"first",      "last", "middle", "row_end",
                                          "column_end", "any",  "all",    NULL};

const Param fill_params[] = {
    P_CHOICE(Fill, kind, fill_kind_names, "how values are made"),
    P_SEED(Fill, seed, "stream of the random values"),
    P_INTEGER(Fill, scale, -1100, 1100, 0, "power of two that multiplies every value"),
    P_CHOICE(Fill, special, special_names, "one special value among the others"),
    P_CHOICE(Fill, place, place_names, "where the special value lies"),
    P_LIST(Fill, values, "explicit values of kind list"),
    P_END,
};

typedef struct Writer {
    const Fill *fill;
    uint64_t stream;
    int64_t rows, columns;
    const FillTarget *target;
    const Format *format;
    int components;
    RandomIntegers integers;
    int64_t special_row, special_column;
    double factors[2]; /* their product is 2^scale: the second alone may round */
} Writer;

/* Pairs along the contraction are equal up to a relative 2^-10..2^-20, with opposite signs on the
 * right side, so that each sum nearly vanishes. */
static double cancel_value(const Writer *w, uint64_t seed, int64_t along, int64_t across)
{
    uint64_t base = random_at(seed, (uint64_t)(along / 2) * 0x100003u + (uint64_t)across);
    double value = random_normal(base, random_mix(base));
    if (along % 2 == 0)
        return value;
    double noise =
        times_power_of_two(random_unit(random_mix(base + 1)) - 0.5, -10 - (int)(base % 11));
    return (w->target->part == PART_RIGHT ? -value : value) * (1 + noise);
}

/* Exponent and significand are uniform, subnormal numbers included; integers over their range. */
static double bits_value(const Writer *w, uint64_t word)
{
    const Format *f = w->format;
    double sign = word & 1 ? -1 : 1, fraction = random_unit(random_mix(word));
    if (f->unit == 0) {
        double low = dtype_lowest(w->target->tensor.dtype);
        return low + fraction * (f->largest - low);
    }
    int span = f->maximum_exponent - f->minimum_exponent + 2;
    int exponent = f->minimum_exponent - 1 + (int)((word >> 1) % (uint64_t)span);
    if (exponent < f->minimum_exponent)
        return sign * times_power_of_two(floor(times_power_of_two(fraction, f->precision - 1)),
                                         f->minimum_exponent + 1 - f->precision);
    double value = times_power_of_two(
        1 + floor(times_power_of_two(fraction, f->precision - 1)) * 2 * f->unit, exponent);
    return sign * (value > f->largest ? f->largest : value);
}

static double near_value(const Writer *w, uint64_t word)
{
    static const double centres[] = {1, 1, 1, -1, 0.5, 2};
    double centre = centres[word % COUNT_OF(centres)];
    int64_t steps = (int64_t)(word >> 8 & 31) - 16;
    return centre + (double)steps * centre * w->format->unit;
}

/* Zeros of both signs, infinities, NaN, ends of the range, the places of branch points and poles:
 * one in two is a number of any size instead, so that each meets each. */
static double part_value(const Writer *w, uint64_t word)
{
    const Format *f = w->format;
    const double half_pi = 1.5707963267948966;
    const double values[] = {
        0,   -0.0,     1,         -1,         0.5,         -2,
        NAN, INFINITY, -INFINITY, f->largest, -f->largest, f->smallest_normal,
        0,   -0.0,     half_pi,   -half_pi,   2 * half_pi, f->smallest_subnormal};
    uint64_t choice = word >> 8;
    double normal = random_normal(random_mix(word), random_mix(word + 1));
    switch (word % 8) {
    case 0:
        return normal;
    case 1:
        return normal * power_of_two((int)(choice % 33) - 16);
    case 2:
        return bits_value(w, random_mix(word + 2));
    case 3:
        return near_value(w, choice);
    default:
        return values[choice % COUNT_OF(values)];
    }
}

/* What all values of a tensor have in common: its size is 4 or more, leaves a number of variance 1
 * two bits at least, and its square within the range. */
static double common_offset(const Writer *w, uint64_t seed)
{
    enum { EXPONENT_LEAST = 2, BITS_LEFT = 2 };
    uint64_t word = random_mix(seed);
    int most = w->format->precision - 1 - BITS_LEFT, half = w->format->maximum_exponent / 2;
    most = most < half ? most : half;
    int choices = most > EXPONENT_LEAST ? most - EXPONENT_LEAST + 1 : 1;
    double size = (1 + random_unit(random_mix(word))) *
                  power_of_two(EXPONENT_LEAST + (int)((word >> 1) % (uint64_t)choices));
    return word & 1 ? -size : size;
}

static double kind_value(const Writer *w, int64_t row, int64_t column, int part)
{
    const Fill *fill = w->fill;
    uint64_t seed = w->stream;
    uint64_t index =
        (uint64_t)(row * w->columns + column) * (uint64_t)w->components + (uint64_t)part;
    uint64_t word = random_at(seed, index);
    switch ((FillKind)fill->kind) {
    case FILL_ONES:
        return part == 0 ? 1 : 0;
    case FILL_ZEROS:
        return 0;
    case FILL_INT:
    case FILL_WIDE:
        return random_integer(w->integers, word);
    case FILL_LIST:
        return fill->values.count ? fill->values.values[index % (uint64_t)fill->values.count] : 0;
    case FILL_POSITIVE:
        return random_unit(word);
    case FILL_EXPONENTS:
        return random_normal(word, random_mix(word)) *
               power_of_two((int)(random_mix(word + 1) % 33) - 16);
    case FILL_CANCEL: {
        bool down = w->target->contraction == 0;
        return cancel_value(w, seed + (uint64_t)part, down ? row : column, down ? column : row);
    }
    case FILL_BITS:
        return bits_value(w, word);
    case FILL_NEAR:
        return near_value(w, word);
    case FILL_PARTS:
        return part_value(w, word);
    case FILL_OFFSET:
        return common_offset(w, seed) + random_normal(word, random_mix(word));
    case FILL_SPARSE:
        return word % 10 ? 0 : random_normal(word >> 4, random_mix(word));
    default:
        return random_normal(word, random_mix(word));
    }
}

static double special_value(const Fill *fill, const Format *format)
{
    switch ((Special)fill->special) {
    case SPECIAL_NAN:
        return NAN;
    case SPECIAL_INF:
        return INFINITY;
    case SPECIAL_MINUS_INF:
        return -INFINITY;
    case SPECIAL_MINUS_ZERO:
        return -0.0;
    case SPECIAL_LARGEST:
        return format->largest;
    case SPECIAL_SMALLEST_NORMAL:
        return format->smallest_normal;
    case SPECIAL_SUBNORMAL:
        return format->smallest_subnormal * 3;
    case SPECIAL_ONE_UP:
        return 1 + 2 * format->unit;
    default:
        return 0;
    }
}

bool fill_special(const Fill *fill, DType dtype, double *value)
{
    *value = special_value(fill, dtype_format(dtype));
    return fill->special != SPECIAL_NONE;
}

static bool is_special_place(const Writer *w, int64_t row, int64_t column)
{
    return w->fill->special != SPECIAL_NONE &&
           (w->fill->place == PLACE_ALL || (row == w->special_row && column == w->special_column));
}

static double special_of(const Writer *w)
{
    double value = special_value(w->fill, w->format);
    bool whole = w->format->unit == 0;
    return whole && w->target->positive ? fabs(value) : value;
}

static double probability_of(double value)
{
    return fabs(value) > 1 ? 1 / fabs(value) : fabs(value);
}

static void scale_values(const Writer *w, size_t count, double *values)
{
    const double first = w->factors[0], second = w->factors[1], largest = w->format->largest;
    for (size_t i = 0; i < count; i++) {
        double value = values[i] * first * second;
        bool within = isnan(value) || fabs(value) <= largest;
        values[i] = within ? value : copysign(largest, value);
    }
}

/* Each row or column has a sign of its own, along the contraction. */
static void sign_values(const Writer *w, int64_t row, int64_t column, int64_t count, double *values)
{
    uint64_t stream = random_mix((uint64_t)w->fill->seed ^ 0x5157u);
    bool down = w->target->contraction == 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t along = (uint64_t)(down ? row : column + i);
        bool turned = random_at(stream, along) & 1;
        for (int part = 0; part < w->components; part++, values++)
            *values = turned ? -*values : *values;
    }
}

/* What becomes of values that a kind made, in one row: all but the special ones. */
static void adjust_values(const Writer *w, int64_t row, int64_t column, int64_t count,
                          double *values)
{
    size_t numbers = (size_t)(count * w->components);
    if (w->fill->scale != 0)
        scale_values(w, numbers, values);
    for (size_t i = 0; w->target->positive && i < numbers; i++)
        values[i] = fabs(values[i]);
    if (w->target->signs)
        sign_values(w, row, column, count, values);
    for (int64_t i = 0; w->fill->special != SPECIAL_NONE && i < count; i++)
        for (int part = 0; is_special_place(w, row, column + i) && part < w->components; part++)
            values[i * w->components + part] = part == 0 ? special_of(w) : 0;
    for (size_t i = 0; w->target->probability && i < numbers; i++)
        values[i] = probability_of(values[i]);
}

/* Values as their kind makes them and nothing else, which large cases have. */
static bool has_plain_values(const Writer *w)
{
    const Fill *fill = w->fill;
    const FillTarget *target = w->target;
    return fill->special == SPECIAL_NONE && fill->scale == 0 && !target->positive &&
           !target->signs && !target->probability;
}

/* Of kinds whose values follow from one word of the stream each, many at once; false, with zeros,
 * for the others. */
static bool make_values(const Writer *w, uint64_t first, size_t count, double *values)
{
    switch ((FillKind)w->fill->kind) {
    case FILL_INT:
    case FILL_WIDE:
        random_integers(w->integers, w->stream, first, count, values);
        return true;
    case FILL_POSITIVE:
        random_units(w->stream, first, count, values);
        return true;
    case FILL_NORMAL:
    case FILL_HUGE:
    case FILL_TINY:
        random_normals(w->stream, first, count, values);
        return true;
    default:
        memset(values, 0, count * sizeof *values);
        return false;
    }
}

/* The same of any kind, in one row. */
static void make_each(const Writer *w, int64_t row, int64_t column, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < w->components; part++)
            *values++ = kind_value(w, row, column + i, part);
}

/* Values that lie `step` apart, to components that lie `stride` apart. */
static void store_values(DType dtype, void *base, int64_t stride, const double *values,
                         int64_t step, int64_t count)
{
    float *narrow = base;
    double *wide = base;
    switch (dtype_component(dtype)) {
    case DT_F32:
        for (int64_t i = 0; i < count; i++)
            narrow[i * stride] = (float)values[i * step];
        break;
    case DT_F64:
        for (int64_t i = 0; i < count; i++)
            wide[i * stride] = values[i * step];
        break;
    default:
        for (int64_t i = 0; i < count; i++)
            dtype_store(dtype, base, i * stride, values[i * step]);
    }
}

static void *component_at(DType dtype, void *base, int64_t number)
{
    return (char *)base + number * (int64_t)dtype_component_size(dtype);
}

enum { TILE_ROWS = 16, TILE_COLUMNS = 64 };

/* One tile of a matrix, column by column. */
static bool write_tile(const Writer *w, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    double values[TILE_ROWS][2 * TILE_COLUMNS];
    const Tensor *t = &w->target->tensor;
    int64_t parts = w->components;
    for (int64_t i = 0; i < rows; i++)
        if (!make_values(w, (uint64_t)(((row + i) * w->columns + column) * parts),
                         (size_t)(columns * parts), values[i]))
            return false;
    for (int64_t j = 0; j < columns; j++)
        for (int64_t part = 0; part < parts; part++) {
            int64_t number = tensor_offset(t, row, column + j) * parts + part;
            store_values(t->dtype, component_at(t->dtype, t->origin, number), t->stride[0] * parts,
                         &values[0][j * parts + part], 2 * TILE_COLUMNS, rows);
        }
    return true;
}

/* A matrix whose columns are dense: by rows each element would wait for memory.  False where it is
 * none, or its values do not follow from one word each. */
static bool write_tiles(const Writer *w)
{
    const Tensor *t = &w->target->tensor;
    if (t->rank != 2 || t->limited || t->packing != PACKING_NONE || t->storage != 0 ||
        llabs(t->stride[0]) >= llabs(t->stride[1]) || !has_plain_values(w))
        return false;
    for (int64_t row = 0; row < w->rows; row += TILE_ROWS)
        for (int64_t column = 0; column < w->columns; column += TILE_COLUMNS) {
            int64_t rows = w->rows - row, columns = w->columns - column;
            if (!write_tile(w, row, rows < TILE_ROWS ? rows : TILE_ROWS, column,
                            columns < TILE_COLUMNS ? columns : TILE_COLUMNS))
                return false;
        }
    return true;
}

/* In one row. */
static void write_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    enum { AT_ONCE = 256 };
    double values[AT_ONCE];
    const Writer *w = context;
    DType dtype = w->target->tensor.dtype;
    int64_t parts = w->components, row = first / w->columns, column = first % w->columns;
    for (int64_t done = 0; done < count; done += AT_ONCE / parts) {
        int64_t some = count - done < AT_ONCE / parts ? count - done : AT_ONCE / parts;
        if (!make_values(w, (uint64_t)((first + done) * parts), (size_t)(some * parts), values))
            make_each(w, row, column + done, some, values);
        adjust_values(w, row, column + done, some, values);
        for (int64_t part = 0; part < parts; part++)
            store_values(dtype, component_at(dtype, at, done * stride * parts + part),
                         stride * parts, values + part, parts, some);
    }
}

static int bits_for(int64_t count)
{
    int bits = 0;
    while (count > (int64_t)1 << bits)
        bits++;
    return bits;
}

/* Wide ones leave room for depth products and an addend of as many bits each, doubled for complex
 * sums. */
static RandomIntegers integers_of(const Writer *w)
{
    int bits = w->format->precision - bits_for(2 * w->target->depth + 2) - 1;
    if (w->fill->kind == FILL_INT)
        return (RandomIntegers){.mask = 3, .more = 1};
    if (w->target->part == PART_RIGHT || bits < 2)
        return (RandomIntegers){.odd = 1};
    return (RandomIntegers){.mask = (1ull << bits) - 1, .odd = 1};
}

static void choose_special_place(Writer *w)
{
    int64_t last_row = w->rows - 1, last_column = w->columns - 1;
    uint64_t word = random_mix((uint64_t)w->fill->seed ^ 0x9c1au);
    switch ((Place)w->fill->place) {
    case PLACE_LAST:
        w->special_row = last_row;
        w->special_column = last_column;
        break;
    case PLACE_MIDDLE:
        w->special_row = last_row / 2;
        w->special_column = last_column / 2;
        break;
    case PLACE_ROW_END:
        w->special_column = last_column;
        break;
    case PLACE_COLUMN_END:
        w->special_row = last_row;
        break;
    case PLACE_ANY:
        w->special_row = (int64_t)(word % (uint64_t)(last_row + 1));
        w->special_column = (int64_t)((word >> 32) % (uint64_t)(last_column + 1));
        break;
    default:
        break;
    }
}

/* Indices from the seed; where they must differ along an axis, a rotation of it. */
static void write_indices(const Fill *fill, const FillTarget *target)
{
    const Tensor *t = &target->tensor;
    int axis = target->index_axis - 1;
    int64_t inner = 1, count = tensor_count(t);
    for (int i = axis + 1; axis >= 0 && i < t->rank; i++)
        inner *= t->extent[i];
    uint64_t turn = random_mix((uint64_t)fill->seed);
    for (int64_t i = 0; i < count; i++) {
        uint64_t word = axis < 0 ? random_at(turn, (uint64_t)i)
                                 : turn % 65536 + (uint64_t)(i / inner % t->extent[axis]);
        dtype_store(
            t->dtype, t->origin, tensor_offset_of(t, i),
            (double)(target->index_first + (int64_t)(word % (uint64_t)target->index_below)));
    }
}

void fill_write(const Fill *fill, const FillTarget *target)
{
    if (tensor_count(&target->tensor) == 0)
        return;
    if (target->index_below > 0) {
        write_indices(fill, target);
        return;
    }
    const Format *format = dtype_format(target->tensor.dtype);
    const Tensor *tensor = &target->tensor;
    int64_t columns = tensor->rank > 0 ? tensor->extent[tensor->rank - 1] : 1, rows = 1;
    for (int axis = 0; axis + 1 < tensor->rank; axis++)
        rows *= tensor->extent[axis];
    Writer w = {
        .rows = rows,
        .columns = columns,
        .fill = fill,
        .target = target,
        .format = format,
        .components = dtype_components(target->tensor.dtype),
        .stream = random_mix((uint64_t)fill->seed * 4 + target->part),
        .factors = {power_of_two((int)(fill->scale / 2)),
                    power_of_two((int)(fill->scale - fill->scale / 2))},
    };
    w.integers = integers_of(&w);
    choose_special_place(&w);
    if (!write_tiles(&w))
        tensor_visit_runs(&target->tensor, write_run, &w);
}

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

void fill_sort(const Tensor *t)
{
    size_t extent = t->rank > 0 ? (size_t)t->extent[t->rank - 1] : 1;
    int64_t rows = extent > 0 ? tensor_count(t) / (int64_t)extent : 0;
    double *row = memory_allocate(extent + 1, sizeof *row);
    for (int64_t r = 0; r < rows; r++) {
        int64_t first = r * (int64_t)extent;
        for (size_t k = 0; k < extent; k++)
            row[k] = tensor_value(t, first + (int64_t)k);
        qsort(row, extent, sizeof *row, compare_values);
        for (size_t k = 0; k < extent; k++)
            dtype_store(t->dtype, t->origin, tensor_offset_of(t, first + (int64_t)k), row[k]);
    }
    free(row);
}

void fill_reflect(const Tensor *t, double least)
{
    enum { KEPT = 8 };
    for (int64_t i = 0, count = tensor_count(t); i < count; i++) {
        double value = tensor_value(t, i);
        if (value < least && i % KEPT != KEPT - 1)
            dtype_store(t->dtype, t->origin, tensor_offset_of(t, i), least + (least - value));
    }
}

void fill_nonzero(const Tensor *t)
{
    for (int64_t i = 0, count = tensor_count(t); i < count; i++)
        if (tensor_value(t, i) == 0)
            dtype_store(t->dtype, t->origin, tensor_offset_of(t, i), 1);
}

bool fill_is_exchangeable(const Fill *fill)
{
    return fill->kind == FILL_NORMAL && fill->special == SPECIAL_NONE;
}

/* Scales of the two factors that bring products near `target`, and of the addend. */
static void draw_scales(Fill *fills, int count, Draw *draw, int target)
{
    int first = target / 2 + (int)choice_between(&draw->choices, -20, 20);
    int jitter = (int)choice_between(&draw->choices, -6, 4);
    int scales[3] = {first, target - first + jitter, target};
    for (int i = 0; i < count && i < 3; i++)
        fills[i].scale = scales[i];
}

/* One of the kinds of the mask, each as likely as the others. */
static FillKind draw_of_mask(Choices *choices, uint32_t kinds)
{
    int64_t left = choice_below(choices, __builtin_popcount(kinds));
    for (int kind = 0; kind < FILL_KIND_COUNT; kind++)
        if ((kinds >> kind & 1) && left-- == 0)
            return (FillKind)kind;
    return FILL_ONES;
}

static FillKind draw_kind(Choices *choices, uint32_t kinds)
{
    if (kinds)
        return draw_of_mask(choices, kinds);
    static const struct {
        uint8_t limit;
        FillKind kind;
    } shares[] = {{18, FILL_INT},       {30, FILL_WIDE},   {55, FILL_NORMAL}, {60, FILL_POSITIVE},
                  {70, FILL_EXPONENTS}, {78, FILL_CANCEL}, {85, FILL_HUGE},   {92, FILL_TINY},
                  {97, FILL_SPARSE},    {100, FILL_ONES}};
    int64_t share = choice_below(choices, 100);
    for (size_t i = 0; i < COUNT_OF(shares); i++)
        if (share < shares[i].limit)
            return shares[i].kind;
    return FILL_ONES;
}

/* Of operands that differ in kind some are the numbers that kernels have a way of their own for. */
static FillKind draw_mixed_kind(Choices *choices, uint32_t kinds)
{
    enum { ONE_IN = 8 };
    int64_t turn = choice_below(choices, 2 * ONE_IN);
    return turn == 0 ? FILL_ONES : turn == 1 ? FILL_ZEROS : draw_kind(choices, kinds);
}

void fill_draw_all(Fill *fills, int count, uint32_t kinds, Draw *draw)
{
    Choices *choices = &draw->choices;
    const Format *format = dtype_format(draw->dtype);
    if (kinds && dtype_components(draw->dtype) == 2)
        kinds |= 1u << FILL_PARTS;
    FillKind common = draw_kind(choices, kinds);
    bool mixed = choice_below(choices, 8) == 7;
    bool specials = choice_below(choices, 12) == 11 && !(draw->swarm & SWARM_PLAIN_FILLS);
    if (draw->unbiased && (!kinds || (kinds >> FILL_NORMAL & 1))) {
        common = FILL_NORMAL;
        mixed = specials = false;
    }
    for (int i = 0; i < count; i++) {
        for (const Param *param = fill_params; param->name; param++)
            param_set_simplest(param, &fills[i]);
        fills[i].kind = mixed ? draw_mixed_kind(choices, kinds) : common;
        if ((draw->swarm & SWARM_PLAIN_FILLS) && (!kinds || (kinds >> FILL_INT & 1)))
            fills[i].kind = FILL_INT;
        fills[i].seed = (int64_t)choice_bytes(choices, 2);
        if (specials && choice_below(choices, 2)) {
            fills[i].special = choice_below(choices, COUNT_OF(special_names) - 1);
            fills[i].place = choice_below(choices, COUNT_OF(place_names) - 1);
        }
    }
    if (common == FILL_HUGE && !mixed)
        draw_scales(fills, count, draw, format->maximum_exponent);
    if (common == FILL_TINY && !mixed)
        draw_scales(fills, count, draw, format->minimum_exponent - format->precision / 2);
    if (common == FILL_INT && choice_below(choices, 4) == 3)
        draw_scales(fills, count, draw, (int)choice_between(choices, -60, 60));
}
