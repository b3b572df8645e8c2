/* Sums of both sides of an equation, with vectors of integers or of signs. */
#include "checksum.h"

#include <math.h>
#include <string.h>

#include "complex_sum.h"
#include "mag.h"
#include "random.h"

/* The matrices of an equation, and the type of its arithmetic. */
typedef struct Sides {
    const ProductEquation *of;
    DType dtype;
    NotedMatrix a[EQUATION_TERMS_MAX], b[EQUATION_TERMS_MAX], c;
    double depth;
} Sides;

static bool is_addend_read(const ProductEquation *e)
{
    return !scalar_is_zero(e->beta);
}

static DType arithmetic_of(const ProductEquation *e)
{
    return dtype_arithmetic(e->result.view.dtype);
}

static Sides sides_of(const ProductEquation *e)
{
    Sides sides = {.of = e, .dtype = arithmetic_of(e), .depth = (double)equation_depth(e)};
    for (int i = 0; i < e->terms; i++) {
        sides.a[i] = matrix_noted(&e->term[i].a);
        sides.b[i] = matrix_noted(&e->term[i].b);
    }
    if (is_addend_read(e))
        sides.c = matrix_noted(&e->c);
    return sides;
}

/* Adds a factor times vectors to both sums, whose components are interleaved. */
static void add_scaled(const Checksum *s, double *const sums[], Scalar factor, const Vectors *v,
                       bool sizes)
{
    size_t parts = (size_t)s->components;
    for (size_t i = 0; i < s->rows; i++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++) {
            double *to = sums[k] + i * parts, re = v->part[0][k][i];
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

static void add_terms(const Checksum *s, Sides *sides, bool sizes, Arena *arena)
{
    const StoredMatrix *result = &sides->of->result;
    Vectors x = {{{s->x[0], s->x[1]}, {NULL}}};
    for (int i = 0; i < sides->of->terms; i++) {
        Vectors product;
        if (result->view.limited && result->expansion == EXPAND_NONE) {
            product = triangle_multiply(&sides->a[i], &sides->b[i], &x, result->view.above <= 0,
                                        sizes, arena);
        } else {
            product = matrix_multiply(&sides->b[i], &x, sizes, arena);
            product = matrix_multiply(&sides->a[i], &product, sizes, arena);
        }
        add_scaled(s, s->right, sides->of->term[i].alpha, &product, sizes);
    }
}

static void add_addend(const Checksum *s, Sides *sides, bool sizes, Arena *arena)
{
    Vectors x = {{{s->x[0], s->x[1]}, {NULL}}};
    if (!is_addend_read(sides->of))
        return;
    Vectors addend = matrix_multiply(&sides->c, &x, sizes, arena);
    add_scaled(s, s->right, sides->of->beta, &addend, sizes);
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

static bool has_exact_factors(const ProductEquation *e)
{
    bool exact = is_exact_factor(e->beta);
    for (int i = 0; i < e->terms; i++)
        exact = exact && is_exact_factor(e->term[i].alpha);
    return exact;
}

/* What is known of all terms of exact data. */
typedef struct Found {
    int lattice, lowest; /* of sums; of factors and of what they are before alpha and beta */
    double limit, unscaled;
    bool between;
} Found;

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static void find_term(Found *f, const Checksum *s, const Sides *sides, int i)
{
    const ProductTerm *term = &sides->of->term[i];
    int alpha = ilogb(term->alpha.re), a = sides->a[i].lattice, b = sides->b[i].lattice;
    double sum = (double)s->components * (double)term->a.view.extent[1] * sides->a[i].largest *
                 sides->b[i].largest;
    f->lattice = lesser(f->lattice, a + b + alpha);
    f->lowest = lesser(f->lowest, lesser(lesser(a, b), a + b) + lesser(alpha, 0));
    f->unscaled = fmax(f->unscaled, sum);
    f->limit += fabs(term->alpha.re) * sum;
    f->between = f->between || sides->a[i].between || sides->b[i].between;
}

/* Where the data are exact in the sense of the theorem: the lattice and the limit. */
static bool find_lattice(Checksum *s, const Sides *sides)
{
    const Format *format = dtype_format(sides->dtype);
    const Format *output = dtype_format(sides->of->result.view.dtype);
    const ProductEquation *e = sides->of;
    /* With three products none rounds while 2 (R + I) is within the significand (complex_sum.h). */
    double of_sums = e->three_products ? 4 : 1;
    Found f = {.lattice = REF_ZERO_LATTICE};
    for (int i = 0; i < e->terms; i++)
        find_term(&f, s, sides, i);
    if (is_addend_read(e)) {
        int beta = ilogb(e->beta.re), c = sides->c.lattice;
        f.lattice = lesser(f.lattice, c + beta);
        f.lowest = lesser(f.lowest, lesser(c, c + beta));
        f.limit += fabs(e->beta.re) * sides->c.largest;
        f.between = f.between || sides->c.between;
    }
    s->lattice = f.lattice == REF_ZERO_LATTICE ? 0 : f.lattice;
    s->limit = f.limit;
    if (output != format) {
        s->rounds_from = fmin(ldexp(1, s->lattice + output->precision), output->largest / 2);
        s->limit *= 1 + output->unit;
    }
    return !f.between && f.lowest >= output->minimum_exponent &&
           fmax(f.limit, f.unscaled) < format->largest / 4 / of_sums &&
           of_sums * f.limit <= ldexp(1, s->lattice + room_for_sums(format));
}

static void clear_right(const Checksum *s)
{
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        memset(s->right[k], 0, s->rows * (size_t)s->components * sizeof(double));
}

static bool begin_exact(Checksum *s, Sides *sides, uint64_t seed, Arena *arena)
{
    const Format *format = dtype_format(sides->dtype);
    int bits = 53 - room_for_sums(format) - bits_for((double)s->columns);
    s->bits = bits < CHECKSUM_BITS_MOST ? bits : CHECKSUM_BITS_MOST;
    if (s->bits < CHECKSUM_BITS_LEAST || sides->of->form != RESULT_GIVEN ||
        !has_exact_factors(sides->of) || !find_lattice(s, sides)) /* by some elements already */
        return false;
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        for (size_t j = 0; j < s->columns; j++)
            s->x[k][j] = (double)(random_at(seed + (uint64_t)k, j) >> (64 - s->bits));
    add_terms(s, sides, false, arena);
    add_addend(s, sides, false, arena);
    return find_lattice(s, sides);
}

static double magnitude_of(Scalar s)
{
    return fabs(s.re) + fabs(s.im);
}

static double largest_factor(const Sides *sides)
{
    double largest = 1;
    for (int i = 0; i < sides->of->terms; i++)
        largest = fmax(largest, fmax(sides->a[i].largest, sides->b[i].largest));
    return largest;
}

static double largest_alpha(const Sides *sides)
{
    double largest = 1;
    for (int i = 0; i < sides->of->terms; i++)
        largest = fmax(largest, magnitude_of(sides->of->term[i].alpha));
    return largest;
}

/* Roundings of one element that may underflow, weighted (Ref.underflow): at most. */
static double underflows(const Checksum *s, const Sides *sides)
{
    double parts = s->components;
    return 4 * parts * sides->depth * largest_alpha(sides) * parts * (1 + largest_factor(sides)) +
           8;
}

/* The relative error of the sums that are formed here. */
static double evaluation_error(const Checksum *s, double depth)
{
    return ((double)s->columns + 2 * depth + 32) * 0x1p-53;
}

static void put_roundings(Ref *ref, const ProductEquation *e)
{
    ref->addend_roundings = is_exact_factor(e->beta) ? 0 : 1;
    for (int i = 0; i < e->terms; i++) {
        Scalar alpha = e->term[i].alpha;
        int roundings = alpha.im != 0 ? 2 : is_power_of_two_or_zero(alpha.re) ? 0 : 1;
        ref->scale_roundings = roundings > ref->scale_roundings ? roundings : ref->scale_roundings;
        ref->factor_bits = ref_factor_bits(&e->term[i].a.view, &e->term[i].b.view);
    }
}

/* Beside the sums, each element is rounded to half precision, with an error of a part of its size,
 * which is at most what its magnitudes sum up to, or of the steps of subnormal numbers, those of
 * rounded slices among them.  So |r| and S are the same sum, of which M is one. */
static void put_narrowing(Checksum *s, const ProductEquation *e)
{
    Ref *ref = &s->bound;
    DType dtype = e->result.view.dtype;
    double step = dtype_format(dtype)->smallest_subnormal, n = (double)s->columns;
    for (size_t i = 0; i < ref->count; i++) {
        ref->magnitude[i] /= 2;
        ref->addend[i] /= 2;
        ref->high[i] = add_up(ref->magnitude[i], ref->addend[i]);
        ref->error[i] = add_up(ref->error[i], mul_up(n * (ref->terms[i] + 1.0), step));
    }
    ref_narrow(ref, dtype);
}

/* Each row as one element: E is at most that of one sum with the magnitudes of all, of which both
 * halves of M, (S + |r|) / 2 in oracle/bound.h, are counted as S. */
static void put_bounds(Checksum *s, const Sides *sides, const double *products,
                       const double *addends, Arena *arena)
{
    Ref *ref = &s->bound;
    double n = (double)s->columns, k = sides->depth, parts = s->components;
    ref_allocate(ref, sides->dtype, s->rows, 1, arena);
    ref->depth = (int64_t)k;
    put_roundings(ref, sides->of);
    for (size_t i = 0; i < ref->count; i++) {
        ref->magnitude[i] = formula_up(2 * products[i], (int)(n + 2 * k + 32));
        ref->addend[i] = formula_up(2 * addends[i], (int)(n + 32));
        ref->underflow[i] = formula_up(n * underflows(s, sides), 16);
        ref->terms[i] = (uint32_t)(parts * k * (ref->scale_roundings == 2 ? 2 : 1) + parts);
        ref->error[i] = mul_up(evaluation_error(s, k), add_up(ref->magnitude[i], ref->addend[i]));
    }
    if (sides->of->three_products)
        ref_admit_three_products(ref, k);
    if (sides->of->result.view.dtype != sides->dtype)
        put_narrowing(s, sides->of);
}

static bool is_comfortable(const Checksum *s, const Sides *sides)
{
    double largest = largest_factor(sides), columns = (double)(s->columns + 1);
    double element = (sides->depth + 1) * largest_alpha(sides) * largest * largest * s->components *
                     EQUATION_TERMS_MAX;
    element += magnitude_of(sides->of->beta) * sides->c.largest;
    return columns * element < dtype_format(sides->dtype)->largest / 1024 &&
           element < dtype_format(sides->of->result.view.dtype)->largest / 2;
}

/* The second vector is of ones, with which magnitudes are summed up. */
static void begin_bounded(Checksum *s, Sides *sides, uint64_t seed, Arena *arena)
{
    size_t count = s->rows * (size_t)s->components;
    double *products = arena_take(arena, count + 1, sizeof(double));
    s->addends = arena_take(arena, count + 1, sizeof(double));
    for (size_t j = 0; j < s->columns; j++) {
        s->x[0][j] = random_at(seed, j) & 1 ? 1 : -1;
        s->x[1][j] = 1;
    }
    clear_right(s);
    add_terms(s, sides, true, arena);
    memcpy(products, s->right[1], count * sizeof(double));
    memset(s->right[1], 0, count * sizeof(double));
    add_addend(s, sides, true, arena);
    memcpy(s->addends, s->right[1], count * sizeof(double));
    if (!is_comfortable(s, sides))
        return;
    if (sides->of->form == RESULT_GIVEN)
        put_bounds(s, sides, products, s->addends, arena);
    s->kind = CHECKSUM_BOUNDED;
}

void checksum_begin(Checksum *s, const ProductEquation *e, uint64_t seed, Arena *arena)
{
    *s = (Checksum){
        .equation = e,
        .rows = (size_t)e->result.view.extent[0],
        .columns = (size_t)e->result.view.extent[1],
        .components = dtype_components(e->result.view.dtype),
        .rounds_from = INFINITY,
    };
    for (int k = 0; k < CHECKSUM_VECTORS; k++) {
        size_t count = s->rows * (size_t)s->components + 1;
        s->x[k] = arena_take(arena, s->columns + 1, sizeof(double));
        s->right[k] = arena_take_zeroed(arena, count, sizeof(double));
        s->left[k] = arena_take_zeroed(arena, count, sizeof(double));
    }
    Sides sides = sides_of(e);
    if (begin_exact(s, &sides, seed, arena))
        s->kind = CHECKSUM_EXACT;
    else
        begin_bounded(s, &sides, seed, arena);
}

/* The residual of each row as one element (RULE_SOLVE, not divided by the diagonal): the
 * magnitudes are those of the left side. */
static void put_solve_bounds(Checksum *s, Arena *arena)
{
    const ProductEquation *e = s->equation;
    Ref *ref = &s->bound;
    double n = (double)s->columns, k = (double)equation_depth(e), parts = s->components;
    double scale = 1 + magnitude_of(e->beta);
    ref_allocate(ref, e->result.view.dtype, s->rows, 1, arena);
    ref->rule = RULE_SOLVE;
    ref->addend_roundings = e->beta.im != 0 ? 4 : is_power_of_two_or_zero(e->beta.re) ? 0 : 2;
    double weights =
        4 * s->largest + 4 * parts * ((k + 3) * (s->largest + 1) + parts * k * s->largest);
    for (size_t i = 0; i < ref->count; i++) {
        size_t first = i - i % (size_t)parts, last = first + (size_t)parts - 1;
        double sizes = first == last ? s->left[1][i] : s->left[1][first] + s->left[1][last];
        double addends = first == last ? s->addends[i] : s->addends[first] + s->addends[last];
        ref->magnitude[i] = formula_up(parts * sizes, (int)(n + 2 * k + 32));
        ref->addend[i] = formula_up(parts * addends, (int)(n + 32));
        ref->underflow[i] = formula_up(n * weights * scale, 16);
        ref->terms[i] =
            (uint32_t)(parts == 2 ? 2 * k + 12 : k + 1) + (uint32_t)ref->addend_roundings;
        ref->error[i] = mul_up(evaluation_error(s, k), add_up(ref->magnitude[i], ref->addend[i]));
    }
}

void checksum_read(Checksum *s, const Tensor *computed, Arena *arena)
{
    const ProductEquation *e = s->equation;
    const Scalar one = {1, 0};
    bool sizes = s->kind == CHECKSUM_BOUNDED;
    Vectors left = {{{s->x[0], s->x[1]}, {NULL}}};
    s->found = (StoredMatrix){.view = *computed, .expansion = e->result.expansion};
    NotedMatrix result = {.of = &s->found, .lattice = s->lattice}, t = {.of = &e->t};
    if (e->form == RESULT_SOLVES_TO)
        left = matrix_multiply(&t, &left, sizes, arena);
    left = matrix_multiply(&result, &left, sizes, arena);
    if (e->form == RESULT_SOLVES)
        left = matrix_multiply(&t, &left, sizes, arena);
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        memset(s->left[k], 0, s->rows * (size_t)s->components * sizeof(double));
    add_scaled(s, s->left, one, &left, sizes);
    s->unusual = result.between || result.largest > s->limit || result.largest >= s->rounds_from;
    s->largest = t.largest;
    if (s->kind == CHECKSUM_BOUNDED && e->form != RESULT_GIVEN)
        put_solve_bounds(s, arena);
}

/* Rows of what was computed: of exact data those that no right row can be, by one element, and
 * those of which a right one may be rounded. */
static void mark_unusual(const Checksum *s, uint8_t *rows, Arena *arena)
{
    size_t used = arena->used;
    Vectors x = {{{s->x[0], s->x[1]}, {NULL}}};
    for (size_t i = 0; i < s->rows; i++) {
        int64_t first;
        StoredMatrix row = {.view = tensor_existing_row(&s->found.view, (int64_t)i, &first)};
        NotedMatrix noted = {.of = &row, .lattice = s->lattice};
        (void)matrix_multiply(&noted, &x, false, arena);
        if (noted.between || noted.largest > s->limit)
            rows[i] = ROW_WRONG;
        else if (noted.largest >= s->rounds_from)
            rows[i] = ROW_OPEN;
        arena->used = used;
    }
}

/* Whether both sums of a component agree. */
static bool agrees(const Checksum *s, size_t at, const double *bounds)
{
    double distance = fabs(s->left[0][at] - s->right[0][at]), size = s->left[1][at];
    if (s->kind == CHECKSUM_EXACT)
        return distance == 0 && size == s->right[1][at];
    double error = add_up(s->bound.error[at], formula_up(size * evaluation_error(s, 0), 16));
    return isfinite(size) && distance <= add_up(bounds[at], error);
}

size_t checksum_compare(const Checksum *s, const double *bounds, uint8_t *rows, Arena *arena)
{
    REQUIRE(s->kind == CHECKSUM_EXACT || bounds);
    size_t named = 0;
    for (size_t i = 0; i < s->rows; i++) {
        rows[i] = ROW_RIGHT;
        for (int part = 0; part < s->components; part++)
            if (!agrees(s, i * (size_t)s->components + (size_t)part, bounds))
                rows[i] = ROW_WRONG;
    }
    if (s->kind == CHECKSUM_EXACT && s->unusual)
        mark_unusual(s, rows, arena);
    for (size_t i = 0; i < s->rows; i++)
        named += rows[i] == ROW_WRONG;
    return named;
}
