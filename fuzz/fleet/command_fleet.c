/* opconform fleet: shards of many machines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "reports/json.h"
#include "reports/store/merge.h"
#include "shard.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR", "where the shards are published (fleet)"),
    OPTION("db", TEXT, db, "FILE",
           "merge: database that takes all (DIR/findings.db); plan: that of an earlier night"),
    OPTION("verbose", FLAG, verbose, NULL, "status: each shard in a row of its own"),
    OPTION("json", FLAG, json, NULL, "status: an array of objects"),
    OPTION("plan", TEXT, plan, "FILE",
           "plan: the file to write (DIR/fleet.plan); slurm: as for worker"),
    OPTION("array", TEXT, array, "0-LAST",
           "slurm, plan: the shards; 0-99%20 runs 20 of them at a time"),
    OPTION("tries", COUNT, tries, "N",
           "slurm: how often shards are submitted until all are published (3)"),
    OPTION("time", DURATION, seconds, "T", "slurm: budget of a shard; with --cases its limit"),
    OPTION("cases", COUNT, cases, "N", "as for worker"),
    OPTION("scratch", TEXT, scratch, "DIR", "as for worker"),
    OPTION("op", NAMES, op, "LIST", "as for worker"),
    OPTION("backend", BACKENDS, backend, "LIST", "as for worker"),
    OPTION("dtype", NAMES, dtype, "LIST", "as for worker"),
    OPTION("fix", TEXT, fix, "LIST", "as for worker"),
    OPTION("jobs", NUMBER, jobs, "N", "as for worker, and processors of a shard"),
    OPTION("seed", COUNT, seed, "N", "as for worker"),
    OPTION("engine", TEXT, engine, "NAME", "as for worker"),
    OPTION("seeds", NAMES, seeds, "LIST", "as for worker"),
    OPTION("lines", FLAG, lines, NULL, "as for worker"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "as for worker"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Paths of the databases that there are, to be freed: of shards that are done, and for others of
 * the part that is there. */
static int list_sources(const char *folder, int shards, const char **paths, int *parts)
{
    int count = 0;
    *parts = 0;
    for (int i = 0; i < shards; i++) {
        bool done = shard_has(folder, i, shards, SHARD_DONE);
        if (!done && !shard_has(folder, i, shards, SHARD_PART))
            continue;
        Text path = {0};
        shard_path(folder, i, shards, done ? SHARD_DONE : SHARD_PART, &path);
        paths[count++] = path.data;
        *parts += !done;
    }
    return count;
}

static void say_merged(int shards, int missing, int parts, const char *database, const Text *list)
{
    escape_print(stdout, "%d of %d shards are in %s", shards - missing, shards, database);
    if (parts > 0)
        escape_print(stdout, ", and parts of %d", parts);
    if (missing > 0)
        escape_print(stdout, "; not published: %s", text_string(list));
    escape_print(stdout, "\n");
}

static int merge(const Options *options)
{
    const char *folder;
    int shards, parts = 0;
    Text to = {0}, list = {0}, error = {0};
    int status = fleet_find(options, &folder, &shards);
    if (status != EXIT_CLEAN)
        return status;
    const char **paths = memory_allocate((size_t)shards, sizeof *paths);
    int missing = fleet_put_missing(folder, shards, &list);
    int count = list_sources(folder, shards, paths, &parts);
    if (options->db)
        text_put(&to, options->db);
    else
        text_printf(&to, "%s/findings.db", folder);
    if (count > 0 &&
        !merge_databases(text_string(&to), paths, count, MERGE_COUNTS_TOGETHER, &error)) {
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    } else {
        say_merged(shards, missing, parts, text_string(&to), &list);
        status = missing > 0 ? EXIT_LATER : EXIT_CLEAN;
    }
    for (int i = 0; i < count; i++)
        free((char *)(uintptr_t)paths[i]);
    free(paths);
    text_release(&to);
    text_release(&list);
    text_release(&error);
    return status;
}

/* A row of the table: some shards of one state. */
typedef struct Row {
    int shard, shards; /* the first one, and how many */
    ShardFacts sum;
} Row;

