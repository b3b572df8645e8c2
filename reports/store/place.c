/* Copies by SQLite's backup, which takes a database whole while others read it. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "reference/escape.h"

enum { ROOM = 32 << 20 }; /* bytes that a transaction and its log surely fit into */

static bool troubled;

bool store_had_trouble(void)
{
    return troubled;
}

/* What SQLite keeps beside a database. */
static void delete_logs(const char *path)
{
    static const char *const tails[] = {"-wal", "-shm", "-journal"};
    Text name = {0};
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        text_clear(&name);
        text_printf(&name, "%s%s", path, tails[i]);
        (void)unlink(text_string(&name));
    }
    text_release(&name);
}

void store_delete(const char *path)
{
    (void)unlink(path);
    delete_logs(path);
}

void place_note(Store *store)
{
    struct stat facts;
    store->named = stat(store->path, &facts) == 0;
    store->device = store->named ? facts.st_dev : 0;
    store->inode = store->named ? facts.st_ino : 0;
}

/* A new database of this name with all that is in the store; NULL where it cannot be written. */
static sqlite3 *copy_to(Store *store, const char *path)
{
    sqlite3 *to = NULL;
    bool ok = sqlite3_open(path, &to) == SQLITE_OK;
    sqlite3_backup *backup = ok ? sqlite3_backup_init(to, "main", store->db, "main") : NULL;
    ok = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
    ok = sqlite3_backup_finish(backup) == SQLITE_OK && ok;
    if (ok)
        return to;
    (void)sqlite3_close(to);
    return NULL;
}

/* Copies to a file that was not there, and leaves none where that fails. */
static sqlite3 *copy_to_new(Store *store, const char *path)
{
    if (access(path, F_OK) == 0)
        return NULL;
    sqlite3 *to = copy_to(store, path);
    if (!to)
        store_delete(path);
    return to;
}

static void take(Store *store, sqlite3 *db)
{
    /* Statements that are still being read keep the former connection as long as they need it. */
    (void)sqlite3_close_v2(store->db);
    store->db = db;
    (void)sqlite3_busy_timeout(db, 10000);
    (void)sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
}

static void keep_in_memory(Store *store, const char *why)
{
    sqlite3 *memory = copy_to(store, ":memory:");
    if (!memory)
        return;
    troubled = true;
    take(store, memory);
    store->in_memory = true;
    escape_print(stderr,
                 "opconform: %s: %s: what is found from now on is kept in memory until the end\n",
                 store->path, why);
}

/* True when the log of this name is ours, for the file that the name meant before. */
static bool log_is_ours(const Store *store)
{
    struct stat facts;
    Text name = {0};
    text_printf(&name, "%s-wal", store->path);
    bool ours = stat(text_string(&name), &facts) == 0 && facts.st_ino == store->log_inode &&
                facts.st_dev == store->device;
    text_release(&name);
    return ours;
}

static void note_log(Store *store)
{
    struct stat facts;
    Text name = {0};
    text_printf(&name, "%s-wal", store->path);
    store->log_inode = stat(text_string(&name), &facts) == 0 ? facts.st_ino : 0;
    text_release(&name);
}

/* Under its name, or beside it where that means another file. */
static void write_anew(Store *store)
{
    Text beside = {0};
    bool replaced = access(store->path, F_OK) == 0;
    text_printf(&beside, "%s%s", store->path, replaced ? ".kept" : "");
    /* SQLite would take the log for one of the file that the name means now. */
    if (log_is_ours(store))
        delete_logs(store->path);
    sqlite3 *db = copy_to_new(store, text_string(&beside));
    if (db) {
        escape_print(stderr, "opconform: %s was %s while it was written: all of it is in %s now\n",
                     store->path, replaced ? "replaced" : "removed", text_string(&beside));
        troubled = troubled || replaced;
        take(store, db);
        free(store->path);
        store->path = memory_duplicate(text_string(&beside));
        place_note(store);
    } else
        keep_in_memory(store, "the file is not there any more");
    text_release(&beside);
}

static int64_t size_of(const char *path, const char *tail)
{
    struct stat facts;
    Text name = {0};
    text_printf(&name, "%s%s", path, tail);
    int64_t size = stat(text_string(&name), &facts) == 0 ? (int64_t)facts.st_size : 0;
    text_release(&name);
    return size;
}

/* What is short of room for another transaction, or NULL. */
static const char *find_shortage(const Store *store)
{
    struct statvfs disk;
    struct rlimit limit;
    int64_t used = size_of(store->path, "");
    used = used > size_of(store->path, "-wal") ? used : size_of(store->path, "-wal");
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < (rlim_t)(used + ROOM))
        return "the process may not write so large a file (ulimit -f)";
    if (statvfs(store->path, &disk) == 0 && (uint64_t)disk.f_bavail * disk.f_frsize < ROOM)
        return "its disk is full";
    return NULL;
}

void place_watch(Store *store)
{
    struct stat facts;
    if (!store->named || store->in_memory)
        return;
    bool here = stat(store->path, &facts) == 0 && facts.st_dev == store->device &&
                facts.st_ino == store->inode;
    const char *shortage = here ? find_shortage(store) : NULL;
    if (!here)
        write_anew(store);
    else if (shortage)
        keep_in_memory(store, shortage);
    else
        note_log(store);
}

/* The cases of the run, as they can be run again. */
static void print_cases(Store *store)
{
    Statement s = statement_begin(
        store->db, "SELECT backend, signature, coalesce(min_line, line) FROM finding "
                   "WHERE last_run = ?1");
    Text ignored = {0};
    statement_int(&s, store->run);
    while (statement_row(&s))
        escape_print(stdout, "# %s %s\n%s\n", statement_column(&s, 0), statement_column(&s, 1),
                     statement_column(&s, 2));
    (void)!statement_end(&s, store->path, &ignored);
    text_release(&ignored);
}

void place_leave(Store *store)
{
    const char *given = getenv("TMPDIR"), *name = strrchr(store->path, '/');
    const char *const folders[] = {NULL, given ? given : "/tmp", "/tmp", "/dev/shm"};
    Text path = {0};
    sqlite3 *spool = NULL;
    if (!store->in_memory)
        return;
    name = name ? name + 1 : store->path;
    for (size_t i = 0; i < COUNT_OF(folders) && !spool; i++) {
        text_clear(&path);
        if (folders[i])
            text_printf(&path, "%s/%s.spool-%lld", folders[i], name, (long long)getpid());
        else
            text_printf(&path, "%s.spool-%lld", store->path, (long long)getpid());
        spool = copy_to_new(store, text_string(&path));
    }
    if (spool)
        escape_print(
            stderr,
            "opconform: what was kept in memory is in %s: opconform merge %s %s brings it in\n",
            text_string(&path), store->path, text_string(&path));
    else {
        escape_print(stderr,
                     "opconform: %s: there is room nowhere: the cases of this run follow on "
                     "standard output\n",
                     store->path);
        print_cases(store);
    }
    (void)sqlite3_close(spool);
    text_release(&path);
}
