/* Each section is a heading and a query about the bug ?1, whose rows are its lines. */
#include "issue.h"

#include <stdio.h>
#include <string.h>

#include "reports/store/statement.h"
#include "reports/store/version.h"

#define SHOWN "FROM v_bug b JOIN finding f ON f.id = b.finding WHERE b.id = ?1"
/* The shown finding, of whose numbers "0x1p+1 (2)" the decimals are taken. */
#define NUMBERS                                                                                    \
    "FROM (SELECT f.symptom, f.detail, f.tier, CASE WHEN f.expected LIKE '%(%)' THEN "             \
    "trim(substr(f.expected, instr(f.expected, '(')), '()') ELSE f.expected END AS expected, "     \
    "CASE WHEN f.got LIKE '%(%)' THEN trim(substr(f.got, instr(f.got, '(')), '()') ELSE f.got "    \
    "END AS got, trim(substr(f.bound, instr(f.bound, '(')), '()') AS bound " SHOWN ") f WHERE 1"
/* The library as the run saw it that saw the shown finding last. */
#define LIBRARY                                                                                    \
    "FROM v_bug b JOIN finding f ON f.id = b.finding JOIN backend r ON r.run = f.last_run AND "    \
    "r.name = f.backend WHERE b.id = ?1"

typedef struct Section {
    const char *heading, *sql;
} Section;

static const char title_sql[] =
    "SELECT b.title || ' (' || b.library || coalesce(' ' || r.version, '') || ')' FROM v_bug b "
    "JOIN finding f ON f.id = b.finding LEFT JOIN backend r ON r.run = f.last_run AND r.name = "
    "f.backend WHERE b.id = ?1";

static const Section expected = {
    "Expected",
    "SELECT 'expected: ' || f.expected || CASE WHEN f.expected LIKE '%n%' THEN '' ELSE ', with an "
    "error of at most ' || f.bound END " NUMBERS " AND f.got <> '' AND f.expected <> '' "
    "UNION ALL SELECT 'got: ' || f.got " NUMBERS " AND f.got <> '' "
    "UNION ALL SELECT CASE iif(f.detail LIKE 'SIG% guard page %', 'reads outside', f.symptom) "
    "WHEN 'reads outside' THEN 'A call may touch the elements that its arguments describe, and no "
    "memory beside them: where an operand ends at the end of a mapping the process crashes.' "
    "WHEN 'writes outside' THEN 'A call may write the elements of its outputs, and nothing else.' "
    "WHEN 'hang' THEN 'The call returns.' "
    "WHEN 'segmentation fault' THEN 'The call returns.' WHEN 'abort' THEN 'The call returns.' "
    "WHEN 'arithmetic trap' THEN 'The call returns.' "
    "WHEN 'process ended' THEN 'The call returns.' "
    "WHEN 'accepted' THEN 'An illegal argument is refused, and nothing is computed or written.' "
    "WHEN 'refused' THEN 'The arguments are legal, so that the call computes.' "
    "WHEN 'NaN lost' THEN 'IEEE 754 (6.2): an operation on a quiet NaN gives NaN, and so do the "
    "products and sums of the definition.' "
    "WHEN 'NaN made' THEN 'The definition gives a number or an infinity for these inputs.' "
    "WHEN 'infinity made' THEN 'The result is within the range of the type; an infinity is due "
    "beyond it only (IEEE 754, 7.4).' "
    "WHEN 'infinity lost' THEN 'Operations on infinities are exact (IEEE 754, 6.1).' "
    "WHEN 'wrong sign of zero' THEN 'IEEE 754 (6.3) defines the signs of zeros.' END " NUMBERS " "
    "UNION ALL SELECT CASE f.tier WHEN 'exact' THEN 'Every right order of operations gives this "
    "value.' WHEN 'violation' THEN 'The bound on the error holds for every order of the "
    "operations, with or without fused multiply-add.' WHEN 'probable' THEN 'So large an error is "
    "all but impossible for any order of the operations.' END " NUMBERS " AND f.got <> ''"};

