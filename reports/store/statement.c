/* Prepared statements. */
#include "statement.h"

#include <string.h>

Statement statement_begin(sqlite3 *db, const char *sql)
{
    Statement s = {.db = db};
    s.code = sqlite3_prepare_v2(db, sql, -1, &s.statement, NULL);
    return s;
}

static void note(Statement *s, int code)
{
    if (s->code == SQLITE_OK)
        s->code = code;
}

void statement_text(Statement *s, const char *text)
{
    if (s->code == SQLITE_OK)
        note(s, sqlite3_bind_text(s->statement, ++s->bound, text, -1, SQLITE_TRANSIENT));
}

void statement_int(Statement *s, int64_t value)
{
    if (s->code == SQLITE_OK)
        note(s, sqlite3_bind_int64(s->statement, ++s->bound, value));
}

void statement_real(Statement *s, double value)
{
    if (s->code == SQLITE_OK)
        note(s, sqlite3_bind_double(s->statement, ++s->bound, value));
}

bool statement_row(Statement *s)
{
    if (s->code != SQLITE_OK && s->code != SQLITE_ROW)
        return false;
    s->code = sqlite3_step(s->statement);
    return s->code == SQLITE_ROW;
}

void statement_again(Statement *s)
{
    if (s->code != SQLITE_ROW && s->code != SQLITE_DONE)
        return;
    s->code = sqlite3_reset(s->statement);
    s->bound = 0;
}

const char *statement_column(const Statement *s, int column)
{
    const char *text = (const char *)sqlite3_column_text(s->statement, column);
    return text ? text : "";
}

bool statement_end(Statement *s, const char *where, Text *error)
{
    bool ok = s->code == SQLITE_OK || s->code == SQLITE_ROW || s->code == SQLITE_DONE;
    if (!ok)
        statement_complain(where, sqlite3_errmsg(s->db), error);
    (void)sqlite3_finalize(s->statement);
    s->statement = NULL;
    return ok;
}

void statement_complain(const char *where, const char *message, Text *error)
{
    text_printf(error, "%s: %.*s", where, (int)strcspn(message, "\n"), message);
}
