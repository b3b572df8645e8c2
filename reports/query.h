/* Reading the database: canned views and SQL, as a table, JSON, CSV or plain text. */
#ifndef REPORTS_QUERY_H
#define REPORTS_QUERY_H

#include <stdio.h>

#include "reports/store/connection.h"

typedef enum QueryFormat { QUERY_TABLE, QUERY_JSON, QUERY_CSV, QUERY_PLAIN } QueryFormat;

/* A canned query. */
typedef struct QueryRow {
    const char *name, *summary, *sql;
} QueryRow;
extern const QueryRow query_rows[]; /* ended by a NULL name */
const char *query_find(const char *name);

/* Runs one SELECT and prints its rows; false with one sentence in *error for anything that is not
 * one statement that only reads. */
MUST_USE bool query_run(Store *store, const char *sql, QueryFormat format, FILE *to, Text *error);

#endif
