/* Merging in SQL: one database after the other is attached to a new one, or one to a database that
 * it comes behind. */
#include "merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bug.h"
#include "connection_parts.h"
#include "known.h"
#include "reference/list.h"
#include "store_events.h"

extern const char merge_begin_sql[], merge_grow_sql[], merge_met_sql[], merge_runs_sql[],
    merge_chosen_sql[], merge_facts_sql[], merge_ranked_sql[], merge_findings_sql[],
    merge_observations_sql[], merge_reopen_sql[], merge_bugs_sql[];

static const char close_log_sql[] = "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE";

static bool attach(Store *store, const char *path, int number, Text *error)
{
    Statement s = statement_begin(store->db, "ATTACH ? AS src");
    statement_text(&s, path);
    (void)statement_row(&s);
    if (!statement_end(&s, path, error))
        return false;
    s = statement_begin(store->db, "INSERT OR REPLACE INTO this (rowid, source) VALUES (1, ?)");
    statement_int(&s, number);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Runs a script with each source attached in turn. */
static bool for_each_source(Store *store, const char *const *sources, int count, const char *sql,
                            Text *error)
{
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        ok = attach(store, sources[i], i, error) && store_begin(store, error);
        ok = ok && store_finish(store, store_execute(store, sql, error), error);
        ok = store_execute(store, "DETACH src", error) && ok;
    }
    return ok;
}

/* Counts that two sources have added up each over runs that the other lacks cannot be parted. */
static bool check_torn(Store *store, const char *const *sources, Text *error)
{
    Statement s = statement_begin(store->db, "SELECT source, leader FROM torn ORDER BY 1 LIMIT 1");
    bool torn = statement_row(&s);
    if (torn)
        text_printf(error,
                    "%s: its counts of run %s and others are also in another source, together with "
                    "other runs: merge the shards themselves",
                    sources[sqlite3_column_int(s.statement, 0)], statement_column(&s, 1));
    return statement_end(&s, store->path, error) && !torn;
}

static const MergeSpan always = {INT64_MIN, INT64_MAX};

/* What is merged, and how. */
typedef struct Merge {
    const char *const *sources;
    int count;
    int whole; /* the source of which all is taken, -1 for none */
    MergeCounts counts;
    MergeSpan span;
} Merge;

