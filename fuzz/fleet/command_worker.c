/* opconform worker: one shard of a fleet. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/command/self.h"
#include "plan.h"
#include "reference/list.h"
#include "reports/files.h"
#include "reports/store/merge.h"
#include "reports/store/signature.h"
#include "shard.h"
#include "weight.h"

static const OptionRow rows[] = {
    OPTION("shard", TEXT, shard, "I/N", "which of N shards, 0 to N-1"),
    OPTION("out", TEXT, out, "DIR", "where the shards are published (fleet)"),
    OPTION("scratch", TEXT, scratch, "DIR", "where databases are written until then (DIR/work)"),
    OPTION("plan", TEXT, plan, "FILE",
           "shards by what strata cost and show, as opconform fleet plan wrote it"),
    OPTION("time", DURATION, seconds, "T", "budget of the shard: 60s, 5m, 2h"),
    OPTION("cases", COUNT, cases, "N", "budget in cases instead"),
    OPTION("op", NAMES, op, "LIST",
           "operators, patterns, or functions such as ddot; all by default"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "NAME[:MODE][@WHERE],...; the BLAS libraries of the system by default"),
    OPTION("dtype", NAMES, dtype, "LIST", "element types, all by default"),
    OPTION("fix", TEXT, fix, "LIST", "what cases are like, as for fuzz"),
    OPTION("jobs", NUMBER, jobs, "N", "worker processes, 1 to 64"),
    OPTION("seed", COUNT, seed, "N", "of the fleet; those of its shards follow from it"),
    OPTION("engine", TEXT, engine, "NAME", "random (default) or libfuzzer"),
    OPTION("seeds", NAMES, seeds, "LIST",
           "files of case lines: run first, and one in four is made of them"),
    OPTION("lines", FLAG, lines, NULL,
           "publishes lines of the cases that showed something first as well"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("quiet", FLAG, quiet, NULL, "no progress on stderr"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Seconds after a signal when a campaign is told again, which ends its minimisations, and when it
 * is killed: what it has filed is in its database. */
static const double told_again_after = 1, killed_after = 4;

/* What the file of an attempt's lines ends with. */
static const char lines_ending[] = ".cases";

static volatile sig_atomic_t stopping;

static void note_stop(int signal)
{
    (void)signal;
    stopping = 1;
}

/* A shard under way. */
typedef struct Shard {
    const Options *options;
    const char *folder;
    int number, count, lock;
    Text work;    /* the folder of its databases */
    Text weights; /* the lines of --plan, or empty */
    Plan plan;
    ShardParts list;
    int attempts;        /* databases that there are */
    bool internal_error; /* a campaign ended with it, after its whole budget */
} Shard;

static void say(const Shard *shard, const char *format, ...) PRINTF_LIKE(2, 3);
static void say(const Shard *shard, const char *format, ...)
{
    Text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    if (!shard->options->quiet)
        escape_print(stderr, "shard %d of %d: %s\n", shard->number, shard->count,
                     text_string(&text));
    text_release(&text);
}

static bool parse_shard(const char *text, Shard *shard)
{
    char *slash = NULL, *end = NULL;
    long number = text ? strtol(text, &slash, 10) : -1;
    long count = slash && *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    if (!text || slash == text || !end || *end != '\0' || number < 0 || number >= count ||
        count > SHARDS_MAX)
        return false;
    shard->number = (int)number;
    shard->count = (int)count;
    return true;
}

/* One budget, as cases decide what is done and time does not. */
static bool check_options(const Options *options, Shard *shard)
{
    if (options->argument_count > 0)
        (void)complain(0, "worker: unexpected argument '%s'", options->arguments[0]);
    else if (!parse_shard(options->shard, shard))
        (void)complain(0, "worker: --shard %s: expected I/N, I from 0 to N-1, N at most %d",
                       options->shard ? options->shard : "", SHARDS_MAX);
    else if ((options->seconds > 0) == (options->cases > 0))
        (void)complain(0, "worker: expected either --time or --cases");
    else
        return true;
    return false;
}

/* A number that follows from the plan and the place in it. */
static uint64_t derive(const Shard *shard, int slice, int attempt, const char *what)
{
    Text text = {0};
    text_printf(&text, "%s %016llx %d/%d %d %d", what, (unsigned long long)shard->plan.identity,
                shard->number, shard->count, slice, attempt);
    uint64_t hash = signature_hash(text_string(&text));
    text_release(&text);
    return hash;
}

static void attempt_path(const Shard *shard, int slice, int attempt, const char *ending, Text *path)
{
    text_printf(path, "%s/slice-%d-%d%s", text_string(&shard->work), slice, attempt, ending);
}

static bool has_attempt(const Shard *shard, int slice, int attempt)
{
    Text path = {0};
    attempt_path(shard, slice, attempt, ".db", &path);
    bool has = access(text_string(&path), F_OK) == 0;
    text_release(&path);
    return has;
}