static const Section sections[] = {
    {"Versions and environment",
     "SELECT '- library: ' || r.name || ' ' || r.version || CASE WHEN r.build <> '' THEN ' (' || "
     "r.build || ')' ELSE '' END " LIBRARY
     " UNION ALL SELECT '- core type or instruction set: ' || r.core " LIBRARY " AND r.core <> '' "
     "UNION ALL SELECT '- shown by version ' || group_concat(DISTINCT v.version) FROM v_version v "
     "JOIN finding f ON f.id = v.finding WHERE f.bug = ?1 AND v.verdict = 'bad' HAVING "
     "count(*) > 0 "
     "UNION ALL SELECT '- not shown by version ' || group_concat(DISTINCT v.version) FROM "
     "v_version v JOIN finding f ON f.id = v.finding WHERE f.bug = ?1 AND v.verdict = 'good' "
     "HAVING count(*) > 0 "
     "UNION ALL SELECT '- removed by ' || group_concat(DISTINCT k.setting) FROM v_knob k JOIN "
     "finding f ON f.id = k.finding WHERE f.bug = ?1 AND k.effect = 'removes it' HAVING "
     "count(*) > 0 "
     "UNION ALL SELECT '- right with the same arguments: ' || group_concat(DISTINCT p.backend || "
     "coalesce(' ' || r.version, '')) FROM v_bug b JOIN finding f ON f.id = b.finding JOIN "
     "finding_peer p ON p.finding = f.id LEFT JOIN backend r ON r.run = f.last_run AND r.name = "
     "p.backend WHERE b.id = ?1 AND p.verdict = 'AGREE' HAVING count(*) > 0"},
    {"What else is affected",
     "SELECT '- ' || op || ' (' || group_concat(dtype, ', ') || '): ' || shows FROM (SELECT "
     "DISTINCT "
     "f.op, f.dtype, coalesce(f.symptom, f.kind) AS shows FROM finding f WHERE f.bug = ?1 AND NOT "
     "f.unfinished AND EXISTS (SELECT 1 FROM finding g WHERE g.bug = ?1 AND (g.op <> f.op OR "
     "g.dtype <> f.dtype)) ORDER BY f.op, shows, f.dtype) GROUP BY op, shows ORDER BY op, shows"},
};

const char *issue_objection(Store *store, int64_t bug, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT b.kind = 'POLICY', f.unfinished OR f.min_line IS NULL, "
                                  "f.flaky, b.upstream = 'known upstream' " SHOWN);
    statement_int(&s, bug);
    const char *objection = NULL;
    if (statement_row(&s))
        objection = sqlite3_column_int(s.statement, 0)   ? "it is a documented departure"
                    : sqlite3_column_int(s.statement, 1) ? "no finding of it is minimal yet"
                    : sqlite3_column_int(s.statement, 2) ? "it does not show each time"
                    : sqlite3_column_int(s.statement, 3) ? "it is known upstream"
                                                         : NULL;
    return statement_end(&s, "issue", error) ? objection : NULL;
}

static bool put_lines(Text *issue, Store *store, int64_t bug, const Section *section, Text *error)
{
    bool first = true;
    Statement s = statement_begin(store_connection(store), section->sql);
    statement_int(&s, bug);
    while (statement_row(&s)) {
        if (!statement_column(&s, 0)[0])
            continue;
        if (first)
            text_printf(issue, "\n## %s\n\n", section->heading);
        text_printf(issue, "%s%s\n", statement_column(&s, 0),
                    statement_column(&s, 0)[0] == '-' ? "" : "  ");
        first = false;
    }
    return statement_end(&s, "issue", error);
}

static void put_program(Text *issue, const IssueProgram *program)
{
    const char *end = strrchr(program->file, '.');
    bool python = end && !strcmp(end, ".py");
    int length = (int)strlen(program->source);
    while (length > 0 && program->source[length - 1] == '\n')
        length--;
    text_printf(issue,
                "\n## Program\n\n`%s`, which has its command at the top:\n\n```%s\n%.*s\n```\n",
                program->file, python ? "python" : "c", length, program->source);
    if (program->output[0])
        text_printf(issue, "\nIt prints:\n\n```\n%s```\n", program->output);
    else
        text_put(issue, "\nIts output is not shown: it was not run where this text was written.\n");
}

/* The value behind "name<blanks>: " in the first line of a file that has it. */
static void put_system(Text *issue, const char *label, const char *path, const char *name,
                       char before)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, before);
        if (strncmp(line, name, strlen(name)) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \"");
        text_printf(issue, "- %s: %.*s\n", label, (int)strcspn(value, "\"\n"), value);
        break;
    }
    if (file)
        (void)fclose(file);
}

bool issue_put(Text *issue, Store *store, int64_t bug, const IssueProgram *program, Text *error)
{
    Statement s = statement_begin(store_connection(store), title_sql);
    statement_int(&s, bug);
    if (statement_row(&s))
        text_printf(issue, "# %s\n", statement_column(&s, 0));
    bool ok = statement_end(&s, "issue", error);
    put_program(issue, program);
    ok = ok && put_lines(issue, store, bug, &expected, error) &&
         put_lines(issue, store, bug, &sections[0], error);
    put_system(issue, "processor", "/proc/cpuinfo", "model name", ':');
    put_system(issue, "system", "/etc/os-release", "PRETTY_NAME", '=');
    ok = ok && put_lines(issue, store, bug, &sections[1], error);
    text_printf(issue,
                "\n## How it was found\n\nBy opconform %s, which fuzzes operators against a "
                "reference with computed bounds on the error, and made the case minimal.\n",
                OPCONFORM_VERSION);
    return ok;
}
