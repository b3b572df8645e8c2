/* Sums of the right side and of the computed one, with vectors of integers or of signs. */
#include "checksum.h"

#include <math.h>
#include <string.h>

#include "affine_parts.h"
#include "mag.h"
#include "product_kernel.h"
#include "random.h"

/* Two vectors, of real and of imaginary parts (NULL: none). */
typedef struct Vectors {
    double *part[2][CHECKSUM_VECTORS];
} Vectors;

/* One operand: its view, and what was noted of its elements. */
typedef struct Factor {
    const Tensor *view;
    bool conjugate, between;
    int lattice;
    double largest;
} Factor;

static Vectors zero_vectors(size_t length, Arena *arena)
{
    Vectors v = {{{NULL}}};
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            v.part[part][k] = arena_take_zeroed(arena, length + 1, sizeof(double));
    return v;
}

/* A power of two that the elements are taken for multiples of: that of some of them. */
static int guess_lattice(const Tensor *t)
{
    enum { LOOKED_AT = 8 };
    int lattice = LATTICE_NONE, components = dtype_components(t->dtype);
    for (int64_t i = 0; i < LOOKED_AT && i < t->extent[0]; i++)
        for (int64_t j = 0; j < LOOKED_AT && j < t->extent[1]; j++) {
            double value = dtype_load(t->dtype, t->origin, tensor_offset(t, i, j) * components);
            if (isfinite(value) && value != 0 && lowest_set_bit(value) < lattice)
                lattice = lowest_set_bit(value);
        }
    return lattice == LATTICE_NONE ? 0 : lattice;
}

/* One part of a matrix times both vectors of one part, added to `to` with a sign, which the second
 * one has not where it is of magnitudes. */
static void add_part(Factor *f, int part, double *const x[], double sign, bool sizes,
                     double *const to[], Arena *arena)
{
    size_t rows = (size_t)f->view->extent[0], used = arena->used;
    int64_t components = dtype_components(f->view->dtype);
    size_t size = dtype_component_size(f->view->dtype);
    Projection p = {
        .origin = (const char *)f->view->origin + (size_t)part * size,
        .narrow = size == sizeof(float),
        .sizes = sizes,
        .rows = rows,
        .columns = (size_t)f->view->extent[1],
        .row_stride = f->view->stride[0] * components,
        .column_stride = f->view->stride[1] * components,
        .rounder = ldexp(0x1.8p52, f->lattice),
        .x = {x[0], x[1]},
        .y = {arena_take_zeroed(arena, rows + 1, sizeof(double)),
              arena_take_zeroed(arena, rows + 1, sizeof(double))},
    };
    product_kernels()->project(&p);
    f->largest = fmax(f->largest, p.largest);
    f->between = f->between || p.between > 0;
    for (size_t i = 0; i < rows; i++) {
        to[0][i] += sign * p.y[0][i];
        to[1][i] += sizes ? p.y[1][i] : sign * p.y[1][i];
    }
    arena->used = used;
}

/* The matrix times vectors, whose imaginary parts may be missing. */
static Vectors multiply(Factor *f, const Vectors *x, bool sizes, Arena *arena)
{
    int components = dtype_components(f->view->dtype);
    Vectors to = zero_vectors((size_t)f->view->extent[0], arena);
    double imaginary = f->conjugate ? -1 : 1;
    add_part(f, 0, x->part[0], 1, sizes, to.part[0], arena);
    if (components == 1)
        return to;
    add_part(f, 1, x->part[0], imaginary, sizes, to.part[1], arena);
    if (x->part[1][0]) {
        add_part(f, 1, x->part[1], -imaginary, sizes, to.part[0], arena);
        add_part(f, 0, x->part[1], 1, sizes, to.part[1], arena);
    }
    return to;
}

/* Adds a factor times vectors to both sides of *right, whose components are interleaved. */
static void add_scaled(Checksum *s, Scalar factor, const Vectors *v, bool sizes)
{
    size_t parts = (size_t)s->components;
    for (size_t i = 0; i < s->rows; i++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++) {
            double *to = s->right[k] + i * parts, re = v->part[0][k][i];
            double im = parts == 2 ? v->part[1][k][i] : 0;
            bool magnitudes = sizes && k == 1;
            double a = magnitudes ? fabs(factor.re) : factor.re;
            double b = magnitudes ? fabs(factor.im) : factor.im;
            to[0] += a * re;
            if (parts == 1)
                continue;
            to[0] += magnitudes ? b * im : -(b * im);
            to[1] += a * im + b * re;
        }
}

