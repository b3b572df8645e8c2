/* The first page: bugs, then findings that are new, came back or are gone, then all open ones. */
#include <string.h>

#include "page.h"

/* A count with its name, its query and the query of its findings; ?1 is the time from which they
 * count. */
typedef struct Tile {
    const char *name, *heading, *sql;
} Tile;

#define FACTS                                                                                      \
    "f.id AS finding, f.kind, f.op, f.dtype, f.backend, f.pattern, f.hits, "                       \
    "coalesce(f.min_line, f.line) AS line FROM finding f JOIN v_state v ON v.id = f.id "

static const Tile tiles[] = {
    {"new", "New",
     "SELECT " FACTS "WHERE v.state IN ('new', 'open') AND f.kind <> 'POLICY' AND NOT f.flaky AND "
     "f.first_seen >= ?1 ORDER BY f.id"},
    {"regressed", "Regressed: fixed before, and seen again",
     "SELECT " FACTS "WHERE v.state = 'reopened' AND EXISTS (SELECT 1 FROM event e WHERE "
     "e.finding = f.id AND e.at >= ?1 AND json_extract(e.payload, '$.state') = 'reopened') "
     "ORDER BY f.id"},
    {"fixed", "Fixed",
     "SELECT " FACTS "WHERE v.state = 'fixed' AND EXISTS (SELECT 1 FROM event e WHERE "
     "e.finding = f.id AND e.at >= ?1 AND json_extract(e.payload, '$.state') = 'fixed') "
     "ORDER BY f.id"},
    {"flaky", "Flaky: not reproducible; they do not gate a night",
     "SELECT " FACTS "WHERE f.flaky AND f.last_seen >= ?1 AND v.state <> 'dup' ORDER BY f.id"},
    {"suppressed", "Suppressed",
     "SELECT id AS finding, op, backend, hits, reason, owner, link, expires, status, line "
     "FROM v_suppressed WHERE ?1 IS NOT NULL"},
    {"open", "Open",
     "SELECT id AS finding, state, kind, op, dtype, backend, pattern, round(ratio, 3) AS ratio, "
     "hits, "
     "line FROM v_open WHERE ?1 IS NOT NULL"},
};

static const char bugs_sql[] =
    "SELECT id AS bug, severity, title, library, versions, state, upstream, findings, "
    "date(first_seen) AS since, CAST(julianday('now') - julianday(first_seen) AS "
    "INTEGER) AS days FROM v_open_bug";

static bool put_tiles(Text *page, Store *store, int64_t since, Text *error)
{
    text_put(page, "<div class=tiles>");
    Statement bugs =
        statement_begin(store_connection(store), "SELECT count(*) FROM v_open_bug WHERE severity "
                                                 "< 7");
    if (statement_row(&bugs))
        text_printf(page, "<div><b>%s</b><a href=#bugs>bugs</a></div>", statement_column(&bugs, 0));
    if (!statement_end(&bugs, "report", error))
        return false;
    for (size_t i = 0; i < COUNT_OF(tiles); i++) {
        Text sql = {0};
        text_printf(&sql, "SELECT count(*) FROM (%s)", tiles[i].sql);
        Statement s = statement_begin(store_connection(store), text_string(&sql));
        statement_int(&s, since);
        if (statement_row(&s))
            text_printf(page, "<div><b>%s</b><a href=#%s>%s</a></div>", statement_column(&s, 0),
                        tiles[i].name, tiles[i].name);
        text_release(&sql);
        if (!statement_end(&s, "report", error))
            return false;
    }
    text_put(page, "</div>\n");
    return true;
}

/* A line of the number of open findings, night by night. */
static bool put_trend(Text *page, Store *store, Text *error)
{
    enum { WIDTH = 640, HEIGHT = 110, NIGHTS = 60 };
    Statement s =
        statement_begin(store_connection(store),
                        "SELECT open, (SELECT max(open) FROM night), (SELECT min(count(*), "
                        "60) FROM night) FROM (SELECT * FROM night ORDER BY started DESC, "
                        "uuid DESC LIMIT 60) ORDER BY started, uuid");
    Text line = {0};
    int count = 0;
    while (statement_row(&s)) {
        double most = (double)sqlite3_column_int64(s.statement, 1) + 1,
               nights = (double)sqlite3_column_int64(s.statement, 2);
        double step = nights > 1 ? (WIDTH - 20) / (nights - 1) : 0;
        text_printf(&line, "%.1f,%.1f ", 10 + step * count++,
                    HEIGHT - 10 -
                        (HEIGHT - 20) * (double)sqlite3_column_int64(s.statement, 0) / most);
    }
    if (count > 1)
        text_printf(
            page,
            "<h2>Open findings by night</h2>\n<svg role=img width=%d height=%d aria-label=\"open "
            "findings of the last %d nights\"><polyline fill=none stroke=\"#2f6fb0\" "
            "stroke-width=2 points=\"%s\"/></svg>\n",
            WIDTH, HEIGHT, count, text_string(&line));
    text_release(&line);
    return statement_end(&s, "report", error);
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
        page_put_escaped(page, statement_column(&names, 0));
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
            page_put_escaped(page, text_string(&row));
            text_put(page, "</td>");
        }
        int64_t executions = sqlite3_column_int64(s.statement, 1),
                open = sqlite3_column_int64(s.statement, 2);
        if (open > 0)
            text_printf(page, "<td class=\"n cell-open\"><a href=finding-%s.html>%lld</a></td>",
                        statement_column(&s, 3), (long long)open);
        else
            text_printf(page, "<td class=\"n%s\" title=\"%lld executions\">%s</td>",
                        executions ? " cell-clean" : "", (long long)executions,
                        executions ? "0" : "");
    }
    text_put(page, "</tr></table>\n");
    text_release(&row);
    return statement_end(&s, "report", error) && ok;
}

bool page_put_overview(Text *page, Store *store, int64_t since, Text *error)
{
    bool ok = put_tiles(page, store, since, error);
    text_put(page, "<h2 id=bugs>Open bugs</h2>\n");
    ok = ok && page_put_query(page, store, bugs_sql, 0, "none", error) &&
         put_trend(page, store, error);
    for (size_t i = 0; ok && i < COUNT_OF(tiles); i++) {
        text_printf(page, "<h2 id=%s>%s</h2>\n", tiles[i].name, tiles[i].heading);
        ok = page_put_query(page, store, tiles[i].sql, since, "none", error);
    }
    text_put(page, "<h2>Known issues</h2>\n");
    ok = ok && page_put_query(page, store, "SELECT * FROM v_known", 0, "none are listed", error);
    text_put(page, "<h2>Open findings by operator and backend</h2>\n");
    ok = ok && put_matrix(page, store, error);
    text_put(page, "<h2>Policies</h2>\n");
    ok = ok && page_put_policies(page, store, error);
    text_put(page, "<h2>All findings</h2>\n");
    return ok &&
           page_put_query(page, store,
                          "SELECT id AS finding, state, hits, date(first_seen, 'unixepoch') AS "
                          "since, kind, signature FROM finding ORDER BY id",
                          0, "none", error);
}
