/* Counts and their sums. */
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tally_note_worst(Tally *tally, uint64_t input, double ulps)
{
    if (!(ulps > tally->worst_ulps || (ulps == tally->worst_ulps && input < tally->worst_input)))
        return;
    tally->worst_ulps = ulps;
    tally->worst_input = input;
}

void tally_put_error(Tally *tally, uint64_t input, double ulps)
{
    int bin = 0;
    while (bin < SWEEP_BINS - 1 && !(ulps < sweep_edges[bin]))
        bin++;
    tally->bins[bin]++;
    if (isfinite(ulps))
        tally_note_worst(tally, input, ulps);
}

static TallyCell *find_cell(Tally *tally, const char *what, VerdictKind kind)
{
    for (int i = 0; i < tally->cell_count; i++)
        if (tally->cells[i].kind == kind && !strcmp(tally->cells[i].what, what))
            return &tally->cells[i];
    bool full = tally->cell_count >= TALLY_CELLS - 1;
    if (full && tally->cell_count == TALLY_CELLS)
        return &tally->cells[TALLY_CELLS - 1];
    TallyCell *cell = &tally->cells[tally->cell_count++];
    *cell = (TallyCell){.kind = full ? VERDICT_DIVERGE : kind,
                        .first = UINT64_MAX,
                        .worst = UINT64_MAX,
                        .ulps = -1};
    (void)snprintf(cell->what, sizeof cell->what, "%s", full ? "others" : what);
    return cell;
}

static void join_cell(TallyCell *cell, const TallyCell *more)
{
    cell->count += more->count;
    if (more->first < cell->first)
        cell->first = more->first;
    if (more->ulps > cell->ulps || (more->ulps == cell->ulps && more->worst < cell->worst)) {
        cell->ulps = more->ulps;
        cell->worst = more->worst;
    }
}

void tally_put_departure(Tally *tally, const char *what, VerdictKind kind, uint64_t input,
                         uint64_t count, double ulps)
{
    join_cell(find_cell(tally, what, kind),
              &(TallyCell){.count = count, .first = input, .worst = input, .ulps = ulps});
}

void tally_add(Tally *to, const Tally *from)
{
    to->inputs += from->inputs;
    to->right += from->right;
    to->wrong += from->wrong;
    to->undecided += from->undecided;
    to->open += from->open;
    to->unjudged += from->unjudged;
    for (int i = 0; i < SWEEP_BINS; i++)
        to->bins[i] += from->bins[i];
    if (from->inputs > 0)
        tally_note_worst(to, from->worst_input, from->worst_ulps);
    for (int i = 0; i < from->cell_count; i++)
        join_cell(find_cell(to, from->cells[i].what, from->cells[i].kind), &from->cells[i]);
}

uint64_t tally_departures(const Tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < tally->cell_count; i++)
        sum += tally->cells[i].count;
    return sum;
}

static bool is_within(uint64_t input, uint64_t first, uint64_t inputs)
{
    return input >= first && input - first < inputs;
}

static bool is_cell_sound(TallyCell *cell, uint64_t first, uint64_t inputs)
{
    cell->what[TALLY_NAME - 1] = '\0';
    for (char *at = cell->what; *at; at++)
        if (*at < ' ' || *at > '~')
            return false;
    return verdict_is_finding(cell->kind) && cell->count > 0 && cell->count <= inputs &&
           is_within(cell->first, first, inputs) && is_within(cell->worst, first, inputs) &&
           !isnan(cell->ulps);
}

bool tally_is_sound(Tally *t, uint64_t first, uint64_t inputs)
{
    uint64_t bins = 0;
    const uint64_t counts[] = {t->right, t->wrong, t->undecided, t->open, t->unjudged};
    uint64_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        if (counts[i] > inputs)
            return false;
        sum += counts[i];
    }
    for (int i = 0; i < SWEEP_BINS; i++)
        bins += t->bins[i] <= inputs ? t->bins[i] : inputs + 1;
    if (t->inputs != inputs || sum != inputs || bins > t->wrong || isnan(t->worst_ulps) ||
        (t->worst_ulps > 0 && !is_within(t->worst_input, first, inputs)) || t->cell_count < 0 ||
        t->cell_count > TALLY_CELLS)
        return false;
    bool sound = true;
    for (int i = 0; i < t->cell_count; i++)
        sound = is_cell_sound(&t->cells[i], first, inputs) && sound;
    return sound;
}
