/* One open database: an SQLite file with the schema of this program. */
#ifndef REPORTS_CONNECTION_H
#define REPORTS_CONNECTION_H

#include "reference/base.h"

enum { STORE_VERSION = 16 };

typedef struct Store Store;
typedef enum StoreMode { STORE_READ, STORE_WRITE } StoreMode;

/* Opens path, creating it for STORE_WRITE.  NULL with one sentence in *error for a file that is no
 * database of ours, is damaged, cannot be read or written, or was written by a newer version. */
Store *store_open(const char *path, StoreMode mode, Text *error);
void store_close(Store *store);
/* Deletes a database and what SQLite keeps beside it; what is not there is left out. */
void store_delete(const char *path);

/* The functions on a database return false with one sentence in *error when it refuses.  Each that
 * writes is one transaction, durable once it returned true, unless it says that it belongs within
 * one. */

/* True where a database of this process is not whole under its name: words on standard error said
 * where the rest is. */
bool store_had_trouble(void);

/* Seconds since 1970, or what OPCONFORM_NOW says, with which tests let nights pass.  In one process
 * it never goes back, though clocks are set back. */
int64_t store_now(void);
/* From now on it is this at least. */
void store_not_before(int64_t seconds);

/* The first number that a SELECT without parameters gives, 0 for none. */
MUST_USE bool store_get_number(Store *store, const char *sql, int64_t *value, Text *error);

/* The connection, for the readers in this folder. */
struct sqlite3 *store_connection(Store *store);

#endif
