/* opconform query: reads the database. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "reports/query.h"

static const OptionRow rows[] = {
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
    .options = rows,
    .run = run_query,
};
