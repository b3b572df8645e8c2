/* Weights are read from the counts and findings of a database, and follow from nothing else. */
#include "weight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/store/signature.h"
#include "reports/store/statement.h"

/* What a database knows of a stratum. */
typedef struct Past {
    double seconds, cases, rare; /* rare: findings that were met once */
} Past;

static const char pasts_sql[] =
    "SELECT op, dtype, backend, sum(nanoseconds) * 1e-9, sum(executions + declined), 0 FROM "
    "coverage WHERE nanoseconds > 0 GROUP BY op, dtype, backend UNION ALL "
    "SELECT op, dtype, backend, 0, 0, count(*) FROM finding WHERE hits <= 1 AND NOT flaky AND "
    "kind <> 'POLICY' GROUP BY op, dtype, backend";

/* Where strata stand in a plan, by library, operator and type; 0 is none, 1 the first. */
typedef struct Places {
    const NameList *backends;
    size_t *of;
} Places;

static size_t *place_of(const Places *places, int backend, int op, DType dtype)
{
    return &places->of[((size_t)backend * OP_MAX + (size_t)op) * DT_COUNT + dtype];
}

static Places make_places(const Plan *plan, const Options *options)
{
    size_t cells = (size_t)options->backend.count * OP_MAX * DT_COUNT;
    Places places = {&options->backend, memory_allocate(cells, sizeof *places.of)};
    for (size_t i = 0; i < plan->count; i++)
        *place_of(&places, plan->strata[i].backend, plan->strata[i].op, plan->strata[i].dtype) =
            i + 1;
    return places;
}

/* Adds a row to what is known of its stratum, if the plan has it. */
static void add_past(const Places *places, const Statement *row, Past *pasts)
{
    const OpDesc *op = op_find(statement_column(row, 0));
    DType dtype;
    if (!op || !dtype_find(statement_column(row, 1), &dtype))
        return;
    for (int i = 0; i < places->backends->count; i++) {
        size_t place = *place_of(places, i, op_number(op), dtype);
        if (place == 0 || strcmp(places->backends->names[i], statement_column(row, 2)) != 0)
            continue;
        pasts[place - 1].seconds += sqlite3_column_double(row->statement, 3);
        pasts[place - 1].cases += sqlite3_column_double(row->statement, 4);
        pasts[place - 1].rare += sqlite3_column_double(row->statement, 5);
    }
}

static bool look_back(const Plan *plan, const Options *options, Store *store, Past *pasts,
                      Text *error)
{
    const Places places = make_places(plan, options);
    Statement s = statement_begin(store_connection(store), pasts_sql);
    while (statement_row(&s))
        add_past(&places, &s, pasts);
    free(places.of);
    return statement_end(&s, "the database of --db", error);
}

/* Seconds of a case; those of the average where none was run. */
static double cost_of(const Past *past, const Past *all)
{
    if (past->cases > 0)
        return past->seconds / past->cases;
    return all->cases > 0 ? all->seconds / all->cases : 1;
}

/* Rare findings of a second, as if half of one had been met before in the time that one takes on
 * the average. */
static double rate_of(const Past *past, const Past *all)
{
    const double before = 0.5;
    double average = all->rare > 0 ? all->rare / all->seconds : 0;
    return average > 0 ? (past->rare + before) / (past->seconds + before / average) : 0;
}

static void weigh(Plan *plan, const Past *pasts, const Past *all)
{
    double costs = 0, rates = 0, cases = 0;
    for (size_t i = 0; i < plan->count; i++) {
        costs += cost_of(&pasts[i], all);
        rates += rate_of(&pasts[i], all);
    }
    for (size_t i = 0; i < plan->count; i++) {
        PlanStratum *stratum = &plan->strata[i];
        double cost = cost_of(&pasts[i], all), even = cost / costs;
        stratum->time = rates > 0 ? even / 2 + rate_of(&pasts[i], all) / rates / 2 : even;
        stratum->cases = stratum->time / cost;
        stratum->rare = (int64_t)pasts[i].rare;
        cases += stratum->cases;
    }
    for (size_t i = 0; i < plan->count; i++)
        plan->strata[i].cases /= cases;
}

bool plan_weigh(Plan *plan, const Options *options, Store *store, Text *error)
{
    Past *pasts = memory_allocate(plan->count, sizeof *pasts), all = {0};
    bool ok = look_back(plan, options, store, pasts, error);
    for (size_t i = 0; i < plan->count; i++) {
        all.seconds += pasts[i].seconds;
        all.cases += pasts[i].cases;
        all.rare += pasts[i].seconds > 0 ? pasts[i].rare : 0;
    }
    if (ok && all.cases <= 0) {
        text_printf(error, "the database of --db has no times of these operators on these "
                           "libraries: run opconform fuzz, worker or nightly with them first");
        ok = false;
    }
    if (ok)
        weigh(plan, pasts, &all);
    free(pasts);
    return ok;
}

/* Gives the strata of a list shards of their own, each at least one: the next one goes to the
 * stratum that has most time for each of its shards. */
