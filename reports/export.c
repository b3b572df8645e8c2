/* Writes the findings as JUnit, SARIF and Markdown. */
#include "export.h"

#include <stdio.h>
#include <string.h>

#include "json.h"
#include "reference/escape.h"
#include "reports/store/severity.h"
#include "reports/store/signature.h"
#include "reports/store/statement.h"
#include "reports/store/version.h"

enum {
    ID,
    SIGNATURE,
    VERSION_OF,
    OP,
    DTYPE,
    KIND,
    BACKEND,
    STATE,
    DEFECT,
    PATTERN,
    DETAIL,
    LINE,
    EXPECTED,
    GOT,
    BOUND,
    FIRST,
    REASON,
    HITS,
    BUG_OF
};

/* The columns of findings that are open or expected. */
static const char rows_sql[] =
    "SELECT f.id, f.signature, f.signature_version, f.op, f.dtype, f.kind, f.backend, v.state, "
    "f.defect, f.pattern, f.detail, coalesce(f.min_line, f.line), f.expected, f.got, f.bound, "
    "f.first_seen, coalesce((SELECT reason FROM v_suppressed WHERE id = f.id AND v.state = "
    "'expected'), f.reason), f.hits, f.bug FROM finding f JOIN v_state v ON v.id "
    "= f.id WHERE v.state IN "
    "('new', 'open', 'reopened', 'expected') AND f.kind <> 'POLICY' AND (?1 = '' OR f.backend = "
    "?1) "
    "ORDER BY f.backend, f.op, f.id";

static Statement rows_begin(Store *store, const char *backend)
{
    Statement s = statement_begin(store_connection(store), rows_sql);
    statement_text(&s, backend);
    return s;
}

static const Severity *severity(const Statement *s)
{
    return severity_of(statement_column(s, KIND), statement_column(s, DEFECT),
                       statement_column(s, DETAIL));
}

/* A library's name is that of its backends, without version, settings and path. */
#define LIBRARY                                                                                    \
    "substr(backend, 1, min(instr(backend || ':', ':'), instr(backend || '@', '@')) - 1)"

/* The bugs of a library that are open or expected, each with the case that shows it. */
static const char bugs_sql[] =
    "SELECT b.id, b.title, b.state, coalesce(f.min_line, f.line), f.expected, f.got, b.operators, "
    "coalesce(f.reason, '') FROM v_bug b JOIN finding f ON f.id = b.finding WHERE b.library = ?1 "
    "AND b.kind <> 'POLICY' AND b.state IN ('new', 'open', 'reopened', 'expected')";

static void put_test_begin(Text *to, const char *library, const char *name)
{
    text_put(to, "    <testcase classname=\"");
    escape_put_markup(to, library);
    text_put(to, "\" name=\"");
    escape_put_markup(to, name);
    text_put(to, "\"");
}

/* A test that a bug fails, or that is skipped since it is expected. */
static void put_bug(Text *to, const char *library, const Statement *s)
{
    enum { NUMBER, TITLE, BUG_STATE, CASE_LINE, RIGHT, WRONG, OPERATORS, WHY };
    bool expected = !strcmp(statement_column(s, BUG_STATE), "expected");
    put_test_begin(to, library, statement_column(s, TITLE));
    text_printf(to, ">\n      <%s message=\"", expected ? "skipped" : "failure");
    escape_put_markup(to, statement_column(s, expected ? WHY : TITLE));
    if (expected) {
        text_put(to, "\"/>\n    </testcase>\n");
        return;
    }
    text_printf(to, "\">bug %lld of ", (long long)sqlite3_column_int64(s->statement, NUMBER));
    escape_put_markup(to, statement_column(s, OPERATORS));
    text_put(to, "\n");
    escape_put_markup(to, statement_column(s, CASE_LINE));
    if (statement_column(s, WRONG)[0]) {
        text_put(to, "\nexpected ");
        escape_put_markup(to, statement_column(s, RIGHT));
        text_put(to, ", got ");
        escape_put_markup(to, statement_column(s, WRONG));
    }
    text_put(to, "</failure>\n    </testcase>\n");
}

/* One test for each bug, and a passed one for each operator that ran and is in no open bug. */
static bool put_suite(Store *store, const char *library, Text *to, Text *error)
{
    Text tests = {0};
    int count = 0;
    Statement bugs = statement_begin(store_connection(store), bugs_sql);
    statement_text(&bugs, library);
    for (; statement_row(&bugs); count++)
        put_bug(&tests, library, &bugs);
    bool ok = statement_end(&bugs, "report", error);
    Statement ops = statement_begin(
        store_connection(store),
        "SELECT DISTINCT op FROM coverage WHERE " LIBRARY " = ?1 AND op NOT IN (SELECT f.op FROM "
        "finding f JOIN v_open_bug b ON b.id = f.bug WHERE b.library = ?1 AND b.kind <> 'POLICY') "
        "ORDER BY op");
    statement_text(&ops, library);
    for (; statement_row(&ops); count++) {
        put_test_begin(&tests, library, statement_column(&ops, 0));
        text_put(&tests, "/>\n");
    }
    text_put(to, "  <testsuite name=\"");
    escape_put_markup(to, library);
    text_printf(to, "\" tests=\"%d\">\n%s  </testsuite>\n", count, text_string(&tests));
    text_release(&tests);
    return statement_end(&ops, "report", error) && ok;
}

bool export_junit(Store *store, Text *to, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT " LIBRARY " AS library FROM coverage UNION SELECT "
                                  "library FROM v_bug ORDER BY 1");
    bool ok = true;
    text_put(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"opconform\">\n");
    while (ok && statement_row(&s))
        ok = put_suite(store, statement_column(&s, 0), to, error);
    text_put(to, "</testsuites>\n");
    return statement_end(&s, "report", error) && ok;
}

