/* Runs, and the rows of findings: filed under their raw signature, resolved to the final one. */
#include "store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "connection_parts.h"
#include "version.h"

bool store_begin_run(Store *store, const RunRecord *run, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO run (uuid, tool_version, arguments, engine, seed, jobs, started) "
                   "VALUES (coalesce(?, lower(hex(randomblob(16)))), ?, ?, ?, ?, ?, ?)");
    statement_text(&s, run->uuid);
    statement_text(&s, OPCONFORM_VERSION);
    statement_text(&s, run->arguments);
    statement_text(&s, run->engine);
    statement_int(&s, (int64_t)run->seed);
    statement_int(&s, run->jobs);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    bool ok = statement_end(&s, store->path, error);
    store->run = sqlite3_last_insert_rowid(store->db);
    return ok;
}

bool store_put_totals(Store *store, const RunTotals *totals, Text *error)
{
    Statement s = statement_begin(
        store->db, "UPDATE run SET end_reason = ?, ended = iif(?1 IS NULL, NULL, ?), cases = ?, "
                   "executions = ?, restarts = ?, seconds = ?, seconds_fill = ?, "
                   "seconds_reference = ?, seconds_kernel = ?, seconds_oracle = ? WHERE id = ?");
    statement_text(&s, totals->end_reason);
    statement_int(&s, store_now());
    statement_int(&s, (int64_t)totals->cases);
    statement_int(&s, (int64_t)totals->executions);
    statement_int(&s, (int64_t)totals->restarts);
    statement_real(&s, totals->seconds);
    statement_real(&s, totals->fill);
    statement_real(&s, totals->reference);
    statement_real(&s, totals->kernel);
    statement_real(&s, totals->oracle);
    statement_int(&s, store->run);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_put_backend(Store *store, const BackendRecord *backend, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO backend (run, name, version, build, core, path, threads) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, name) DO NOTHING");
    statement_int(&s, store->run);
    statement_text(&s, backend->name);
    statement_text(&s, backend->version);
    statement_text(&s, backend->build);
    statement_text(&s, backend->core);
    statement_text(&s, backend->path);
    statement_int(&s, backend->threads);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

static bool find_signature(Store *store, const char *signature, int64_t *id, Text *error)
{
    Statement s = statement_begin(store->db, "SELECT id FROM finding WHERE signature = ?");
    statement_text(&s, signature);
    *id = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

static void bind_facts(Statement *s, const FindingRecord *f)
{
    statement_text(s, f->dtype);
    statement_text(s, f->kind);
    statement_text(s, f->tier);
    statement_text(s, f->defect);
    statement_text(s, f->pattern);
    statement_text(s, f->detail);
    statement_text(s, f->min_line);
    statement_real(s, f->ratio);
    statement_int(s, f->ulps > INT64_MAX ? INT64_MAX : (int64_t)f->ulps);
    statement_text(s, f->expected);
    statement_text(s, f->got);
    statement_text(s, f->bound);
    statement_int(s, f->flaky);
    statement_int(s, (int64_t)f->bad);
    statement_int(s, (int64_t)f->total);
    statement_int(s, (int64_t)f->worst);
    statement_text(s, f->symptom);
    statement_text(s, f->frame);
    statement_text(s, f->output);
    statement_int(s, f->unfinished);
}

static bool insert_finding(Store *store, const FindingRecord *f, int64_t *id, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO finding (dtype, kind, tier, defect, pattern, detail, min_line, ratio, ulps, "
        "expected, got, bound, flaky, bad, total, worst, symptom, frame, output, unfinished, "
        "signature, signature_version, op, "
        "backend, line, picture, "
        "picture_ulps, first_run, last_run, first_seen, last_seen, hits) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, "
        "0)");
    bind_facts(&s, f);
    statement_text(&s, f->signature);
    statement_int(&s, SIGNATURE_VERSION);
    statement_text(&s, f->op);
    statement_text(&s, f->backend);
    statement_text(&s, f->line);
    statement_text(&s, f->picture);
    statement_text(&s, f->picture_ulps);
    statement_int(&s, store->run);
    statement_int(&s, store->run);
    statement_int(&s, store_now());
    statement_int(&s, store_now());
    (void)statement_row(&s);
    *id = sqlite3_last_insert_rowid(store->db);
    return statement_end(&s, store->path, error);
}

/* Adds hits of this run; a fixed finding is reopened. */
static bool touch_finding(Store *store, int64_t id, int64_t hits, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO hit (finding, run, hits, first_seen, last_seen) VALUES "
                   "(?, ?, ?, ?4, ?4) ON CONFLICT DO UPDATE SET hits = hits + excluded.hits, "
                   "last_seen = max(last_seen, excluded.last_seen)");
    statement_int(&s, id);
    statement_int(&s, store->run);
    statement_int(&s, hits);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    if (!statement_end(&s, store->path, error))
        return false;
    s = statement_begin(store->db,
                        "UPDATE finding SET last_run = ?, last_seen = max(last_seen, ?), "
                        "hits = hits + ? WHERE id = ? RETURNING state = 'fixed'");
    statement_int(&s, store->run);
    statement_int(&s, store_now());
    statement_int(&s, hits);
    statement_int(&s, id);
    bool fixed = statement_row(&s) && sqlite3_column_int(s.statement, 0);
    static const EventRecord back = {
        .actor = "opconform", .kind = "state", .state = "reopened", .reason = "seen again"};
    return statement_end(&s, store->path, error) &&
           (!fixed || store_append_event(store, id, &back, error));
}

static bool insert_observation(Store *store, const FindingRecord *f, int64_t id, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO observation (run, finding, backend, raw, line, ratio, expected, "
                   "got, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    statement_int(&s, store->run);
    statement_int(&s, id);
    statement_text(&s, f->backend);
    statement_text(&s, f->raw);
    statement_text(&s, f->line);
    statement_real(&s, f->ratio);
    statement_text(&s, f->expected);
    statement_text(&s, f->got);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

static bool map_raw(Store *store, const char *raw, int64_t id, Text *error)
{
    Statement s =
        statement_begin(store->db, "INSERT INTO raw_signature (raw, finding) VALUES (?, ?) "
                                   "ON CONFLICT (raw) DO NOTHING");
    statement_text(&s, raw);
    statement_int(&s, id);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Notes which policies a finding speaks about: names with commas between them, or NULL.  They are
 * those of the case that it has: what else is filed under it may depart from others. */
static bool put_policies(Store *store, int64_t finding, const char *names, Text *error)
{
    bool ok = true;
    while (ok && names && *names) {
        char name[64];
        size_t length = strcspn(names, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        Statement s = statement_begin(
            store->db, "INSERT OR IGNORE INTO finding_policy (finding, policy) VALUES (?, ?)");
        statement_int(&s, finding);
        statement_text(&s, name);
        (void)statement_row(&s);
        ok = statement_end(&s, store->path, error);
        names += length + (names[length] == ',');
    }
    return ok;
}

bool store_put_finding(Store *store, const FindingRecord *f, int64_t *id, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = find_signature(store, f->signature, id, error);
    if (ok && *id == 0)
        ok = insert_finding(store, f, id, error) && put_policies(store, *id, f->policies, error);
    ok = ok && touch_finding(store, *id, 1, error) && insert_observation(store, f, *id, error) &&
         map_raw(store, f->raw, *id, error);
    return store_finish(store, ok, error);
}

bool store_split_finding(Store *store, int64_t from, const FindingRecord *f, int64_t *id,
                         Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = find_signature(store, f->signature, id, error);
    if (ok && *id == 0)
        ok = insert_finding(store, f, id, error) && put_policies(store, *id, f->policies, error);
    ok = ok && (*id == from || touch_finding(store, *id, 1, error)) &&
         store_run(store,
                   "UPDATE observation SET finding = ?2 WHERE id = (SELECT max(id) FROM "
                   "observation WHERE finding = ?1 AND line = ?3)",
                   from, *id, f->line, error) &&
         store_run(store, "UPDATE finding SET hits = hits - 1 WHERE id = ?1 AND id <> ?2", from,
                   *id, NULL, error) &&
         store_run(store,
                   "UPDATE hit SET hits = hits - 1 WHERE finding = ?1 AND finding <> ?2 AND "
                   "run = (SELECT max(run) FROM hit WHERE finding = ?1)",
                   from, *id, NULL, error);
    return store_finish(store, ok, error);
}

/* Removes a finding with all rows that belong to it. */
static bool forget_finding(Store *store, int64_t id, Text *error)
{
    static const char *const steps[] = {"DELETE FROM observation WHERE finding = ?1",
                                        "DELETE FROM raw_signature WHERE finding = ?1",
                                        "DELETE FROM probe WHERE finding = ?1",
                                        "DELETE FROM tie WHERE ?1 IN (finding, other)",
                                        "DELETE FROM suppression WHERE finding = ?1",
                                        "DELETE FROM event WHERE finding = ?1",
                                        "DELETE FROM artifact WHERE finding = ?1",
                                        "DELETE FROM hit WHERE finding = ?1",
                                        "DELETE FROM outcome WHERE finding = ?1",
                                        "DELETE FROM finding_policy WHERE finding = ?1",
                                        "DELETE FROM finding_peer WHERE finding = ?1",
                                        "DELETE FROM finding WHERE id = ?1"};
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (!store_run(store, steps[i], id, 0, NULL, error))
            return false;
    return true;
}

bool store_drop_observation(Store *store, int64_t id, const char *line, Text *error)
{
    static const char *const steps[] = {
        "DELETE FROM observation WHERE finding = ?1 AND line = ?3 AND run = ?2",
        "UPDATE finding SET hits = hits - 1 WHERE id = ?1",
        "UPDATE hit SET hits = hits - 1 WHERE finding = ?1 AND run = ?2",
        "DELETE FROM hit WHERE finding = ?1 AND hits <= 0",
    };
    bool ok = store_begin(store, error);
    if (!ok)
        return false;
    for (size_t i = 0; ok && i < COUNT_OF(steps); i++)
        ok = store_run(store, steps[i], id, store->run, line, error);
    Statement s = statement_begin(store->db, "SELECT 1 FROM hit WHERE finding = ?");
    statement_int(&s, id);
    bool seen = statement_row(&s);
    ok = statement_end(&s, store->path, error) && ok;
    ok = ok && (seen || forget_finding(store, id, error));
    return store_finish(store, ok, error);
}

/* The row may have been made by another library whose raw signature is the same. */
static bool update_facts(Store *store, int64_t id, const FindingRecord *f, Text *error)
{
    Statement s = statement_begin(
        store->db, "UPDATE finding SET dtype = ?, kind = ?, tier = ?, defect = ?, pattern = ?, "
                   "detail = ?, min_line = ?, ratio = ?, ulps = ?, expected = ?, got = ?, "
                   "bound = ?, flaky = ?, bad = ?, total = ?, worst = ?, symptom = ?, frame = ?, "
                   "output = coalesce(?, output), unfinished = ?, signature = ?, needed = ?, "
                   "backend = ?, line = ? WHERE id = ?");
    bind_facts(&s, f);
    statement_text(&s, f->signature);
    statement_text(&s, f->needed);
    statement_text(&s, f->backend);
    statement_text(&s, f->line);
    statement_int(&s, id);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Everything that belongs to `from` goes to `to`, and `from` disappears: it was never shown. */
static bool fold_finding(Store *store, int64_t from, int64_t to, Text *error)
{
    static const char move_hits[] =
        "INSERT INTO hit SELECT ?2, run, hits, first_seen, last_seen FROM hit WHERE finding = ?1 "
        "ON CONFLICT DO UPDATE SET hits = hits + excluded.hits, "
        "first_seen = min(first_seen, excluded.first_seen), "
        "last_seen = max(last_seen, excluded.last_seen)";
    static const char sum_hits[] =
        "UPDATE finding SET (hits, first_run, last_run, first_seen, last_seen) = (SELECT "
        "sum(hits), "
        "min(run), max(run), min(first_seen), max(last_seen) FROM hit WHERE finding = ?2) "
        "WHERE id = ?2";
    static const char *const steps[] = {
        "UPDATE observation SET finding = ?2 WHERE finding = ?1",
        "UPDATE raw_signature SET finding = ?2 WHERE finding = ?1",
        "UPDATE OR IGNORE probe SET finding = ?2 WHERE finding = ?1",
        "UPDATE event SET finding = ?2 WHERE finding = ?1",
        "UPDATE artifact SET finding = ?2 WHERE finding = ?1",
        move_hits,
        sum_hits,
        "UPDATE OR IGNORE outcome SET finding = ?2 WHERE finding = ?1",
        "UPDATE OR IGNORE finding_policy SET finding = ?2 WHERE finding = ?1",
        "UPDATE OR IGNORE finding_peer SET finding = ?2 WHERE finding = ?1"};
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (!store_run(store, steps[i], from, to, NULL, error))
            return false;
    return forget_finding(store, from, error);
}

/* Decisions that name a finding by its signature follow it. */
static bool follow_signature(Store *store, int64_t id, const char *signature, Text *error)
{
    return store_run(
               store,
               "UPDATE event SET payload = json_set(payload, '$.of', ?3) WHERE "
               "json_extract(payload, '$.of') = (SELECT signature FROM finding WHERE id = ?1)",
               id, 0, signature, error) &&
           store_run(store,
                     "UPDATE finding SET dup_of = ?3 WHERE dup_of = "
                     "(SELECT signature FROM finding WHERE id = ?1)",
                     id, 0, signature, error);
}

bool store_rename_finding(Store *store, int64_t id, const char *signature, bool *folded,
                          Text *error)
{
    int64_t other = 0;
    if (!find_signature(store, signature, &other, error) ||
        !follow_signature(store, id, signature, error))
        return false;
    *folded = other != 0 && other != id;
    if (*folded)
        return fold_finding(store, id, other, error) && store_fold_events(store, other, error);
    return store_run(store,
                     "UPDATE finding SET signature = ?3, signature_version = ?2 WHERE id = ?1", id,
                     SIGNATURE_VERSION, signature, error);
}

static bool put_peer(Store *store, int64_t finding, const PeerRecord *peer, Text *error)
{
    Statement s =
        statement_begin(store->db, "INSERT OR REPLACE INTO finding_peer "
                                   "(finding, backend, verdict, ratio) VALUES (?, ?, ?, ?)");
    statement_int(&s, finding);
    statement_text(&s, peer->backend);
    statement_text(&s, peer->verdict);
    statement_real(&s, peer->ratio);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Replaces the verdicts of other backends on it. */
static bool put_peers(Store *store, int64_t finding, const FindingRecord *record, Text *error)
{
    bool ok = true;
    for (int i = 0; ok && i < record->peer_count; i++)
        ok = put_peer(store, finding, &record->peers[i], error);
    return ok;
}

bool store_resolve_finding(Store *store, int64_t provisional, const FindingRecord *minimal,
                           int64_t *id, bool *fresh, Text *error)
{
    int64_t first_run = 0;
    if (!store_begin(store, error))
        return false;
    bool ok = find_signature(store, minimal->signature, id, error);
    ok = ok && store_run(store, "DELETE FROM finding_policy WHERE finding = ?1", provisional, 0,
                         NULL, error);
    if (ok && (*id == 0 || *id == provisional)) {
        *id = provisional;
        ok = update_facts(store, provisional, minimal, error) &&
             put_policies(store, provisional, minimal->policies, error);
    } else if (ok) {
        ok = fold_finding(store, provisional, *id, error) && touch_finding(store, *id, 0, error);
    }
    ok = ok && put_peers(store, *id, minimal, error) && store_match_known(store, *id, error);
    if (ok) {
        Statement s = statement_begin(store->db, "SELECT first_run FROM finding WHERE id = ?");
        statement_int(&s, *id);
        first_run = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
        ok = statement_end(&s, store->path, error);
    }
    *fresh = first_run == store->run;
    return store_finish(store, ok, error);
}

bool store_add_hits(Store *store, int64_t finding, int64_t hits, Text *error)
{
    if (!store_begin(store, error))
        return false;
    Statement s = statement_begin(store->db, "SELECT 1 FROM finding WHERE id = ?");
    statement_int(&s, finding);
    bool there = statement_row(&s);
    bool ok = statement_end(&s, store->path, error);
    ok = ok && (!there || touch_finding(store, finding, hits, error));
    return store_finish(store, ok, error);
}

void store_continue_run(Store *store, int64_t run)
{
    store->run = run;
}

int64_t store_run_number(const Store *store)
{
    return store->run;
}

/* Findings that came up, or came back, in this run. */
#define OF_THIS_RUN                                                                                \
    "SELECT count(*) FROM v_open v JOIN finding f ON f.id = v.id WHERE "                           \
    "(f.first_run = ?1 OR (f.state = 'reopened' AND f.last_run = ?1)) AND "
/* Those that say something of a library, though none of their cases alone may show it. */
#define COUNTS                                                                                     \
    "(NOT f.flaky OR f.kind = 'FAULT' OR (f.kind IN ('DIVERGE', 'CONTRACT') AND (SELECT "          \
    "sum(o.hits) FROM finding o WHERE o.flaky AND o.kind = f.kind AND o.op = f.op AND "            \
    "o.backend = f.backend) > 1))"

static bool count_of_this_run(Store *store, const char *sql, int64_t *count, Text *error)
{
    Statement s = statement_begin(store->db, sql);
    statement_int(&s, store->run);
    *count = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

bool store_count_fresh(Store *store, bool minimal, int64_t *count, Text *error)
{
    return count_of_this_run(
        store, minimal ? OF_THIS_RUN "f.min_line IS NOT NULL AND " COUNTS : OF_THIS_RUN COUNTS,
        count, error);
}

bool store_count_uncounted(Store *store, int64_t *count, Text *error)
{
    return count_of_this_run(store, OF_THIS_RUN "NOT " COUNTS, count, error);
}

bool store_get_finding(Store *store, int64_t id, Text *line, Text *backend, Text *signature,
                       Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT coalesce(min_line, line), backend, signature, op FROM finding WHERE id = ?");
    statement_int(&s, id);
    bool found = statement_row(&s), whole = found && !strcmp(statement_column(&s, 3), STORE_WHOLE);
    if (found) {
        text_printf(line, "%s", statement_column(&s, 0));
        text_printf(backend, "%s", statement_column(&s, 1));
        text_printf(signature, "%s", statement_column(&s, 2));
    }
    if (!statement_end(&s, store->path, error))
        return false;
    if (!found)
        text_printf(error, "%s: no finding %lld", store->path, (long long)id);
    if (whole)
        text_printf(error, "finding %lld is of %s as a whole: no case shows it", (long long)id,
                    text_string(backend));
    return found && !whole;
}
