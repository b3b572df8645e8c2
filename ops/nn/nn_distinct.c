/* Lists of different numbers. */
#include "nn_distinct.h"

#include <math.h>
#include <stdlib.h>

/* The entries of NaN before the numbers and behind them, and how often each of them comes. */
typedef struct Listing {
    int64_t before, behind;
    double count;
} Listing;

enum { LISTINGS = 4 };

static void list_nan(const Distinct *d, Listing listings[LISTINGS])
{
    const Listing all[LISTINGS] = {{0, d->nans, 1},
                                   {0, d->nans > 0, (double)d->nans},
                                   {d->nans, 0, 1},
                                   {d->nans > 0, 0, (double)d->nans}};
    for (int k = 0; k < LISTINGS; k++)
        listings[k] = all[k];
}

Distinct nn_distinct(const Tensor *x, Arena *arena)
{
    int64_t count = tensor_count(x), numbers = 0;
    Distinct d = {arena_take(arena, (size_t)count + 1, sizeof(double)),
                  arena_take(arena, (size_t)count + 1, sizeof(double)), 0, 0};
    for (int64_t i = 0; i < count; i++) {
        double value = tensor_value(x, i);
        if (!isnan(value))
            d.values[numbers++] = value;
    }
    d.nans = count - numbers;
    qsort(d.values, (size_t)numbers, sizeof *d.values, value_compare);
    for (int64_t i = 0; i < numbers; i++) {
        if (d.numbers == 0 || d.values[i] != d.values[d.numbers - 1]) {
            d.counts[d.numbers] = 0;
            d.values[d.numbers++] = d.values[i];
        }
        d.counts[d.numbers - 1]++;
    }
    return d;
}

static void put_entry(Ref *ref, size_t place, const Distinct *d, const double *of_numbers,
                      bool counts)
{
    Listing listings[LISTINGS];
    double entries[LISTINGS];
    list_nan(d, listings);
    for (int k = 0; k < LISTINGS; k++) {
        int64_t at = (int64_t)place - listings[k].before;
        bool is_number = at >= 0 && at < d->numbers;
        bool is_nan = !is_number && at < d->numbers + listings[k].behind;
        entries[k] = is_number ? of_numbers[at] : !is_nan ? 0 : counts ? listings[k].count : NAN;
    }
    ref_put_one_of(ref, place, entries, LISTINGS);
}

void nn_put_distinct(Ref *values, size_t place, const Distinct *distinct)
{
    put_entry(values, place, distinct, distinct->values, false);
}

void nn_put_frequency(Ref *counts, size_t place, const Distinct *distinct)
{
    put_entry(counts, place, distinct, distinct->counts, true);
}

void nn_put_place_of(Ref *places, size_t i, const Distinct *d, double value)
{
    Listing listings[LISTINGS];
    double entries[LISTINGS];
    list_nan(d, listings);
    const double *at = isnan(value) ? NULL
                                    : bsearch(&value, d->values, (size_t)d->numbers,
                                              sizeof *d->values, value_compare);
    for (int k = 0; k < LISTINGS; k++)
        entries[k] = at                       ? (double)(at - d->values + listings[k].before)
                     : listings[k].before > 0 ? 0
                                              : (double)d->numbers;
    if (at || d->nans == 1)
        ref_put_one_of(places, i, entries, LISTINGS);
    else
        ref_admit_anything(places, i);
}
