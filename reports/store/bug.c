/* Queries about bugs, and decisions that hold for all their findings. */
#include "bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bug_ties.h"
#include "ops/backend/trust.h"
#include "ops/case/transfer.h"
#include "severity.h"
#include "store.h"

bool bugs_put_probe(Store *store, const ProbeWish *wish, const char *symptom, const char *line,
                    Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT OR REPLACE INTO probe (finding, op, dtype, symptom, line) VALUES (?, ?, ?, ?, ?)");
    statement_int(&s, wish->finding);
    statement_text(&s, wish->op->name);
    statement_text(&s, dtype_name(wish->dtype));
    statement_text(&s, symptom);
    statement_text(&s, line);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

static bool get_number(Store *store, const char *sql, int64_t of, int64_t *number, Text *error)
{
    Statement s = statement_begin(store->db, sql);
    statement_int(&s, of);
    *number = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

int64_t bugs_find(Store *store, int64_t number, Text *error)
{
    int64_t bug = 0;
    bool ok =
        get_number(store,
                   "WITH RECURSIVE way(id, part_of, far) AS (SELECT id, part_of, 0 FROM bug "
                   "WHERE id = ? UNION ALL SELECT b.id, b.part_of, far + 1 FROM bug b JOIN "
                   "way w ON b.id = w.part_of WHERE far < 100) SELECT w.id FROM way w WHERE "
                   "EXISTS (SELECT 1 FROM finding WHERE bug = w.id) ORDER BY far DESC LIMIT 1",
                   number, &bug, error);
    if (ok && bug == 0)
        text_printf(error, "%s: no bug %lld: opconform bugs lists them", store->path,
                    (long long)number);
    return ok ? bug : 0;
}

void bugs_line_release(BugLine *line)
{
    text_release(&line->state);
    text_release(&line->text);
    text_release(&line->alike);
    *line = (BugLine){0};
}

static bool get_line(Store *store, const char *where, int64_t number, BugLine *line, Text *error)
{
    Text sql = {0};
    text_printf(&sql,
                "SELECT v.id, v.severity, v.state, v.library || ': ' || v.title, (SELECT "
                "json_array(b.library, b.kind, b.symptom, b.condition, b.known, f.detail, f.frame) "
                "FROM bug b LEFT JOIN finding f ON f.id = v.finding WHERE b.id = v.id) FROM %s",
                where);
    Statement s = statement_begin(store->db, text_string(&sql));
    statement_int(&s, number);
    *line = (BugLine){0};
    if (statement_row(&s)) {
        line->id = sqlite3_column_int64(s.statement, 0);
        line->severity = sqlite3_column_int64(s.statement, 1);
        text_put(&line->state, statement_column(&s, 2));
        text_put(&line->text, statement_column(&s, 3));
        text_put(&line->alike, statement_column(&s, 4));
    }
    text_release(&sql);
    return statement_end(&s, store->path, error);
}

bool bugs_next(Store *store, int64_t after, BugLine *line, Text *error)
{
    return get_line(store, "v_open_bug v WHERE v.id > ? ORDER BY v.id LIMIT 1", after, line, error);
}

bool bugs_get(Store *store, int64_t bug, BugLine *line, Text *error)
{
    return get_line(store, "v_bug v WHERE v.id = ?", bug, line, error);
}

bool bugs_after(Store *store, int64_t after, int64_t *bug, Text *error)
{
    BugLine line;
    bool ok = get_line(store, "v_bug v WHERE v.id > ? AND v.kind <> 'POLICY' ORDER BY v.id LIMIT 1",
                       after, &line, error);
    *bug = line.id;
    bugs_line_release(&line);
    return ok;
}

bool bugs_next_finding(Store *store, int64_t bug, int64_t *finding, Text *line, Text *backend,
                       Text *error)
{
    Statement s = statement_begin(
        store->db, "SELECT id, coalesce(min_line, line), backend FROM finding WHERE bug = ?1 AND "
                   "id > ?2 AND op <> ?3 AND state NOT IN ('dup', 'invalid') ORDER BY id LIMIT 1");
    statement_int(&s, bug);
    statement_int(&s, *finding);
    statement_text(&s, STORE_WHOLE);
    text_clear(line);
    text_clear(backend);
    bool found = statement_row(&s);
    if (found) {
        *finding = sqlite3_column_int64(s.statement, 0);
        text_put(line, statement_column(&s, 1));
        text_put(backend, statement_column(&s, 2));
    }
    return statement_end(&s, store->path, error) && found;
}

bool bugs_count_run(Store *store, int64_t run, RunBugs *counts, Text *error)
{
    bool worst_is_upstream = false;
    *counts = (RunBugs){0};
    Statement s = statement_begin(
        store->db, "SELECT id, severity, upstream = 'known upstream', upstream = 'reviewed' FROM "
                   "v_open_bug WHERE id IN (SELECT f.bug FROM hit h JOIN "
                   "finding f ON f.id = h.finding WHERE h.run = ?)");
    statement_int(&s, run);
    while (statement_row(&s)) {
        bool convention = sqlite3_column_int(s.statement, 1) >= SEVERITY_CONVENTION;
        counts->conventions += convention;
        counts->bugs += !convention;
        counts->upstream += !convention && sqlite3_column_int(s.statement, 2);
        counts->reviewed += !convention && sqlite3_column_int(s.statement, 3);
        bool is_upstream = sqlite3_column_int(s.statement, 2);
        if (!convention && (counts->worst == 0 || (worst_is_upstream && !is_upstream))) {
            counts->worst = sqlite3_column_int64(s.statement, 0);
            worst_is_upstream = is_upstream;
        }
    }
    return statement_end(&s, store->path, error) &&
           get_number(store,
                      "SELECT count(*) FROM hit h JOIN finding f ON f.id = h.finding WHERE h.run = "
                      "? AND (f.bug IS NULL OR f.min_line IS NULL OR f.unfinished)",
                      run, &counts->unfinished, error) &&
           get_number(store,
                      "SELECT count(*) FROM hit h JOIN finding f ON f.id = h.finding WHERE h.run = "
                      "? AND f.bug IS NULL",
                      run, &counts->alone, error);
}

/* The finding that a bug is shown by. */
static bool get_finding(Store *store, int64_t bug, int64_t *finding, Text *error)
{
    int64_t number = bugs_find(store, bug, error);
    return number &&
           get_number(store, "SELECT finding FROM v_bug WHERE id = ?", number, finding, error);
}

bool bugs_record_event(Store *store, int64_t bug, const EventRecord *event, bool dry_run,
                       Text *error)
{
    EventRecord scoped = *event;
    int64_t finding;
    scoped.scope = "bug";
    if (!get_finding(store, bug, &finding, error))
        return false;
    if (!strcmp(event->kind, "undo")) {
        int64_t number = bugs_find(store, bug, error);
        if (!number ||
            !get_number(store,
                        "SELECT e.finding FROM v_standing e JOIN finding f ON f.id = e.finding "
                        "WHERE f.bug = ? AND json_extract(e.payload, '$.scope') = 'bug' "
                        "ORDER BY e.at DESC, e.sequence DESC, e.uuid DESC LIMIT 1",
                        number, &finding, error))
            return false;
        if (!finding) {
            text_printf(error, "bug %lld has nothing that can be undone", (long long)number);
            return false;
        }
    }
    return store_record_event(store, finding, &scoped, dry_run, error);
}

static bool decide(Store *store, int64_t finding, const EventRecord *event, bool dry_run,
                   Text *error)
{
    BugCounts counts;
    return store_record_event(store, finding, event, dry_run, error) &&
           (dry_run || bugs_group(store, &counts, error));
}

bool bugs_join(Store *store, int64_t bug, int64_t other, const EventRecord *event, bool dry_run,
               Text *error)
{
    int64_t first, second;
    if (!get_finding(store, bug, &first, error) || !get_finding(store, other, &second, error))
        return false;
    if (first == second) {
        text_printf(error, "bugs %lld and %lld are one already", (long long)bug, (long long)other);
        return false;
    }
    EventRecord joined = {
        .actor = event->actor, .kind = "together", .reason = event->reason, .of_finding = second};
    return decide(store, first, &joined, dry_run, error);
}

bool bugs_split(Store *store, int64_t finding, const EventRecord *event, bool dry_run, Text *error)
{
    int64_t members = 0;
    if (!get_number(store,
                    "SELECT count(*) FROM finding WHERE bug = (SELECT bug FROM finding WHERE id = "
                    "?)",
                    finding, &members, error))
        return false;
    if (members == 1) {
        text_printf(error, "finding %lld is a bug of its own already", (long long)finding);
        return false;
    }
    EventRecord apart = {.actor = event->actor, .kind = "apart", .reason = event->reason};
    return decide(store, finding, &apart, dry_run, error);
}
