/* Events are appended, and folded into the columns of a finding by SQL. */
#include "store_events.h"

#include <stdlib.h>
#include <string.h>

#include "connection_parts.h"
#include "reports/day.h"

/* With a number or a column in the place of %s: by a number the view looks at the events of one
 * finding only. */
static const char fold_sql[] =
    "UPDATE finding SET (state, reason, owner, link, expires, dup_of) = (SELECT "
    "coalesce(json_extract(e.payload, '$.state'), 'new'), json_extract(e.payload, '$.reason'), "
    "json_extract(e.payload, '$.owner'), json_extract(e.payload, '$.link'), "
    "json_extract(e.payload, '$.expires'), json_extract(e.payload, '$.of') "
    "FROM (SELECT 1) LEFT JOIN v_standing e ON e.finding = %s AND e.place = 1)";

bool store_fold_events(Store *store, int64_t finding, Text *error)
{
    Text sql = {0};
    text_printf(&sql, fold_sql, finding ? "?1" : "finding.id");
    text_put(&sql, finding ? " WHERE id = ?1" : "");
    bool ok = store_run(store, text_string(&sql), finding, 0, NULL, error);
    text_release(&sql);
    return ok;
}

bool store_append_event(Store *store, int64_t finding, const EventRecord *event, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "INSERT INTO event (finding, actor, kind, payload, at, uuid, sequence) VALUES (?1, ?2, ?3, "
        "json_patch('{}', json_object('state', ?4, 'reason', ?5, 'owner', ?6, 'link', ?7, "
        "'expires', ?8, 'of', ?9, 'event', ?10, 'scope', ?11)), ?12, lower(hex(randomblob(16))), "
        "1 + (SELECT coalesce(max(sequence), 0) FROM event WHERE finding = ?1))");
    statement_int(&s, finding);
    statement_text(&s, event->actor);
    statement_text(&s, event->kind);
    statement_text(&s, event->state);
    statement_text(&s, event->reason);
    statement_text(&s, event->owner);
    statement_text(&s, event->link);
    statement_text(&s, event->expires);
    statement_text(&s, event->of);
    statement_text(&s, event->undone);
    statement_text(&s, event->scope);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    return statement_end(&s, store->path, error) && store_fold_events(store, finding, error);
}

/* One text of one row, appended; *found tells whether there was one. */
static bool get_text(Store *store, const char *sql, int64_t finding, Text *text, bool *found,
                     Text *error)
{
    Statement s = statement_begin(store->db, sql);
    statement_int(&s, finding);
    *found = statement_row(&s);
    if (*found)
        text_printf(text, "%s", statement_column(&s, 0));
    return statement_end(&s, store->path, error);
}

static bool check_event(const EventRecord *event, Text *error)
{
    int64_t begins;
    bool expected = event->state && !strcmp(event->state, "expected");
    if (expected && !(event->reason && event->owner && event->expires))
        text_printf(error, "what is expected needs --reason, --owner and --expires");
    else if (event->state && !strcmp(event->state, "invalid") && !event->reason)
        text_printf(error, "what is invalid needs --reason");
    else if (event->state && !strcmp(event->state, "upstream") && !event->link)
        text_printf(error, "what was reported upstream needs --link");
    else
        return !event->expires || day_parse(event->expires, &begins, error);
    return false;
}

/* Fills the reference of an event: the signature of the finding that this one is the same as, or
 * the last event that set a state and was not undone. */
static bool complete_event(Store *store, int64_t finding, EventRecord *event, Text *reference,
                           Text *error)
{
    bool found = true, undo = !strcmp(event->kind, "undo");
    const char *sql = undo ? "SELECT uuid FROM v_standing WHERE finding = ? AND place = 1"
                           : "SELECT signature FROM finding WHERE id = ?";
    int64_t about = undo ? finding : event->of_finding;
    if (about && !get_text(store, sql, about, reference, &found, error))
        return false;
    if (undo && !found)
        text_printf(error, "finding %lld has nothing that can be undone", (long long)finding);
    else if (!found || event->of_finding == finding)
        text_printf(error, "finding %lld cannot be the same as %lld", (long long)finding,
                    (long long)event->of_finding);
    else if (undo)
        event->undone = text_string(reference);
    else if (about)
        event->of = text_string(reference);
    return error->length == 0;
}

bool store_record_event(Store *store, int64_t finding, const EventRecord *event, bool dry_run,
                        Text *error)
{
    Text signature = {0}, reference = {0};
    EventRecord complete = *event;
    bool found = false;
    if (!store_begin(store, error))
        return false;
    bool ok =
        check_event(event, error) && get_text(store, "SELECT signature FROM finding WHERE id = ?",
                                              finding, &signature, &found, error);
    if (ok && !found)
        text_printf(error, "%s: no finding %lld", store->path, (long long)finding);
    ok = ok && found && complete_event(store, finding, &complete, &reference, error) &&
         store_append_event(store, finding, &complete, error);
    text_release(&signature);
    text_release(&reference);
    return store_finish(store, ok && !dry_run, error) || (ok && dry_run);
}

static bool set_flaky(Store *store, const OutcomeRecord *o, Text *error)
{
    if ((o->diverged == 0 && !o->captured) || o->diverged == o->tries)
        return true;
    return store_run(store, "UPDATE finding SET flaky = 1 WHERE id = ?", o->finding, 0, NULL,
                     error);
}

/* A finding that is gone on the library it was found on is fixed; one that is back is reopened. */
static bool follow_outcome(Store *store, const OutcomeRecord *o, Text *error)
{
    Text state = {0}, reason = {0};
    Statement s = statement_begin(
        store->db, "SELECT state FROM finding WHERE id = ? AND backend = ? AND NOT flaky");
    statement_int(&s, o->finding);
    statement_text(&s, o->backend);
    if (statement_row(&s))
        text_put(&state, statement_column(&s, 0));
    bool ok = statement_end(&s, store->path, error);
    const char *now = text_string(&state);
    bool open = !strcmp(now, "new") || !strcmp(now, "open") || !strcmp(now, "reopened");
    text_printf(&reason, "%d of %d runs of %s %s diverge", o->diverged, o->tries, o->backend,
                o->version);
    EventRecord event = {.actor = "opconform", .kind = "state", .reason = text_string(&reason)};
    if (open && o->diverged == 0)
        event.state = "fixed";
    else if (!strcmp(now, "fixed") && o->diverged > 0)
        event.state = "reopened";
    if (ok && event.state)
        ok = store_append_event(store, o->finding, &event, error);
    text_release(&state);
    text_release(&reason);
    return ok;
}

bool store_put_outcome(Store *store, const OutcomeRecord *o, Text *error)
{
    if (!store_begin(store, error))
        return false;
    Statement s = statement_begin(store->db,
                                  "INSERT OR REPLACE INTO outcome (finding, run, backend, version, "
                                  "setting, tries, diverged, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    statement_int(&s, o->finding);
    statement_int(&s, store->run);
    statement_text(&s, o->backend);
    statement_text(&s, o->version);
    statement_text(&s, o->setting ? o->setting : "");
    statement_int(&s, o->tries);
    statement_int(&s, o->diverged);
    statement_int(&s, store_now());
    (void)statement_row(&s);
    bool ok = statement_end(&s, store->path, error);
    bool itself = !o->setting || !o->setting[0];
    ok = ok && (!itself || (set_flaky(store, o, error) && follow_outcome(store, o, error)));
    return store_finish(store, ok, error);
}
