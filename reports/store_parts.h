/* Shared by the files that write to a database; private to them. */
#ifndef REPORTS_STORE_PARTS_H
#define REPORTS_STORE_PARTS_H

#include "statement.h"
#include "store.h"

struct Store {
    sqlite3 *db;
    char *path;
    int64_t run;
};

/* Statements without parameters or rows. */
bool store_execute(Store *store, const char *sql, Text *error);
/* One statement without rows, with as many of first, second and text as it has parameters. */
bool store_run(Store *store, const char *sql, int64_t first, int64_t second, const char *text,
               Text *error);
bool store_begin(Store *store, Text *error);
/* Commits when ok, else rolls back. */
bool store_finish(Store *store, bool ok, Text *error);

/* Appends an event as it is and folds the finding's history; within a transaction. */
bool store_append_event(Store *store, int64_t finding, const EventRecord *event, Text *error);
/* Brings the columns of a finding, or of all where it is 0, up to their events. */
bool store_fold_events(Store *store, int64_t finding, Text *error);
/* Gives a finding another signature; where one has it already, the two become one: *folded.  Within
 * a transaction. */
bool store_rename_finding(Store *store, int64_t id, const char *signature, bool *folded,
                          Text *error);
/* Notes which known issue a finding, or each where it is 0, matches; within a transaction. */
bool store_match_known(Store *store, int64_t finding, Text *error);

/* Replaces what other backends made of it. */
bool store_put_peers(Store *store, int64_t finding, const FindingRecord *record, Text *error);
/* Notes which policies a finding speaks about: names with commas between them, or NULL. */
bool store_put_policies(Store *store, int64_t finding, const char *names, Text *error);

#endif
