/* A row for each block, so that a sweep goes on where it was. */
#include "sweep.h"

#include <math.h>

#include "connection_parts.h"

const double sweep_edges[SWEEP_BINS] = {0.55, 0.6, 0.7, 0.8,  0.9,   1,       1.5,    2,
                                        3,    4,   8,   0x40, 0x400, 0x10000, 0x1p24, INFINITY};

static bool find_sweep(Store *store, const SweepKey *key, int64_t *sweep, Text *error)
{
    Statement s =
        statement_begin(store->db, "SELECT id FROM sweep WHERE call = ? AND backend = ? AND "
                                   "version = ? AND build = ? AND block = ?");
    statement_text(&s, key->call);
    statement_text(&s, key->backend);
    statement_text(&s, key->version);
    statement_text(&s, key->build);
    statement_int(&s, (int64_t)key->block);
    *sweep = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

static bool make_sweep(Store *store, const SweepKey *key, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT OR IGNORE INTO sweep (op, dtype, call, backend, version, build, inputs, "
                   "block) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    statement_text(&s, key->op);
    statement_text(&s, key->dtype);
    statement_text(&s, key->call);
    statement_text(&s, key->backend);
    statement_text(&s, key->version);
    statement_text(&s, key->build);
    statement_int(&s, (int64_t)key->inputs);
    statement_int(&s, (int64_t)key->block);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_sweep(Store *store, const SweepKey *key, int64_t *sweep, Text *error)
{
    return store_begin(store, error) &&
           store_finish(
               store, make_sweep(store, key, error) && find_sweep(store, key, sweep, error), error);
}

bool store_sweep_done(Store *store, int64_t sweep, uint8_t *done, uint64_t blocks, Text *error)
{
    Statement s = statement_begin(store->db, "SELECT block FROM sweep_block WHERE sweep = ?");
    statement_int(&s, sweep);
    while (statement_row(&s)) {
        int64_t block = sqlite3_column_int64(s.statement, 0);
        if (block >= 0 && (uint64_t)block < blocks)
            done[block] = 1;
    }
    return statement_end(&s, store->path, error);
}

static bool put_block(Store *store, int64_t sweep, const SweepBlock *b, Text *error)
{
    Text bins = {0};
    for (int i = 0; i < SWEEP_BINS; i++)
        text_printf(&bins, "%s%llu", i ? "," : "[", (unsigned long long)b->bins[i]);
    text_put(&bins, "]");
    Statement s = statement_begin(store->db, "INSERT OR REPLACE INTO sweep_block (sweep, block, "
                                             "inputs, correct, wrong, undecided, open, "
                                             "unjudged, bins, worst_ulps, worst_input, seconds) "
                                             "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                                             "?)");
    statement_int(&s, sweep);
    const uint64_t counts[] = {b->number,    b->inputs, b->right,   b->wrong,
                               b->undecided, b->open,   b->unjudged};
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        statement_int(&s, (int64_t)counts[i]);
    statement_text(&s, text_string(&bins));
    statement_real(&s, b->worst_ulps);
    statement_int(&s, (int64_t)b->worst_input);
    statement_real(&s, b->seconds);
    (void)statement_row(&s);
    text_release(&bins);
    return statement_end(&s, store->path, error);
}

static bool put_departure(Store *store, int64_t sweep, uint64_t block, const SweepDeparture *d,
                          Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO sweep_departure (sweep, block, what, kind, count, first, worst, ulps) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    statement_int(&s, sweep);
    statement_int(&s, (int64_t)block);
    statement_text(&s, d->what);
    statement_text(&s, d->kind);
    statement_int(&s, (int64_t)d->count);
    statement_int(&s, (int64_t)d->first);
    statement_int(&s, (int64_t)d->worst);
    statement_real(&s, d->ulps < 0 ? NAN : d->ulps);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_sweep_block(Store *store, int64_t sweep, const SweepBlock *b, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = store_run(store, "DELETE FROM sweep_departure WHERE sweep = ? AND block = ?", sweep,
                        (int64_t)b->number, NULL, error) &&
              put_block(store, sweep, b, error);
    for (int i = 0; ok && i < b->departure_count; i++)
        ok = put_departure(store, sweep, b->number, &b->departures[i], error);
    return store_finish(store, ok, error);
}

bool store_sweep_unfiled(Store *store, int64_t sweep, uint64_t *inputs, int most, int *count,
                         Text *error)
{
    Statement s = statement_begin(
        store->db,
        "WITH d AS (SELECT * FROM sweep_departure WHERE sweep = ?1), kinds AS (SELECT what, kind "
        "FROM d GROUP BY what, kind HAVING max(filed) = 0) SELECT DISTINCT input FROM (SELECT "
        "min(first) AS input, 0 AS place FROM d JOIN kinds USING (what, kind) GROUP BY what, kind "
        "UNION ALL SELECT (SELECT w.worst FROM d w WHERE w.what = kinds.what AND w.kind = "
        "kinds.kind ORDER BY w.ulps DESC, w.worst LIMIT 1), 1 FROM kinds) ORDER BY place, input "
        "LIMIT ?2");
    statement_int(&s, sweep);
    statement_int(&s, most);
    *count = 0;
    while (statement_row(&s) && *count < most)
        inputs[(*count)++] = (uint64_t)sqlite3_column_int64(s.statement, 0);
    return statement_end(&s, store->path, error);
}

bool store_sweep_filed(Store *store, int64_t sweep, Text *error)
{
    return store_begin(store, error) &&
           store_finish(store,
                        store_run(store, "UPDATE sweep_departure SET filed = 1 WHERE sweep = ?",
                                  sweep, 0, NULL, error),
                        error);
}
