/* The loops of one row.  REFERENCE_ISA names this compilation; affine.c says what is computed. */
#include "affine_rows.h"

#include <math.h>
#include <string.h>

#include "isa.h"
#include "ref.h"
#include "wide.h"

static const double UP = 1 + 0x1p-52, LEAST = 0x1p-1022;

/* Counts lanes, which compilers sum side by side where they would not end a loop early. */
static inline uint64_t is_tiny(double product, double factor)
{
    return (uint64_t)(product < LEAST) & (uint64_t)(factor != 0);
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

/* Columns of a Ref and of a product are arrays of their own. */
#define EACH_APART _Pragma("clang loop vectorize(assume_safety)")

static void copy_terms(const AffineRule *rule, const AffineRow *r)
{
    uint32_t *terms = r->terms;
    const uint32_t *of = r->product_terms;
    size_t count = r->count;
    if (of)
        memcpy(terms, of, count * sizeof *terms);
    for (size_t j = 0; !of && j < count; j++)
        terms[j] = rule->depth;
}

static void scale_squares(const AffineRule *rule, const AffineRow *r)
{
    double alpha = rule->alpha, power = rule->square_power, *square = r->square;
    const double *of = r->product_square;
    size_t count = r->square ? r->count : 0;
    EACH_APART
    for (size_t j = 0; j < count; j++)
        square[j] = alpha * alpha * of[j] * power;
}

static uint64_t scale_products(const AffineRule *rule, const AffineRow *r)
{
    const double *highs = r->product_high, *lows = r->product_low, *sizes = r->product_magnitude;
    double *high = r->high, *low = r->low, *magnitude = r->magnitude;
    double alpha = rule->alpha, power = rule->product_power, size = fabs(alpha);
    size_t count = r->count;
    uint64_t tiny = 0;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        Wide value = wide_scale((Wide){highs[j], lows[j]}, alpha);
        double factor = sizes[j], product = size * factor;
        double scaled = product * UP * power;
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        high[j] = value.high * power;
        low[j] = value.low * power;
        magnitude[j] = scaled;
    }
    return tiny;
}

static uint64_t add_addends(const AffineRule *rule, const AffineRow *r)
{
    const double *c = r->c;
    double *high = r->high, *low = r->low, *addends = r->addend;
    double beta = rule->beta, power = rule->addend_power, size = fabs(beta);
    uint32_t *terms = r->terms;
    size_t count = r->count;
    uint64_t tiny = 0;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        double own = c[j], factor = fabs(own), product = size * factor;
        double scaled = product * UP * power;
        Wide addend = wide_two_product(beta, own);
        addend = (Wide){addend.high * power, addend.low * power};
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        Wide value = wide_add((Wide){high[j], low[j]}, addend);
        high[j] = value.high;
        low[j] = value.low;
        addends[j] = scaled;
    }
    EACH_APART
    for (size_t j = 0; j < count; j++)
        terms[j] += c[j] != 0;
    return tiny;
}

static void add_nothing(const AffineRow *r)
{
    double *high = r->high, *low = r->low;
    size_t count = r->count;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        Wide value = wide_add((Wide){high[j], low[j]}, (Wide){0, 0});
        high[j] = value.high;
        low[j] = value.low;
    }
    memset(r->addend, 0, count * sizeof *r->addend);
}

static void put_errors(const AffineRule *rule, const AffineRow *r)
{
    const double *magnitude = r->magnitude, *addend = r->addend;
    double factor = rule->error_factor, underflow = rule->underflow_error, *errors = r->error;
    const uint32_t *terms = r->terms;
    size_t count = r->count;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        double product = magnitude[j];
        double error = factor * product + WIDE_UNIT * (product + addend[j]) + underflow;
        errors[j] = terms[j] == 0 ? 0 : error * (1 + 6 * 0x1p-52);
    }
}

static void put_no_middles(const AffineRule *rule, const AffineRow *r)
{
    double *underflow = r->underflow, value = rule->count * rule->underflow_power;
    size_t count = r->count;
    memset(r->middle, 0, count * sizeof *r->middle);
    for (size_t j = 0; j < count; j++)
        underflow[j] = value;
}

static uint64_t put_middles(const AffineRule *rule, const AffineRow *r)
{
    const double *sizes = r->product_magnitude, *all_sums = r->sums, *all_largest = r->largest;
    double *middle = r->middle, *underflow = r->underflow;
    double own_sum = r->own_sum, own_largest = r->own_largest, begin = rule->count;
    double size = rule->alpha_size, power = rule->alpha_power, beside = rule->beside_power;
    double step = rule->underflow_power;
    size_t count = r->count;
    uint64_t tiny = 0;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        double sums = larger(own_sum, all_sums[j]), largest = larger(own_largest, all_largest[j]);
        double product = size * largest, scaled = product * UP * power;
        double unscaled = sizes[j] * beside, lost = (begin + sums * UP) * UP * step;
        tiny += is_tiny(product, largest) | is_tiny(scaled, largest) | is_tiny(sums, sums) |
                is_tiny(unscaled, sizes[j]);
        middle[j] = larger(unscaled, scaled);
        underflow[j] = lost;
    }
    return tiny;
}

static void add_scaled_count(const AffineRule *rule, const AffineRow *r)
{
    double *underflow = r->underflow, more = rule->scaled_count;
    size_t count = more > 0 ? r->count : 0;
    for (size_t j = 0; j < count; j++)
        underflow[j] = (underflow[j] + more) * UP;
}

