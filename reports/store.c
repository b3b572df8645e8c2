/* Opening databases, and every write to them. */
#include "store.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store_parts.h"
#include "version.h"

extern const char schema_sql[], schema_2_sql[], schema_3_sql[], schema_4_sql[], schema_5_sql[];

/* What brings a database from version i + 1 to the next. */
static const char *const migrations[] = {schema_2_sql, schema_3_sql, schema_4_sql, schema_5_sql};

struct sqlite3 *store_connection(Store *store)
{
    return store->db;
}

bool store_execute(Store *store, const char *sql, Text *error)
{
    char *message = NULL;
    if (sqlite3_exec(store->db, sql, NULL, NULL, &message) == SQLITE_OK)
        return true;
    statement_complain(store->path, message ? message : sqlite3_errmsg(store->db), error);
    sqlite3_free(message);
    return false;
}

bool store_run(Store *store, const char *sql, int64_t first, int64_t second, const char *text,
               Text *error)
{
    Statement s = statement_begin(store->db, sql);
    int count = s.statement ? sqlite3_bind_parameter_count(s.statement) : 0;
    if (count > 0)
        statement_int(&s, first);
    if (count > 1)
        statement_int(&s, second);
    if (count > 2)
        statement_text(&s, text);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_begin(Store *store, Text *error)
{
    return store_execute(store, "BEGIN IMMEDIATE", error);
}

/* Commits when ok, else rolls back. */
bool store_finish(Store *store, bool ok, Text *error)
{
    if (ok && store_execute(store, "COMMIT", error))
        return true;
    (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

static bool get_number(Store *store, const char *sql, int64_t *value, Text *error)
{
    Statement s = statement_begin(store->db, sql);
    bool row = statement_row(&s);
    *value = row ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

/* Brings the schema from a version, 0 for an empty file, to the present one, or leaves it alone. */
static bool migrate(Store *store, int64_t version, Text *error)
{
    bool ok = store_begin(store, error);
    if (ok && version == 0)
        ok = store_execute(store, schema_sql, error);
    for (int64_t i = version > 0 ? version - 1 : 0; ok && i < (int64_t)COUNT_OF(migrations); i++)
        ok = store_execute(store, migrations[i], error);
    return store_finish(store, ok, error);
}

/* An empty file becomes ours; anything else must carry our mark and a version that we know. */
static bool check_schema(Store *store, StoreMode mode, Text *error)
{
    enum { APPLICATION_ID = 0x6f70636f };
    int64_t application, version, tables;
    if (!get_number(store, "PRAGMA application_id", &application, error) ||
        !get_number(store, "PRAGMA user_version", &version, error) ||
        !get_number(store, "SELECT count(*) FROM sqlite_master", &tables, error))
        return false;
    if (tables == 0 && mode == STORE_WRITE) {
        return migrate(store, 0, error);
    }
    if (application != APPLICATION_ID) {
        text_printf(error, "%s: not a database of opconform", store->path);
        return false;
    }
    if (version > STORE_VERSION && mode == STORE_WRITE) {
        text_printf(
            error,
            "%s: written by a newer opconform (schema %lld, this one knows %d); it can only "
            "be read: choose another --db or update",
            store->path, (long long)version, STORE_VERSION);
        return false;
    }
    if (version < STORE_VERSION && mode == STORE_WRITE)
        return migrate(store, version, error);
    if (version < STORE_VERSION) {
        text_printf(error,
                    "%s: written by an older opconform (schema %lld): open it once for "
                    "writing, such as with opconform fuzz --cases 1 --db, to bring it up",
                    store->path, (long long)version);
        return false;
    }
    return true;
}

static bool check_integrity(Store *store, Text *error)
{
    Statement s = statement_begin(store->db, "PRAGMA quick_check(1)");
    const char *verdict = statement_row(&s) ? statement_column(&s, 0) : "";
    bool intact = !strcmp(verdict, "ok");
    if (!intact && s.code == SQLITE_ROW)
        text_printf(error, "%s: damaged database (%.*s): restore it or move it away", store->path,
                    (int)strcspn(verdict, "\n"), verdict);
    return statement_end(&s, store->path, error) && intact;
}

Store *store_open(const char *path, StoreMode mode, Text *error)
{
    Store *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path)))
        BUG("out of memory");
    int flags =
        mode == STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) {
        text_printf(error, "%s: %s", path,
                    mode == STORE_READ && access(path, F_OK) != 0
                        ? "no such database: run opconform fuzz first, or name one with --db"
                        : sqlite3_errmsg(store->db));
        store_close(store);
        return NULL;
    }
    (void)sqlite3_busy_timeout(store->db, 10000);
    /* Reading a large file whole would take longer than a query; what is damaged is told then. */
    bool ok =
        check_schema(store, mode, error) && (mode == STORE_READ || check_integrity(store, error));
    if (ok && mode == STORE_WRITE)
        ok = store_execute(store, "PRAGMA journal_mode = WAL", error) &&
             store_execute(store, "PRAGMA synchronous = NORMAL", error) &&
             store_execute(store, "PRAGMA foreign_keys = ON", error);
    if (ok)
        return store;
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store)
        return;
    (void)sqlite3_close(store->db);
    free(store->path);
    free(store);
}

void store_delete(const char *path)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    Text name = {0};
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        text_clear(&name);
        text_printf(&name, "%s%s", path, tails[i]);
        (void)unlink(text_string(&name));
    }
    text_release(&name);
}

int64_t store_now(void)
{
    const char *given = getenv("OPCONFORM_NOW");
    return given ? strtoll(given, NULL, 10) : (int64_t)time(NULL);
}

