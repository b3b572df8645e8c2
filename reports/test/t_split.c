/* An observation that is taken out of its finding: its hits move with it, and none is added where
 * it is of that finding still.  A finding has the policies of its own case, and leaves nothing
 * behind when its only observation is taken back. */
#include "reports/store/statement.h"
#include "reports/store/store.h"
#include "tests/check.h"
#include <string.h>

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

/* A row of a table that names a finding, of the least that the table asks for. */
static bool insert_row(Store *store, const char *table, int64_t finding)
{
    Text names = {0}, values = {0}, sql = {0}, error = {0};
    Statement s = statement_begin(
        store_connection(store),
        "SELECT c.name, c.type, EXISTS (SELECT 1 FROM pragma_foreign_key_list(?1) k WHERE "
        "k.\"from\" = c.name AND k.\"table\" = 'finding') FROM pragma_table_info(?1) c WHERE "
        "c.\"notnull\" OR c.pk");
    statement_text(&s, table);
    while (statement_row(&s)) {
        bool is_finding = sqlite3_column_int(s.statement, 2) != 0;
        text_printf(&names, "%s%s", names.length > 0 ? ", " : "", statement_column(&s, 0));
        text_put(&values, values.length > 0 ? ", " : "");
        if (is_finding)
            text_printf(&values, "%lld", (long long)finding);
        else
            text_put(&values, strcmp(statement_column(&s, 1), "TEXT") ? "1" : "'{}'");
    }
    bool ok = statement_end(&s, "t_split", &error);
    text_printf(&sql, "INSERT OR IGNORE INTO %s (%s) VALUES (%s)", table, text_string(&names),
                text_string(&values));
    s = statement_begin(store_connection(store), text_string(&sql));
    (void)statement_row(&s);
    ok = statement_end(&s, "t_split", &error) && ok;
    if (!ok)
        (void)fprintf(stderr, "%s: %s\n", table, text_string(&error));
    text_release(&names);
    text_release(&values);
    text_release(&sql);
    text_release(&error);
    return ok;
}

/* A finding of which every table that may knows something is dropped with all of it. */
static void drop_finding(Store *store)
{
    char tables[32][40];
    size_t count = 0;
    int64_t id = 0;
    Text error = {0};
    const FindingRecord slow = record_of("dot/f32 | slow");
    CHECK(store_put_finding(store, &slow, &id, &error));
    Statement s = statement_begin(
        store_connection(store),
        "SELECT DISTINCT m.name FROM sqlite_master m, pragma_foreign_key_list(m.name) k WHERE "
        "m.type = 'table' AND k.\"table\" = 'finding'");
    while (statement_row(&s) && count < COUNT_OF(tables))
        (void)snprintf(tables[count++], sizeof tables[0], "%s", statement_column(&s, 0));
    CHECK(statement_end(&s, "t_split", &error));
    CHECK(count >= 10 && count < COUNT_OF(tables));
    CHECK(insert_row(store, "known", id)); /* of which a suppression is one */
    for (size_t i = 0; i < count; i++)
        CHECK(insert_row(store, tables[i], id));
    CHECK(store_drop_observation(store, id, line, &error));
    s = statement_begin(store_connection(store), "SELECT 1 FROM finding WHERE id = ?");
    statement_int(&s, id);
    CHECK(!statement_row(&s));
    CHECK(statement_end(&s, "t_split", &error));
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
        drop_finding(store);
        store_close(store);
    }
    text_release(&error);
    return check_end("reports/t_split");
}
