/* Strata that show new features are drawn more often, those that show none are not forgotten, and
 * mutants keep their share within its limits; crossover and mutation give legal cases that differ.
 */
#include <math.h>
#include <string.h>

#include "fuzz/engine/mutate.h"
#include "ops/case/large.h"
#include "reference/guard.h"
#include "tests/check.h"

enum { DRAWS = 20000 };

static ScheduleMemory memory;

static int count_picks(const Schedule *schedule, const char *op)
{
    int count = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        Scope narrowed;
        schedule_pick(schedule, seed, &narrowed);
        CHECK(narrowed.op_count == 1);
        CHECK(narrowed.dtypes & op_dtypes(narrowed.ops[0]));
        count += narrowed.ops[0] == op_find(op);
    }
    return count;
}

static int count_fresh(const Schedule *schedule)
{
    int count = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++)
        count += schedule_origin(schedule, seed) == ORIGIN_FRESH;
    return count;
}

static void teach(const Schedule *schedule, const char *op, Origin origin, int fresh)
{
    Case c;
    case_init(&c, op_find(op));
    for (int i = 0; i < 50; i++)
        schedule_learn(schedule, &c, origin, fresh);
}

static void check_strata(const Scope *all)
{
    Scope scope = *all;
    const Schedule schedule = {&scope, &memory, NULL};
    scope.dtypes = 1u << DT_F32;
    memory = (ScheduleMemory){0};
    int untried = count_picks(&schedule, "dot");
    teach(&schedule, "dot", ORIGIN_FRESH, 0);
    CHECK(count_picks(&schedule, "dot") < untried * 3 / 4);
    for (int i = 0; i < scope.op_count; i++)
        if (op_dtypes(scope.ops[i]) & scope.dtypes)
            teach(&schedule, scope.ops[i]->name, ORIGIN_FRESH, 0);
    int dot = count_picks(&schedule, "dot"), axpy = count_picks(&schedule, "axpy");
    teach(&schedule, "dot", ORIGIN_FRESH, 400);
    CHECK(count_picks(&schedule, "dot") > 2 * dot);
    CHECK(count_picks(&schedule, "axpy") < axpy);
    /* Half of the cases is even. */
    CHECK(count_picks(&schedule, "axpy") > axpy / 3);
}

/* Among 2000 fresh cases, those that `preferred` is true of. */
static int count_preferred(const Scope *scope, int (*preferred)(const Case *c),
                           int (*novelty)(const Case *c))
{
    uint8_t bytes[CASE_BYTES_MAX];
    const Schedule schedule = {scope, &memory, novelty};
    int count = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        Case c;
        case_decode(&c, scope, bytes, stratum_bytes(bytes, sizeof bytes, &schedule, seed));
        count += preferred(&c);
    }
    return count;
}

static int is_guarded_at_start(const Case *c)
{
    return c->exec.guard == GUARD_START;
}

static int is_dear(const Case *c)
{
    return !large_is(c) && case_work(c) > 1 << 17;
}

static int any_is_new(const Case *c)
{
    (void)c;
    return 1;
}

/* Of three draws one that is new is taken where there is any, and of those that are as new the one
 * with the least work. */
static void check_novelty(const Scope *scope)
{
    memory = (ScheduleMemory){0};
    double alone = count_preferred(scope, is_guarded_at_start, NULL) / 2000.0;
    double among = count_preferred(scope, is_guarded_at_start, is_guarded_at_start) / 2000.0;
    CHECK(alone > 0.1 && alone < 0.5);
    CHECK(among > 1.8 * alone);
    int dear = count_preferred(scope, is_dear, NULL);
    CHECK(dear > 20 && 2 * count_preferred(scope, is_dear, any_is_new) < dear);
}

static void check_origins(const Scope *scope)
{
    const Schedule schedule = {scope, &memory, NULL};
    memory = (ScheduleMemory){0};
    teach(&schedule, "dot", ORIGIN_MUTANT, 100);
    teach(&schedule, "dot", ORIGIN_FRESH, 0);
    int fresh = count_fresh(&schedule);
    CHECK(fresh > DRAWS * 0.73 && fresh < DRAWS * 0.79);
    memory = (ScheduleMemory){0};
    teach(&schedule, "dot", ORIGIN_FRESH, 100);
    teach(&schedule, "dot", ORIGIN_MUTANT, 0);
    fresh = count_fresh(&schedule);
    CHECK(fresh > DRAWS * 0.84 && fresh < DRAWS * 0.89);
}

/* Children of different operators take something of the other one. */
static void check_children(const Scope *scope)
{
    uint8_t a[CASE_BYTES_MAX], b[CASE_BYTES_MAX], out[CASE_BYTES_MAX];
    const Schedule schedule = {scope, &memory, NULL};
    int same = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        Case first, child;
        size_t a_size = stratum_bytes(a, sizeof a, &schedule, 2 * seed);
        size_t b_size = stratum_bytes(b, sizeof b, &schedule, 2 * seed + 1);
        size_t size = cross_bytes(a, a_size, b, b_size, out, sizeof out, scope, seed);
        case_decode(&first, scope, a, a_size);
        case_decode(&child, scope, out, size);
        Case legal = child;
        case_normalise(&legal, scope);
        CHECK(child.op == first.op);
        CHECK(case_equal(&legal, &child));
        same += case_equal(&child, &first);
    }
    CHECK(same < 100);
}

