/* opconform issue: the text of a report upstream. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "reports/bug_sheet.h"
#include "reports/files.h"
#include "reports/issue.h"
#include "reports/reproduce/program_run.h"
#include "reports/store/bug.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "FILE", "where the text goes; standard output by default"),
    OPTION("backend", NAMES, backend, "LIST", "code of yours that may be opened: kernel@..."),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("force", FLAG, force, NULL,
           "also for conventions, what is known upstream, not minimal or not there each time"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Appends what the program prints and how it ends; nothing where it cannot be built or run. */
static void run_program(const FindingProgram *written, Text *output)
{
    const char *interpreter =
        written->program.in_python ? text_string(&written->interpreter) : NULL;
    int status = program_run(text_string(&written->program.file), &written->program.source,
                             interpreter, output);
    if (status < 0)
        text_clear(output);
    else
        text_printf(output, "exit status: %d\n", status);
}

static int write_issue(const Options *options, Store *store, int64_t bug, Text *issue)
{
    FindingProgram written = {0};
    Text output = {0}, error = {0};
    int64_t finding = 0;
    int status = EXIT_CLEAN;
    if (bug_sheet_finding(store, bug, &finding, &error))
        status = finding_program_write(options, finding, &written);
    if (status == EXIT_CLEAN && error.length == 0) {
        run_program(&written, &output);
        IssueProgram program = {text_string(&written.program.file),
                                text_string(&written.program.source), text_string(&output)};
        (void)!issue_put(issue, store, bug, &program, &error);
    }
    if (error.length > 0)
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    finding_program_release(&written);
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
