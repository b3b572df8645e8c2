/* Opening a database means that its schema is ours and up to date, and that it is not damaged. */
#include "connection.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "connection_parts.h"
#include "place.h"

extern const char schema_sql[], schema_2_sql[], schema_3_sql[], schema_4_sql[], schema_5_sql[],
    schema_6_sql[], schema_7_sql[], schema_8_sql[], schema_9_sql[], schema_10_sql[],
    schema_11_sql[], schema_12_sql[], schema_13_sql[], schema_14_sql[], schema_15_sql[],
    schema_16_sql[];

/* Number i brings a database from version i + 1 to the next. */
static const char *const migrations[] = {schema_2_sql,  schema_3_sql,  schema_4_sql,  schema_5_sql,
                                         schema_6_sql,  schema_7_sql,  schema_8_sql,  schema_9_sql,
                                         schema_10_sql, schema_11_sql, schema_12_sql, schema_13_sql,
                                         schema_14_sql, schema_15_sql, schema_16_sql};

struct sqlite3 *store_connection(Store *store)
{
    return store->db;
}

bool store_execute(Store *store, const char *sql, Text *error)
{
    char *message = NULL;
    if (sqlite3_exec(store->db, sql, NULL, NULL, &message) == SQLITE_OK)
        return true;
    statement_complain(store->path, message ? message : sqlite3_errmsg(store->db), error);
    sqlite3_free(message);
    return false;
}

