/* Loops over rows give the bits of single elements, by every instruction set, and an element that
 * is wrong is found among others wherever it lies. */
#include <math.h>
#include <string.h>

#include "oracle/judge.h"
#include "reference/affine.h"
#include "reference/product.h"
#include "reference/random.h"
#include "tests/check.h"

enum { SIDE = 40, CASES = 400, LEVELS = 3 };

static const double scalars[] = {0, 1, -1, 2, 0.75, -1.25, 0x1p-20};

static double draw(uint64_t *state, int kind, int exponent)
{
    double value = random_unit(random_next(state)) - 0.5;
    if (kind == 0)
        return (double)(int)(random_next(state) % 9) - 4;
    if (kind == 1 && random_next(state) % 20 == 0)
        return random_next(state) % 2 ? NAN : 0;
    int spread = kind == 2 ? (int)(random_next(state) % 60) - 30 : 0;
    return ldexp(value, kind == 3 ? exponent : spread);
}

static Scalar scalar(uint64_t *state)
{
    return (Scalar){scalars[random_next(state) % COUNT_OF(scalars)], 0};
}

static AffineInput make_input(uint64_t *state, DType dtype, Arena *arena)
{
    int64_t m = 1 + (int64_t)(random_next(state) % SIDE),
            n = 1 + (int64_t)(random_next(state) % SIDE);
    int64_t k = 1 + (int64_t)(random_next(state) % SIDE), extents[3][2] = {{m, k}, {k, n}, {m, n}};
    static const int ends[2][3] = {{-70, 70, 63}, {-500, 500, 511}};
    int kind = (int)(random_next(state) % 5);
    int exponent = ends[dtype == DT_F64][random_next(state) % 3];
    Tensor view[3];
    for (int i = 0; i < 3; i++) {
        size_t count = (size_t)(extents[i][0] * extents[i][1]);
        char *data = arena_take(arena, count, sizeof(double));
        for (size_t j = 0; j < count; j++)
            dtype_store(dtype, data, (int64_t)j, draw(state, kind, exponent));
        view[i] = tensor_matrix(dtype, extents[i][0], extents[i][1], extents[i][1], 1, data);
    }
    return (AffineInput){.a = view[0],
                         .b = view[1],
                         .c = view[2],
                         .alpha = scalar(state),
                         .beta = scalar(state),
                         .want_square = random_next(state) % 2,
                         .signs_drawn = random_next(state) % 2};
}

static bool same(const void *a, const void *b, size_t count, size_t size)
{
    if (!a || !b)
        return a == b;
    return memcmp(a, b, count * size) == 0;
}

static void compare_references(const Ref *a, const Ref *b)
{
    size_t n = a->count, size = sizeof(double);
    CHECK(same(a->high, b->high, n, size) && same(a->low, b->low, n, size));
    CHECK(same(a->error, b->error, n, size) && same(a->magnitude, b->magnitude, n, size));
    CHECK(same(a->addend, b->addend, n, size) && same(a->middle, b->middle, n, size));
    CHECK(same(a->underflow, b->underflow, n, size) && same(a->square, b->square, n, size));
    CHECK(same(a->terms, b->terms, n, sizeof *a->terms) && same(a->match, b->match, n, 1));
    CHECK(same(a->classes, b->classes, n, 1));
}

static size_t compare_bounds(const Ref *ref, Arena *arena)
{
    static const Model model = {.name = "ieee"};
    BoundRule rule = bound_rule(ref, &model);
    BoundTable table = bound_table(ref, &model, arena);
    size_t compared = 0;
    for (size_t i = 0; i < ref->count; i++) {
        Bound bound = bound_element(&rule, ref, i);
        if (table.exact[i])
            continue;
        CHECK(memcmp(&bound, &table.bounds[i], sizeof bound) == 0);
        compared++;
    }
    return compared;
}

static bool admits_nothing(const void *context, const char *reading)
{
    (void)context;
    (void)reading;
    return false;
}

/* One element off by a share of its bound, among others that are right. */
static void test_fault(const Ref *ref, size_t at, double share, VerdictKind expected, Arena *arena)
{
    static const Model models[] = {{.name = "ieee"}, {0}}, none[] = {{0}};
    static const Promise promise = {.models = models, .readings = none};
    static const Admission admission = {.admits = admits_nothing};
    BoundTable table = bound_table(ref, models, arena);
    double *got = arena_take(arena, ref->count, sizeof *got);
    memcpy(got, ref->high, ref->count * sizeof *got);
    got[at] += share * (share > 1 ? table.bounds[at].hard : table.bounds[at].typical);
    Judgement j = judge_output(ref, &promise, &admission, &table, got, NULL, arena);
    CHECK(j.kind == expected);
    CHECK(expected != VERDICT_DIVERGE || (j.worst == at && j.bad == 1));
    CHECK(j.worst == at &&
          fabs(j.ratio - fabs(got[at] - ref->high[at]) / table.bounds[at].hard) < 1e-3 * j.ratio);
}

static void test_faults(Arena *arena)
{
    enum { ROWS = 16, DEPTH = 20, COLUMNS = 33 };
    static const Scalar one = {1, 0};
    static float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS];
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT_OF(a); i++)
        a[i] = (float)draw(&state, 4, 0);
    for (size_t i = 0; i < COUNT_OF(b); i++)
        b[i] = (float)draw(&state, 4, 0);
    AffineInput in = {.a = tensor_matrix(DT_F32, ROWS, DEPTH, DEPTH, 1, a),
                      .b = tensor_matrix(DT_F32, DEPTH, COLUMNS, COLUMNS, 1, b),
                      .c = tensor_matrix(DT_F32, ROWS, COLUMNS, COLUMNS, 1, c),
                      .alpha = one,
                      .want_square = true};
    for (int level = 0; level < LEVELS; level++) {
        Ref ref;
        product_force_isa(level);
        affine_reference(&ref, &in, arena);
        for (size_t at = 0; at < ref.count; at++) {
            size_t used = arena->used;
            test_fault(&ref, at, 1.01, VERDICT_DIVERGE, arena);
            test_fault(&ref, at, 0.99, VERDICT_AGREE, arena);
            arena->used = used;
        }
    }
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64};
    Arena arena;
    size_t compared = 0;
    CHECK(arena_init(&arena, (size_t)1 << 28));
    for (uint64_t i = 0; i < CASES; i++) {
        uint64_t state = i;
        arena_reset(&arena);
        AffineInput in = make_input(&state, dtypes[i % 2], &arena);
        Ref refs[LEVELS];
        for (int level = 0; level < LEVELS; level++) {
            product_force_isa(level);
            affine_reference(&refs[level], &in, &arena);
            compare_references(&refs[0], &refs[level]);
        }
        for (int level = 0; level < LEVELS; level++) {
            product_force_isa(level);
            if (dtypes[i % 2] == DT_F32 && i % 3 == 0)
                ref_narrow(&refs[level], DT_F16);
            compared += compare_bounds(&refs[level], &arena);
        }
    }
    CHECK(compared > 100000);
    arena_reset(&arena);
    test_faults(&arena);
    arena_release(&arena);
    return check_end("oracle/t_rows");
}
