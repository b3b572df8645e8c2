/* Names that are made of the number of a shard and of their count. */
#include "shard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/files.h"

void shard_path(const char *folder, int shard, int shards, ShardFile file, Text *path)
{
    static const char *const below[] = {"", "", "", "work/", "work/"};
    static const char *const endings[] = {".db", ".part.db", ".cases", ".lock", ""};
    text_printf(path, "%s/%sshard-%05d-of-%05d%s", folder, below[file], shard, shards,
                endings[file]);
}

bool shard_has(const char *folder, int shard, int shards, ShardFile file)
{
    Text path = {0};
    shard_path(folder, shard, shards, file, &path);
    bool has = access(text_string(&path), F_OK) == 0;
    text_release(&path);
    return has;
}

/* Empty files say it by their names, so that nobody reads half of them. */
static const char mark[] = "shards-", plan_begin[] = "dealt-by-";

/* Fills the number of shards, 0 for none, and the mark of the plan. */
static bool read_marks(const char *folder, int *shards, uint64_t *plan, Text *error)
{
    DIR *names = opendir(folder);
    *shards = 0;
    *plan = 0;
    if (!names && errno != ENOENT) {
        text_printf(error, "%s: %s", folder, strerror(errno));
        return false;
    }
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        if (!strncmp(entry->d_name, mark, sizeof mark - 1)) {
            long count = strtol(entry->d_name + sizeof mark - 1, NULL, 10);
            *shards = count > 0 && count <= SHARDS_MAX ? (int)count : 0;
        }
        if (!strncmp(entry->d_name, plan_begin, sizeof plan_begin - 1))
            *plan = strtoull(entry->d_name + sizeof plan_begin - 1, NULL, 16);
    }
    if (names)
        (void)closedir(names);
    return true;
}

bool fleet_count(const char *folder, int *shards, Text *error)
{
    uint64_t plan;
    return read_marks(folder, shards, &plan, error);
}

static bool put_mark(const char *folder, const Text *name, Text *error)
{
    Text path = {0};
    text_printf(&path, "%s/%s", folder, text_string(name));
    int file = open(text_string(&path), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (file < 0)
        text_printf(error, "%s: %s", text_string(&path), strerror(errno));
    else
        (void)close(file);
    text_release(&path);
    return file >= 0;
}

/* The plan's comes first, so that nobody finds the number of shards without it. */
static bool put_marks(const char *folder, int shards, uint64_t plan, Text *error)
{
    Text name = {0};
    text_printf(&name, "%s%016llx", plan_begin, (unsigned long long)plan);
    bool ok = plan == 0 || put_mark(folder, &name, error);
    text_clear(&name);
    text_printf(&name, "%s%05d", mark, shards);
    ok = ok && put_mark(folder, &name, error);
    text_release(&name);
    return ok;
}

bool fleet_make(const char *folder, int shards, uint64_t plan, Text *error)
{
    Text work = {0};
    int before = 0;
    uint64_t planned = 0;
    text_printf(&work, "%s/work", folder);
    bool ok = folder_make(folder, error) && folder_make(text_string(&work), error) &&
              read_marks(folder, &before, &planned, error);
    if (ok && before != 0 && before != shards) {
        text_printf(error, "%s: this folder has shards of %d, not of %d: take another one", folder,
                    before, shards);
        ok = false;
    } else if (ok && (before != 0 || planned != 0) && planned != plan) {
        text_printf(error, "%s: this folder has shards %s: take another one", folder,
                    planned ? "of another plan (--plan)" : "that were dealt without a plan");
        ok = false;
    }
    text_release(&work);
    return ok && (before == shards || put_marks(folder, shards, plan, error));
}
