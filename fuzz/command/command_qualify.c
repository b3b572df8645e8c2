/* opconform qualify: two versions of a library on the same cases. */
#include <stdio.h>
#include <string.h>

#include "again.h"
#include "command.h"
#include "oracle/judge.h"
#include "reports/store/qualification.h"

/* Runs of the minimal case on each side where one alone shows it; lines of a part on the screen. */
enum { TRIES = 2, SHOWN = 12 };

static const OptionRow rows[] = {
    OPTION("op", NAMES, op, "LIST",
           "operators, patterns, or functions such as ddot; all by default"),
    OPTION("dtype", NAMES, dtype, "LIST", "element types, all by default"),
    OPTION("fix", TEXT, fix, "LIST",
           "what cases are like, each name once, | between what they draw from: "
           "rank=2,n=1..64,ta=n|t"),
    OPTION("time", DURATION, seconds, "T", "budget once the libraries are open: 60s, 5m, 2h"),
    OPTION("cases", COUNT, cases, "N", "budget in cases"),
    OPTION("jobs", NUMBER, jobs, "N", "worker processes, 1 to 64"),
    OPTION("seed", COUNT, seed, "N", "decides every case of the random engine"),
    OPTION("seeds", NAMES, seeds, "LIST", "files of case lines, or folders, that are run first"),
    OPTION("engine", TEXT, engine, "NAME", "libfuzzer (default) or random"),
    OPTION("deadline", DURATION, deadline_seconds, "T", "longest processor time of one call (1s)"),
    OPTION("db", TEXT, db, "FILE", "database of findings (findings.db)"),
    OPTION("json", FLAG, json, NULL, "all rows, as an array of objects"),
    OPTION("csv", FLAG, csv, NULL, "all rows, comma-separated, with a heading"),
    OPTION("plain", FLAG, plain, NULL, "all rows, tab-separated, no heading"),
    OPTION("quiet", FLAG, quiet, NULL, "no progress on stderr"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* Running minimal cases again. */
typedef struct Confirmation {
    Store *store;
    Sides sides;
    uint64_t end;   /* by the clock */
    int64_t single; /* findings that one side alone showed, and that were not run again */
    Text *error;
} Confirmation;

static bool put_side(Confirmation *c, const SidedFinding *finding, int side, int tries,
                     int diverged)
{
    const char *name = c->sides.names[side];
    return store_put_outcome(
        c->store,
        &(OutcomeRecord){.finding = finding->id,
                         .backend = name,
                         .version = again_version(name),
                         .tries = tries,
                         .diverged = diverged,
                         .captured = !strcmp(name, text_string(&finding->backend))},
        c->error);
}

/* What one run showed on a side: 1 for a divergence, 0 for agreement, -1 where it was not run. */
static int shown_once(const SidedFinding *finding, const Sides *sides, int side)
{
    VerdictKind kind;
    if (finding->whole)
        return finding->observed[side];
    if (!strcmp(sides->names[side], text_string(&finding->backend)))
        return 1;
    if (!verdict_find(text_string(&finding->peer[side]), &kind))
        return -1;
    return verdict_is_finding(kind) ? 1 : kind == VERDICT_AGREE ? 0 : -1;
}

/* One run is enough where both sides show it.  Where one alone does, both run it again in processes
 * of their own, as long as there is time. */
static bool confirm_finding(Confirmation *c, const SidedFinding *finding)
{
    bool ok = true, both = true, late = clock_nanoseconds() > c->end;
    int once[2];
    for (int side = 0; side < 2; side++) {
        once[side] = shown_once(finding, &c->sides, side);
        both = both && once[side] == 1;
    }
    bool rests = finding->whole || both || late;
    c->single += late && !both && !finding->whole;
    for (int side = 0; ok && side < 2; side++) {
        int diverged = once[side];
        bool known = rests ? diverged >= 0
                           : again_count(text_string(&finding->line), c->sides.names[side], NULL,
                                         TRIES, &diverged);
        ok = !known || put_side(c, finding, side, rests ? 1 : TRIES, diverged);
    }
    return ok;
}

static bool confirm(Confirmation *c, int64_t run)
{
    SidedFinding finding = {0};
    bool ok = true;
    do {
        ok = sided_finding_next(c->store, run, &c->sides, &finding, c->error) &&
             (finding.id == 0 || confirm_finding(c, &finding));
    } while (ok && finding.id > 0);
    sided_finding_release(&finding);
    return ok;
}

/* A part of the screen: the rows of a table that a condition chooses. */
typedef struct Part {
    const char *heading, *columns, *from, *condition, *order;
} Part;

#define TITLE                                                                                      \
    "CASE WHEN length(title) > 84 THEN substr(title, 1, 80) || ' ...' ELSE title END AS title"
/* A reason without the name and version of what declines, which the heading has, and marked where
 * it did not fit into what was kept. */
#define REASON                                                                                     \
    "CASE WHEN instr(reason, ' has no ') BETWEEN 1 AND 40 "                                        \
    "THEN substr(reason, instr(reason, ' has no ') + 1) "                                          \
    "WHEN instr(reason, ' lacks it: ') BETWEEN 1 AND 40 "                                          \
    "THEN substr(reason, instr(reason, ' lacks it: ') + 1) ELSE reason END "                       \
    "|| CASE WHEN length(CAST(reason AS BLOB)) >= 95 THEN ' ...' ELSE '' END AS why"
#define OPEN " AND state = 'open' AND severity < 7"

static const Part parts[] = {
    {"new",
     "bug, severity, findings, CASE WHEN old_declines = findings THEN 'does not run it' "
     "ELSE 'agrees' END AS old, " TITLE ", line",
     "v_qualified_bug", "verdict = 'new'" OPEN, "severity, findings DESC, bug"},
    {"there before, now in more cases",
     "bug, severity, new_findings AS new, findings AS of, " TITLE ", line", "v_qualified_bug",
     "verdict = 'more'" OPEN, "severity, new_findings DESC, bug"},
    {"gone",
     "bug, severity, findings, CASE WHEN new_declines = findings THEN 'does not run it' "
     "ELSE 'agrees' END AS new, " TITLE,
     "v_qualified_bug", "verdict = 'gone'" OPEN, "severity, findings DESC, bug"},
    {"still there, in fewer cases", "bug, severity, gone_findings AS gone, findings AS of, " TITLE,
     "v_qualified_bug", "verdict = 'less'" OPEN, "severity, gone_findings DESC, bug"},
    {"still there", "bug, severity, findings, " TITLE, "v_qualified_bug",
     "verdict = 'still there'" OPEN, "severity, findings DESC, bug"},
    {"documented departures (conventions)", "verdict, count(*) AS conventions", "v_qualified_bug",
     "severity >= 7 GROUP BY verdict", "verdict"},
    {"decided or not reproducible, so not above",
     "CASE state WHEN 'open' THEN verdict ELSE state END AS why, count(*) AS bugs",
     "v_qualified_bug",
     "severity < 7 AND (state <> 'open' OR verdict = 'not reproducible') GROUP BY 1", "1"},
    {"changed within bounds",
     "op, group_concat(dtype) AS types, what, sum(cases) AS cases, sum(of) AS of, "
     "CASE WHEN max(ulps) > 1000000 THEN 'many' ELSE max(ulps) END AS ulps",
     "v_change", "true GROUP BY op, what", "grave DESC, sum(cases) DESC, op"},
    {"run by one of them only",
     "what, CASE WHEN count(DISTINCT op) < 4 THEN group_concat(DISTINCT op) ELSE min(op) || ' and "
     "' || "
     "(count(DISTINCT op) - 1) || ' more' END AS operators, sum(cases) AS cases, why",
     "(SELECT *, " REASON " FROM v_one_sided)", "true GROUP BY what, why", "cases DESC, why"},
};

/* Prints a part that has rows, as many as a screen takes, and how many more there are. */
static int print_part(const Options *options, const Part *part, int64_t run)
{
    Text sql = {0}, rows_of = {0}, error = {0};
    int64_t count = 0;
    text_printf(&rows_of, "SELECT %s FROM %s WHERE run = %lld AND %s ORDER BY %s", part->columns,
                part->from, (long long)run, part->condition, part->order);
    text_printf(&sql, "SELECT count(*) FROM (%s)", text_string(&rows_of));
    Store *store = options_store(options, STORE_READ);
    int status = !store ? EXIT_ENVIRONMENT : EXIT_CLEAN;
    if (store && !store_get_number(store, text_string(&sql), &count, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    store_close(store);
    if (count > 0) {
        escape_print(stdout, "\n%s: %lld\n", part->heading, (long long)count);
        text_printf(&rows_of, " LIMIT %d", SHOWN);
        status = print_query(options, text_string(&rows_of));
    }
    if (count > SHOWN)
        escape_print(stdout, "... and %lld more\n", (long long)count - SHOWN);
    text_release(&sql);
    text_release(&rows_of);
    text_release(&error);
    return status;
}

static void print_head(const Options *options, const CampaignSummary *s, const Qualification *q)
{
    const char *const *names = options->arguments;
    escape_print(stdout, "old %s", names[0]);
    escape_print(stdout, " (%s), ", again_version(names[0]));
    escape_print(stdout, "new %s", names[1]);
    escape_print(stdout, " (%s)\n", again_version(names[1]));
    escape_print(stdout,
                 "%llu cases in %.0f s; of %lld whose results could be compared bit by bit %lld "
                 "changed within bounds\n",
                 (unsigned long long)s->totals.cases, s->totals.seconds, (long long)q->compared,
                 (long long)q->changed);
}

/* What the parts leave out, and where the rest is. */
static void print_end(const Options *options, const CampaignSummary *s, const Confirmation *c,
                      const Qualification *q, int64_t run)
{
    const char *db = options_database(options);
    escape_print(stdout, "\n");
    for (int i = 0; i < s->aside_count; i++)
        escape_print(stdout, "set aside: %s: %s; %llu cases went untested on it\n",
                     s->aside[i].backend, s->aside[i].reason,
                     (unsigned long long)s->aside[i].untested);
    if (c->single > 0)
        escape_print(stdout, "%lld findings rest on one run of each side: there was no more time\n",
                     (long long)c->single);
    if (s->unplaced + s->unexplained > 0)
        escape_print(stdout, "%llu changes and reasons were too many to be kept\n",
                     (unsigned long long)s->unplaced + (unsigned long long)s->unexplained);
    if (q->unfinished > 0)
        escape_print(stdout, "%lld findings are not minimal yet and of no bug: not above\n",
                     (long long)q->unfinished);
    escape_print(
        stdout,
        "cases that changed: opconform query changes --db %s\n"
        "all rows: opconform query --db %s --sql \"SELECT * FROM v_qualification WHERE run "
        "= %lld\"\n",
        db, db, (long long)run);
    if (q->worst > 0)
        escape_print(stdout, "next: opconform bugs show %lld --db %s\n", (long long)q->worst, db);
}

static int print_all(const Options *options, const CampaignSummary *summary, const Confirmation *c,
                     const Qualification *q, int64_t run)
{
    int status = EXIT_CLEAN;
    char sql[96];
    (void)snprintf(sql, sizeof sql, "SELECT * FROM v_qualification WHERE run = %lld",
                   (long long)run);
    if (options_format(options) != QUERY_TABLE)
        return print_query(options, sql);
    print_head(options, summary, q);
    for (size_t i = 0; status == EXIT_CLEAN && i < COUNT_OF(parts); i++)
        status = print_part(options, &parts[i], run);
    print_end(options, summary, c, q, run);
    return status;
}

/* Runs what the campaign found again on each side, and tells. */
static int report(const Options *options, const CampaignSummary *summary, int64_t run)
{
    Text error = {0};
    Qualification counts = {0};
    double seconds = options->seconds > 0 ? options->seconds : summary->totals.seconds + 60;
    Confirmation c = {.sides = {{options->arguments[0], options->arguments[1]}},
                      .end = clock_nanoseconds() + (uint64_t)(seconds * 1e9),
                      .error = &error};
    c.store = options_store(options, STORE_WRITE);
    if (!c.store)
        return EXIT_ENVIRONMENT;
    store_continue_run(c.store, run);
    bool ok = store_put_qualification(c.store, c.sides.names[0], c.sides.names[1], &error) &&
              confirm(&c, run) && qualification_read(c.store, run, &counts, &error);
    store_close(c.store);
    int status = ok ? print_all(options, summary, &c, &counts, run)
                    : complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    if (status != EXIT_CLEAN)
        return status;
    return summary->internal_error ? EXIT_INTERNAL : counts.fresh > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int run_qualify(Options *options)
{
    CampaignSummary summary = {0};
    Text error = {0};
    int64_t run;
    bool known = true;
    if (options->argument_count != 2)
        return complain(EXIT_USAGE, "qualify: expected OLD and NEW, as in opconform qualify "
                                    "openblas:0.3.30 openblas:0.3.34");
    if (!strcmp(options->arguments[0], options->arguments[1]))
        return complain(EXIT_USAGE, "qualify: OLD and NEW are both %s", options->arguments[0]);
    for (int i = 0; known && i < 2; i++) {
        known = backend_name(options->arguments[i], &error);
        options->backend.names[options->backend.count++] = options->arguments[i];
    }
    int status = known ? EXIT_CLEAN : complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    if (!known)
        return status;
    status = campaign_command("qualify", options, true, &summary, &run);
    return run ? report(options, &summary, run) : status;
}

const Command command_qualify = {
    .name = "qualify",
    .arguments = "OLD NEW [options]",
    .summary =
        "Compares two versions of a library on the same cases: bugs that are new, gone or still\n"
        "there, results that changed within their bounds, and cases that one of them declines.\n"
        "What one version alone shows is run again on both before it is told.  Exit status 1 when "
        "something\n"
        "diverges in NEW alone that is neither a documented departure nor decided otherwise.",
    .example = "opconform qualify openblas:0.3.30 openblas:0.3.34 --op 'blas/*' --time 5m",
    .options = rows,
    .run = run_qualify,
};
