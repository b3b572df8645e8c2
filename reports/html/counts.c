/* The pages of coverage and performance: counts of executions, and times. */
#include "page.h"

bool page_put_coverage(Text *page, Store *store, Text *error)
{
    text_put(page, "<p>Cells that a backend offers and that no run has reached come first (data: "
                   "none), then those that were executed least.</p>\n");
    bool ok = page_put_query(
        page, store,
        "WITH cell AS (SELECT op, dtype, fill, backend, sum(executions) AS executions, "
        "sum(declined) AS declined, sum(vacuous) AS vacuous, sum(undecided) AS undecided, "
        "max(worst_ratio) AS worst_ratio FROM coverage GROUP BY op, dtype, fill, backend), whole "
        "AS (SELECT *, sum(executions) OVER (PARTITION BY op, dtype, backend) AS of_all FROM cell) "
        "SELECT op, dtype, fill, backend, executions, declined, vacuous, undecided, worst_ratio "
        "FROM whole WHERE fill <> 'none' OR of_all = 0 ORDER BY executions, op, dtype, fill, "
        "backend LIMIT 5000",
        0, "nothing was run", error);
    text_put(page, "<h2>Constructs of programs</h2>\n");
    ok = ok && page_put_query(page, store,
                              "SELECT construct, backend, status, executions, declined, findings "
                              "FROM v_construct ORDER BY executions, construct, backend LIMIT 5000",
                              0, "no program was run", error);
    text_put(page, "<h2>Cases that were declined</h2>\n");
    ok = ok && page_put_query(page, store, "SELECT * FROM v_decline", 0, "none", error);
    text_put(page,
             "<h2>Draws that gave way to others</h2>\n<p>The library whose turn it was does not "
             "take them, so that they were no cases. Unasked are cases that were run without "
             "a question.</p>\n");
    ok = ok && page_put_query(page, store, "SELECT * FROM v_redraw", 0, "none", error);
    text_put(page, "<h2>How close kernels come to their bounds</h2>\n");
    return ok && page_put_plots(page, store, error) && page_put_exhaustive(page, store, error);
}

bool page_put_performance(Text *page, Store *store, Text *error)
{
    bool ok =
        page_put_query(page, store,
                       "SELECT id AS run, datetime(started, 'unixepoch') AS started, engine, "
                       "jobs, coalesce(end_reason, 'did not end') AS end_reason, cases, "
                       "executions, restarts, round(cases / nullif(seconds, 0)) AS "
                       "\"cases/s\", round(100 * seconds_fill / nullif(seconds * jobs, 0)) AS "
                       "\"fill %\", round(100 * seconds_reference / nullif(seconds * jobs, 0)) "
                       "AS \"reference %\", round(100 * seconds_kernel / nullif(seconds * jobs, "
                       "0)) AS \"kernel %\", round(100 * seconds_oracle / nullif(seconds * "
                       "jobs, 0)) AS \"oracle %\" FROM run ORDER BY id",
                       0, "no run", error);
    text_put(page, "<h2>Nights</h2>\n");
    ok = ok && page_put_query(page, store, "SELECT * FROM v_night", 0, "none", error);
    text_put(page, "<h2>Backends</h2>\n");
    return ok && page_put_query(page, store,
                                "SELECT DISTINCT name, version, core, threads, path, build "
                                "FROM backend ORDER BY name, version",
                                0, "none", error);
}
