/* The chosen are in tables of the connection's own, which the database does not keep. */
#include "selection.h"

#include <stdio.h>
#include <stdlib.h>

#include "reports/store/connection_parts.h"
#include "reports/store/statement.h"

/* What the pages ask for again and again is computed once, under the names of the views, which
 * tables of the connection go before.  Of findings it is what choosing them takes: rows of the
 * database are long, and a look at all of them takes seconds where there are a million. */
static const char computed_sql[] =
    "CREATE TEMP TABLE v_state (id INTEGER PRIMARY KEY, state TEXT, filed TEXT, kind TEXT, "
    "flaky INTEGER, first_seen INTEGER, last_seen INTEGER);"
    "INSERT INTO temp.v_state SELECT id, state, filed, kind, flaky, first_seen, last_seen "
    "FROM main.v_state ORDER BY id;"
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

/* The chosen ones in rising order: each number that a page shows is looked for. */
typedef struct Chosen {
    int64_t numbers[SELECTION_FINDINGS_MAX];
    size_t count;
} Chosen;

static Chosen chosen_bugs, chosen_findings;

static bool read_chosen(Store *store, const char *sql, Chosen *chosen, Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    for (chosen->count = 0; chosen->count < COUNT_OF(chosen->numbers) && statement_row(&s);)
        chosen->numbers[chosen->count++] = sqlite3_column_int64(s.statement, 0);
    return statement_end(&s, "report", error);
}

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
    return ok &&
           read_chosen(store, "SELECT id FROM page_of_bug ORDER BY id", &chosen_bugs, error) &&
           read_chosen(store, "SELECT id FROM page_of_finding ORDER BY id", &chosen_findings,
                       error);
}

static int compare_numbers(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

bool selection_has(bool is_bug, int64_t number)
{
    const Chosen *chosen = is_bug ? &chosen_bugs : &chosen_findings;
    return bsearch(&number, chosen->numbers, chosen->count, sizeof number, compare_numbers);
}

static int64_t number_of(Store *store, const char *sql)
{
    int64_t number = 0;
    Text ignored = {0};
    (void)!store_get_number(store, sql, &number, &ignored);
    text_release(&ignored);
    return number;
}

SelectionCounts selection_count(Store *store)
{
    return (SelectionCounts){.bugs = number_of(store, "SELECT count(*) FROM temp.v_bug"),
                             .bugs_with_page = (int64_t)chosen_bugs.count,
                             .findings = number_of(store, "SELECT count(*) FROM temp.v_state"),
                             .findings_with_page = (int64_t)chosen_findings.count};
}
