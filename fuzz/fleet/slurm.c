/* Two scripts of the shell for Slurm: an array whose tasks are shards, and what follows it. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fleet.h"
#include "reference/child.h"
#include "reports/files.h"
#include "shard.h"
#include "weight.h"

int fleet_array(const char *text, int *end)
{
    int last = -1;
    bool read = text && sscanf(text, "0-%d%n", &last, end) == 1;
    return read && last >= 0 && last < SHARDS_MAX ? last + 1 : 0;
}

/* Seconds that a shard may take beside its budget of time: to open libraries and to publish; and
 * before Slurm's limit it is told to stop.  Slurm counts in minutes. */
enum { MARGIN = 300, WARNING = 60 };

extern const Command command_worker;

typedef struct Array {
    int shards;
    char most[16]; /* "%20", or empty */
    int tries;
    char folder[PATH_MAX], program[PATH_MAX], plan[PATH_MAX]; /* plan: empty where there is none */
    Text worker, merge;                                       /* paths of the scripts */
} Array;

static bool parse_array(const char *text, Array *array)
{
    int end = 0, most = 0;
    array->shards = fleet_array(text, &end);
    if (array->shards == 0)
        return false;
    if (text[end] == '\0')
        return true;
    int rest = 0;
    if (sscanf(text + end, "%%%d%n", &most, &rest) != 1 || most < 1 || text[end + rest] != '\0')
        return false;
    (void)snprintf(array->most, sizeof array->most, "%%%d", most);
    return true;
}

static int check_options(const Options *options, Array *array)
{
    if (!parse_array(options->array, array))
        return complain(EXIT_USAGE, "fleet slurm: --array %s: expected 0-LAST or 0-LAST%%N",
                        options->array ? options->array : "");
    if (options->seconds <= 0)
        return complain(EXIT_USAGE, "fleet slurm: --time is missing");
    array->tries = options->tries > 0 && options->tries < 100 ? (int)options->tries : 3;
    return EXIT_CLEAN;
}

/* Absolute paths, since jobs run elsewhere. */
static bool find_paths(const Options *options, Array *array, Text *error)
{
    const char *folder = options->out ? options->out : "fleet";
    Text weights = {0};
    bool ok = (!options->plan || file_read(options->plan, &weights, error)) &&
              fleet_make(folder, array->shards, plan_mark(&weights), error);
    text_release(&weights);
    if (!ok)
        return false;
    if (options->plan && !realpath(options->plan, array->plan)) {
        text_printf(error, "%s: %s", options->plan, strerror(errno));
        return false;
    }
    ssize_t length = readlink("/proc/self/exe", array->program, sizeof array->program - 1);
    if (length < 0 || !realpath(folder, array->folder)) {
        text_printf(error, "%s: %s", folder, strerror(errno));
        return false;
    }
    text_printf(&array->worker, "%s/slurm-worker.sh", array->folder);
    text_printf(&array->merge, "%s/slurm-merge.sh", array->folder);
    return true;
}

/* Words of a command with these options. */
static void put_command(Text *script, const Array *array, const Command *command,
                        const Options *options)
{
    Text given = {0};
    escape_put_shell(script, array->program);
    text_printf(script, " %s", command->name);
    options_put_words(options, command, &given);
    const char *end = given.data + given.length;
    for (const char *at = given.data; at < end; at += strlen(at) + 1) {
        text_put(script, " ");
        escape_put_shell(script, at);
    }
    text_release(&given);
}

static bool write_worker(const Options *options, const Array *array, Text *error)
{
    Text script = {0};
    Options worker = *options;
    worker.out = (char *)(uintptr_t)array->folder;
    worker.shard = NULL;
    worker.plan = options->plan ? (char *)(uintptr_t)array->plan : NULL;
    if (worker.cases > 0)
        worker.seconds = 0;
    double limit = options->seconds + (worker.cases > 0 ? 0 : MARGIN);
    text_printf(&script,
                "#!/bin/sh\n#SBATCH --job-name=opconform\n#SBATCH --time=%.0f\n"
                "#SBATCH --signal=B:USR1@%d\n#SBATCH --requeue\n#SBATCH --open-mode=append\n"
                "#SBATCH --cpus-per-task=%lld\nexec ",
                ceil(limit / 60), WARNING, (long long)options->jobs);
    put_command(&script, array, &command_worker, &worker);
    text_printf(&script, " --shard \"$SLURM_ARRAY_TASK_ID/%d\"\n", array->shards);
    bool ok = file_replace(text_string(&array->worker), &script, true, error);
    text_release(&script);
    return ok;
}

