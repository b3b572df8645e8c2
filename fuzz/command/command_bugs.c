/* opconform bugs: what findings come down to, and what people decide about it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz/campaign/probe.h"
#include "reference/escape.h"
#include "reports/bug_sheet.h"
#include "reports/query.h"
#include "reports/store/bug.h"
#include "reports/store/severity.h"

static const OptionRow rows[] = {
    OPTION("findings", FLAG, findings, NULL, "list: the findings of each bug too"),
    OPTION("closed", FLAG, closed, NULL, "list: also what is fixed, expected or reported"),
    OPTION("reason", TEXT, reason, "TEXT", "why: for expected, invalid, join and apart"),
    OPTION("owner", TEXT, owner, "NAME", "who looks after it: for expected"),
    OPTION("expires", TEXT, expires, "DAY", "the last day, as 2027-01-31: for expected"),
    OPTION("link", TEXT, link, "URL", "for upstream"),
    OPTION("actor", TEXT, actor, "NAME", "who decides ($USER)"),
    OPTION("time", DURATION, seconds, "DURATION", "probe: how long (60s)"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "probe: libraries at places of their own that may be opened: cblas@/path/lib.so"),
    OPTION("dry-run", FLAG, dry_run, NULL, "check and say, but change nothing"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("json", FLAG, json, NULL, "an array of objects"),
    OPTION("csv", FLAG, csv, NULL, "comma-separated, with a heading"),
    OPTION("plain", FLAG, plain, NULL, "tab-separated, no heading"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

static const char *actor_of(const Options *options)
{
    const char *user = getenv("USER");
    return options->actor ? options->actor : user ? user : "someone";
}

static int list(Options *options)
{
    static const char *const sql[2][2] = {
        {"SELECT id, severity, state, upstream, library, findings, title FROM v_open_bug",
         "SELECT id, severity, state, upstream, library, findings, title FROM v_bug"},
        {"SELECT b.id, b.severity, b.library, b.title, f.id AS finding, f.state, f.signature FROM "
         "v_open_bug b JOIN finding f ON f.bug = b.id ORDER BY b.severity, b.findings DESC, b.id, "
         "f.id",
         "SELECT b.id, b.severity, b.library, b.title, f.id AS finding, f.state, f.signature FROM "
         "v_bug b JOIN finding f ON f.bug = b.id ORDER BY b.severity, b.findings DESC, b.id, f.id"},
    };
    return print_query(options, sql[options->findings][options->closed]);
}

/* As many rows as leave room on one screen: what nobody has looked at first, then the worst. */
enum { ROWS_SHOWN = 16 };

int print_bugs_of_run(const Options *options, int64_t run)
{
    static const char of_run[] =
        "SELECT id AS bug, severity, upstream, library, findings, CASE WHEN length(title) > 92 "
        "THEN "
        "substr(title, 1, 88) || ' ...' ELSE title END AS title FROM v_open_bug WHERE "
        "upstream <> 'known upstream' AND severity < %d AND id IN (SELECT f.bug FROM hit h JOIN "
        "finding f ON f.id = h.finding WHERE h.run = %lld) ORDER BY upstream <> 'new', severity, "
        "findings DESC, id LIMIT %d";
    char sql[1024];
    RunBugs counts;
    Text error = {0};
    const char *db = options_database(options);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    bool ok = bugs_count_run(store, run, &counts, &error);
    int status = ok ? EXIT_CLEAN : complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    store_close(store);
    (void)snprintf(sql, sizeof sql, of_run, SEVERITY_CONVENTION, (long long)run, ROWS_SHOWN);
    int64_t not_upstream = counts.bugs - counts.upstream;
    if (not_upstream > 0) {
        escape_print(stdout, "\n");
        status = print_query(options, sql);
        if (not_upstream > ROWS_SHOWN)
            escape_print(stdout, "... and %lld more%s: opconform bugs --db %s\n",
                         (long long)not_upstream - ROWS_SHOWN,
                         not_upstream - counts.reviewed > ROWS_SHOWN ? "" : ", all reviewed", db);
    }
    escape_print(stdout,
                 "\n%lld bugs: %lld new, %lld reviewed but not found upstream, and %lld known "
                 "upstream, which opconform bugs --db %s lists too\n",
                 (long long)counts.bugs, (long long)(not_upstream - counts.reviewed),
                 (long long)counts.reviewed, (long long)counts.upstream, db);
    escape_print(
        stdout,
        "%lld documented departures (conventions); findings that are not minimal yet: %lld "
        "of these bugs, %lld of none: opconform bugs --db %s\n",
        (long long)counts.conventions, (long long)(counts.unfinished - counts.alone),
        (long long)counts.alone, db);
    if (counts.worst)
        escape_print(stdout, "next: opconform bugs show %lld --db %s\n", (long long)counts.worst,
                     db);
    return status;
}

