/* An observation that is taken out of its finding: its hits move with it, and none is added where
 * it is of that finding still.  A finding has the policies of its own case. */
#include "reports/store/statement.h"
#include "reports/store/store.h"
#include "tests/check.h"

static const char line[] = "dot/1 dtype=f32 n=1 | x=ones";

static FindingRecord record_of(const char *signature)
{
    return (FindingRecord){.signature = signature,
                           .raw = "raw",
                           .op = "dot",
                           .dtype = "f32",
                           .kind = "DIVERGE",
                           .backend = "planted:drop-last-k",
                           .tier = "exact",
                           .defect = "value",
                           .pattern = "whole",
                           .detail = "",
                           .line = line,
                           .expected = "1",
                           .got = "0",
                           .bound = "0"};
}

/* Hits of a finding as its own row and the row of this run count them, and its observations. */
static void check_counts(Store *store, int64_t finding, int64_t hits, int64_t observations)
{
    static const char *const queries[] = {
        "SELECT hits FROM finding WHERE id = ?",
        "SELECT sum(hits) FROM hit WHERE finding = ?",
        "SELECT count(*) FROM observation WHERE finding = ?",
    };
    const int64_t wanted[] = {hits, hits, observations};
    Text error = {0};
    for (size_t i = 0; i < COUNT_OF(queries); i++) {
        Statement s = statement_begin(store_connection(store), queries[i]);
        statement_int(&s, finding);
        CHECK(statement_row(&s) && sqlite3_column_int64(s.statement, 0) == wanted[i]);
        CHECK(statement_end(&s, "t_split", &error));
    }
    text_release(&error);
}

static void split_findings(Store *store)
{
    const FindingRecord first = record_of("dot/f32 | one"), other = record_of("dot/f32 | other");
    int64_t from = 0, id = 0;
    Text error = {0};
    CHECK(store_begin_run(
        store, &(RunRecord){.arguments = "fuzz", .engine = "random", .seed = 1, .jobs = 1},
        &error));
    CHECK(store_put_finding(store, &first, &from, &error));
    CHECK(store_put_finding(store, &first, &from, &error));
    check_counts(store, from, 2, 2);
    /* The finding of its signature is the one that it was filed under. */
    CHECK(store_split_finding(store, from, &first, &id, &error));
    CHECK(id == from);
    check_counts(store, from, 2, 2);
    CHECK(store_split_finding(store, from, &other, &id, &error));
    CHECK(id != from);
    check_counts(store, from, 1, 1);
    check_counts(store, id, 1, 1);
    CHECK(error.length == 0);
    text_release(&error);
}

static int64_t policies_of(Store *store, int64_t finding)
{
    Text error = {0};
    Statement s = statement_begin(store_connection(store),
                                  "SELECT count(*) FROM finding_policy WHERE finding = ?");
    statement_int(&s, finding);
    int64_t count = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : -1;
    CHECK(statement_end(&s, "t_split", &error));
    text_release(&error);
    return count;
}

/* What is filed under a finding, by the signature of its raw or of its minimal case, leaves the
 * finding's policies as they are; a minimal case replaces those of the raw one. */
static void keep_policies(Store *store)
{
    FindingRecord raw = record_of("dot/f32 | raw"), minimal = record_of("dot/f32 | minimal");
    int64_t own = 0, id = 0;
    bool fresh;
    Text error = {0};
    raw.policies = "flush";
    CHECK(store_put_finding(store, &raw, &own, &error) && policies_of(store, own) == 1);
    CHECK(store_resolve_finding(store, own, &minimal, &id, &fresh, &error));
    CHECK(id == own && policies_of(store, own) == 0);
    minimal.policies = "flush";
    CHECK(store_put_finding(store, &minimal, &id, &error));
    CHECK(id == own && policies_of(store, own) == 0);
    CHECK(store_put_finding(store, &raw, &id, &error) && id != own);
    CHECK(store_resolve_finding(store, id, &minimal, &id, &fresh, &error));
    CHECK(id == own && policies_of(store, own) == 0);
    CHECK(error.length == 0);
    text_release(&error);
}

int main(void)
{
    Text error = {0};
    Store *store = store_open(":memory:", STORE_WRITE, &error);
    CHECK(store != NULL);
    if (store) {
        split_findings(store);
        keep_policies(store);
        store_close(store);
    }
    text_release(&error);
    return check_end("reports/t_split");
}
