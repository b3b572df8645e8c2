/* The bound of matrix units holds for what such units compute, is not far from it, and tells units
 * that keep fewer bits than they should. */
#include <math.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "oracle/judge.h"
#include "reference/affine.h"
#include "reference/conv.h"
#include "reference/random.h"
#include "tests/check.h"
#include "tests/matrix_unit.h"

enum { SIDE = 4, DEPTH = 200, ROUNDS = 400 };

static Arena arena;

typedef struct Problem {
    uint16_t a[SIDE * DEPTH], b[DEPTH * SIDE];
    float c[SIDE * SIDE];
    int depth;
    AffineInput in;
    Ref ref;
} Problem;

static double draw(uint64_t *state, int spread)
{
    double value = random_unit(random_next(state)) - 0.5;
    return ldexp(value, (int)(random_next(state) % (uint64_t)(spread + 1)) - spread);
}

static void make(Problem *p, uint64_t *state)
{
    int spread = (int)(random_next(state) % 8);
    p->depth = 1 + (int)(random_next(state) % DEPTH);
    for (int i = 0; i < SIDE * DEPTH; i++) {
        dtype_store(DT_F16, p->a, i, draw(state, spread));
        dtype_store(DT_F16, p->b, i, random_next(state) % 8 ? draw(state, spread) : 0);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        p->c[i] = (float)draw(state, spread);
    p->in = (AffineInput){.alpha = {random_next(state) % 2 ? 1 : 0.7f, 0},
                          .beta = {random_next(state) % 2 ? 0 : 0.3f, 0}};
    p->in.a = tensor_matrix(DT_F16, SIDE, p->depth, DEPTH, 1, p->a);
    p->in.b = tensor_matrix(DT_F16, p->depth, SIDE, SIDE, 1, p->b);
    p->in.c = tensor_matrix(DT_F32, SIDE, SIDE, SIDE, 1, p->c);
    arena_reset(&arena);
    p->ref = (Ref){0};
    affine_reference(&p->ref, &p->in, &arena);
}

/* One element: the depth in `parts` slices of whole steps, each with a sum of its own. */
static float compute(const Problem *p, int row, int column, int step, int kept, int parts)
{
    int steps = (p->depth + step - 1) / step, each = (steps + parts - 1) / parts;
    float total = 0;
    for (int part = 0; part < parts; part++) {
        float sum = 0;
        for (int at = part * each; at < (part + 1) * each && at < steps; at++) {
            double products[64];
            int count = 0;
            for (int k = at * step; k < (at + 1) * step && k < p->depth; k++)
                products[count++] = dtype_load(DT_F16, p->a, row * DEPTH + k) *
                                    dtype_load(DT_F16, p->b, k * SIDE + column);
            sum = matrix_unit_step(sum, products, count, kept);
        }
        total += sum;
    }
    float alpha = (float)p->in.alpha.re, beta = (float)p->in.beta.re;
    return alpha * total + (beta == 0 ? 0 : beta * p->c[row * SIDE + column]);
}

typedef struct Outcome {
    double worst;                   /* error against the bound */
    int beyond, beyond_ieee, count; /* elements */
} Outcome;

/* Sums of a unit judged under a model that says `claimed` bits are kept. */
static Outcome judge(int step, int kept, int claimed, uint64_t seed)
{
    static Problem p;
    Outcome outcome = {0};
    const Model model = {.name = "unit", .step = step, .kept = claimed, .factor_bits = 11};
    for (int round = 0; round < ROUNDS; round++) {
        make(&p, &seed);
        BoundRule rule = bound_rule(&p.ref, &model), ieee = bound_rule(&p.ref, models_ieee);
        for (int i = 0; i < SIDE * SIDE; i++) {
            double got = compute(&p, i / SIDE, i % SIDE, step, kept, 1 + round % 3);
            size_t at = (size_t)i;
            double error = fabs((got - p.ref.high[at]) - p.ref.low[at]);
            double hard = bound_element(&rule, &p.ref, at).hard;
            outcome.worst = hard > 0 ? fmax(outcome.worst, error / hard) : outcome.worst;
            outcome.beyond += !(error <= hard);
            outcome.beyond_ieee += !(error <= bound_element(&ieee, &p.ref, at).hard);
            outcome.count++;
        }
    }
    return outcome;
}

static void test_units(void)
{
    static const struct {
        int step, kept;
    } units[] = {{4, 23}, {8, 24}, {16, 25}, {32, 25}, {16, 13}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        Outcome outcome = judge(units[i].step, units[i].kept, units[i].kept, 7 + i);
        CHECK(outcome.beyond == 0 && outcome.worst > 0.05 && outcome.worst <= 1);
        if (units[i].kept == 13)
            CHECK(outcome.beyond_ieee > outcome.count / 10);
        Outcome fewer = judge(units[i].step, units[i].kept - 8, units[i].kept, 7 + i);
        CHECK(fewer.beyond > outcome.count / 10);
    }
}

/* A unit that keeps fewer bits than its accumulator loses integers as well, and is not held to
 * exactness. */
static void test_integers(void)
{
    float c = 0;
    uint16_t a[2], b[2];
    dtype_store(DT_F16, a, 0, 0x1p15);
    dtype_store(DT_F16, a, 1, 1);
    dtype_store(DT_F16, b, 0, 1);
    dtype_store(DT_F16, b, 1, 1);
    AffineInput in = {.alpha = {1, 0},
                      .a = tensor_matrix(DT_F16, 1, 2, 2, 1, a),
                      .b = tensor_matrix(DT_F16, 2, 1, 1, 1, b),
                      .c = tensor_matrix(DT_F32, 1, 1, 1, 1, &c)};
    Ref ref = {0};
    affine_reference(&ref, &in, &arena);
    const Model wide = {.name = "wide", .step = 16, .kept = 25, .factor_bits = 11};
    const Model narrow = {.name = "narrow", .step = 16, .kept = 13, .factor_bits = 11};
    CHECK(bound_table(&ref, &wide, &arena).exact[0]);
    CHECK(!bound_table(&ref, &narrow, &arena).exact[0]);
    ref.factor_bits = 24;
    CHECK(bound_table(&ref, &narrow, &arena).exact[0]);
    ref.factor_bits = 11;
    float cut = matrix_unit_step(0, (double[]){0x1p15, 1}, 2, 13);
    CHECK(cut == 0x1p15F);
    CHECK(fabs(cut - ref.high[0]) <= bound_table(&ref, &narrow, &arena).bounds[0].hard);
}

/* Slices that are rounded to a half before they are added: only the model that says so admits them.
 */
static void test_slices(void)
{
    static Problem p;
    const Model model = {.name = "unit", .step = 16, .kept = 25, .factor_bits = 11};
    Model sliced = model;
    sliced.slice = 64;
    uint64_t state = 3;
    int beyond = 0;
    for (int round = 0; round < ROUNDS; round++) {
        make(&p, &state);
        ref_narrow(&p.ref, DT_F16);
        BoundRule rule = bound_rule(&p.ref, &model), more = bound_rule(&p.ref, &sliced);
        for (int i = 0; i < SIDE * SIDE && p.in.alpha.re == 1 && p.in.beta.re == 0; i++) {
            double total = 0;
            int depth = p.depth;
            for (int from = 0; from < depth; from += 64) {
                Problem slice = p;
                slice.depth = depth - from < 64 ? depth - from : 64;
                memmove(slice.a, p.a + from, sizeof p.a - (size_t)from * sizeof *p.a);
                memmove(slice.b, p.b + (size_t)from * SIDE,
                        sizeof p.b - (size_t)from * SIDE * sizeof *p.b);
                float sum = compute(&slice, i / SIDE, i % SIDE, 16, 25, 1);
                total = dtype_round(DT_F16, total + dtype_round(DT_F16, sum));
            }
            double error = fabs((total - p.ref.high[i]) - p.ref.low[i]);
            beyond += !(error <= bound_element(&rule, &p.ref, (size_t)i).hard);
            /* A slice that is shorter than the model's is no part of it. */
            if (depth % 64 == 0 || depth < 64)
                CHECK(error <= bound_element(&more, &p.ref, (size_t)i).hard);
        }
    }
    CHECK(beyond > 0);
}

/* The same of convolutions, whose channels are the depth of a kernel of one element. */
static void test_convolution(void)
{
    static uint16_t x[DEPTH], w[DEPTH], y[1];
    const Model unit = {.name = "unit", .step = 16, .kept = 13, .factor_bits = 11};
    uint64_t state = 17;
    int beyond = 0, beyond_ieee = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t depth = 1 + round % DEPTH;
        float sum = 0;
        for (int64_t k = 0; k < depth; k++) {
            dtype_store(DT_F16, x, k, draw(&state, 3));
            dtype_store(DT_F16, w, k, draw(&state, 3));
        }
        for (int64_t at = 0; at < depth; at += unit.step) {
            double products[64];
            int count = 0;
            for (int64_t k = at; k < at + unit.step && k < depth; k++)
                products[count++] = dtype_load(DT_F16, x, k) * dtype_load(DT_F16, w, k);
            sum = matrix_unit_step(sum, products, count, unit.kept);
        }
        double got = dtype_round(DT_F16, sum);
        Tensor of_x = {.dtype = DT_F16,
                       .rank = 3,
                       .extent = {1, depth, 1},
                       .stride = {depth, 1, 1},
                       .origin = (char *)x};
        Tensor of_w = of_x, of_y = of_x;
        of_w.origin = (char *)w;
        of_y.origin = (char *)y;
        of_y.extent[1] = 1;
        ConvInput in = {
            .x = of_x, .w = of_w, .y = of_y, .groups = 1, .stride = {1}, .dilation = {1}};
        Ref ref = {0};
        arena_reset(&arena);
        conv_reference(&ref, &in, &arena);
        BoundRule rule = bound_rule(&ref, &unit), ieee = bound_rule(&ref, models_ieee);
        double error = fabs((got - ref.high[0]) - ref.low[0]);
        beyond += error > bound_element(&rule, &ref, 0).hard + ref.error[0];
        beyond_ieee += error > bound_element(&ieee, &ref, 0).hard + ref.error[0];
    }
    CHECK(beyond == 0);
    CHECK(beyond_ieee > ROUNDS / 20);
}

