/* Making and combining references. */
#include "ref.h"

#include <math.h>
#include <string.h>

#include "wide.h"

unsigned value_class(double value)
{
    if (isnan(value))
        return CLASS_NAN;
    if (isinf(value))
        return value > 0 ? CLASS_POSITIVE_INFINITY : CLASS_NEGATIVE_INFINITY;
    return CLASS_FINITE;
}

unsigned sum_class(unsigned leaves)
{
    unsigned infinities = leaves & CLASS_INFINITE;
    if ((leaves & CLASS_NAN) || infinities == CLASS_INFINITE)
        return CLASS_NAN;
    return infinities ? infinities : CLASS_FINITE;
}

void ref_allocate(Ref *ref, DType dtype, size_t rows, size_t columns, Arena *arena)
{
    size_t count = rows * columns * (size_t)dtype_components(dtype);
    *ref = (Ref){
        .dtype = dtype,
        .accumulator = dtype,
        .lattice = REF_NO_LATTICE,
        .rows = rows,
        .columns = columns,
        .count = count,
        .high = arena_take_zeroed(arena, count, sizeof(double)),
        .low = arena_take_zeroed(arena, count, sizeof(double)),
        .error = arena_take_zeroed(arena, count, sizeof(double)),
        .magnitude = arena_take_zeroed(arena, count, sizeof(double)),
        .addend = arena_take_zeroed(arena, count, sizeof(double)),
        .middle = arena_take_zeroed(arena, count, sizeof(double)),
        .underflow = arena_take_zeroed(arena, count, sizeof(double)),
        .terms = arena_take_zeroed(arena, count, sizeof(uint32_t)),
        .classes = arena_take(arena, count + 1, 1),
        .classes_skipping = arena_take(arena, count + 1, 1),
        .classes_filling = arena_take(arena, count + 1, 1),
        .match = arena_take_zeroed(arena, count, 1),
    };
    memset(ref->classes, CLASS_FINITE, count);
    memset(ref->classes_skipping, CLASS_FINITE, count);
    memset(ref->classes_filling, CLASS_FINITE, count);
}

void ref_set_classes(Ref *ref, size_t element, unsigned classes)
{
    ref->classes[element] = (uint8_t)classes;
    ref->classes_skipping[element] = (uint8_t)classes;
    ref->classes_filling[element] = (uint8_t)classes;
}

void ref_set_exact(Ref *ref, size_t element, double value, RefMatch match)
{
    ref_set_classes(ref, element, value_class(value));
    ref->match[element] = (uint8_t)(isfinite(value) ? match : MATCH_BOUND);
    ref->high[element] = isfinite(value) ? ldexp(value, -ref->exponent) : 0;
    ref->low[element] = ref->error[element] = 0;
}

void ref_admit_anything(Ref *ref, size_t element)
{
    ref_set_classes(ref, element, CLASS_ANY);
    ref->match[element] = MATCH_BOUND;
    ref->terms[element] = 0;
    ref->magnitude[element] = ref->addend[element] = ref->middle[element] = 0;
    ref->high[element] = ref->low[element] = ref->error[element] = ref->underflow[element] = 0;
}

