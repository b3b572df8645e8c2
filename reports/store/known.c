/* SQLite itself reads the JSON and matches its patterns. */
#include "known.h"

#include <string.h>

#include "connection_parts.h"
#include "ops/op.h"
#include "oracle/judge.h"
#include "reference/nearest.h"
#include "reports/day.h"

/* True for each entry of the list ?1 that lacks something, with its number and what. */
static const char check_sql[] =
    "SELECT e.key + 1, CASE "
    "WHEN e.type <> 'object' THEN 'is no object' "
    "WHEN json_type(e.value, '$.match') IS NOT 'object' THEN 'has no match, an object' "
    "WHEN (SELECT count(*) FROM json_each(e.value, '$.match')) = 0 THEN 'matches everything' "
    "WHEN EXISTS (SELECT 1 FROM json_each(e.value, '$.match') m WHERE m.type <> 'text' OR m.key "
    "NOT IN "
    "('signature', 'op', 'dtype', 'kind', 'backend', 'tier', 'defect', 'pattern', 'detail', "
    "'line')) "
    "THEN 'matches by something that is no column with text' "
    "WHEN json_type(e.value, '$.reason') IS NOT 'text' THEN 'has no reason' "
    "WHEN json_type(e.value, '$.owner') IS NOT 'text' THEN 'has no owner' "
    "WHEN json_type(e.value, '$.expires') IS NOT 'text' THEN 'has no expires, a day' "
    "WHEN json_type(e.value, '$.link') NOT IN ('text', 'null') THEN 'has a link that is no text' "
    "WHEN EXISTS (SELECT 1 FROM json_each(e.value) m WHERE m.key NOT IN "
    "('match', 'reason', 'owner', 'link', 'expires')) "
    "THEN 'has something beside match, reason, owner, link and expires' "
    "END AS lack FROM json_each(?1) e WHERE lack IS NOT NULL ORDER BY e.key LIMIT 1";

/* With a condition in the place of %s. */
static const char match_sql[] =
    "INSERT INTO suppression SELECT finding, known FROM (SELECT f.id AS finding, k.id AS known, "
    "max(k.expires) FROM finding f JOIN known k ON NOT EXISTS "
    "(SELECT 1 FROM json_each(k.match) m WHERE NOT (CASE m.key WHEN 'signature' THEN f.signature "
    "WHEN 'op' THEN f.op WHEN 'dtype' THEN f.dtype WHEN 'kind' THEN f.kind "
    "WHEN 'backend' THEN f.backend WHEN 'tier' THEN f.tier WHEN 'defect' THEN f.defect "
    "WHEN 'pattern' THEN f.pattern WHEN 'detail' THEN f.detail "
    "ELSE coalesce(f.min_line, f.line) END GLOB m.value)) %s GROUP BY f.id)";

static bool insert_known(Store *store, const char *json, const char *source, Text *error)
{
    Statement s = statement_begin(
        store->db, "INSERT INTO known (id, match, reason, owner, link, expires, source) SELECT "
                   "key + 1, json_extract(value, '$.match'), json_extract(value, '$.reason'), "
                   "json_extract(value, '$.owner'), json_extract(value, '$.link'), "
                   "json_extract(value, '$.expires'), ?2 FROM json_each(?1) ORDER BY key");
    statement_text(&s, json);
    statement_text(&s, source);
    (void)statement_row(&s);
    return statement_end(&s, store->path, error);
}

bool store_match_known(Store *store, int64_t finding, Text *error)
{
    Text sql = {0};
    text_printf(&sql, match_sql, finding ? "WHERE f.id = ?" : "");
    bool ok =
        store_run(store,
                  finding ? "DELETE FROM suppression WHERE finding = ?" : "DELETE FROM suppression",
                  finding, 0, NULL, error) &&
        store_run(store, text_string(&sql), finding, 0, NULL, error);
    text_release(&sql);
    return ok;
}