/* Calls that are compiled together come by turns, each with all of its cases. */
static void check_turns(Scope scope)
{
    enum { STRETCH = 12, TOGETHER = 4, CASES = STRETCH * TOGETHER };
    uint8_t bytes[CASE_BYTES_MAX];
    Case apart[CASES];
    scope.draws = STRETCH;
    scope.draws_alike = 4;
    scope.together = 0;
    for (uint64_t number = 0; number < CASES; number++)
        case_decode(&apart[number], &scope, bytes, drawn_bytes(bytes, &scope, 7, number));
    scope.together = TOGETHER;
    CHECK(mutate_stretch(&scope) == CASES);
    for (uint64_t number = 0; number < CASES; number++) {
        Case c;
        case_decode(&c, &scope, bytes, drawn_bytes(bytes, &scope, 7, number));
        CHECK(case_equal(&c, &apart[number % TOGETHER * STRETCH + number / TOGETHER]));
    }
}

/* Where calls are compiled, stretches of cases differ in their data, and in extents of the same
 * ranks from one part of a stretch to the next. */
static void check_stretches(Scope scope)
{
    enum { STRETCH = 12, ALIKE = 4, STRETCHES = 60 };
    int shapes = 0, fills = 0;
    scope.draws = STRETCH;
    scope.draws_alike = ALIKE;
    scope.ops[0] = op_find("softmax");
    scope.op_count = 1;
    Case first = {0}, part = {0};
    for (uint64_t number = 0; number < STRETCHES * STRETCH; number++) {
        uint8_t bytes[CASE_BYTES_MAX];
        Case c;
        case_decode(&c, &scope, bytes, drawn_bytes(bytes, &scope, 7, number));
        if (number % STRETCH == 0)
            first = c;
        const Param *shape = op_param(c.op, "shape", strlen("shape"));
        CHECK(case_dtype(&c) == case_dtype(&first));
        CHECK(number % STRETCH == 0 || c.exec.illegal == 0);
        CHECK(param_shape(shape, c.params)->rank == param_shape(shape, first.params)->rank);
        if (number % ALIKE == 0) {
            shapes += !param_equal(shape, c.params, first.params);
            part = c;
        }
        CHECK(param_equal(shape, c.params, part.params));
        fills += memcmp(c.fill, part.fill, sizeof c.fill) != 0;
    }
    CHECK(shapes > STRETCHES && fills > STRETCHES * STRETCH / 2);
}

/* Of a seed that nothing draws by chance there are a quarter: half of them as it is but for data,
 * the others near it; what is not made of it stays what it was. */
static void check_seeds(Scope scope)
{
    Case seed = {0};
    Text why = {0};
    const Case *seeds[] = {&seed};
    int kept = 0, near = 0;
    scope.ops[0] = op_find("gemm");
    scope.op_count = 1;
    CHECK(case_parse(&seed,
                     "gemm/1 dtype=f64 order=row ta=n tb=t m=83 n=61 k=157 lda=+211 ldb=+307 ldc=0",
                     &why));
    Scope plain = scope;
    scope.seeds = seeds;
    scope.seed_count = COUNT_OF(seeds);
    for (uint64_t number = 0; number < DRAWS; number++) {
        uint8_t bytes[CASE_BYTES_MAX];
        Case c, drawn, like = seed;
        case_decode(&drawn, &plain, bytes, drawn_bytes(bytes, &plain, 7, number));
        case_decode(&c, &scope, bytes, drawn_bytes(bytes, &scope, 7, number));
        memcpy(like.fill, c.fill, sizeof like.fill);
        like.exec = c.exec;
        int alike = 0;
        for (const Param *param = c.op->params; param->name; param++)
            alike += param_equal(param, c.params, seed.params);
        if (case_equal(&like, &c))
            kept++;
        else if (!case_equal(&drawn, &c))
            near += alike >= 5;
    }
    CHECK(kept > DRAWS / 10 && kept < DRAWS / 5);
    CHECK(near > DRAWS / 20 && near < DRAWS / 5);
    text_release(&why);
}

int main(void)
{
    Scope scope = scope_all();
    check_stretches(scope);
    check_turns(scope);
    check_seeds(scope);
    int kept = 0;
    for (int i = 0; i < scope.op_count; i++)
        if (op_matches(scope.ops[i], "blas/*"))
            scope.ops[kept++] = scope.ops[i];
    scope.op_count = kept;
    check_strata(&scope);
    check_novelty(&scope);
    check_origins(&scope);
    check_children(&scope);
    return check_end("t_schedule");
}
