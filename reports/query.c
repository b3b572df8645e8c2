/* Canned queries and the printing of rows. */
#include "query.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "reference/escape.h"
#include "reports/store/statement.h"

enum { TABLE_WIDTH_MAX = 100 };

const QueryRow query_rows[] = {
    {"open", "findings that are new, open or reopened", "SELECT * FROM v_open"},
    {"new", "findings first seen in the last run", "SELECT * FROM v_new"},
    {"regressed", "fixed findings that came back", "SELECT * FROM v_regressed"},
    {"flaky", "findings that did not reproduce", "SELECT * FROM v_flaky"},
    {"matrix", "executions, open findings and worst ratio by operator and backend",
     "SELECT * FROM v_matrix"},
    {"policies",
     "libraries and policies: strict, documented, deviates or crashes, with a line each",
     "SELECT * FROM v_policy"},
    {"policy-findings", "findings by policy", "SELECT * FROM v_policy_finding ORDER BY 1, 2, 3"},
    {"outliers", "findings with the backends of the run that share them, and those that agree",
     "SELECT * FROM v_outlier"},
    {"suppressed", "findings that are expected, with who says so, why and until when",
     "SELECT * FROM v_suppressed"},
    {"known", "known issues with their hits: in force, expired, never hit, or passing",
     "SELECT * FROM v_known"},
    {"versions", "findings by version of a library: good, bad or flaky", "SELECT * FROM v_version"},
    {"constructs", "constructs of programs by backend: run, refused, findings",
     "SELECT * FROM v_construct"},
    {"declined", "why cases were not run: reasons by backend, with their operators",
     "SELECT * FROM v_decline"},
    {"redrawn",
     "why draws gave way to others before they were cases: reasons by backend, with operators",
     "SELECT * FROM v_redraw"},
    {"qualified", "bugs of the versions that were compared: new, more, still there, less or gone",
     "SELECT * FROM v_qualified_bug"},
    {"changes", "what changed within bounds from one version to another, with a case each",
     "SELECT run, op, dtype, what, cases, of, ulps, line FROM v_change"},
    {"exhaustive", "all inputs of operators: how many are rounded correctly, and the worst one",
     "SELECT op, dtype, backend, version, inputs, of, wrong, undecided, open, unjudged, "
     "departures, round(worst_ulps, 4) AS worst_ulps, worst_input, round(core_seconds, 1) AS "
     "core_seconds FROM v_exhaustive"},
    {"departures", "results of all inputs that no bound admits, by what they show",
     "SELECT op, dtype, backend, version, what, kind, results, first, worst, ulps FROM "
     "v_departure"},
    {"coverage", "cases by operator and backend: judged, vacuous, undecided, declined; worst first",
     "WITH why AS (SELECT op, backend, group_concat(reason || ' (' || cases || ')', '; ') AS "
     "reasons FROM (SELECT op, backend, reason, sum(cases) AS cases, row_number() OVER (PARTITION "
     "BY op, backend ORDER BY sum(cases) DESC, reason) AS place FROM decline GROUP BY op, backend, "
     "reason ORDER BY op, backend, place) WHERE place <= 3 GROUP BY op, backend), ran AS (SELECT "
     "op, backend, sum(executions) AS executions, sum(vacuous) AS vacuous, sum(undecided) AS "
     "undecided, sum(declined) AS declined FROM coverage GROUP BY op, backend) SELECT op, backend, "
     "executions - vacuous - undecided AS judged, vacuous, undecided, round(100.0 * (vacuous + "
     "undecided) / nullif(executions, 0), 1) AS percent_unjudged, declined, coalesce(reasons, '') "
     "AS declined_for FROM ran LEFT JOIN why USING (op, backend) ORDER BY percent_unjudged DESC "
     "NULLS LAST, declined DESC, op, backend"},
    {"modes",
     "backends by their operators: judged, declined in every case, and the reasons with how many",
     "WITH ran AS (SELECT backend, op, sum(executions - vacuous - undecided) AS judged FROM "
     "coverage GROUP BY backend, op), only AS (SELECT backend, op, reason FROM (SELECT backend, "
     "op, reason, row_number() OVER (PARTITION BY backend, op ORDER BY sum(cases) DESC, reason) AS "
     "place FROM decline JOIN ran USING (backend, op) WHERE judged = 0 GROUP BY backend, op, "
     "reason) WHERE place = 1), why AS (SELECT backend, group_concat(reason || ' (' || operators "
     "|| ')', '; ') AS reasons FROM (SELECT backend, reason, count(*) AS operators FROM only GROUP "
     "BY backend, reason ORDER BY count(*) DESC, reason) GROUP BY backend) SELECT backend, "
     "count(*) AS operators, sum(judged > 0) AS judged, round(100.0 * sum(judged > 0) / count(*), "
     "1) AS percent, (SELECT count(*) FROM only WHERE only.backend = ran.backend) AS declined, "
     "coalesce(reasons, '') AS declined_for FROM ran LEFT JOIN why USING (backend) GROUP BY "
     "backend ORDER BY backend"},
    {"models", "cases by the strictest model of the backend's promise that admits them",
     "SELECT * FROM v_model"},
    {"knobs", "settings that remove a finding, or make it flaky", "SELECT * FROM v_knob"},
    {"history", "what was decided about findings, by whom and when", "SELECT * FROM v_history"},
    {"nights", "nightly runs with what they found", "SELECT * FROM v_night"},
    {"routines", "executions by operator, element type and backend",
     "SELECT op, dtype, backend, sum(executions) AS executions, sum(declined) AS declined "
     "FROM coverage GROUP BY op, dtype, backend ORDER BY op, dtype, backend"},
    {"worst", "largest error / bound that was no finding, by operator, type and backend",
     "SELECT op, dtype, backend, max(worst_ratio) AS worst_ratio FROM coverage "
     "GROUP BY op, dtype, backend ORDER BY worst_ratio DESC"},
    {"executions", "executions by operator, type and kind of data",
     "SELECT op, dtype, fill, sum(executions) AS executions, sum(vacuous) AS vacuous, "
     "sum(undecided) AS undecided, sum(declined) AS declined FROM coverage "
     "GROUP BY op, dtype, fill ORDER BY op, dtype, fill"},
    {"signatures", "all findings with their signature",
     "SELECT id, state, hits, signature FROM finding ORDER BY id"},
    {"backends", "backends of every run",
     "SELECT run, name, version, core, threads, path, build FROM backend ORDER BY run, name"},
    {"runs", "runs with their speed", "SELECT * FROM v_health"},
    {NULL, NULL, NULL},
};

