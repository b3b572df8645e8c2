/* Checks a result by sums of its rows.  What they point to is judged as any other case is: by a
 * reference of these rows, under all models, so that no sum by itself is a finding. */
#include "sums.h"

#include <string.h>

#include "admission.h"
#include "factors.h"
#include "ops/case/large.h"
#include "reference/random.h"

/* Rows that are judged element by element: at most so many that the sums point to, and of data that
 * are not exact some of the others.  An element of a solution takes as long as a row of a product.
 */
enum { ROWS_NAMED = 64, ROWS_SAMPLED = 4, SOLVED_NAMED = 8, SOLVED_SAMPLED = 1 };

void sums_begin(Checker *checker, const Operands *o)
{
    Arena *arena = &checker->workspace.arena;
    uint64_t seed = random_mix(case_hash(o->source));
    checker->product = (ProductBlocks){NULL, 0};
    if (o->source->op->factors)
        return;
    operands_product(o, &checker->product, arena);
    checker->sums = arena_take_zeroed(arena, (size_t)checker->product.count + 1, sizeof(Checksum));
    for (int64_t i = 0; i < checker->product.count; i++)
        checksum_begin(&checker->sums[i], &checker->product.block[i].equation,
                       random_at(seed, (uint64_t)i), arena);
}

/* One block of a result, and what its sums point to. */
typedef struct Block {
    const ProductBlock *of;
    Checksum *sums;
    Tensor view;
    size_t rows[ROWS_NAMED], count, named;
    size_t open; /* that the sums leave open */
} Block;

/* The first and the last rows of one kind, of which there are so many. */
static void choose_of(Block *b, const uint8_t *rows, int kind, size_t number, size_t most)
{
    size_t met = 0;
    for (size_t i = 0; i < b->sums->rows && number > 0; i++) {
        met += rows[i] == kind;
        if (rows[i] == kind && (met <= most / 2 || met + most / 2 > number))
            b->rows[b->count++] = i;
    }
}

/* Those that the sums point to; else those that they leave open; else, of data that are not exact,
 * the last row, the first one, and others. */
static void choose_rows(Block *b, const uint8_t *rows, uint64_t seed)
{
    const Checksum *s = b->sums;
    bool solves = b->of->equation.form != RESULT_GIVEN;
    size_t most = solves ? SOLVED_NAMED : ROWS_NAMED;
    size_t sampled = solves ? SOLVED_SAMPLED : ROWS_SAMPLED;
    b->count = b->open = 0;
    for (size_t i = 0; i < s->rows; i++)
        b->open += rows[i] == ROW_OPEN;
    choose_of(b, rows, ROW_WRONG, b->named, most);
    if (b->named == 0)
        choose_of(b, rows, ROW_OPEN, b->open, most);
    if (b->named > 0 || s->kind == CHECKSUM_EXACT || s->rows == 0)
        return;
    if (sampled > 1 && s->rows > 1)
        b->rows[b->count++] = 0;
    for (uint64_t i = 1; i + 1 < sampled && s->rows > sampled; i++)
        b->rows[b->count++] = 1 + (size_t)(random_at(seed, i) % (s->rows - 2));
    b->rows[b->count++] = s->rows - 1;
}

/* The place among all elements of one that was judged in its row, and how bad rows lie. */
static void place_rows(Judgement *j, const Block *b)
{
    const Checksum *s = b->sums;
    const size_t *rows = b->rows;
    size_t parts = (size_t)s->components, width = s->columns * parts, row = j->worst / width;
    size_t column = j->worst % width / parts, part = j->worst % parts;
    size_t at = (size_t)b->of->first + rows[row < b->count ? row : 0] * (size_t)b->of->row_step +
                column * (size_t)b->of->column_step;
    j->worst = at * parts + part;
    if (j->pattern == PATTERN_WHOLE && b->count < s->rows) {
        bool together = rows[b->count - 1] - rows[0] + 1 == b->named;
        bool last = rows[b->count - 1] == s->rows - 1;
        j->pattern = !together ? PATTERN_SCATTERED : last ? PATTERN_LAST_ROWS : PATTERN_ROW;
    }
    if (j->pattern == PATTERN_LAST_ROWS && rows[b->count - 1] != s->rows - 1)
        j->pattern = PATTERN_ROW;
}