enum { PARTS = 3 };

static void split(float x, bool cut, float parts[PARTS])
{
    for (int i = 0; i < PARTS; i++) {
        double quantum = x == 0 ? 1 : ldexp(1, ilogbf(x) - 7), places = (double)x / quantum;
        parts[i] = (float)((cut ? trunc(places) : nearbyint(places)) * quantum);
        x -= parts[i];
    }
}

/* One sum of binary32 factors in three parts each, rounded to nearest or cut, with the products of
 * the parts whose numbers sum up to at most `last`, the smallest first or as they come. */
static float compute_split(const float *a, const float *b, int depth, bool cut, int last,
                           bool smallest_first)
{
    float sum = 0;
    for (int pass = smallest_first ? last : 0; pass >= 0; pass--)
        for (int k = 0; k < depth; k++) {
            float left[PARTS] = {0}, right[PARTS] = {0};
            split(a[k], cut, left);
            split(b[k], cut, right);
            for (int i = 0; i < PARTS; i++)
                for (int j = 0; j < PARTS; j++)
                    if (smallest_first ? i + j == pass : i + j <= last)
                        sum += left[i] * right[j];
        }
    return sum;
}

/* Factors in three parts: what all nine products come to is admitted, and more than without parts;
 * what the three largest do is not. */
