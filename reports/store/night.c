/* Rows of nights, their counts, and the pruning of old observations. */
#include "night.h"

#include "connection_parts.h"
#include "store.h"

bool store_count_night(Store *store, int64_t started, NightCounts *counts, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT (SELECT count(*) FROM v_open), (SELECT count(*) FROM v_open v JOIN finding f ON "
        "f.id = "
        "v.id WHERE f.first_seen >= ?1 AND NOT f.flaky AND v.state <> 'reopened'), "
        "(SELECT count(DISTINCT f.id) FROM v_open f JOIN event e ON e.finding = f.id WHERE f.state "
        "= "
        "'reopened' AND e.at >= ?1 AND json_extract(e.payload, '$.state') = 'reopened'), "
        "(SELECT count(DISTINCT f.id) FROM finding f JOIN event e ON e.finding = f.id WHERE "
        "f.state = "
        "'fixed' AND e.at >= ?1 AND json_extract(e.payload, '$.state') = 'fixed'), "
        "(SELECT count(*) FROM finding WHERE flaky AND last_seen >= ?1), "
        "(SELECT count(*) FROM v_state WHERE state = 'expected')");
    statement_int(&s, started);
    *counts = (NightCounts){0};
    if (statement_row(&s))
        *counts = (NightCounts){
            sqlite3_column_int64(s.statement, 0), sqlite3_column_int64(s.statement, 1),
            sqlite3_column_int64(s.statement, 2), sqlite3_column_int64(s.statement, 3),
            sqlite3_column_int64(s.statement, 4), sqlite3_column_int64(s.statement, 5)};
    return statement_end(&s, store->path, error);
}

bool store_resume_night(Store *store, const char *uuid, int64_t started, const char *arguments,
                        Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO run (uuid, tool_version, arguments, engine, seed, jobs, started) VALUES "
        "(?, '', ?, 'nightly', 0, 1, ?) ON CONFLICT (uuid) DO UPDATE SET engine = 'nightly' "
        "RETURNING id");
    statement_text(&s, uuid);
    statement_text(&s, arguments);
    statement_int(&s, started);
    if (statement_row(&s))
        store->run = sqlite3_column_int64(s.statement, 0);
    return statement_end(&s, store->path, error);
}

