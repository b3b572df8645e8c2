/* Fills the text of the project with values that are queries about the bug ?1 or facts about the
 * machine. */
#include "issue.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "issue_words.h"
#include "ops/contract/policy.h"
#include "oracle/symptom.h"
#include "reference/escape.h"
#include "reports/store/reviewed.h"
#include "reports/store/statement.h"
#include "reports/store/version.h"
#include "symptom_words.h"

#define SHOWN "FROM v_bug b JOIN finding f ON f.id = b.finding WHERE b.id = ?1"
/* The library as the run saw it that saw the shown finding last. */
#define LIBRARY                                                                                    \
    "FROM v_bug b JOIN finding f ON f.id = b.finding JOIN backend r ON r.run = f.last_run AND "    \
    "r.name = f.backend WHERE b.id = ?1"

/* The facts about the finding that the bug is shown by, and what people know of the bug: empty
 * texts where it is not in the reviewed list. */
typedef struct Shown {
    Text condition, library, version, operators, expected, got, bound, tier, known;
    Text known_title, cause, demanded, versions;
    Text draws; /* what all draws of a random operator show together, or empty */
    Symptom symptom;
} Shown;

/* Values that are the rows of a query, a line each. */
typedef struct ListRow {
    const char *name, *sql;
} ListRow;