static bool check_days(Store *store, const char *json, const char *source, Text *error)
{
    Text why = {0};
    int64_t begins;
    Statement s = statement_begin(store->db, "SELECT key + 1, json_extract(value, '$.expires') "
                                             "FROM json_each(?1) ORDER BY key");
    statement_text(&s, json);
    while (why.length == 0 && statement_row(&s))
        if (!day_parse(statement_column(&s, 1), &begins, &why))
            text_printf(error, "%s: entry %lld: expires: %s", source,
                        (long long)sqlite3_column_int64(s.statement, 0), text_string(&why));
    text_release(&why);
    return statement_end(&s, store->path, error) && error->length == 0;
}

static bool check_list(Store *store, const char *json, const char *source, Text *error)
{
    Statement s = statement_begin(
        store->db, "SELECT json_valid(?1) AND iif(json_valid(?1), json_type(?1), '') = 'array'");
    statement_text(&s, json);
    bool list = statement_row(&s) && sqlite3_column_int(s.statement, 0) == 1;
    if (!statement_end(&s, store->path, error))
        return false;
    if (!list) {
        text_printf(error, "%s: expected known issues as a JSON array", source);
        return false;
    }
    s = statement_begin(store->db, check_sql);
    statement_text(&s, json);
    if (statement_row(&s))
        text_printf(error, "%s: entry %lld %s", source,
                    (long long)sqlite3_column_int64(s.statement, 0), statement_column(&s, 1));
    return statement_end(&s, store->path, error) && error->length == 0 &&
           check_days(store, json, source, error);
}

bool store_put_known(Store *store, const char *json, const char *source, Text *error)
{
    if (!store_begin(store, error))
        return false;
    bool ok = check_list(store, json, source, error) &&
              store_execute(store, "DELETE FROM suppression", error) &&
              store_execute(store, "DELETE FROM known", error) &&
              insert_known(store, json, source, error) && store_match_known(store, 0, error);
    return store_finish(store, ok, error);
}

/* The names that a column may have, and "-" where a finding is of none; NULL behind the last. */
static const char *column_name(const char *column, int number)
{
    if (number == 0)
        return "-";
    if (!strcmp(column, "op"))
        return op_registry[number - 1] ? op_registry[number - 1]->name : NULL;
    if (!strcmp(column, "dtype"))
        return number <= DT_COUNT ? dtype_name((DType)(number - 1)) : NULL;
    return number <= VERDICT_COUNT ? verdict_name((VerdictKind)(number - 1)) : NULL;
}

static bool check_pattern(const char *column, const char *pattern, Text *error)
{
    Nearest nearest = nearest_begin(pattern, strlen(pattern));
    const char *name;
    for (int i = 0; (name = column_name(column, i)); i++) {
        if (sqlite3_strglob(pattern, name) == 0)
            return true;
        nearest_offer(&nearest, name);
    }
    text_printf(error, "no %s is '%s'", column, pattern);
    nearest_put(&nearest, error);
    return false;
}

/* A pattern that no name matches is a mistake: nothing would ever be known by it. */
static bool check_names(Store *store, const char *json, const char *source, Text *error)
{
    Text why = {0};
    Statement s = statement_begin(
        store->db, "SELECT e.key + 1, m.key, m.value FROM json_each(?1) e, "
                   "json_each(e.value, '$.match') m WHERE m.key IN ('op', 'dtype', 'kind') "
                   "ORDER BY e.key");
    statement_text(&s, json);
    while (why.length == 0 && statement_row(&s))
        if (!check_pattern(statement_column(&s, 1), statement_column(&s, 2), &why))
            text_printf(error, "%s: entry %lld: %s", source,
                        (long long)sqlite3_column_int64(s.statement, 0), text_string(&why));
    text_release(&why);
    return statement_end(&s, store->path, error) && error->length == 0;
}

bool store_check_known(const char *json, const char *source, Text *error)
{
    Store *scratch = store_open(":memory:", STORE_WRITE, error);
    bool ok = scratch && store_put_known(scratch, json, source, error) &&
              check_names(scratch, json, source, error);
    store_close(scratch);
    return ok;
}