/* The rows by a reference of their own. */
static void judge_rows(Checker *checker, const Operands *o, const Block *b, Judgement *j)
{
    Arena *arena = &checker->workspace.arena;
    const Backend *backend = &checker->backends[checker->box->backend];
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    const Admission admission = {admission_documented, &documented};
    Ref ref;
    equation_reference(&ref, &b->of->equation, &b->view, b->rows, b->count, arena);
    double *got = arena_take(arena, ref.count + 1, sizeof *got);
    uint8_t *canary = arena_take(arena, ref.count + 1, 1);
    operands_output_rows(o, o->shapes.count - 1, &b->view, b->rows, b->count, got, canary);
    *j = judge_output(&ref, &backend->promise, &admission, NULL, got, canary, arena);
}

/* A divergence in half precision again, with a reference whose every step is rounded: where there
 * is anything to round. */
static void judge_rows_narrow(Checker *checker, const Operands *o, const Block *b, Judgement *j)
{
    const Backend *backend = &checker->backends[checker->box->backend];
    const DType dtype = b->view.dtype;
    Judgement again;
    if (j->kind != VERDICT_DIVERGE || dtype_arithmetic(dtype) == dtype || large_is_exact(o->source))
        return;
    dtype_set_narrow(true);
    judge_rows(checker, o, b, &again);
    dtype_set_narrow(false);
    if (admission_take_narrow(&(Documented){backend, o->source->op, case_dtype(o->source)}, &again,
                              j))
        *j = again;
}

static double *hard_bounds(const Checksum *s, const Promise *promise, Arena *arena)
{
    const Ref *ref = &s->bound;
    BoundTable table = bound_table(ref, promise->models, arena);
    double *bounds = arena_take(arena, ref->count + 1, sizeof *bounds);
    for (size_t i = 0; i < ref->count; i++)
        bounds[i] = table.bounds[i].hard;
    return bounds;
}

/* One block; *known: how many of its rows are. */
static void judge_block(Checker *checker, const Operands *o, int64_t i, Judgement *j, double *known)
{
    Arena *arena = &checker->workspace.arena;
    const Promise *promise = &checker->backends[checker->box->backend].promise;
    int last = o->shapes.count - 1;
    Block b = {.of = &checker->product.block[i], .sums = &checker->sums[i]};
    Checksum *s = b.sums;
    if (s->kind == CHECKSUM_NONE) {
        j->kind = VERDICT_UNDECIDED;
        return;
    }
    b.view = block_view(b.of, &o->view[last]);
    uint8_t *rows = arena_take(arena, s->rows + 1, 1);
    checksum_read(s, &b.view, arena);
    const double *bounds = s->kind == CHECKSUM_BOUNDED ? hard_bounds(s, promise, arena) : NULL;
    b.named = checksum_compare(s, bounds, rows, arena);
    choose_rows(&b, rows, case_hash(o->source));
    if (b.count > 0) {
        judge_rows(checker, o, &b, j);
        judge_rows_narrow(checker, o, &b, j);
        place_rows(j, &b);
    }
    *known = (double)b.count;
    if (s->kind == CHECKSUM_EXACT)
        *known += (double)(s->rows - b.named - b.open);
}

void sums_judge(Checker *checker, const Operands *o, CheckResult *result)
{
    const Promise *promise = &checker->backends[result->backend].promise;
    Judgement *j = &result->judgement;
    if (o->source->op->factors) {
        factors_judge(checker, o, result);
        return;
    }
    double known = 0, rows = 0;
    bool exact = true;
    int last = o->shapes.count - 1;
    result->output = last;
    *j = (Judgement){.kind = VERDICT_AGREE, .model = promise->models->name};
    for (int64_t i = 0; i < checker->product.count && j->kind == VERDICT_AGREE; i++) {
        const Checksum *s = &checker->sums[i];
        size_t mark = checker->workspace.arena.used;
        double of_block = 0;
        judge_block(checker, o, i, j, &of_block);
        known += of_block;
        exact = exact && s->kind == CHECKSUM_EXACT;
        checker->workspace.arena.used = mark;
    }
    for (int64_t i = 0; i < checker->product.count; i++)
        rows += (double)checker->sums[i].rows;
    j->total = operands_components(o, last);
    j->method = exact ? METHOD_SUMS_EXACT : METHOD_SUMS_BOUNDED;
    j->share = rows > 0 ? known / rows : 1;
    /* Counted apart from results that were checked whole. */
    if (j->kind == VERDICT_AGREE && j->model == promise->models->name)
        j->model = method_name(j->method);
}