static bool begin(Store *store, const Merge *merge, Text *error)
{
    if (!store_execute(store, merge_begin_sql, error) ||
        !store_run(store, "INSERT INTO way (fold) VALUES (?)",
                   merge->counts == MERGE_COUNTS_TOGETHER, 0, NULL, error))
        return false;
    Statement s = statement_begin(store->db, "INSERT INTO span VALUES (?, ?, ?)");
    statement_int(&s, merge->span.since);
    statement_int(&s, merge->span.until);
    statement_int(&s, merge->whole);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

/* Collects what sources hold in tables of the moment. */
static bool collect(Store *store, const char *const *sources, int count, Text *error)
{
    return for_each_source(store, sources, count, merge_runs_sql, error) &&
           store_execute(store, merge_chosen_sql, error) && check_torn(store, sources, error) &&
           for_each_source(store, sources, count, merge_facts_sql, error) &&
           for_each_source(store, sources, count, merge_ranked_sql, error);
}

static bool fill(Store *store, const Merge *merge, Text *error)
{
    BugCounts counts;
    const char *const *sources = merge->sources;
    int count = merge->count;
    return begin(store, merge, error) && collect(store, sources, count, error) &&
           store_begin(store, error) &&
           store_finish(store, store_execute(store, merge_findings_sql, error), error) &&
           for_each_source(store, sources, count, merge_observations_sql, error) &&
           store_begin(store, error) &&
           store_finish(store,
                        store_fold_events(store, 0, error) &&
                            store_execute(store, merge_reopen_sql, error) &&
                            store_fold_events(store, 0, error) &&
                            store_match_known(store, 0, error),
                        error) &&
           bugs_group(store, &counts, error) && store_execute(store, close_log_sql, error);
}

/* Folds events and known issues into the findings that the source has. */
static bool settle(Store *store, Text *error)
{
    int64_t *ids = NULL;
    size_t count = 0, room = 0;
    Statement s = statement_begin(
        store->db, "SELECT f.id FROM m_finding m JOIN finding f ON f.signature = m.signature");
    while (statement_row(&s)) {
        ids = list_grow(ids, count, &room, sizeof *ids);
        ids[count++] = sqlite3_column_int64(s.statement, 0);
    }
    bool ok = statement_end(&s, store->path, error);
    for (size_t i = 0; ok && i < count; i++)
        ok = store_fold_events(store, ids[i], error);
    ok = ok && store_execute(store, merge_reopen_sql, error);
    for (size_t i = 0; ok && i < count; i++)
        ok = store_fold_events(store, ids[i], error) && store_match_known(store, ids[i], error);
    free(ids);
    return ok;
}

/* All in one transaction, so that the database is as it was until then. */
static bool put_behind(Store *store, const char *source, Text *error)
{
    BugCounts counts;
    if (!attach(store, source, 0, error))
        return false;
    bool ok =
        store_begin(store, error) &&
        store_finish(store,
                     store_execute(store, merge_findings_sql, error) &&
                         store_execute(store, merge_observations_sql, error) &&
                         settle(store, error) && store_execute(store, merge_bugs_sql, error) &&
                         bugs_group_within(store, &counts, error),
                     error);
    return store_execute(store, "DETACH src", error) && ok;
}

/* Puts one source behind what a database has, if all of it comes there, so that nothing else is
 * written; *grown tells. */
static bool grow(const char *to, const char *source, bool *grown, Text *error)
{
    static const char *const in_memory[] = {":memory:"};
    int64_t grows = 0;
    *grown = false;
    Store *store = store_open(to, STORE_WRITE, error);
    const Merge all = {.whole = -1, .counts = MERGE_COUNTS_BY_RUN, .span = always};
    bool ok = store && begin(store, &all, error) &&
              for_each_source(store, &source, 1, merge_grow_sql, error) &&
              store_get_number(store, "SELECT grows FROM grows", &grows, error);
    if (ok && grows)
        ok = attach(store, in_memory[0], 0, error) && store_execute(store, merge_met_sql, error) &&
             store_execute(store, merge_ranked_sql, error) &&
             store_execute(store, "DETACH src", error) && collect(store, &source, 1, error) &&
             put_behind(store, source, error);
    /* As long as somebody reads it, the log stays. */
    if (ok)
        (void)sqlite3_exec(store->db, close_log_sql, NULL, NULL, NULL);
    *grown = ok && grows;
    store_close(store);
    return ok;
}

/* True for a database of ours; one that was open for writing has no log any more. */
static bool check_source(const char *path, StoreMode mode, Text *error)
{
    Store *store = store_open(path, mode, error);
    store_close(store);
    return store != NULL;
}

/* Where another process has the database open, its log would be taken for one of the new file. */
static bool is_in_use(const char *path)
{
    Text name = {0};
    text_printf(&name, "%s-wal", path);
    bool in_use = access(text_string(&name), F_OK) == 0;
    text_release(&name);
    return in_use;
}

/* Makes a new file of all sources, and puts it in the place of the old one. */
static bool make_anew(const char *to, const Merge *merge, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s.merging", to);
    /* A merge that was killed leaves a file that nobody can use. */
    store_delete(text_string(&path));
    Store *store = store_open(text_string(&path), STORE_WRITE, error);
    bool ok = store && fill(store, merge, error);
    store_close(store);
    if (ok && rename(text_string(&path), to) != 0) {
        text_printf(error, "%s: %s", to, strerror(errno));
        ok = false;
    }
    if (!ok)
        store_delete(text_string(&path));
    text_release(&path);
    return ok;
}

bool merge_databases(const char *to, const char *const *sources, int count, MergeCounts counts,
                     Text *error)
{
    return merge_span(to, sources, count, counts, &always, error);
}

bool merge_span(const char *to, const char *const *sources, int count, MergeCounts counts,
                const MergeSpan *span, Text *error)
{
    bool whole = span->since == always.since && span->until == always.until;
    const char **all = memory_allocate((size_t)count + 1, sizeof(const char *));
    int total = 0;
    bool ok = true, there = access(to, F_OK) == 0, grown = false;
    if (there) {
        ok = check_source(to, STORE_WRITE, error);
        if (ok && is_in_use(to)) {
            text_printf(error, "%s: another process has it open: try again when that has ended",
                        to);
            ok = false;
        }
        all[total++] = to;
    }
    for (int i = 0; ok && i < count; i++) {
        ok = check_source(sources[i], STORE_READ, error);
        all[total++] = sources[i];
    }
    if (ok && there && count == 1 && whole && counts == MERGE_COUNTS_BY_RUN)
        ok = grow(to, sources[0], &grown, error);
    const Merge merge = {all, total, there ? 0 : -1, counts, *span};
    ok = ok && (grown || make_anew(to, &merge, error));
    free(all);
    return ok;
}
