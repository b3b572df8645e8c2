/* The page of one finding, with the facts that a maintainer needs to decide about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/case.h"
#include "page.h"
#include "reports/bug_sheet.h"
#include "reports/files.h"
#include "reports/store/severity.h"

enum {
    SIGNATURE,
    SIGNATURE_VERSION_OF,
    OP,
    DTYPE,
    KIND,
    BACKEND,
    STATE,
    TIER,
    DEFECT,
    PATTERN,
    DETAIL,
    LINE,
    RATIO,
    ULPS,
    EXPECTED,
    GOT,
    BOUND,
    FLAKY,
    HITS,
    FIRST,
    LAST,
    REASON,
    OWNER,
    LINK,
    EXPIRES,
    NEEDED,
    BAD,
    WORST
};

static const char finding_sql[] =
    "SELECT signature, signature_version, op, dtype, kind, backend, "
    "(SELECT state FROM v_state WHERE "
    "id = f.id), tier, defect, pattern, detail, coalesce(min_line, "
    "line), ratio, ulps, expected, got, "
    "bound, flaky, hits, datetime(first_seen, 'unixepoch'), "
    "datetime(last_seen, 'unixepoch'), reason, "
    "owner, link, expires, needed, bad || ' of ' || total, worst FROM finding f WHERE id = ?";

static void put_fact(Text *page, const char *name, const char *value, bool code)
{
    if (!value[0])
        return;
    text_printf(page, "<tr><th>%s</th><td>%s", name, code ? "<code>" : "");
    escape_put_markup(page, value);
    text_put(page, code ? "</code></td></tr>\n" : "</td></tr>\n");
}

static void put_facts(Text *page, Statement *s)
{
    const Severity *severity = severity_of(statement_column(s, KIND), statement_column(s, DEFECT),
                                           statement_column(s, DETAIL));
    text_put(page, "<table>");
    put_fact(page, "severity", severity->word, false);
    put_fact(page, "state", statement_column(s, STATE), false);
    put_fact(page, "because", statement_column(s, REASON), false);
    put_fact(page, "owner", statement_column(s, OWNER), false);
    put_fact(page, "link", statement_column(s, LINK), false);
    put_fact(page, "until", statement_column(s, EXPIRES), false);
    put_fact(page, "kind", statement_column(s, KIND), false);
    put_fact(page, "detail", statement_column(s, DETAIL), false);
    put_fact(page, "pattern of bad elements", statement_column(s, PATTERN), false);
    put_fact(page, "bad elements", statement_column(s, BAD), false);
    put_fact(page, "wrong in", statement_column(s, DEFECT), false);
    put_fact(page, "bound", statement_column(s, TIER), false);
    if (statement_column(s, GOT)[0]) {
        put_fact(page, "worst element", statement_column(s, WORST), false);
        put_fact(page, "expected", statement_column(s, EXPECTED), true);
        put_fact(page, "got", statement_column(s, GOT), true);
        put_fact(page, "error may be", statement_column(s, BOUND), true);
        put_fact(page, "error / bound", statement_column(s, RATIO), false);
        put_fact(page, "ulps apart",
                 sqlite3_column_int64(s->statement, ULPS) == INT64_MAX ? ""
                                                                       : statement_column(s, ULPS),
                 false);
    }
    put_fact(page, "reproducible",
             sqlite3_column_int(s->statement, FLAKY) ? "not always: it is flaky" : "yes", false);
    put_fact(page, "hits", statement_column(s, HITS), false);
    put_fact(page, "first seen", statement_column(s, FIRST), false);
    put_fact(page, "last seen", statement_column(s, LAST), false);
    put_fact(page, "signature", statement_column(s, SIGNATURE), true);
    put_fact(page, "signature version", statement_column(s, SIGNATURE_VERSION_OF), false);
    text_put(page, "</table>\n");
}

/* The source of the case of the operator program; nothing for other operators. */
static void put_source(Text *page, const Case *c)
{
    Text source = {0};
    if (!c->op->source)
        return;
    c->op->source(c->params, &source);
    text_put(page, "<pre class=copy>");
    escape_put_markup(page, text_string(&source));
    text_put(page, "</pre>\n");
    text_release(&source);
}

