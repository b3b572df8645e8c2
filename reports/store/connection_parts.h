/* Transactions over a connection; private to the files that read and write the database. */
#ifndef REPORTS_CONNECTION_PARTS_H
#define REPORTS_CONNECTION_PARTS_H

#include <sys/types.h>

#include "connection.h"
#include "statement.h"

struct Store {
    sqlite3 *db;
    char *path;
    int64_t run;
    /* The file that the name meant when it was opened (place.h); named: it is a file. */
    bool named, in_memory;
    dev_t device;
    ino_t inode, log_inode;
};

/* Statements without parameters or rows. */
bool store_execute(Store *store, const char *sql, Text *error);
/* One statement without rows, with as many of first, second and text as it has parameters. */
bool store_run(Store *store, const char *sql, int64_t first, int64_t second, const char *text,
               Text *error);
bool store_begin(Store *store, Text *error);
/* Commits when ok, else rolls back. */
bool store_finish(Store *store, bool ok, Text *error);

#endif