bool store_begin_run(Store *store, const RunRecord *run, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO run (uuid, tool_version, arguments, engine, seed, jobs, started) "
                   "VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?, ?, ?)");
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
                   "VALUES (?, ?, ?, ?, ?, ?, ?)");
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
}

static bool insert_finding(Store *store, const FindingRecord *f, int64_t *id, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO finding (dtype, kind, tier, defect, pattern, detail, min_line, ratio, ulps, "
        "expected, got, bound, flaky, bad, total, worst, signature, signature_version, op, "
        "backend, line, picture, "
        "picture_ulps, first_run, last_run, first_seen, last_seen, hits) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
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
                   "last_seen = excluded.last_seen");
    statement_int(&s, id);
    statement_int(&s, store->run);
    statement_int(&s, hits);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    if (!statement_end(&s, store->path, error))
        return false;
    s = statement_begin(store->db, "UPDATE finding SET last_run = ?, last_seen = ?, "
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

bool store_put_finding(Store *store, const FindingRecord *f, int64_t *id, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = find_signature(store, f->signature, id, error);
    if (ok && *id == 0)
        ok = insert_finding(store, f, id, error);
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
        ok = insert_finding(store, f, id, error);
    ok = ok && touch_finding(store, *id, 1, error) &&
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

static bool update_facts(Store *store, int64_t id, const FindingRecord *f, Text *error)
{
    Statement s = statement_begin(
        store->db, "UPDATE finding SET dtype = ?, kind = ?, tier = ?, defect = ?, pattern = ?, "
                   "detail = ?, min_line = ?, ratio = ?, ulps = ?, expected = ?, got = ?, "
                   "bound = ?, flaky = ?, bad = ?, total = ?, worst = ?, signature = ?, needed = ? "
                   "WHERE id = ?");
    bind_facts(&s, f);
    statement_text(&s, f->signature);
    statement_text(&s, f->needed);
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
        "UPDATE event SET finding = ?2 WHERE finding = ?1",
        "UPDATE artifact SET finding = ?2 WHERE finding = ?1",
        move_hits,
        "DELETE FROM hit WHERE finding = ?1",
        "DELETE FROM suppression WHERE finding = ?1",
        sum_hits,
        "UPDATE OR IGNORE outcome SET finding = ?2 WHERE finding = ?1",
        "DELETE FROM outcome WHERE finding = ?1",
        "UPDATE OR IGNORE finding_policy SET finding = ?2 WHERE finding = ?1",
        "DELETE FROM finding_policy WHERE finding = ?1",
        "UPDATE OR IGNORE finding_peer SET finding = ?2 WHERE finding = ?1",
        "DELETE FROM finding_peer WHERE finding = ?1",
        "DELETE FROM finding WHERE id = ?1"};
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        if (!store_run(store, steps[i], from, to, NULL, error))
            return false;
    return true;
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

bool store_resolve_finding(Store *store, int64_t provisional, const FindingRecord *minimal,
                           int64_t *id, bool *fresh, Text *error)
{
    int64_t first_run = 0;
    if (!store_begin(store, error))
        return false;
    bool ok = find_signature(store, minimal->signature, id, error);
    if (ok && (*id == 0 || *id == provisional)) {
        *id = provisional;
        ok = update_facts(store, provisional, minimal, error);
    } else if (ok) {
        ok = fold_finding(store, provisional, *id, error) && touch_finding(store, *id, 0, error);
    }
    ok = ok && store_put_policies(store, *id, minimal->policies, error) &&
         store_put_peers(store, *id, minimal, error) && store_match_known(store, *id, error);
    if (ok) {
        Statement s = statement_begin(store->db, "SELECT first_run FROM finding WHERE id = ?");
        statement_int(&s, *id);
        first_run = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
        ok = statement_end(&s, store->path, error);
    }
    *fresh = first_run == store->run;
    return store_finish(store, ok, error);
}

bool store_add_hits(Store *store, const char *raw, uint64_t hits, Text *error)
{
    int64_t id = 0;
    if (!store_begin(store, error))
        return false;
    Statement s = statement_begin(store->db, "SELECT finding FROM raw_signature WHERE raw = ?");
    statement_text(&s, raw);
    if (statement_row(&s))
        id = sqlite3_column_int64(s.statement, 0);
    bool ok = statement_end(&s, store->path, error);
    ok = ok && (id == 0 || touch_finding(store, id, (int64_t)hits, error));
    return store_finish(store, ok, error);
}

bool store_count_fresh(Store *store, int64_t *count, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT count(*) FROM v_open v JOIN finding f ON f.id = v.id WHERE NOT f.flaky AND "
        "(f.first_run = ?1 OR (f.state = 'reopened' AND f.last_run = ?1))");
    statement_int(&s, store->run);
    *count = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

bool store_get_finding(Store *store, int64_t id, Text *line, Text *backend, Text *signature,
                       Text *error)
{
    Statement s = statement_begin(
        store->db, "SELECT coalesce(min_line, line), backend, signature FROM finding WHERE id = ?");
    statement_int(&s, id);
    bool found = statement_row(&s);
    if (found) {
        text_printf(line, "%s", statement_column(&s, 0));
        text_printf(backend, "%s", statement_column(&s, 1));
        text_printf(signature, "%s", statement_column(&s, 2));
    }
    if (!statement_end(&s, store->path, error))
        return false;
    if (!found)
        text_printf(error, "%s: no finding %lld", store->path, (long long)id);
    return found;
}
