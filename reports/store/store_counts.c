/* The counts of a run are written whole each time: those of the present run are deleted first. */
#include "store_counts.h"

#include "connection_parts.h"

static bool put_ladder(Store *store, const CoverageRecord *r, Text *error)
{
    for (int step = 0; step < r->ladder_steps; step++) {
        if (r->ladder[step] == 0)
            continue;
        Statement s = statement_begin(
            store->db, "INSERT INTO ladder (run, op, backend, step, count) VALUES (?, ?, ?, ?, ?) "
                       "ON CONFLICT DO UPDATE SET count = count + excluded.count");
        statement_int(&s, store->run);
        statement_text(&s, r->op);
        statement_text(&s, r->backend);
        statement_int(&s, step);
        statement_int(&s, (int64_t)r->ladder[step]);
        (void)statement_row(&s);
        if (!statement_end(&s, store->path, error))
            return false;
    }
    return true;
}

static bool put_agreement(Store *store, const CoverageRecord *r, Text *error)
{
    for (int i = 0; i < r->model_count; i++) {
        if (r->agreed[i] == 0)
            continue;
        Statement s = statement_begin(
            store->db, "INSERT INTO agreement (run, op, dtype, backend, model, executions) "
                       "VALUES (?, ?, ?, ?, ?, ?) "
                       "ON CONFLICT DO UPDATE SET executions = executions + excluded.executions");
        statement_int(&s, store->run);
        statement_text(&s, r->op);
        statement_text(&s, r->dtype);
        statement_text(&s, r->backend);
        statement_text(&s, r->models[i]);
        statement_int(&s, (int64_t)r->agreed[i]);
        (void)statement_row(&s);
        if (!statement_end(&s, store->path, error))
            return false;
    }
    return true;
}

static bool put_cell(Store *store, const CoverageRecord *r, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO coverage (run, op, dtype, fill, backend, executions, declined, "
                   "vacuous, undecided, worst_ratio, nanoseconds) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                   "ON CONFLICT DO UPDATE SET executions = executions + excluded.executions, "
                   "declined = declined + excluded.declined, vacuous = vacuous + excluded.vacuous, "
                   "undecided = undecided + excluded.undecided, "
                   "worst_ratio = max(worst_ratio, excluded.worst_ratio), "
                   "nanoseconds = nanoseconds + excluded.nanoseconds");
    statement_int(&s, store->run);
    statement_text(&s, r->op);
    statement_text(&s, r->dtype);
    statement_text(&s, r->fill);
    statement_text(&s, r->backend);
    statement_int(&s, (int64_t)r->executions);
    statement_int(&s, (int64_t)r->declined);
    statement_int(&s, (int64_t)r->vacuous);
    statement_int(&s, (int64_t)r->undecided);
    statement_real(&s, r->worst_ratio);
    statement_int(&s, (int64_t)r->nanoseconds);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error) && put_ladder(store, r, error) &&
           put_agreement(store, r, error);
}

static bool delete_counts(Store *store, const char *table, Text *error)
{
    Text sql = {0};
    text_printf(&sql, "DELETE FROM %s WHERE run = ?", table);
    bool ok = store_run(store, text_string(&sql), store->run, 0, NULL, error);
    text_release(&sql);
    return ok;
}

bool store_put_coverage(Store *store, const CoverageRecord *records, size_t count, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = delete_counts(store, "coverage", error) && delete_counts(store, "ladder", error) &&
              delete_counts(store, "agreement", error);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_cell(store, &records[i], error);
    return store_finish(store, ok, error);
}

static bool put_policy(Store *store, const PolicyRecord *r, Text *error)
{
    Statement s = statement_begin(store->db, "INSERT INTO policy (name, sentence, source) "
                                             "VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
                                             "sentence = excluded.sentence, "
                                             "source = excluded.source");
    statement_text(&s, r->name);
    statement_text(&s, r->sentence);
    statement_text(&s, r->source);
    (void)statement_row(&s);
    if (!statement_end(&s, store->path, error))
        return false;
    s = statement_begin(store->db,
                        "INSERT INTO policy_count (run, policy, backend, executions, documented) "
                        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                        "executions = executions + excluded.executions, "
                        "documented = documented + excluded.documented");
    statement_int(&s, store->run);
    statement_text(&s, r->name);
    statement_text(&s, r->backend);
    statement_int(&s, (int64_t)r->executions);
    statement_int(&s, (int64_t)r->documented);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_policy_counts(Store *store, const PolicyRecord *records, size_t count, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = delete_counts(store, "policy_count", error);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_policy(store, &records[i], error);
    return store_finish(store, ok, error);
}

static bool put_construct(Store *store, const ConstructRecord *r, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO construct (run, op, construct, backend, executions, declined, "
                   "findings) VALUES (?, ?, ?, ?, ?, ?, ?)");
    statement_int(&s, store->run);
    statement_text(&s, r->op);
    statement_text(&s, r->construct);
    statement_text(&s, r->backend);
    statement_int(&s, (int64_t)r->executions);
    statement_int(&s, (int64_t)r->declined);
    statement_int(&s, (int64_t)r->findings);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_construct_counts(Store *store, const ConstructRecord *records, size_t count,
                                Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = delete_counts(store, "construct", error);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_construct(store, &records[i], error);
    return store_finish(store, ok, error);
}

static const struct {
    const char *name, *insert;
} decline_tables[] = {
    [DECLINED_CASES] = {"decline", "INSERT INTO decline (run, op, backend, reason, cases) "
                                   "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                                   "cases = cases + excluded.cases"},
    [REDRAWN_CASES] =
        {"redraw", "INSERT INTO redraw (run, op, backend, reason, redrawn, unasked) "
                   "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                   "redrawn = redrawn + excluded.redrawn, unasked = unasked + excluded.unasked"},
};

static bool put_decline(Store *store, DeclineKind kind, const DeclineRecord *r, Text *error)
{
    Statement s = statement_begin(store->db, decline_tables[kind].insert);
    statement_int(&s, store->run);
    statement_text(&s, r->op);
    statement_text(&s, r->backend);
    statement_text(&s, r->reason);
    statement_int(&s, (int64_t)r->count);
    if (kind == REDRAWN_CASES)
        statement_int(&s, (int64_t)r->unasked);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_decline_counts(Store *store, DeclineKind kind, const DeclineRecord *records,
                              size_t count, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = delete_counts(store, decline_tables[kind].name, error);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_decline(store, kind, &records[i], error);
    return store_finish(store, ok, error);
}

bool store_put_qualification(Store *store, const char *old, const char *new, Text *error)
{
    Statement s =
        statement_begin(store->db, "INSERT INTO qualification (run, old, new) VALUES (?, ?, ?)");
    statement_int(&s, store->run);
    statement_text(&s, old);
    statement_text(&s, new);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

static bool put_change(Store *store, const ChangeRecord *r, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO change (run, op, dtype, kind, cases, ulps, detail, line) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                   "cases = cases + excluded.cases, ulps = max(ulps, excluded.ulps)");
    statement_int(&s, store->run);
    statement_text(&s, r->op);
    statement_text(&s, r->dtype);
    statement_text(&s, r->kind);
    statement_int(&s, (int64_t)r->cases);
    statement_int(&s, (int64_t)(r->ulps < INT64_MAX ? r->ulps : INT64_MAX));
    statement_text(&s, r->detail);
    statement_text(&s, r->line);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_changes(Store *store, const ChangeRecord *records, size_t count, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = delete_counts(store, "change", error);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_change(store, &records[i], error);
    return store_finish(store, ok, error);
}
