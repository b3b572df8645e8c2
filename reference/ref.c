/* Allocates references, and combines them: sums of references, blocks put together, elements in
 * another order. */
#include "ref.h"

#include <math.h>
#include <string.h>

#include "mag.h"
#include "wide.h"

unsigned value_class(double value)
{
    if (isnan(value))
        return CLASS_NAN;
    if (isinf(value))
        return value > 0 ? CLASS_POSITIVE_INFINITY : CLASS_NEGATIVE_INFINITY;
    return CLASS_FINITE;
}

bool value_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

int value_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

unsigned sum_class(unsigned leaves)
{
    REQUIRE(leaves <= CLASS_ANY);
    unsigned infinities = leaves & CLASS_INFINITE;
    if ((leaves & CLASS_NAN) || infinities == CLASS_INFINITE)
        return CLASS_NAN;
    return infinities ? infinities : CLASS_FINITE;
}

/* How a change of Ref.exponent scales the entries of a column. */
typedef enum ColumnUnits {
    UNITS_NONE,  /* a count, a class or an unscaled value */
    UNITS_VALUE, /* in units of 2^exponent, scaled exactly */
    UNITS_BOUND, /* the same, rounded upward */
    UNITS_LOST   /* not scaled: the column is dropped */
} ColumnUnits;

/* One array of a Ref: `entry` bytes for each component of each element.  Optional ones are NULL
 * until a reference allocates them. */
typedef struct RefColumn {
    size_t offset, entry;
    ColumnUnits units;
    bool optional, seldom;
    unsigned char initial; /* every byte of it at first */
} RefColumn;

#define COLUMN(name, values, ...)                                                                  \
    {                                                                                              \
        .offset = offsetof(Ref, name), .entry = (values) * sizeof *((Ref *)0)->name, __VA_ARGS__   \
    }
static const RefColumn columns[] = {
    COLUMN(high, 1, .units = UNITS_VALUE),
    COLUMN(low, 1, .units = UNITS_VALUE),
    COLUMN(error, 1, .units = UNITS_BOUND),
    COLUMN(magnitude, 1, .units = UNITS_BOUND),
    COLUMN(addend, 1, .units = UNITS_BOUND),
    COLUMN(middle, 1, .units = UNITS_BOUND),
    COLUMN(underflow, 1, .units = UNITS_BOUND),
    COLUMN(factors, 1, .units = UNITS_BOUND, .seldom = true),
    COLUMN(square, 1, .units = UNITS_LOST, .optional = true),
    COLUMN(candidates, REF_CANDIDATES, .optional = true),
    COLUMN(spectrum, 1, .units = UNITS_BOUND, .optional = true),
    COLUMN(sizes, 1, .units = UNITS_BOUND, .optional = true),
    COLUMN(terms, 1),
    COLUMN(counts, 1, .optional = true),
    COLUMN(classes, 1, .initial = CLASS_FINITE),
    COLUMN(classes_skipping, 1, .initial = CLASS_FINITE),
    COLUMN(classes_filling, 1, .initial = CLASS_FINITE),
    COLUMN(match, 1),
};
_Static_assert(COUNT_OF(columns) * sizeof(void *) == offsetof(Ref, depth) - offsetof(Ref, high),
               "the table has every array of Ref");

static void *column_of(const Ref *ref, const RefColumn *column)
{
    void *data;
    memcpy(&data, (const char *)ref + column->offset, sizeof data);
    return data;
}

static void set_column(Ref *ref, const RefColumn *column, void *data)
{
    memcpy((char *)ref + column->offset, &data, sizeof data);
}

/* New arrays for the extents of ref: the required ones, and those optional ones that `like` has,
 * unless that is NULL.  Where not all are filled with their initial bytes, those are whose bytes
 * are not 0, and those that sums of products seldom have. */
