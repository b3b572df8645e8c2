/* opconform issue: the text of a report upstream. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "reference/child.h"
#include "reports/bug_sheet.h"
#include "reports/files.h"
#include "reports/issue.h"
#include "reports/store/bug.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "FILE", "where the text goes; standard output by default"),
    OPTION("backend", NAMES, backend, "LIST", "code of yours that may be opened: kernel@..."),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("force", FLAG, force, NULL,
           "also for conventions, what is known upstream, not minimal or not there each time"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The command that builds a program and runs it, from the top of the program. */
static void find_command(const char *file, const char *source, Text *command)
{
    const char *build = strstr(source, "build: ");
    if (build)
        text_append(command, build + 7, strcspn(build + 7, "\n"));
    else
        text_printf(command, "python3 %s", file);
}

typedef struct Run {
    const char *folder, *command;
} Run;

static int run_command(const void *context, int to)
{
    const Run *run = context;
    if (chdir(run->folder) != 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(to, STDERR_FILENO) < 0)
        return 127;
    (void)execlp("timeout", "timeout", "60", "sh", "-c", run->command, (char *)NULL);
    return 127;
}

/* Appends what the program prints and how it ends; nothing where it cannot be built or run. */
static void run_program(const char *file, const Text *source, Text *output)
{
    char folder[] = "/tmp/opconform-issue-XXXXXX";
    Text path = {0}, error = {0}, command = {0}, binary = {0};
    Child child = {0};
    if (!mkdtemp(folder))
        return;
    text_printf(&path, "%s/%s", folder, file);
    text_printf(&binary, "%s/a.out", folder);
    find_command(file, text_string(source), &command);
    Run run = {folder, text_string(&command)};
    if (file_write(text_string(&path), source, &error) && child_start(&child, run_command, &run)) {
        child_read_text(&child, output);
        int status = child_wait(&child);
        bool built = strstr(text_string(&command), "a.out") == NULL ||
                     access(text_string(&binary), X_OK) == 0;
        if (!built || strstr(text_string(output), "ModuleNotFoundError"))
            text_clear(output);
        else if (WIFEXITED(status))
            text_printf(output, "exit status: %d\n", WEXITSTATUS(status));
    }
    (void)unlink(text_string(&path));
    (void)unlink(text_string(&binary));
    (void)rmdir(folder);
    text_release(&path);
    text_release(&binary);
    text_release(&error);
    text_release(&command);
}

static int write_issue(const Options *options, Store *store, int64_t bug, Text *issue)
{
    Text file = {0}, source = {0}, output = {0}, error = {0};
    int64_t finding = 0;
    int status = EXIT_CLEAN;
    if (bug_sheet_finding(store, bug, &finding, &error))
        status = finding_put_program(options, finding, &file, &source);
    if (status == EXIT_CLEAN && error.length == 0) {
        run_program(text_string(&file), &source, &output);
        IssueProgram program = {text_string(&file), text_string(&source), text_string(&output)};
        (void)!issue_put(issue, store, bug, &program, &error);
    }
    if (error.length > 0)
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&file);
    text_release(&source);
    text_release(&output);
    text_release(&error);
    return status;
}

/* The bug that a number means where there is one to report; a status. */
static int find_bug(const Options *options, Store *store, int64_t *bug)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    *bug = bugs_find(store, *bug, &error);
    const char *objection = *bug ? issue_objection(store, *bug, &error) : NULL;
    if (error.length > 0)
        status = complain(EXIT_USAGE, "%s", text_string(&error));
    else if (objection && !options->force)
        status = complain(EXIT_USAGE, "issue: bug %lld is nothing to report: %s; --force writes it",
                          (long long)*bug, objection);
    text_release(&error);
    return status;
}

static int run_issue(Options *options)
{
    int64_t bug = 0;
    Text issue = {0}, error = {0};
    if (options->argument_count != 1 || !parse_id(options->arguments[0], &bug))
        return complain(EXIT_USAGE, "issue: give the number of one bug");
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    int status = find_bug(options, store, &bug);
    if (status == EXIT_CLEAN)
        status = write_issue(options, store, bug, &issue);
    store_close(store);
    if (status == EXIT_CLEAN && !options->out)
        printf("%s", text_string(&issue));
    else if (status == EXIT_CLEAN && !file_write(options->out, &issue, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&issue);
    text_release(&error);
    return status;
}

const Command command_issue = {
    .name = "issue",
    .arguments = "BUG [options]",
    .summary = "Writes what to report upstream of a bug, in Markdown: title, program, its output,\n"
               "expectation and reason, versions and environment, what else is affected.\n"
               "Refuses conventions, and what is known upstream, not minimal yet or not there each "
               "time.",
    .example = "opconform issue 3 --out issue.md",
    .options = rows,
    .run = run_issue,
};
