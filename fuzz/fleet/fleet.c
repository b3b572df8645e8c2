/* Reads what shards have published, and what campaigns under way write beside their databases. */
#include "fleet.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "reports/files.h"
#include "reports/store/statement.h"
#include "shard.h"

/* Seconds after which one that says nothing is thought to work no longer. */
enum { SILENCE = 60 };

const char *const shard_state_names[STATES] = {"published", "working", "stopped", "waiting"};

static bool read_published(const char *path, ShardFacts *facts, Text *error)
{
    Store *store = store_open(path, STORE_READ, error);
    if (!store)
        return false;
    Statement s = statement_begin(store_connection(store),
                                  "SELECT sum(cases), sum(executions), sum(seconds), (SELECT "
                                  "count(*) FROM finding) FROM run");
    if (statement_row(&s)) {
        facts->cases = sqlite3_column_int64(s.statement, 0);
        facts->executions = sqlite3_column_int64(s.statement, 1);
        facts->seconds = sqlite3_column_double(s.statement, 2);
        facts->findings = sqlite3_column_int64(s.statement, 3);
    }
    bool ok = statement_end(&s, path, error);
    store_close(store);
    return ok;
}

/* The number behind a name at the beginning of a line, 0 where there is none. */
static double stats_number(const char *lines, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = lines; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!strncmp(at, name, length) && at[length] == '=')
            return strtod(at + length + 1, NULL);
    }
    return 0;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Adds a file of --stats.  One that was written before the shard was stopped says nothing of now.
 */
static void add_stats(const char *path, const struct timespec *stopped, ShardFacts *facts)
{
    Text lines = {0}, ignored = {0};
    struct stat about;
    if (stat(path, &about) == 0 && file_read(path, &lines, &ignored)) {
        const char *text = text_string(&lines);
        facts->cases += (int64_t)stats_number(text, "cases");
        facts->executions += (int64_t)stats_number(text, "executions");
        facts->findings += (int64_t)stats_number(text, "findings");
        facts->seconds += stats_number(text, "time");
        if (time(NULL) - about.st_mtime < SILENCE && is_later(&about.st_mtim, stopped))
            facts->state = STATE_WORKING;
    }
    text_release(&lines);
    text_release(&ignored);
}

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && !strcmp(name + length - end, ending);
}

static void read_working(const char *path, const struct timespec *stopped, ShardFacts *facts)
{
    DIR *names = opendir(path);
    facts->state = names ? STATE_STOPPED : STATE_WAITING;
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        Text file = {0};
        text_printf(&file, "%s/%s", path, entry->d_name);
        if (has_ending(entry->d_name, ".stats"))
            add_stats(text_string(&file), stopped, facts);
        text_release(&file);
    }
    if (names)
        (void)closedir(names);
}

/* When the part was published that it left when it was stopped; 0: it left none. */
static struct timespec stop_time(const char *folder, int shard, int shards)
{
    Text path = {0};
    struct stat about;
    shard_path(folder, shard, shards, SHARD_PART, &path);
    bool there = stat(text_string(&path), &about) == 0;
    text_release(&path);
    return there ? about.st_mtim : (struct timespec){0};
}

bool shard_look(const char *folder, int shard, int shards, ShardFacts *facts, Text *error)
{
    Text path = {0};
    *facts = (ShardFacts){.state = STATE_PUBLISHED};
    bool done = shard_has(folder, shard, shards, SHARD_DONE), ok = true;
    shard_path(folder, shard, shards, done ? SHARD_DONE : SHARD_WORK, &path);
    if (done) {
        ok = read_published(text_string(&path), facts, error);
    } else {
        const struct timespec stopped = stop_time(folder, shard, shards);
        read_working(text_string(&path), &stopped, facts);
        if (facts->state == STATE_WAITING && stopped.tv_sec > 0)
            facts->state = STATE_STOPPED;
    }
    text_release(&path);
    return ok;
}

int fleet_put_missing(const char *folder, int shards, Text *list)
{
    int missing = 0, first = -1;
    for (int i = 0; i <= shards; i++) {
        bool out = i < shards && !shard_has(folder, i, shards, SHARD_DONE);
        missing += out;
        if (out && first < 0)
            first = i;
        if (out || first < 0)
            continue;
        text_printf(list, "%s%d", list->length > 0 ? "," : "", first);
        if (i - 1 > first)
            text_printf(list, "-%d", i - 1);
        first = -1;
    }
    return missing;
}

int fleet_find(const Options *options, const char **folder, int *shards)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    *folder = options->out ? options->out : "fleet";
    if (!fleet_count(*folder, shards, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (*shards == 0)
        status = complain(EXIT_ENVIRONMENT, "%s: no shard was begun here: name the folder by --out",
                          *folder);
    text_release(&error);
    return status;
}
