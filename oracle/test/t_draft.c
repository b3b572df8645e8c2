/* Drafts: what sizes of lines say of magnitudes; that they are completed to what a reference is
 * without them; that what they admit is admitted, with the same worst element, by every instruction
 * set; and that a single wrong element is left to the complete reference. */
#include <math.h>
#include <string.h>

#include "oracle/judge.h"
#include "reference/affine.h"
#include "reference/draft.h"
#include "reference/product.h"
#include "reference/random.h"
#include "tests/check.h"

enum { ROWS = 66, DEPTH = 75, COLUMNS = 70, LEVELS = 3, KINDS = 8, PLACES = 40 };

static const Model models[] = {{.name = "ieee"}, {0}}, none[] = {{0}};
static const Promise promise = {.models = models, .readings = none};

static bool admits_nothing(const void *context, const char *reading)
{
    (void)context;
    (void)reading;
    return false;
}
static const Admission admission = {.admits = admits_nothing};

static ProductDgemm plain_dgemm;
static bool plain_dgemm(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    memset(c, 0, m * n * sizeof *c);
    for (size_t i = 0; i < m; i++)
        for (size_t l = 0; l < k; l++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
    return true;
}

typedef struct Problem {
    float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS];
    double got[ROWS * COLUMNS];
    AffineInput in;
} Problem;

/* Integers; numbers of one sign, or of both; of one size; far apart by lines or one by one; with
 * one large number in each line; without an addend; and more lines than columns, which are
 * exchanged. */
static float draw(uint64_t *state, int kind, size_t line, size_t l)
{
    double value = random_unit(random_next(state)) - 0.5;
    int spread = (int)(random_next(state) % 25) - 12;
    if (kind == 0)
        return (float)((int)(random_next(state) % 17) - 8);
    if (kind == 1)
        return (float)(value + 0.6);
    if (kind == 2)
        return random_next(state) % 2 ? 0.7F : -0.7F;
    if (kind == 3)
        return (float)ldexp(value, (int)(line % 20) * (line % 2 ? 1 : -1));
    if (kind == 4)
        return (float)ldexp(value, spread);
    return (float)(kind == 5 && l == line % DEPTH ? 1000 * value : value);
}

static void make_problem(Problem *p, int kind, uint64_t seed)
{
    static const Scalar scalars[] = {{1, 0}, {0.75, 0}, {-3, 0}};
    uint64_t state = seed;
    for (size_t i = 0; i < COUNT_OF(p->a); i++)
        p->a[i] = draw(&state, kind, i / DEPTH, i % DEPTH);
    for (size_t i = 0; i < COUNT_OF(p->b); i++)
        p->b[i] = draw(&state, kind, i % COLUMNS, i / COLUMNS);
    for (size_t i = 0; i < COUNT_OF(p->c); i++)
        p->c[i] = draw(&state, kind, i, i);
    bool turned = kind == 7;
    Tensor a = tensor_matrix(DT_F32, ROWS, DEPTH, DEPTH, 1, p->a);
    Tensor b = tensor_matrix(DT_F32, DEPTH, COLUMNS, COLUMNS, 1, p->b);
    Tensor c = tensor_matrix(DT_F32, turned ? COLUMNS : ROWS, turned ? ROWS : COLUMNS,
                             turned ? ROWS : COLUMNS, 1, p->c);
    p->in = (AffineInput){.a = turned ? tensor_transposed(b) : a,
                          .b = turned ? tensor_transposed(a) : b,
                          .c = c,
                          .alpha = scalars[kind == 0 ? 0 : seed % COUNT_OF(scalars)],
                          .beta = kind == 6 ? (Scalar){0, 0} : (Scalar){kind == 0 ? 2 : 0.3, 0},
                          .want_square = kind == 1 || kind > 4,
                          .signs_drawn = kind > 4,
                          .may_draft = true};
}

static float element(const Tensor *t, int64_t i, int64_t j)
{
    return (float)dtype_load(t->dtype, t->origin, i * t->stride[0] + j * t->stride[1]);
}

