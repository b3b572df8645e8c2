/* opconform merge, opconform fsck */
#include <stdio.h>

#include "command.h"
#include "reports/day.h"
#include "reports/store/fsck.h"
#include "reports/store/merge.h"

static const OptionRow merge_options[] = {
    OPTION("fold", FLAG, fold, NULL,
           "add up the counts of runs on the same libraries, as fleet merge does"),
    OPTION("since", TEXT, since, "DAY", "only runs that began on that day or later: 2026-01-31"),
    OPTION("until", TEXT, until, "DAY", "only runs that began before that day"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* What no option gives stays as it is. */
static bool parse_span(const Options *options, MergeSpan *span, Text *error)
{
    return (!options->since || day_parse(options->since, &span->since, error)) &&
           (!options->until || day_parse(options->until, &span->until, error));
}

static int run_merge(Options *options)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    if (options->argument_count < 2)
        return complain(EXIT_USAGE,
                        "merge: give the database that takes all, and at least one other");
    MergeSpan span = {INT64_MIN, INT64_MAX};
    if (!parse_span(options, &span, &error))
        status = complain(EXIT_USAGE, "merge: %s", text_string(&error));
    else if (!merge_span(options->arguments[0], options->arguments + 1, options->argument_count - 1,
                         options->fold ? MERGE_COUNTS_TOGETHER : MERGE_COUNTS_BY_RUN, &span,
                         &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return status;
}

const Command command_merge = {
    .name = "merge",
    .arguments = "OUT.db IN.db...",
    .summary = "Makes one database of many, in any order and as often as you like.\n"
               "Each run counts once; OUT.db may be there already, and stays as it was if anything "
               "fails.\n"
               "With --since or --until it takes a part of their runs, as an archive does.",
    .example = "opconform merge all.db monday.db tuesday.db",
    .options = merge_options,
    .run = run_merge,
};

static const OptionRow fsck_options[] = {
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

static int run_fsck(Options *options)
{
    Text error = {0};
    int64_t problems = 0;
    int status = EXIT_CLEAN;
    if (options->argument_count > 0)
        return complain(EXIT_USAGE, "fsck: unexpected argument '%s'", options->arguments[0]);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    if (!fsck_store(store, stdout, &problems, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (problems > 0)
        status = complain(EXIT_FINDINGS, "fsck: %lld things do not hold", (long long)problems);
    text_release(&error);
    store_close(store);
    return status;
}

const Command command_fsck = {
    .name = "fsck",
    .arguments = "[options]",
    .summary = "Checks that a database holds together; exit status 1 when it does not.",
    .example = "opconform fsck --db findings.db",
    .options = fsck_options,
    .run = run_fsck,
};
