/* opconform verify: the findings of bugs once more, which moves their states as a night does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "command.h"
#include "reports/store/bug.h"

enum { TRIES = 3 };

static const OptionRow rows[] = {
    OPTION("backend", BACKENDS, backend, "LIST",
           "libraries at places of their own that may be opened: cblas@/path/lib.so"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Counts of the findings of one bug by what three runs of each showed. */
typedef struct Tally {
    int64_t shown, gone, sometimes, unknown;
} Tally;

static bool verify_finding(Store *store, int64_t finding, const char *line, const char *backend,
                           Tally *tally, Text *error)
{
    OutcomeRecord outcome = {.finding = finding, .backend = backend, .tries = TRIES};
    if (!again_count(line, backend, NULL, TRIES, &outcome.diverged)) {
        tally->unknown++;
        return true;
    }
    tally->gone += outcome.diverged == 0;
    tally->shown += outcome.diverged == TRIES;
    tally->sometimes += outcome.diverged > 0 && outcome.diverged < TRIES;
    outcome.version = again_version(backend);
    return store_put_outcome(store, &outcome, error);
}

static void print_tally(int64_t bug, const BugLine *before, const BugLine *after,
                        const Tally *tally)
{
    const char *was = text_string(&before->state), *is = text_string(&after->state);
    escape_print(stdout, "bug %lld: %s%s%s, %lld findings show, %lld are gone", (long long)bug, was,
                 strcmp(was, is) != 0 ? " -> " : "", strcmp(was, is) != 0 ? is : "",
                 (long long)tally->shown, (long long)tally->gone);
    if (tally->sometimes)
        escape_print(stdout, ", %lld show sometimes", (long long)tally->sometimes);
    if (tally->unknown)
        escape_print(stdout, ", %lld cannot be run here", (long long)tally->unknown);
    escape_print(stdout, "  %s\n", text_string(&before->text));
    (void)fflush(stdout);
}

/* *back: whether a bug that was fixed shows again. */
static bool verify_bug(Store *store, int64_t bug, bool *back, Text *error)
{
    BugLine before = {0}, after = {0};
    Tally tally = {0};
    Text line = {0}, backend = {0};
    int64_t finding = 0;
    bool ok = bugs_get(store, bug, &before, error);
    while (ok && bugs_next_finding(store, bug, &finding, &line, &backend, error))
        ok = verify_finding(store, finding, text_string(&line), text_string(&backend), &tally,
                            error);
    ok = ok && error->length == 0 && bugs_get(store, bug, &after, error);
    if (ok)
        print_tally(bug, &before, &after, &tally);
    *back = *back || (ok && !strcmp(text_string(&before.state), "fixed") &&
                      !strcmp(text_string(&after.state), "reopened"));
    bugs_line_release(&before);
    bugs_line_release(&after);
    text_release(&line);
    text_release(&backend);
    return ok;
}

/* The next bug that is wanted: of the arguments, or of all that are there. */
static bool next_bug(Store *store, const Options *options, int *argument, int64_t *bug, Text *error)
{
    if (options->argument_count == 0 || is_everything(options->arguments[0]))
        return bugs_after(store, *bug, bug, error) && *bug > 0;
    if (*argument == options->argument_count)
        return false;
    const char *word = options->arguments[(*argument)++];
    if (!parse_id(word, bug))
        text_printf(error, "verify: '%s' is no number of a bug", word);
    else
        *bug = bugs_find(store, *bug, error);
    return error->length == 0;
}

static int run_verify(Options *options)
{
    Text error = {0};
    bool back = false, ok = true;
    int argument = 0, status;
    int64_t bug = 0;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    RunRecord run = {text_string(&options->command_line), "verify", 0, 1, NULL};
    if (!store_begin_run(store, &run, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else {
        while (ok && next_bug(store, options, &argument, &bug, &error))
            ok = verify_bug(store, bug, &back, &error);
        RunTotals totals = {.end_reason = "budget"};
        ok = ok && error.length == 0 && store_put_totals(store, &totals, &error);
        status = !ok    ? complain(EXIT_USAGE, "%s", text_string(&error))
                 : back ? EXIT_FINDINGS
                        : EXIT_CLEAN;
    }
    text_release(&error);
    store_close(store);
    return status;
}

const Command command_verify = {
    .name = "verify",
    .arguments = "[BUG...|all] [options]",
    .summary = "Runs the findings of bugs again, three times each, in fresh processes.  What does "
               "not show any\n"
               "more becomes fixed, what was fixed and shows is reopened; these have exit status "
               "1.",
    .example = "opconform verify 3 7",
    .options = rows,
    .run = run_verify,
};
