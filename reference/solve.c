/* The reference of triangular solves: each unknown from the residual of its equation, in double-
 * double. */
#include "solve.h"

#include <math.h>

#include "wide_complex.h"

typedef struct Solve {
    const SolveInput *in;
    Ref *ref;
    int components;
    double *t, *b, *x; /* dense, row-major, components interleaved */
    double *forward;   /* bounds of the unknowns found so far, in units of the format */
    size_t n, columns;
} Solve;

static double *read_matrix(const Tensor *tensor, bool conjugate, Arena *arena)
{
    int components = dtype_components(tensor->dtype);
    size_t count = (size_t)(tensor->extent[0] * tensor->extent[1] * components);
    double *values = arena_take_zeroed(arena, count + 1, sizeof *values), *to = values;
    for (int64_t i = 0; i < tensor->extent[0]; i++) {
        TensorRow row = tensor_row(tensor, i);
        for (int64_t j = 0; j < tensor->extent[1]; j++, to += components) {
            if (j < row.first || j >= row.end)
                continue;
            int64_t at = tensor_offset(tensor, i, j) * components;
            to[0] = dtype_load(tensor->dtype, tensor->origin, at);
            if (components == 2)
                to[1] = dtype_load(tensor->dtype, tensor->origin, at + 1) * (conjugate ? -1 : 1);
        }
    }
    return values;
}

static Scalar element(const Solve *s, const double *values, size_t columns, size_t i, size_t j)
{
    const double *at = values + (i * columns + j) * (size_t)s->components;
    return (Scalar){at[0], s->components == 2 ? at[1] : 0};
}

/* Everything about unknown (i, j) given the others. */
typedef struct Unknown {
    WideComplex value;
    double magnitude, addend; /* of the terms, not yet divided */
    double coefficients;      /* sum of |t_ij| beside the diagonal */
    uint32_t terms;
    bool regular;
} Unknown;

static Unknown find_unknown(const Solve *s, size_t i, size_t j)
{
    Unknown u = {.regular = true};
    Scalar alpha = s->in->alpha, right = element(s, s->b, s->columns, i, j);
    Scalar diagonal = element(s, s->t, s->n, i, i);
    TensorRow row = tensor_row(&s->in->t, (int64_t)i);
    wide_complex_add_product(&u.value, 1, alpha, right);
    u.addend = scalar_size(alpha) * scalar_size(right);
    u.regular = scalar_is_finite(right) && scalar_is_finite(diagonal) && scalar_is_finite(alpha) &&
                scalar_size(diagonal) > 0;
    for (size_t l = (size_t)row.first; (int64_t)l < row.end && u.regular; l++) {
        Scalar t = element(s, s->t, s->n, i, l), x = element(s, s->x, s->columns, l, j);
        if (l == i)
            continue;
        u.regular = scalar_is_finite(t) && scalar_is_finite(x);
        if (!u.regular || scalar_size(t) == 0)
            continue;
        u.coefficients += scalar_size(t); /* also of an unknown that may have underflowed to 0 */
        if (scalar_size(x) == 0)
            continue;
        wide_complex_add_product(&u.value, -1, t, x);
        u.magnitude += scalar_size(t) * scalar_size(x);
        u.terms++;
    }
    return u;
}

/* Diagonals whose reciprocal is normal, sums and quotients that are far from both ends. */
static bool in_range(const Solve *s, const Unknown *u, Scalar diagonal, double quotient)
{
    const Format *format = dtype_format(s->ref->dtype);
    double size = scalar_size(diagonal), top = u->magnitude + u->addend;
    double high = ldexp(1, format->maximum_exponent - 4);
    /* alpha may multiply the unknowns in the end. */
    top /= fmin(1, scalar_size(s->in->alpha));
    quotient /= fmin(1, scalar_size(s->in->alpha));
    return size < high && size > 1 / high && top < high && top / size < high && quotient < high;
}