void ref_limit(Ref *ref, const Tensor *view)
{
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

/* Changes the units of every array to 2^exponent, upward where a bound needs it. */
static void change_exponent(Ref *ref, int exponent)
{
    int shift = ref->exponent - exponent;
    if (shift == 0)
        return;
    double *upward[] = {ref->error, ref->magnitude, ref->addend, ref->middle, ref->underflow};
    for (size_t i = 0; i < ref->count; i++) {
        ref->high[i] = ldexp(ref->high[i], shift);
        ref->low[i] = ldexp(ref->low[i], shift);
        for (size_t k = 0; k < COUNT_OF(upward); k++)
            if (upward[k][i] != 0)
                upward[k][i] = ldexp(upward[k][i], shift) * (1 + 0x1p-52) + 0x1p-1074;
        ref->error[i] += shift < 0 ? 0x1p-1073 : 0;
    }
    ref->exponent = exponent;
    ref->square = NULL;
}

static void add_element(Ref *to, size_t i, const Ref *from, size_t k, bool negate)
{
    double sign = negate ? -1 : 1;
    Wide sum = wide_add((Wide){to->high[i], to->low[i]},
                        (Wide){sign * from->high[k], sign * from->low[k]});
    to->high[i] = sum.high;
    to->low[i] = sum.low;
    to->magnitude[i] = (to->magnitude[i] + from->magnitude[k]) * (1 + 0x1p-52);
    to->addend[i] = (to->addend[i] + from->addend[k]) * (1 + 0x1p-52);
    to->error[i] = (to->error[i] + from->error[k] +
                    0x1p-102 * (fabs(to->high[i]) + to->magnitude[i] + to->addend[i])) *
                   (1 + 0x1p-50);
    to->middle[i] = fmax(to->middle[i], from->middle[k]);
    to->underflow[i] = (to->underflow[i] + from->underflow[k]) * (1 + 0x1p-52);
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

/* What one part of a complex sum reaches may reach the other when it is scaled, even by 1. */
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
    Ref *copy = arena_take(arena, 1, sizeof *copy);
    *copy = *alternative;
    copy->policy = policy;
    copy->alternative = NULL;
    while (ref->alternative)
        ref = ref->alternative;
    ref->alternative = copy;
}

void ref_narrow(Ref *ref, DType dtype)
{
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

void ref_spread_special(Ref *ref, size_t element)
{
    unsigned special = ~(unsigned)CLASS_FINITE;
    if (!((ref->classes[element] | ref->classes[element + 1]) & special))
        return;
    for (size_t part = element; part < element + 2; part++)
        ref_set_classes(ref, part, ref->classes[part] | ref->classes_skipping[part] | CLASS_NAN);
}

static void copy_component(Ref *to, size_t at, const Ref *from, size_t source)
{
    double *const own[] = {to->high,   to->low,    to->error,    to->magnitude,
                           to->addend, to->middle, to->underflow};
    double *const other[] = {from->high,   from->low,    from->error,    from->magnitude,
                             from->addend, from->middle, from->underflow};
    for (size_t k = 0; k < COUNT_OF(own); k++)
        own[k][at] = other[k][source];
    to->terms[at] = from->terms[source];
    to->match[at] = from->match[source];
    to->classes[at] = from->classes[source];
    to->classes_skipping[at] = from->classes_skipping[source];
    to->classes_filling[at] = from->classes_filling[source];
}

void ref_join(Ref *to, Ref *blocks, size_t count, int axis)
{
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
        change_exponent(block, exponent);
        to->depth = block->depth > to->depth ? block->depth : to->depth;
        to->factor_bits = block->factor_bits;
        to->scale_roundings = block->scale_roundings;
        to->addend_roundings = block->addend_roundings;
        for (size_t i = 0; i < block->rows; i++)
            for (size_t k = 0; k < block->columns * components; k++)
                copy_component(to, ((row + i) * to->columns + column) * components + k, block,
                               i * block->columns * components + k);
        row += axis == 0 ? block->rows : 0;
        column += axis == 1 ? block->columns : 0;
    }
}

void ref_gather(Ref *ref, const Ref *from, const Tensor *order, Arena *arena)
{
    size_t columns = order->rank > 0 ? (size_t)order->extent[order->rank - 1] : 1;
    size_t count = (size_t)tensor_count(order);
    ref_allocate(ref, from->dtype, columns ? count / columns : 0, columns, arena);
    ref->accumulator = from->accumulator;
    ref->rule = from->rule;
    ref->exponent = from->exponent;
    ref->lattice = from->lattice;
    ref->depth = from->depth;
    ref->factor_bits = from->factor_bits;
    ref->scale_roundings = from->scale_roundings;
    ref->addend_roundings = from->addend_roundings;
    if (from->candidates)
        ref->candidates = arena_take(arena, count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        size_t source = (size_t)tensor_offset_of(order, (int64_t)i);
        copy_component(ref, i, from, source);
        if (from->candidates)
            memcpy(ref->candidates + i * REF_CANDIDATES, from->candidates + source * REF_CANDIDATES,
                   REF_CANDIDATES * sizeof(double));
    }
    for (const Ref *other = from->alternative; other; other = other->alternative) {
        Ref alone = *other, gathered;
        alone.alternative = NULL;
        ref_gather(&gathered, &alone, order, arena);
        ref_add_alternative(ref, &gathered, other->policy, arena);
    }
}

double ref_result(const Ref *ref, size_t element)
{
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
