/* The first page: bugs, then findings that are new, came back or are gone, then all open ones. */
#include <stdio.h>
#include <string.h>

#include "page.h"
#include "selection.h"

/* A count with its name, which findings v it counts, and the query that shows them.  The latter
 * finds the first of them in the table `chosen`; where there is no condition it has all itself.
 * ?1 is the time from which they count. */
typedef struct Tile {
    const char *name, *heading, *which, *sql;
} Tile;

#define FACTS                                                                                      \
    "SELECT f.id AS finding, f.kind, f.op, f.dtype, f.backend, f.pattern, f.hits, "                \
    "coalesce(f.min_line, f.line) AS line FROM chosen c CROSS JOIN finding f ON f.id = c.id "      \
    "ORDER BY c.id"

/* Whether a finding became something in the time that counts. */
#define BECAME(STATE)                                                                              \
    "EXISTS (SELECT 1 FROM event e WHERE e.finding = v.id AND e.at >= ?1 AND "                     \
    "json_extract(e.payload, '$.state') = '" STATE "')"

static const Tile tiles[] = {
    {"new", "New",
     "v.state IN ('new', 'open') AND v.kind <> 'POLICY' AND NOT v.flaky AND v.first_seen >= ?1",
     FACTS},
    {"regressed", "Regressed: fixed before, and seen again",
     "v.state = 'reopened' AND " BECAME("reopened"), FACTS},
    {"fixed", "Fixed", "v.state = 'fixed' AND " BECAME("fixed"), FACTS},
    {"flaky", "Flaky: not reproducible; they do not gate a night",
     "v.flaky AND v.last_seen >= ?1 AND v.state <> 'dup'", FACTS},
    {"suppressed", "Suppressed",
     "?1 IS NOT NULL AND ('expected' IN (v.state, v.filed) OR (v.filed IN ('new', 'open', "
     "'reopened') AND EXISTS (SELECT 1 FROM suppression s WHERE s.finding = v.id AND s.known IS "
     "NOT NULL)))",
     "SELECT id AS finding, op, backend, hits, reason, owner, link, expires, status, line "
     "FROM v_suppressed WHERE id IN (SELECT id FROM chosen)"},
    {"open", "Open", NULL,
     "SELECT id AS finding, state, kind, op, dtype, backend, pattern, round(ratio, 3) AS ratio, "
     "hits, line FROM v_open WHERE ?1 IS NOT NULL"},
};

/* Bugs that are open; ?1 is 0 for all but conventions, 1 for these. */
static const char bugs_sql[] =
    "SELECT id AS bug, severity, title, library || ' ' || replace(coalesce(versions, ''), ',', ', "
    "') "
    "AS \"in\", findings, iif(upstream = 'new', state, state || ', ' || upstream) AS state, "
    "date(first_seen) AS since, CAST(julianday('now') - julianday(first_seen) AS INTEGER) AS days "
    "FROM v_open_bug WHERE (severity = 7) = ?1";

/* The count of what a query gives, or of the findings of which a condition holds. */
static bool put_tile(Text *page, Store *store, const char *which, const char *sql, int64_t number,
                     const char *place, const char *name, Text *error)
{
    Text counted = {0};
    if (which)
        text_printf(&counted, "SELECT count(*) FROM v_state v WHERE %s", which);
    else
        text_printf(&counted, "SELECT count(*) FROM (%s)", sql);
    Statement s = statement_begin(store_connection(store), text_string(&counted));
    statement_int(&s, number);
    if (statement_row(&s))
        text_printf(page, "<div><b>%s</b><a href=#%s>%s</a></div>", statement_column(&s, 0), place,
                    name);
    text_release(&counted);
    return statement_end(&s, "report", error);
}

static bool put_tiles(Text *page, Store *store, int64_t since, Text *error)
{
    text_put(page, "<div class=tiles>");
    bool ok = put_tile(page, store, NULL, bugs_sql, 0, "bugs", "bugs", error) &&
              put_tile(page, store, NULL, bugs_sql, 1, "conventions", "conventions", error);
    for (size_t i = 0; ok && i < COUNT_OF(tiles); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s findings", tiles[i].name);
        ok = put_tile(page, store, tiles[i].which, tiles[i].sql, since, tiles[i].name, name, error);
    }
    text_put(page, "</div>\n");
    return ok;
}

