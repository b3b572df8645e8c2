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

static void copy_name(char *to, size_t size, const char *name)
{
    (void)snprintf(to, size, "%s", name);
}

static bool is_wished(const ProbeWish *wishes, size_t count, const BugFacts *from,
                      const BugFacts *at)
{
    for (size_t i = 0; i < count; i++)
        if (wishes[i].finding == from->id && wishes[i].op == at->op && wishes[i].dtype == at->dtype)
            return true;
    return false;
}

/* One operator at another type is tied without a probe. */
static bool is_wanted(const BugFacts *from, const BugFacts *at, const ProbeList *probes)
{
    return !from->whole && !at->whole && from->op != at->op &&
           (from->bug != at->bug || from->bug == 0) && bugs_may_be_one(from, at) && !from->flaky &&
           !at->flaky && !probe_list_find(probes, from->id, at->op, at->dtype);
}

static void put_wish(ProbeWish *wish, const BugFacts *from, const BugFacts *at)
{
    *wish = (ProbeWish){.finding = from->id,
                        .op = at->op,
                        .dtype = at->dtype,
                        .minimal = *from->minimal,
                        .plain = from == at,
                        .varied = from->wrong,
                        .bare = from->bare};
    copy_name(wish->other, sizeof wish->other, at->symptom);
    copy_name(wish->backend, sizeof wish->backend, from->backend);
    copy_name(wish->symptom, sizeof wish->symptom, from->symptom);
}

/* True when the finding departs from a rule, and it is not known yet whether it also shows in the
 * case without the values that the rule is about. */
static bool is_plain_wanted(const BugFacts *f, const ProbeList *probes)
{
    Case plain = *f->minimal, wide = *f->minimal;
    bool asks = case_make_plain(&plain) || f->unwritten || (f->policy[0] && case_widen(&wide));
    return asks && !f->whole && !f->memory && !f->unfinished && !f->flaky &&
           !probe_list_find(probes, f->id, f->op, f->dtype);
}

/* Whether the library of each finding may be opened; the caller frees. */
static bool *list_opened(const BugFactsList *list, int64_t *closed)
{
    bool *opened = memory_allocate(list->count, sizeof *opened);
    *closed = 0;
    for (size_t i = 0; i < list->count; i++) {
        Text refusal = {0};
        opened[i] = trust_allows(list->facts[i].backend, &refusal);
        *closed += !opened[i];
        text_release(&refusal);
    }
    return opened;
}

/* Two bugs, in the order in which one asks for the other. */
typedef struct BugPair {
    int64_t from, at;
} BugPair;

typedef struct WishList {
    ProbeWish *wishes;
    BugPair *pairs; /* of the wishes */
    size_t count, most;
} WishList;

static bool asks_already(const WishList *wished, const BugFacts *from, const BugFacts *at)
{
    for (size_t i = 0; i < wished->count; i++)
        if (wished->pairs[i].from == from->bug && wished->pairs[i].at == at->bug)
            return true;
    return false;
}

/* Probes of two findings; those of `each` pair of bugs at most one. */
static void wish_of_two(WishList *wished, const BugFactsList *list, const ProbeList *probes,
                        const bool *opened, bool each)
{
    for (size_t at = 0; at < list->count; at++)
        for (size_t from = 0; from < list->count && wished->count < wished->most; from++) {
            const BugFacts *f = &list->facts[from], *a = &list->facts[at];
            if (!opened[from] || !is_wanted(f, a, probes) || (each && asks_already(wished, f, a)) ||
                is_wished(wished->wishes, wished->count, f, a))
                continue;
            wished->pairs[wished->count] = (BugPair){f->bug, a->bug};
            put_wish(&wished->wishes[wished->count++], f, a);
        }
}

size_t bugs_wish(Store *store, ProbeWish *wishes, size_t most, int64_t *closed, Text *error)
{
    BugFactsList list;
    ProbeList probes;
    WishList wished = {.wishes = wishes, .most = most};
    if (!bug_facts_read(store, &list, error) || !probe_list_read(store, &probes, error))
        return 0;
    bool *opened = list_opened(&list, closed);
    wished.pairs = memory_allocate(most, sizeof *wished.pairs);
    for (size_t at = 0; at < list.count && wished.count < most; at++)
        if (opened[at] && is_plain_wanted(&list.facts[at], &probes)) {
            wished.pairs[wished.count] = (BugPair){list.facts[at].bug, list.facts[at].bug};
            put_wish(&wishes[wished.count++], &list.facts[at], &list.facts[at]);
        }
    wish_of_two(&wished, &list, &probes, opened, true);
    wish_of_two(&wished, &list, &probes, opened, false);
    free(wished.pairs);
    free(opened);
    probe_list_release(&probes);
    bug_facts_release(&list);
    return wished.count;
}

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
