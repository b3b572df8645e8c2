/* The judge: an output inside its bound passes, one just outside fails, each tier where it is due,
 * and classes as the rules say.  The last test mutates bounds and sees correct sums flagged. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "oracle/judge.h"
#include "reference/affine.h"
#include "reference/random.h"
#include "tests/check.h"
#include "tests/check_admission.h"

enum { SIDE = 6, DEPTH = 40 };

typedef struct Fixture {
    float a[SIDE * DEPTH], b[DEPTH * SIDE], c[SIDE * SIDE];
    Ref ref;
    double got[SIDE * SIDE];
    Arena arena;
} Fixture;

static Fixture fixture;

static void make(Fixture *f, double alpha, double beta, bool integers, bool square)
{
    AffineInput in = {
        .alpha = {alpha, 0}, .beta = {beta, 0}, .want_square = square, .signs_drawn = square};
    for (int i = 0; i < SIDE * DEPTH; i++) {
        f->a[i] =
            integers ? (float)(i % 7 - 3) : (float)(random_unit(random_at(1, (uint64_t)i)) - 0.5);
        f->b[i] =
            integers ? (float)(i % 5 - 2) : (float)(random_unit(random_at(2, (uint64_t)i)) - 0.5);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        f->c[i] = integers ? 1 : (float)random_unit(random_at(3, (uint64_t)i));
    in.a = tensor_matrix(DT_F32, SIDE, DEPTH, DEPTH, 1, f->a);
    in.b = tensor_matrix(DT_F32, DEPTH, SIDE, SIDE, 1, f->b);
    in.c = tensor_matrix(DT_F32, SIDE, SIDE, SIDE, 1, f->c);
    arena_reset(&f->arena);
    affine_reference(&f->ref, &in, &f->arena);
    for (size_t i = 0; i < f->ref.count; i++)
        f->got[i] = (float)(f->ref.high[i] + f->ref.low[i]);
}

static bool admits_one(const void *context, const char *reading)
{
    return !strcmp(context, reading);
}

static bool admits_none(const void *context, const char *reading)
{
    (void)context;
    return reading == NULL;
}

static const Admission none = {admits_none, NULL};

static const Promise promise = {.models = models_ieee, .readings = models_readings};

static Judgement judge(Fixture *f)
{
    return judge_output(&f->ref, &promise, &check_admit_all, NULL, f->got, NULL, &f->arena);
}

static void test_bound_edges(Fixture *f)
{
    make(f, 1.5, 0.75, false, false);
    CHECK(judge(f).kind == VERDICT_AGREE);
    BoundRule rule = bound_rule(&f->ref, models_ieee);
    for (size_t i = 0; i < f->ref.count; i++) {
        double hard = bound_element(&rule, &f->ref, i).hard, exact = f->got[i];
        f->got[i] = f->ref.high[i] + 0.99 * hard;
        CHECK(judge(f).kind == VERDICT_AGREE);
        f->got[i] = f->ref.high[i] - 1.01 * hard;
        Judgement j = judge(f);
        CHECK(j.kind == VERDICT_DIVERGE && j.tier == TIER_VIOLATION && j.worst == i && j.bad == 1);
        CHECK(j.ratio > 1 && j.ratio < 1.1 && j.pattern == PATTERN_ONE);
        f->got[i] = exact;
    }
}

static void test_classes(Fixture *f)
{
    make(f, 1, 0, false, false);
    double saved = f->got[7];
    f->got[7] = NAN;
    CHECK(judge(f).tier == TIER_SPECIAL && judge(f).defect == DEFECT_NAN);
    f->got[7] = INFINITY;
    CHECK(judge(f).tier == TIER_SPECIAL && judge(f).defect == DEFECT_INFINITY);
    f->got[7] = saved;
    f->a[DEPTH] = NAN; /* row 1 */
    AffineInput in = {.alpha = {1, 0},
                      .a = tensor_matrix(DT_F32, SIDE, DEPTH, DEPTH, 1, f->a),
                      .b = tensor_matrix(DT_F32, DEPTH, SIDE, SIDE, 1, f->b),
                      .c = tensor_matrix(DT_F32, SIDE, SIDE, SIDE, 1, f->c)};
    affine_reference(&f->ref, &in, &f->arena);
    Judgement j = judge(f);
    CHECK(j.tier == TIER_SPECIAL && j.defect == DEFECT_LOST && j.bad == SIDE);
    CHECK(j.pattern == PATTERN_ROW);
    for (int i = SIDE; i < 2 * SIDE; i++)
        f->got[i] = NAN;
    CHECK(judge(f).kind == VERDICT_AGREE);
}

