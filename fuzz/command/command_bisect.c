/* opconform bisect: a finding on one version of a library after the other. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "command.h"
#include "ops/backend/library.h"
#include "reports/json.h"

enum { VERSIONS_MAX = 64, TRIES = 3 };

static const OptionRow rows[] = {
    OPTION("over", NAMES, backend, "LIST",
           "a library, for all its versions that are there, or backends from the oldest on"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("json", FLAG, json, NULL, "one JSON object per version"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* One version of a library, and what came of the case there. */
typedef struct Version {
    char name[600], version[64];
    bool known;
    int diverged;
} Version;

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(((const Version *)a)->version, ((const Version *)b)->version);
}

/* Adds a backend that can be opened, once for each version of it unless it was named itself. */
static bool add_version(Version *versions, int *count, const char *name, bool named)
{
    BackendFacts facts;
    Text ignored = {0};
    bool there = *count < VERSIONS_MAX && backend_probe(name, &facts, &ignored);
    for (int i = 0; there && !named && i < *count; i++)
        there = strcmp(versions[i].version, facts.version) != 0;
    text_release(&ignored);
    if (!there)
        return false;
    Version *version = &versions[(*count)++];
    *version = (Version){0};
    (void)snprintf(version->name, sizeof version->name, "%s", name);
    (void)snprintf(version->version, sizeof version->version, "%s", facts.version);
    return true;
}

/* Every version of a library: the system's, and those that were fetched into LIBRARY-VERSION. */
static void find_versions(Version *versions, int *count, const char *library)
{
    char folder[4096], name[600];
    size_t length = strlen(library);
    (void)add_version(versions, count, library, false);
    library_fetched_folder(folder, sizeof folder);
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, library, length) != 0 || entry->d_name[length] != '-')
            continue;
        (void)snprintf(name, sizeof name, "%s:%.200s", library, entry->d_name + length + 1);
        (void)add_version(versions, count, name, false);
    }
    if (entries)
        (void)closedir(entries);
    qsort(versions, (size_t)*count, sizeof *versions, compare_versions);
}

static bool collect_versions(const Options *options, Version *versions, int *count)
{
    *count = 0;
    if (options->backend.count == 1 && !strpbrk(options->backend.names[0], ":@"))
        find_versions(versions, count, options->backend.names[0]);
    for (int i = 0; options->backend.count > 1 && i < options->backend.count; i++)
        if (!add_version(versions, count, options->backend.names[i], true)) {
            (void)complain(0, "bisect: %s is not there (opconform doctor)",
                           options->backend.names[i]);
            return false;
        }
    if (*count < 2)
        (void)complain(
            0,
            "bisect: %d version is there, at least two are needed (make backends fetches "
            "some; --over NAME,NAME,... names them)",
            *count);
    return *count >= 2;
}

static void print_version(const Options *options, const Version *version)
{
    const char *verdict = !version->known              ? "not offered"
                          : version->diverged == 0     ? "good"
                          : version->diverged == TRIES ? "bad"
                                                       : "flaky";
    if (!options->json) {
        escape_print(stdout, "%-12s %-24s %s (%d of %d)\n", version->version, version->name,
                     verdict, version->diverged, TRIES);
        return;
    }
    Text json = {0};
    text_put(&json, "{");
    json_put_member(&json, "backend", version->name);
    json_put_member(&json, "version", version->version);
    json_put_member(&json, "verdict", verdict);
    json_put_integer(&json, "tries", TRIES);
    json_put_integer(&json, "diverged", version->diverged);
    escape_print(stdout, "%s}\n", text_string(&json));
    text_release(&json);
}

/* The last change from good to bad, or from bad to good, with nothing in between that is neither.
 */
static void print_range(const Options *options, const Version *versions, int count)
{
    const Version *before = NULL;
    for (int i = 0; i < count; i++) {
        const Version *version = &versions[i];
        if (!version->known || (version->diverged > 0 && version->diverged < TRIES))
            continue;
        if (before && (before->diverged > 0) != (version->diverged > 0) && !options->json)
            escape_print(stdout, "%s %s, %s %s\n", before->diverged ? "last bad" : "last good",
                         before->version, version->diverged ? "first bad" : "first good",
                         version->version);
        before = version;
    }
}

static int run_bisect(Options *options)
{
    static Version versions[VERSIONS_MAX];
    Text line = {0}, backend = {0}, signature = {0}, error = {0};
    int count, status = EXIT_CLEAN;
    int64_t id;
    if (options->argument_count != 1 || !parse_id(options->arguments[0], &id) ||
        options->backend.count == 0)
        return complain(EXIT_USAGE, "bisect: expected ID --over LIST");
    if (!collect_versions(options, versions, &count))
        return EXIT_ENVIRONMENT;
    Store *store = options_store(options, STORE_WRITE);
    if (!store)
        return EXIT_ENVIRONMENT;
    const RunRecord run = {text_string(&options->command_line), "bisect", 0, 1, NULL};
    if (!store_get_finding(store, id, &line, &backend, &signature, &error))
        status = complain(EXIT_USAGE, "%s", text_string(&error));
    else if (!store_begin_run(store, &run, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    for (int i = 0; status == EXIT_CLEAN && i < count; i++) {
        Version *v = &versions[i];
        v->known = again_count(text_string(&line), v->name, NULL, TRIES, &v->diverged);
        print_version(options, v);
        const OutcomeRecord outcome = {.finding = id,
                                       .backend = v->name,
                                       .version = v->version,
                                       .tries = TRIES,
                                       .diverged = v->diverged};
        if (v->known && !store_put_outcome(store, &outcome, &error))
            status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    }
    if (status == EXIT_CLEAN)
        print_range(options, versions, count);
    store_close(store);
    text_release(&line);
    text_release(&backend);
    text_release(&signature);
    text_release(&error);
    return status;
}

const Command command_bisect = {
    .name = "bisect",
    .arguments = "ID --over LIST [options]",
    .summary = "Runs a finding on every version of a library: which are good, which are bad.",
    .example = "opconform bisect 3 --over openblas",
    .options = rows,
    .run = run_bisect,
};