/* By sums in binary32, one term after the other. */
static void compute(Problem *p)
{
    const AffineInput *in = &p->in;
    for (int64_t i = 0; i < in->c.extent[0]; i++)
        for (int64_t j = 0; j < in->c.extent[1]; j++) {
            float sum = 0;
            for (int64_t l = 0; l < DEPTH; l++)
                sum = fmaf(element(&in->a, i, l), element(&in->b, l, j), sum);
            sum *= (float)in->alpha.re;
            if (in->beta.re != 0)
                sum = fmaf((float)in->beta.re, element(&in->c, i, j), sum);
            p->got[i * in->c.extent[1] + j] = sum;
        }
}

static void check_sizes(const Problem *p, const Ref *draft, const Ref *ref)
{
    const RefDraft *d = draft->draft;
    for (size_t i = 0; !d->exact && i < ref->rows; i++)
        for (size_t j = 0; j < ref->columns; j++) {
            long double size = 0;
            for (int64_t l = 0; l < DEPTH; l++)
                size += fabsl((long double)element(&p->in.a, (int64_t)i, l) *
                              (long double)element(&p->in.b, l, (int64_t)j));
            size *= fabsl((long double)p->in.alpha.re);
            double both = d->row_sum[i] * d->column_sum[j],
                   rest = d->row_rest[i] * d->column_rest[j];
            double slack = DRAFT_SLACK * (both + rest);
            CHECK(size >= both - rest - slack && size <= both + rest + slack);
        }
    for (size_t i = 0; i < ref->count; i++)
        CHECK(fmax(ref->magnitude[i] + ref->addend[i], ref->middle[i]) <= d->reach * (1 + 0x1p-15));
}

static bool same(const void *a, const void *b, size_t bytes)
{
    return a && b ? memcmp(a, b, bytes) == 0 : a == b;
}

static void check_same(const Ref *a, const Ref *b)
{
    size_t bytes = a->count * sizeof(double);
    CHECK(same(a->high, b->high, bytes) && same(a->low, b->low, bytes));
    CHECK(same(a->error, b->error, bytes) && same(a->addend, b->addend, bytes));
    CHECK(same(a->magnitude, b->magnitude, bytes) && same(a->middle, b->middle, bytes));
    CHECK(same(a->underflow, b->underflow, bytes) && same(a->square, b->square, bytes));
    CHECK(same(a->terms, b->terms, a->count * sizeof *a->terms));
    CHECK(same(a->match, b->match, a->count) && !a->draft && !b->draft);
}

/* What a draft admits is the judgement of the complete reference; the exact sizes of a draft are
 * less than those by 2^-15 at most. */
static bool compare_judgements(Ref *draft, const Ref *ref, const double *got, Arena *arena)
{
    Judgement j, whole = judge_output(ref, &promise, &admission, NULL, got, NULL, arena);
    if (!judge_draft(&j, draft, &promise, got, arena))
        return false;
    CHECK(whole.kind == VERDICT_AGREE && j.kind == VERDICT_AGREE && j.tier == TIER_NONE);
    CHECK(!strcmp(j.model, whole.model) && j.total == whole.total && j.bad == 0);
    CHECK(fabs(j.ratio - whole.ratio) <= 0x1p-14 * whole.ratio);
    CHECK(fabs(j.bound_ratio - whole.bound_ratio) <= 0x1p-14 * whole.bound_ratio);
    if (j.worst == whole.worst)
        CHECK(j.expected_high == whole.expected_high && j.got == whole.got && j.ulps == whole.ulps);
    return true;
}

/* One element off by parts of its bounds, among others that are right. */
static void test_faults(Problem *p, Ref *draft, const Ref *ref, bool near, Arena *arena)
{
    BoundTable table = bound_table(ref, models, arena);
    uint64_t state = 3;
    for (int place = 0; place < PLACES; place++) {
        size_t used = arena->used, at = random_next(&state) % ref->count;
        double kept = p->got[at], bound = table.bounds[at].hard;
        double least = fmin(table.bounds[at].typical, table.bounds[at].signs);
        const double wrong[] = {ref->high[at] + 1.001 * bound, ref->high[at] - 1.001 * least, NAN,
                                INFINITY, -INFINITY};
        for (size_t i = 0; i < COUNT_OF(wrong); i++) {
            p->got[at] =
                i < 2 && draft->draft->exact ? ref->high[at] + (i == 0 ? 1 : -1) : wrong[i];
            CHECK(!compare_judgements(draft, ref, p->got, arena));
        }
        p->got[at] = ref->high[at] + (draft->draft->exact ? 0 : 0.999 * fmin(bound, least));
        CHECK(compare_judgements(draft, ref, p->got, arena) || !near);
        p->got[at] = kept;
        arena->used = used;
    }
}