static void allocate_columns(Ref *ref, const Ref *like, bool all, Arena *arena)
{
    for (size_t k = 0; k < COUNT_OF(columns); k++) {
        const RefColumn *column = &columns[k];
        bool present = !column->optional || (like && column_of(like, column));
        size_t bytes = ref->count * column->entry;
        void *data = present ? arena_take(arena, bytes, 1) : NULL;
        if (present && (all || column->initial || column->seldom))
            memset(data, column->initial, bytes);
        set_column(ref, column, data);
    }
}

/* Copies a run of components in every array that both have. */
static void copy_components(Ref *to, size_t at, const Ref *from, size_t source, size_t count)
{
    for (size_t k = 0; k < COUNT_OF(columns); k++) {
        size_t entry = columns[k].entry;
        char *own = column_of(to, &columns[k]);
        const char *other = column_of(from, &columns[k]);
        if (own && other)
            memcpy(own + at * entry, other + source * entry, count * entry);
    }
}

static Ref new_ref(DType dtype, size_t rows, size_t row_elements)
{
    return (Ref){
        .dtype = dtype,
        .accumulator = dtype,
        .lattice = REF_NO_LATTICE,
        .least = -INFINITY,
        .greatest = INFINITY,
        .rows = rows,
        .columns = row_elements,
        .count = rows * row_elements * (size_t)dtype_components(dtype),
    };
}

void ref_allocate(Ref *ref, DType dtype, size_t rows, size_t row_elements, Arena *arena)
{
    *ref = new_ref(dtype, rows, row_elements);
    allocate_columns(ref, NULL, true, arena);
}

void ref_allocate_sums(Ref *ref, DType dtype, size_t rows, size_t row_elements, Arena *arena)
{
    *ref = new_ref(dtype, rows, row_elements);
    allocate_columns(ref, NULL, false, arena);
}

void ref_set_classes(Ref *ref, size_t element, unsigned classes)
{
    REQUIRE(element < ref->count && classes <= CLASS_ANY);
    ref->classes[element] = (uint8_t)classes;
    ref->classes_skipping[element] = (uint8_t)classes;
    ref->classes_filling[element] = (uint8_t)classes;
}

void ref_set_exact(Ref *ref, size_t element, double value, RefMatch match)
{
    REQUIRE(match != MATCH_BOUND && match != MATCH_SET);
    ref_set_classes(ref, element, value_class(value));
    ref->match[element] = (uint8_t)(isfinite(value) ? match : MATCH_BOUND);
    ref->high[element] = isfinite(value) ? ldexp(value, -ref->exponent) : 0;
    ref->low[element] = ref->error[element] = 0;
}

void ref_put_one_of(Ref *ref, size_t element, const double *values, int count)
{
    REQUIRE(ref->candidates && count > 0);
    double *set = ref->candidates + element * REF_CANDIDATES;
    unsigned classes = 0;
    int numbers = 0;
    for (int k = 0; k < count; k++) {
        bool known = !isfinite(values[k]);
        classes |= value_class(values[k]);
        for (int i = 0; i < numbers && !known; i++)
            known = set[i] == values[k];
        if (!known && numbers == REF_CANDIDATES) {
            ref_admit_anything(ref, element);
            return;
        }
        if (!known)
            set[numbers++] = values[k];
    }
    for (int k = numbers; k < REF_CANDIDATES; k++)
        set[k] = numbers > 0 ? set[0] : 0;
    ref_set_exact(ref, element, numbers > 0 ? set[0] : values[0], MATCH_VALUE);
    ref_set_classes(ref, element, classes);
    if (numbers > 1)
        ref->match[element] = MATCH_SET;
}

void ref_admit_anything(Ref *ref, size_t element)
{
    for (size_t k = 0; k < COUNT_OF(columns); k++)
        if (!columns[k].optional)
            memset((char *)column_of(ref, &columns[k]) + element * columns[k].entry, 0,
                   columns[k].entry);
    ref_set_classes(ref, element, CLASS_ANY);
}