/* The parameters of the minimal case.  Minimising left each at its simplest value unless the
 * divergence needs another one, so that those with other values matter. */
static void put_parameters(Text *page, const char *line, const char *needed)
{
    Case c;
    Text error = {0}, value = {0};
    ParamGroup groups[CASE_GROUPS_MAX];
    text_put(page, "<h2>The case</h2>\n<pre class=copy>");
    escape_put_markup(page, line);
    text_put(page, "</pre>\n");
    if (!case_parse(&c, line, &error)) {
        text_release(&error);
        return;
    }
    put_source(page, &c);
    text_put(page,
             "<table class=sort><tr><th>of</th><th>parameter</th><th>value</th><th>needed</th>"
             "<th>meaning</th></tr>\n");
    int count = case_groups(&c, groups);
    for (int i = 0; i < count; i++)
        for (const Param *param = groups[i].params; param->name; param++) {
            bool simplest = param_is_simplest(param, groups[i].values);
            if (simplest && i > 0)
                continue;
            text_clear(&value);
            param_print(param, groups[i].values, &value);
            text_printf(page, "<tr><td>%s</td><td>%s</td><td><code>",
                        groups[i].name[0] ? groups[i].name : c.op->name, param->name);
            escape_put_markup(page, text_string(&value));
            text_printf(page, "</code></td><td>%s</td><td>", simplest ? "" : "yes");
            escape_put_markup(page, param->help ? param->help : "");
            text_put(page, "</td></tr>\n");
        }
    text_put(page, "</table>\n");
    if (needed[0]) {
        text_put(page, "<p>Needed as well: ");
        escape_put_markup(page, needed);
        text_put(page, "</p>\n");
    }
    text_release(&value);
}

/* Reads the program that the report has of the finding. */
static bool read_program(const PagePlace *place, int64_t finding, Text *program)
{
    bool found = false;
    for (size_t i = 0; program_endings[i] && !found; i++) {
        Text path = {0}, absent = {0};
        text_printf(&path, "%s/programs/finding-%lld%s", place->folder, (long long)finding,
                    program_endings[i]);
        found = file_read(text_string(&path), program, &absent);
        text_release(&path);
        text_release(&absent);
    }
    return found;
}

/* Whether a night has given a program this name (fuzz/nightly/nightly_steps.c): a row may name any
 * file, whose contents are nothing for a report. */
static bool is_program_name(const char *path)
{
    static const char folder[] = "reproducers/";
    enum { DIGITS = 16 };
    size_t prefix = sizeof folder - 1;
    if (strncmp(path, folder, prefix) != 0 || strspn(path + prefix, "0123456789abcdef") != DIGITS)
        return false;
    const char *ending = path + prefix + DIGITS;
    return is_program_ending(ending);
}

/* Reads the program that a night has written. */
static bool read_artifact(const PagePlace *place, Store *store, int64_t finding, Text *program,
                          Text *error)
{
    Statement s =
        statement_begin(store_connection(store),
                        "SELECT path FROM artifact WHERE finding = ? AND kind = 'reproducer' "
                        "ORDER BY made DESC, path LIMIT 1");
    statement_int(&s, finding);
    if (statement_row(&s) && is_program_name(statement_column(&s, 0))) {
        Text path = {0}, absent = {0};
        text_printf(&path, "%s/%s", place->artifacts, statement_column(&s, 0));
        (void)!file_read(text_string(&path), program, &absent);
        text_release(&path);
        text_release(&absent);
    }
    return statement_end(&s, "report", error);
}

bool page_put_program(Text *page, Store *store, int64_t finding, const PagePlace *place,
                      Text *error)
{
    Text program = {0};
    bool ok = read_program(place, finding, &program) ||
              read_artifact(place, store, finding, &program, error);
    if (program.length) {
        text_put(page, "<pre class=\"copy program\">");
        escape_put_markup(page, text_string(&program));
        text_put(page, "</pre>\n");
    }
    text_release(&program);
    return ok;
}