/* One query about the bug of a number. */
static int about(Options *options, const char *format)
{
    char sql[512];
    Text error = {0};
    int64_t number = 0;
    if (options->argument_count != 2 || !parse_id(options->arguments[1], &number))
        return complain(EXIT_USAGE, "bugs: expected %s and the number of a bug",
                        options->arguments[0]);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    number = bugs_find(store, number, &error);
    store_close(store);
    if (error.length > 0) {
        int status = complain(EXIT_USAGE, "%s", text_string(&error));
        text_release(&error);
        return status;
    }
    (void)snprintf(sql, sizeof sql, format, (long long)number);
    return print_query(options, sql);
}

static void put_fact(void *context, const char *name, const char *value, bool code)
{
    (void)code;
    text_printf(context, "  %-12s %s\n", name, value);
}

/* Prints the sheet of one bug, and the commands for the next step. */
static int print_sheet(Store *store, int64_t bug, const char *db)
{
    Text title = {0}, facts = {0}, database = {0}, option = {0}, error = {0};
    int64_t finding = 0;
    int status = EXIT_CLEAN;
    bool ok = bug_sheet(store, bug, &title, put_fact, &facts, &error) &&
              bug_sheet_finding(store, bug, &finding, &error) &&
              bug_sheet_option(store, finding, &option, &error);
    escape_put_shell(&database, db);
    const char *place = text_string(&database), *own = text_string(&option);
    if (ok)
        escape_print(stdout,
                     "bug %lld, %s\n%s\nopconform replay %lld --db %s%s\n"
                     "opconform reproduce %lld --out . --db %s%s\n"
                     "opconform bugs members %lld --db %s\n",
                     (long long)bug, text_string(&title), text_string(&facts), (long long)finding,
                     place, own, (long long)finding, place, own, (long long)bug, place);
    else
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    Text *const used[] = {&title, &facts, &database, &option, &error};
    for (size_t i = 0; i < COUNT_OF(used); i++)
        text_release(used[i]);
    return status;
}

static int show(Options *options)
{
    Text error = {0};
    int64_t number;
    if (options->json || options->csv || options->plain)
        return about(options, "SELECT * FROM v_bug WHERE id = %lld");
    if (options->argument_count != 2 || !parse_id(options->arguments[1], &number))
        return complain(EXIT_USAGE, "bugs: expected show and the number of a bug");
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    int64_t bug = bugs_find(store, number, &error);
    int status = bug ? print_sheet(store, bug, options_database(options))
                     : complain(EXIT_USAGE, "%s", text_string(&error));
    text_release(&error);
    store_close(store);
    return status;
}

static int members(Options *options)
{
    return about(options, "SELECT f.id, v.state, f.op, f.dtype, f.backend, f.hits, "
                          "coalesce(f.min_line, f.line) AS line FROM finding f JOIN v_state v ON "
                          "v.id = f.id WHERE f.bug = %lld ORDER BY f.id");
}

static int why(Options *options)
{
    return about(options, "SELECT t.finding, t.other, t.evidence, t.detail, f.signature, "
                          "o.signature AS other_signature FROM v_tie t JOIN finding f ON f.id = "
                          "t.finding JOIN finding o ON o.id = t.other WHERE t.bug = %lld");
}

