/* One prepared statement from begin to end, with its errors collected on the way. */
#ifndef REPORTS_STATEMENT_H
#define REPORTS_STATEMENT_H

#include <sqlite3.h>

#include "reference/base.h"

/* code is the first error, or the last answer of sqlite3_step. */
typedef struct Statement {
    sqlite3 *db;
    sqlite3_stmt *statement;
    int code, bound;
} Statement;

Statement statement_begin(sqlite3 *db, const char *sql);
/* Bind the next parameter; text is copied, NULL binds NULL, and so does NaN. */
void statement_text(Statement *s, const char *text);
void statement_int(Statement *s, int64_t value);
void statement_real(Statement *s, double value);
/* True while there is a row. */
bool statement_row(Statement *s);
/* Begins it again, with other parameters. */
void statement_again(Statement *s);
/* A column of the present row as text, "" for NULL; as long as the row is there. */
const char *statement_column(const Statement *s, int column);
/* Finalizes; false with one sentence in *error, beginning with `where`, if anything failed. */
MUST_USE bool statement_end(Statement *s, const char *where, Text *error);

/* Puts what SQLite says after `where`: its first line, since it quotes damaged schemas whole. */
void statement_complain(const char *where, const char *message, Text *error);

#endif
