/* opconform exhaust: all inputs of an operator. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz/check/capture.h"
#include "fuzz/exhaust/exhaust.h"

enum { SHARDS_MAX = 4096, EXAMPLES_MAX = 32, EXAMPLE_TIMES = 16 };

static const OptionRow rows[] = {
    OPTION("backend", BACKENDS, backend, "LIST", "NAME[:MODE][@WHERE],...: libraries to try"),
    OPTION("dtype", NAMES, dtype, "LIST",
           "element types; all by default whose inputs have 32 bits at most"),
    OPTION("shard", TEXT, shard, "I/N", "only part I of N, each a run of its own"),
    OPTION("time", DURATION, seconds, "T", "stop then; a later run goes on"),
    OPTION("jobs", NUMBER, jobs, "N", "processes, 1 to 64"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("json", FLAG, json, NULL, "rows as JSON"),
    OPTION("csv", FLAG, csv, NULL, "rows as CSV"),
    OPTION("quiet", FLAG, quiet, NULL, "no progress on stderr"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* What is told of a run. */
typedef struct Run {
    Options *options;
    const Scope *scope;
    Store *store;
    int64_t shard, shards;
    int status;
    Text sweeps;      /* their numbers, with commas between */
    Corpus seeds;     /* cases that show departures */
    bool any, ended;  /* something was tried; no more is to be begun */
    uint64_t started; /* nanoseconds */
} Run;

static void worsen(Run *run, int status)
{
    if (status == EXIT_FINDINGS ? run->status == EXIT_CLEAN : status > run->status)
        run->status = status;
}

static bool parse_shard(const char *text, int64_t *shard, int64_t *shards)
{
    *shard = *shards = 1;
    if (!text)
        return true;
    char *end;
    *shard = strtoll(text, &end, 10);
    if (end == text || *end != '/' || *text < '0' || *text > '9')
        return false;
    const char *second = end + 1;
    *shards = strtoll(second, &end, 10);
    return end != second && *end == '\0' && *second >= '0' && *second <= '9' && *shard >= 1 &&
           *shard <= *shards && *shards <= SHARDS_MAX;
}

/* Whether the operator is named itself, not by a pattern. */
static bool is_named(const Options *options, const OpDesc *op)
{
    for (int i = 0; i < options->op.count; i++)
        if (!strcmp(options->op.names[i], op->name))
            return true;
    return false;
}

/* Keeps an input of each kind of departure that was not filed yet: alone, and as often as fills the
 * vectors of a library. */
static bool keep_departures(Run *run, const Space *space, int64_t sweep, Text *error)
{
    uint64_t inputs[EXAMPLES_MAX];
    int count = 0;
    if (!store_sweep_unfiled(run->store, sweep, inputs, EXAMPLES_MAX, &count, error))
        return false;
    for (int i = 0; i < count; i++) {
        Case c;
        space_case_of(space, &inputs[i], 1, 1, &c);
        corpus_add(&run->seeds, &c);
        space_case_of(space, &inputs[i], 1, EXAMPLE_TIMES, &c);
        corpus_add(&run->seeds, &c);
    }
    return true;
}

/* A campaign of the cases that were kept minimises and files what they show. */
static bool file_departures(Run *run, Text *error)
{
    CampaignSummary summary = {0};
    CampaignOptions campaign = {
        .scope = *run->scope,
        .backends = run->options->backend.names,
        .engine = ENGINE_RANDOM,
        .seed = 1,
        .cases = 1,
        .deadline = (uint64_t)(run->options->deadline_seconds * 1e9),
        .jobs = 1,
        .seeds = &run->seeds,
        .only_seeds = true,
        .quiet = true,
    };
    campaign.scope.threads = 1;
    if (run->seeds.count == 0)
        return true;
    bool ok = campaign_run(&campaign, run->store, &summary, error);
    char *rest = run->sweeps.data;
    while (ok && rest && *rest) {
        ok = store_sweep_filed(run->store, strtoll(rest, &rest, 10), error);
        rest += *rest == ',';
    }
    if (ok && summary.internal_error)
        worsen(run, EXIT_INTERNAL);
    if (ok && summary.fresh > 0)
        worsen(run, EXIT_FINDINGS);
    return ok;
}