static bool put_reproducer(Text *page, Store *store, int64_t id, const PagePlace *place,
                           Text *error)
{
    Text option = {0};
    bool ok = bug_sheet_option(store, id, &option, error);
    text_printf(page, "<h2>Reproduce</h2>\n<pre class=copy>opconform replay %lld", (long long)id);
    escape_put_markup(page, text_string(&option));
    text_printf(page, "\nopconform reproduce %lld --out .", (long long)id);
    escape_put_markup(page, text_string(&option));
    text_put(page, "</pre>\n");
    text_release(&option);
    return ok && page_put_program(page, store, id, place, error);
}

/* Sections of the page: a heading and the query of its table, whose ?1 is the finding. */
typedef struct Section {
    const char *heading, *sql, *empty;
} Section;

static const Section sections[] = {
    {"What other backends make of it",
     "SELECT backend, verdict, ratio AS \"error / bound\" FROM finding_peer WHERE finding = ?1 "
     "ORDER BY verdict, backend",
     "no other backend was asked"},
    {"Versions",
     "SELECT backend, version, verdict, tries, diverged FROM v_version WHERE finding = ?1",
     "no version was asked again: opconform bisect does that"},
    {"Settings", "SELECT backend, setting, effect, tries, diverged FROM v_knob WHERE finding = ?1",
     "no setting was tried"},
    {"Environment",
     "SELECT DISTINCT b.version, b.core, b.threads, b.path, b.build FROM backend b JOIN hit h ON "
     "h.run = b.run JOIN finding f ON f.id = h.finding AND f.backend = b.name WHERE f.id = ?1",
     "not known"},
    {"Policies it speaks about",
     "SELECT p.name, p.sentence, p.source FROM finding_policy f JOIN policy p ON p.name = f.policy "
     "WHERE f.finding = ?1",
     "none"},
    {"Seen",
     "SELECT run, datetime(first_seen, 'unixepoch') AS first, datetime(last_seen, 'unixepoch') "
     "AS last, hits FROM hit WHERE finding = ?1 ORDER BY run DESC LIMIT 50",
     "never"},
    {"Cases that showed it",
     "SELECT DISTINCT ratio AS \"error / bound\", expected, got, line FROM observation WHERE "
     "finding = "
     "?1 ORDER BY id DESC LIMIT 10",
     "none"},
    {"Perhaps the same",
     "SELECT o.id AS finding, o.state, o.dtype, o.backend, o.kind, o.pattern, o.hits FROM finding "
     "o "
     "JOIN finding f ON f.op = o.op AND f.kind = o.kind AND f.defect = o.defect AND "
     "f.pattern = o.pattern AND f.id <> o.id WHERE f.id = ?1 ORDER BY o.id LIMIT 25",
     "none"},
    {"History", "SELECT at, actor, kind, state, reason, link FROM v_history WHERE finding = ?1",
     "nothing was decided yet"},
};

bool page_put_finding(Text *page, Store *store, int64_t id, const PagePlace *place, Text *error)
{
    Statement s = statement_begin(store_connection(store), finding_sql);
    Text title = {0};
    statement_int(&s, id);
    if (statement_row(&s)) {
        text_printf(&title, "#%lld %s %s on %s: %s", (long long)id, statement_column(&s, OP),
                    statement_column(&s, DTYPE), statement_column(&s, BACKEND),
                    severity_of(statement_column(&s, KIND), statement_column(&s, DEFECT),
                                statement_column(&s, DETAIL))
                        ->word);
        page_begin(page, text_string(&title));
        put_facts(page, &s);
        put_parameters(page, statement_column(&s, LINE), statement_column(&s, NEEDED));
    }
    text_release(&title);
    bool ok = statement_end(&s, "report", error) && page_put_pictures(page, store, id, error) &&
              put_reproducer(page, store, id, place, error);
    for (size_t i = 0; ok && i < COUNT_OF(sections); i++) {
        text_printf(page, "<h2>%s</h2>\n", sections[i].heading);
        ok = page_put_query(page, store, sections[i].sql, id, sections[i].empty, error);
    }
    page_end(page, place);
    return ok;
}