void ref_limit(Ref *ref, const Tensor *view)
{
    REQUIRE(!view->limited ||
            (ref->rows == (size_t)view->extent[0] && ref->columns == (size_t)view->extent[1]));
    size_t components = (size_t)dtype_components(ref->dtype);
    for (size_t i = 0; view->limited && i < ref->rows; i++) {
        TensorRow row = tensor_row(view, (int64_t)i);
        for (size_t j = 0; j < ref->columns; j++)
            for (size_t part = 0; part < components; part++) {
                size_t element = (i * ref->columns + j) * components + part;
                if ((int64_t)j >= row.first && (int64_t)j < row.end)
                    continue;
                ref_admit_anything(ref, element);
            }
    }
}

/* Classes of x + y for every pair of classes. */
static unsigned classes_added(unsigned x, unsigned y)
{
    unsigned sums = 0;
    for (unsigned a = 1; a <= CLASS_NAN; a <<= 1)
        for (unsigned b = 1; b <= CLASS_NAN; b <<= 1)
            if ((x & a) && (y & b))
                sums |= sum_class((a | b) & ~(unsigned)CLASS_FINITE);
    return sums;
}

static void scale_column(double *values, size_t count, int shift, ColumnUnits units)
{
    for (size_t i = 0; i < count; i++) {
        if (units == UNITS_BOUND)
            values[i] = ldexp_up(values[i], shift);
        else
            values[i] = ldexp(values[i], shift);
    }
}

/* Changes the units of every array to 2^exponent. */
static void change_exponent(Ref *ref, int exponent)
{
    int shift = ref->exponent - exponent;
    if (shift == 0)
        return;
    for (size_t k = 0; k < COUNT_OF(columns); k++) {
        void *data = column_of(ref, &columns[k]);
        if (columns[k].units == UNITS_LOST)
            set_column(ref, &columns[k], NULL);
        else if (columns[k].units != UNITS_NONE && data)
            scale_column(data, ref->count, shift, columns[k].units);
    }
    /* high and low may have become subnormal. */
    for (size_t i = 0; shift < 0 && i < ref->count; i++)
        ref->error[i] += 0x1p-1073;
    ref->exponent = exponent;
}

static void add_element(Ref *to, size_t i, const Ref *from, size_t k, bool negate)
{
    double sign = negate ? -1 : 1;
    Wide sum = wide_add((Wide){to->high[i], to->low[i]},
                        (Wide){sign * from->high[k], sign * from->low[k]});
    to->high[i] = sum.high;
    to->low[i] = sum.low;
    to->magnitude[i] = add_up(to->magnitude[i], from->magnitude[k]);
    to->addend[i] = add_up(to->addend[i], from->addend[k]);
    double terms = add_up(add_up(to->magnitude[i], to->addend[i]), fabs(sum.high));
    to->error[i] = add_up(add_up(to->error[i], from->error[k]), mul_up(WIDE_UNIT, terms));
    to->middle[i] = fmax(to->middle[i], from->middle[k]);
    to->underflow[i] = add_up(to->underflow[i], from->underflow[k]);
    to->factors[i] = add_up(to->factors[i], from->factors[k]);
    to->terms[i] += from->terms[k];
    int bits = to->lattice + dtype_format(to->dtype)->precision - to->exponent;
    bool exact = to->match[i] != MATCH_BOUND && from->match[k] != MATCH_BOUND &&
                 to->lattice != REF_NO_LATTICE &&
                 (bits > 1000 || to->magnitude[i] + to->addend[i] <= ldexp(1, bits));
    to->match[i] = exact ? MATCH_VALUE : MATCH_BOUND;
    if (to->square)
        to->square[i] += from->square[k];
    uint8_t *own[] = {to->classes, to->classes_skipping, to->classes_filling};
    const uint8_t *other[] = {from->classes, from->classes_skipping, from->classes_filling};
    for (int reading = 0; reading < 3; reading++) {
        unsigned classes = other[reading][k], infinite = classes & CLASS_INFINITE;
        if (negate && infinite != 0 && infinite != CLASS_INFINITE)
            classes ^= CLASS_INFINITE;
        own[reading][i] = (uint8_t)classes_added(own[reading][i], classes);
    }
}