static void test_exact(Fixture *f)
{
    make(f, 2, 0.5, true, false);
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[3] = nextafterf((float)f->got[3], INFINITY);
    Judgement j = judge(f);
    CHECK(j.tier == TIER_EXACT && j.worst == 3 && j.ulps == 1);
    make(f, 0, -1, true, false);
    memset(f->c, 0, sizeof f->c);
    AffineInput in = {.beta = {-1, 0},
                      .a = tensor_matrix(DT_F32, SIDE, DEPTH, DEPTH, 1, f->a),
                      .b = tensor_matrix(DT_F32, DEPTH, SIDE, SIDE, 1, f->b),
                      .c = tensor_matrix(DT_F32, SIDE, SIDE, SIDE, 1, f->c)};
    affine_reference(&f->ref, &in, &f->arena);
    for (size_t i = 0; i < f->ref.count; i++)
        f->got[i] = -0.0;
    CHECK(judge(f).kind == VERDICT_AGREE);
    /* The empty sum may be added. */
    f->got[0] = 0.0;
    CHECK(judge(f).kind == VERDICT_AGREE);
    ref_set_exact(&f->ref, 0, -0.0, MATCH_BITS);
    CHECK(judge(f).defect == DEFECT_ZERO_SIGN);
}

static void test_probabilistic_tiers(Fixture *f)
{
    make(f, 1, 0, false, true);
    BoundRule rule = bound_rule(&f->ref, models_ieee);
    Bound bound = bound_element(&rule, &f->ref, 4);
    CHECK(bound.typical < bound.signs && bound.signs <= bound.hard);
    f->got[4] = f->ref.high[4] + (bound.typical + bound.signs) / 2;
    CHECK(judge(f).kind == VERDICT_SUSPECT && judge(f).tier == TIER_SUSPICIOUS);
    if (bound.signs < bound.hard) {
        f->got[4] = f->ref.high[4] + (bound.signs + bound.hard) / 2;
        CHECK(judge(f).tier == TIER_PROBABLE);
    }
}

static void test_overflow_sets(Fixture *f)
{
    float a[2] = {3e38f, 3e38f}, b[2] = {1, -1}, c[1] = {0};
    AffineInput in = {.alpha = {1, 0},
                      .a = tensor_matrix(DT_F32, 1, 2, 2, 1, a),
                      .b = tensor_matrix(DT_F32, 2, 1, 1, 1, b),
                      .c = tensor_matrix(DT_F32, 1, 1, 1, 1, c)};

    affine_reference(&f->ref, &in, &f->arena);
    f->got[0] = 0;
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = INFINITY; /* no partial sum can reach it: 3e38 is representable */
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    b[1] = 1;
    affine_reference(&f->ref, &in, &f->arena);
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = 3.4e38; /* the sum is 6e38: no finite value is near it */
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    ref_set_classes(&f->ref, 0, CLASS_ANY); /* what is open is open beyond the range */
    CHECK(judge(f).kind == VERDICT_VACUOUS);
}

