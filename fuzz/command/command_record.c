/* opconform record */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "ops/backend/library.h"
#include "ops/import/recorded.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "FILE", "where the lines are written; stdout by default"),
    OPTION("scale", COUNT, scale, "N", "cases may be N times as large as usual"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Where the recorder lies: beside the program as it is built, or where make install puts it. */
static bool find_recorder(Text *path)
{
    static const char *const places[] = {"", "../lib/opconform/"};
    char folder[4096];
    library_program_folder(folder, sizeof folder);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        text_clear(path);
        text_printf(path, "%s/%slibopconform-record.so", folder, places[i]);
        if (access(text_string(path), R_OK) == 0)
            return true;
    }
    return false;
}

static Recording *make_recording(int *file)
{
    *file = memfd_create("recording", MFD_CLOEXEC);
    if (*file < 0 || ftruncate(*file, sizeof(Recording)) != 0)
        return NULL;
    void *map = mmap(NULL, sizeof(Recording), PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    if (map == MAP_FAILED)
        return NULL;
    Recording *recording = map;
    recording->layout = RECORDING_LAYOUT;
    return recording;
}

/* Becomes the application. */
static _Noreturn void become(const char *const *words, const char *recorder, const char *path)
{
    const char *others = getenv("LD_PRELOAD");
    Text preload = {0};
    text_printf(&preload, "%s%s%s", recorder, others && *others ? ":" : "", others ? others : "");
    if (setenv("LD_PRELOAD", text_string(&preload), 1) == 0 &&
        setenv(RECORDING_VARIABLE, path, 1) == 0)
        (void)execvp(words[0], (char *const *)(uintptr_t)words);
    (void)fprintf(stderr, "opconform: record: %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static volatile sig_atomic_t application;

static void pass_on(int signal)
{
    if (application > 0)
        (void)kill((pid_t)application, signal);
}

/* Runs the application to its end, as a shell does: signals of the terminal are the application's,
 * and what would end this process ends the application, whose calls are written then.  False where
 * there is no process. */
static bool run_application(const char *const *words, const char *recorder, int file, int *end)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    (void)fflush(stdout);
    pid_t process = fork();
    if (process == 0)
        become(words, recorder, path);
    application = process;
    void (*end_it)(int) = signal(SIGTERM, pass_on), (*hang_up)(int) = signal(SIGHUP, pass_on);
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    bool ended = process > 0;
    while (ended && waitpid(process, end, 0) < 0)
        ended = errno == EINTR;
    (void)signal(SIGINT, interrupt);
    (void)signal(SIGQUIT, quit);
    (void)signal(SIGTERM, end_it);
    (void)signal(SIGHUP, hang_up);
    return ended;
}

static int finish(const Options *options, const Recording *recording, int end)
{
    Import import = {.scale = (double)options->scale};
    Text lines = {0}, words = {0};
    import_recording(&import, recording);
    text_printf(&lines, "# recorded of: ");
    escape_put_line(&lines, options->arguments[0]);
    text_put(&lines, "\n");
    import_put(&import, &lines);
    int status = options_write_lines(options, &lines);
    if (end != 0) {
        text_printf(&words, "the application: ");
        text_put_end(&words, end);
        text_put(&words, "\n");
    }
    text_printf(&words, "%llu processes, ", (unsigned long long)recording->processes);
    import_tell(&import, &words);
    (void)fputs(text_string(&words), stderr);
    text_release(&lines);
    text_release(&words);
    import_release(&import);
    return status;
}

static int run_record(Options *options)
{
    Text recorder = {0};
    int file = -1, end = 0, status;
    Recording *recording = NULL;
    if (options->argument_count == 0)
        return complain(EXIT_USAGE, "record: give the application behind --");
    if (!find_recorder(&recorder))
        status = complain(EXIT_ENVIRONMENT, "record: no %s", text_string(&recorder));
    else if (!(recording = make_recording(&file)))
        status = complain(EXIT_ENVIRONMENT, "record: no shared memory: %s", strerror(errno));
    else if (!run_application(options->arguments, text_string(&recorder), file, &end))
        status = complain(EXIT_ENVIRONMENT, "record: no process: %s", strerror(errno));
    else if (WIFEXITED(end) && WEXITSTATUS(end) == 127 && recording->processes == 0)
        status = EXIT_ENVIRONMENT;
    else if (recording->processes == 0)
        status = complain(EXIT_ENVIRONMENT,
                          "record: %s did not load the recorder: programs that are linked "
                          "statically or change their user cannot be recorded",
                          options->arguments[0]);
    else
        status = finish(options, recording, end);
    if (recording)
        (void)munmap(recording, sizeof *recording);
    if (file >= 0)
        (void)close(file);
    text_release(&recorder);
    return status;
}

const Command command_record = {
    .name = "record",
    .arguments = "[options] -- COMMAND [ARGUMENT...]",
    .summary = "Runs an application and writes its calls of the BLAS and of LAPACK as case lines, "
               "each once.\n"
               "Exit status 0 when they were written, however the application ended, which is "
               "told.",
    .example = "opconform record --out app.cases -- ./my_app && opconform fuzz --seeds app.cases",
    .options = rows,
    .takes_command = true,
    .run = run_record,
};
