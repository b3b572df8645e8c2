/* References of solves, norms, copies and combinations, and the views of structured storage,
 * against exact arithmetic or plain definitions. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/elementwise.h"
#include "reference/norm.h"
#include "reference/random.h"
#include "reference/solve.h"
#include "tests/check.h"

enum { ORDER = 9, BITS = 2000 };

static double draw(uint64_t *state)
{
    return ldexp(random_unit(random_next(state)) - 0.5, (int)(random_next(state) % 9) - 4);
}

/* Every element of a packed triangle lies where the triangle is enumerated column by column or row
 * by row, and transposition exchanges its indices. */
static void test_packing(void)
{
    static const TensorPacking packings[] = {PACKING_UPPER_COLUMNS, PACKING_LOWER_COLUMNS,
                                             PACKING_UPPER_ROWS, PACKING_LOWER_ROWS};
    for (size_t k = 0; k < COUNT_OF(packings); k++) {
        bool upper = k % 2 == 0, columns = k < 2;
        Tensor t = tensor_matrix(DT_F64, ORDER, ORDER, 1, 1, NULL);
        t.limited = true;
        t.packing = packings[k];
        t.below = upper ? 0 : ORDER;
        t.above = upper ? ORDER : 0;
        Tensor turned = tensor_transposed(t);
        int64_t next = 0;
        CHECK(tensor_span(&t) == ORDER * (ORDER + 1) / 2 && tensor_count(&t) == tensor_span(&t));
        for (int64_t line = 0; line < ORDER; line++)
            for (int64_t at = 0; at < ORDER; at++) {
                int64_t i = columns ? at : line, j = columns ? line : at;
                if (upper ? i > j : i < j)
                    continue;
                CHECK(tensor_offset(&t, i, j) == next);
                CHECK(tensor_offset(&turned, j, i) == next++);
            }
    }
}

typedef struct Visits {
    int64_t count, below, above;
} Visits;

static void count_visit(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Visits *visits = context;
    (void)at;
    (void)stride;
    for (int64_t k = first; k < first + count; k++) {
        int64_t i = k / ORDER, j = k % ORDER;
        CHECK(j - i >= -visits->below && j - i <= visits->above);
        visits->count++;
    }
}

static void test_limits(void)
{
    static double data[ORDER * ORDER];
    for (int64_t below = -1; below < ORDER; below++)
        for (int64_t above = -1; above < ORDER; above++) {
            Tensor t = tensor_matrix(DT_F64, ORDER, ORDER, ORDER, 1, data);
            Visits visits = {0, below, above};
            t.limited = true;
            t.below = below;
            t.above = above;
            tensor_visit_runs(&t, count_visit, &visits);
            CHECK(visits.count == tensor_count(&t));
        }
}

typedef struct System {
    double t[ORDER * ORDER], b[ORDER], x[ORDER];
    SolveInput in;
} System;

static void make_system(System *s, uint64_t *state, bool lower)
{
    for (int i = 0; i < ORDER * ORDER; i++)
        s->t[i] = draw(state);
    for (int i = 0; i < ORDER; i++) {
        s->t[i * ORDER + i] += 20;
        s->b[i] = draw(state);
    }
    s->in = (SolveInput){.t = tensor_matrix(DT_F64, ORDER, ORDER, ORDER, 1, s->t),
                         .b = tensor_matrix(DT_F64, ORDER, 1, 1, 1, s->b),
                         .alpha = {3, 0}};
    s->in.t.limited = true;
    s->in.t.below = lower ? ORDER : 0;
    s->in.t.above = lower ? 0 : ORDER;
}

/* The residual of unknown i given the others, exactly. */
static void exact_unknown(const System *s, int i, bool lower, mpfr_t value, mpfr_t term)
{
    mpfr_set_d(value, s->b[i], MPFR_RNDN);
    mpfr_mul_d(value, value, 3, MPFR_RNDN);
    for (int l = lower ? 0 : i + 1; l < (lower ? i : ORDER); l++) {
        mpfr_set_d(term, s->t[i * ORDER + l], MPFR_RNDN);
        mpfr_mul_d(term, term, s->x[l], MPFR_RNDN);
        mpfr_sub(value, value, term, MPFR_RNDN);
    }
    mpfr_div_d(value, value, s->t[i * ORDER + i], MPFR_RNDN);
}