/* How far an attempt came; one that was killed so early that its database is none is nothing. */
typedef struct Past {
    bool ended;
    double seconds;
} Past;

static Past look_at(const Shard *shard, int slice, int attempt)
{
    Text path = {0}, error = {0};
    int64_t ended = 0, milliseconds = 0;
    attempt_path(shard, slice, attempt, ".db", &path);
    Store *store = store_open(text_string(&path), STORE_WRITE, &error);
    bool ok = store &&
              store_get_number(store,
                               "SELECT count(*) FROM run WHERE end_reason NOT IN ('interrupted', "
                               "'error')",
                               &ended, &error) &&
              store_get_number(store, "SELECT sum(CAST(1000 * seconds AS INTEGER)) FROM run",
                               &milliseconds, &error);
    store_close(store);
    if (!ok) {
        say(shard, "%s: begun anew", text_string(&error));
        store_delete(text_string(&path));
    }
    text_release(&path);
    text_release(&error);
    return (Past){ok && ended > 0, ok ? (double)milliseconds / 1000 : 0};
}

/* The part of the budget that belongs to a slice: rounding gives nothing away. */
static uint64_t cases_of(const Shard *shard, int slice)
{
    double before = 0, behind = 0, all = 0, cases = (double)shard->options->cases;
    for (int i = 0; i < shard->list.count; i++) {
        before += i < slice ? shard->list.slices[i].cases : 0;
        behind += i <= slice ? shard->list.slices[i].cases : 0;
        all += shard->list.slices[i].cases;
    }
    return (uint64_t)(cases * behind / all) - (uint64_t)(cases * before / all);
}

static double seconds_of(const Shard *shard, int slice)
{
    double all = 0;
    for (int i = 0; i < shard->list.count; i++)
        all += shard->list.slices[i].time;
    return shard->options->seconds * shard->list.slices[slice].time / all;
}

/* What a campaign of a slice is told. */
typedef struct Orders {
    Options options;
    char run[33];
    Text database, stats, keep, log;
} Orders;

static void put_types(const ShardPart *slice, NameList *names)
{
    if (slice->dtypes == 0)
        return;
    *names = (NameList){0};
    for (int i = 0; i < DT_COUNT; i++)
        if (slice->dtypes >> i & 1)
            names->names[names->count++] = dtype_name((DType)i);
}

static void give_orders(const Shard *shard, int slice, int attempt, double spent, Orders *orders)
{
    const ShardPart *part = &shard->list.slices[slice];
    orders->options = *shard->options;
    Options *o = &orders->options;
    attempt_path(shard, slice, attempt, ".db", &orders->database);
    attempt_path(shard, slice, attempt, ".stats", &orders->stats);
    attempt_path(shard, slice, attempt, lines_ending, &orders->keep);
    text_printf(&orders->log, "%s/log", text_string(&shard->work));
    (void)snprintf(orders->run, sizeof orders->run, "%016llx%016llx",
                   (unsigned long long)derive(shard, slice, attempt, "run"),
                   (unsigned long long)derive(shard, slice, attempt, "of"));
    o->backend = (NameList){.names = {shard->options->backend.names[part->backend]}, .count = 1};
    o->op = part->ops;
    put_types(part, &o->dtype);
    /* Databases and JSON hold numbers of 53 bits without loss. */
    o->seed = derive(shard, slice, attempt, "seed") >> 11;
    o->cases = shard->options->cases > 0 ? cases_of(shard, slice) : 0;
    o->seconds = shard->options->seconds > 0 ? seconds_of(shard, slice) - spent : 0;
    o->run = orders->run;
    o->db = orders->database.data;
    o->stats = orders->stats.data;
    o->keep = o->lines ? orders->keep.data : NULL;
    o->quiet = true;
    if (!o->engine)
        o->engine = (char *)(uintptr_t) "random";
}

/* Waits for a campaign, and ends it where this process was told to stop. */
static int wait_for(Child *child)
{
    const struct timespec pause = {0, 20000000};
    uint64_t told = 0;
    bool again = false;
    while (!child_is_over(child)) {
        (void)nanosleep(&pause, NULL);
        if (!stopping)
            continue;
        double passed = told ? (double)(clock_nanoseconds() - told) / 1e9 : 0;
        if (!told || (!again && passed > told_again_after)) {
            again = told != 0;
            told = told ? told : clock_nanoseconds();
            child_signal(child, SIGTERM);
        } else if (passed > killed_after) {
            child_kill(child);
        }
    }
    return child_wait(child);
}