/* A complex factor, even 1, adds multiples of both parts of a sum: an overflow in one part may
 * reach the other, and both magnitudes count among the intermediates of either. */
static void couple_parts(Ref *ref)
{
    for (size_t i = 0; i + 1 < ref->count; i += 2) {
        double re = ref->magnitude[i] + ref->addend[i];
        double im = ref->magnitude[i + 1] + ref->addend[i + 1];
        double top = fmax(fmax(re, im), fmax(ref->middle[i], ref->middle[i + 1]));
        ref->middle[i] = ref->middle[i + 1] = top;
    }
}

void ref_add(Ref *to, const Ref *added, RefAddition addition)
{
    REQUIRE(to->rule == added->rule && to->count == added->count);
    REQUIRE(addition == ADD_PLAIN ? to->rows == added->rows : to->rows == added->columns);
    Ref from = *added;
    size_t components = (size_t)dtype_components(to->dtype);
    int exponent = to->exponent > from.exponent ? to->exponent : from.exponent;
    change_exponent(to, exponent);
    change_exponent(&from, exponent);
    if (!from.square)
        to->square = NULL;
    to->lattice = to->lattice < from.lattice ? to->lattice : from.lattice;
    to->scale_roundings =
        to->scale_roundings > from.scale_roundings ? to->scale_roundings : from.scale_roundings;
    to->addend_roundings =
        to->addend_roundings > from.addend_roundings ? to->addend_roundings : from.addend_roundings;
    for (size_t i = 0; i < to->rows; i++)
        for (size_t j = 0; j < to->columns; j++)
            for (size_t part = 0; part < components; part++) {
                size_t entry = addition == ADD_PLAIN ? i * to->columns + j : j * from.columns + i;
                add_element(to, (i * to->columns + j) * components + part, &from,
                            entry * components + part,
                            part == 1 && addition == ADD_CONJUGATE_TRANSPOSED);
            }
    if (components == 2)
        couple_parts(to);
}

int ref_factor_bits(const Tensor *left, const Tensor *right)
{
    int a = dtype_format(left->dtype)->precision, b = dtype_format(right->dtype)->precision;
    return a > b ? a : b;
}

void ref_add_alternative(Ref *ref, const Ref *alternative, const char *policy, Arena *arena)
{
    REQUIRE(policy && alternative->count == ref->count);
    Ref *copy = arena_take(arena, 1, sizeof *copy);
    *copy = *alternative;
    copy->policy = policy;
    copy->alternative = NULL;
    while (ref->alternative)
        ref = ref->alternative;
    ref->alternative = copy;
}

double ref_wrapped(DType dtype, long double exact)
{
    return dtype_whole(dtype_whole_of(dtype, dtype_bits_of(exact)));
}

/* One of two integers. */
static void put_either(Ref *ref, size_t element, double one, double other)
{
    double *set = ref->candidates + element * REF_CANDIDATES;
    set[0] = one;
    set[1] = set[2] = other;
    ref_set_exact(ref, element, set[0], MATCH_VALUE);
    ref->match[element] = MATCH_SET;
}

void ref_put_integer(Ref *ref, size_t element, long double exact)
{
    REQUIRE(dtype_is_integer(ref->dtype));
    enum { BITS = 64 };
    long double low = dtype_lowest(ref->dtype), high = dtype_highest(ref->dtype);
    bool is_inside = exact >= low && exact <= high;
    if (is_inside) {
        ref_set_exact(ref, element, dtype_whole(exact), MATCH_VALUE);
        ref->low[element] = (double)(exact - (long double)ref->high[element]);
    } else if (!(fabsl(exact) < ldexpl(1, BITS)) || !ref->candidates)
        ref_set_classes(ref, element, CLASS_ANY);
    else
        put_either(ref, element, ref_wrapped(ref->dtype, exact),
                   dtype_whole(exact < low ? low : high));
}