static void test_unwritten_and_vacuous(Fixture *f)
{
    uint8_t canary[SIDE * SIDE] = {0};
    make(f, 1, 0, false, false);
    canary[5] = 1;
    f->got[5] = NAN;
    Judgement j =
        judge_output(&f->ref, &promise, &check_admit_all, NULL, f->got, canary, &f->arena);
    CHECK(j.kind == VERDICT_CONTRACT && j.defect == DEFECT_UNWRITTEN);
    f->ref.count = f->ref.rows = 0;
    CHECK(judge(f).kind == VERDICT_VACUOUS);
}

/* A reference of one element with these companions. */
static Ref *make_single(Fixture *f, RefRule rule, double value, double magnitude, double addend,
                        uint32_t terms)
{
    arena_reset(&f->arena);
    ref_allocate(&f->ref, DT_F32, 1, 1, &f->arena);
    f->ref.rule = rule;
    f->ref.high[0] = value;
    f->ref.magnitude[0] = magnitude;
    f->ref.addend[0] = addend;
    f->ref.terms[0] = terms;
    f->ref.addend_roundings = 2;
    return &f->ref;
}

static double hard_bound(const Ref *ref)
{
    BoundRule rule = bound_rule(ref, models_ieee);
    return bound_element(&rule, ref, 0).hard;
}

static bool close_to(double got, double expected)
{
    return fabs(got - expected) <= 0x1p-30 * expected;
}

/* The rules beside the lemma, as numbers worked out from their statements. */
static void test_rules(Fixture *f)
{
    double u = 0x1p-24, solve = (7 * u * 3 + 2 * u * 0.5) / (1 - 8 * u);
    CHECK(close_to(hard_bound(make_single(f, RULE_SOLVE, 1, 3, 0.5, 5)), solve));
    CHECK(close_to(hard_bound(make_single(f, RULE_RELATIVE, 1, 12, 0, 5)), 12 * u));
    Ref *narrowed = make_single(f, RULE_REDUCTION, 1, 8, 0, 9);
    narrowed->accumulator = DT_F64;
    narrowed->addend_roundings = 0;
    double wide = 0x1p-53, inner = (wide * 8 + 8 * wide * 4.5) / (1 - 12 * wide);
    CHECK(close_to(hard_bound(narrowed), inner + u * (1 + inner)));
    make_single(f, RULE_SOLVE, 1, 3, 0.5, 5);
    f->got[0] = 1 + 0.99 * solve;
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = 1 - 1.01 * solve;
    CHECK(judge(f).kind == VERDICT_DIVERGE);
}

/* A member of the set passes to the bit, its neighbour does not; what only another reading or an
 * alternative admits is a policy, unless it is promised. */
static void test_sets_and_readings(Fixture *f)
{
    static const Model promised[] = {{.name = "ieee"}, {.name = "other"}, {.name = NULL}};
    static const Promise wide = {.models = promised, .readings = models_readings};
    Ref other, *ref = make_single(f, RULE_REDUCTION, 1, 1, 0, 1);
    ref->candidates = arena_take_zeroed(&f->arena, REF_CANDIDATES, sizeof(double));
    ref->candidates[0] = 1;
    ref->candidates[1] = ref->candidates[2] = 1 + 0x1p-23;
    ref->match[0] = MATCH_SET;
    f->got[0] = 1 + 0x1p-23;
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = 1 - 0x1p-24;
    CHECK(judge(f).kind == VERDICT_DIVERGE && judge(f).tier == TIER_EXACT);
    other = *ref;
    other.candidates = arena_take_zeroed(&f->arena, REF_CANDIDATES, sizeof(double));
    other.candidates[0] = f->got[0];
    ref_add_alternative(ref, &other, "other", &f->arena);
    Judgement j = judge(f);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.model, "other"));
    j = judge_output(ref, &wide, &check_admit_all, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_AGREE && !strcmp(j.model, "other"));
    ref = make_single(f, RULE_REDUCTION, 0, 0, 0, 0);
    ref_set_classes(ref, 0, CLASS_NAN);
    f->got[0] = 0;
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    ref->classes_skipping[0] = CLASS_NAN | CLASS_FINITE;
    CHECK(judge(f).kind == VERDICT_POLICY && !strcmp(judge(f).model, "zero-skip"));
    ref->classes_skipping[0] = CLASS_NAN;
    ref->classes_filling[0] = CLASS_NAN | CLASS_FINITE;
    CHECK(judge(f).kind == VERDICT_POLICY && !strcmp(judge(f).model, "zero-fill"));
    /* What departs from two rules: the alternative admits the value under a reading alone. */
    ref->classes_filling[0] = CLASS_NAN;
    other = *ref;
    other.classes_filling = arena_take(&f->arena, 1, 1);
    other.classes_filling[0] = CLASS_ANY;
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    ref_add_alternative(ref, &other, "other", &f->arena);
    j = judge(f);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.model, "other"));
    /* Where nobody admits one of them it is a divergence, and that one is named. */
    static const Admission other_alone = {admits_one, "other"},
                           fill_alone = {admits_one, "zero-fill"};
    j = judge_output(ref, &promise, &other_alone, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !strcmp(j.reading, "zero-fill"));
    j = judge_output(ref, &promise, &fill_alone, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !strcmp(j.reading, "other"));
    j = judge_output(ref, &wide, &none, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !strcmp(j.reading, "zero-fill"));
    j = judge_output(ref, &wide, &fill_alone, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.reading, "zero-fill"));
}