/* Runs a campaign; its status, or -1 where it did not end by itself. */
static int run_attempt(Shard *shard, int slice, int attempt, double spent)
{
    static const char *const nothing[] = {NULL};
    static Orders orders;
    Child child;
    orders = (Orders){0};
    give_orders(shard, slice, attempt, spent, &orders);
    say(shard, "part %d of %d: %s, %d operators, attempt %d", slice + 1, shard->list.count,
        orders.options.backend.names[0], orders.options.op.count, attempt + 1);
    bool started =
        self_start(&child, text_string(&orders.log), &command_fuzz, &orders.options, nothing);
    int status = started ? wait_for(&child) : -1;
    text_release(&orders.database);
    text_release(&orders.stats);
    text_release(&orders.keep);
    text_release(&orders.log);
    return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void forget(const Shard *shard, int slice, int attempt)
{
    Text path = {0};
    attempt_path(shard, slice, attempt, ".db", &path);
    store_delete(text_string(&path));
    text_clear(&path);
    attempt_path(shard, slice, attempt, lines_ending, &path);
    (void)unlink(text_string(&path));
    text_release(&path);
}

/* Does what is left of a slice.  With a budget of cases an attempt that did not end begins again,
 * with the same cases; with one of time it counts, and the next one has what is left of the time.
 * A status, clean where the slice is done or was stopped. */
static int run_slice(Shard *shard, int slice)
{
    bool timed = shard->options->seconds > 0;
    double spent = 0, least = 0.01 * seconds_of(shard, slice);
    int attempt = 0;
    for (; has_attempt(shard, slice, attempt); attempt++) {
        Past past = look_at(shard, slice, attempt);
        spent += past.seconds;
        if (past.ended || (timed && seconds_of(shard, slice) - spent < least))
            return EXIT_CLEAN;
        if (!timed)
            break;
    }
    if (!timed && cases_of(shard, slice) == 0)
        return EXIT_CLEAN;
    forget(shard, slice, attempt);
    int status = run_attempt(shard, slice, attempt, spent);
    if (stopping || status == EXIT_CLEAN || status == EXIT_FINDINGS)
        return EXIT_CLEAN;
    if (status == EXIT_INTERNAL && look_at(shard, slice, attempt).ended) {
        shard->internal_error = true;
        return EXIT_CLEAN;
    }
    return complain(status > 0 ? status : EXIT_INTERNAL,
                    "shard %d of %d: a campaign ended with status %d: %s/log has its words",
                    shard->number, shard->count, status, text_string(&shard->work));
}

/* The databases of the attempts, whose paths are to be freed. */
static int list_attempts(const Shard *shard, const char ***paths)
{
    int count = 0;
    size_t room = 0;
    *paths = NULL;
    for (int slice = 0; slice < shard->list.count; slice++)
        for (int attempt = 0; has_attempt(shard, slice, attempt); attempt++) {
            Text path = {0};
            attempt_path(shard, slice, attempt, ".db", &path);
            *paths = list_grow(*paths, (size_t)count, &room, sizeof **paths);
            (*paths)[count++] = path.data;
        }
    return count;
}

/* Publishes the lines of all attempts as one file. */
static bool publish_lines(const Shard *shard, Text *error)
{
    Text lines = {0}, path = {0};
    bool ok = true;
    for (int slice = 0; slice < shard->list.count; slice++)
        for (int attempt = 0; ok && has_attempt(shard, slice, attempt); attempt++) {
            text_clear(&path);
            attempt_path(shard, slice, attempt, lines_ending, &path);
            /* A campaign in which nothing showed anything has none. */
            if (access(text_string(&path), F_OK) == 0)
                ok = file_read(text_string(&path), &lines, error);
        }
    text_clear(&path);
    shard_path(shard->folder, shard->number, shard->count, SHARD_LINES, &path);
    ok = ok && file_replace(text_string(&path), &lines, true, error);
    text_release(&lines);
    text_release(&path);
    return ok;
}

/* Publishes what there is as one closed database, under the name of what is done or of a part. */
static bool publish(const Shard *shard, ShardFile as, Text *error)
{
    const char **paths;
    Text closing = {0}, to = {0};
    int count = list_attempts(shard, &paths);
    text_printf(&closing, "%s/work/closing-%05d.db", shard->folder, shard->number);
    shard_path(shard->folder, shard->number, shard->count, as, &to);
    store_delete(text_string(&closing));
    bool ok = !shard->options->lines || publish_lines(shard, error);
    ok = ok && (count == 0 ||
                (merge_databases(text_string(&closing), paths, count, MERGE_COUNTS_BY_RUN, error) &&
                 file_publish(text_string(&closing), text_string(&to), error)));
    for (int i = 0; i < count; i++)
        free((char *)(uintptr_t)paths[i]);
    free(paths);
    text_release(&closing);
    text_release(&to);
    return ok;
}

/* What only a shard under way needs. */
static void tidy(const Shard *shard)
{
    static const char *const endings[] = {".stats", ".stats.new"};
    Text path = {0};
    shard_path(shard->folder, shard->number, shard->count, SHARD_PART, &path);
    (void)unlink(text_string(&path));
    for (int slice = 0; slice < shard->list.count; slice++)
        for (int attempt = 0; has_attempt(shard, slice, attempt); attempt++) {
            forget(shard, slice, attempt);
            for (size_t i = 0; i < COUNT_OF(endings); i++) {
                text_clear(&path);
                attempt_path(shard, slice, attempt, endings[i], &path);
                (void)unlink(text_string(&path));
            }
        }
    text_clear(&path);
    text_printf(&path, "%s/log", text_string(&shard->work));
    (void)unlink(text_string(&path));
    (void)rmdir(text_string(&shard->work));
    text_release(&path);
}

static int run_shard(Shard *shard, Text *error)
{
    int status = EXIT_CLEAN;
    const struct sigaction action = {.sa_handler = note_stop, .sa_flags = SA_RESTART};
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < shard->list.count && status == EXIT_CLEAN && !stopping; i++)
        status = run_slice(shard, i);
    if (status != EXIT_CLEAN)
        return status;
    bool stopped = stopping;
    if (!publish(shard, stopped ? SHARD_PART : SHARD_DONE, error))
        return complain(EXIT_ENVIRONMENT, "%s", text_string(error));
    if (stopped) {
        say(shard, "stopped; the same command goes on from here");
        return EXIT_LATER;
    }
    tidy(shard);
    say(shard, "published");
    return shard->internal_error ? EXIT_INTERNAL : EXIT_CLEAN;
}