typedef struct Sides {
    const AffineInput *in;
    Factor a, b, c;
    bool product_read, c_read;
} Sides;

/* The right side for the vectors x. */
static void sum_right(Checksum *s, Sides *sides, bool sizes, Arena *arena)
{
    const AffineInput *in = sides->in;
    Vectors x = {{{s->x[0], s->x[1]}, {NULL}}};
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        memset(s->right[k], 0, s->rows * (size_t)s->components * sizeof(double));
    if (sides->product_read) {
        Vectors product = multiply(&sides->b, &x, sizes, arena);
        product = multiply(&sides->a, &product, sizes, arena);
        add_scaled(s, in->alpha, &product, sizes);
    }
    if (sides->c_read) {
        Vectors addend = multiply(&sides->c, &x, sizes, arena);
        add_scaled(s, in->beta, &addend, sizes);
    }
}

static int bits_for(double count)
{
    int bits = 0;
    while (ldexp(1, bits) < count)
        bits++;
    return bits;
}

/* Bits that a sum of exact terms may have, in units of the lattice: all that binary32 has; in
 * binary64 fewer than the type has, so that random integers fit in beside them. */
static int room_for_sums(const Format *format)
{
    enum { OF_DOUBLES = 26 };
    return format->precision < OF_DOUBLES ? format->precision : OF_DOUBLES;
}

static bool is_exact_factor(Scalar s)
{
    return s.im == 0 && is_power_of_two_or_zero(s.re);
}

/* Where the data are exact in the sense of the theorem: the lattice and the limit. */
static bool find_lattice(Checksum *s, const Sides *sides, const Format *format)
{
    const AffineInput *in = sides->in;
    double limit = 0, unscaled = 0;
    int lattice = LATTICE_NONE, lowest = 0;
    if (sides->product_read) {
        int alpha = ilogb(in->alpha.re), a = sides->a.lattice, b = sides->b.lattice;
        lattice = a + b + alpha;
        lowest = (int)fmin(fmin(a, b) + fmin(alpha, 0), a + b + fmin(alpha, 0));
        unscaled =
            (double)s->components * (double)in->a.extent[1] * sides->a.largest * sides->b.largest;
        limit = fabs(in->alpha.re) * unscaled;
    }
    if (sides->c_read) {
        int beta = ilogb(in->beta.re), c = sides->c.lattice;
        lattice = c + beta < lattice ? c + beta : lattice;
        lowest = (int)fmin(lowest, fmin(c, c + beta));
        limit += fabs(in->beta.re) * sides->c.largest;
    }
    s->lattice = lattice == LATTICE_NONE ? 0 : lattice;
    s->limit = limit;
    return !sides->a.between && !sides->b.between && !sides->c.between &&
           lowest >= format->minimum_exponent && fmax(limit, unscaled) < format->largest / 4 &&
           limit <= ldexp(1, s->lattice + room_for_sums(format));
}

static void draw_integers(Checksum *s, uint64_t seed)
{
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        for (size_t j = 0; j < s->columns; j++)
            s->x[k][j] = (double)(random_at(seed + (uint64_t)k, j) >> (64 - s->bits));
}

static bool begin_exact(Checksum *s, Sides *sides, uint64_t seed, Arena *arena)
{
    const Format *format = dtype_format(sides->in->c.dtype);
    int bits = 53 - room_for_sums(format) - bits_for((double)s->columns);
    s->bits = bits < CHECKSUM_BITS_MOST ? bits : CHECKSUM_BITS_MOST;
    if (s->bits < CHECKSUM_BITS_LEAST || !is_exact_factor(sides->in->alpha) ||
        !is_exact_factor(sides->in->beta))
        return false;
    draw_integers(s, seed);
    sum_right(s, sides, false, arena);
    return find_lattice(s, sides, format);
}

static double magnitude_of(Scalar s)
{
    return fabs(s.re) + fabs(s.im);
}

