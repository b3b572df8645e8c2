/* Nights: what they ran and found, as charts and tables. */
#include <stdio.h>

#include "chart.h"
#include "page.h"

enum { NIGHTS = 60 };

/* The last ?1 nights, the first of them first. */
#define LAST                                                                                       \
    "(SELECT * FROM (SELECT run, started, ended, open, fresh, regressed, fixed, flaky, uuid FROM " \
    "night ORDER BY started DESC, uuid DESC LIMIT ?1) ORDER BY started, uuid)"

/* Runs that are of a night by the time when they began. */
#define OF_NIGHT "r.started BETWEEN n.started AND n.ended AND r.engine <> 'nightly'"

/* A query of numbers and days, the last `nights` of them. */
static bool put_chart(Text *page, Store *store, const char *sql, int nights, const char *caption,
                      const char *upwards, bool line, Text *error)
{
    ChartValue values[NIGHTS];
    char days[NIGHTS][16];
    int count = 0;
    Statement s = statement_begin(store_connection(store), sql);
    statement_int(&s, nights < NIGHTS ? nights : NIGHTS);
    for (; count < NIGHTS && statement_row(&s); count++) {
        (void)snprintf(days[count], sizeof days[count], "%s", statement_column(&s, 1));
        values[count] = (ChartValue){days[count], sqlite3_column_double(s.statement, 0), false};
    }
    const ChartWords words = {caption, "the day that a night began", upwards};
    if (count > 1)
        (line ? chart_put_line : chart_put_bars)(page, &words, values, count);
    return statement_end(&s, "report", error);
}

bool page_put_trend(Text *page, Store *store, int nights, Text *error)
{
    return put_chart(page, store, "SELECT open, date(started, 'unixepoch') FROM " LAST, nights,
                     "Open findings by night", "open findings", true, error);
}

bool page_put_nights(Text *page, Store *store, Text *error)
{
    enum { MONTH = 31 };
    bool ok = page_put_trend(page, store, MONTH, error) &&
              put_chart(page, store, "SELECT fresh, date(started, 'unixepoch') FROM " LAST, MONTH,
                        "New findings by night", "new findings", false, error) &&
              put_chart(page, store,
                        "SELECT coalesce((SELECT sum(r.cases) FROM run r WHERE " OF_NIGHT
                        "), 0), date(n.started, 'unixepoch') FROM " LAST " n",
                        MONTH, "Cases by night", "cases", false, error);
    text_put(page, "<h2>The nights of a month</h2>\n");
    ok = ok &&
         page_put_query(page, store,
                        "SELECT date(n.started, 'unixepoch') AS night, n.ended - n.started "
                        "AS seconds, coalesce((SELECT sum(r.cases) FROM run r WHERE " OF_NIGHT
                        "), 0) AS cases, open, fresh AS new, regressed, fixed, flaky FROM " LAST
                        " n ORDER BY n.started DESC, n.uuid DESC",
                        MONTH, "no night", error);
    text_put(page, "<h2>Bugs by the night that found them</h2>\n");
    return ok &&
           page_put_query(page, store,
                          "SELECT date(n.started, 'unixepoch') AS night, f.bug, b.severity, "
                          "b.library, b.title, count(*) AS new_findings FROM " LAST
                          " n JOIN run r ON " OF_NIGHT
                          " JOIN finding f ON f.first_run = r.id JOIN bug b ON b.id = f.bug GROUP "
                          "BY n.run, f.bug ORDER BY n.started DESC, b.severity, f.bug",
                          MONTH, "none", error);
}