static void put_matches(const AffineRule *rule, const AffineRow *r)
{
    const double *magnitude = r->magnitude, *addend = r->addend, *error = r->error;
    double share = rule->error_share, limit = rule->lattice_limit;
    const uint32_t *terms = r->terms;
    uint8_t *match = r->match;
    size_t count = r->count;
    if (!rule->on_lattice) {
        memset(match, MATCH_BOUND, count);
        return;
    }
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        double total = magnitude[j] + addend[j];
        bool told = (terms[j] == 0) | (error[j] <= share * total);
        match[j] = (told & (total <= limit)) ? MATCH_VALUE : MATCH_BOUND;
    }
}

bool REFERENCE_ISA_NAME(affine_row_)(const AffineRule *rule, const AffineRow *row)
{
    uint64_t tiny = scale_products(rule, row);
    copy_terms(rule, row);
    scale_squares(rule, row);
    if (row->c)
        tiny += add_addends(rule, row);
    else
        add_nothing(row);
    put_errors(rule, row);
    if (rule->beside)
        tiny += put_middles(rule, row);
    else
        put_no_middles(rule, row);
    add_scaled_count(rule, row);
    put_matches(rule, row);
    return tiny == 0;
}

static uint64_t round_addends(const AffineRule *rule, const AffineRow *r)
{
    double beta = rule->whole_beta, size = fabs(rule->beta), power = rule->addend_power;
    double *high = r->high, *addend = r->addend;
    const double *c = r->c;
    size_t count = r->count;
    bool single = rule->single;
    uint64_t tiny = 0;
    EACH_APART
    for (size_t j = 0; j < count; j++) {
        double own = c[j], factor = fabs(own), product = size * factor;
        double exact = beta * own, rounded = single ? (double)(float)exact : exact;
        double scaled = product * UP * power;
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        tiny += !(fabs(rounded) < INFINITY);
        high[j] = rounded;
        addend[j] = scaled;
    }
    return tiny;
}

bool REFERENCE_ISA_NAME(unread_row_)(const AffineRule *rule, const AffineRow *r)
{
    double *zero[] = {r->low, r->error, r->magnitude, r->square, r->high, r->addend};
    size_t count = r->count;
    const double *c = r->c;
    uint32_t *terms = r->terms;
    for (size_t k = 0; k < (c ? 4 : COUNT_OF(zero)); k++)
        if (zero[k])
            memset(zero[k], 0, count * sizeof(double));
    uint64_t tiny = c ? round_addends(rule, r) : 0;
    EACH_APART
    for (size_t j = 0; j < count; j++)
        terms[j] = c && c[j] != 0;
    put_no_middles(rule, r);
    memset(r->match, MATCH_ROUNDED, count);
    return tiny == 0;
}

enum { EIGHT = 8 };

typedef double Eight __attribute__((ext_vector_type(8), aligned(8), may_alias));
typedef int64_t EightBits __attribute__((ext_vector_type(8), aligned(8), may_alias));

typedef struct EightNotes {
    Eight smallest, largest, lowest;
    EightBits zero, nonfinite;
} EightNotes;

/* A value less itself without its lowest bit is that bit, exactly; a power of two has no other. */
static inline void note_eight(EightNotes *notes, const Eight *value)
{
    EightBits bits = (EightBits)*value, fraction = bits & 0xfffffffffffff;
    Eight size = (Eight)(bits & INT64_MAX), rest = (Eight)(bits & (bits - 1));
    Eight last = (Eight)((EightBits)(*value - rest) & INT64_MAX);
    last = fraction != 0 ? last : size;
    EightBits finite = size < INFINITY, zero = size == 0, counts = finite & ~zero;
    Eight none = (Eight){0} + INFINITY;
    Eight least = counts ? size : none, lowest = counts ? last : none;
    Eight most = counts ? size : (Eight){0};
    notes->smallest = least < notes->smallest ? least : notes->smallest;
    notes->lowest = lowest < notes->lowest ? lowest : notes->lowest;
    notes->largest = most > notes->largest ? most : notes->largest;
    notes->zero |= zero;
    notes->nonfinite |= ~finite;
}

void REFERENCE_ISA_NAME(values_note_)(ValueNotes *to, const double *values, size_t count)
{
    Eight none = (Eight){0} + INFINITY, rest = none;
    EightNotes notes = {none, {0}, none, {0}, {0}};
    size_t at = 0;
    for (; at + EIGHT <= count; at += EIGHT)
        note_eight(&notes, (const Eight *)(const void *)(values + at));
    for (int lane = 0; lane < EIGHT && at < count; lane++)
        rest[lane] = values[at + (size_t)lane < count ? at + (size_t)lane : at];
    if (at < count)
        note_eight(&notes, &rest);
    *to = (ValueNotes){.smallest = INFINITY, .lowest = INFINITY};
    for (int lane = 0; lane < EIGHT; lane++) {
        to->smallest = fmin(to->smallest, notes.smallest[lane]);
        to->lowest = fmin(to->lowest, notes.lowest[lane]);
        to->largest = fmax(to->largest, notes.largest[lane]);
        to->has_zero |= notes.zero[lane] != 0;
        to->has_nonfinite |= notes.nonfinite[lane] != 0;
    }
}
