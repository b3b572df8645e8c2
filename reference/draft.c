/* Sums by a library, sizes of lines, and the rest when it is asked for. */
#include "draft.h"

#include <math.h>

#include "affine_parts.h"

typedef struct DraftedAffine {
    AffineInput in;
    Affine affine;
} DraftedAffine;

static bool is_usual(double size)
{
    return size == 0 || (size >= DRAFT_LEAST && size <= DRAFT_MOST);
}

static bool is_usual_operand(const Operand *operand)
{
    return !operand->has_nonfinite && is_usual(operand->largest) &&
           (operand->largest == 0 || is_usual(operand->smallest));
}

static bool is_usual_affine(const Affine *w)
{
    const AffineInput *in = w->in;
    bool addend = !w->c_read || is_usual_operand(&w->c);
    return in->c.dtype == DT_F32 && w->product_read && is_usual_operand(&w->a) &&
           is_usual_operand(&w->b) && addend && is_usual(fabs(in->alpha.re)) &&
           is_usual(fabs(in->beta.re)) && w->factors.depth > 2 &&
           w->factors.depth <= DRAFT_TERMS_MAX;
}

/* At least magnitude and addend of each element together. */
static double most_of(const Affine *w)
{
    const AffineInput *in = w->in;
    double products = fabs(in->alpha.re) * (double)w->factors.depth * w->a.largest * w->b.largest;
    double addend = w->c_read ? fabs(in->beta.re) * w->c.largest : 0;
    return (products + addend) * (1 + DRAFT_SLACK);
}

/* Intermediates beside the sum are products without alpha, and factors with it. */
static double reach_of(const Affine *w)
{
    double factor = fmax(w->a.largest, w->b.largest) * fmax(fabs(w->in->alpha.re), 1);
    double unscaled = (double)w->factors.depth * w->a.largest * w->b.largest;
    return fmax(most_of(w), fmax(unscaled, factor)) * (1 + DRAFT_SLACK);
}

/* Sums of magnitudes and of squares. */
typedef struct LineSums {
    double *sum, *rest;
} LineSums;

/* What is left of the squares beside the sum, whose errors are less than a quarter of the slack
 * each.
 */
static void put_rest(LineSums *lines, size_t i, double squares, double depth, double scale)
{
    double sum = lines->sum[i], own = sum / depth * sum;
    double rest = squares - own + DRAFT_SLACK / 2 * (squares + own);
    lines->rest[i] = scale * sqrt(rest > 0 ? rest : 0);
    lines->sum[i] = scale * sum;
}

static LineSums sums_of_left(const Factors *f, double scale, double share, Arena *arena)
{
    enum { SUMS = 8 };
    LineSums lines = {arena_take(arena, f->rows, sizeof(double)),
                      arena_take(arena, f->rows, sizeof(double))};
    for (size_t i = 0; i < f->rows; i++) {
        const double *row = f->left + i * f->depth;
        double sums[SUMS] = {0}, squares = 0;
        size_t l = 0;
        for (; l + SUMS <= f->depth; l += SUMS)
            for (int lane = 0; lane < SUMS; lane++)
                sums[lane] += row[l + (size_t)lane] * row[l + (size_t)lane];
        for (; l < f->depth; l++)
            squares += row[l] * row[l];
        for (int lane = 0; lane < SUMS; lane++)
            squares += sums[lane];
        lines.sum[i] = f->left_sum[i];
        put_rest(&lines, i, squares, (double)f->depth, scale);
        lines.sum[i] *= share;
    }
    return lines;
}

static LineSums sums_of_right(const Factors *f, double scale, double share, Arena *arena)
{
    LineSums lines = {arena_take(arena, f->stride, sizeof(double)),
                      arena_take(arena, f->stride, sizeof(double))};
    double *squares = arena_take_zeroed(arena, f->stride, sizeof *squares);
    for (size_t l = 0; l < f->depth; l++)
        for (size_t j = 0; j < f->stride; j++)
            squares[j] += f->right[l * f->stride + j] * f->right[l * f->stride + j];
    for (size_t j = 0; j < f->stride; j++) {
        lines.sum[j] = f->right_sum[j];
        put_rest(&lines, j, squares[j], (double)f->depth, scale);
        lines.sum[j] *= share;
    }
    return lines;
}

