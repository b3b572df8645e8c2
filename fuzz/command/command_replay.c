/* opconform replay, opconform minimize */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "fuzz/campaign/record.h"
#include "fuzz/check/batch.h"
#include "fuzz/check/isolate.h"
#include "ops/contract/contract.h"
#include "reference/child.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/store/signature.h"

static const OptionRow rows[] = {
    OPTION("backend", BACKENDS, backend, "LIST",
           "backends; those of the finding, or of the system, by default"),
    OPTION("db", TEXT, db, "FILE", "database that ids refer to (findings.db)"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("jobs", NUMBER, jobs, "N", "processes that run lines side by side, 1 to 64"),
    OPTION("json", FLAG, json, NULL, "one JSON object per verdict"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Looks an id up: appends its line, and makes its backend the default. */
static bool line_of_finding(Options *options, int64_t id, Text *line, int *status)
{
    Text backend = {0}, signature = {0}, error = {0};
    Store *store = options_store(options, STORE_READ);
    *status = EXIT_ENVIRONMENT;
    bool ok = store && store_get_finding(store, id, line, &backend, &signature, &error);
    if (store && !ok)
        *status = complain(EXIT_USAGE, "%s", text_string(&error));
    if (ok && options->backend.count == 0) {
        options->backend.storage = memory_duplicate(text_string(&backend));
        options->backend.names[options->backend.count++] = options->backend.storage;
    }
    store_close(store);
    text_release(&backend);
    text_release(&signature);
    text_release(&error);
    return ok;
}

/* All lines of a file; empty ones and comments (#) are left out by the caller. */
static bool read_lines(const char *path, Text *lines, int *status)
{
    Text own = {0}, error = {0};
    bool is_standard = !strcmp(path, "-"), ok = true;
    if (is_standard)
        file_append(stdin, &own);
    else
        ok = file_read(path, &own, &error);
    ok = ok && file_is_text(is_standard ? "standard input" : path, &own, &error);
    if (ok)
        text_put(lines, text_string(&own));
    else
        *status = complain(EXIT_USAGE, "%s", text_string(&error));
    text_release(&own);
    text_release(&error);
    return ok;
}

/* The lines that an argument stands for: an id, a file, standard input, or itself. */
static bool lines_of_argument(Options *options, const char *argument, Text *lines, int *status)
{
    struct stat info;
    int64_t id;
    if (parse_id(argument, &id))
        return line_of_finding(options, id, lines, status);
    if (!strcmp(argument, "-") || (!strchr(argument, ' ') && stat(argument, &info) == 0))
        return read_lines(argument, lines, status);
    text_printf(lines, "%s", argument);
    return true;
}

/* What a result that is right only under a reading departs from, and what the library documents of
 * that. */
typedef struct Terms {
    const Clause *clause;       /* NULL: there is no such reading */
    const Departure *departure; /* NULL: none is known of the library */
} Terms;

static Terms terms_of(const Backend *backend, const Case *c, const Judgement *j)
{
    if (!j->reading || !verdict_is_finding(j->kind))
        return (Terms){NULL, NULL};
    const ContractParty party = {backend->kind->name, backend->mode, backend->facts.version};
    return (Terms){contract_demand(j->reading, c->op),
                   contract_departure(party, c->op, case_dtype(c), j->reading)};
}

static const char *source_of(const Terms *terms)
{
    return terms->departure && terms->departure->source ? terms->departure->source : "";
}

static void print_terms(const Terms *terms, const Judgement *j)
{
    if (!terms->clause)
        return;
    escape_print(stdout, "    demanded (%s): %s\n        %s\n", terms->clause->name,
                 terms->clause->demand, terms->clause->source);
    escape_print(stdout, "    departs as %s", j->reading);
    if (source_of(terms)[0])
        escape_print(stdout, ": %s\n        %s\n", terms->departure->instead, source_of(terms));
    else
        escape_print(stdout, ", which the library does not document\n");
}

/* The share of the elements that the verdict says something of. */
static double share_of(const Judgement *j)
{
    return j->method == METHOD_WHOLE ? 1 : j->share;
}

static void print_json(const char *backend, const FindingRecord *r, const Judgement *j,
                       const Terms *terms)
{
    Text json = {0};
    text_put(&json, "{");
    json_put_member(&json, "line", r->min_line);
    json_put_member(&json, "backend", backend);
    json_put_member(&json, "verdict", r->kind);
    json_put_member(&json, "tier", r->tier);
    json_put_member(&json, "pattern", r->pattern);
    json_put_member(&json, "detail", r->detail);
    json_put_integer(&json, "bad", (int64_t)j->bad);
    json_put_integer(&json, "total", (int64_t)j->total);
    json_put_integer(&json, "index", (int64_t)j->worst);
    json_put_member(&json, "expected", r->expected);
    json_put_member(&json, "got", r->got);
    json_put_member(&json, "bound", r->bound);
    json_put_member(&json, "model", j->kind == VERDICT_AGREE && j->model ? j->model : "");
    json_put_number(&json, "ratio", j->ratio);
    json_put_member(&json, "method", method_name(j->method));
    json_put_number(&json, "share", share_of(j));
    json_put_member(&json, "clause", terms->clause ? terms->clause->name : "");
    json_put_member(&json, "demand", terms->clause ? terms->clause->demand : "");
    json_put_member(&json, "source", terms->clause ? terms->clause->source : "");
    json_put_member(&json, "reading", terms->clause ? j->reading : "");
    json_put_member(&json, "admitted_by", source_of(terms));
    escape_print(stdout, "%s}\n", text_string(&json));
    text_release(&json);
}

/* Under which arithmetic the result is right: the strictest model of the backend's promise that
 * admits it, or none. */
static void print_admission(const Backend *library, const Judgement *j, const Terms *terms)
{
    if (j->kind == VERDICT_AGREE && j->model)
        escape_print(stdout, "    admitted by the model %s\n", j->model);
    else if (verdict_is_finding(j->kind) && j->total > 0 && !terms->clause) {
        escape_print(stdout, "    admitted by no reading and by none of the models");
        for (const Model *model = library->promise.models; model->name; model++)
            escape_print(stdout, " %s", model->name);
        escape_print(stdout, "\n");
    }
}

static void print_result(const Options *options, const Case *c, const Backend *library,
                         const CheckResult *result)
{
    const Judgement *j = &result->judgement;
    const char *backend = library->name;
    Terms terms = terms_of(library, c, j);
    RecordTexts texts = {0};
    ShrinkResult whole = {.minimal = *c, .result = *result, .reproduced = 1};
    FindingRecord r = record_of(&texts, c, result, backend, &whole);
    if (options->json) {
        print_json(backend, &r, j, &terms);
    } else {
        escape_print(stdout, "  %-24s %s", backend, r.kind);
        if (verdict_is_finding(j->kind))
            escape_print(stdout, "  tier %s, %zu of %zu bad (%s)%s%s", r.tier, j->bad, j->total,
                         r.pattern, r.detail[0] ? ", " : "", r.detail);
        else if (j->kind == VERDICT_DECLINED && r.detail[0])
            escape_print(stdout, ": %s", r.detail);
        escape_print(stdout, "\n");
        /* Sums of exact data that agree leave no element to look at. */
        bool summed = j->method == METHOD_SUMS_EXACT && j->share == 1;
        if (r.got[0] && j->total > 0 && j->kind != VERDICT_DECLINED && !summed)
            escape_print(
                stdout,
                "    worst element %zu: expected %s\n    got %s\n    bound %s, ratio %g%s\n",
                j->worst, r.expected, r.got, r.bound, j->ratio,
                j->model ? "" : " (no model applied)");
        if (r.got[0] && j->ulps != UINT64_MAX && j->ulps > 0)
            escape_print(stdout, "    %" PRIu64 " ulp apart\n", j->ulps);
        if (j->method != METHOD_WHOLE)
            escape_print(stdout, "    checked by %s: %g %% of the elements known\n",
                         method_name(j->method), 100 * j->share);
        print_terms(&terms, j);
        print_admission(library, j, &terms);
    }
    record_release(&texts);
}

/* Which backends are apart from the others, by their distance from the reference in bounds. */
static void print_outliers(const Checker *checker, const CheckResult *results)
{
    Text apart = {0}, agree = {0};
    for (int i = 0; i < checker->backend_count; i++) {
        const char *name = checker->backends[i].name;
        const Judgement *j = &results[i].judgement;
        if (verdict_is_finding(j->kind))
            text_printf(&apart, "%s%s (%s, ratio %g)", apart.length ? ", " : "", name,
                        verdict_name(j->kind), j->ratio);
        else if (j->kind == VERDICT_AGREE)
            text_printf(&agree, "%s%s", agree.length ? ", " : "", name);
    }
    if (apart.length && agree.length)
        escape_print(stdout, "  apart: %s; agree: %s\n", text_string(&apart), text_string(&agree));
    text_release(&apart);
    text_release(&agree);
}

/* PARTS_MAX: of --jobs. */
enum { CASES_MAX = 512, PART_CASES = 128, PARTS_MAX = 64 };

/* Lines that a process of their own runs, and what it prints of them. */
typedef struct Part {
    Child child;
    int output;
} Part;

/* Lines on their way through a batch. */
typedef struct Replay {
    const Options *options;
    Checker *checker;
    Case *cases; /* owned, of room for CASES_MAX */
    size_t count;
    Part parts[PARTS_MAX]; /* those that run, in the order of their lines from the first on */
    size_t first, running, jobs;
    int status; /* the worst so far */
    bool any;
} Replay;

static void worsen(Replay *replay, int status)
{
    replay->status = status > replay->status ? status : replay->status;
}

static void print_case(void *context, size_t number, const CheckResult *results)
{
    Replay *replay = context;
    const Case *c = &replay->cases[number];
    const Checker *checker = replay->checker;
    Text canonical = {0};
    case_print(c, &canonical);
    if (!replay->options->json)
        escape_print(stdout, "%s\n", text_string(&canonical));
    text_release(&canonical);
    for (int i = 0; i < checker->backend_count; i++) {
        print_result(replay->options, c, &checker->backends[i], &results[i]);
        if (verdict_is_finding(results[i].judgement.kind))
            worsen(replay, EXIT_FINDINGS);
    }
    if (!replay->options->json)
        print_outliers(checker, results);
}

static void run_here(Replay *replay)
{
    const Case *cases[CASES_MAX];
    for (size_t i = 0; i < replay->count; i++)
        cases[i] = &replay->cases[i];
    batch_run(replay->checker, cases, replay->count,
              (uint64_t)(replay->options->deadline_seconds * 1e9), print_case, replay);
}

static int run_part(const void *context, int to)
{
    (void)to;
    Replay replay = *(const Replay *)context;
    const Part *part = &replay.parts[(replay.first + replay.running) % replay.jobs];
    if (dup2(part->output, STDOUT_FILENO) < 0)
        BUG("standard output: %s", strerror(errno));
    (void)close(part->output);
    replay.status = EXIT_CLEAN;
    run_here(&replay);
    return fflush(stdout) == 0 ? replay.status
                               : complain(EXIT_INTERNAL, "replay: %s", strerror(errno));
}

/* Waits for the part whose lines come first, and prints what it has printed. */
static void finish_part(Replay *replay)
{
    Part *part = &replay->parts[replay->first];
    char bytes[1 << 16];
    int end = child_wait(&part->child);
    off_t at = 0;
    for (ssize_t size; (size = pread(part->output, bytes, sizeof bytes, at)) > 0; at += size)
        (void)fwrite(bytes, 1, (size_t)size, stdout);
    (void)close(part->output);
    worsen(replay, WIFEXITED(end) ? WEXITSTATUS(end)
                                  : complain(EXIT_INTERNAL, "replay: a process of --jobs died, and "
                                                            "lines have no verdict"));
    replay->first = (replay->first + 1) % replay->jobs;
    replay->running--;
}

static void finish_parts(Replay *replay)
{
    while (replay->running > 0)
        finish_part(replay);
}

static void start_part(Replay *replay)
{
    if (replay->running == replay->jobs)
        finish_part(replay);
    Part *part = &replay->parts[(replay->first + replay->running) % replay->jobs];
    part->output = memfd_create("verdicts", MFD_CLOEXEC);
    if (part->output < 0 || !child_start(&part->child, run_part, replay))
        BUG("replay: %s", strerror(errno));
    replay->running++;
}

static void run_taken(Replay *replay)
{
    if (replay->jobs > 1 && replay->count > 0)
        start_part(replay);
    else
        run_here(replay);
    replay->count = 0;
}

/* Takes a line; one that is no case is told behind the results of those before it. */
static void take_line(Replay *replay, const char *line)
{
    Text error = {0};
    replay->any = true;
    if (case_parse(&replay->cases[replay->count], line, &error)) {
        replay->count++;
    } else {
        run_taken(replay);
        finish_parts(replay);
        worsen(replay, complain(EXIT_USAGE, "%s", text_string(&error)));
    }
    text_release(&error);
    if (replay->count == (replay->jobs > 1 ? PART_CASES : CASES_MAX))
        run_taken(replay);
}

/* Libraries are opened in this process, which is through with its files; processes of frameworks
 * were started when the backends were looked for. */
static bool open_checker(Options *options, Checker *checker, int *status)
{
    Text error = {0};
    if (!options_backends(options, status))
        return false;
    (void)fflush(NULL);
    checker_confine(options->backend.names);
    bool ok = checker_open(checker, blackbox_create(), options->backend.names, &error);
    if (!ok)
        *status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return ok;
}

/* A library in a process of its own answers one process at a time. */
static size_t jobs_of(const Options *options, const Checker *checker)
{
    bool elsewhere = false;
    for (int b = 0; b < checker->backend_count; b++)
        elsewhere = elsewhere || checker->backends[b].kind->expect;
    if (elsewhere && options->jobs > 1)
        (void)complain(EXIT_CLEAN, "replay: one job, since a library is in a process of its own");
    return elsewhere ? 1 : (size_t)options->jobs;
}

/* Of the statuses the worst; nothing to run is a mistake. */
static int replay_lines(const Options *options, Checker *checker, char *rest)
{
    Replay replay = {.options = options,
                     .checker = checker,
                     .cases = memory_allocate(CASES_MAX, sizeof *replay.cases),
                     .jobs = jobs_of(options, checker),
                     .status = EXIT_CLEAN};
    while (rest) {
        const char *line = strsep(&rest, "\n");
        line += strspn(line, " \t\r");
        if (*line != '\0' && *line != '#')
            take_line(&replay, line);
    }
    run_taken(&replay);
    finish_parts(&replay);
    free(replay.cases);
    return replay.any ? replay.status
                      : complain(EXIT_USAGE, "replay: there is no case line in that");
}

static int run_replay(Options *options)
{
    int status = EXIT_CLEAN;
    Text lines = {0};
    Checker checker = {0};
    if (options->argument_count == 0)
        return complain(EXIT_USAGE, "replay: give a line, an id, a file of lines or -");
    for (int i = 0; i < options->argument_count; i++) {
        if (!lines_of_argument(options, options->arguments[i], &lines, &status)) {
            text_release(&lines);
            return status;
        }
        text_printf(&lines, "\n");
    }
    if (open_checker(options, &checker, &status)) {
        status = replay_lines(options, &checker, lines.data);
        checker_close(&checker);
    }
    text_release(&lines);
    return status;
}

const Command command_replay = {
    .name = "replay",
    .arguments = "LINE|ID|FILE|-... [options]",
    .summary = "Runs cases again, in other processes, and prints every verdict; each that shows\n"
               "something in one of its own.\n"
               "Exit status 1 when one diverges.",
    .example = "opconform replay 3   (or a case line in quotes, or a file of lines)",
    .options = rows,
    .run = run_replay,
};

static void print_minimal(const Case *c, const CheckResult *original, const ShrinkResult *shrunk,
                          const char *backend)
{
    RecordTexts texts = {0};
    FindingRecord r = record_of(&texts, c, original, backend, shrunk);
    escape_print(stdout, "%s\n", r.min_line);
    escape_print(stderr, "%s\n%d executions, %d simplifications%s\n", r.signature,
                 shrunk->executions, shrunk->accepted,
                 shrunk->complete ? "" : ", the budget ended first");
    record_release(&texts);
}

static int minimize_line(const Options *options, Checker *checker, const char *line)
{
    Case c;
    Text error = {0};
    uint64_t deadline = (uint64_t)(options->deadline_seconds * 1e9);
    if (!case_parse(&c, line, &error)) {
        int status = complain(EXIT_USAGE, "%s", text_string(&error));
        text_release(&error);
        return status;
    }
    int status = EXIT_CLEAN;
    for (int i = 0; i < checker->backend_count; i++) {
        CheckResult original;
        ShrinkResult shrunk;
        isolated_run(checker, &c, i, deadline, &original);
        if (!verdict_is_finding(original.judgement.kind))
            continue;
        ShrinkOptions how = {deadline, 60000000000u, 1, true, NULL, NULL};
        shrink_case(&shrunk, checker, &c, &original, &how);
        print_minimal(&c, &original, &shrunk, checker->backends[i].name);
        status = EXIT_FINDINGS;
    }
    if (status == EXIT_CLEAN)
        (void)complain(0, "minimize: nothing diverges here");
    return status;
}

static int run_minimize(Options *options)
{
    int status = EXIT_CLEAN;
    int64_t id;
    Text line = {0};
    Checker checker = {0};
    if (options->argument_count != 1)
        return complain(EXIT_USAGE, "minimize: give one line or one id");
    if (parse_id(options->arguments[0], &id)) {
        if (!line_of_finding(options, id, &line, &status))
            return status;
    } else {
        text_printf(&line, "%s", options->arguments[0]);
    }
    if (open_checker(options, &checker, &status)) {
        status = minimize_line(options, &checker, text_string(&line));
        checker_close(&checker);
    }
    text_release(&line);
    return status;
}

const Command command_minimize = {
    .name = "minimize",
    .arguments = "LINE|ID [options]",
    .summary = "Makes a diverging case as simple as it goes; prints its line.",
    .example = "opconform minimize 3",
    .options = rows,
    .run = run_minimize,
};
