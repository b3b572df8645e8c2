/* opconform nightly */
#include <stdio.h>

#include "nightly.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/store/known.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR",
           "where the database, the programs and the report are kept (nightly)"),
    OPTION("op", NAMES, op, "LIST", "operators or patterns; all by default"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "NAME[:MODE][@WHERE],...; the BLAS libraries of the system by default"),
    OPTION("dtype", NAMES, dtype, "LIST", "element types, all by default"),
    OPTION("fix", TEXT, fix, "LIST", "what cases are like, as for fuzz"),
    OPTION("time", DURATION, seconds, "T",
           "for the whole night, most of it for fuzzing: 60s, 5m, 2h"),
    OPTION("cases", COUNT, cases, "N", "budget in cases"),
    OPTION("jobs", NUMBER, jobs, "N", "worker processes, 1 to 64"),
    OPTION("seed", COUNT, seed, "N", "the night's number is added to it"),
    OPTION("seeds", NAMES, seeds, "LIST",
           "files of case lines that are run first, beside those that nights keep in "
           "DIR/corpus.cases"),
    OPTION("engine", TEXT, engine, "NAME", "libfuzzer (default) or random"),
    OPTION("corpus", TEXT, corpus, "DIR", "where libFuzzer keeps its corpus"),
    OPTION("known", TEXT, known, "FILE",
           "known issues: a JSON array of match, reason, owner, expires, link"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("json", FLAG, json, NULL, "summary as one JSON object"),
    OPTION("quiet", FLAG, quiet, NULL, "no progress on stderr"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

static bool run_steps(Night *night, Text *error)
{
    while (night_steps[night->step].name) {
        uint64_t start = clock_nanoseconds();
        const char *name = night_steps[night->step].name;
        if (!night_steps[night->step].run(night, error))
            return false;
        night_may_die();
        night->step++;
        if (!night_put_state(night, error))
            return false;
        night_say(night, "step=%s seconds=%.1f", name,
                  1e-9 * (double)(clock_nanoseconds() - start));
    }
    return true;
}

static void print_counts(const Night *night, const NightCounts *c)
{
    Text report = {0}, json = {0};
    const struct {
        const char *name;
        int64_t count;
    } counts[] = {{"night", night->number},     {"open", c->open},   {"new", c->fresh},
                  {"regressed", c->regressed},  {"fixed", c->fixed}, {"flaky", c->flaky},
                  {"suppressed", c->suppressed}};
    text_printf(&report, "%s/report/index.html", night->folder);
    text_put(&json, "{");
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        json_put_integer(&json, counts[i].name, counts[i].count);
        if (!night->options->json)
            escape_print(stdout, "%s%s %lld", i ? "   " : "", counts[i].name,
                         (long long)counts[i].count);
    }
    json_put_member(&json, "report", text_string(&report));
    if (night->options->json)
        escape_print(stdout, "%s}\n", text_string(&json));
    else
        escape_print(stdout, "\n%s\n", text_string(&report));
    text_release(&report);
    text_release(&json);
}

/* The known issues are read when the fuzzing is done: a mistake in them is told before. */
static bool check_known(const char *path, Text *error)
{
    Text json = {0};
    bool ok = !path || (file_read(path, &json, error) && file_is_text(path, &json, error) &&
                        store_check_known(text_string(&json), path, error));
    text_release(&json);
    return ok;
}

static int run_nightly(Options *options)
{
    Night night;
    Text error = {0};
    NightCounts counts = {0};
    int status = EXIT_CLEAN;
    if (options->argument_count > 0)
        return complain(EXIT_USAGE, "nightly: unexpected argument '%s'", options->arguments[0]);
    if (!check_known(options->known, &error)) {
        status = complain(EXIT_USAGE, "--known %s", text_string(&error));
        text_release(&error);
        return status;
    }
    bool ok = night_open(&night, options, night_steps, &error) && run_steps(&night, &error) &&
              night_read_counts(&night, &counts, &error);
    if (ok) {
        print_counts(&night, &counts);
        status = counts.fresh + counts.regressed > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
    } else {
        status = night.busy ? complain(EXIT_LATER, "%s", text_string(&error))
                            : complain(EXIT_ENVIRONMENT, "%s; the same command goes on from here",
                                       text_string(&error));
    }
    night_release(&night);
    text_release(&error);
    return status;
}

const Command command_nightly = {
    .name = "nightly",
    .arguments = "--out DIR [options]",
    .summary = "A night's work, which goes on after a kill: replays, fuzzes, merges, reports.\n"
               "Known findings are run again; what is new is run in fresh processes and under the "
               "settings of\n"
               "its library, and gets a program that shows it.  Exit status 1 when something is "
               "new or came\n"
               "back, and is neither suppressed nor flaky; 75 when another night works in DIR.",
    .example =
        "opconform nightly --out nightly --backend openblas,blis --time 2h --known known.json",
    .options = rows,
    .run = run_nightly,
};