/* Roundings of one element that may underflow, weighted (Ref.underflow): at most. */
static double underflows(const Checksum *s, const Sides *sides)
{
    double parts = s->components, depth = (double)sides->in->a.extent[1];
    double scale = fmax(1, magnitude_of(sides->in->alpha));
    double largest = fmax(1, fmax(sides->a.largest, sides->b.largest));
    return 4 * parts * depth * scale * parts * (1 + largest) + 8;
}

/* Each row as one element: E is at most that of one sum with the magnitudes of all, of which both
 * halves of M, (S + |r|) / 2 in oracle/bound.h, are counted as S. */
static void put_bounds(Checksum *s, const Sides *sides, const double *products,
                       const double *addends, Arena *arena)
{
    const AffineInput *in = sides->in;
    Ref *ref = &s->bound;
    double n = (double)s->columns, k = (double)in->a.extent[1], parts = s->components;
    ref_allocate(ref, in->c.dtype, s->rows, 1, arena);
    ref->depth = in->a.extent[1];
    ref->factor_bits = ref_factor_bits(&in->a, &in->b);
    ref->addend_roundings = is_exact_factor(in->beta) ? 0 : 1;
    ref->scale_roundings = in->alpha.im != 0 ? 2 : is_power_of_two_or_zero(in->alpha.re) ? 0 : 1;
    double evaluation = (n + 2 * k + 32) * 0x1p-53;
    for (size_t i = 0; i < ref->count; i++) {
        ref->magnitude[i] = formula_up(2 * products[i], (int)(n + 2 * k + 32));
        ref->addend[i] = formula_up(2 * addends[i], (int)(n + 32));
        ref->underflow[i] = formula_up(n * underflows(s, sides), 16);
        ref->terms[i] = (uint32_t)(parts * k * (in->alpha.im != 0 ? 2 : 1) + parts);
        ref->error[i] = mul_up(evaluation, add_up(ref->magnitude[i], ref->addend[i]));
    }
}

static bool is_comfortable(const Checksum *s, const Sides *sides, const Format *format)
{
    const AffineInput *in = sides->in;
    double sizes = (double)(s->columns + 1) * (double)(in->a.extent[1] + 1) *
                   fmax(1, magnitude_of(in->alpha)) * fmax(1, sides->a.largest) *
                   fmax(1, sides->b.largest) * s->components;
    sizes += (double)(s->columns + 1) * magnitude_of(in->beta) * sides->c.largest;
    return sizes < format->largest / 1024;
}

/* The second vector is of ones, with which magnitudes are summed up. */
static void begin_bounded(Checksum *s, Sides *sides, uint64_t seed, Arena *arena)
{
    size_t count = s->rows * (size_t)s->components;
    double *products = arena_take(arena, count + 1, sizeof(double));
    bool c_read = sides->c_read;
    for (size_t j = 0; j < s->columns; j++) {
        s->x[0][j] = random_at(seed, j) & 1 ? 1 : -1;
        s->x[1][j] = 1;
    }
    sides->c_read = false;
    sum_right(s, sides, true, arena);
    memcpy(products, s->right[1], count * sizeof(double));
    sides->c_read = c_read;
    double *signs = arena_take(arena, count + 1, sizeof(double));
    memcpy(signs, s->right[0], count * sizeof(double));
    bool product_read = sides->product_read;
    sides->product_read = false;
    sum_right(s, sides, true, arena);
    sides->product_read = product_read;
    for (size_t i = 0; i < count; i++)
        s->right[0][i] += signs[i];
    if (!is_comfortable(s, sides, dtype_format(sides->in->c.dtype)))
        return;
    put_bounds(s, sides, products, s->right[1], arena);
    s->kind = CHECKSUM_BOUNDED;
}

void checksum_begin(Checksum *s, const AffineInput *in, uint64_t seed, Arena *arena)
{
    *s = (Checksum){
        .rows = (size_t)in->c.extent[0],
        .columns = (size_t)in->c.extent[1],
        .components = dtype_components(in->c.dtype),
    };
    for (int k = 0; k < CHECKSUM_VECTORS; k++) {
        s->x[k] = arena_take(arena, s->columns + 1, sizeof(double));
        s->right[k] = arena_take(arena, s->rows * (size_t)s->components + 1, sizeof(double));
    }
    Sides sides = {
        .in = in,
        .product_read = !scalar_is_zero(in->alpha) && in->a.extent[1] > 0,
        .c_read = !scalar_is_zero(in->beta),
        .a = {.view = &in->a, .conjugate = in->conjugate_a},
        .b = {.view = &in->b, .conjugate = in->conjugate_b},
        .c = {.view = &in->c, .conjugate = in->conjugate_c},
    };
    if (sides.product_read) {
        sides.a.lattice = guess_lattice(&in->a);
        sides.b.lattice = guess_lattice(&in->b);
    }
    if (sides.c_read)
        sides.c.lattice = guess_lattice(&in->c);
    if (begin_exact(s, &sides, seed, arena))
        s->kind = CHECKSUM_EXACT;
    else
        begin_bounded(s, &sides, seed, arena);
}

