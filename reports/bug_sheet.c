/* Each row is a query whose first column is the value, of the bug ?1. */
#include "bug_sheet.h"

#include <string.h>

#include "ops/backend/trust.h"
#include "reports/store/severity.h"
#include "reports/store/statement.h"
#include "symptom_words.h"

typedef struct Row {
    const char *name;
    bool code;
    const char *sql;
} Row;

/* The finding that a bug is shown by. */
#define SHOWN "FROM v_bug b JOIN finding f ON f.id = b.finding WHERE b.id = ?1"

/* The same where its values are those of a result: a call that was refused, or did not end, has
 * none. */
#define SHOWN_VALUES SHOWN " AND f.got <> '' AND f.kind NOT IN ('STATUS', 'FAULT')"

/* Kernels that use AVX-512, by the names that OpenBLAS and BLIS have for their processors. */
#define AVX512_CORES "('skylakex', 'cooperlake', 'sapphirerapids', 'skx', 'knl', 'zen4', 'zen5')"

/* Processors on which a bug was never seen, though its operators ran there on the same versions so
 * often that ten hits were to be expected: chance leaves it at none once in e^10. */
#define ONLY_ON                                                                                    \
    "WITH member AS (SELECT id, op, dtype, backend FROM finding WHERE bug = ?1 AND NOT flaky), "   \
    "place AS (SELECT DISTINCT op, dtype, backend FROM member), "                                  \
    "seen AS (SELECT b.core, b.version, h.hits FROM member m JOIN hit h ON h.finding = m.id JOIN " \
    "backend b ON b.run = h.run AND b.name = m.backend), "                                         \
    "ran AS (SELECT b.core, sum(c.executions) AS executions FROM place p CROSS JOIN backend b ON " \
    "b.name = p.backend CROSS JOIN coverage c ON c.run = b.run AND c.op = p.op AND c.dtype = "     \
    "p.dtype AND c.backend = p.backend WHERE b.version IN (SELECT version FROM seen) GROUP BY "    \
    "b.core), "                                                                                    \
    "core AS (SELECT r.core, executions, coalesce((SELECT sum(hits) FROM seen s WHERE s.core = "   \
    "r.core), 0) AS hits, lower(r.core) IN " AVX512_CORES " AS wide FROM ran r), "                 \
    "rate AS (SELECT 1.0 * sum(hits) / sum(executions) AS hits, min(wide) AS wide, "               \
    "group_concat(core, ', ') AS cores FROM (SELECT * FROM core WHERE hits > 0 ORDER BY core)), "  \
    "free AS (SELECT max(c.wide) AS wide, sum(c.executions) AS executions, "                       \
    "group_concat(c.core, ', ') AS cores FROM (SELECT * FROM core WHERE hits = 0 ORDER BY core) "  \
    "c JOIN rate r WHERE c.executions * r.hits >= 10) "                                            \
    "SELECT iif(r.wide AND NOT f.wide, 'AVX-512: ', '') || r.cores || '; not in ' || "             \
    "f.executions || ' executions on ' || f.cores FROM rate r JOIN free f WHERE f.executions > 0 " \
    "AND (SELECT count(DISTINCT core) FROM backend WHERE name IN (SELECT backend FROM place)) > 1"

static const char *reason_of(const char *symptom)
{
    return symptom_reason(symptom_find(symptom));
}

