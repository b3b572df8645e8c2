/* opconform query, reproduce: commands that read the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "fuzz/campaign/record.h"
#include "fuzz/check/isolate.h"
#include "reports/files.h"
#include "reports/query.h"
#include "reports/reproduce/reproduce.h"
#include "reports/store/signature.h"

static const OptionRow query_options[] = {
    OPTION("sql", TEXT, sql, "TEXT", "one SELECT instead of a named query"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("json", FLAG, json, NULL, "an array of objects"),
    OPTION("csv", FLAG, csv, NULL, "comma-separated, with a heading"),
    OPTION("plain", FLAG, plain, NULL, "tab-separated, no heading"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

int print_query(const Options *options, const char *sql)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    if (!query_run(store, sql, options_format(options), stdout, &error))
        status = complain(EXIT_USAGE, "%s", text_string(&error));
    text_release(&error);
    store_close(store);
    return status;
}

static int refuse_query(const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    for (const QueryRow *row = query_rows; row->name; row++)
        nearest_offer(&nearest, row->name);
    return complain_unknown("query: unknown query", name, "opconform list queries", &nearest);
}

static int run_query(Options *options)
{
    const char *sql = options->sql;
    if ((options->argument_count == 1) == (sql != NULL))
        return complain(EXIT_USAGE, "query: give one name or --sql TEXT (opconform list queries)");
    if (!sql && !(sql = query_find(options->arguments[0])))
        return refuse_query(options->arguments[0]);
    return print_query(options, sql);
}

const Command command_query = {
    .name = "query",
    .arguments = "NAME|--sql TEXT [options]",
    .summary = "Canned views or SQL, read only.",
    .example = "opconform query open --json",
    .options = query_options,
    .run = run_query,
};

/* Writes DIR/name, making DIR; complains and returns a status. */
static int write_file(const char *directory, const char *name, const Text *content, Text *path)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    text_printf(path, "%s/%s", directory, name);
    if (!folder_make(directory, &error) || !file_write(text_string(path), content, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return status;
}

static const OptionRow reproduce_options[] = {
    OPTION("out", TEXT, out, "DIR", "where the program goes"),
    OPTION("backend", NAMES, backend, "NAME",
           "library that a line is for, or a finding instead of its own"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("harness", FLAG, harness, NULL, "checks all that the tool checks, in a child process"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The source of a program: a finding, or a line and a backend of the user's. */
typedef struct Subject {
    Text line, backend, title;
    char name[64]; /* of the program, without ".c" or ".py" */
    Text file;
} Subject;

/* Opens the backend, runs the case once in isolation for its worst element, writes the program and
 * names its file. */
static int write_reproducer(const Options *options, Subject *subject, Text *source, Text *note)
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
        isolated_run(&checker, &c, 0, 5000000000u, &result);
        bool script = checker.backends[0].kind->script != NULL;
        text_printf(&subject->file, "%s.%s", subject->name, script ? "py" : "c");
        ReproduceInput input = {
            .title = subject->title.data,
            .file = subject->file.data,
            .c = &c,
            .backend = &checker.backends[0],
            .output = result.output,
            .judgement = &result.judgement,
            .detail = result.detail,
            .locked = !strncmp(result.detail, INPUT_WRITTEN, strlen(INPUT_WRITTEN)),
            .harness = options->harness,
        };
        if (!reproduce_write(source, &input, note, &error))
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

static void release_subject(Subject *subject)
{
    text_release(&subject->line);
    text_release(&subject->backend);
    text_release(&subject->title);
    text_release(&subject->file);
}

int finding_put_program(const Options *options, int64_t finding, Text *file, Text *source)
{
    char number[32];
    Subject subject = {0};
    Text note = {0};
    Options own = *options;
    (void)snprintf(number, sizeof number, "%lld", (long long)finding);
    own.arguments[0] = number;
    int status = read_subject(&own, &subject);
    if (status == EXIT_CLEAN)
        status = write_reproducer(&own, &subject, source, &note);
    text_put(file, text_string(&subject.file));
    text_release(&note);
    release_subject(&subject);
    return status;
}

static int run_reproduce(Options *options)
{
    Subject subject = {0};
    Text source = {0}, path = {0}, note = {0};
    if (options->argument_count != 1)
        return complain(EXIT_USAGE, "reproduce: give one id, or one line with --backend");
    int status = read_subject(options, &subject);
    if (status == EXIT_CLEAN)
        status = write_reproducer(options, &subject, &source, &note);
    if (status == EXIT_CLEAN)
        status = write_file(options->out ? options->out : ".", subject.file.data, &source, &path);
    if (status == EXIT_CLEAN && note.length)
        (void)fprintf(stderr, "the harness: %s\n", text_string(&note));
    if (status == EXIT_CLEAN)
        printf("%s\n", text_string(&path));
    release_subject(&subject);
    text_release(&source);
    text_release(&path);
    text_release(&note);
    return status;
}

const Command command_reproduce = {
    .name = "reproduce",
    .arguments = "ID|LINE --out DIR [options]",
    .summary =
        "Writes a program, in C or Python, that shows a finding with nothing but the library and\n"
        "exits with 1 while the bug is there; a longer one with --harness.",
    .example = "opconform reproduce 3 --out .",
    .options = reproduce_options,
    .run = run_reproduce,
};
