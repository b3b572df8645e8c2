/* opconform issue: the text of a report upstream. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "command.h"
#include "reference/template.h"
#include "reports/bug_sheet.h"
#include "reports/files.h"
#include "reports/issue.h"
#include "reports/reproduce/program_run.h"
#include "reports/store/bug.h"
#include "reports/store/statement.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "FILE", "where the text goes; standard output by default"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "libraries at places of their own that may be opened: cblas@/path/lib.so"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("force", FLAG, force, NULL,
           "also for conventions, what is known upstream, not minimal or not there each time"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* What the program and the machine say, for an IssueProgram. */
typedef struct Evidence {
    Text output, compiler, python, collected;
} Evidence;

/* Appends the first line that a command prints, where it ends well. */
static void put_first_line(Text *to, const char *command)
{
    Text output = {0};
    if (command_run(command, &output) == 0)
        text_append(to, text_string(&output), strcspn(text_string(&output), "\n"));
    text_release(&output);
}

/* Appends what the project's command prints, as a block of code. */
static void collect(const IssueProject *project, const char *interpreter, Text *to)
{
    Text command = {0}, output = {0};
    const TemplateValue values[] = {{"PYTHON", interpreter, 0}, {0}};
    if (!project->collect.length || !interpreter[0])
        return;
    template_put(&command, text_string(&project->collect), values);
    if (command_run(text_string(&command), &output) == 0)
        text_printf(to, "```\n%s```", text_string(&output));
    text_release(&command);
    text_release(&output);
}

/* Runs the program as the project wants it, and asks for versions.  The output stays empty where
 * the program cannot be built or run. */
static void gather(Evidence *evidence, const FindingProgram *written, const IssueProject *project)
{
    const char *interpreter = text_string(&written->interpreter);
    const char *file = text_string(&written->program.file);
    Text command = {0};
    if (written->program.in_python)
        text_printf(&command, "%s %s", interpreter, file);
    else
        text_put(&command, text_string(&written->program.command));
    int status =
        program_run(file, &written->program.source, text_string(&command),
                    project->run.length ? text_string(&project->run) : NULL, &evidence->output);
    if (status < 0)
        text_clear(&evidence->output);
    else
        text_printf(&evidence->output, "exit status: %d\n", status);
    if (!written->program.in_python)
        put_first_line(&evidence->compiler,
                       written->program.in_cpp ? "c++ --version" : "cc --version");
    if (interpreter[0]) {
        text_clear(&command);
        text_printf(&command, "%s -c 'import platform; print(platform.python_version())'",
                    interpreter);
        put_first_line(&evidence->python, text_string(&command));
    }
    text_release(&command);
    collect(project, interpreter, &evidence->collected);
}

/* The library of a bug, to choose its project by. */
static void put_library(Store *store, int64_t bug, Text *library)
{
    Text ignored = {0};
    Statement s =
        statement_begin(store_connection(store), "SELECT library FROM v_bug WHERE id = ?1");
    statement_int(&s, bug);
    if (statement_row(&s))
        text_put(library, statement_column(&s, 0));
    (void)!statement_end(&s, "issue", &ignored);
    text_release(&ignored);
}

/* The text of the bug with this program. */
static bool put_issue(Text *issue, Store *store, int64_t bug, const FindingProgram *written,
                      const IssueProject *project, Text *error)
{
    Evidence evidence = {0};
    struct utsname machine = {0};
    (void)uname(&machine);
    gather(&evidence, written, project);
    const IssueProgram program = {.file = text_string(&written->program.file),
                                  .source = text_string(&written->program.source),
                                  .function = text_string(&written->program.function),
                                  .output = text_string(&evidence.output),
                                  .check = text_string(&written->program.check),
                                  .compiler = text_string(&evidence.compiler),
                                  .python = text_string(&evidence.python),
                                  .architecture = machine.machine,
                                  .collected = text_string(&evidence.collected)};
    bool ok = issue_put(issue, store, bug, &program, project, error);
    Text *const used[] = {&evidence.output, &evidence.compiler, &evidence.python,
                          &evidence.collected};
    for (size_t i = 0; i < COUNT_OF(used); i++)
        text_release(used[i]);
    return ok;
}

static int write_issue(const Options *options, Store *store, int64_t bug, Text *issue)
{
    FindingProgram written = {0};
    IssueProject project;
    Text library = {0}, error = {0};
    int64_t finding = 0;
    int status = EXIT_CLEAN;
    put_library(store, bug, &library);
    issue_project_find(text_string(&library), &project);
    if (bug_sheet_finding(store, bug, &finding, &error))
        status = finding_program_write(options, finding, &written, &error);
    if (status == EXIT_CLEAN && error.length == 0 &&
        put_issue(issue, store, bug, &written, &project, &error) && project.link.length)
        escape_print(stderr, "to report at %s\n", text_string(&project.link));
    if (written.program.check.length)
        escape_print(stderr, "the program does not tell: %s\n",
                     text_string(&written.program.check));
    if (error.length > 0)
        status =
            complain(status == EXIT_CLEAN ? EXIT_ENVIRONMENT : status, "%s", text_string(&error));
    finding_program_release(&written);
    issue_project_release(&project);
    text_release(&library);
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
        escape_print(stdout, "%s", text_string(&issue));
    else if (status == EXIT_CLEAN && !file_write(options->out, &issue, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&issue);
    text_release(&error);
    return status;
}

const Command command_issue = {
    .name = "issue",
    .arguments = "BUG [options]",
    .summary =
        "Writes what to report upstream of a bug, in Markdown and in the form that its project\n"
        "asks for: title, program, its output, expectation and reason, versions and\n"
        "environment, what else is affected.\n"
        "Refuses conventions, and what is known upstream, not minimal yet or not there each "
        "time.",
    .example = "opconform issue 3 --out issue.md",
    .options = rows,
    .run = run_issue,
};
