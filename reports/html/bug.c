/* The page of one bug: what is wrong, where, and what can be done about it, before its findings. */
#include <stdio.h>

#include "page.h"
#include "reports/bug_sheet.h"

static void put_fact(void *context, const char *name, const char *value, bool code)
{
    Text *page = context;
    text_printf(page, "<tr><th>%s</th><td>%s", name, code ? "<code>" : "");
    page_put_escaped(page, value);
    text_put(page, code ? "</code></td></tr>\n" : "</td></tr>\n");
}

/* Commands as they are typed; %lld is the bug or, in the first two, the finding. */
static void put_commands(Text *page, int64_t bug, int64_t finding)
{
    static const char *const decisions[] = {
        "opconform bugs suppress %lld --reason TEXT --owner NAME --expires DAY",
        "opconform bugs upstream %lld --link URL",
        "opconform bugs invalid %lld --reason TEXT",
        "opconform bugs fixed %lld",
    };
    text_printf(page,
                "<h2>Run it</h2>\n<pre class=copy>opconform replay %lld\n"
                "opconform reproduce %lld --out .</pre>\n<h2>Decide</h2>\n",
                (long long)finding, (long long)finding);
    for (size_t i = 0; i < COUNT_OF(decisions); i++) {
        char line[128];
        (void)snprintf(line, sizeof line, decisions[i], (long long)bug);
        text_printf(page, "<pre class=copy>%s</pre>\n", line);
    }
}

/* Sections of the page: a heading and the query of its table, whose ?1 is the bug. */
typedef struct Section {
    const char *heading, *sql, *empty;
} Section;

static const Section sections[] = {
    {"Findings",
     "SELECT f.id AS finding, v.state, f.op, f.dtype, f.backend, f.kind, f.pattern, f.hits, "
     "coalesce(f.min_line, f.line) AS line FROM finding f JOIN v_state v ON v.id = f.id WHERE "
     "f.bug = ?1 ORDER BY f.id",
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

bool page_put_bug(Text *page, Store *store, int64_t bug, const char *artifacts, Text *error)
{
    Text facts = {0}, title = {0}, heading = {0};
    int64_t finding = 0;
    bool ok = bug_sheet_finding(store, bug, &finding, error) &&
              bug_sheet(store, bug, &title, put_fact, &facts, error);
    text_printf(&heading, "Bug %lld: %s", (long long)bug, text_string(&title));
    page_begin(page, text_string(&heading));
    text_printf(page, "<table class=facts>%s</table>\n", text_string(&facts));
    ok = ok && page_put_program(page, store, finding, artifacts, error);
    put_commands(page, bug, finding);
    for (size_t i = 0; ok && i < COUNT_OF(sections); i++) {
        text_printf(page, "<h2>%s</h2>\n", sections[i].heading);
        ok = page_put_query(page, store, sections[i].sql, bug, sections[i].empty, error);
    }
    text_put(page, "<h2>Pictures</h2>\n");
    ok = ok && page_put_pictures(page, store, finding, error);
    page_end(page);
    text_release(&facts);
    text_release(&title);
    text_release(&heading);
    return ok;
}