static void give_own(Plan *plan, const size_t *list, size_t count, int first, int shards)
{
    int *own = memory_allocate(count + 1, sizeof *own), next = first;
    for (int left = shards; left > 0; left--) {
        size_t most = 0;
        double time = -1;
        for (size_t i = 0; i < count; i++) {
            double each = own[i] ? plan->strata[list[i]].time / own[i] : 2;
            if (each > time) {
                most = i;
                time = each;
            }
        }
        own[most]++;
    }
    for (size_t i = 0; i < count; i++) {
        plan->strata[list[i]].first = next;
        next += own[i];
        plan->strata[list[i]].last = next - 1;
    }
    free(own);
}

/* Deals strata to fewer shards, of equal times as far as their borders allow. */
static void deal_by_time(Plan *plan, const size_t *list, size_t count, int first, int shards)
{
    double all = 0, before = 0;
    int at = 0;
    for (size_t i = 0; i < count; i++)
        all += plan->strata[list[i]].time;
    for (size_t i = 0; i < count; i++) {
        PlanStratum *stratum = &plan->strata[list[i]];
        bool is_due = before + stratum->time / 2 > all * (at + 1) / shards;
        bool must = count - i <= (size_t)(shards - 1 - at);
        if (i > 0 && at < shards - 1 && (is_due || must))
            at++;
        stratum->first = stratum->last = first + at;
        before += stratum->time;
    }
}

void plan_assign(Plan *plan, int shards)
{
    size_t *light = memory_allocate(plan->count, sizeof *light), count = 0;
    int next = 0;
    for (size_t i = 0; i < plan->count; i++) {
        int own = (int)(plan->strata[i].time * shards);
        if (own < 2 || plan->count <= 1) {
            light[count++] = i;
            continue;
        }
        plan->strata[i].first = next;
        next += own;
        plan->strata[i].last = next - 1;
    }
    if (count == 0 && plan->count > 0)
        plan->strata[plan->count - 1].last = shards - 1;
    else if ((size_t)(shards - next) >= count)
        give_own(plan, light, count, next, shards - next);
    else
        deal_by_time(plan, light, count, next, shards - next);
    free(light);
}

static const char head[] = "opconform fleet plan 1";
static const char columns[] = "# first and last shard, parts of time and of cases, findings that "
                              "were met once: library, operator, type";

void plan_print(const Plan *plan, const Options *options, int shards, Text *lines)
{
    text_printf(lines, "%s, %d shards, %zu strata\n%s\n", head, shards, plan->count, columns);
    for (size_t i = 0; i < plan->count; i++) {
        const PlanStratum *s = &plan->strata[i];
        text_printf(lines, "%d %d %.9g %.9g %lld %s %s %s\n", s->first, s->last, s->time, s->cases,
                    (long long)s->rare, options->backend.names[s->backend],
                    op_registry[s->op]->name, dtype_name(s->dtype));
    }
}

uint64_t plan_mark(const Text *lines)
{
    return lines->length > 0 ? signature_hash(text_string(lines)) : 0;
}

/* Whether the text behind the numbers of a line names the stratum. */
static bool names(const char *text, const PlanStratum *s, const Options *options)
{
    Text wanted = {0};
    text_printf(&wanted, "%s %s %s", options->backend.names[s->backend], op_registry[s->op]->name,
                dtype_name(s->dtype));
    bool same = strncmp(text, text_string(&wanted), wanted.length) == 0 &&
                (text[wanted.length] == '\n' || text[wanted.length] == '\0');
    text_release(&wanted);
    return same;
}

static bool follow_line(PlanStratum *s, const char *line, const Options *options, int shards)
{
    long long rare;
    int end = 0;
    bool read = sscanf(line, "%d %d %lf %lf %lld %n", &s->first, &s->last, &s->time, &s->cases,
                       &rare, &end) == 5;
    s->rare = read ? rare : 0;
    return read && s->first >= 0 && s->first <= s->last && s->last < shards && s->time > 0 &&
           s->time <= 1 && s->cases > 0 && s->cases <= 1 && names(line + end, s, options);
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

bool plan_follow(Plan *plan, const Options *options, int shards, const char *path,
                 const Text *lines, Text *error)
{
    Text first = {0};
    const char *line = text_string(lines);
    text_printf(&first, "%s, %d shards, %zu strata\n", head, shards, plan->count);
    bool ok = strncmp(line, text_string(&first), first.length) == 0;
    line = next_line(next_line(line));
    for (size_t i = 0; ok && i < plan->count; i++, line = next_line(line))
        ok = follow_line(&plan->strata[i], line, options, shards);
    ok = ok && *line == '\0';
    if (!ok)
        text_printf(error,
                    "%s: not a plan of %d shards for these operators, types and libraries as they "
                    "are here (%zu strata): make it again by opconform fleet plan",
                    path, shards, plan->count);
    text_release(&first);
    plan->weighed = ok;
    return ok;
}