static void put_json_row(Text *json, const Row *row, bool each)
{
    text_put(json, json->length > 1 ? ",{" : "{");
    if (each)
        json_put_integer(json, "shard", row->shard);
    json_put_member(json, "state", shard_state_names[row->sum.state]);
    if (!each)
        json_put_integer(json, "shards", row->shards);
    json_put_integer(json, "cases", row->sum.cases);
    json_put_integer(json, "executions", row->sum.executions);
    json_put_integer(json, "findings", row->sum.findings);
    json_put_integer(json, "seconds", (int64_t)row->sum.seconds);
    text_put(json, "}");
}

static void print_rows(const Options *options, const Row *rows_of, int count)
{
    Text json = {0};
    text_put(&json, "[");
    if (!options->json)
        escape_print(stdout, "%-10s %7s %14s %14s %9s %10s\n", "state",
                     options->verbose ? "shard" : "shards", "cases", "executions", "findings",
                     "seconds");
    for (int i = 0; i < count; i++) {
        const Row *row = &rows_of[i];
        if (options->json)
            put_json_row(&json, row, options->verbose);
        else
            escape_print(
                stdout, "%-10s %7d %14lld %14lld %9lld %10.0f\n", shard_state_names[row->sum.state],
                options->verbose ? row->shard : row->shards, (long long)row->sum.cases,
                (long long)row->sum.executions, (long long)row->sum.findings, row->sum.seconds);
    }
    if (options->json)
        escape_print(stdout, "%s]\n", text_string(&json));
    text_release(&json);
}

static void add_row(Row *to, const ShardFacts *facts)
{
    to->shards++;
    to->sum.cases += facts->cases;
    to->sum.executions += facts->executions;
    to->sum.findings += facts->findings;
    to->sum.seconds += facts->seconds;
}

/* Shards by their state, or each. */
static int show_status(const Options *options)
{
    const char *folder;
    int shards;
    Text error = {0};
    Row states[STATES] = {0};
    int status = fleet_find(options, &folder, &shards);
    if (status != EXIT_CLEAN)
        return status;
    Row *each = memory_allocate((size_t)shards, sizeof *each);
    for (int i = 0; i < STATES; i++)
        states[i].sum.state = (ShardState)i;
    for (int i = 0; i < shards && status == EXIT_CLEAN; i++) {
        each[i].shard = i;
        if (!shard_look(folder, i, shards, &each[i].sum, &error))
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
        add_row(&states[each[i].sum.state], &each[i].sum);
    }
    if (status == EXIT_CLEAN)
        print_rows(options, options->verbose ? each : states, options->verbose ? shards : STATES);
    free(each);
    text_release(&error);
    return status;
}

static int run_fleet(Options *options)
{
    const char *verb = options->argument_count > 0 ? options->arguments[0] : "";
    if (!strcmp(verb, "slurm"))
        return fleet_slurm(options, &command_fleet);
    if (!strcmp(verb, "plan") && options->argument_count == 1)
        return fleet_plan(options);
    if (!strcmp(verb, "merge") && options->argument_count == 1)
        return merge(options);
    if (!strcmp(verb, "status") && options->argument_count == 1)
        return show_status(options);
    return complain(EXIT_USAGE, "fleet: expected plan, slurm, status or merge");
}

const Command command_fleet = {
    .name = "fleet",
    .arguments = "plan --db FILE --array 0-LAST [options] | slurm --array 0-LAST --time T "
                 "[options] [-- SBATCH OPTION...] | status | merge",
    .summary =
        "Shards of many machines: plans them, submits them to Slurm, shows how far they are, "
        "merges them.\n"
        "plan writes which shards take what, by what cases cost and showed in an earlier night, "
        "for "
        "--plan.\n"
        "slurm writes DIR/slurm-worker.sh and DIR/slurm-merge.sh and submits the shards that "
        "are not\n"
        "published, as an array, and behind it the merge, which submits again what was "
        "lost.\n"
        "Status of merge: 0 when all shards are published, 75 when some are not; what there "
        "is was merged.",
    .example = "opconform fleet slurm --array 0-99 --time 1h --out fleet --backend openblas,blis "
               "-- --partition=long",
    .options = rows,
    .takes_command = true,
    .run = run_fleet,
};
