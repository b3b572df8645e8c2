/* The loops of one row.  REFERENCE_ISA names this compilation; affine.c says what is computed. */
#include "affine_rows.h"

#include <math.h>

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

static uint64_t scale_products(const AffineRule *rule, const AffineRow *r)
{
    double alpha = rule->alpha, power = rule->product_power, size = fabs(alpha);
    uint64_t tiny = 0;
    for (size_t j = 0; j < r->count; j++) {
        Wide value = wide_scale((Wide){r->product_high[j], r->product_low[j]}, alpha);
        double factor = r->product_magnitude[j], product = size * factor;
        double scaled = product * UP * power;
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        r->high[j] = value.high * power;
        r->low[j] = value.low * power;
        r->magnitude[j] = scaled;
    }
    for (size_t j = 0; j < r->count; j++)
        r->terms[j] = r->product_terms ? r->product_terms[j] : rule->depth;
    for (size_t j = 0; r->square && j < r->count; j++)
        r->square[j] = alpha * alpha * r->product_square[j] * rule->square_power;
    return tiny;
}

static uint64_t add_addends(const AffineRule *rule, const AffineRow *r)
{
    double beta = rule->beta, power = rule->addend_power, size = fabs(beta);
    uint64_t tiny = 0;
    for (size_t j = 0; j < r->count; j++) {
        double own = r->c[j], factor = fabs(own), product = size * factor;
        double scaled = product * UP * power;
        Wide addend = wide_two_product(beta, own);
        addend = (Wide){addend.high * power, addend.low * power};
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        Wide value = wide_add((Wide){r->high[j], r->low[j]}, addend);
        r->high[j] = value.high;
        r->low[j] = value.low;
        r->addend[j] = scaled;
    }
    for (size_t j = 0; j < r->count; j++)
        r->terms[j] += r->c[j] != 0;
    return tiny;
}

static void add_nothing(const AffineRow *r)
{
    for (size_t j = 0; j < r->count; j++) {
        Wide value = wide_add((Wide){r->high[j], r->low[j]}, (Wide){0, 0});
        r->high[j] = value.high;
        r->low[j] = value.low;
        r->addend[j] = 0;
    }
}

static void put_errors(const AffineRule *rule, const AffineRow *r)
{
    for (size_t j = 0; j < r->count; j++) {
        double product = r->magnitude[j];
        double error = rule->error_factor * product + WIDE_UNIT * (product + r->addend[j]) +
                       rule->underflow_error;
        r->error[j] = r->terms[j] == 0 ? 0 : error * (1 + 6 * 0x1p-52);
    }
}

static uint64_t put_middles(const AffineRule *rule, const AffineRow *r)
{
    uint64_t tiny = 0;
    for (size_t j = 0; !rule->beside && j < r->count; j++) {
        r->middle[j] = 0;
        r->underflow[j] = rule->count;
    }
    for (size_t j = 0; rule->beside && j < r->count; j++) {
        double sums = larger(r->own_sum, r->sums[j]),
               largest = larger(r->own_largest, r->largest[j]);
        double product = rule->alpha_size * largest, scaled = product * UP * rule->alpha_power;
        tiny += is_tiny(product, largest) | is_tiny(scaled, largest) | is_tiny(sums, sums);
        r->middle[j] = larger(r->product_magnitude[j], scaled);
        r->underflow[j] = (rule->count + sums * UP) * UP;
    }
    for (size_t j = 0; rule->scaled_count > 0 && j < r->count; j++)
        r->underflow[j] = (r->underflow[j] + rule->scaled_count) * UP;
    return tiny;
}

static void put_matches(const AffineRule *rule, const AffineRow *r)
{
    for (size_t j = 0; !rule->on_lattice && j < r->count; j++)
        r->match[j] = MATCH_BOUND;
    for (size_t j = 0; rule->on_lattice && j < r->count; j++) {
        double total = r->magnitude[j] + r->addend[j];
        bool told = (r->terms[j] == 0) | (r->error[j] <= rule->error_share * total);
        bool exact = told & (total <= rule->lattice_limit);
        r->match[j] = exact ? MATCH_VALUE : MATCH_BOUND;
    }
}

bool REFERENCE_ISA_NAME(affine_row_)(const AffineRule *rule, const AffineRow *row)
{
    uint64_t tiny = scale_products(rule, row);
    if (row->c)
        tiny += add_addends(rule, row);
    else
        add_nothing(row);
    put_errors(rule, row);
    tiny += put_middles(rule, row);
    put_matches(rule, row);
    return tiny == 0;
}

bool REFERENCE_ISA_NAME(unread_row_)(const AffineRule *rule, const AffineRow *r)
{
    double beta = rule->whole_beta, size = fabs(rule->beta), power = rule->addend_power;
    uint64_t tiny = 0;
    for (size_t j = 0; j < r->count; j++) {
        double own = r->c ? r->c[j] : 0, factor = fabs(own), product = size * factor;
        double exact = r->c ? beta * own : 0, rounded = rule->single ? (double)(float)exact : exact;
        double scaled = product * UP * power;
        tiny += is_tiny(product, factor) | is_tiny(scaled, factor);
        tiny += !(fabs(rounded) < INFINITY);
        r->high[j] = rounded;
        r->addend[j] = scaled;
    }
    for (size_t j = 0; j < r->count; j++) {
        r->low[j] = r->error[j] = r->magnitude[j] = r->middle[j] = 0;
        r->underflow[j] = rule->count;
    }
    for (size_t j = 0; j < r->count; j++) {
        r->terms[j] = r->c && r->c[j] != 0;
        r->match[j] = MATCH_ROUNDED;
    }
    for (size_t j = 0; r->square && j < r->count; j++)
        r->square[j] = 0;
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
