/* Merging in SQL: one database after the other is attached to a new one. */
#include "merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bug.h"
#include "connection_parts.h"
#include "known.h"
#include "store_events.h"

extern const char merge_begin_sql[], merge_runs_sql[], merge_chosen_sql[], merge_facts_sql[],
    merge_findings_sql[], merge_observations_sql[], merge_reopen_sql[];

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

static bool fill(Store *store, const char *const *sources, int count, MergeCounts way, Text *error)
{
    BugCounts counts;
    return store_execute(store, merge_begin_sql, error) &&
           store_run(store, "INSERT INTO way (fold) VALUES (?)", way == MERGE_COUNTS_TOGETHER, 0,
                     NULL, error) &&
           for_each_source(store, sources, count, merge_runs_sql, error) &&
           store_execute(store, merge_chosen_sql, error) && check_torn(store, sources, error) &&
           for_each_source(store, sources, count, merge_facts_sql, error) &&
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
           bugs_group(store, &counts, error) &&
           store_execute(store, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE",
                         error);
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

bool merge_databases(const char *to, const char *const *sources, int count, MergeCounts counts,
                     Text *error)
{
    const char **all = memory_allocate((size_t)count + 1, sizeof(const char *));
    Text path = {0};
    int total = 0;
    bool ok = true;
    if (access(to, F_OK) == 0) {
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
    text_printf(&path, "%s.merging", to);
    /* A merge that was killed leaves a file that nobody can use. */
    if (ok)
        store_delete(text_string(&path));
    Store *store = ok ? store_open(text_string(&path), STORE_WRITE, error) : NULL;
    ok = store && fill(store, all, total, counts, error);
    store_close(store);
    if (ok && rename(text_string(&path), to) != 0) {
        text_printf(error, "%s: %s", to, strerror(errno));
        ok = false;
    }
    if (!ok)
        store_delete(text_string(&path));
    text_release(&path);
    free(all);
    return ok;
}
