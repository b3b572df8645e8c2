/* Judges a result by what is known of a draft, the rest of which is computed for the elements that
 * it does not admit, or that may be the worst. */
#include <math.h>

#include "bound_rows.h"
#include "draft_rows.h"
#include "judge_parts.h"
#include "reference/product_kernel.h"

/* Elements looked at with exact sizes, and with columns, of all: one in so many, and some. */
enum { SIZED_SHARE = 6, PUT_SHARE = 128, PUT_LEAST = 64 };
/* Where errors are as small as that, all elements may be the worst. */
static const double RATIO_LEAST = 0x1p-12, UP = 1 + 0x1p-20;

typedef struct DraftJudge {
    Ref *ref;
    const double *got;
    Arena *arena;
    const DraftKernels *kernels;
    DraftRule rule;
    BoundRule bound;
    BoundTable table;
    float *ratios, *turned;
    size_t top;             /* the element with the largest finite ratio */
    size_t worst, put;      /* so far, and elements with columns */
    ElementVerdict verdict; /* on the worst */
} DraftJudge;

static const DraftKernels *draft_kernels(void)
{
    static const DraftKernels *const kernels[] = {
        &draft_kernels_baseline,
#if defined(__x86_64__)
        &draft_kernels_avx2,
        &draft_kernels_avx512
#endif
    };
    return kernels[product_kernels()->level];
}

static DraftRule rule_of(const Ref *ref, const BoundRule *bound)
{
    const RefDraft *draft = ref->draft;
    double less = 1 - DRAFT_SLACK, u = bound->unit, m = draft->terms, nodes = (m - 1) * u;
    double square = less * 64 * u * u / 3;
    return (DraftRule){
        .hard_size = less * (bound->leaf + nodes / 2),
        .hard_value = less * nodes / 2,
        .hard_addend = less * (bound->addend_leaf + nodes / 2),
        .signs_size = less * bound->leaf,
        .signs_root = less * nodes * bound->sign_factor,
        .signs_addend = less * (bound->addend_leaf + nodes),
        .typical_square = square * (bound->leaf / u + m / 2),
        .typical_value = square * (m / 3),
        .typical_addend = square * (bound->addend_leaf / u + m / 2),
        .drawn = ref->square != NULL,
        .signs = ref->square != NULL && ref->signs_drawn,
        .alpha = draft->alpha,
        .beta = draft->beta,
        .share = less / m,
    };
}

static DraftRow row_of(const DraftJudge *j, size_t i)
{
    const Ref *ref = j->ref;
    const RefDraft *draft = ref->draft;
    DraftRow row = {.count = ref->columns,
                    .products = draft_products(ref, i, j->arena),
                    .addends = draft_addends(ref, i),
                    .got = j->got + i * ref->columns};
    if (draft->exact)
        return row;
    row.sum = draft->row_sum[i];
    row.rest = draft->row_rest[i];
    row.sums = draft->column_sum;
    row.rests = draft->column_rest;
    row.ratios = j->ratios + i * ref->columns;
    return row;
}

/* The verdict on an element whose sizes are these, by its columns; false where it is not admitted.
 */
static bool judge_put(DraftJudge *j, size_t i, double size, double square)
{
    Ref *ref = j->ref;
    draft_put(ref, i / ref->columns, i % ref->columns, size, square);
    bound_table_put(&j->table, &j->bound, ref, i);
    ElementVerdict v = judge_element(&j->table, ref, i, j->got[i]);
    bool first = j->put++ == 0, same = v.ratio == j->verdict.ratio;
    if (first || v.ratio > j->verdict.ratio || (same && i < j->worst)) {
        j->worst = i;
        j->verdict = v;
    }
    return v.tier == TIER_NONE && v.informative && !v.undecided;
}