void ref_put_whole(Ref *ref, size_t element, uint64_t bits, long double value, long double error)
{
    REQUIRE(dtype_is_integer(ref->dtype) && !(error < 0));
    bool from_zero = ref->dtype == DT_U64;
    long double rest = dtype_whole_of(from_zero ? DT_U64 : DT_I64, bits);
    if (from_zero ? value - error > -1 && value + error < 0x1p64L : fabsl(value) + error < 0x1p63L)
        ref_put_integer(ref, element, rest);
    else if (!(fabsl(value) > error) || !ref->candidates)
        ref_set_classes(ref, element, CLASS_ANY);
    else
        put_either(ref, element, ref_wrapped(ref->dtype, rest),
                   value < 0 ? dtype_lowest(ref->dtype) : dtype_whole(dtype_highest(ref->dtype)));
}

void ref_narrow(Ref *ref, DType dtype)
{
    REQUIRE(dtype_components(dtype) == dtype_components(ref->dtype));
    ref->dtype = dtype;
    ref->square = NULL;
    for (size_t i = 0; i < ref->count; i++) {
        if (ref->match[i] == MATCH_BOUND)
            continue;
        double exact = ldexp(ref->high[i], ref->exponent);
        bool representable = ref->low[i] == 0 && dtype_round(dtype, exact) == exact;
        ref->match[i] = representable ? ref->match[i] : MATCH_BOUND;
    }
}

void ref_leave(Ref *ref, size_t element, Arena *arena)
{
    if (!ref->unspecified)
        ref->unspecified = arena_take_zeroed(arena, ref->count, 1);
    ref->unspecified[element] = 1;
    ref_set_classes(ref, element, CLASS_ANY);
}

void ref_spread_special(Ref *ref, size_t element)
{
    REQUIRE(element % 2 == 0 && element + 1 < ref->count);
    unsigned special = ~(unsigned)CLASS_FINITE;
    if (!((ref->classes[element] | ref->classes[element + 1]) & special))
        return;
    for (size_t part = element; part < element + 2; part++)
        ref_set_classes(ref, part, ref->classes[part] | ref->classes_skipping[part] | CLASS_NAN);
}

void ref_join(Ref *to, Ref *blocks, size_t count, int axis)
{
    REQUIRE(axis == 0 || axis == 1);
    size_t components = (size_t)dtype_components(to->dtype), row = 0, column = 0;
    int exponent = count > 0 ? blocks[0].exponent : 0;
    to->lattice = count > 0 ? blocks[0].lattice : to->lattice;
    for (size_t b = 1; b < count; b++) {
        exponent = blocks[b].exponent > exponent ? blocks[b].exponent : exponent;
        to->lattice = blocks[b].lattice < to->lattice ? blocks[b].lattice : to->lattice;
    }
    to->exponent = exponent;
    for (size_t b = 0; b < count; b++) {
        Ref *block = &blocks[b];
        REQUIRE(block->dtype == to->dtype && row + block->rows <= to->rows &&
                column + block->columns <= to->columns);
        change_exponent(block, exponent);
        to->depth = block->depth > to->depth ? block->depth : to->depth;
        to->factor_bits = block->factor_bits;
        to->scale_roundings = block->scale_roundings;
        to->addend_roundings = block->addend_roundings;
        for (size_t i = 0; i < block->rows; i++)
            copy_components(to, ((row + i) * to->columns + column) * components, block,
                            i * block->columns * components, block->columns * components);
        row += axis == 0 ? block->rows : 0;
        column += axis == 1 ? block->columns : 0;
    }
}

Ref ref_rows(const Ref *ref, size_t first, size_t rows)
{
    REQUIRE(first + rows <= ref->rows);
    Ref part = *ref;
    size_t of_row = ref->columns * (size_t)dtype_components(ref->dtype);
    part.rows = rows;
    part.count = rows * of_row;
    for (size_t k = 0; k < COUNT_OF(columns); k++) {
        char *data = column_of(ref, &columns[k]);
        set_column(&part, &columns[k], data ? data + first * of_row * columns[k].entry : NULL);
    }
    return part;
}

