/* opconform fuzz */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "fuzz/check/capture.h"
#include "fuzz/corpus.h"
#include "fuzz/engine/blocks.h"
#include "ops/case/large.h"
#include "ops/case/limit.h"
#include "reference/product.h"
#include "reports/store/statement.h"

enum { SCALE_MAX = 1000000, RUN_DIGITS = 32 };

static const OptionRow rows[] = {
    OPTION("op", NAMES, op, "LIST",
           "operators, patterns, or functions such as ddot; all by default"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "NAME[:MODE][@WHERE],...; the BLAS libraries of the system by default"),
    OPTION("dtype", NAMES, dtype, "LIST", "element types, all by default"),
    OPTION("fix", TEXT, fix, "LIST",
           "what cases are like, each name once, | between what they draw from: "
           "rank=2,n=1..64,ta=n|t"),
    OPTION("time", DURATION, seconds, "T", "budget once the libraries are open: 60s, 5m, 2h"),
    OPTION("cases", COUNT, cases, "N", "budget in cases"),
    OPTION("jobs", NUMBER, jobs, "N", "worker processes, 1 to 64"),
    OPTION("seed", COUNT, seed, "N", "decides every case of the random engine"),
    OPTION("seeds", NAMES, seeds, "LIST",
           "files of case lines, or folders as libFuzzer keeps them: run first, and one in four is "
           "made of them"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("run", TEXT, run, "ID",
           "name of the run, 32 hexadecimal digits: databases that have it count it once when they "
           "merge"),
    OPTION("corpus", TEXT, corpus, "DIR", "where libFuzzer keeps its corpus"),
    OPTION("keep", TEXT, keep, "FILE",
           "lines of cases that showed something first are added to it"),
    OPTION("engine", TEXT, engine, "NAME",
           "libfuzzer (default) or random (default where a backend compiles)"),
    OPTION("without", NAMES, without, "LIST", "parts left out: " ENGINE_PARTS),
    OPTION("scale", COUNT, scale, "N", "cases may be N times as large as usual, up to 1000000"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("stats", TEXT, stats, "FILE", "how it goes, written anew each second"),
    OPTION("no-avoid", FLAG, no_avoid, NULL,
           "run cases again that match a crash or hang filed in this run"),
    OPTION("first", FLAG, first, NULL,
           "end with the first finding that is new and shows again, or more than once"),
    OPTION("json", FLAG, json, NULL, "summary as one JSON object"),
    OPTION("quiet", FLAG, quiet, NULL, "no progress on stderr"),
    OPTION("verbose", FLAG, verbose, NULL,
           "show each finding in full, and what engine and libraries say"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Percent of the processors' time that each part took. */
typedef struct TimeShares {
    double fill, reference, kernel, oracle, engine;
} TimeShares;

static TimeShares time_shares(const RunTotals *t, int64_t jobs)
{
    double busy = t->seconds * (double)jobs, share = busy > 0 ? 100 / busy : 0;
    double engine = busy - t->fill - t->reference - t->kernel - t->oracle;
    return (TimeShares){share * t->fill, share * t->reference, share * t->kernel, share * t->oracle,
                        share * engine};
}

static double cases_per_second(const RunTotals *t)
{
    return t->seconds > 0 ? (double)t->cases / t->seconds : 0;
}

static void print_json(const CampaignSummary *s, const TimeShares *shares)
{
    const RunTotals *t = &s->totals;
    escape_print(stdout,
                 "{\"cases\":%llu,\"executions\":%llu,\"seconds\":%.3f,\"cases_per_second\":%.1f,"
                 "\"features\":%llu,\"new_findings\":%lld,\"uncounted\":%lld,\"restarts\":%llu,"
                 "\"fill\":%.2f,"
                 "\"reference\":%.2f,\"kernel\":%.2f,\"oracle\":%.2f,\"engine\":%.2f,"
                 "\"reference_isa\":\"%s\",\"library_products\":%llu,\"rejected_products\":%llu,"
                 "\"device_products\":%llu,\"end_reason\":\"%s\",\"unconfirmed_hangs\":%llu,"
                 "\"cut_short\":%llu,\"library_lines\":%llu,\"overwritten\":%llu,"
                 "\"declined\":%llu,\"set_aside\":%d,\"related\":%llu,\"unrelated\":%llu,"
                 "\"joined\":%llu,\"counts_lost\":%llu,\"unreadable\":%llu,\"unattributed\":%llu,"
                 "\"avoided\":%llu,"
                 "\"avoided_early\":%llu,\"redrawn\":%llu,\"unasked\":%llu,"
                 "\"reopened\":%llu,\"revived\":%llu,\"replacing_seconds\":%.3f,\"unlike\":%llu,"
                 "\"unlike_many\":%llu,"
                 "\"unlike_late\":%llu,\"large\":%llu,\"large_seconds\":%.3f}\n",
                 (unsigned long long)t->cases, (unsigned long long)t->executions, t->seconds,
                 cases_per_second(t), (unsigned long long)s->features, (long long)s->fresh,
                 (long long)s->uncounted, (unsigned long long)t->restarts, shares->fill,
                 shares->reference, shares->kernel, shares->oracle, shares->engine, product_isa(),
                 (unsigned long long)s->products_by_library,
                 (unsigned long long)s->products_rejected, (unsigned long long)s->products_lent,
                 t->end_reason, (unsigned long long)s->doubtful, (unsigned long long)s->cut_short,
                 (unsigned long long)s->unseen, (unsigned long long)s->overwritten,
                 (unsigned long long)s->declined, s->aside_count, (unsigned long long)s->related,
                 (unsigned long long)s->unrelated, (unsigned long long)s->joined,
                 (unsigned long long)s->counts_lost, (unsigned long long)s->unreadable,
                 (unsigned long long)s->unattributed, (unsigned long long)s->avoided,
                 (unsigned long long)s->avoided_early, (unsigned long long)s->redrawn,
                 (unsigned long long)s->unasked, (unsigned long long)s->reopened,
                 (unsigned long long)s->revived, s->replacing, (unsigned long long)s->unlike,
                 (unsigned long long)s->unlike_many, (unsigned long long)s->unlike_late,
                 (unsigned long long)s->large, s->large_seconds);
}

static void print_summary(const Options *options, const CampaignSummary *s)
{
    const RunTotals *t = &s->totals;
    const TimeShares shares = time_shares(t, options->jobs);
    if (options->json) {
        print_json(s, &shares);
        return;
    }
    escape_print(stdout,
                 "%llu cases, %llu executions in %.1f s of fuzzing, %.0f cases/s; "
                 "%llu features, %lld new findings, %llu restarts\n",
                 (unsigned long long)t->cases, (unsigned long long)t->executions, t->seconds,
                 cases_per_second(t), (unsigned long long)s->features, (long long)s->fresh,
                 (unsigned long long)t->restarts);
    if (options->verbose)
        escape_print(stdout,
                     "time: fill %.1f%%  reference %.1f%%  kernel %.1f%%  oracle %.1f%%  engine "
                     "%.1f%%\nreference: %s, %llu products by a library, %llu of them rejected; "
                     "%llu products by a device\n",
                     shares.fill, shares.reference, shares.kernel, shares.oracle, shares.engine,
                     product_isa(), (unsigned long long)s->products_by_library,
                     (unsigned long long)s->products_rejected,
                     (unsigned long long)s->products_lent);
    if (options->verbose || strcmp(t->end_reason, "budget") != 0)
        escape_print(stdout, "ended by %s\n", t->end_reason);
}

/* Prints where a cause may be hidden behind one that diverges alike. */
static void print_unlike(const CampaignSummary *s)
{
    if (s->unlike_many > 0)
        escape_print(stdout,
                     "%llu kinds of divergence (operator, type, symptom, pattern) have more cases "
                     "than were minimised that lack what their minimal cases need\n",
                     (unsigned long long)s->unlike_many);
    if (s->unlike_late > 0)
        escape_print(stdout,
                     "%llu kinds of divergence have such cases that were not minimised for want of "
                     "time: they may have causes that are not listed\n",
                     (unsigned long long)s->unlike_late);
}

/* Prints what kernels did to the campaign. */
static void print_damage(const CampaignSummary *s)
{
    for (int i = 0; i < s->aside_count; i++)
        escape_print(stdout, "set aside: %s: %s; %llu cases went untested on it\n",
                     s->aside[i].backend, s->aside[i].reason,
                     (unsigned long long)s->aside[i].untested);
    if (s->counts_lost > 0)
        escape_print(
            stdout,
            "%llu times a kernel wrote over counts of its worker: those of this run are too low\n",
            (unsigned long long)s->counts_lost);
    if (s->unreadable > 0)
        escape_print(stdout,
                     "%llu times what a worker sent was no finding that can be read: it is lost, "
                     "and what was wrong was said above where no kernel is known to have written "
                     "it\n",
                     (unsigned long long)s->unreadable);
    if (s->unattributed > 0)
        escape_print(stdout,
                     "%llu times a kernel of one of several libraries ended its worker, and no "
                     "library was found to do so alone: run them one by one\n",
                     (unsigned long long)s->unattributed);
    if (s->revived > 0)
        escape_print(stdout,
                     "%llu times a process that serves a library had ended and was started again\n",
                     (unsigned long long)s->revived);
}

/* Draws that were no cases, and cases that were not asked for. */
static void print_draws(const Options *options, const CampaignSummary *s)
{
    if (s->redrawn > 0)
        escape_print(stdout,
                     "%llu draws gave way to others, which the library whose turn it was does not "
                     "take: opconform query redrawn --db %s\n",
                     (unsigned long long)s->redrawn, options_database(options));
    if (s->unasked > 0)
        escape_print(stdout,
                     "%llu cases were run without asking for them, since a process died of a "
                     "question like theirs\n",
                     (unsigned long long)s->unasked);
}

/* Prints counts of calls, cases and lines that the table of bugs leaves out. */
static void print_left_out(const Options *options, const CampaignSummary *s)
{
    print_damage(s);
    if (s->declined > 0)
        escape_print(
            stdout, "%llu times a backend did not offer a case: opconform query declined --db %s\n",
            (unsigned long long)s->declined, options_database(options));
    if (s->avoided > 0)
        escape_print(stdout,
                     "%llu of these are like a crash or a hang that was met, %llu of them before "
                     "its minimal case was known (--no-avoid runs them)\n",
                     (unsigned long long)s->avoided, (unsigned long long)s->avoided_early);
    if (s->unexplained > 0)
        escape_print(stdout, "%llu of the reasons for that were too many to be kept\n",
                     (unsigned long long)s->unexplained);
    print_draws(options, s);
    if (s->large > 0)
        escape_print(
            stdout,
            "%llu cases were large ones, in %.0f s of the workers' time: what decided them, "
            "opconform query models --db %s\n",
            (unsigned long long)s->large, s->large_seconds, options_database(options));
    if (s->related + s->unrelated > 0)
        escape_print(stdout,
                     "%llu second calls were compared with the first, and %llu were not: their "
                     "results do not follow from the first, or that was not right\n",
                     (unsigned long long)s->related, (unsigned long long)s->unrelated);
    if (s->joined > 0)
        escape_print(stdout,
                     "%llu calls were compiled with others as one function, the rest alone\n",
                     (unsigned long long)s->joined);
    if (s->doubtful > 0)
        escape_print(stdout,
                     "%llu calls took too long once (--deadline) and not when they ran alone: not "
                     "filed\n",
                     (unsigned long long)s->doubtful);
    if (s->overwritten > 0)
        escape_print(
            stdout,
            "%llu times a process died of a call that had returned: filed as the fault of that "
            "call\n",
            (unsigned long long)s->overwritten);
    if (s->uncounted > 0)
        escape_print(stdout,
                     "%lld of the findings did not show again and leave the exit status as it is: "
                     "opconform query flaky --db %s\n",
                     (long long)s->uncounted, options_database(options));
    print_unlike(s);
    if (s->cut_short > 0)
        escape_print(stdout, "%llu cases had not ended when the time had, and were ended\n",
                     (unsigned long long)s->cut_short);
    if (s->probes.closed > 0)
        escape_print(
            stdout,
            "%lld findings were not probed: only the database names their libraries; opconform "
            "bugs probe --backend LIST opens them\n",
            (long long)s->probes.closed);
    if (s->unseen > 0)
        escape_print(stdout, "libraries wrote %llu lines or more, which --verbose shows\n",
                     (unsigned long long)s->unseen);
}

/* Executions that showed nothing about a library, and the operator and library of which they are
 * the largest share: of those that ran often enough for a share to mean something. */
static const char unjudged_sql[] =
    "WITH ran AS (SELECT op, backend, sum(executions) AS executions, sum(vacuous) AS vacuous, "
    "sum(undecided) AS undecided FROM coverage WHERE run = ?1 GROUP BY op, backend) SELECT "
    "(SELECT sum(vacuous) FROM ran), (SELECT sum(undecided) FROM ran), (SELECT sum(executions) "
    "FROM ran), op || ' on ' || backend, round(100.0 * (vacuous + undecided) / executions) FROM "
    "ran WHERE executions >= 50 AND vacuous + undecided > 0 ORDER BY 1.0 * (vacuous + undecided) / "
    "executions DESC, op, backend LIMIT 1";

/* Prints what was run and not judged. */
static void print_unjudged(const Options *options, int64_t run)
{
    Text error = {0};
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return;
    Statement s = statement_begin(store_connection(store), unjudged_sql);
    statement_int(&s, run);
    if (statement_row(&s))
        escape_print(stdout,
                     "of %lld executions %lld agreed without proof and %lld were undecided, most "
                     "often %s (%lld %%): opconform query coverage --db %s\n",
                     (long long)sqlite3_column_int64(s.statement, 2),
                     (long long)sqlite3_column_int64(s.statement, 0),
                     (long long)sqlite3_column_int64(s.statement, 1), statement_column(&s, 3),
                     (long long)sqlite3_column_int64(s.statement, 4), options_database(options));
    (void)!statement_end(&s, "fuzz", &error);
    text_release(&error);
    store_close(store);
}

static bool choose_engine(const Options *options, CampaignOptions *campaign)
{
    const char *name = options->engine ? options->engine : "libfuzzer";
    campaign->engine = !strcmp(name, "random") ? ENGINE_RANDOM : ENGINE_LIBFUZZER;
    return !strcmp(name, "random") || !strcmp(name, "libfuzzer");
}

/* The place of a word in a list with ", " between its words; -1 where it is none. */
static int word_place(const char *list, const char *word)
{
    for (int place = 0;; place++) {
        size_t length = strcspn(list, ",");
        if (length == strlen(word) && !strncmp(list, word, length))
            return place;
        if (!list[length])
            return -1;
        list += length + strlen(", ");
    }
}

static bool choose_parts(const NameList *names, CampaignOptions *campaign)
{
    for (int i = 0; i < names->count; i++) {
        int part = word_place(ENGINE_PARTS, names->names[i]);
        if (part < 0) {
            (void)complain(EXIT_USAGE, "--without: expected some of " ENGINE_PARTS ", not '%s'",
                           names->names[i]);
            return false;
        }
        campaign->without |= 1u << part;
    }
    return true;
}

/* Element types of the operators, by number, that some backend has, and that a backend with limits
 * has. */
typedef struct Offers {
    uint32_t any[OP_MAX], of_limited[OP_MAX];
    bool limited; /* there is one with limits */
} Offers;

/* Adds what a backend says of itself: the element types of its operators, its blocks and limits.
 * One that died says nothing. */
static bool ask_backend(const char *name, Scope *scope, Limits *limits, Offers *offers, Text *error)
{
    uint32_t own[OP_MAX];
    BackendFacts facts;
    bool limited = false;
    Text end = {0};
    bool died = backend_died(name, &end);
    text_release(&end);
    if (died)
        return true;
    capture_begin();
    bool known = backend_limits(name, limits, &limited, error) &&
                 backend_probe(name, &facts, error) && backend_probe_offers(name, own, error);
    capture_end();
    if (!known)
        return false;
    blocks_add(&scope->blocks, &facts);
    scope->forms |= facts.forms;
    if (facts.draws > scope->draws) {
        scope->draws = facts.draws;
        scope->draws_alike = facts.draws_alike;
        scope->together = facts.together;
    }
    offers->limited = offers->limited || limited;
    for (int op = 0; op < OP_MAX; op++) {
        offers->any[op] |= own[op];
        offers->of_limited[op] |= limited ? own[op] : 0;
    }
    return true;
}

/* Keeps the operators that some backend has in a wanted element type, with these types; where there
 * are backends with limits, the operators and types of these, unless others were asked for. */
static bool limit_scope(Scope *scope, const Options *options, Limits *limits, int *status)
{
    Offers offers = {0};
    Text error = {0};
    int kept = 0;
    scope->blocks.vector_bytes = cpu_vector_bytes();
    for (int i = 0; i < options->backend.count; i++) {
        if (ask_backend(options->backend.names[i], scope, limits, &offers, &error))
            continue;
        *status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
        text_release(&error);
        return false;
    }
    for (int i = 0; i < scope->op_count; i++) {
        int op = op_number(scope->ops[i]);
        bool limited = offers.of_limited[op] || (offers.limited && options->op.count == 0);
        scope->only[op] =
            scope_dtypes(scope, scope->ops[i]) & (limited ? offers.of_limited : offers.any)[op];
        if (scope->only[op])
            scope->ops[kept++] = scope->ops[i];
    }
    scope->op_count = kept;
    if (kept == 0)
        *status = complain(EXIT_USAGE, "no backend has these operators in these element types "
                                       "(opconform list ops, opconform list backends)");
    return kept > 0;
}

/* The campaign as a run of the database, whose number is *run where it went well; the exit status
 * follows from what is new there. */
static int run_campaign(const Options *options, const CampaignOptions *campaign,
                        CampaignSummary *summary, int64_t *run)
{
    int status = EXIT_CLEAN;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    Text error = {0};
    bool ok =
        store_begin_run(store,
                        &(RunRecord){text_string(&options->command_line),
                                     campaign->engine == ENGINE_RANDOM ? "random" : "libfuzzer",
                                     campaign->seed, campaign->jobs, options->run},
                        &error) &&
        campaign_run(campaign, store, summary, &error);
    if (!ok)
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (summary->internal_error || summary->unattributed > 0)
        status = EXIT_INTERNAL;
    else if (summary->keep_error)
        status = complain(EXIT_INTERNAL, "--keep %s: %s: it lacks lines", campaign->keep,
                          strerror(summary->keep_error));
    else
        status = summary->fresh > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
    *run = ok ? store_run_number(store) : 0;
    text_release(&error);
    store_close(store);
    return status;
}

/* Has the generator make a share of its cases of the seeds; the caller frees the list. */
static const Case **offer_seeds(const Corpus *seeds, Scope *scope)
{
    const Case **list = memory_allocate(seeds->count, sizeof(const Case *));
    for (size_t i = 0; i < seeds->count; i++)
        list[i] = &seeds->entries[i].c;
    scope->seeds = list;
    scope->seed_count = seeds->count;
    return list;
}

/* Runs the campaign, on the cases of --seeds first. */
static int run_with_seeds(const Options *options, CampaignOptions *campaign,
                          CampaignSummary *summary, int64_t *run)
{
    Corpus seeds = {0};
    Text error = {0};
    int status = EXIT_CLEAN;
    campaign->seeds = &seeds;
    for (int i = 0; i < options->seeds.count && status == EXIT_CLEAN; i++)
        if (!corpus_read(&seeds, options->seeds.names[i], &campaign->scope, &error))
            status = complain(EXIT_USAGE, "--seeds %s", text_string(&error));
    const Case **offered = offer_seeds(&seeds, &campaign->scope);
    if (status == EXIT_CLEAN)
        status = run_campaign(options, campaign, summary, run);
    campaign->scope.seeds = NULL;
    campaign->scope.seed_count = 0;
    campaign->seeds = NULL;
    free(offered);
    corpus_release(&seeds);
    text_release(&error);
    return status;
}

/* What --fix says, of the operators of the scope. */
static bool fix_cases(const char *fix, Scope *scope, Limits *limits, int *status)
{
    Text error = {0};
    scope->limit = limits_apply;
    scope->limits = limits;
    if (!fix || limits_fix(limits, fix, scope, &error))
        return true;
    *status = complain(EXIT_USAGE, "--fix: %s", text_string(&error));
    text_release(&error);
    return false;
}

/* True when the process may have as many descriptors as a campaign opens; otherwise it raises its
 * limit as far as it may, and complains where that is not enough. */
static bool has_descriptors(const char *command, int64_t jobs)
{
    enum { OWN = 48, OF_A_JOB = 8 };
    rlim_t needed = OWN + OF_A_JOB * (rlim_t)jobs;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed)
        return true;
    limit.rlim_cur = needed < limit.rlim_max ? needed : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= needed)
        return true;
    (void)complain(0,
                   "%s: the process may have %llu descriptors, and %lld jobs take %llu: raise "
                   "the limit (ulimit -n) or lower --jobs",
                   command, (unsigned long long)limit.rlim_cur, (long long)jobs,
                   (unsigned long long)needed);
    return false;
}

/* What opening libraries prints is theirs, and what their processes print later; only why it failed
 * is shown. */
static bool open_backends(Options *options, Scope *scope, int *status)
{
    Text ours = {0};
    capture_begin();
    bool ok = options_scope(options, scope, status) && options_backends(options, status);
    capture_end();
    if (!ok)
        (void)capture_drain(&ours);
    escape_print(stderr, "%s", text_string(&ours));
    text_release(&ours);
    return ok;
}

/* Whether a library is among them that runs large cases. */
static bool runs_large(const Options *options)
{
    bool any = false;
    for (const char *const *name = options->backend.names; *name; name++) {
        const BackendKind *kind = backend_kind(*name);
        any = any || (kind && kind->large);
    }
    return any;
}

int campaign_command(const char *command, Options *options, bool compares, CampaignSummary *summary,
                     int64_t *run)
{
    int status = EXIT_CLEAN;
    *run = 0;
    CampaignOptions campaign = {
        .backends = options->backend.names,
        .seed = options->seed,
        .cases = options->cases,
        .seconds = options->seconds,
        .deadline = (uint64_t)(options->deadline_seconds * 1e9),
        .jobs = (int)options->jobs,
        .corpus = options->corpus,
        .keep = options->keep,
        .stats = options->stats,
        .no_avoid = options->no_avoid,
        .repeatable = options->run && options->cases > 0,
        .first = options->first,
        .compares = compares,
        .quiet = options->quiet,
        .verbose = options->verbose,
    };
    if (!has_descriptors(command, options->jobs))
        return EXIT_ENVIRONMENT;
    if (!choose_engine(options, &campaign))
        return complain(EXIT_USAGE, "--engine: expected libfuzzer or random, not '%s'",
                        options->engine);
    if (!choose_parts(&options->without, &campaign))
        return EXIT_USAGE;
    if (options->run && (strlen(options->run) != RUN_DIGITS ||
                         strspn(options->run, "0123456789abcdef") != RUN_DIGITS))
        return complain(EXIT_USAGE, "--run: expected %d hexadecimal digits, not '%s'", RUN_DIGITS,
                        options->run);
    if (campaign.cases == 0 && campaign.seconds == 0)
        campaign.seconds = 60;
    if (options->corpus && mkdir(options->corpus, 0777) != 0 && errno != EEXIST)
        return complain(EXIT_ENVIRONMENT, "--corpus %s: %s", options->corpus, strerror(errno));
    options->spares_dead = true;
    if (!options->verbose)
        capture_open();
    if (!open_backends(options, &campaign.scope, &status))
        return status;
    /* Kernels that spin while they wait for a core would starve the other workers. */
    int64_t cores = sysconf(_SC_NPROCESSORS_ONLN);
    campaign.scope.threads = cores / options->jobs > 1 ? cores / options->jobs : 1;
    if (options->scale > SCALE_MAX)
        return complain(EXIT_USAGE, "--scale %llu: expected 1 to %d",
                        (unsigned long long)options->scale, SCALE_MAX);
    campaign.scope.scale = (double)options->scale;
    campaign.scope.no_swarm = campaign.without >> PART_SWARM & 1;
    campaign.scope.unbiased = campaign.without >> PART_BIAS & 1;
    Limits limits = {0};
    if (limit_scope(&campaign.scope, options, &limits, &status) &&
        fix_cases(options->fix, &campaign.scope, &limits, &status)) {
        campaign.scope.large = runs_large(options) ? large_one_in(&campaign.scope) : 0;
        if (!options->engine && campaign.scope.draws > 0)
            campaign.engine = ENGINE_RANDOM;
        status = run_with_seeds(options, &campaign, summary, run);
    }
    limits_release(&limits);
    return status;
}

static int run_fuzz(Options *options)
{
    CampaignSummary summary = {0};
    int64_t run;
    if (options->argument_count > 0)
        return complain(EXIT_USAGE, "fuzz: unexpected argument '%s'", options->arguments[0]);
    int status = campaign_command("fuzz", options, false, &summary, &run);
    if (!run)
        return status;
    print_summary(options, &summary);
    if (options->json)
        return status;
    print_left_out(options, &summary);
    print_unjudged(options, run);
    (void)print_bugs_of_run(options, run);
    return status;
}

const Command command_fuzz = {
    .name = "fuzz",
    .arguments = "[options]",
    .summary = "Makes cases, runs them on all backends, files what diverges, minimised.\n"
               "Exit status 1 when this run filed a new divergence.",
    .example = "opconform fuzz --backend openblas,blis --time 60s",
    .options = rows,
    .run = run_fuzz,
};
