/* opconform reproduce: programs that show a finding with nothing but the library. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "fuzz/campaign/record.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "oracle/symptom.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/store/signature.h"
#include "reports/store/statement.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR", "where the program goes"),
    OPTION("backend", BACKENDS, backend, "NAME",
           "library that a line is for, or a finding instead of its own"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("harness", FLAG, harness, NULL, "checks all that the tool checks, in a child process"),
    OPTION("right", FLAG, right, NULL,
           "the same program with right results in place of the call, which must end with 0"),
    OPTION("json", FLAG, json, NULL, "the path, and what is said of the program, as one object"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The source of a program: a finding, or a line and a backend of the user's.  symptom is what the
 * finding shows, or empty. */
typedef struct Subject {
    Text line, backend, title, symptom;
    char name[64]; /* of the program, without its ending */
} Subject;

/* Runs the case in isolation, for its worst element: a few times until it shows the symptom, since
 * a kernel that overwrites memory does not show the same each time. */
static void run_case(Checker *checker, const Case *c, const char *symptom, CheckResult *result)
{
    enum { TRIES = 5 };
    const uint64_t deadline = 5000000000u;
    bool shown = false;
    capture_open();
    for (int i = 0; i < TRIES && !shown; i++) {
        capture_begin();
        isolated_run(checker, c, 0, deadline, result);
        capture_end();
        shown = !symptom[0] ||
                !strcmp(symptom_name(symptom_of(&result->judgement, result->detail)), symptom);
    }
}

/* Opens the backend, runs the case, and writes the program and its name. */
static int write_program(const Options *options, Subject *subject, FindingProgram *written,
                         Text *error)
{
    const char *names[] = {subject->backend.data, NULL};
    Checker checker = {0};
    Case c;
    CheckResult result;
    if (!case_parse(&c, subject->line.data, error))
        return EXIT_USAGE;
    if (!checker_open(&checker, blackbox_create(), names, error))
        return EXIT_ENVIRONMENT;
    const Backend *backend = &checker.backends[0];
    run_case(&checker, &c, text_string(&subject->symptom), &result);
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
    bool ok = reproduce_write_checked(&written->program, &input, error);
    checker_close(&checker);
    return ok ? EXIT_CLEAN : EXIT_ENVIRONMENT;
}

/* A case line, for the backend that is named. */
static int read_line_subject(const Options *options, Subject *subject, Text *error)
{
    const char *line = options->arguments[0];
    if (options->backend.count != 1) {
        text_put(error, "reproduce: a line needs one --backend");
        return EXIT_USAGE;
    }
    text_put(&subject->line, line);
    text_put(&subject->backend, options->backend.names[0]);
    text_printf(&subject->title, "%.*s on %s", (int)strcspn(line, "/"), line,
                options->backend.names[0]);
    (void)snprintf(subject->name, sizeof subject->name, "reproducer");
    return EXIT_CLEAN;
}

static bool read_symptom(Store *store, int64_t id, Text *symptom, Text *error)
{
    Statement s =
        statement_begin(store_connection(store), "SELECT symptom FROM finding WHERE id = ?1");
    statement_int(&s, id);
    if (statement_row(&s))
        text_put(symptom, statement_column(&s, 0));
    return statement_end(&s, "reproduce", error);
}

/* A finding of the database, or a line. */
static int read_subject(const Options *options, Subject *subject, Text *error)
{
    const char *argument = options->arguments[0];
    int64_t id;
    if (strchr(argument, ' '))
        return read_line_subject(options, subject, error);
    if (!parse_id(argument, &id)) {
        text_printf(error, "reproduce: '%s' is neither an id nor a line", argument);
        return EXIT_USAGE;
    }
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    bool known =
        store_get_finding(store, id, &subject->line, &subject->backend, &subject->title, error) &&
        read_symptom(store, id, &subject->symptom, error);
    store_close(store);
    if (known && options->backend.count == 1) {
        text_clear(&subject->backend);
        text_put(&subject->backend, options->backend.names[0]);
    }
    (void)snprintf(subject->name, sizeof subject->name, "finding-%lld", (long long)id);
    return known ? EXIT_CLEAN : EXIT_USAGE;
}

static int write_subject(const Options *options, FindingProgram *written, Text *error)
{
    Subject subject = {0};
    int status = read_subject(options, &subject, error);
    if (status == EXIT_CLEAN)
        status = write_program(options, &subject, written, error);
    Text *const used[] = {&subject.line, &subject.backend, &subject.title, &subject.symptom};
    for (size_t i = 0; i < COUNT_OF(used); i++)
        text_release(used[i]);
    return status;
}

int finding_program_write(const Options *options, int64_t finding, FindingProgram *written,
                          Text *error)
{
    char number[32];
    Options own = *options;
    /* The finding's own backend, whichever others may be opened. */
    own.backend.count = 0;
    (void)snprintf(number, sizeof number, "%lld", (long long)finding);
    own.arguments[0] = number;
    return write_subject(&own, written, error);
}

void finding_program_release(FindingProgram *written)
{
    reproduce_release(&written->program);
    text_release(&written->interpreter);
}

/* Writes DIR/name; complains and returns a status. */
static int write_file(const char *directory, const FindingProgram *written, Text *path)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    text_printf(path, "%s/%s", directory, text_string(&written->program.file));
    if (!file_write(text_string(path), &written->program.source, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return status;
}

static void print_said(const char *path, const ReproduceProgram *program)
{
    if (program->why.length)
        escape_print(stderr, "the harness: %s\n", text_string(&program->why));
    if (program->check.length)
        escape_print(stderr, "the program does not tell: %s\n", text_string(&program->check));
    escape_print(stdout, "%s\n", path);
}

static void print_json(const char *path, const ReproduceProgram *program)
{
    Text json = {0};
    text_put(&json, "{");
    json_put_member(&json, "path", path);
    json_put_member(&json, "harness", text_string(&program->why));
    json_put_member(&json, "does_not_tell", text_string(&program->check));
    escape_print(stdout, "%s}\n", text_string(&json));
    text_release(&json);
}

/* The folder is made first: to run a program of a framework may take a minute on a busy machine,
 * which would be lost. */
static int run_reproduce(Options *options)
{
    FindingProgram written = {0};
    Text path = {0}, error = {0};
    const char *directory = options->out ? options->out : ".";
    if (options->argument_count != 1)
        return complain(EXIT_USAGE, "reproduce: give one id, or one line with --backend");
    int status = folder_make(directory, &error) ? write_subject(options, &written, &error)
                                                : EXIT_ENVIRONMENT;
    if (error.length)
        (void)complain(status, "%s", text_string(&error));
    if (status == EXIT_CLEAN)
        status = write_file(directory, &written, &path);
    if (status == EXIT_CLEAN && options->json)
        print_json(text_string(&path), &written.program);
    else if (status == EXIT_CLEAN)
        print_said(text_string(&path), &written.program);
    finding_program_release(&written);
    text_release(&path);
    text_release(&error);
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