/* After the last try what is missing is only told. */
static bool write_merge(const Options *options, const Command *command, const Array *array,
                        Text *error)
{
    Text script = {0};
    Options again = *options;
    again.out = (char *)(uintptr_t)array->folder;
    again.plan = options->plan ? (char *)(uintptr_t)array->plan : NULL;
    again.tries = (uint64_t)array->tries - 1;
    text_put(&script, "#!/bin/sh\n#SBATCH --job-name=opconform-merge\n#SBATCH --requeue\n"
                      "#SBATCH --open-mode=append\n");
    escape_put_shell(&script, array->program);
    text_put(&script, " fleet merge --out ");
    escape_put_shell(&script, array->folder);
    text_put(&script, "\nstatus=$?\n");
    if (again.tries > 0) {
        text_put(&script, "[ $status = 75 ] || exit $status\nexec ");
        put_command(&script, array, command, &again);
        text_put(&script, " slurm");
        for (int i = 1; i < options->argument_count; i++) {
            text_put(&script, i == 1 ? " -- " : " ");
            escape_put_shell(&script, options->arguments[i]);
        }
        text_put(&script, "\n");
    } else {
        text_put(&script, "exit $status\n");
    }
    bool ok = file_replace(text_string(&array->merge), &script, true, error);
    text_release(&script);
    return ok;
}

static int become(const void *context, int to)
{
    const char *const *words = context;
    if (dup2(to, STDOUT_FILENO) >= 0)
        (void)execvp(words[0], (char *const *)(uintptr_t)words);
    (void)complain(0, "%s: %s", words[0], strerror(errno));
    return 127;
}

/* Submits a script with the options of the user behind those given here; the number of the job, or
 * 0. */
static long submit(const Options *options, const char *const *given, const char *script)
{
    const char *words[ARGUMENTS_MAX + 8] = {"sbatch", "--parsable"};
    int count = 2;
    Child child;
    Text answer = {0};
    while (*given)
        words[count++] = *given++;
    for (int i = 1; i < options->argument_count; i++)
        words[count++] = options->arguments[i];
    words[count] = script;
    if (!child_start(&child, become, words))
        return 0;
    child_read_text(&child, &answer);
    int status = child_wait(&child);
    long job = strtol(text_string(&answer), NULL, 10);
    text_release(&answer);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && job > 0 ? job : 0;
}

static int submit_both(const Options *options, const Array *array, const Text *missing, int count)
{
    Text tasks = {0}, log = {0}, after = {0};
    text_printf(&tasks, "--array=%s%s", text_string(missing), array->most);
    text_printf(&log, "--output=%s/work/slurm-%%j.log", array->folder);
    long job = submit(options, (const char *[]){text_string(&tasks), text_string(&log), NULL},
                      text_string(&array->worker));
    text_printf(&after, "--dependency=afterany:%ld", job);
    long merge =
        job == 0 ? 0
                 : submit(options, (const char *[]){text_string(&after), text_string(&log), NULL},
                          text_string(&array->merge));
    text_release(&tasks);
    text_release(&log);
    text_release(&after);
    if (job == 0)
        return complain(EXIT_ENVIRONMENT, "sbatch submitted nothing");
    if (merge == 0)
        return complain(EXIT_ENVIRONMENT,
                        "job %ld was submitted, and no merge behind it: submit %s yourself", job,
                        text_string(&array->merge));
    escape_print(stdout, "%d of %d shards submitted as job %ld, their merge as job %ld\n", count,
                 array->shards, job, merge);
    return EXIT_CLEAN;
}

int fleet_slurm(const Options *options, const Command *command)
{
    static Array array;
    Text missing = {0}, error = {0};
    array = (Array){0};
    int status = check_options(options, &array);
    if (status != EXIT_CLEAN)
        return status;
    if (!find_paths(options, &array, &error) || !write_worker(options, &array, &error) ||
        !write_merge(options, command, &array, &error)) {
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    } else {
        int count = fleet_put_missing(array.folder, array.shards, &missing);
        if (count > 0)
            status = submit_both(options, &array, &missing, count);
        else
            escape_print(stdout, "all %d shards are published: opconform fleet merge --out %s\n",
                         array.shards, options->out ? options->out : "fleet");
    }
    text_release(&array.worker);
    text_release(&array.merge);
    text_release(&missing);
    text_release(&error);
    return status;
}