/* A byte that is the canary and right under a reading was written; where the reading is admitted by
 * nobody, or does not give that byte, it looks unwritten. */
static void test_canary_of_bytes(Fixture *f)
{
    static const uint8_t canary[1] = {1};
    Ref other, *ref = make_single(f, RULE_REDUCTION, 255, 255, 0, 1);
    ref->dtype = DT_U8;
    ref->match[0] = MATCH_VALUE;
    other = *ref;
    other.high = arena_take(&f->arena, 1, sizeof(double));
    other.high[0] = f->got[0] = 0xa5;
    ref_add_alternative(ref, &other, "other", &f->arena);
    Judgement j = judge_output(ref, &promise, &check_admit_all, NULL, f->got, canary, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.reading, "other"));
    j = judge_output(ref, &promise, &none, NULL, f->got, canary, &f->arena);
    CHECK(j.kind == VERDICT_CONTRACT && j.defect == DEFECT_UNWRITTEN);
    ref->alternative->high[0] = 0xa4;
    j = judge_output(ref, &promise, &check_admit_all, NULL, f->got, canary, &f->arena);
    CHECK(j.kind == VERDICT_CONTRACT && j.defect == DEFECT_UNWRITTEN);
}

/* A reading that nobody admits is named; one that is admitted goes before it. */
static void test_admission(Fixture *f)
{
    static const Admission fill = {admits_one, "zero-fill"};
    Ref *ref = make_single(f, RULE_REDUCTION, 0, 0, 0, 0);
    ref_set_classes(ref, 0, CLASS_NAN);
    f->got[0] = 0;
    Judgement j = judge_output(ref, &promise, &none, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !j.reading && j.defect == DEFECT_LOST);
    ref->classes_skipping[0] = CLASS_NAN | CLASS_FINITE;
    j = judge_output(ref, &promise, &none, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !strcmp(j.reading, "zero-skip"));
    CHECK(j.defect == DEFECT_LOST && !strcmp(j.model, "ieee"));
    ref->classes_filling[0] = CLASS_NAN | CLASS_FINITE;
    j = judge_output(ref, &promise, &fill, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.reading, "zero-fill"));
}

/* Of two bad elements that which an admitted reading explains is not blamed. */
static void test_rest(Fixture *f)
{
    static const Admission fill = {admits_one, "zero-fill"};
    make(f, 1, 0, true, false);
    Ref *ref = &f->ref;
    ref->classes_filling[0] = CLASS_NAN | CLASS_FINITE;
    f->got[0] = NAN;
    f->got[1] += 1;
    Judgement j = judge_output(ref, &promise, &none, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && j.worst == 0 && j.bad == 2 && j.defect == DEFECT_NAN);
    j = judge_output(ref, &promise, &fill, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && !j.reading && !strcmp(j.model, "ieee"));
    CHECK(j.worst == 1 && j.bad == 1 && j.defect == DEFECT_VALUE && j.pattern == PATTERN_ONE);
    f->got[1] -= 1;
    j = judge_output(ref, &promise, &fill, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.reading, "zero-fill") && j.bad == 1);
}

