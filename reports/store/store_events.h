/* The history of a finding: decisions and outcomes, appended and never overwritten. */
#ifndef REPORTS_STORE_EVENTS_H
#define REPORTS_STORE_EVENTS_H

#include "connection.h"

/* One entry in the history of a finding; what does not apply is NULL.  kind is state, note, undo,
 * together (with another one, as one bug) or apart (from the bug it is in).
 * expected needs reason, owner and expires, invalid a reason, upstream a link. */
typedef struct EventRecord {
    const char *actor, *kind, *state, *reason, *owner, *link;
    const char *expires;     /* the last day, as 2027-01-31 */
    const char *scope;       /* "bug" where it holds for the whole bug */
    int64_t of_finding;      /* the one that this is the same as, for dup and together */
    const char *of, *undone; /* filled in: its signature; the event that undo takes back */
} EventRecord;
/* Appends an event and folds the history into the finding; a dry run checks only. */
MUST_USE bool store_record_event(Store *store, int64_t finding, const EventRecord *event,
                                 bool dry_run, Text *error);

/* The outcome of running the minimal case of a finding again, or with one setting changed.  One
 * that is gone on its own backend becomes fixed, a fixed one that diverges is reopened, and one
 * that diverges sometimes is flaky. */
typedef struct OutcomeRecord {
    int64_t finding;
    const char *backend, *version, *setting; /* setting: NULL for the case itself */
    int tries, diverged;
    bool captured; /* right after it was found: what does not show now is flaky, not fixed */
} OutcomeRecord;
MUST_USE bool store_put_outcome(Store *store, const OutcomeRecord *outcome, Text *error);

/* Appends an event as it is and folds the finding's history; within a transaction. */
MUST_USE bool store_append_event(Store *store, int64_t finding, const EventRecord *event,
                                 Text *error);
/* Brings the columns of a finding, or of all where it is 0, up to their events; within a
 * transaction. */
MUST_USE bool store_fold_events(Store *store, int64_t finding, Text *error);

#endif
