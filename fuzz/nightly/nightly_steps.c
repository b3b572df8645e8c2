/* The steps of a night: known findings again, fuzzing, merging, looking closer at what is new,
 * reporting. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/command/self.h"
#include "nightly.h"
#include "ops/backend/trust.h"
#include "reports/files.h"
#include "reports/store/merge.h"
#include "reports/store/signature.h"

enum {
    OBSERVATIONS_MAX = 20, /* that are kept of a finding */
    RUNS_IN_FULL = 28,     /* whose coverage is kept by kinds of data: a night has two */
    REPRODUCERS_MAX = 200  /* that are written in a night */
};

/* Runs a command with those of the options that it takes; its output and its libraries' go to
 * DIR/night.log.  Returns the exit status, or -1. */
static int run_command(const Night *night, const Options *options, const Command *command,
                       const char *const *arguments)
{
    Child child;
    Text log = {0};
    text_printf(&log, "%s/night.log", night->folder);
    bool started = self_start(&child, text_string(&log), command, options, arguments);
    int status = started ? child_wait(&child) : -1;
    text_release(&log);
    return started && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Files of the night's folder. */
typedef struct CorpusPaths {
    /* What former nights chose, and what that showed; what this one's fuzzing showed first. */
    Text chosen, measures, kept;
} CorpusPaths;

static CorpusPaths corpus_paths(const Night *night)
{
    CorpusPaths paths = {0};
    text_printf(&paths.chosen, "%s/corpus.cases", night->folder);
    text_printf(&paths.measures, "%s/corpus.measures", night->folder);
    text_printf(&paths.kept, "%s/kept.cases", night->folder);
    return paths;
}

static void release_paths(CorpusPaths *paths)
{
    text_release(&paths->chosen);
    text_release(&paths->measures);
    text_release(&paths->kept);
}

/* Fuzzing takes the night's options, with a shard of its own, another seed each night, and what
 * former nights chose beside the seeds. */
static bool step_fuzz(Night *night, Text *error)
{
    static const char *const nothing[] = {NULL};
    Text stats = {0};
    CorpusPaths paths = corpus_paths(night);
    Options fuzz = *night->options;
    text_printf(&stats, "%s/stats", night->folder);
    fuzz.db = night->shard.data;
    fuzz.stats = stats.data;
    fuzz.keep = paths.kept.data;
    fuzz.seed += (uint64_t)night->number;
    fuzz.quiet = true;
    fuzz.seconds = night_seconds_left(night);
    if (fuzz.seeds.count < NAMES_MAX && access(text_string(&paths.chosen), R_OK) == 0)
        fuzz.seeds.names[fuzz.seeds.count++] = text_string(&paths.chosen);
    store_delete(text_string(&night->shard));
    (void)unlink(text_string(&paths.kept));
    int status = run_command(night, &fuzz, &command_fuzz, nothing);
    bool ok = status == EXIT_CLEAN || status == EXIT_FINDINGS;
    if (!ok)
        text_printf(error, "fuzzing ended with status %d: try opconform fuzz with the same options",
                    status);
    text_release(&stats);
    release_paths(&paths);
    return ok;
}

/* Of what former nights chose and of what was new in this one, cases that show as much as all;
 * those that are not measured in time are left to the next night. */
static bool step_distil(Night *night, Text *error)
{
    CorpusPaths paths = corpus_paths(night);
    const char *arguments[4] = {"distil"};
    int count = 1;
    const Text *sources[] = {&paths.chosen, &paths.kept};
    for (size_t i = 0; i < COUNT_OF(sources); i++)
        if (access(text_string(sources[i]), R_OK) == 0)
            arguments[count++] = text_string(sources[i]);
    Options options = *night->options;
    options.out = paths.chosen.data;
    options.measures = paths.measures.data;
    options.seconds = night_seconds_left(night);
    bool ok = count == 1 || run_command(night, &options, &command_corpus, arguments) == EXIT_CLEAN;
    if (!ok)
        text_printf(error, "%s: the corpus cannot be distilled", text_string(&paths.chosen));
    release_paths(&paths);
    return ok;
}

static bool step_merge(Night *night, Text *error)
{
    const char *sources[] = {text_string(&night->shard)};
    return merge_databases(text_string(&night->database), sources, 1, MERGE_COUNTS_BY_RUN, error);
}

static bool step_known(Night *night, Text *error)
{
    Text json = {0};
    const char *path = night->options->known;
    if (!path)
        return true;
    Store *store = file_read(path, &json, error) ? night_store(night, error) : NULL;
    bool ok = store && store_put_known(store, text_string(&json), path, error);
    store_close(store);
    text_release(&json);
    return ok;
}

/* Moves the program that reproduce wrote for a finding to a name that outlives merging; a path of
 * no file where none can be written. */
static void keep_reproducer(const Night *night, int64_t id, const char *signature, Text *path)
{
    Text from = {0}, to = {0};
    for (size_t i = 0; program_endings[i] && path->length == 0; i++) {
        text_clear(&from);
        text_clear(&to);
        text_printf(&from, "%s/reproducers/finding-%lld%s", night->folder, (long long)id,
                    program_endings[i]);
        text_printf(&to, "%s/reproducers/%016llx%s", night->folder,
                    (unsigned long long)signature_hash(signature), program_endings[i]);
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
    Text line = {0}, backend = {0}, signature = {0}, folder = {0}, path = {0}, refusal = {0};
    (void)snprintf(number, sizeof number, "%lld", (long long)id);
    text_printf(&folder, "%s/reproducers", night->folder);
    const char *const arguments[] = {number, NULL};
    Options options = {
        .db = night->database.data, .out = folder.data, .plugin = night->options->plugin};
    bool ok = store_get_finding(store, id, &line, &backend, &signature, error);
    if (ok && !trust_allows(text_string(&backend), &refusal))
        night_say(night, "%s", text_string(&refusal));
    else if (ok) {
        options.backend = (NameList){.names = {text_string(&backend)}, .count = 1};
        (void)run_command(night, &options, &command_reproduce, arguments);
    }
    if (ok) {
        keep_reproducer(night, id, text_string(&signature), &path);
        ok = store_put_artifact(store, id, "reproducer", text_string(&path), error);
    }
    text_release(&line);
    text_release(&backend);
    text_release(&signature);
    text_release(&folder);
    text_release(&path);
    text_release(&refusal);
    return ok;
}

static bool step_reproduce(Night *night, Text *error)
{
    int64_t id = 0;
    Store *store = night_store(night, error);
    bool ok = store != NULL;
    uint64_t until = night_deadline(night);
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
    Store *store = night_store(night, error);
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
    static const char *const nothing[] = {NULL};
    const Options options = {.db = night->database.data,
                             .out = folder.data,
                             .junit = junit.data,
                             .sarif = sarif.data,
                             .backend = night->options->backend,
                             .plugin = night->options->plugin,
                             .seconds = night_seconds_left(night)};
    bool ok = run_command(night, &options, &command_report, nothing) == EXIT_CLEAN;
    if (!ok)
        text_printf(error, "%s: the report cannot be written", text_string(&folder));
    text_release(&folder);
    text_release(&junit);
    text_release(&sarif);
    return ok;
}

/* The shard is part of the database now, and the corpus was chosen. */
static bool step_tidy(Night *night, Text *error)
{
    (void)error;
    CorpusPaths paths = corpus_paths(night);
    (void)unlink(text_string(&paths.kept));
    store_delete(text_string(&night->shard));
    release_paths(&paths);
    return true;
}

/* What of the budget is left to the report is what it takes on top of it where there is much to
 * say. */
const NightStep night_steps[] = {
    {"replay", 10, night_replay},      {"fuzz", 68, step_fuzz},   {"distil", 80, step_distil},
    {"merge", 81, step_merge},         {"known", 81, step_known}, {"settle", 91, night_settle},
    {"reproduce", 97, step_reproduce}, {"count", 97, step_count}, {"report", 100, step_report},
    {"tidy", 100, step_tidy},          {NULL, 0, NULL},
};