/* Runs cases on the libraries of the findings, which a list of them does not. */
static int probe(Options *options)
{
    Text error = {0};
    BugCounts bugs;
    ProbeCounts probes = {0};
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    double seconds = options->seconds > 0 ? options->seconds : 60;
    int status = EXIT_CLEAN;
    if (!probes_run(store, (uint64_t)(seconds * 1e9), &probes, &bugs, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        escape_print(stdout,
                     "%lld probes, %lld could not be made, %lld were lost with their process%s\n"
                     "%lld findings: %lld bugs, %lld conventions, %lld findings not minimal yet\n",
                     (long long)probes.made, (long long)probes.refused, (long long)probes.lost,
                     probes.out_of_time ? "; out of time, more are asked for" : "",
                     (long long)bugs.findings, (long long)bugs.bugs, (long long)bugs.conventions,
                     (long long)bugs.unfinished);
    if (probes.closed > 0)
        (void)complain(0,
                       "bugs: %lld findings were not probed: only the database names their "
                       "libraries; --backend opens them",
                       (long long)probes.closed);
    text_release(&error);
    store_close(store);
    return status;
}

static int group(Options *options)
{
    Text error = {0};
    BugCounts counts;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    int status = EXIT_CLEAN;
    if (!bugs_group(store, &counts, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        escape_print(stdout,
                     "%lld findings: %lld bugs, %lld conventions, %lld findings not minimal yet\n",
                     (long long)counts.findings, (long long)counts.bugs,
                     (long long)counts.conventions, (long long)counts.unfinished);
    text_release(&error);
    store_close(store);
    return status;
}

/* join BUG OTHER and apart FINDING. */
static int rearrange(Options *options, bool join)
{
    Text error = {0};
    int64_t first = 0, second = 0;
    const char *const *words = options->arguments;
    if (options->argument_count != (join ? 3 : 2) || !parse_id(words[1], &first) ||
        (join && !parse_id(words[2], &second)))
        return complain(EXIT_USAGE, join ? "bugs: expected join BUG BUG"
                                         : "bugs: expected apart and the id of a finding");
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    EventRecord event = {.actor = actor_of(options), .reason = options->reason};
    bool ok = join ? bugs_join(store, first, second, &event, options->dry_run, &error)
                   : bugs_split(store, first, &event, options->dry_run, &error);
    int status = ok ? EXIT_CLEAN : complain(EXIT_USAGE, "%s", text_string(&error));
    if (ok)
        escape_print(stdout, "%s %s: %s%s\n", join ? "bugs" : "finding", join ? words[2] : words[1],
                     join ? "joined" : "set apart", options->dry_run ? " (dry run)" : "");
    text_release(&error);
    store_close(store);
    return status;
}

static int joins(Options *options)
{
    return rearrange(options, true);
}

static int splits(Options *options)
{
    return rearrange(options, false);
}

/* Decisions about the bugs BUG[,BUG...]. */
typedef struct Decision {
    const char *name, *kind, *state;
} Decision;

static const Decision decisions[] = {
    {"suppress", "state", "expected"},
    {"upstream", "state", "upstream"},
    {"invalid", "state", "invalid"},
    {"fixed", "state", "fixed"},
    {"reopen", "state", "open"},
    {"undo", "undo", NULL},
    {"note", "note", NULL},
};

static int decide(const Decision *decision, Options *options)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    int64_t bug;
    EventRecord event = {.actor = actor_of(options),
                         .kind = decision->kind,
                         .state = decision->state,
                         .reason = options->reason,
                         .owner = options->owner,
                         .link = options->link,
                         .expires = options->expires};
    if (options->argument_count != 2)
        return complain(EXIT_USAGE, "bugs: expected %s BUG[,BUG...]", decision->name);
    if (!strcmp(decision->kind, "note") && !options->reason)
        return complain(EXIT_USAGE, "bugs: note needs --reason TEXT");
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    char *numbers = memory_duplicate(options->arguments[1]), *rest = numbers;
    for (const char *text; status == EXIT_CLEAN && (text = strsep(&rest, ","));) {
        if (!parse_id(text, &bug))
            status = complain(EXIT_USAGE, "bugs: '%s' is no number of a bug", text);
        else if (!bugs_record_event(store, bug, &event, options->dry_run, &error))
            status = complain(EXIT_USAGE, "%s", text_string(&error));
        else
            escape_print(stdout, "bug %s: %s%s\n", text, decision->name,
                         options->dry_run ? " (dry run)" : "");
    }
    free(numbers);
    text_release(&error);
    store_close(store);
    return status;
}

typedef struct Verb {
    const char *name;
    int (*run)(Options *options);
} Verb;

static const Verb verbs[] = {
    {"list", list},   {"show", show},   {"members", members}, {"why", why},
    {"group", group}, {"probe", probe}, {"join", joins},      {"apart", splits},
};

static int run_bugs(Options *options)
{
    const char *name = options->argument_count ? options->arguments[0] : "list";
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (!strcmp(name, verbs[i].name))
            return verbs[i].run(options);
    for (size_t i = 0; i < COUNT_OF(decisions); i++)
        if (!strcmp(name, decisions[i].name))
            return decide(&decisions[i], options);
    return complain(EXIT_USAGE,
                    "bugs: '%s' is nothing to do with bugs: opconform help bugs lists "
                    "what is",
                    name);
}

const Command command_bugs = {
    .name = "bugs",
    .arguments = "[VERB ...] [options]",
    .summary =
        "Lists bugs, the worst first: findings of one library that have one cause.\n"
        "  list | show BUG | members BUG | why BUG: the evidence that joins its findings\n"
        "  suppress BUGS | upstream BUGS | invalid BUGS | fixed BUGS | reopen BUGS | note BUGS | "
        "undo BUGS:\n"
        "  holds for all findings of the bug, and for those that join it later\n"
        "  join BUG BUG | apart FINDING: what people know better; the one takes the other back\n"
        "  group: finds the bugs anew; probe: carries cases over to other operators to join more\n"
        "BUGS is BUG or BUG,BUG,...  Severity 1 is a wrong finite value in a plain case, 2 a "
        "crash, "
        "a hang or a write\n"
        "out of bounds, 3 a lost NaN or infinity, 4 a read out of bounds, 5 a wrong refusal or "
        "acceptance,\n"
        "6 a suspicion, 7 a convention.",
    .example = "opconform bugs upstream 3 --link https://example.org/issues/1",
    .options = rows,
    .run = run_bugs,
};