static double least_of(const Bound *b)
{
    return fmin(b->typical, b->signs);
}

/* An element beyond a statistical bound is seen beside one that is right and has a larger ratio. */
static void test_masked(Problem *p, Ref *draft, const Ref *ref, Arena *arena)
{
    BoundTable table = bound_table(ref, models, arena);
    size_t most = 0, least = 0;
    if (draft->draft->exact)
        return;
    for (size_t i = 0; i < ref->count; i++) {
        double share = least_of(&table.bounds[i]) / table.bounds[i].hard;
        most = share * table.bounds[most].hard > least_of(&table.bounds[most]) ? i : most;
        least = share * table.bounds[least].hard < least_of(&table.bounds[least]) ? i : least;
    }
    double kept[] = {p->got[most], p->got[least]};
    p->got[most] = ref->high[most] + 0.999 * least_of(&table.bounds[most]);
    p->got[least] = ref->high[least] + 1.001 * least_of(&table.bounds[least]);
    CHECK(!compare_judgements(draft, ref, p->got, arena));
    p->got[most] = kept[0];
    p->got[least] = kept[1];
}

/* Integers whose sums may have a bit too many are not exact. */
static void test_limit(Problem *p, Arena *arena)
{
    for (int top = 128; top <= 512; top *= 4) {
        Ref ref;
        uint64_t state = 5;
        make_problem(p, 6, 0);
        for (size_t i = 0; i < COUNT_OF(p->a); i++)
            p->a[i] = (float)(1 + (int)(random_next(&state) % (uint64_t)top));
        for (size_t i = 0; i < COUNT_OF(p->b); i++)
            p->b[i] = (float)(1 + (int)(random_next(&state) % (uint64_t)top));
        arena_reset(arena);
        affine_reference(&ref, &p->in, arena);
        CHECK(ref.draft && ref.draft->exact == (top * top * DEPTH <= 1 << 24));
    }
}

/* Where numbers are far apart exact sizes may be wanted of too many elements. */
static void test_kind(Problem *p, int kind, Arena *arena)
{
    bool near = kind != 3 && kind != 4;
    for (uint64_t seed = 0; seed < 3; seed++) {
        make_problem(p, kind, seed);
        compute(p);
        arena_reset(arena);
        Ref ref, draft[LEVELS];
        AffineInput whole = p->in;
        whole.may_draft = false;
        affine_reference(&ref, &whole, arena);
        CHECK(!ref.draft);
        for (int level = 0; level < LEVELS; level++) {
            product_force_isa(level);
            affine_reference(&draft[level], &p->in, arena);
            CHECK(draft[level].draft && draft[level].draft->exact == (kind == 0));
            if (!draft[level].draft)
                return;
            check_sizes(p, &draft[level], &ref);
            CHECK(compare_judgements(&draft[level], &ref, p->got, arena) || !near);
            if (seed == 0)
                test_faults(p, &draft[level], &ref, near, arena);
            test_masked(p, &draft[level], &ref, arena);
            draft_complete(&draft[level], arena);
            check_same(&draft[level], &ref);
        }
    }
}

/* What is no draft: zeros where sums are not exact, numbers that are not finite or too far from 1,
 * and sums that no library gives. */
static void test_declined(Problem *p, Arena *arena)
{
    const float odd[] = {0, NAN, INFINITY, 0x1p-41F, 0x1.8p40F};
    Ref ref;
    for (size_t i = 0; i <= COUNT_OF(odd); i++) {
        make_problem(p, 5, 1);
        arena_reset(arena);
        if (i < COUNT_OF(odd))
            p->a[7] = odd[i];
        else
            product_use_dgemm(NULL);
        affine_reference(&ref, &p->in, arena);
        CHECK(!ref.draft);
    }
    product_use_dgemm(plain_dgemm);
    make_problem(p, 5, 1);
    p->in.alpha.re = 0;
    affine_reference(&ref, &p->in, arena);
    CHECK(!ref.draft);
}

int main(void)
{
    static Problem problem;
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 28));
    product_use_dgemm(plain_dgemm);
    for (int kind = 0; kind < KINDS; kind++)
        test_kind(&problem, kind, &arena);
    test_declined(&problem, &arena);
    test_limit(&problem, &arena);
    return check_end("oracle/t_draft");
}