static void put_result(Text *to, const Statement *s, int64_t since)
{
    Text message = {0};
    bool expected = !strcmp(statement_column(s, STATE), "expected");
    text_printf(&message, "%s: %s on %s. %s", severity(s)->word, statement_column(s, OP),
                statement_column(s, BACKEND), statement_column(s, LINE));
    if (statement_column(s, GOT)[0])
        text_printf(&message, " Expected %s, got %s, bound %s.", statement_column(s, EXPECTED),
                    statement_column(s, GOT), statement_column(s, BOUND));
    text_put(to, "{");
    json_put_member(to, "ruleId", statement_column(s, KIND));
    json_put_member(to, "level", severity(s)->sarif);
    text_put(to, ",\"message\":{");
    json_put_member(to, "text", text_string(&message));
    text_printf(to, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
                    "\"docs/operators.md\"}},\"logicalLocations\":[{");
    json_put_member(to, "fullyQualifiedName", statement_column(s, OP));
    text_printf(to, "}]}],\"partialFingerprints\":{\"opconformSignature/v%lld\":\"%016llx\"}",
                (long long)sqlite3_column_int64(s->statement, VERSION_OF),
                (unsigned long long)signature_hash(statement_column(s, SIGNATURE)));
    json_put_member(to, "baselineState",
                    sqlite3_column_int64(s->statement, FIRST) >= since ? "new" : "unchanged");
    text_put(to, ",\"suppressions\":[");
    if (expected) {
        text_put(to, "{");
        json_put_member(to, "kind", "external");
        json_put_member(to, "justification", statement_column(s, REASON));
        text_put(to, "}");
    }
    text_put(to, "],\"properties\":{");
    json_put_member(to, "signature", statement_column(s, SIGNATURE));
    json_put_member(to, "backend", statement_column(s, BACKEND));
    json_put_member(to, "line", statement_column(s, LINE));
    json_put_integer(to, "finding", sqlite3_column_int64(s->statement, ID));
    if (sqlite3_column_type(s->statement, BUG_OF) == SQLITE_NULL)
        text_put(to, ",\"bug\":null");
    else
        json_put_integer(to, "bug", sqlite3_column_int64(s->statement, BUG_OF));
    json_put_integer(to, "hits", sqlite3_column_int64(s->statement, HITS));
    text_put(to, "}}");
    text_release(&message);
}

bool export_sarif(Store *store, int64_t since, Text *to, Text *error)
{
    Statement s = rows_begin(store, "");
    bool any = false;
    text_printf(to,
                "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"opconform\","
                "\"version\":\"%s\",\"rules\":[",
                OPCONFORM_VERSION);
    for (int i = 0, rules = 0; i < VERDICT_COUNT; i++) {
        VerdictKind kind = (VerdictKind)i;
        if (!verdict_is_finding(kind))
            continue;
        text_put(to, rules++ ? ",{" : "{");
        json_put_member(to, "id", verdict_name(kind));
        text_put(to, ",\"shortDescription\":{");
        json_put_member(to, "text", severity_of(verdict_name(kind), "value", "")->word);
        text_put(to, "},\"helpUri\":\"docs/triage.md\"}");
    }
    text_put(to, "]}},\"results\":[");
    while (statement_row(&s)) {
        text_put(to, any ? ",\n" : "\n");
        any = true;
        put_result(to, &s, since);
    }
    text_put(to, "]}]}\n");
    return statement_end(&s, "report", error);
}

/* "- name: value", where there is a value. */
static void put_item(Text *to, const char *name, const char *value, bool code)
{
    if (!value[0])
        return;
    text_printf(to, "- %s", name);
    if (code)
        escape_put_markdown_code(to, value);
    else
        escape_put_markdown(to, value);
    text_put(to, "\n");
}

static void put_markdown(Text *to, const Statement *s)
{
    const char *pattern = statement_column(s, PATTERN);
    bool has_value = statement_column(s, GOT)[0];
    Text title = {0};
    text_printf(&title, "%s %s on %s: %s", statement_column(s, OP), statement_column(s, DTYPE),
                statement_column(s, BACKEND), severity(s)->word);
    text_put(to, "## ");
    escape_put_markdown(to, text_string(&title));
    text_put(to, "\n\n");
    put_item(to, "signature: ", statement_column(s, SIGNATURE), true);
    put_item(to, "bad elements: ", strcmp(pattern, "none") != 0 ? pattern : "", false);
    put_item(to, "detail: ", statement_column(s, DETAIL), false);
    put_item(to, "expected ", has_value ? statement_column(s, EXPECTED) : "", true);
    put_item(to, "got ", statement_column(s, GOT), true);
    put_item(to, "the error may be ", has_value ? statement_column(s, BOUND) : "", true);
    text_printf(to,
                "- seen %lld times\n\nThe smallest case, for `opconform replay` (`opconform "
                "reproduce %lld` writes a program that needs the library alone):\n\n",
                (long long)sqlite3_column_int64(s->statement, HITS),
                (long long)sqlite3_column_int64(s->statement, ID));
    escape_put_markdown_block(to, "", statement_column(s, LINE));
    text_put(to, "\n\n");
    text_release(&title);
}

bool export_markdown(Store *store, Text *to, Text *error)
{
    Statement s = rows_begin(store, "");
    while (statement_row(&s)) {
        if (!strcmp(statement_column(&s, STATE), "expected"))
            continue;
        put_markdown(to, &s);
    }
    return statement_end(&s, "report", error);
}