/* Operators by backends: executions, and open findings with a link to the first. */
static bool put_matrix(Text *page, Store *store, Text *error)
{
    Text row = {0};
    Statement names = statement_begin(store_connection(store),
                                      "SELECT DISTINCT backend FROM coverage ORDER BY backend");
    text_put(page, "<table class=sort><tr><th>operator</th>");
    while (statement_row(&names)) {
        text_put(page, "<th>");
        escape_put_markup(page, statement_column(&names, 0));
        text_put(page, "</th>");
    }
    bool ok = statement_end(&names, "report", error);
    Statement s = statement_begin(
        store_connection(store),
        "SELECT o.op, m.executions, m.open_findings, f.first FROM (SELECT DISTINCT op FROM "
        "coverage) o "
        "JOIN (SELECT DISTINCT backend FROM coverage) b LEFT JOIN v_matrix m "
        "ON m.op = o.op AND m.backend = b.backend LEFT JOIN (SELECT op, backend, min(id) AS first "
        "FROM v_open GROUP BY op, backend) f ON f.op = o.op AND f.backend = b.backend "
        "ORDER BY o.op, b.backend");
    while (ok && statement_row(&s)) {
        if (strcmp(statement_column(&s, 0), text_string(&row)) != 0) {
            text_clear(&row);
            text_put(&row, statement_column(&s, 0));
            text_put(page, "</tr>\n<tr><td>");
            escape_put_markup(page, text_string(&row));
            text_put(page, "</td>");
        }
        int64_t executions = sqlite3_column_int64(s.statement, 1),
                open = sqlite3_column_int64(s.statement, 2);
        if (open > 0) {
            text_put(page, "<td class=\"n cell-open\">");
            page_put_number(page, "finding", sqlite3_column_int64(s.statement, 3), open);
            text_put(page, "</td>");
        } else
            text_printf(page, "<td class=\"n%s\" title=\"%lld executions\">%s</td>",
                        executions ? " cell-clean" : "", (long long)executions,
                        executions ? "0" : "");
    }
    text_put(page, "</tr></table>\n");
    text_release(&row);
    return statement_end(&s, "report", error) && ok;
}

/* A section that opens when it is asked for. */
static bool put_folded(Text *page, Store *store, const char *place, const char *heading,
                       const char *sql, int64_t number, Text *error)
{
    text_printf(page, "<details id=\"%s\"><summary>%s</summary>\n", place, heading);
    bool ok = page_put_query(page, store, sql, number, "none", error);
    text_put(page, "</details>\n");
    return ok;
}

/* The first findings of a tile; as many as a table shows, and one by which it knows that there are
 * more. */
static bool put_tile_findings(Text *page, Store *store, const Tile *tile, int64_t since,
                              Text *error)
{
    Text sql = {0};
    if (tile->which)
        text_printf(&sql,
                    "WITH chosen AS MATERIALIZED (SELECT v.id FROM v_state v WHERE %s ORDER BY "
                    "v.id LIMIT %d) ",
                    tile->which, PAGE_ROWS_MAX + 1);
    text_put(&sql, tile->sql);
    bool ok = put_folded(page, store, tile->name, tile->heading, text_string(&sql), since, error);
    text_release(&sql);
    return ok;
}

/* Says what has no page. */
static void put_rest(Text *page, Store *store)
{
    SelectionCounts counts = selection_count(store);
    if (counts.bugs > counts.bugs_with_page || counts.findings > counts.findings_with_page)
        text_printf(page,
                    "<p class=none>%lld of %lld bugs and %lld of %lld findings have a page, those "
                    "that are open first: opconform bugs show BUG and opconform query have the "
                    "others.</p>\n",
                    (long long)counts.bugs_with_page, (long long)counts.bugs,
                    (long long)counts.findings_with_page, (long long)counts.findings);
}

bool page_put_overview(Text *page, Store *store, int64_t since, Text *error)
{
    enum { TWO_MONTHS = 60 };
    bool ok = put_tiles(page, store, since, error);
    put_rest(page, store);
    text_put(page, "<h2 id=bugs>Open bugs, the worst first</h2>\n");
    ok = ok && page_put_query(page, store, bugs_sql, 0, "none", error) &&
         put_folded(page, store, "conventions", "Conventions: documented departures", bugs_sql, 1,
                    error) &&
         page_put_trend(page, store, TWO_MONTHS, error);
    text_put(page, "<h2>Findings</h2>\n");
    for (size_t i = 0; ok && i < COUNT_OF(tiles); i++)
        ok = put_tile_findings(page, store, &tiles[i], since, error);
    ok = ok &&
         put_folded(page, store, "known", "Known issues", "SELECT * FROM v_known", 0, error) &&
         put_folded(page, store, "every", "All findings",
                    "SELECT id AS finding, state, hits, date(first_seen, 'unixepoch') AS "
                    "since, kind, signature FROM finding ORDER BY id",
                    0, error);
    text_put(page, "<h2>Open findings by operator and backend</h2>\n");
    ok = ok && put_matrix(page, store, error);
    text_put(page, "<h2>Policies</h2>\n");
    return ok && page_put_policies(page, store, error);
}