static void put_lines(RefDraft *draft, const Affine *w, Arena *arena)
{
    const Factors *f = &w->factors;
    double share = 1 / (double)f->depth;
    LineSums left = sums_of_left(f, fabs(w->in->alpha.re), share, arena);
    LineSums right = sums_of_right(f, 1, 1, arena);
    draft->row_sum = f->swapped ? right.sum : left.sum;
    draft->row_rest = f->swapped ? right.rest : left.rest;
    draft->column_sum = f->swapped ? left.sum : right.sum;
    draft->column_rest = f->swapped ? left.rest : right.rest;
}

bool affine_draft(Ref *ref, Affine *w, Arena *arena)
{
    if (!is_usual_affine(w))
        return false;
    ref->exponent = 0;
    w->product_exponent = w->alpha.exponent;
    w->addend_exponent = w->c_read ? w->beta.exponent : 0;
    affine_choose_lattice(w, ref);
    w->underflow_error = affine_underflow(w);
    bool exact = ref->lattice != REF_NO_LATTICE && most_of(w) <= w->lattice_limit;
    bool dense = !w->a.has_zero && !w->b.has_zero;
    if ((!exact && !dense) || !product_sums(&w->product, &w->multiplied, arena))
        return false;
    RefDraft *draft = arena_take_zeroed(arena, 1, sizeof *draft);
    draft->affine = arena_take(arena, 1, sizeof *draft->affine);
    *draft->affine = (DraftedAffine){*w->in, *w};
    Affine *kept = &draft->affine->affine;
    kept->in = &draft->affine->in;
    kept->factors.a = &kept->a;
    kept->factors.b = &kept->b;
    draft->exact = exact;
    draft->terms = (uint32_t)w->factors.depth;
    draft->most_terms = draft->terms + (w->c_read && w->c.largest > 0 ? 1 : 0);
    draft->alpha = w->in->alpha.re;
    draft->beta = w->in->beta.re;
    draft->reach = reach_of(w);
    if (!exact)
        put_lines(draft, kept, arena);
    ref->draft = draft;
    return true;
}

const double *draft_products(const Ref *ref, size_t row, Arena *arena)
{
    return affine_sums(&ref->draft->affine->affine, row, ref->columns, arena);
}

double draft_product(const Ref *ref, size_t row, size_t column)
{
    const Affine *w = &ref->draft->affine->affine;
    return w->product.high[affine_index(w, row, column, 0)];
}

const double *draft_addends(const Ref *ref, size_t row)
{
    const Affine *w = &ref->draft->affine->affine;
    return w->c_read ? w->c.values + row * ref->columns : NULL;
}

float *draft_turn(const Ref *ref, Arena *arena)
{
    const Factors *f = &ref->draft->affine->affine.factors;
    float *turned = arena_take(arena, f->stride * f->depth, sizeof *turned);
    for (size_t strip = 0; strip < f->stride; strip += PRODUCT_LANES)
        for (size_t l = 0; l < f->depth; l++)
            for (size_t lane = 0; lane < PRODUCT_LANES; lane++)
                turned[(strip + lane) * f->depth + l] =
                    (float)f->right[l * f->stride + strip + lane];
    return turned;
}

DraftFactors draft_factors(const Ref *ref, const float *turned, size_t row, size_t column)
{
    const Factors *f = &ref->draft->affine->affine.factors;
    size_t left = f->swapped ? column : row, right = f->swapped ? row : column;
    return (DraftFactors){f->left + left * f->depth, turned + right * f->depth, f->depth};
}

DraftSizes draft_first_sizes(const Ref *ref)
{
    const Factors *f = &ref->draft->affine->affine.factors;
    DraftSizes sizes = {0};
    for (size_t l = 0; l < f->depth; l++) {
        double product = f->left[l] * f->right[l * f->stride];
        sizes.size += fabs(product);
        sizes.square += product * product;
    }
    return sizes;
}

void draft_put(Ref *ref, size_t row, size_t column, double size, double square)
{
    const Affine *w = &ref->draft->affine->affine;
    const Product *p = &w->product;
    size_t at = affine_index(w, row, column, 0);
    p->low[at] = 0;
    p->magnitude[at] = size * product_inflation(&w->multiplied);
    if (p->square)
        p->square[at] = square;
    if (p->terms)
        p->terms[at] = (uint32_t)w->factors.depth;
    affine_put_element(w, ref, row, column, 0);
}

void draft_complete(Ref *ref, Arena *arena)
{
    Affine *w = &ref->draft->affine->affine;
    ref->draft = NULL;
    product_companions(&w->product, &w->multiplied, arena);
    affine_put_all(w, ref, arena);
}
