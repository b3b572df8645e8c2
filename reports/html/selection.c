/* The chosen are in tables of the connection's own, which the database does not keep. */
#include "selection.h"

#include <stdio.h>

#include "reports/store/connection_parts.h"
#include "reports/store/statement.h"

/* What the pages ask for again and again is computed once, under the names of the views, which
 * tables of the connection go before. */
static const char computed_sql[] =
    "CREATE TEMP TABLE v_state (id INTEGER PRIMARY KEY, state TEXT);"
    "INSERT INTO temp.v_state SELECT id, state FROM main.v_state;"
    "CREATE INDEX temp.v_state_state ON v_state(state);"
    "CREATE TEMP TABLE v_bug AS SELECT * FROM main.v_bug;"
    "CREATE INDEX temp.v_bug_id ON v_bug(id);"
    "CREATE TEMP TABLE v_open_bug AS SELECT * FROM temp.v_bug WHERE state IN ('new', 'open', "
    "'reopened');"
    "CREATE TEMP TABLE page_of_bug (id INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE page_of_finding (id INTEGER PRIMARY KEY);";

/* Findings by which open bugs are shown, then the others that are open, of each bug the first ones,
 * then what is closed.  Each takes what room the former have left. */
static const char *const chosen_sql[] = {
    "INSERT INTO page_of_bug SELECT id FROM temp.v_open_bug ORDER BY rowid LIMIT %d",
    "INSERT OR IGNORE INTO page_of_bug SELECT id FROM temp.v_bug ORDER BY id DESC LIMIT "
    "%d - (SELECT count(*) FROM page_of_bug)",
    "INSERT INTO page_of_finding SELECT finding FROM temp.v_open_bug ORDER BY rowid LIMIT %d",
    "INSERT OR IGNORE INTO page_of_finding SELECT id FROM (SELECT f.id, row_number() OVER "
    "(PARTITION BY f.bug ORDER BY f.id) AS place FROM main.v_state f WHERE f.filed IN ('new', "
    "'open', 'reopened', 'expected') AND f.state IN ('new', 'open', 'reopened')) WHERE id NOT IN "
    "(SELECT id FROM page_of_finding) ORDER BY place, id LIMIT "
    "%d - (SELECT count(*) FROM page_of_finding)",
    "INSERT OR IGNORE INTO page_of_finding SELECT id FROM finding WHERE id NOT IN (SELECT id FROM "
    "page_of_finding) ORDER BY id DESC LIMIT %d - (SELECT count(*) FROM page_of_finding)",
};

bool selection_make(Store *store, Text *error)
{
    enum { OF_BUGS = 2 };
    bool ok = store_execute(store, computed_sql, error);
    for (size_t i = 0; ok && i < COUNT_OF(chosen_sql); i++) {
        Text sql = {0};
        int most = i < OF_BUGS ? SELECTION_BUGS_MAX : SELECTION_FINDINGS_MAX;
        text_printf(&sql, chosen_sql[i], most);
        ok = store_execute(store, text_string(&sql), error);
        text_release(&sql);
    }
    return ok;
}

static int64_t number_of(Store *store, const char *sql, int64_t of)
{
    Text ignored = {0};
    Statement s = statement_begin(store_connection(store), sql);
    if (s.statement && sqlite3_bind_parameter_count(s.statement) > 0)
        statement_int(&s, of);
    int64_t number = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    (void)!statement_end(&s, "report", &ignored);
    text_release(&ignored);
    return number;
}

bool selection_has(Store *store, bool is_bug, int64_t number)
{
    return number_of(store,
                     is_bug ? "SELECT count(*) FROM page_of_bug WHERE id = ?1"
                            : "SELECT count(*) FROM page_of_finding WHERE id = ?1",
                     number) > 0;
}

SelectionCounts selection_count(Store *store)
{
    return (SelectionCounts){
        .bugs = number_of(store, "SELECT count(*) FROM temp.v_bug", 0),
        .bugs_with_page = number_of(store, "SELECT count(*) FROM page_of_bug", 0),
        .findings = number_of(store, "SELECT count(*) FROM temp.v_state", 0),
        .findings_with_page = number_of(store, "SELECT count(*) FROM page_of_finding", 0)};
}