enum { VERSIONS = 3 }; /* the place of that row */
static const ListRow lists[] = {
    {"LIBRARY", "SELECT r.version || CASE WHEN r.build NOT IN ('', r.name || ' ' || "
                "r.version) THEN ' (' || r.build || ')' ELSE '' END " LIBRARY},
    {"VERSION", "SELECT r.version " LIBRARY},
    {"CORE", "SELECT r.core " LIBRARY " AND r.core <> ''"},
    {"VERSIONS",
     "SELECT '- shown by version ' || group_concat(DISTINCT v.version) FROM v_version v JOIN "
     "finding f ON f.id = v.finding WHERE f.bug = ?1 AND v.verdict = 'bad' HAVING count(*) > 0 "
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
    {"AFFECTED",
     "SELECT '- ' || op || ' (' || group_concat(dtype, ', ') || '): ' || shows FROM (SELECT "
     "DISTINCT f.op, f.dtype, coalesce(f.symptom, f.kind) AS shows FROM finding f WHERE f.bug = "
     "?1 AND NOT f.unfinished AND EXISTS (SELECT 1 FROM finding g WHERE g.bug = ?1 AND (g.op <> "
     "f.op OR g.dtype <> f.dtype)) ORDER BY f.op, shows, f.dtype) GROUP BY op, shows ORDER BY op, "
     "shows"},
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

/* Puts two numbers that read alike though they differ, as "0x1.5p+0 (1.3125)" is written, with all
 * digits that tell doubles apart. */
static void put_apart(Text *expected, Text *got, const char *exact_expected, const char *exact_got)
{
    const char *const exact[] = {exact_expected, exact_got};
    Text *const texts[] = {expected, got};
    if (!expected->length || strcmp(text_string(expected), text_string(got)) != 0 ||
        strcmp(exact_expected, exact_got) == 0)
        return;
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (!strncmp(exact[i] + (exact[i][0] == '-'), "0x", 2)) {
            text_clear(texts[i]);
            text_printf(texts[i], "%.17g", strtod(exact[i], NULL));
        }
}

/* Takes title, cause and versions of the entry of the reviewed list that the bug is. */
static bool read_reviewed(Shown *shown, Text *error)
{
    static const char begins[] = "number ";
    const char *known = text_string(&shown->known);
    ReviewedList list;
    if (strncmp(known, begins, strlen(begins)) != 0)
        return true;
    if (!reviewed_read_own(&list, error))
        return false;
    size_t number = strtoul(known + strlen(begins), NULL, 10);
    if (number > 0 && number <= list.entry_count) {
        const ReviewedEntry *entry = &list.entries[number - 1];
        text_put(&shown->known_title, entry->title);
        text_put(&shown->cause, entry->cause);
        text_put(&shown->demanded, entry->expected);
        if (entry->diverges[0])
            text_printf(&shown->versions, "- wrong in %s", entry->diverges);
        if (entry->agrees[0])
            text_printf(&shown->versions, "%s- right in %s", shown->versions.length ? "\n" : "",
                        entry->agrees);
    }
    reviewed_release(&list);
    return true;
}

static bool read_shown(Shown *shown, Store *store, int64_t bug, Text *error)
{
    enum {
        CONDITION,
        LIBRARY_NAME,
        OPERATORS,
        EXPECTED,
        GOT,
        BOUND,
        TIER,
        SYMPTOM,
        DETAIL,
        KNOWN,
        VERSION,
        OPERATOR
    };
    Statement s = statement_begin(
        store_connection(store),
        "SELECT (SELECT condition FROM bug WHERE id = b.id), b.library, b.operators, f.expected, "
        "f.got, f.bound, f.tier, f.symptom, "
        "f.detail, b.known, (SELECT r.version FROM backend r WHERE r.run = f.last_run AND r.name = "
        "f.backend), f.op " SHOWN);
    statement_int(&s, bug);
    if (statement_row(&s)) {
        text_put(&shown->condition, statement_column(&s, CONDITION));
        text_put(&shown->library, statement_column(&s, LIBRARY_NAME));
        text_put(&shown->version, statement_column(&s, VERSION));
        text_put(&shown->operators, statement_column(&s, OPERATORS));
        issue_put_number(&shown->expected, statement_column(&s, EXPECTED));
        issue_put_number(&shown->got, statement_column(&s, GOT));
        put_apart(&shown->expected, &shown->got, statement_column(&s, EXPECTED),
                  statement_column(&s, GOT));
        issue_put_number(&shown->bound, statement_column(&s, BOUND));
        text_put(&shown->tier, statement_column(&s, TIER));
        text_put(&shown->known, statement_column(&s, KNOWN));
        const OpDesc *op = op_find(statement_column(&s, OPERATOR));
        if (op && op->random)
            text_put(&shown->draws, statement_column(&s, DETAIL));
        bool at_guard = strstr(statement_column(&s, DETAIL), "guard page") != NULL;
        shown->symptom =
            at_guard ? SYMPTOM_READS_OUTSIDE : symptom_find(statement_column(&s, SYMPTOM));
    }
    return statement_end(&s, "issue", error) && read_reviewed(shown, error);
}

static void release_shown(Shown *shown)
{
    Text *const texts[] = {
        &shown->known,    &shown->known_title, &shown->cause,   &shown->demanded, &shown->versions,
        &shown->draws,    &shown->condition,   &shown->library, &shown->version,  &shown->operators,
        &shown->expected, &shown->got,         &shown->bound,   &shown->tier};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        text_release(texts[i]);
}

/* " for beta = NaN and a negative increment", or nothing. */
static void put_condition(Text *to, const Shown *shown)
{
    if (shown->condition.length)
        text_put(to, " for ");
    escape_put_markdown(to, text_string(&shown->condition));
}

/* "cblas_zsyrk (and 7 more) does not propagate NaN for beta = NaN". */
static void put_claim(Text *to, const Shown *shown, const char *function)
{
    int more = 0;
    for (const char *at = text_string(&shown->operators); *at; at++)
        more += *at == ',';
    escape_put_markdown(to, function);
    if (more > 0)
        text_printf(to, " (and %d more)", more);
    text_printf(to, " %s", symptom_phrase(shown->symptom));
    put_condition(to, shown);
}

/* " (library version)" */
static void put_version(Text *to, const Shown *shown)
{
    Text version = {0};
    text_printf(&version, " (%s%s%s)", text_string(&shown->library),
                shown->version.length ? " " : "", text_string(&shown->version));
    escape_put_markdown(to, text_string(&version));
    text_release(&version);
}

/* True where the finding is a number that is wrong, not what all draws together show. */
static bool is_numeric(const Shown *shown)
{
    return symptom_is_numeric(shown->symptom) && !shown->draws.length;
}

static void put_summary(Text *to, const Shown *shown, const IssueProgram *program)
{
    const bool numeric = is_numeric(shown);
    const char *reason = numeric ? symptom_reason(shown->symptom) : "";
    Text what = {0};
    escape_put_markdown_code(to, program->function);
    text_printf(&what, " of %s%s%s%s %s", text_string(&shown->library),
                shown->version.length ? " " : "", text_string(&shown->version),
                shown->draws.length ? ":" : "",
                shown->draws.length ? text_string(&shown->draws) : symptom_phrase(shown->symptom));
    escape_put_markdown(to, text_string(&what));
    text_release(&what);
    if (!shown->known_title.length)
        put_condition(to, shown);
    text_put(to, ".");
    if (numeric && shown->got.length && shown->expected.length)
        text_printf(to, "  The program below gets %s, expected is %s.", text_string(&shown->got),
                    text_string(&shown->expected));
    if (reason[0])
        text_printf(to, "  %s", reason);
    if (shown->cause.length)
        text_printf(to, "\n\nCause: %s", text_string(&shown->cause));
}

/* True where an error of the expected value is allowed: not of a NaN or an infinity. */
static bool has_bound(const Shown *shown)
{
    return shown->bound.length && !strpbrk(text_string(&shown->expected), "nN");
}

static void put_expected(Text *to, const Shown *shown)
{
    static const char draws[] =
        "The draws of a seed follow the distribution that is asked for, come "
        "again with that seed, and are others than those of another one.";
    const bool numeric = is_numeric(shown) && shown->got.length && shown->expected.length;
    const char *certainty = numeric ? tier_certainty(text_string(&shown->tier)) : "";
    if (!numeric && shown->demanded.length)
        text_printf(to, "Expected: %s  ", text_string(&shown->demanded));
    if (numeric) {
        text_printf(to, "Expected: %s", text_string(&shown->expected));
        if (has_bound(shown) && !strcmp(text_string(&shown->bound), "0"))
            text_put(to, ", exactly");
        else if (has_bound(shown))
            text_printf(to, ", with an error of at most %s", text_string(&shown->bound));
        text_put(to, ".");
    } else
        text_put(to, shown->draws.length ? draws : symptom_reason(shown->symptom));
    if (certainty[0])
        text_printf(to, "  %s", certainty);
}

static void put_program(Text *to, const IssueProgram *program)
{
    const char *end = strrchr(program->file, '.');
    const char *language = !end ? "c" : !strcmp(end, ".py") ? "python" : end + 1;
    Text source = {0};
    size_t length = strlen(program->source);
    while (length > 0 && program->source[length - 1] == '\n')
        length--;
    text_append(&source, program->source, length);
    escape_put_markdown_code(to, program->file);
    text_put(to, ", which has its command at the top:\n\n");
    escape_put_markdown_block(to, language, text_string(&source));
    text_release(&source);
}

static void put_output(Text *to, const IssueProgram *program)
{
    if (program->check[0])
        text_printf(to, "By itself it does not show this: %s.  ", program->check);
    if (program->output[0]) {
        Text output = {0};
        issue_put_output(&output, program->output);
        text_put(to, "It prints:\n\n");
        escape_put_markdown_block(to, "", text_string(&output));
        text_release(&output);
    } else
        text_put(to, "Its output is not shown: it was not run where this text was written.");
}

/* The value behind "name<blanks>: " in the first line of a file that has it. */
static void put_system(Text *to, const char *path, const char *name, char before)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, before);
        if (strncmp(line, name, strlen(name)) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \"");
        text_append(to, value, strcspn(value, "\"\n"));
        break;
    }
    if (file)
        (void)fclose(file);
}

