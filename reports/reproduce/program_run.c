/* The shell runs the commands that a reader would paste. */
#include "program_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/child.h"
#include "reports/files.h"

enum { NOT_ENDED = 124, NOT_STARTED = 127 }; /* statuses of timeout and of the shell */

typedef struct Run {
    const char *folder, *command;
} Run;

static int run_command(const void *context, int to)
{
    const Run *run = context;
    if (chdir(run->folder) != 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0)
        return NOT_STARTED;
    (void)execlp("timeout", "timeout", "60", "sh", "-c", run->command, (char *)NULL);
    return NOT_STARTED;
}

/* Runs the command in the folder, as program_run does a program's. */
static int run_in(const char *folder, const char *command, Text *output)
{
    Child child = {0};
    Run run = {folder, command};
    if (!child_start(&child, run_command, &run))
        return PROGRAM_NOT_BUILT;
    child_read_text(&child, output);
    int end = child_wait(&child);
    if (!WIFEXITED(end) || WEXITSTATUS(end) == NOT_STARTED)
        return PROGRAM_NOT_BUILT;
    return WEXITSTATUS(end) == NOT_ENDED ? PROGRAM_NOT_ENDED : WEXITSTATUS(end);
}

/* Removes what the compiler has left; true where that is no program. */
static bool is_missing(const char *folder, const char *command)
{
    static const char *const names[] = {"a.out", "reproducer"};
    Text path = {0};
    bool wanted = false, there = false;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        text_clear(&path);
        text_printf(&path, "%s/%s", folder, names[i]);
        wanted = wanted || strstr(command, names[i]);
        there = there || access(text_string(&path), X_OK) == 0;
        (void)unlink(text_string(&path));
    }
    text_release(&path);
    return wanted && !there;
}

int program_run(const char *file, const Text *source, const char *command, const char *variables,
                Text *output)
{
    char folder[] = PROGRAM_FOLDER "XXXXXX";
    Text path = {0}, error = {0}, line = {0};
    int status = PROGRAM_NOT_BUILT;
    if (!mkdtemp(folder))
        return status;
    text_printf(&path, "%s/%s", folder, file);
    text_printf(&line, "%s%s%s%s", variables ? "export " : "", variables ? variables : "",
                variables ? "; " : "", command);
    if (file_write(text_string(&path), source, &error))
        status = run_in(folder, text_string(&line), output);
    if (is_missing(folder, text_string(&line)) ||
        strstr(text_string(output), "ModuleNotFoundError"))
        status = PROGRAM_NOT_BUILT;
    (void)unlink(text_string(&path));
    (void)rmdir(folder);
    text_release(&path);
    text_release(&error);
    text_release(&line);
    return status;
}

int command_run(const char *command, Text *output)
{
    return run_in("/tmp", command, output);
}
