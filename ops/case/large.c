/* Which cases are checked by sums, and how they are drawn. */
#include "large.h"

#include <math.h>
#include <string.h>

#include "reference/random.h"

/* Multiplications from which on cases are large, of exact data and of others. */
static const double work_exact = 4e8, work_other = 4e9;

static bool has_plain_scalars(const Case *c, bool exact)
{
    const double least = 0x1p-30, most = 0x1p30;
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->kind != PARAM_SCALAR)
            continue;
        Scalar s = *(const Scalar *)(const void *)(c->params + param->offset);
        double size = fmax(fabs(s.re), fabs(s.im));
        if (!(size == 0 || (size >= least && size <= most)))
            return false;
        if (exact && (s.im != 0 || !is_power_of_two_or_zero(s.re)))
            return false;
    }
    return true;
}

/* Residuals decide: of what solves a system, or inverts its matrix. */
static bool is_residual(const OpDesc *op)
{
    return op->judged_by_residual || op->factors;
}

/* All operands of numbers that are read of one kind: none has values that are special, or scaled
 * but the coefficients of a system, which may be small. */
static bool has_fills(const Case *c, uint32_t kinds)
{
    enum { SCALE_LEAST = -30 };
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        const Fill *fill = &c->fill[i];
        if (shapes.tensor[i].role == ROLE_OUT || dtype_is_integer(shapes.tensor[i].layout.dtype))
            continue;
        int64_t least = i == 0 && is_residual(c->op) ? SCALE_LEAST : 0;
        if (fill->special != 0 || fill->scale > 0 || fill->scale < least ||
            fill->kind != c->fill[0].kind || !(kinds >> fill->kind & 1))
            return false;
    }
    return true;
}

/* Sums are formed in a wider type than that of the elements. */
static bool is_rounded(const Case *c)
{
    return dtype_arithmetic(case_dtype(c)) != case_dtype(c);
}

/* Of half precision every sum must be a number of the type too.  One of d terms with independent
 * signs is beyond 8.5 sqrt(d) times the root of their mean square with a probability of 2
 * exp(-8.5^2 / 2) = 4e-16 at most (Hoeffding's inequality), in any order that does not follow from
 * the data. */
static bool holds_sums(const Case *c, FillKind kind)
{
    const double of_term = kind == FILL_INT ? 7.5 : 1, deviations = 8.5;
    const Format *format = dtype_format(case_dtype(c));
    Shapes shapes;
    if (!is_rounded(c))
        return true;
    op_shape(c->op, c->params, &shapes);
    double depth = (double)shapes.depth;
    double size = kind == FILL_ONES ? depth : deviations * of_term * sqrt(depth);
    return size <= ldexp(1, format->precision);
}

static bool is_plain_exec(const Exec *exec)
{
    return !exec->illegal && !exec->relation && !exec->overlap && !exec->layout &&
           exec->repeat == 1 && !exec->form;
}

/* What solves a system is rounded.  Of binary64 odd integers of many bits leave no room for random
 * ones beside them. */
bool large_is_exact(const Case *c)
{
    uint32_t kinds = 1u << FILL_ONES | 1u << FILL_INT;
    if (is_residual(c->op))
        return false;
    if (dtype_format(case_dtype(c))->precision <= 24)
        kinds |= 1u << FILL_WIDE;
    return has_fills(c, kinds) && has_plain_scalars(c, true) &&
           holds_sums(c, (FillKind)c->fill[0].kind);
}

bool large_is(const Case *c)
{
    const uint32_t kinds = 1u << FILL_ONES | 1u << FILL_INT | 1u << FILL_WIDE | 1u << FILL_NORMAL |
                           1u << FILL_POSITIVE;
    if (!op_has_sums(c->op, c->params) || !is_plain_exec(&c->exec))
        return false;
    double work = case_work(c);
    if (work <= work_exact)
        return false;
    if (large_is_exact(c))
        return true;
    bool large =
        is_residual(c->op) || work > work_other || case_components(c) > CASE_COMPONENTS_MAX;
    return large && has_fills(c, kinds) && has_plain_scalars(c, false);
}

bool case_has_room(const Case *c)
{
    double components = case_components(c);
    return components <= CASE_COMPONENTS_MAX || (components <= LARGE_COMPONENTS_MAX && large_is(c));
}

/* A plain loop over operands that lie across its way makes 2e7 multiplications in a second at
 * least: each waits for memory. */
double large_patience(const Case *c)
{
    const double per_second = 2e7;
    return fmin(1 + case_work(c) / per_second, LARGE_PATIENCE_MOST);
}

