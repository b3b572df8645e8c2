/* Checks a result by sums of its rows.  What they point to is judged as any other case is: by a
 * reference of these rows, under all models, so that no sum by itself is a finding. */
#include "sums.h"

#include <string.h>

#include "admission.h"
#include "reference/random.h"

/* Rows that are judged element by element: at most so many that the sums point to, and of data that
 * are not exact some of the others. */
enum { ROWS_NAMED = 64, ROWS_SAMPLED = 4 };

void sums_begin(Checker *checker, const Operands *o)
{
    uint64_t seed = case_hash(o->source);
    checker->affine = arena_take(&checker->workspace.arena, 1, sizeof *checker->affine);
    operands_affine(o, checker->affine);
    checksum_begin(&checker->sums, checker->affine, random_mix(seed), &checker->workspace.arena);
}

/* The first and the last of those that the sums point to; else, of data that are not exact, the
 * first row, the last one, and others. */
static size_t choose_rows(const Checksum *s, const uint8_t *wrong, size_t named, uint64_t seed,
                          size_t rows[ROWS_NAMED])
{
    size_t count = 0, met = 0;
    for (size_t i = 0; i < s->rows && named > 0; i++) {
        met += wrong[i];
        if (wrong[i] && (met <= ROWS_NAMED / 2 || met + ROWS_NAMED / 2 > named))
            rows[count++] = i;
    }
    if (named > 0 || s->kind == CHECKSUM_EXACT)
        return count;
    rows[count++] = 0;
    for (uint64_t i = 1; i + 1 < ROWS_SAMPLED && s->rows > ROWS_SAMPLED; i++)
        rows[count++] = 1 + (size_t)(random_at(seed, i) % (s->rows - 2));
    if (s->rows > 1)
        rows[count++] = s->rows - 1;
    return count;
}

/* The place among all elements of one that was judged in its row, and how bad rows lie. */
static void place_rows(Judgement *j, const Checksum *s, const size_t *rows, size_t count,
                       size_t named)
{
    size_t width = s->columns * (size_t)s->components, row = j->worst / width;
    j->worst = rows[row < count ? row : 0] * width + j->worst % width;
    j->total = s->rows * width;
    if (j->pattern == PATTERN_WHOLE && count < s->rows) {
        bool together = rows[count - 1] - rows[0] + 1 == named;
        bool last = rows[count - 1] == s->rows - 1;
        j->pattern = !together ? PATTERN_SCATTERED : last ? PATTERN_LAST_ROWS : PATTERN_ROW;
    }
    if (j->pattern == PATTERN_LAST_ROWS && rows[count - 1] != s->rows - 1)
        j->pattern = PATTERN_ROW;
}

/* The rows by a reference of their own. */
static void judge_rows(Checker *checker, const Operands *o, const size_t *rows, size_t count,
                       Judgement *j)
{
    Arena *arena = &checker->workspace.arena;
    const Backend *backend = &checker->backends[checker->box->backend];
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    const Admission admission = {admission_documented, &documented};
    AffineInput some = affine_of_rows(checker->affine, rows, count, arena);
    Ref ref;
    affine_reference(&ref, &some, arena);
    double *got = arena_take(arena, ref.count + 1, sizeof *got);
    uint8_t *canary = arena_take(arena, ref.count + 1, 1);
    operands_output_rows(o, o->shapes.count - 1, rows, count, got, canary);
    *j = judge_output(&ref, &backend->promise, &admission, NULL, got, canary, arena);
}

static double *hard_bounds(const Checker *checker, const Promise *promise, Arena *arena)
{
    const Ref *ref = &checker->sums.bound;
    BoundTable table = bound_table(ref, promise->models, arena);
    double *bounds = arena_take(arena, ref->count + 1, sizeof *bounds);
    for (size_t i = 0; i < ref->count; i++)
        bounds[i] = table.bounds[i].hard;
    return bounds;
}

void sums_judge(Checker *checker, const Operands *o, CheckResult *result)
{
    Arena *arena = &checker->workspace.arena;
    const Promise *promise = &checker->backends[result->backend].promise;
    const Checksum *s = &checker->sums;
    Judgement *j = &result->judgement;
    size_t rows[ROWS_NAMED + ROWS_SAMPLED];
    int last = o->shapes.count - 1;
    result->output = last;
    *j = (Judgement){.kind = VERDICT_UNDECIDED,
                     .model = promise->models->name,
                     .total = operands_components(o, last)};
    if (s->kind == CHECKSUM_NONE)
        return;
    uint8_t *wrong = arena_take(arena, s->rows + 1, 1);
    const double *bounds =
        s->kind == CHECKSUM_BOUNDED ? hard_bounds(checker, promise, arena) : NULL;
    size_t named = checksum_compare(s, &o->view[last], bounds, wrong, arena);
    size_t count = choose_rows(s, wrong, named, case_hash(o->source), rows);
    j->kind = VERDICT_AGREE;
    if (count > 0) {
        judge_rows(checker, o, rows, count, j);
        place_rows(j, s, rows, count, named);
    }
    j->method = s->kind == CHECKSUM_EXACT ? METHOD_SUMS_EXACT : METHOD_SUMS_BOUNDED;
    j->share = s->kind == CHECKSUM_EXACT && named == 0 ? 1 : (double)count / (double)s->rows;
    /* Counted apart from results that were checked whole. */
    if (j->kind == VERDICT_AGREE && j->model == promise->models->name)
        j->model = method_name(j->method);
}