/* What a reader must know that no row has. */
static void tell(Run *run, const Space *space, const char *backend, const ExhaustSummary *s)
{
    const char *op = space->op->name, *dtype = dtype_name(space->dtype);
    if (s->declined[0])
        (void)complain(0, "exhaust: %s in %s on %s: declined: %s", op, dtype, backend, s->declined);
    if (s->aside)
        worsen(run, complain(EXIT_BUDGET,
                             "exhaust: %s in %s on %s: set aside: its processes end whatever they "
                             "are given; %llu of %llu blocks are done",
                             op, dtype, backend, (unsigned long long)s->stored,
                             (unsigned long long)s->blocks));
    else if (s->stopped)
        worsen(run, complain(EXIT_BUDGET,
                             "exhaust: %s in %s on %s: stopped with %llu of %llu blocks done; the "
                             "same command goes on",
                             op, dtype, backend, (unsigned long long)s->stored,
                             (unsigned long long)s->blocks));
    run->ended = run->ended || s->stopped;
}

static bool try_all(Run *run, const Space *space, const char *backend, const BackendFacts *facts,
                    Text *error)
{
    Text call = {0};
    int64_t sweep = 0;
    ExhaustSummary summary = {0};
    case_print_call(&space->one, &call);
    SweepKey key = {space->op->name,    dtype_name(space->dtype),
                    text_string(&call), backend,
                    facts->version,     facts->build,
                    space->count,       space->block};
    double spent = (double)(clock_nanoseconds() - run->started) * 1e-9;
    double left = run->options->seconds > 0 ? run->options->seconds - spent : 0;
    ExhaustOptions how = {
        .backend = backend,
        .jobs = (int)run->options->jobs,
        .shard = run->shard,
        .shards = run->shards,
        .deadline = (uint64_t)(run->options->deadline_seconds * 1e9),
        .seconds = run->options->seconds > 0 && left < 0.001 ? 0.001 : left,
        .quiet = run->options->quiet,
    };
    bool ok = store_sweep(run->store, &key, &sweep, error) &&
              exhaust_run(&how, space, run->store, sweep, &summary, error) &&
              keep_departures(run, space, sweep, error);
    text_printf(&run->sweeps, "%s%lld", run->sweeps.length ? "," : "", (long long)sweep);
    text_release(&call);
    if (ok)
        tell(run, space, backend, &summary);
    run->any = run->any || !summary.declined[0];
    return ok;
}

/* Every operator and element type that the backend has; false with a status where something of ours
 * refuses. */
static bool try_backend(Run *run, const char *backend)
{
    static uint32_t offers[OP_MAX];
    BackendFacts facts;
    Text error = {0};
    bool ok =
        backend_probe(backend, &facts, &error) && backend_probe_offers(backend, offers, &error);
    for (int i = 0; ok && i < run->scope->op_count; i++) {
        const OpDesc *op = run->scope->ops[i];
        uint32_t dtypes = scope_dtypes(run->scope, op);
        for (int dtype = 0; ok && dtype < DT_COUNT && !run->ended; dtype++) {
            Space space;
            Text why = {0};
            bool wanted = dtypes >> dtype & 1;
            if (wanted && !(offers[op_number(op)] >> dtype & 1)) {
                if (run->options->dtype.count && is_named(run->options, op))
                    (void)complain(0, "exhaust: %s has no %s in %s", backend, op->name,
                                   dtype_name((DType)dtype));
            } else if (wanted && space_make(&space, op, (DType)dtype, &why)) {
                ok = try_all(run, &space, backend, &facts, &error);
            } else if (wanted && run->options->dtype.count && is_named(run->options, op)) {
                worsen(run, complain(EXIT_USAGE, "exhaust: %s", text_string(&why)));
            }
            text_release(&why);
        }
    }
    if (!ok)
        worsen(run, complain(EXIT_ENVIRONMENT, "%s", text_string(&error)));
    text_release(&error);
    return ok;
}