void ref_gather_from(Ref *ref, const Ref *from, size_t first, const Tensor *order, Arena *arena)
{
    size_t inner = order->rank > 0 ? (size_t)order->extent[order->rank - 1] : 1;
    size_t elements = (size_t)tensor_count(order);
    size_t components = (size_t)dtype_components(from->dtype);
    *ref = *from;
    ref->policy = NULL;
    ref->alternative = NULL;
    ref->rows = inner ? elements / inner : 0;
    ref->columns = inner;
    ref->count = elements * components;
    allocate_columns(ref, from, true, arena);
    for (size_t i = 0; i < elements; i++) {
        size_t source = first + (size_t)tensor_offset_of(order, (int64_t)i);
        REQUIRE((source + 1) * components <= from->count);
        copy_components(ref, i * components, from, source * components, components);
    }
    for (const Ref *other = from->alternative; other; other = other->alternative) {
        Ref alone = *other, gathered;
        alone.alternative = NULL;
        ref_gather_from(&gathered, &alone, first, order, arena);
        ref_add_alternative(ref, &gathered, other->policy, arena);
    }
}

void ref_gather(Ref *ref, const Ref *from, const Tensor *order, Arena *arena)
{
    ref_gather_from(ref, from, 0, order, arena);
}

void ref_interleave(Ref *ref, const Ref *re, const Ref *im, DType dtype, Arena *arena)
{
    REQUIRE(re->count == im->count && re->exponent == im->exponent && re->rule == im->rule);
    REQUIRE(dtype_component(dtype) == re->dtype && !re->alternative == !im->alternative);
    *ref = *re;
    ref->dtype = ref->accumulator = dtype;
    ref->count = 2 * re->count;
    ref->square = NULL;
    ref->lattice = re->lattice < im->lattice ? re->lattice : im->lattice;
    ref->policy = NULL;
    ref->alternative = NULL;
    allocate_columns(ref, ref, true, arena);
    for (size_t i = 0; i < re->count; i++) {
        copy_components(ref, 2 * i, re, i, 1);
        copy_components(ref, 2 * i + 1, im, i, 1);
    }
    for (const Ref *a = re->alternative, *b = im->alternative; a; a = a->alternative) {
        Ref joined, of_re = *a, of_im = *b;
        of_re.alternative = of_im.alternative = NULL;
        ref_interleave(&joined, &of_re, &of_im, dtype, arena);
        ref_add_alternative(ref, &joined, a->policy, arena);
        b = b->alternative;
    }
}

double ref_result(const Ref *ref, size_t element)
{
    REQUIRE(element < ref->count);
    unsigned classes = ref->classes[element];
    bool interval = ref->match[element] == MATCH_BOUND;
    double exact = interval ? ref->high[element] + ref->low[element] : ref->high[element];
    if (classes == CLASS_ANY)
        return NAN;
    if (classes & CLASS_FINITE)
        return ldexp(exact, ref->exponent);
    if (classes & CLASS_NAN)
        return NAN;
    return classes & CLASS_POSITIVE_INFINITY ? INFINITY : -INFINITY;
}

static bool part_is_open(const Ref *refs, int count, size_t part, size_t parts)
{
    size_t elements = 0;
    for (int i = 0; i < count; i++) {
        size_t size = refs[i].count / parts;
        elements += size;
        for (size_t at = part * size; at < (part + 1) * size; at++)
            if (refs[i].classes[at] != CLASS_ANY)
                return false;
    }
    return elements > 0;
}

bool refs_have_open_part(const Ref *refs, int count, size_t parts)
{
    bool open = false;
    for (size_t part = 0; part < parts && !open; part++)
        open = part_is_open(refs, count, part, parts);
    return open;
}
