/* opconform report: pages, and forms for other tools. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "reports/export.h"
#include "reports/files.h"
#include "reports/html/html.h"
#include "reports/store/statement.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "DIR", "where the pages go (report)"),
    OPTION("since", TEXT, since, "DAY",
           "what counts as new: from a day as 2026-01-31, or from run N; the last night or run"),
    OPTION("junit", TEXT, junit, "FILE", "JUnit XML as well"),
    OPTION("sarif", TEXT, sarif, "FILE", "SARIF 2.1.0 as well"),
    OPTION("markdown", TEXT, markdown, "FILE", "open findings as text for an issue as well"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The time from which things are new; -1 for what is no day and no run. */
static int64_t parse_since(Store *store, const char *text)
{
    Text ignored = {0};
    Statement s =
        statement_begin(store_connection(store),
                        "SELECT coalesce(CASE WHEN ?1 IS NULL THEN coalesce((SELECT max(started) "
                        "FROM night), (SELECT "
                        "max(started) FROM run WHERE engine <> 'bisect'), 0) WHEN date(?1) = ?1 "
                        "THEN CAST(strftime('%s', ?1) AS INTEGER) "
                        "ELSE (SELECT started FROM run WHERE CAST(id AS TEXT) = ?1) END, -1)");
    statement_text(&s, text);
    int64_t since = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : -1;
    bool ok = statement_end(&s, "report", &ignored);
    text_release(&ignored);
    return ok ? since : -1;
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
            printf("%s\n", path);
    }
    text_release(&form);
    text_release(&error);
    return status;
}

static int run_report(Options *options)
{
    const char *folder = options->out ? options->out : "report";
    Text error = {0}, artifacts = {0};
    int status = EXIT_CLEAN;
    if (options->argument_count > 0)
        return complain(EXIT_USAGE, "report: unexpected argument '%s'", options->arguments[0]);
    Store *store = options_store(options, STORE_READ);
    if (!store)
        return EXIT_ENVIRONMENT;
    int64_t since = parse_since(store, options->since);
    put_folder(&artifacts, options_database(options));
    if (since < 0)
        status = complain(EXIT_USAGE,
                          "report: --since %s: expected a day as 2026-01-31, or the number "
                          "of a run (opconform query runs)",
                          options->since);
    else if (!html_write_report(store, folder, text_string(&artifacts), since, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else
        printf("%s/index.html\n", folder);
    if (status == EXIT_CLEAN)
        status = write_forms(options, store, since);
    store_close(store);
    text_release(&error);
    text_release(&artifacts);
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