static int print_rows(const Run *run)
{
    Text sql = {0};
    text_printf(&sql,
                "SELECT op, dtype, backend, version, inputs, of, wrong, undecided, open, unjudged, "
                "departures, round(worst_ulps, 6) AS worst_ulps, worst_input, round(core_seconds, "
                "1) AS core_seconds FROM v_exhaustive WHERE sweep IN (%s)",
                text_string(&run->sweeps));
    int status = print_query(run->options, text_string(&sql));
    text_clear(&sql);
    text_printf(&sql,
                "SELECT op, dtype, backend, what, kind, results, first, worst, ulps FROM "
                "v_departure WHERE sweep IN (%s)",
                text_string(&run->sweeps));
    int64_t count = 0;
    Text counted = {0}, error = {0};
    text_printf(&counted, "SELECT count(*) FROM (%s)", text_string(&sql));
    Store *store = options_store(run->options, STORE_READ);
    if (store && store_get_number(store, text_string(&counted), &count, &error) && count > 0 &&
        options_format(run->options) == QUERY_TABLE) {
        escape_print(stdout, "\n");
        status = print_query(run->options, text_string(&sql));
    }
    store_close(store);
    text_release(&counted);
    text_release(&error);
    text_release(&sql);
    return status;
}

/* A run of the database; its number, 0 where there is none. */
static int64_t try_backends(Run *run)
{
    Text error = {0};
    Options *options = run->options;
    run->store = options_store(options, STORE_WRITE);
    if (!run->store) {
        worsen(run, EXIT_ENVIRONMENT);
        return 0;
    }
    RunRecord record = {text_string(&options->command_line), "exhaustive", 0, (int)options->jobs,
                        NULL};
    bool ok = store_begin_run(run->store, &record, &error);
    int64_t number = ok ? store_run_number(run->store) : 0;
    for (int i = 0; ok && !run->ended && i < options->backend.count; i++)
        ok = try_backend(run, options->backend.names[i]);
    if (ok && !file_departures(run, &error))
        worsen(run, EXIT_ENVIRONMENT);
    RunTotals totals = {.end_reason = run->ended ? "signal" : "budget",
                        .seconds = (double)(clock_nanoseconds() - run->started) * 1e-9};
    if (number && !store_put_totals(run->store, &totals, &error))
        worsen(run, EXIT_ENVIRONMENT);
    if (error.length)
        (void)complain(0, "%s", text_string(&error));
    text_release(&error);
    store_close(run->store);
    return number;
}

static int run_exhaust(Options *options)
{
    Run run = {.options = options, .started = clock_nanoseconds()};
    Scope scope;
    if (options->argument_count == 0)
        return complain(EXIT_USAGE, "exhaust: expected operators, as in opconform exhaust exp log "
                                    "--dtype f16 --backend libm");
    if (!parse_shard(options->shard, &run.shard, &run.shards))
        return complain(EXIT_USAGE, "exhaust: --shard %s: expected I/N, from 1/1 to %d/%d",
                        options->shard, SHARDS_MAX, SHARDS_MAX);
    for (int i = 0; i < options->argument_count && i < NAMES_MAX; i++)
        options->op.names[options->op.count++] = options->arguments[i];
    if (!options_scope(options, &scope, &run.status))
        return run.status;
    if (options->backend.count == 0)
        return complain(EXIT_USAGE,
                        "exhaust: name libraries, as in --backend libm,sleef (opconform "
                        "list backends)");
    capture_open();
    if (!options_backends(options, &run.status))
        return run.status;
    run.scope = &scope;
    int64_t number = try_backends(&run);
    if (run.sweeps.length > 0)
        (void)print_rows(&run);
    else if (run.status == EXIT_CLEAN)
        run.status = complain(EXIT_USAGE,
                              "exhaust: no backend has these operators in element types of 32 bits "
                              "or fewer (opconform list ops, opconform list backends)");
    if (number && options_format(options) == QUERY_TABLE && run.status == EXIT_FINDINGS)
        (void)print_bugs_of_run(options, number);
    text_release(&run.sweeps);
    corpus_release(&run.seeds);
    return run.status;
}

const Command command_exhaust = {
    .name = "exhaust",
    .arguments = "OP... --backend LIST [options]",
    .summary =
        "Tries all inputs of operators that work element by element: counts results that are not\n"
        "correctly rounded, finds the worst one, and files what no bound admits.  What is done is\n"
        "kept, block by block: the same command goes on where it was.  Exit status 1 when this "
        "run\n"
        "filed a new divergence.",
    .example = "opconform exhaust exp --dtype f16 --backend torch",
    .options = rows,
    .run = run_exhaust,
};