/* Rows of what was computed: of exact data those that no right row can be, by one element. */
static size_t name_impossible(const Checksum *s, const Tensor *computed, uint8_t *wrong,
                              Arena *arena)
{
    size_t named = 0;
    double *x[] = {s->x[0], s->x[1]};
    for (size_t i = 0; i < s->rows; i++) {
        Tensor row = tensor_one_row(computed, (int64_t)i);
        Factor f = {.view = &row, .lattice = s->lattice};
        double sums[2] = {0}, *to[] = {&sums[0], &sums[1]};
        for (int part = 0; part < s->components; part++)
            add_part(&f, part, x, 1, false, to, arena);
        bool bad = f.between || f.largest > s->limit;
        named += bad && !wrong[i];
        wrong[i] = wrong[i] || bad;
    }
    return named;
}

/* Whether both sums of a component agree. */
static bool agrees(const Checksum *s, size_t at, double left, double size, const double *bounds)
{
    double distance = fabs(left - s->right[0][at]);
    if (s->kind == CHECKSUM_EXACT)
        return distance == 0 && size == s->right[1][at];
    double error =
        add_up(s->bound.error[at], formula_up(size * ((double)s->columns + 8) * 0x1p-53, 16));
    return distance <= add_up(bounds[at], error);
}

size_t checksum_compare(const Checksum *s, const Tensor *computed, const double *bounds,
                        uint8_t *wrong, Arena *arena)
{
    REQUIRE(s->kind == CHECKSUM_EXACT || bounds);
    size_t named = 0, used = arena->used;
    Factor c = {.view = computed, .lattice = s->lattice};
    Vectors x = {{{s->x[0], s->x[1]}, {NULL}}};
    Vectors left = multiply(&c, &x, s->kind == CHECKSUM_BOUNDED, arena);
    for (size_t i = 0; i < s->rows; i++) {
        wrong[i] = 0;
        for (int part = 0; part < s->components; part++)
            if (!agrees(s, i * (size_t)s->components + (size_t)part, left.part[part][0][i],
                        left.part[part][1][i], bounds))
                wrong[i] = 1;
        named += wrong[i];
    }
    if (s->kind == CHECKSUM_EXACT && (c.between || c.largest > s->limit))
        named += name_impossible(s, computed, wrong, arena);
    arena->used = used;
    return named;
}

static Tensor gather_rows(const Tensor *t, const size_t *rows, size_t count, Arena *arena)
{
    size_t size = dtype_size(t->dtype), columns = (size_t)t->extent[1];
    char *to = arena_take(arena, count * columns + 1, size);
    for (size_t i = 0; i < count; i++) {
        Tensor row = tensor_one_row(t, (int64_t)rows[i]);
        for (size_t j = 0; j < columns; j++)
            memcpy(to + (i * columns + j) * size,
                   (const char *)row.origin + tensor_offset(&row, 0, (int64_t)j) * (int64_t)size,
                   size);
    }
    return tensor_matrix(t->dtype, (int64_t)count, (int64_t)columns, (int64_t)columns, 1, to);
}

AffineInput affine_of_rows(const AffineInput *in, const size_t *rows, size_t count, Arena *arena)
{
    AffineInput some = *in;
    if (!scalar_is_zero(in->alpha))
        some.a = gather_rows(&in->a, rows, count, arena);
    else
        some.a.extent[0] = (int64_t)count;
    if (!scalar_is_zero(in->beta))
        some.c = gather_rows(&in->c, rows, count, arena);
    else
        some.c =
            tensor_matrix(in->c.dtype, (int64_t)count, in->c.extent[1], in->c.extent[1], 1, NULL);
    return some;
}