static bool judge_exact_draft(DraftJudge *j)
{
    Ref *ref = j->ref;
    size_t used = j->arena->used;
    for (size_t i = 0; i < ref->rows; i++, j->arena->used = used) {
        DraftRow row = row_of(j, i);
        if (!j->kernels->equal(&j->rule, &row))
            return false;
    }
    DraftSizes sizes = draft_first_sizes(ref);
    return judge_put(j, 0, sizes.size, sizes.square);
}

static void judge_rows(DraftJudge *j)
{
    const Ref *ref = j->ref;
    size_t used = j->arena->used, top_row = 0;
    double most = -1;
    for (size_t i = 0; i < ref->rows; i++, j->arena->used = used) {
        DraftRow row = row_of(j, i);
        double ratio = j->kernels->row(&j->rule, &row);
        top_row = ratio > most ? i : top_row;
        most = ratio > most ? ratio : most;
    }
    j->top = top_row * ref->columns;
    for (size_t i = j->top; i < (top_row + 1) * ref->columns; i++)
        if (j->ratios[i] < INFINITY &&
            (!(j->ratios[j->top] < INFINITY) || j->ratios[i] > j->ratios[j->top]))
            j->top = i;
}

/* An element by its exact sizes, and by its columns where these leave it open. */
static bool judge_sized(DraftJudge *j, size_t i, bool put)
{
    const Ref *ref = j->ref;
    size_t row = i / ref->columns, column = i % ref->columns;
    double size, square;
    DraftFactors factors = draft_factors(ref, j->turned, row, column);
    j->kernels->sizes(&factors, &size, &square);
    if (put)
        return judge_put(j, i, size, square);
    const double *c = draft_addends(ref, row);
    double product = j->rule.alpha * draft_product(ref, row, column);
    double addend = c ? j->rule.beta * c[column] : 0, value = product + addend;
    double alpha = fabs(j->rule.alpha), own = alpha * size;
    DraftElement e = {fabs(j->got[i] - value) + DRAFT_VALUE_SLACK * (own + fabs(addend)),
                      fabs(value), fabs(addend), own * (1 - DRAFT_SLACK),
                      alpha * alpha * square * (1 - DRAFT_SLACK)};
    double ratio = draft_ratio(&j->rule, &e);
    return ratio * UP < j->verdict.ratio || judge_put(j, i, size, square);
}

static bool judge_bounded_draft(DraftJudge *j)
{
    size_t count = j->ref->count, sized = 0;
    size_t puts = count / PUT_SHARE + PUT_LEAST;
    j->ratios = arena_take(j->arena, count, sizeof *j->ratios);
    judge_rows(j);
    j->turned = draft_turn(j->ref, j->arena);
    if (!judge_sized(j, j->top, true) || !(j->verdict.ratio > RATIO_LEAST))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i == j->top || j->ratios[i] < (float)(j->verdict.ratio))
            continue;
        if (++sized > count / SIZED_SHARE || j->put > puts || !judge_sized(j, i, false))
            return false;
    }
    return true;
}

bool judge_draft(Judgement *judgement, Ref *ref, const Promise *promise, const double *got,
                 Arena *arena)
{
    const Model *model = promise->models;
    const RefDraft *draft = ref->draft;
    BoundRule bound = bound_rule_of_terms(ref, model, draft->most_terms);
    if (!bound_rule_is_plain(&bound, ref, model) || bound.narrowed ||
        !(4 * draft->reach <= bound.limit))
        return false;
    DraftJudge j = {.ref = ref,
                    .got = got,
                    .arena = arena,
                    .kernels = draft_kernels(),
                    .rule = rule_of(ref, &bound),
                    .bound = bound,
                    .table = bound_table_room(ref, model, arena)};
    if (draft->exact ? !judge_exact_draft(&j) : !judge_bounded_draft(&j))
        return false;
    *judgement = (Judgement){.model = model->name, .total = ref->count};
    judge_note_worst(judgement, ref, j.worst, &j.verdict, got[j.worst]);
    judgement->bound_ratio = j.table.exact[j.worst] ? 0 : j.verdict.ratio;
    return true;
}
