/* opconform report: pages, and forms for other tools. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "ops/backend/trust.h"
#include "reports/day.h"
#include "reports/export.h"
#include "reports/files.h"
#include "reports/html/chart.h"
#include "reports/html/html.h"
#include "reports/store/statement.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR", "where the pages go (report)"),
    OPTION("since", TEXT, since, "DAY",
           "what counts as new: from a day as 2026-01-31, or from run N; the last night or run"),
    OPTION("junit", TEXT, junit, "FILE", "JUnit XML as well"),
    OPTION("sarif", TEXT, sarif, "FILE", "SARIF 2.1.0 as well"),
    OPTION("markdown", TEXT, markdown, "FILE", "open findings as text for an issue as well"),
    OPTION("time", DURATION, seconds, "T", "for the programs of bugs that have none yet (60s)"),
    OPTION("backend", BACKENDS, backend, "LIST",
           "libraries at places of their own that may be opened: cblas@/path/lib.so"),
    OPTION("no-programs", FLAG, no_programs, NULL, "writes none"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* When the last night began, or the last run; or the run of that number.  -1 for a number of none.
 */
static const char night_sql[] = "SELECT coalesce((SELECT max(started) FROM night), "
                                "(SELECT max(started) FROM run WHERE engine <> 'bisect'), 0)";
static const char run_sql[] =
    "SELECT coalesce((SELECT started FROM run WHERE CAST(id AS TEXT) = ?1), -1)";

static bool find_run(Store *store, const char *number, int64_t *started, Text *error)
{
    Statement s = statement_begin(store_connection(store), number ? run_sql : night_sql);
    if (number)
        statement_text(&s, number);
    *started = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : -1;
    return statement_end(&s, "report", error);
}

/* The time from which things are new, by the text of --since, a run or a day, or NULL. */
static int parse_since(Store *store, const char *text, int64_t *since)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    if (!find_run(store, text, since, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (*since < 0 && !day_parse(text, since, &error))
        status = complain(EXIT_USAGE,
                          "report: --since %s, or the number of a run (opconform query runs)",
                          text_string(&error));
    text_release(&error);
    return status;
}

/* The folder of a file, "." where it has none. */
static void put_folder(Text *folder, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash)
        text_append(folder, path, (size_t)(slash - path));
    else
        text_put(folder, ".");
}

static int write_forms(const Options *options, Store *store, int64_t since)
{
    Text form = {0}, error = {0};
    int status = EXIT_CLEAN;
    for (int i = 0; i < 3 && status == EXIT_CLEAN; i++) {
        const char *path = i == 0 ? options->junit : i == 1 ? options->sarif : options->markdown;
        if (!path)
            continue;
        text_clear(&form);
        bool ok = i == 0   ? export_junit(store, &form, &error)
                  : i == 1 ? export_sarif(store, since, &form, &error)
                           : export_markdown(store, &form, &error);
        if (!ok || !file_write(path, &form, &error))
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
        if (status == EXIT_CLEAN)
            escape_print(stdout, "%s\n", path);
    }
    text_release(&form);
    text_release(&error);
    return status;
}

/* Writes the program of one finding into the folder; false where there is none, or where it does
 * not tell the library from a right one. */
static bool write_program(const Options *options, int64_t finding, const char *folder)
{
    FindingProgram written = {0};
    Text path = {0}, error = {0};
    bool ok = finding_program_write(options, finding, &written, &error) == EXIT_CLEAN &&
              !written.program.check.length;
    text_printf(&path, "%s/%s", folder, text_string(&written.program.file));
    ok = ok && file_write(text_string(&path), &written.program.source, &error);
    finding_program_release(&written);
    text_release(&path);
    text_release(&error);
    return ok;
}

static bool is_program(const char *name)
{
    static const char prefix[] = "finding-";
    size_t start = strlen(prefix);
    if (strncmp(name, prefix, start) != 0)
        return false;
    const char *ending = name + start + strspn(name + start, "0123456789");
    return ending > name + start && is_program_ending(ending);
}

/* Removes what another report has left under the names of programs. */
static void remove_programs(const char *folder)
{
    Text path = {0};
    text_printf(&path, "%s/programs", folder);
    DIR *programs = opendir(text_string(&path));
    for (struct dirent *entry; programs && (entry = readdir(programs));)
        if (is_program(entry->d_name))
            (void)unlinkat(dirfd(programs), entry->d_name, 0);
    if (programs)
        (void)closedir(programs);
    text_release(&path);
}

