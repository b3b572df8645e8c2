/* opconform reproduce: programs that show a finding with nothing but the library. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "fuzz/campaign/record.h"
#include "fuzz/check/isolate.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/store/signature.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR", "where the program goes"),
    OPTION("backend", NAMES, backend, "NAME",
           "library that a line is for, or a finding instead of its own"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("harness", FLAG, harness, NULL, "checks all that the tool checks, in a child process"),
    OPTION("right", FLAG, right, NULL,
           "the same program with right results in place of the call, which must end with 0"),
    OPTION("json", FLAG, json, NULL, "the path, and what is said of the program, as one object"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The source of a program: a finding, or a line and a backend of the user's. */
typedef struct Subject {
    Text line, backend, title;
    char name[64]; /* of the program, without ".c" or ".py" */
} Subject;

/* Opens the backend, runs the case once in isolation for its worst element, and writes the program
 * and its name. */
static int write_program(const Options *options, Subject *subject, FindingProgram *written)
{
    const char *names[] = {subject->backend.data, NULL};
    Text error = {0};
    Checker checker = {0};
    Case c;
    int status = EXIT_CLEAN;
    if (!case_parse(&c, subject->line.data, &error) ||
        !checker_open(&checker, blackbox_create(), names, &error)) {
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    } else {
        CheckResult result;
        const Backend *backend = &checker.backends[0];
        isolated_run(&checker, &c, 0, 5000000000u, &result);
        if (backend->kind->put_interpreter)
            backend->kind->put_interpreter(backend, &written->interpreter);
        ReproduceInput input = {
            .title = subject->title.data,
            .name = subject->name,
            .c = &c,
            .backend = backend,
            .output = result.output,
            .judgement = &result.judgement,
            .detail = result.detail,
            .locked = !strncmp(result.detail, INPUT_WRITTEN, strlen(INPUT_WRITTEN)),
            .harness = options->harness,
            .right = options->right,
        };
        if (!reproduce_write_checked(&written->program, &input, &error))
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
        checker_close(&checker);
    }
    text_release(&error);
    return status;
}

static int read_subject(Options *options, Subject *subject)
{
    const char *argument = options->arguments[0];
    Text error = {0};
    int status = EXIT_CLEAN;
    int64_t id;
    if (strchr(argument, ' ')) {
        if (options->backend.count != 1)
            return complain(EXIT_USAGE, "reproduce: a line needs one --backend");
        text_printf(&subject->line, "%s", argument);
        text_printf(&subject->backend, "%s", options->backend.names[0]);
        text_printf(&subject->title, "%.*s on %s", (int)strcspn(argument, "/"), argument,
                    options->backend.names[0]);
        (void)snprintf(subject->name, sizeof subject->name, "reproducer");
        return EXIT_CLEAN;
    }
    if (!parse_id(argument, &id))
        return complain(EXIT_USAGE, "reproduce: '%s' is neither an id nor a line", argument);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    if (!store_get_finding(store, id, &subject->line, &subject->backend, &subject->title, &error))
        status = complain(EXIT_USAGE, "%s", text_string(&error));
    store_close(store);
    if (status == EXIT_CLEAN && options->backend.count == 1) {
        text_clear(&subject->backend);
        text_put(&subject->backend, options->backend.names[0]);
    }
    text_release(&error);
    (void)snprintf(subject->name, sizeof subject->name, "finding-%lld", (long long)id);
    return status;
}

static int write_subject(Options *options, FindingProgram *written)
{
    Subject subject = {0};
    int status = read_subject(options, &subject);
    if (status == EXIT_CLEAN)
        status = write_program(options, &subject, written);
    text_release(&subject.line);
    text_release(&subject.backend);
    text_release(&subject.title);
    return status;
}

int finding_program_write(const Options *options, int64_t finding, FindingProgram *written)
{
    char number[32];
    Options own = *options;
    (void)snprintf(number, sizeof number, "%lld", (long long)finding);
    own.arguments[0] = number;
    return write_subject(&own, written);
}

void finding_program_release(FindingProgram *written)
{
    reproduce_release(&written->program);
    text_release(&written->interpreter);
}

/* Writes DIR/name, making DIR; complains and returns a status. */
static int write_file(const char *directory, const FindingProgram *written, Text *path)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    text_printf(path, "%s/%s", directory, text_string(&written->program.file));
    if (!folder_make(directory, &error) ||
        !file_write(text_string(path), &written->program.source, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return status;
}

static void print_said(const char *path, const ReproduceProgram *program)
{
    if (program->why.length)
        (void)fprintf(stderr, "the harness: %s\n", text_string(&program->why));
    if (program->check.length)
        (void)fprintf(stderr, "the program does not tell: %s\n", text_string(&program->check));
    printf("%s\n", path);
}

static void print_json(const char *path, const ReproduceProgram *program)
{
    Text json = {0};
    text_put(&json, "{");
    json_put_member(&json, "path", path);
    json_put_member(&json, "harness", text_string(&program->why));
    json_put_member(&json, "does_not_tell", text_string(&program->check));
    printf("%s}\n", text_string(&json));
    text_release(&json);
}

static int run_reproduce(Options *options)
{
    FindingProgram written = {0};
    Text path = {0};
    if (options->argument_count != 1)
        return complain(EXIT_USAGE, "reproduce: give one id, or one line with --backend");
    int status = write_subject(options, &written);
    if (status == EXIT_CLEAN)
        status = write_file(options->out ? options->out : ".", &written, &path);
    if (status == EXIT_CLEAN && options->json)
        print_json(text_string(&path), &written.program);
    else if (status == EXIT_CLEAN)
        print_said(text_string(&path), &written.program);
    finding_program_release(&written);
    text_release(&path);
    return status;
}

const Command command_reproduce = {
    .name = "reproduce",
    .arguments = "ID|LINE --out DIR [options]",
    .summary =
        "Writes a program, in C or Python, that shows a finding with nothing but the library and\n"
        "exits with 1 while the bug is there; a longer one with --harness.  It is run first: with\n"
        "the library, and with right results in place of the call.",
    .example = "opconform reproduce 3 --out .",
    .options = rows,
    .run = run_reproduce,
};