bool store_put_night(Store *store, const char *uuid, int64_t started, Text *error)
{
    NightCounts c = {0};
    if (!store_count_night(store, started, &c, error))
        return false;
    Statement s = statement_begin(
        store->db, "INSERT OR REPLACE INTO night (run, uuid, started, ended, open, fresh, "
                   "regressed, fixed, flaky, suppressed) VALUES "
                   "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    statement_int(&s, store->run);
    statement_text(&s, uuid);
    statement_int(&s, started);
    statement_int(&s, store_now());
    statement_int(&s, c.open);
    statement_int(&s, c.fresh);
    statement_int(&s, c.regressed);
    statement_int(&s, c.fixed);
    statement_int(&s, c.flaky);
    statement_int(&s, c.suppressed);
    (void)statement_row(&s);
    if (!statement_end(&s, store->path, error))
        return false;
    s = statement_begin(store->db, "UPDATE run SET ended = ?, end_reason = 'night' WHERE id = ?");
    statement_int(&s, store_now());
    statement_int(&s, store->run);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Findings of a night are looked for among those that were seen in it. */
bool store_next_again(Store *store, int64_t since, int64_t after, const char *setting, int64_t *id,
                      Text *line, Text *backend, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT id, coalesce(min_line, line), backend FROM finding f WHERE id > max(?1, iif(?2, "
        "coalesce((SELECT min(+id) - 1 FROM finding WHERE last_seen >= ?2 AND first_seen >= ?2), "
        "9223372036854775807), 0)) AND op <> ?5 AND state NOT IN ('dup', 'invalid') AND kind NOT "
        "IN ('POLICY', 'SUSPECT') AND first_seen >= ?2 AND NOT EXISTS (SELECT 1 FROM outcome o "
        "WHERE o.finding = f.id AND o.run = ?3 AND o.setting = ?4 AND o.backend = f.backend) "
        "ORDER BY id LIMIT 1");
    statement_int(&s, after);
    statement_int(&s, since);
    statement_int(&s, store->run);
    statement_text(&s, setting);
    statement_text(&s, STORE_WHOLE);
    *id = 0;
    text_clear(line);
    text_clear(backend);
    if (statement_row(&s)) {
        *id = sqlite3_column_int64(s.statement, 0);
        text_put(line, statement_column(&s, 1));
        text_put(backend, statement_column(&s, 2));
    }
    return statement_end(&s, store->path, error);
}

bool store_last_again(Store *store, int64_t *id, Text *error)
{
    Statement s = statement_begin(
        store->db, "SELECT o.finding FROM outcome o JOIN finding f ON f.id = o.finding WHERE "
                   "o.run = (SELECT max(run) FROM outcome WHERE run < ?1 AND setting = '') AND "
                   "o.setting = '' AND f.first_run < o.run ORDER BY o.at DESC, o.rowid DESC");
    statement_int(&s, store->run);
    *id = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

bool store_put_artifact(Store *store, int64_t finding, const char *kind, const char *path,
                        Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO artifact (finding, kind, path, made) SELECT ?1, ?2, ?3, ?4 WHERE NOT "
        "EXISTS (SELECT 1 FROM artifact WHERE finding = ?1 AND kind = ?2 AND path = ?3)");
    statement_int(&s, finding);
    statement_text(&s, kind);
    statement_text(&s, path);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_next_without(Store *store, const char *kind, int64_t after, int64_t *id, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT id FROM finding f WHERE id > ? AND op <> ? AND state NOT IN ('dup', 'invalid', "
        "'fixed') "
        "AND NOT EXISTS (SELECT 1 FROM artifact a WHERE a.finding = f.id AND a.kind = ?) "
        "ORDER BY id LIMIT 1");
    statement_int(&s, after);
    statement_text(&s, STORE_WHOLE);
    statement_text(&s, kind);
    *id = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

/* Coverage of runs before the last ?1 loses the kinds of data, most of what a night leaves. */
static const char *const prune_sql[] = {
    "INSERT INTO coverage SELECT run, op, dtype, 'all', backend, sum(executions), sum(declined), "
    "sum(vacuous), sum(undecided), max(worst_ratio), sum(nanoseconds) FROM coverage "
    "WHERE fill NOT IN ('all', 'none') AND "
    "run NOT IN (SELECT id FROM run ORDER BY started DESC, uuid DESC LIMIT ?1) "
    "GROUP BY run, op, dtype, backend "
    "ON CONFLICT DO UPDATE SET executions = executions + excluded.executions, "
    "declined = declined + excluded.declined, vacuous = vacuous + excluded.vacuous, "
    "undecided = undecided + excluded.undecided, "
    "worst_ratio = max(worst_ratio, excluded.worst_ratio), "
    "nanoseconds = nanoseconds + excluded.nanoseconds",
    "DELETE FROM coverage WHERE fill <> 'all' AND run NOT IN "
    "(SELECT id FROM run ORDER BY started DESC, uuid DESC LIMIT ?1)",
};

/* A file is written anew where a quarter of it is free. */
static bool shrink_file(Store *store, Text *error)
{
    int64_t unused = 0, pages = 0;
    return store_get_number(store, "PRAGMA freelist_count", &unused, error) &&
           store_get_number(store, "PRAGMA page_count", &pages, error) &&
           (4 * unused < pages || store_execute(store, "VACUUM", error));
}

bool store_prune(Store *store, int observations, int runs, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = store_run(store,
                        "DELETE FROM observation WHERE id IN (SELECT id FROM (SELECT id, "
                        "row_number() OVER (PARTITION BY finding ORDER BY id DESC) AS place "
                        "FROM observation) WHERE place > ?)",
                        observations, 0, NULL, error);
    for (size_t i = 0; ok && i < COUNT_OF(prune_sql); i++)
        ok = store_run(store, prune_sql[i], runs, 0, NULL, error);
    return store_finish(store, ok, error) && shrink_file(store, error);
}