static void test_split(void)
{
    static float a[DEPTH], b[DEPTH], c;
    const Model model = {.name = "split", .split = 3};
    uint64_t state = 11;
    int beyond = 0, beyond_few = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int depth = 1 + round % DEPTH, spread = round % 8;
        for (int k = 0; k < depth; k++) {
            a[k] = (float)draw(&state, spread);
            b[k] = (float)draw(&state, spread);
        }
        AffineInput in = {.alpha = {1, 0},
                          .a = tensor_matrix(DT_F32, 1, depth, depth, 1, a),
                          .b = tensor_matrix(DT_F32, depth, 1, 1, 1, b),
                          .c = tensor_matrix(DT_F32, 1, 1, 1, 1, &c)};
        Ref ref = {0};
        arena_reset(&arena);
        affine_reference(&ref, &in, &arena);
        BoundRule rule = bound_rule(&ref, &model), ieee = bound_rule(&ref, models_ieee);
        double hard = bound_element(&rule, &ref, 0).hard;
        for (int way = 0; way < 4; way++) {
            double got = compute_split(a, b, depth, way & 1, 4, way & 2);
            double error = fabs((got - ref.high[0]) - ref.low[0]);
            CHECK(error <= hard);
            beyond += error > bound_element(&ieee, &ref, 0).hard;
            double few = compute_split(a, b, depth, way & 1, 1, way & 2);
            beyond_few += fabs((few - ref.high[0]) - ref.low[0]) > hard;
        }
    }
    CHECK(beyond > 0);
    CHECK(beyond_few > ROUNDS / 10);
}

int main(void)
{
    CHECK(arena_init(&arena, 1 << 26));
    test_units();
    test_integers();
    test_slices();
    test_split();
    test_convolution();
    arena_release(&arena);
    return check_end("oracle/t_matrix_unit");
}