static const Row rows[] = {
    {"state", false,
     "SELECT iif(state = upstream, state, state || ', ' || upstream) || coalesce(': ' || link, '') "
     "FROM v_bug WHERE id = ?1"},
    {"known", false, "SELECT known FROM v_bug WHERE id = ?1"},
    {"severity", false, "SELECT severity FROM v_bug WHERE id = ?1"},
    {"shows", false, "SELECT coalesce(nullif(f.detail, ''), f.symptom, f.kind) " SHOWN},
    {"case", true, "SELECT coalesce(f.min_line, f.line) " SHOWN},
    {"expected", true, "SELECT f.expected " SHOWN_VALUES},
    {"got", true, "SELECT f.got " SHOWN_VALUES},
    {"error may be", true, "SELECT f.bound " SHOWN_VALUES " AND f.expected NOT LIKE '%n%'"},
    {"why", false,
     "SELECT iif(f.detail LIKE 'SIG% guard page %', 'reads outside', f.symptom) " SHOWN
     " AND f.kind <> 'POLICY'"},
    {"clause", false,
     "SELECT group_concat(p.name || ': ' || p.sentence || ' (' || p.source || ')', ' ') FROM "
     "finding_policy fp JOIN policy p ON p.name = fp.policy WHERE fp.finding = (SELECT finding "
     "FROM "
     "v_bug WHERE id = ?1)"},
    {"how sure", false,
     "SELECT CASE f.tier WHEN 'exact' THEN 'exact: every right order of operations gives this' "
     "WHEN 'violation' THEN 'proven: the error is above a bound that holds for every kernel' "
     "WHEN 'probable' THEN 'statistical: so large an error is all but impossible' "
     "WHEN 'special' THEN 'defined: NaN, infinities and signed zeros follow from the operation' "
     "WHEN 'contract' THEN 'defined: a rule of the call is broken' "
     "WHEN 'suspicious' THEN 'a suspicion' "
     "WHEN 'none' THEN iif(f.kind = 'INVARIANCE', 'seen: two results of the library differ', "
     "f.tier) "
     "ELSE f.tier END || "
     "CASE WHEN f.flaky THEN '; it does not show each time' ELSE '' END " SHOWN},
    {"not in", false,
     "SELECT group_concat(v.version, ', ') FROM (SELECT DISTINCT version FROM v_version WHERE "
     "verdict = 'good' AND finding IN (SELECT id FROM finding WHERE bug = ?1)) v"},
    {"in", false,
     "SELECT library || ' ' || replace(coalesce(versions, ''), ',', ', ') FROM v_bug WHERE id = "
     "?1"},
    {"only on", false, ONLY_ON},
    {"removed by", false,
     "SELECT group_concat(setting, ', ') FROM (SELECT DISTINCT setting FROM v_knob WHERE effect = "
     "'removes it' AND finding IN (SELECT id FROM finding WHERE bug = ?1))"},
    {"also through", false,
     "SELECT group_concat(DISTINCT p.backend) FROM finding f JOIN finding_peer p ON p.finding = "
     "f.id WHERE f.bug = ?1 AND p.verdict = f.kind AND p.backend LIKE (SELECT library FROM v_bug "
     "WHERE id = ?1) || ':%'"},
    {"right in", false, "SELECT replace(agree, ',', ', ') FROM v_bug WHERE id = ?1"},
    {"operators", false,
     "SELECT replace(operators || ' (' || types || ')', ',', ', ') FROM v_bug WHERE id = ?1"},
    {"seen", false,
     "SELECT first_seen || ' to ' || last_seen || ', ' || hits || ' times in ' || findings || "
     "CASE findings WHEN 1 THEN ' finding' ELSE ' findings' END FROM v_bug WHERE id = ?1"},
    {"joined by", false,
     "SELECT group_concat(evidence || ' (' || ties || ')', ', ') FROM (SELECT evidence, count(*) "
     "AS ties FROM v_tie WHERE bug = ?1 GROUP BY evidence ORDER BY ties DESC)"},
    {"decided", false,
     "SELECT coalesce(f.reason, '') || coalesce(' by ' || f.owner, '') || coalesce(' until ' || "
     "f.expires, '') " SHOWN " AND f.reason IS NOT NULL"},
};

/* Values that are said in other words. */
static const struct {
    const char *name;
    const char *(*words)(const char *value);
} said[] = {{"severity", severity_words}, {"why", reason_of}};

static const char *words_of(const char *name, const char *value)
{
    for (size_t i = 0; i < COUNT_OF(said); i++)
        if (!strcmp(said[i].name, name))
            return said[i].words(value);
    return value;
}

bool bug_sheet(Store *store, int64_t bug, Text *title, BugFactPut *put, void *context, Text *error)
{
    Statement s = statement_begin(store_connection(store),
                                  "SELECT library || ': ' || title FROM v_bug WHERE id = ?1");
    statement_int(&s, bug);
    if (statement_row(&s))
        text_put(title, statement_column(&s, 0));
    bool ok = statement_end(&s, "bugs", error);
    for (size_t i = 0; ok && i < COUNT_OF(rows); i++) {
        s = statement_begin(store_connection(store), rows[i].sql);
        statement_int(&s, bug);
        const char *value = statement_row(&s) ? statement_column(&s, 0) : "";
        value = words_of(rows[i].name, value);
        if (value[0])
            put(context, rows[i].name, value, rows[i].code);
        ok = statement_end(&s, "bugs", error);
    }
    return ok;
}

bool bug_sheet_finding(Store *store, int64_t bug, int64_t *finding, Text *error)
{
    Statement s =
        statement_begin(store_connection(store), "SELECT finding FROM v_bug WHERE id = ?1");
    statement_int(&s, bug);
    *finding = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, "bugs", error);
}

bool bug_sheet_option(Store *store, int64_t finding, Text *option, Text *error)
{
    Statement s =
        statement_begin(store_connection(store), "SELECT backend FROM finding WHERE id = ?1");
    statement_int(&s, finding);
    if (statement_row(&s))
        trust_put_option(statement_column(&s, 0), option);
    return statement_end(&s, "report", error);
}