bool store_run(Store *store, const char *sql, int64_t first, int64_t second, const char *text,
               Text *error)
{
    Statement s = statement_begin(store->db, sql);
    int count = s.statement ? sqlite3_bind_parameter_count(s.statement) : 0;
    if (count > 0)
        statement_int(&s, first);
    if (count > 1)
        statement_int(&s, second);
    if (count > 2)
        statement_text(&s, text);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_begin(Store *store, Text *error)
{
    place_watch(store);
    return store_execute(store, "BEGIN IMMEDIATE", error);
}

bool store_finish(Store *store, bool ok, Text *error)
{
    if (ok && store_execute(store, "COMMIT", error))
        return true;
    (void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool store_get_number(Store *store, const char *sql, int64_t *value, Text *error)
{
    Statement s = statement_begin(store->db, sql);
    bool row = statement_row(&s);
    *value = row ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, store->path, error);
}

/* Brings the schema to the present version, or leaves it alone.  Of several processes that open a
 * file, the first one does: which version it has is asked again under the lock. */
static bool migrate(Store *store, Text *error)
{
    int64_t version = 0;
    bool ok = store_begin(store, error) &&
              store_get_number(store, "PRAGMA user_version", &version, error);
    if (ok && version == 0)
        ok = store_execute(store, schema_sql, error);
    for (int64_t i = version > 0 ? version - 1 : 0;
         ok && version < STORE_VERSION && i < (int64_t)COUNT_OF(migrations); i++)
        ok = store_execute(store, migrations[i], error);
    return store_finish(store, ok, error);
}

/* An empty file becomes ours; anything else must carry our mark and a version that we know. */
static bool check_schema(Store *store, StoreMode mode, Text *error)
{
    enum { APPLICATION_ID = 0x6f70636f };
    int64_t application, version, tables;
    /* Of one moment, since another process may create the tables. */
    bool read = store_execute(store, "BEGIN", error) &&
                store_get_number(store, "SELECT count(*) FROM sqlite_master", &tables, error) &&
                store_get_number(store, "PRAGMA application_id", &application, error) &&
                store_get_number(store, "PRAGMA user_version", &version, error);
    (void)sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    if (!read)
        return false;
    if (tables == 0 && mode == STORE_WRITE)
        return migrate(store, error);
    if (application != APPLICATION_ID) {
        text_printf(error, "%s: not a database of opconform", store->path);
        return false;
    }
    if (version > STORE_VERSION) {
        text_printf(error,
                    "%s: written by a newer opconform (schema %lld, this one knows %d): choose "
                    "another --db or update",
                    store->path, (long long)version, STORE_VERSION);
        return false;
    }
    if (version < STORE_VERSION && mode == STORE_WRITE)
        return migrate(store, error);
    if (version < STORE_VERSION) {
        text_printf(error,
                    "%s: written by an older opconform (schema %lld): open it once for "
                    "writing, such as with opconform fuzz --cases 1 --db, to bring it up",
                    store->path, (long long)version);
        return false;
    }
    return true;
}

/* Reading a large file whole would take longer than what is done with it: of one, what is damaged
 * is told when it is read, and by opconform fsck. */
static bool check_integrity(Store *store, Text *error)
{
    enum { LARGE = 64 << 20 };
    struct stat facts;
    if (stat(store->path, &facts) == 0 && facts.st_size > LARGE)
        return true;
    Statement s = statement_begin(store->db, "PRAGMA quick_check(1)");
    const char *verdict = statement_row(&s) ? statement_column(&s, 0) : "";
    bool intact = !strcmp(verdict, "ok");
    if (!intact && s.code == SQLITE_ROW)
        text_printf(error, "%s: damaged database (%.*s): restore it or move it away", store->path,
                    (int)strcspn(verdict, "\n"), verdict);
    return statement_end(&s, store->path, error) && intact;
}

/* A process that opens the file at the same moment holds it for a while, for which SQLite does not
 * wait here. */
static bool use_log(Store *store, Text *error)
{
    enum { TRIES = 100, PAUSE_MICROSECONDS = 50000 };
    for (int i = 0; i < TRIES; i++) {
        if (sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_OK)
            return true;
        (void)usleep(PAUSE_MICROSECONDS);
    }
    return store_execute(store, "PRAGMA journal_mode = WAL", error);
}

/* Whether there is a file of this name with an ending, in which something is. */
static bool has_beside(const char *path, const char *ending)
{
    struct stat facts;
    Text name = {0};
    text_printf(&name, "%s%s", path, ending);
    bool there = stat(text_string(&name), &facts) == 0 && facts.st_size > 0;
    text_release(&name);
    return there;
}

/* Whether the folder of a file takes no new files, of which SQLite makes some even to read. */
static bool is_folder_closed(const char *path)
{
    Text folder = {0};
    const char *slash = strrchr(path, '/');
    text_printf(&folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    bool closed = access(text_string(&folder), W_OK) != 0;
    text_release(&folder);
    return closed;
}

/* A file that nobody writes now, in a folder where we cannot, is read as one that does not change;
 * its name is a locator then, in which three characters mean something else. */
static bool open_file(Store *store, StoreMode mode)
{
    const char *path = store->path;
    if (mode == STORE_WRITE)
        return sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                               NULL) == SQLITE_OK;
    if (access(path, R_OK) != 0 || !is_folder_closed(path) || has_beside(path, "-wal"))
        return sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK;
    Text locator = {0};
    text_put(&locator, "file:");
    for (const char *at = path; *at; at++)
        text_printf(&locator, strchr("%?#", *at) ? "%%%02x" : "%c", (unsigned char)*at);
    text_put(&locator, "?immutable=1");
    int code = sqlite3_open_v2(text_string(&locator), &store->db,
                               SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    text_release(&locator);
    return code == SQLITE_OK;
}

Store *store_open(const char *path, StoreMode mode, Text *error)
{
    Store *store = memory_allocate(1, sizeof *store);
    store->path = memory_duplicate(path);
    if (!open_file(store, mode)) {
        text_printf(error, "%s: %s", path,
                    mode == STORE_READ && access(path, F_OK) != 0
                        ? "no such database: run opconform fuzz first, or name one with --db"
                        : sqlite3_errmsg(store->db));
        store_close(store);
        return NULL;
    }
    (void)sqlite3_busy_timeout(store->db, 10000);
    /* Queries are told what is damaged when they read it. */
    bool ok =
        check_schema(store, mode, error) && (mode == STORE_READ || check_integrity(store, error));
    /* What is read again and again stays in memory: 64 MiB of the file, and tables of the moment.
     */
    if (ok && mode == STORE_READ)
        ok = store_execute(store, "PRAGMA cache_size = -65536", error) &&
             store_execute(store, "PRAGMA temp_store = MEMORY", error);
    if (ok && mode == STORE_WRITE)
        ok = use_log(store, error) && store_execute(store, "PRAGMA synchronous = NORMAL", error) &&
             store_execute(store, "PRAGMA foreign_keys = ON", error);
    if (ok) {
        place_note(store);
        return store;
    }
    store_close(store);
    return NULL;
}

void store_close(Store *store)
{
    if (!store)
        return;
    place_leave(store);
    (void)sqlite3_close(store->db);
    free(store->path);
    free(store);
}

/* What the clock said last, or was told to say at least. */
static int64_t latest;

void store_not_before(int64_t seconds)
{
    latest = seconds > latest ? seconds : latest;
}

int64_t store_now(void)
{
    const char *given = getenv("OPCONFORM_NOW");
    store_not_before(given ? strtoll(given, NULL, 10) : (int64_t)time(NULL));
    return latest;
}
