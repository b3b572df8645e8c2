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

bool store_begin(Store *store, Text *error);
/* Commits when ok, else rolls back. */
bool store_finish(Store *store, bool ok, Text *error);

/* Notes which policies a finding speaks about: names with commas between them, or NULL. */
/* Replaces what other backends made of it. */
bool store_put_peers(Store *store, int64_t finding, const FindingRecord *record, Text *error);
bool store_put_policies(Store *store, int64_t finding, const char *names, Text *error);

#endif
