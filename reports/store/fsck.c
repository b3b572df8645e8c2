/* The conditions that hold between tables, and the lines, which must parse. */
#include "fsck.h"

#include "connection_parts.h"
#include "ops/case/case.h"
#include "reference/escape.h"

/* Each row of a query is one problem, in words. */
static const char *const checks[] = {
    "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT 'a row of ' || \"table\" || ' refers to a row of ' || parent || ' that is not there' "
    "FROM pragma_foreign_key_check",
    "SELECT 'finding ' || id || ' counts ' || hits || ' hits, its runs ' || told FROM "
    "(SELECT id, hits, coalesce((SELECT sum(h.hits) FROM hit h WHERE h.finding = f.id), 0) AS told "
    "FROM finding f) WHERE hits IS NOT told",
    "SELECT 'finding ' || id || ' is ' || state || ', its history says ' || told FROM "
    "(SELECT id, state, coalesce((SELECT json_extract(payload, '$.state') FROM v_standing "
    "WHERE finding = f.id AND place = 1), 'new') AS told FROM finding f) WHERE state <> told",
    "SELECT 'finding ' || id || ' is the same as one that is not there' FROM finding f "
    "WHERE state = 'dup' AND NOT EXISTS (SELECT 1 FROM finding o WHERE o.signature = f.dup_of)",
    "SELECT 'run ' || id || ' counts with run ' || counts_of || ', and has counts of its own' FROM "
    "run r WHERE counts_of IS NOT NULL AND (EXISTS (SELECT 1 FROM coverage c WHERE c.run = r.id) "
    "OR "
    "EXISTS (SELECT 1 FROM run l WHERE l.id = r.counts_of AND l.counts_of IS NOT NULL))",
    "SELECT 'finding ' || id || ' was first seen after it was last seen' FROM finding "
    "WHERE first_seen > last_seen",
    "SELECT 'finding ' || id || ' has no observation' FROM finding f WHERE NOT EXISTS "
    "(SELECT 1 FROM observation o WHERE o.finding = f.id)",
};

static bool check_lines(Store *store, FILE *to, int64_t *problems, Text *error)
{
    Statement s = statement_begin(store->db, "SELECT id, coalesce(min_line, line) FROM finding");
    while (statement_row(&s)) {
        Case c;
        Text why = {0};
        if (!case_parse(&c, statement_column(&s, 1), &why)) {
            escape_print(to, "finding %lld: its line cannot be read: %s\n",
                         (long long)sqlite3_column_int64(s.statement, 0), text_string(&why));
            ++*problems;
        }
        text_release(&why);
    }
    return statement_end(&s, store->path, error);
}

bool fsck_store(Store *store, FILE *to, int64_t *problems, Text *error)
{
    *problems = 0;
    for (size_t i = 0; i < COUNT_OF(checks); i++) {
        Statement s = statement_begin(store->db, checks[i]);
        while (statement_row(&s)) {
            escape_print(to, "%s\n", statement_column(&s, 0));
            ++*problems;
        }
        if (!statement_end(&s, store->path, error))
            return false;
    }
    return check_lines(store, to, problems, error);
}