/* What another reference explains is not blamed, unless that leaves as much, or no finding. */
static void test_blame(void)
{
    const Judgement both = {.kind = VERDICT_DIVERGE, .model = "ieee", .bad = 2};
    Judgement again = {.kind = VERDICT_DIVERGE, .model = "narrow", .bad = 1, .worst = 1};
    Judgement j = both;
    judge_blame_rest(&again, &j);
    CHECK(j.worst == 1 && j.bad == 1 && !strcmp(j.model, "ieee"));
    j = both;
    again.bad = 2;
    judge_blame_rest(&again, &j);
    CHECK(j.worst == 0 && j.bad == 2);
    again = (Judgement){.kind = VERDICT_AGREE};
    judge_blame_rest(&again, &j);
    CHECK(j.kind == VERDICT_DIVERGE && j.bad == 2);
}

/* Where subnormal numbers are switched off zero may stand for one and for nothing else; where
 * results are clamped NaN may be an end of the range, under that name. */
static void test_flushed_and_clamped(Fixture *f)
{
    static const Promise flushing = {.models = models_flushing, .readings = models_readings};
    static const Promise clamping = {.models = models_ieee, .readings = models_clamping_readings};
    Ref *ref = make_single(f, RULE_REDUCTION, 0x1p-140, 0, 0, 1);
    ref->match[0] = MATCH_VALUE;
    f->got[0] = 0;
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    CHECK(judge_output(ref, &flushing, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_AGREE);
    ref->high[0] = 0x1p-120;
    CHECK(judge_output(ref, &flushing, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
    /* What is flushed is 0, and no subnormal number. */
    ref->high[0] = 0;
    f->got[0] = 0x1p-140;
    CHECK(judge_output(ref, &flushing, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
    /* No zero was replaced where both are zeros, of which one has the wrong sign. */
    ref_set_exact(ref, 0, 0, MATCH_BITS);
    f->got[0] = -0.0;
    CHECK(judge_output(ref, &flushing, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
    f->got[0] = 0;
    ref_set_classes(ref, 0, CLASS_NAN);
    f->got[0] = -INFINITY;
    Judgement j = judge_output(ref, &clamping, &check_admit_all, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && !strcmp(j.model, "nan-clamped"));
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    f->got[0] = 1;
    CHECK(judge_output(ref, &clamping, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
}

/* A product of a subnormal factor is lost only where factors are replaced by zero as well. */
static void test_flushed_factors(Fixture *f)
{
    static const Promise factors = {.models = models_flushing, .readings = models_readings};
    static const Promise results = {.models = models_ieee,
                                    .readings = models_flush_results_readings};
    Ref *ref = make_single(f, RULE_RELATIVE, 0x1p-57, 0x1p-57, 0, 1);
    ref->factors[0] = 0x1p75;
    f->got[0] = 0;
    CHECK(judge_output(ref, &factors, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_AGREE);
    CHECK(judge_output(ref, &results, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
    ref->factors[0] = 0x1p60;
    CHECK(judge_output(ref, &factors, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_DIVERGE);
    ref->high[0] = ref->magnitude[0] = 0x1p-130;
    CHECK(judge_output(ref, &results, &check_admit_all, NULL, f->got, NULL, &f->arena).kind ==
          VERDICT_POLICY);
}

/* The logarithm of a subnormal number by arithmetic that flushes: each part may be right by the
 * number or by a zero in its place, and one that is right by neither is wrong. */
static void test_parts_by_either(Fixture *f)
{
    static const Promise flushing = {.models = models_ieee, .readings = models_readings};
    Ref kept, flushed;
    arena_reset(&f->arena);
    ref_allocate(&kept, DT_C64, 1, 1, &f->arena);
    ref_allocate(&flushed, DT_C64, 1, 1, &f->arena);
    ref_set_exact(&kept, 0, -97, MATCH_VALUE);
    ref_set_exact(&kept, 1, 0.75, MATCH_VALUE);
    ref_set_classes(&flushed, 0, CLASS_NEGATIVE_INFINITY);
    ref_set_exact(&flushed, 1, 0, MATCH_VALUE);
    static const double gots[][2] = {{-INFINITY, 0}, {-INFINITY, 0.75}, {-97, 0},
                                     {-97, 0.75},    {-INFINITY, 0.5},  {-96, 0}};
    for (size_t i = 0; i < 6; i++) {
        bool right = i < 4;
        Judgement j = judge_rest(&flushed, &flushing, &none, &kept, gots[i], NULL, &f->arena);
        CHECK(verdict_is_finding(j.kind) == !right && j.bad == !right);
        CHECK(right || j.worst == (i == 4));
        j = judge_output(&flushed, &flushing, &none, NULL, gots[i], NULL, &f->arena);
        CHECK(verdict_is_finding(j.kind) == (i > 0));
    }
}

static bool admits_two(const void *context, const char *reading)
{
    (void)context;
    return !strcmp(reading, "zero-fill") || !strcmp(reading, "flush");
}

/* One element departs by one rule, another one by another, and a third by none. */
static void test_two_readings(Fixture *f)
{
    static const Promise promise = {.models = models_ieee,
                                    .readings = models_flush_results_readings};
    static const Admission both = {admits_two, NULL}, fill = {admits_one, "zero-fill"};
    make(f, 1, 0, true, false);
    Ref *ref = &f->ref;
    ref->classes_filling[0] = CLASS_NAN | CLASS_FINITE;
    f->got[0] = NAN;
    ref_set_exact(ref, 1, 0x1p-130, MATCH_VALUE);
    f->got[1] = 0;
    Judgement j = judge_output(ref, &promise, &both, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_POLICY && j.reading && j.bad == 2);
    j = judge_output(ref, &promise, &fill, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && j.worst == 1);
    f->got[1] = 1;
    j = judge_output(ref, &promise, &both, NULL, f->got, NULL, &f->arena);
    CHECK(j.kind == VERDICT_DIVERGE && j.worst == 1);
}

static void test_patterns(void)
{
    uint8_t mask[6 * 12] = {0};
    for (int i = 0; i < 6; i++)
        mask[i * 12 + 11] = 1;
    CHECK(pattern_of(mask, 6, 12, 6) == PATTERN_LAST_COLUMNS);
    for (int i = 0; i < 6; i++) {
        mask[i * 12 + 11] = 0;
        mask[i * 12 + 3] = mask[i * 12 + 7] = mask[i * 12 + 11] = 1;
    }
    CHECK(pattern_of(mask, 6, 12, 18) == PATTERN_PERIODIC);
    memset(mask, 0, sizeof mask);
    for (int i = 0; i < 6; i++)
        mask[i * 12 + i] = 1;
    CHECK(pattern_of(mask, 6, 12, 6) == PATTERN_DIAGONAL);
    CHECK(pattern_of(mask, 6, 12, 0) == PATTERN_NONE);
}

/* A worst-case order of summation comes close to the bound: one that were a quarter smaller would
 * flag it, so the bound is not slack. */
static void test_bound_is_attained(Fixture *f)
{
    double worst = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        float a[2], b[2] = {1, 1}, c[1] = {0};
        a[0] = (float)(1 + random_unit(random_at(seed, 1)));
        a[1] = (float)(1 + random_unit(random_at(seed, 2)));
        AffineInput in = {.alpha = {1, 0},
                          .a = tensor_matrix(DT_F32, 1, 2, 2, 1, a),
                          .b = tensor_matrix(DT_F32, 2, 1, 1, 1, b),
                          .c = tensor_matrix(DT_F32, 1, 1, 1, 1, c)};
        arena_reset(&f->arena);
        affine_reference(&f->ref, &in, &f->arena);
        f->ref.match[0] = MATCH_BOUND;
        f->ref.scale_roundings = -1; /* the products by 1 are exact */
        f->got[0] = a[0] + a[1];
        Judgement j = judge(f);
        CHECK(j.kind == VERDICT_AGREE);
        worst = fmax(worst, j.ratio);
    }
    CHECK(worst > 0.6);
}

/* Small masks as they are, large ones by blocks; distances by powers of two. */
static void test_pictures(void)
{
    static uint8_t mask[100 * 200];
    Picture small = {0}, large = {0};
    memset(mask, 0, sizeof mask);
    mask[2 * 3 + 1] = 1;
    picture_draw(&small, mask, 4, 3);
    CHECK(small.rows == 4 && small.columns == 3 && small.bad[2] == 2 && small.bad[1] == 0);
    memset(mask, 0, sizeof mask);
    mask[99 * 200 + 199] = 1;
    mask[0] = 1;
    picture_draw(&large, mask, 100, 200);
    CHECK(large.rows == PICTURE_ROWS && large.columns == PICTURE_COLUMNS);
    CHECK(large.bad[0] == 1 && large.bad[PICTURE_ROWS - 1] == 1u << (PICTURE_COLUMNS - 1));
    picture_count(&small, 0);
    picture_count(&small, 1);
    picture_count(&small, 7);
    picture_count(&small, UINT64_MAX);
    CHECK(small.ulps[0] == 2 && small.ulps[2] == 1 && small.ulps[PICTURE_ULPS - 1] == 1);
}

/* A bound below the reference's error tells where only one number of the type is admitted. */
static void test_neighbours(Fixture *f)
{
    make_single(f, RULE_RELATIVE, 3, 0, 0, 1);
    f->ref.error[0] = 0x1p-60;
    f->got[0] = 3;
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = nextafterf(3, 4);
    CHECK(judge(f).kind == VERDICT_DIVERGE);
    f->ref.error[0] = 0x1p-24;
    f->got[0] = 3;
    CHECK(judge(f).kind == VERDICT_UNDECIDED);
}

/* A copy of the largest number, beside whose NaN it may be one: nothing was rounded. */
static void test_largest(Fixture *f)
{
    arena_reset(&f->arena);
    ref_allocate(&f->ref, DT_F64, 1, 1, &f->arena);
    ref_set_exact(&f->ref, 0, DBL_MAX, MATCH_VALUE);
    ref_set_classes(&f->ref, 0, CLASS_FINITE | CLASS_NAN);
    CHECK(hard_bound(&f->ref) == 0);
    f->got[0] = DBL_MAX;
    CHECK(judge(f).kind == VERDICT_AGREE);
    f->got[0] = nextafter(DBL_MAX, 0);
    CHECK(judge(f).kind == VERDICT_DIVERGE);
}

int main(void)
{
    CHECK(arena_init(&fixture.arena, 1 << 26));
    test_bound_edges(&fixture);
    test_classes(&fixture);
    test_exact(&fixture);
    test_probabilistic_tiers(&fixture);
    test_overflow_sets(&fixture);
    test_unwritten_and_vacuous(&fixture);
    test_canary_of_bytes(&fixture);
    test_rules(&fixture);
    test_sets_and_readings(&fixture);
    test_admission(&fixture);
    test_rest(&fixture);
    test_blame();
    test_flushed_and_clamped(&fixture);
    test_flushed_factors(&fixture);
    test_parts_by_either(&fixture);
    test_two_readings(&fixture);
    test_patterns();
    test_pictures();
    test_bound_is_attained(&fixture);
    test_neighbours(&fixture);
    test_largest(&fixture);
    return check_end("oracle/t_judge");
}