static void test_solve(Arena *arena, mpfr_t value, mpfr_t term)
{
    uint64_t state = 3;
    static System s;
    for (int round = 0; round < 200; round++) {
        bool lower = round % 2;
        Ref ref;
        make_system(&s, &state, lower);
        arena_reset(arena);
        solve_reference(&ref, &s.in, arena);
        CHECK(ref.rule == RULE_RELATIVE);
        for (int i = 0; i < ORDER; i++)
            s.x[i] = ref.high[i] * (1 + (double)(round % 3) * 0x1p-30);
        Tensor computed = tensor_matrix(DT_F64, ORDER, 1, 1, 1, s.x);
        s.in.computed = &computed;
        solve_reference(&ref, &s.in, arena);
        CHECK(ref.rule == RULE_SOLVE);
        for (int i = 0; i < ORDER; i++) {
            exact_unknown(&s, i, lower, value, term);
            mpfr_sub_d(value, value, ref.high[i], MPFR_RNDN);
            mpfr_sub_d(value, value, ref.low[i], MPFR_RNDN);
            CHECK(fabs(mpfr_get_d(value, MPFR_RNDN)) <= ref.error[i]);
            CHECK(ref.terms[i] == (uint32_t)(lower ? i : ORDER - 1 - i) + 1 + 2);
        }
        s.x[lower ? 0 : ORDER - 1] = NAN;
        solve_reference(&ref, &s.in, arena);
        CHECK(ref.classes[lower ? ORDER - 1 : 0] == CLASS_ANY);
        CHECK(ref.classes[lower ? 0 : ORDER - 1] == CLASS_FINITE);
    }
}

static void test_norm(Arena *arena, mpfr_t sum, mpfr_t term)
{
    static const int scales[] = {0, 500, -500, 1000, -1000};
    uint64_t state = 5;
    for (int round = 0; round < 200; round++) {
        double x[ORDER];
        Ref ref;
        mpfr_set_zero(sum, 1);
        for (int i = 0; i < ORDER; i++) {
            x[i] = ldexp(draw(&state), scales[round % 5]);
            mpfr_set_d(term, x[i], MPFR_RNDN);
            mpfr_sqr(term, term, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
        }
        Tensor view = tensor_matrix(DT_F64, ORDER, 1, 1, 1, x);
        arena_reset(arena);
        euclidean_norm_reference(&ref, &view, arena);
        mpfr_sqrt(sum, sum, MPFR_RNDN);
        mpfr_mul_2si(sum, sum, -ref.exponent, MPFR_RNDN);
        mpfr_sub_d(sum, sum, ref.high[0], MPFR_RNDN);
        mpfr_sub_d(sum, sum, ref.low[0], MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(sum, MPFR_RNDN)) <= ref.error[0]);
        CHECK(ref.error[0] < 0x1p-80 && ref.classes[0] == CLASS_FINITE);
    }
}

static void test_indices(Arena *arena)
{
    float x[5] = {1, -3, 3, NAN, 2};
    Ref ref;
    Tensor view = tensor_matrix(DT_F32, 3, 1, 1, 1, x);
    arena_reset(arena);
    extreme_index_reference(&ref, &view, EXTREME_LARGEST, arena);
    CHECK(ref.candidates[0] == 1 && ref.candidates[2] == 1 && !ref.alternative);
    extreme_index_reference(&ref, &view, EXTREME_SMALLEST, arena);
    CHECK(ref.candidates[0] == 0);
    view.extent[0] = 5;
    extreme_index_reference(&ref, &view, EXTREME_LARGEST, arena);
    CHECK(ref.candidates[0] == 1 && ref.alternative && ref.alternative->candidates[0] == 3);
    CHECK(!strcmp(ref.alternative->policy, "index-first-nan"));
}

static void test_combination(Arena *arena)
{
    float x[1] = {1 + 0x1p-13f}, y[1] = {-1};
    Ref ref;
    CombinationInput in = {tensor_matrix(DT_F32, 1, 1, 1, 1, x),
                           tensor_matrix(DT_F32, 1, 1, 1, 1, y), 1 + 0x1p-13f, 1};
    arena_reset(arena);
    combination_reference(&ref, &in, arena);
    volatile float product = x[0] * x[0];
    CHECK(ref.candidates[0] == (float)(product + y[0]));
    CHECK(ref.candidates[1] == fmaf(x[0], x[0], y[0]));
    CHECK(ref.candidates[0] != ref.candidates[1] && ref.match[0] == MATCH_SET);
    in.p = 0;
    x[0] = NAN;
    combination_reference(&ref, &in, arena);
    CHECK(ref.classes[0] == CLASS_NAN);
    CHECK(ref.classes_skipping[0] == (CLASS_NAN | CLASS_FINITE));
    copy_reference(&ref, &in.y, arena);
    CHECK(ref.match[0] == MATCH_BITS && ref.high[0] == -1);
}

int main(void)
{
    Arena arena;
    mpfr_t value, term;
    mpfr_inits2(BITS, value, term, (mpfr_ptr)0);
    CHECK(arena_init(&arena, 1 << 26));
    test_packing();
    test_limits();
    test_solve(&arena, value, term);
    test_norm(&arena, value, term);
    test_indices(&arena);
    test_combination(&arena);
    mpfr_clears(value, term, (mpfr_ptr)0);
    return check_end("reference/t_vectors");
}
