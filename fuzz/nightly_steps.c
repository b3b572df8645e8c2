/* What a night does: findings again, fuzzing, merging, looking closer at what is new, reporting. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "again.h"
#include "nightly.h"
#include "ops/backend/knobs.h"
#include "reports/files.h"
#include "reports/merge.h"
#include "reports/signature.h"

enum {
    REPLAYS = 3,           /* of a known finding */
    CAPTURES = 5,          /* of one that is new, in fresh processes */
    OBSERVATIONS_MAX = 20, /* that are kept of a finding */
    RUNS_IN_FULL = 28,     /* whose coverage is kept by kinds of data: a night has two */
    REPRODUCERS_MAX = 200, /* that are written in a night */
    WORDS_MAX = 40
};

/* Runs this program with other arguments; what it and its libraries say goes to DIR/night.log.  The
 * exit status, or -1. */
static int run_self(const Night *night, const char *const *words)
{
    int status = -1;
    Text log = {0};
    text_printf(&log, "%s/night.log", night->folder);
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen(text_string(&log), "a", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
            _exit(127);
        (void)execv("/proc/self/exe", (char *const *)(uintptr_t)words);
        _exit(127);
    }
    text_release(&log);
    if (process < 0 || waitpid(process, &status, 0) != process)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The database with the night's run as the present one. */
static Store *open_night(const Night *night, Text *error)
{
    Store *store = store_open(text_string(&night->database), STORE_WRITE, error);
    if (store && store_resume_night(store, night->uuid, night->started,
                                    text_string(&night->options->command_line), error))
        return store;
    store_close(store);
    return NULL;
}

/* The version of a backend, asked once for each that comes after another. */
static const char *version_of(const char *backend)
{
    static char last[600];
    static BackendFacts facts;
    Text ignored = {0};
    if (strcmp(last, backend) != 0) {
        (void)snprintf(last, sizeof last, "%s", backend);
        if (!backend_probe(backend, &facts, &ignored))
            (void)snprintf(facts.version, sizeof facts.version, "absent");
    }
    text_release(&ignored);
    return facts.version;
}

/* Runs findings first seen since then once more, each some times; those that this night has done
 * already are left out.  A case that cannot be run now has no outcome. */
static bool run_again(Night *night, int64_t since, int tries, uint64_t until, Text *error)
{
    Text line = {0}, backend = {0};
    int64_t id = 0, count = 0, unknown = 0;
    Store *store = open_night(night, error);
    bool ok = store != NULL;
    while (ok && clock_nanoseconds() < until) {
        ok = store_next_again(store, since, id, "", &id, &line, &backend, error);
        if (!ok || id == 0)
            break;
        OutcomeRecord outcome = {
            .finding = id, .backend = text_string(&backend), .tries = tries, .captured = since > 0};
        if (!again_count(text_string(&line), outcome.backend, NULL, tries, &outcome.diverged)) {
            unknown++;
            continue;
        }
        outcome.version = version_of(outcome.backend);
        ok = store_put_outcome(store, &outcome, error);
        count++;
        night_may_die();
    }
    night_say(night, "again=%lld unknown=%lld", (long long)count, (long long)unknown);
    store_close(store);
    text_release(&line);
    text_release(&backend);
    return ok;
}

/* When a step must end that may take the given part of the budget: never, where that is in cases.
 */
static uint64_t deadline_of(const Night *night, int part)
{
    double seconds = night->options->seconds / part;
    return seconds > 0 ? clock_nanoseconds() + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}

static bool step_replay(Night *night, Text *error)
{
    return run_again(night, 0, REPLAYS, deadline_of(night, 2), error);
}

/* Fuzzing takes the night's options, with a shard of its own and another seed each night. */
static bool step_fuzz(Night *night, Text *error)
{
    Text options = {0}, stats = {0};
    const char *words[WORDS_MAX] = {"opconform", "fuzz"};
    Options fuzz = *night->options;
    int count = 2;
    text_printf(&stats, "%s/stats", night->folder);
    fuzz.db = night->shard.data;
    fuzz.stats = stats.data;
    fuzz.seed += (uint64_t)night->number;
    fuzz.quiet = true;
    options_put_words(&fuzz, &command_fuzz, &options);
    const char *end = options.data + options.length;
    for (const char *at = options.data; at < end && count < WORDS_MAX - 1; at += strlen(at) + 1)
        words[count++] = at;
    store_delete(text_string(&night->shard));
    int status = run_self(night, words);
    bool ok = status == EXIT_CLEAN || status == EXIT_FINDINGS;
    if (!ok)
        text_printf(error, "fuzzing ended with status %d: try opconform fuzz with the same options",
                    status);
    text_release(&options);
    text_release(&stats);
    return ok;
}

static bool step_merge(Night *night, Text *error)
{
    const char *sources[] = {text_string(&night->shard)};
    return merge_databases(text_string(&night->database), sources, 1, error);
}

static bool step_known(Night *night, Text *error)
{
    Text json = {0};
    const char *path = night->options->known;
    if (!path)
        return true;
    Store *store = file_read(path, &json, error) ? open_night(night, error) : NULL;
    bool ok = store && store_put_known(store, text_string(&json), path, error);
    store_close(store);
    text_release(&json);
    return ok;
}

/* Runs each new finding that has no outcome with the setting yet, as the variable or the words
 * behind the case say. */
static bool try_setting(const Night *night, Store *store, const Knob *knob, const char *behind,
                        Text *error)
{
    Text line = {0}, backend = {0};
    const char *setting = knob ? knob->variable : behind;
    int64_t id = 0;
    bool ok = true;
    while (ok) {
        ok = store_next_again(store, night->started, id, setting, &id, &line, &backend, error);
        if (!ok || id == 0)
            break;
        OutcomeRecord outcome = {
            .finding = id, .backend = text_string(&backend), .setting = setting, .tries = 1};
        /* A case that asks for such a thing itself has another bar already. */
        if (knob ? !knob_is_of(knob, outcome.backend) : strstr(text_string(&line), "exec=") != NULL)
            continue;
        text_printf(&line, "%s%s", behind ? " | exec=" : "", behind ? behind : "");
        if (!again_count(text_string(&line), outcome.backend, knob ? knob->variable : NULL, 1,
                         &outcome.diverged))
            continue;
        outcome.version = version_of(outcome.backend);
        ok = store_put_outcome(store, &outcome, error);
        night_may_die();
    }
    text_release(&line);
    text_release(&backend);
    return ok;
}

/* Whether what is new can be reproduced, and which setting removes it. */
static bool step_settle(Night *night, Text *error)
{
    static const char *const behind[] = {"threads:2", "align:8", "layout:strided"};
    if (!run_again(night, night->started, CAPTURES, deadline_of(night, 2), error))
        return false;
    Store *store = open_night(night, error);
    bool ok = store != NULL;
    for (size_t i = 0; ok && i < COUNT_OF(behind); i++)
        ok = try_setting(night, store, NULL, behind[i], error);
    for (const Knob *knob = knobs; ok && knob->variable; knob++)
        ok = try_setting(night, store, knob, NULL, error);
    store_close(store);
    return ok;
}

/* Moves the program that reproduce wrote for a finding to a name that outlives merging; a path of
 * no file where none can be written. */
static void keep_reproducer(const Night *night, int64_t id, const char *signature, Text *path)
{
    static const char *const endings[] = {"c", "py"};
    Text from = {0}, to = {0};
    for (size_t i = 0; i < COUNT_OF(endings) && path->length == 0; i++) {
        text_clear(&from);
        text_clear(&to);
        text_printf(&from, "%s/reproducers/finding-%lld.%s", night->folder, (long long)id,
                    endings[i]);
        text_printf(&to, "%s/reproducers/%016llx.%s", night->folder,
                    (unsigned long long)signature_hash(signature), endings[i]);
        if (rename(text_string(&from), text_string(&to)) == 0)
            text_put(path, text_string(&to) + strlen(night->folder) + 1);
    }
    text_release(&from);
    text_release(&to);
    if (path->length == 0)
        text_put(path, "none");
}

static bool write_reproducer(const Night *night, Store *store, int64_t id, Text *error)
{
    char number[32];
    Text line = {0}, backend = {0}, signature = {0}, folder = {0}, path = {0};
    (void)snprintf(number, sizeof number, "%lld", (long long)id);
    text_printf(&folder, "%s/reproducers", night->folder);
    const char *words[] = {
        "opconform", "reproduce",          number, "--db", text_string(&night->database),
        "--out",     text_string(&folder), NULL};
    bool ok = store_get_finding(store, id, &line, &backend, &signature, error);
    if (ok) {
        (void)run_self(night, words);
        keep_reproducer(night, id, text_string(&signature), &path);
        ok = store_put_artifact(store, id, "reproducer", text_string(&path), error);
    }
    text_release(&line);
    text_release(&backend);
    text_release(&signature);
    text_release(&folder);
    text_release(&path);
    return ok;
}

static bool step_reproduce(Night *night, Text *error)
{
    int64_t id = 0;
    Store *store = open_night(night, error);
    bool ok = store != NULL;
    uint64_t until = deadline_of(night, 4);
    for (int i = 0; ok && i < REPRODUCERS_MAX && clock_nanoseconds() < until; i++) {
        ok = store_next_without(store, "reproducer", id, &id, error);
        if (!ok || id == 0)
            break;
        ok = write_reproducer(night, store, id, error);
        night_may_die();
    }
    store_close(store);
    return ok;
}

static bool step_count(Night *night, Text *error)
{
    Store *store = open_night(night, error);
    bool ok = store && store_put_night(store, night->uuid, night->started, error) &&
              store_prune(store, OBSERVATIONS_MAX, RUNS_IN_FULL, error);
    store_close(store);
    return ok;
}

static bool step_report(Night *night, Text *error)
{
    Text folder = {0}, junit = {0}, sarif = {0};
    text_printf(&folder, "%s/report", night->folder);
    text_printf(&junit, "%s/junit.xml", night->folder);
    text_printf(&sarif, "%s/findings.sarif", night->folder);
    const char *words[] = {"opconform", "report",
                           "--db",      text_string(&night->database),
                           "--out",     text_string(&folder),
                           "--junit",   text_string(&junit),
                           "--sarif",   text_string(&sarif),
                           NULL};
    bool ok = run_self(night, words) == EXIT_CLEAN;
    if (!ok)
        text_printf(error, "%s: the report cannot be written", text_string(&folder));
    text_release(&folder);
    text_release(&junit);
    text_release(&sarif);
    return ok;
}

/* The shard is part of the database now. */
static bool step_tidy(Night *night, Text *error)
{
    (void)error;
    (void)unlink(text_string(&night->shard));
    return true;
}

const NightStep night_steps[] = {
    {"replay", step_replay}, {"fuzz", step_fuzz},
    {"merge", step_merge},   {"known", step_known},
    {"settle", step_settle}, {"reproduce", step_reproduce},
    {"count", step_count},   {"report", step_report},
    {"tidy", step_tidy},     {NULL, NULL},
};