/* As row `to` of the reference. */
static void put_unknown(const Solve *s, size_t to, size_t i, size_t j, const Unknown *u)
{
    Ref *ref = s->ref;
    Scalar diagonal = element(s, s->t, s->n, i, i), x = element(s, s->x, s->columns, i, j);
    WideComplex value = {{0, 0}, {0, 0}};
    double quotient = INFINITY, size = scalar_size(diagonal);
    if (u->regular)
        value = wide_complex_divide(u->value, diagonal);
    if (u->regular)
        quotient = fabs(value.re.high) + fabs(value.im.high);
    bool regular = u->regular && in_range(s, u, diagonal, quotient);
    double own = scalar_is_finite(x) ? scalar_size(x) : quotient;
    double growth = s->components == 2 ? 2 : 1;
    for (int part = 0; part < s->components; part++) {
        size_t at = (to * s->columns + j) * (size_t)s->components + (size_t)part;
        Wide component = part == 0 ? value.re : value.im;
        if (!regular) {
            ref_set_classes(ref, at, CLASS_ANY);
            continue;
        }
        ref->high[at] = component.high;
        ref->low[at] = component.low;
        ref->terms[at] = (s->components == 2 ? 2 * u->terms + 12 : u->terms + 1) +
                         (uint32_t)ref->addend_roundings;
        ref->magnitude[at] = growth * (u->magnitude / size + fmax(own, quotient));
        ref->addend[at] = growth * u->addend / size;
        ref->error[at] = 0x1p-90 * (ref->magnitude[at] + ref->addend[at]) +
                         (u->terms + 4.0) * 0x1p-1070 * (1 + 1 / size);
        /* Each product may underflow, and so may each unknown when alpha multiplies it last. */
        ref->underflow[at] =
            (4 + 4 * growth * ((u->terms + 3.0) * (1 + 1 / size) + u->coefficients / size)) *
            (1 + scalar_size(s->in->alpha));
    }
}

/* Turns the residual rule of unknown (i, j) into a forward bound and stores the unknown. */
static void settle_unknown(const Solve *s, size_t i, size_t j)
{
    Ref *ref = s->ref;
    double unit = dtype_format(ref->dtype)->unit, size = scalar_size(element(s, s->t, s->n, i, i));
    TensorRow row = tensor_row(&s->in->t, (int64_t)i);
    size_t first = (i * s->columns + j) * (size_t)s->components;
    double carried = 0, own = 0;
    for (size_t l = (size_t)row.first; (int64_t)l < row.end; l++)
        if (l != i)
            carried += scalar_size(element(s, s->t, s->n, i, l)) * s->forward[l * s->columns + j];
    for (size_t at = first; at < first + (size_t)s->components; at++) {
        double terms = ref->terms[at];
        double bound = ((terms + 2) * ref->magnitude[at] + ref->addend_roundings * ref->addend[at] +
                        carried / size + (terms + 2) * unit * carried / size) *
                       (1 + 8 * (terms + 3) * unit);
        bool known = ref->classes[at] != CLASS_ANY;
        ref->magnitude[at] = known ? bound : 0;
        own = fmax(own, ref->magnitude[at]);
        s->x[at] = known ? dtype_round(ref->dtype, ref->high[at]) : NAN;
    }
    s->forward[i * s->columns + j] = 2 * own;
}

/* Each unknown in the order in which they follow from each other, or those of some rows. */
static void put_all(Solve *s)
{
    const SolveInput *in = s->in;
    bool lower = in->t.limited && in->t.above == 0;
    size_t count = in->rows ? in->row_count : s->n;
    for (size_t step = 0; step < count; step++) {
        size_t to = lower || in->rows ? step : s->n - 1 - step, i = in->rows ? in->rows[to] : to;
        for (size_t j = 0; j < s->columns; j++) {
            Unknown unknown = find_unknown(s, i, j);
            put_unknown(s, to, i, j, &unknown);
            if (s->forward)
                settle_unknown(s, i, j);
        }
    }
}

void solve_reference(Ref *ref, const SolveInput *in, Arena *arena)
{
    REQUIRE(in->t.rank == 2 && in->b.rank == 2);
    REQUIRE(in->t.limited || in->t.extent[0] <= 1);
    REQUIRE(in->t.extent[0] == in->t.extent[1] && in->t.extent[0] == in->b.extent[0]);
    REQUIRE(!in->rows || in->computed);
    REQUIRE(!in->computed || (in->computed->extent[0] == in->b.extent[0] &&
                              in->computed->extent[1] == in->b.extent[1]));
    Solve s = {
        .in = in,
        .ref = ref,
        .components = dtype_components(in->b.dtype),
        .n = (size_t)in->b.extent[0],
        .columns = (size_t)in->b.extent[1],
    };
    ref_allocate(ref, in->b.dtype, in->rows ? in->row_count : s.n, s.columns, arena);
    ref->rule = RULE_SOLVE;
    ref->addend_roundings = in->alpha.im != 0 ? 4 : is_power_of_two_or_zero(in->alpha.re) ? 0 : 2;
    s.t = read_matrix(&in->t, in->conjugate, arena);
    s.b = read_matrix(&in->b, false, arena);
    s.x = in->computed ? read_matrix(in->computed, false, arena)
                       : arena_take_zeroed(arena, ref->count + 1, sizeof(double));
    if (!in->computed)
        s.forward = arena_take_zeroed(arena, s.n * s.columns + 1, sizeof(double));
    put_all(&s);
    if (!in->computed)
        ref->rule = RULE_RELATIVE;
}
