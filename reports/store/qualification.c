/* What is known of the sides of findings, by the rows of one run. */
#include "qualification.h"

#include "connection_parts.h"
#include "severity.h"
#include "store.h"

static void bind(Statement *s, int64_t run, const Sides *sides, int64_t after)
{
    statement_int(s, run);
    statement_text(s, sides->names[0]);
    statement_text(s, sides->names[1]);
    statement_int(s, after);
}

static void take(Text *text, const Statement *s, int column)
{
    text_clear(text);
    text_put(text, statement_column(s, column));
}

bool sided_finding_next(Store *store, int64_t run, const Sides *sides, SidedFinding *finding,
                        Text *error)
{
    static const char sql[] =
        "SELECT f.id, coalesce(f.min_line, f.line), f.backend, f.op = '" STORE_WHOLE "', "
        "EXISTS (SELECT 1 FROM observation WHERE run = ?1 AND finding = f.id AND backend = ?2), "
        "EXISTS (SELECT 1 FROM observation WHERE run = ?1 AND finding = f.id AND backend = ?3), "
        "(SELECT verdict FROM finding_peer WHERE finding = f.id AND backend = ?2), "
        "(SELECT verdict FROM finding_peer WHERE finding = f.id AND backend = ?3) "
        "FROM hit h JOIN finding f ON f.id = h.finding WHERE h.run = ?1 AND f.id > ?4 "
        "ORDER BY f.id LIMIT 1";
    Statement s = statement_begin(store->db, sql);
    bind(&s, run, sides, finding->id);
    finding->id = 0;
    if (statement_row(&s)) {
        finding->id = sqlite3_column_int64(s.statement, 0);
        take(&finding->line, &s, 1);
        take(&finding->backend, &s, 2);
        finding->whole = sqlite3_column_int(s.statement, 3) != 0;
        for (int side = 0; side < 2; side++) {
            finding->observed[side] = sqlite3_column_int(s.statement, 4 + side) != 0;
            take(&finding->peer[side], &s, 6 + side);
        }
    }
    return statement_end(&s, store->path, error);
}

void sided_finding_release(SidedFinding *finding)
{
    text_release(&finding->line);
    text_release(&finding->backend);
    text_release(&finding->peer[0]);
    text_release(&finding->peer[1]);
}

bool qualification_read(Store *store, int64_t run, Qualification *counts, Text *error)
{
    static const char sql[] =
        "SELECT (SELECT total(cases) FROM change WHERE run = ?1 AND kind NOT LIKE 'declined%'), "
        "(SELECT total(cases) FROM change WHERE run = ?1 AND kind LIKE 'other%'), "
        "(SELECT count(*) FROM v_side s JOIN bug b ON b.id = s.bug WHERE s.run = ?1 AND "
        "s.verdict = 'new' AND s.state IN ('new', 'open', 'reopened') AND b.severity < ?2), "
        "(SELECT count(*) FROM v_side WHERE run = ?1 AND bug IS NULL), "
        "(SELECT bug FROM v_qualified_bug WHERE run = ?1 AND verdict IN ('new', 'more') AND "
        "state = 'open' AND severity < ?2 ORDER BY severity, new_findings DESC, bug LIMIT 1)";
    Statement s = statement_begin(store->db, sql);
    statement_int(&s, run);
    statement_int(&s, SEVERITY_CONVENTION);
    *counts = (Qualification){0};
    if (statement_row(&s))
        *counts = (Qualification){
            sqlite3_column_int64(s.statement, 0), sqlite3_column_int64(s.statement, 1),
            sqlite3_column_int64(s.statement, 2), sqlite3_column_int64(s.statement, 3),
            sqlite3_column_int64(s.statement, 4)};
    return statement_end(&s, store->path, error);
}