static bool put_list(Text *to, Store *store, int64_t bug, const char *sql, Text *error)
{
    Statement s = statement_begin(store_connection(store), sql);
    statement_int(&s, bug);
    while (statement_row(&s))
        if (statement_column(&s, 0)[0]) {
            text_put(to, to->length ? "\n" : "");
            escape_put_markdown(to, statement_column(&s, 0));
        }
    return statement_end(&s, "issue", error);
}

/* The clauses that the finding speaks about and that hold for its operator: of those that hold for
 * all operators only what the result is a reading of, since others say too little about one. */
static bool put_clauses(Text *to, Store *store, int64_t bug, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT p.policy, f.op FROM finding_policy p JOIN finding f ON "
                                  "f.id = p.finding WHERE f.id = (SELECT finding FROM v_bug WHERE "
                                  "id = ?1) ORDER BY p.policy");
    statement_int(&s, bug);
    while (statement_row(&s)) {
        const OpDesc *op = op_find(statement_column(&s, 1));
        const Clause *clause = op ? contract_demand(statement_column(&s, 0), op) : NULL;
        if (!clause || contract_is_unspecified(clause) ||
            (!strcmp(clause->operators, "*") && !policy_is_reading(statement_column(&s, 0))))
            continue;
        text_put(to, to->length ? "\n" : "");
        escape_put_markdown(to, clause->demand);
        text_put(to, " (");
        escape_put_markdown(to, clause->source);
        text_put(to, ")");
    }
    return statement_end(&s, "issue", error);
}