const char *query_find(const char *name)
{
    for (const QueryRow *row = query_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return row->sql;
    return NULL;
}

static const char *cell(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

static void put_json_string(const char *text, FILE *to)
{
    Text json = {0};
    json_put_string(&json, text);
    (void)fputs(text_string(&json), to);
    text_release(&json);
}

/* Values of elements are stored in hexadecimal: beside them goes their number, where JSON has it.
 */
static void put_json_number(const char *name, const char *text, FILE *to)
{
    char *end;
    bool element = !strcmp(name, "expected") || !strcmp(name, "got") || !strcmp(name, "bound");
    double value = element ? strtod(text, &end) : NAN;
    if (element && end > text && isfinite(value))
        (void)fprintf(to, ",\"%s_number\":%.17g", name, value);
}

static void put_json_row(sqlite3_stmt *statement, bool first, FILE *to)
{
    (void)fprintf(to, first ? "[{" : ",\n {");
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (i)
            (void)fputc(',', to);
        put_json_string(sqlite3_column_name(statement, i), to);
        (void)fputc(':', to);
        int type = sqlite3_column_type(statement, i);
        const char *text = cell(statement, i);
        bool number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
        if (type == SQLITE_NULL)
            (void)fprintf(to, "null");
        else if (number && !strstr(text, "Inf"))
            (void)fprintf(to, "%s", text);
        else
            put_json_string(text, to);
        put_json_number(sqlite3_column_name(statement, i), text, to);
    }
    (void)fputc('}', to);
}

static void put_separated_row(sqlite3_stmt *statement, bool names, QueryFormat format, FILE *to)
{
    Text row = {0};
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const char *text = names ? sqlite3_column_name(statement, i) : cell(statement, i);
        text_put(&row, i == 0 ? "" : format == QUERY_CSV ? "," : "\t");
        if (format == QUERY_CSV)
            escape_put_csv(&row, text, !names && sqlite3_column_type(statement, i) != SQLITE_TEXT);
        else
            escape_put_line(&row, text);
    }
    (void)fprintf(to, "%s\n", text_string(&row));
    text_release(&row);
}

