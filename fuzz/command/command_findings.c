/* opconform findings: lists and shows findings, and records the decisions of people about them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "reports/query.h"
#include "reports/store/connection.h"
#include "reports/store/resign.h"

static const OptionRow rows[] = {
    OPTION("reason", TEXT, reason, "TEXT", "why: for expected and invalid"),
    OPTION("owner", TEXT, owner, "NAME", "who looks after it: for expected"),
    OPTION("expires", TEXT, expires, "DAY", "the last day, as 2027-01-31: for expected"),
    OPTION("link", TEXT, link, "URL", "for upstream"),
    OPTION("actor", TEXT, actor, "NAME", "who decides ($USER)"),
    OPTION("dry-run", FLAG, dry_run, NULL, "check and say, but change nothing"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("json", FLAG, json, NULL, "an array of objects"),
    OPTION("csv", FLAG, csv, NULL, "comma-separated, with a heading"),
    OPTION("plain", FLAG, plain, NULL, "tab-separated, no heading"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Verbs that append an event to the history of each finding named behind them: ID[,ID...]. */
typedef struct Verb {
    const char *name, *kind, *state;
    int words; /* behind the ids: a state, a text, or the finding that these are the same as */
} Verb;

static const Verb verbs[] = {
    {"set", "state", NULL, 1}, {"dup", "state", "dup", 1},
    {"note", "note", NULL, 1}, {"suppress", "state", "expected", 0},
    {"undo", "undo", NULL, 0},
};

/* What to end with where there is no such finding, which is said. */
static int check_finding(const Options *options, int64_t id)
{
    char sql[96];
    int64_t count = 0;
    Text error = {0};
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM finding WHERE id = %lld", (long long)id);
    bool ok = store_get_number(store, sql, &count, &error);
    int status = !ok          ? complain(EXIT_ENVIRONMENT, "%s", text_string(&error))
                 : count == 0 ? complain(EXIT_USAGE, "%s: no finding %lld",
                                         options_database(options), (long long)id)
                              : EXIT_CLEAN;
    text_release(&error);
    store_close(store);
    return status;
}

/* All facts of one finding, or its events in their order. */
static int show(Options *options, const char *what, const char *text)
{
    char sql[128];
    int64_t id;
    if (!parse_id(text, &id))
        return complain(EXIT_USAGE, "findings: '%s' is no id", text);
    int status = check_finding(options, id);
    if (status != EXIT_CLEAN)
        return status;
    bool facts = !strcmp(what, "show");
    options->json = options->json || (facts && !options->csv && !options->plain);
    (void)snprintf(sql, sizeof sql, "SELECT * FROM %s = %lld",
                   facts ? "finding WHERE id" : "v_history WHERE finding", (long long)id);
    return print_query(options, sql);
}

/* States that a person may set; the others need more than a word. */
static bool is_state(const char *word)
{
    static const char *const states[] = {"new", "open", "fixed", "expected", "invalid", "upstream"};
    for (size_t i = 0; i < COUNT_OF(states); i++)
        if (!strcmp(word, states[i]))
            return true;
    return false;
}

/* Fills the event that the verb means from the arguments; false with a message where they do not
 * fit. */
static bool describe(const Verb *verb, const Options *options, EventRecord *event)
{
    const char *word = options->argument_count > 2 ? options->arguments[2] : "";
    const char *user = getenv("USER");
    *event = (EventRecord){
        .actor = options->actor ? options->actor
                 : user         ? user
                                : "someone",
        .kind = verb->kind,
        .state = verb->state,
        .reason = options->reason,
        .owner = options->owner,
        .link = options->link,
        .expires = options->expires,
    };
    if (options->argument_count != 2 + verb->words) {
        (void)complain(0, "findings: expected %s ID[,ID...]%s", verb->name,
                       verb->words ? " and one word or text" : "");
        return false;
    }
    if (!strcmp(verb->name, "note"))
        event->reason = word;
    if (!strcmp(verb->name, "set"))
        event->state = word;
    if (!strcmp(verb->name, "set") && !is_state(word)) {
        (void)complain(0,
                       "findings: '%s' is no state to set: new, open, fixed, expected, invalid or "
                       "upstream",
                       word);
        return false;
    }
    if (!strcmp(verb->name, "dup") && !parse_id(word, &event->of_finding)) {
        (void)complain(0, "findings: '%s' is no id", word);
        return false;
    }
    return true;
}

static int record(const Verb *verb, Options *options)
{
    EventRecord event;
    Text error = {0};
    int status = EXIT_CLEAN;
    int64_t id;
    if (!describe(verb, options, &event))
        return EXIT_USAGE;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    char *ids = memory_duplicate(options->arguments[1]), *rest = ids;
    for (const char *text; status == EXIT_CLEAN && (text = strsep(&rest, ","));) {
        if (!parse_id(text, &id))
            status = complain(EXIT_USAGE, "findings: '%s' is no id", text);
        else if (!store_record_event(store, id, &event, options->dry_run, &error))
            status = complain(EXIT_USAGE, "%s", text_string(&error));
        else
            escape_print(stdout, "%s %s%s%s%s\n", text, verb->name, event.state ? ": " : "",
                         event.state ? event.state : "", options->dry_run ? " (dry run)" : "");
    }
    free(ids);
    text_release(&error);
    store_close(store);
    return status;
}

static int resign(Options *options)
{
    Text error = {0};
    ResignCounts counts;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    int status = EXIT_CLEAN;
    if (!resign_findings(store, options->dry_run, &counts, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        escape_print(stdout, "%lld signatures changed, %lld findings became one with another%s\n",
                     (long long)counts.changed, (long long)counts.folded,
                     options->dry_run ? " (dry run)" : "");
    text_release(&error);
    store_close(store);
    return status;
}

static int run_findings(Options *options)
{
    const char *verb = options->argument_count ? options->arguments[0] : "list";
    int count = options->argument_count;
    if (!strcmp(verb, "list") && count <= 1)
        return print_query(options, "SELECT id, state, hits, signature FROM finding ORDER BY id");
    if ((!strcmp(verb, "show") || !strcmp(verb, "history")) && count == 2)
        return show(options, verb, options->arguments[1]);
    if (!strcmp(verb, "resign") && count == 1)
        return resign(options);
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (!strcmp(verb, verbs[i].name))
            return record(&verbs[i], options);
    return complain(
        EXIT_USAGE,
        "findings: expected list, show ID, history ID, set ID STATE, dup ID OF, note ID TEXT, "
        "suppress ID, undo ID or resign");
}

const Command command_findings = {
    .name = "findings",
    .arguments = "[VERB ...] [options]",
    .summary =
        "Lists findings, shows one, and keeps what people decide about them:\n"
        "  list | show ID | history ID | set IDS STATE | dup IDS OF | note IDS TEXT | suppress IDS "
        "| undo IDS |\n"
        "  resign: computes all signatures anew\n"
        "IDS is ID or ID,ID,...  STATE is new, open, fixed, expected, invalid or upstream.\n"
        "Nothing is overwritten: each decision is an event, and undo takes back the last one.",
    .example =
        "opconform findings suppress 3 --reason 'documented' --owner me --expires 2027-01-31",
    .options = rows,
    .run = run_findings,
};