/* The values that are no queries, in this order. */
enum { TITLE, SUMMARY, EXPECTED, PROGRAM, OUTPUT, PROCESSOR, SYSTEM, FOUND, OWN_COUNT };
static const char *const own_names[OWN_COUNT] = {"TITLE",  "SUMMARY",   "EXPECTED", "PROGRAM",
                                                 "OUTPUT", "PROCESSOR", "SYSTEM",   "FOUND"};

static void put_own(Text own[OWN_COUNT], const Shown *shown, const IssueProgram *program)
{
    if (shown->known_title.length)
        text_put(&own[TITLE], text_string(&shown->known_title));
    else
        put_claim(&own[TITLE], shown, program->function);
    put_version(&own[TITLE], shown);
    put_summary(&own[SUMMARY], shown, program);
    put_expected(&own[EXPECTED], shown);
    put_program(&own[PROGRAM], program);
    put_output(&own[OUTPUT], program);
    put_system(&own[PROCESSOR], "/proc/cpuinfo", "model name", ':');
    put_system(&own[SYSTEM], "/etc/os-release", "PRETTY_NAME", '=');
    text_printf(&own[FOUND],
                "Found by opconform %s, which fuzzes operators against a reference with computed "
                "bounds on the error, and made the case minimal.",
                OPCONFORM_VERSION);
}

/* "3.2.0" with "oneDNN" before it. */
static void put_before(Text *text, const char *name)
{
    Text both = {0};
    text_printf(&both, "%s ", name);
    text_put(&both, text_string(text));
    text_release(text);
    *text = both;
}

bool issue_put(Text *issue, Store *store, int64_t bug, const IssueProgram *program,
               const IssueProject *project, Text *error)
{
    enum { COUNT = OWN_COUNT + COUNT_OF(lists), GIVEN = 4 };
    Shown shown = {0};
    Text own[COUNT] = {{0}};
    IssueValue values[COUNT + GIVEN + 1] = {{0}};
    bool ok = read_shown(&shown, store, bug, error);
    if (project->name.length) {
        text_clear(&shown.library);
        text_put(&shown.library, text_string(&project->name));
    }
    put_own(own, &shown, program);
    ok = ok && put_clauses(&own[EXPECTED], store, bug, error);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        ok = ok && put_list(&own[OWN_COUNT + i], store, bug, lists[i].sql, error);
    if (own[OWN_COUNT].length)
        put_before(&own[OWN_COUNT], text_string(&shown.library));
    Text *versions = &own[OWN_COUNT + VERSIONS];
    if (shown.versions.length)
        text_printf(versions, "%s%s", versions->length ? "\n" : "", text_string(&shown.versions));
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (IssueValue){i < OWN_COUNT ? own_names[i] : lists[i - OWN_COUNT].name,
                                 text_string(&own[i])};
    values[COUNT] = (IssueValue){"COMPILER", program->compiler};
    values[COUNT + 1] = (IssueValue){"PYTHON_VERSION", program->python};
    values[COUNT + 2] = (IssueValue){"ARCHITECTURE", program->architecture};
    values[COUNT + 3] = (IssueValue){"COLLECTED", program->collected};
    issue_project_fill(text_string(&project->text), values, issue);
    for (size_t i = 0; i < COUNT; i++)
        text_release(&own[i]);
    release_shown(&shown);
    return ok;
}
