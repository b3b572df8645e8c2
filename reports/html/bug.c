/* The page of one bug: what is wrong, where, and what can be done about it, before its findings. */
#include <stdio.h>

#include "page.h"
#include "reports/bug_sheet.h"

static void put_fact(void *context, const char *name, const char *value, bool code)
{
    Text *page = context;
    text_printf(page, "<tr><th>%s</th><td>%s", name, code ? "<code>" : "");
    escape_put_markup(page, value);
    text_put(page, code ? "</code></td></tr>\n" : "</td></tr>\n");
}

/* Commands as they are typed, with what they do; %lld is the finding in the first two, then the
 * bug.  The first three open the library, for which the option is. */
static void put_commands(Text *page, int64_t bug, int64_t finding, const char *option)
{
    static const struct {
        const char *words, *command;
    } rows[] = {
        {"Run it again", "opconform replay %lld"},
        {"Write the program", "opconform reproduce %lld --out ."},
        {"Write a report", "opconform issue %lld"},
        {"It was reported", "opconform bugs upstream %lld --link URL"},
        {"It is expected", "opconform bugs suppress %lld --reason TEXT --owner NAME --expires DAY"},
        {"It is no bug", "opconform bugs invalid %lld --reason TEXT"},
        {"It is fixed", "opconform bugs fixed %lld"},
    };
    enum { OF_THE_FINDING = 2, THAT_OPEN = 3 };
    text_put(page, "<dl class=commands>\n");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char line[128];
        (void)snprintf(line, sizeof line, rows[i].command,
                       (long long)(i < OF_THE_FINDING ? finding : bug));
        text_printf(page, "<dt>%s</dt><dd><pre class=copy>%s", rows[i].words, line);
        escape_put_markup(page, i < THAT_OPEN ? option : "");
        text_put(page, "</pre></dd>\n");
    }
    text_put(page, "</dl>\n");
}

/* Sections of the page: a heading and the query of its table, whose ?1 is the bug. */
typedef struct Section {
    const char *heading, *sql, *empty;
} Section;

static const Section sections[] = {
    {"Findings",
     "SELECT f.id AS finding, v.state, f.op, f.dtype, f.backend, f.kind, f.pattern, f.hits, "
     "coalesce(f.min_line, f.line) AS line FROM (SELECT id FROM finding WHERE bug = ?1 ORDER BY id "
     "LIMIT 1001) b CROSS JOIN finding f ON f.id = b.id JOIN v_state v ON v.id = f.id ORDER BY "
     "b.id",
     "none"},
    {"Why they are one",
     "SELECT t.finding, t.other AS with_finding, t.evidence, t.detail FROM v_tie t WHERE t.bug = "
     "?1",
     "there is one finding only"},
    {"Versions",
     "SELECT backend, version, verdict, sum(tries) AS tries, sum(diverged) AS diverged FROM "
     "v_version WHERE finding IN (SELECT id FROM finding WHERE bug = ?1) GROUP BY backend, "
     "version, verdict",
     "no version was asked again: opconform bisect does that"},
};

bool page_put_bug(Text *page, Store *store, int64_t bug, const PagePlace *place, Text *error)
{
    Text facts = {0}, title = {0}, heading = {0}, option = {0};
    int64_t finding = 0;
    bool ok = bug_sheet_finding(store, bug, &finding, error) &&
              bug_sheet(store, bug, &title, put_fact, &facts, error) &&
              bug_sheet_option(store, finding, &option, error);
    text_printf(&heading, "Bug %lld: %s", (long long)bug, text_string(&title));
    page_begin(page, text_string(&heading));
    text_printf(page, "<div class=split><div>\n<table class=facts>%s</table>\n</div><div>\n",
                text_string(&facts));
    ok = ok && page_put_program(page, store, finding, place, error);
    put_commands(page, bug, finding, text_string(&option));
    text_put(page, "</div></div>\n");
    for (size_t i = 0; ok && i < COUNT_OF(sections); i++) {
        text_printf(page, "<h2>%s</h2>\n", sections[i].heading);
        ok = page_put_query(page, store, sections[i].sql, bug, sections[i].empty, error);
    }
    text_put(page, "<h2>Pictures</h2>\n");
    ok = ok && page_put_pictures(page, store, finding, error);
    page_end(page, place);
    text_release(&facts);
    text_release(&title);
    text_release(&heading);
    text_release(&option);
    return ok;
}