/* The columns that a text takes on a terminal. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* The first pass over the rows finds the width of each column. */
static int *column_widths(sqlite3_stmt *statement, int columns)
{
    int *widths = memory_allocate((size_t)columns + 1, sizeof *widths);
    Text shown = {0};
    for (int i = 0; i < columns; i++)
        widths[i] = (int)strlen(sqlite3_column_name(statement, i));
    while (sqlite3_step(statement) == SQLITE_ROW)
        for (int i = 0; i < columns; i++) {
            text_clear(&shown);
            escape_put_line(&shown, cell(statement, i));
            int width = width_of(text_string(&shown));
            width = width < TABLE_WIDTH_MAX ? width : TABLE_WIDTH_MAX;
            widths[i] = width > widths[i] ? width : widths[i];
        }
    text_release(&shown);
    (void)sqlite3_reset(statement);
    return widths;
}

static void put_table_row(sqlite3_stmt *statement, bool names, const int *widths, FILE *to)
{
    int columns = sqlite3_column_count(statement);
    Text shown = {0};
    for (int i = 0; i < columns; i++) {
        text_clear(&shown);
        escape_put_line(&shown, names ? sqlite3_column_name(statement, i) : cell(statement, i));
        int room = widths[i] - width_of(text_string(&shown));
        (void)fprintf(to, "%s%*s", text_string(&shown), i + 1 < columns && room > 0 ? room : 0, "");
        (void)fputs(i + 1 < columns ? "  " : "\n", to);
    }
    text_release(&shown);
}

static int put_rows(sqlite3_stmt *statement, QueryFormat format, FILE *to)
{
    int columns = sqlite3_column_count(statement), code;
    int *widths = format == QUERY_TABLE ? column_widths(statement, columns) : NULL;
    bool first = true;
    if (format == QUERY_TABLE)
        put_table_row(statement, true, widths, to);
    else if (format == QUERY_CSV)
        put_separated_row(statement, true, format, to);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (format == QUERY_TABLE)
            put_table_row(statement, false, widths, to);
        else if (format == QUERY_JSON)
            put_json_row(statement, first, to);
        else
            put_separated_row(statement, false, format, to);
        first = false;
    }
    if (format == QUERY_JSON)
        (void)fprintf(to, first ? "[]\n" : "]\n");
    free(widths);
    return code;
}

bool query_run(Store *store, const char *sql, QueryFormat format, FILE *to, Text *error)
{
    sqlite3 *db = store_connection(store);
    sqlite3_stmt *statement = NULL;
    const char *tail = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, &tail) != SQLITE_OK) {
        statement_complain("query", sqlite3_errmsg(db), error);
        return false;
    }
    tail += strspn(tail, " \t\r\n;");
    bool ok = statement && *tail == '\0' && sqlite3_stmt_readonly(statement) &&
              sqlite3_column_count(statement) > 0;
    if (!ok)
        text_printf(error, "query: expected one SELECT");
    else if (put_rows(statement, format, to) != SQLITE_DONE) {
        statement_complain("query", sqlite3_errmsg(db), error);
        ok = false;
    }
    (void)sqlite3_finalize(statement);
    return ok;
}