static void draw_widths(Case *c, Choices *choices)
{
    enum { LEAST = 514, BLOCK = 512, BLOCK_BELOW = 16 };
    const Param *dims[OP_PARAMS_MAX];
    int64_t count = 0;
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->kind != PARAM_DIM)
            continue;
        int64_t *extent = param_integer(param, c->params);
        if (param->maximum > LEAST)
            dims[count++] = param;
        else if (*extent == 0)
            *extent = 1;
    }
    int64_t sure = choice_below(choices, count);
    for (int64_t i = 0; i < count; i++)
        *param_integer(dims[i], c->params) =
            i == sure || choice_below(choices, 4) > 0
                ? choice_even(choices, LEAST, dims[i]->maximum, BLOCK)
                : choice_even(choices, 1, LEAST - 1, BLOCK_BELOW);
}

static void draw_extents(Case *c, Choices *choices)
{
    if (!c->op->enlarge) {
        draw_widths(c, choices);
        return;
    }
    c->op->enlarge(c->params, choices);
    op_normalise(c->op, c->params);
}

/* Extents whose work lies between what sums are for and a budget, as far as so many tries have
 * some.  Half of the cases have more than twice the least budget, a quarter more than four times,
 * so that each doubling takes the same time.  The least one is so large that data, which take as
 * long as some 10^9 multiplications, are not most of a case. */
static void draw_sizes(Case *c, Draw *draw)
{
    enum { TRIES = 64, BYTES = 32 };
    uint64_t state = choice_bytes(&draw->choices, 8);
    double budget = 8 * work_exact / ((double)(choice_bytes(&draw->choices, 2) + 1) / 65536);
    for (int i = 0; i < TRIES; i++) {
        uint8_t bytes[BYTES];
        for (size_t at = 0; at < BYTES; at += sizeof(uint64_t)) {
            uint64_t word = random_next(&state);
            memcpy(bytes + at, &word, sizeof word);
        }
        draw_extents(c, &(Choices){bytes, BYTES, 0});
        double work = case_work(c);
        if (work > work_exact && work <= budget && holds_sums(c, FILL_WIDE) &&
            case_components(c) <= LARGE_COMPONENTS_MAX)
            return;
    }
}

/* Coefficients so small beside a diagonal of 1 that the unknowns stay near the right side. */
static void draw_system(Case *c, Draw *draw)
{
    enum { SCALE_LEAST = -14, SCALE_MOST = -8 };
    c->op->well_posed(c->params);
    c->fill[0].scale = choice_between(&draw->choices, SCALE_LEAST, SCALE_MOST);
}

static void draw_data(Case *c, Draw *draw)
{
    static const FillKind exact[] = {FILL_INT, FILL_INT, FILL_WIDE},
                          other[] = {FILL_NORMAL, FILL_POSITIVE};
    static const double factors[] = {1, 1, -1, 2, 0.5};
    bool other_too = is_residual(c->op) || case_work(c) > work_other;
    bool is_sure = !other_too || is_rounded(c) || choice_below(&draw->choices, 2);
    bool wide = dtype_format(case_dtype(c))->precision <= 24;
    FillKind kind = is_sure ? exact[choice_below(&draw->choices, wide ? 3 : 2)]
                            : other[choice_below(&draw->choices, 2)];
    if (is_sure && !holds_sums(c, kind))
        kind = FILL_WIDE;
    if (kind == FILL_WIDE && c->op->well_posed) /* unknowns would leave the range */
        kind = FILL_INT;
    for (int i = 0; c->op->tensors[i]; i++)
        c->fill[i] = (Fill){.kind = kind, .seed = (int64_t)choice_bytes(&draw->choices, 2)};
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR &&
            !(param->simplest == 0 && choice_below(&draw->choices, 2)))
            *param_scalar(param, c->params) =
                (Scalar){factors[choice_below(&draw->choices, COUNT_OF(factors))], 0};
        else if (param->kind == PARAM_SCALAR)
            param_set_simplest(param, c->params);
    if (c->op->well_posed)
        draw_system(c, draw);
}

/* Batches of a few matrices at most. */
static void limit_batch(const Param *param, void *params)
{
    enum { MATRICES_MOST = 8 };
    int64_t count = shape_count(param_shape(param, params));
    if (count < 1 || count > MATRICES_MOST)
        param_set_simplest(param, params);
}

void large_draw(Case *c, Draw *draw)
{
    enum { PAD_MOST = 130 };
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SHAPE)
            limit_batch(param, c->params);
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_PAD && *param_integer(param, c->params) > PAD_MOST)
            param_set_simplest(param, c->params);
    draw_sizes(c, draw);
    draw_data(c, draw);
    for (const Param *param = exec_params; param->name; param++)
        if (param->offset != offsetof(Exec, align) && param->offset != offsetof(Exec, guard))
            param_set_simplest(param, &c->exec);
}

int64_t large_one_in(const Scope *scope)
{
    enum { CASES = 2048, LEAST = 16 };
    int64_t with = 0;
    for (int i = 0; i < scope->op_count; i++)
        with += scope->ops[i]->product || scope->ops[i]->factors;
    int64_t one_in = with ? CASES * with / scope->op_count : 0;
    return with && one_in < LEAST ? LEAST : one_in;
}