/* The lock, and the folder of databases. */
static bool open_shard(Shard *shard, bool *busy, Text *error)
{
    Text lock = {0};
    const char *scratch = shard->options->scratch;
    shard->folder = shard->options->out ? shard->options->out : "fleet";
    *busy = false;
    if ((shard->options->plan && !file_read(shard->options->plan, &shard->weights, error)) ||
        !fleet_make(shard->folder, shard->count, plan_mark(&shard->weights), error))
        return false;
    shard_path(shard->folder, shard->number, shard->count, SHARD_LOCK, &lock);
    shard->lock = file_lock(text_string(&lock), busy, error);
    if (scratch)
        text_printf(&shard->work, "%s/shard-%05d-of-%05d", scratch, shard->number, shard->count);
    else
        shard_path(shard->folder, shard->number, shard->count, SHARD_WORK, &shard->work);
    bool ok = shard->lock >= 0 && (!scratch || folder_make(scratch, error)) &&
              folder_make(text_string(&shard->work), error);
    text_release(&lock);
    return ok;
}

/* Takes the strata as --plan deals them; seeds are then those of this plan. */
static bool follow(Shard *shard, Text *error, int *status)
{
    const Options *options = shard->options;
    if (!options->plan)
        return true;
    shard->plan.identity ^= plan_mark(&shard->weights);
    bool ok =
        plan_follow(&shard->plan, options, shard->count, options->plan, &shard->weights, error);
    if (!ok)
        *status = complain(EXIT_USAGE, "%s", text_string(error));
    return ok;
}

static int run_worker(Options *options)
{
    Shard shard = {.options = options, .lock = -1};
    Text error = {0};
    int status = EXIT_CLEAN;
    bool busy;
    if (!check_options(options, &shard))
        return EXIT_USAGE;
    if (!open_shard(&shard, &busy, &error))
        status = busy ? complain(EXIT_LATER, "shard %d of %d: another process works on it",
                                 shard.number, shard.count)
                      : complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (shard_has(shard.folder, shard.number, shard.count, SHARD_DONE))
        say(&shard, "published before");
    else if (plan_make(&shard.plan, options, &status) && follow(&shard, &error, &status)) {
        plan_deal(&shard.plan, shard.number, shard.count, &shard.list);
        status = run_shard(&shard, &error);
    }
    if (shard.lock >= 0)
        (void)close(shard.lock);
    plan_release(&shard.plan);
    free(shard.list.slices);
    text_release(&shard.work);
    text_release(&shard.weights);
    text_release(&error);
    return status;
}

const Command command_worker = {
    .name = "worker",
    .arguments = "--shard I/N --time T|--cases N --out DIR [options]",
    .summary =
        "Does one shard of a fleet: its share of operators, types and libraries, with seeds of its "
        "own.\n"
        "Publishes DIR/shard-I-of-N.db once all of it is done.  After TERM, INT or USR1 it stops "
        "within\n"
        "ten seconds with status 75, and goes on when the same command runs again.  Status 0: the "
        "shard\n"
        "is published, whatever was found; 4: it is, and a campaign of it had an internal error.",
    .example = "opconform worker --shard 3/100 --time 1h --out fleet --backend openblas,blis",
    .options = rows,
    .run = run_worker,
};