/* Bugs whose pages have no program. */
typedef struct Missing {
    int64_t late, none; /* there was no time left; none can be written here that tells */
    int64_t closed;     /* the library is not opened, since only the database names it */
} Missing;

static bool may_be_opened(const char *backend)
{
    Text refusal = {0};
    bool allowed = trust_allows(backend, &refusal);
    text_release(&refusal);
    return allowed;
}

/* Programs for the bugs' pages, the worst bugs' first, as long as there is time.  A night has
 * written those of its findings. */
static Missing write_programs(const Options *options, Store *store, const char *folder)
{
    const double usual_seconds = 60;
    double seconds = options->seconds > 0 ? options->seconds : usual_seconds;
    uint64_t started = clock_nanoseconds();
    Missing missing = {0};
    Text programs = {0}, error = {0};
    text_printf(&programs, "%s/programs", folder);
    bool ok = folder_make(folder, &error) && folder_make(text_string(&programs), &error);
    Statement s = statement_begin(
        store_connection(store),
        "SELECT b.finding, f.backend FROM v_open_bug b JOIN finding f ON f.id = b.finding WHERE "
        "b.severity < 7 AND NOT f.flaky AND f.op <> '" STORE_WHOLE
        "' AND f.min_line IS NOT NULL AND NOT EXISTS (SELECT 1 FROM artifact a "
        "WHERE a.finding = f.id AND a.kind = 'reproducer') ORDER BY b.severity, b.id");
    while (ok && statement_row(&s)) {
        double used = (double)(clock_nanoseconds() - started) / 1e9;
        if (!may_be_opened(statement_column(&s, 1)))
            missing.closed++;
        else if (used >= seconds)
            missing.late++;
        else if (!write_program(options, sqlite3_column_int64(s.statement, 0),
                                text_string(&programs)))
            missing.none++;
    }
    (void)!statement_end(&s, "report", &error);
    text_release(&programs);
    text_release(&error);
    return missing;
}

static void print_missing(const Missing *missing)
{
    if (missing->late > 0)
        escape_print(stderr, "%lld bugs have no program on their page: --time was over\n",
                     (long long)missing->late);
    if (missing->closed > 0)
        escape_print(stderr,
                     "%lld bugs have no program on their page: only the database names their "
                     "libraries; --backend opens them\n",
                     (long long)missing->closed);
    if (missing->none > 0)
        escape_print(stderr,
                     "%lld bugs have no program on their page: none that tells could be written "
                     "here; opconform reproduce FINDING says why\n",
                     (long long)missing->none);
}

static int write_all(const Options *options, Store *store, int64_t since)
{
    const char *folder = options->out ? options->out : "report";
    Text error = {0}, artifacts = {0};
    Missing missing = {0};
    bool charts = true;
    int status = EXIT_CLEAN;
    remove_programs(folder);
    if (!options->no_programs)
        missing = write_programs(options, store, folder);
    put_folder(&artifacts, options_database(options));
    if (!html_write_report(store, folder, text_string(&artifacts), since, &charts, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        escape_print(stdout, "%s/index.html\n", folder);
    print_missing(&missing);
    if (status == EXIT_CLEAN && !charts)
        (void)complain(0, "report: tables stand for charts: install libjs-chart.js, or put "
                          "Chart.js's " CHART_FILE " into the folder");
    text_release(&error);
    text_release(&artifacts);
    return status == EXIT_CLEAN ? write_forms(options, store, since) : status;
}

static int run_report(Options *options)
{
    int64_t since;
    if (options->argument_count > 0)
        return complain(EXIT_USAGE, "report: unexpected argument '%s'", options->arguments[0]);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    int status = parse_since(store, options->since, &since);
    if (status == EXIT_CLEAN)
        status = write_all(options, store, since);
    store_close(store);
    return status;
}

const Command command_report = {
    .name = "report",
    .arguments = "--out DIR [options]",
    .summary = "Writes pages of findings, coverage and speed; JUnit, SARIF or Markdown as well.",
    .example = "opconform report --out report --sarif findings.sarif",
    .options = rows,
    .run = run_report,
};
