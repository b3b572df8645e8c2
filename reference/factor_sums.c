/* Chains of matrices times vectors, from the right for sums and from the left for one row. */
#include "factor_sums.h"

#include <math.h>
#include <string.h>

#include "function.h"
#include "mag.h"
#include "matrix_sums.h"
#include "random.h"
#include "wide_complex.h"

static bool is_complex(const FactorEquation *e)
{
    return dtype_components(e->right.view.dtype) == 2;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static StoredMatrix part_of(const StoredMatrix *f, int64_t row, int64_t rows, int64_t column,
                            int64_t columns, bool limited)
{
    StoredMatrix part = *f;
    part.view.limited = limited;
    part.view.origin =
        (char *)f->view.origin +
        (row * f->view.stride[0] + column * f->view.stride[1]) * (int64_t)dtype_size(f->view.dtype);
    part.view.extent[0] = rows;
    part.view.extent[1] = columns;
    part.expansion = limited ? f->expansion : EXPAND_NONE;
    return part;
}

static void add_to(const Vectors *to, int64_t first, const Vectors *sum, int64_t count,
                   int components)
{
    for (int part = 0; part < components; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            for (int64_t i = 0; i < count; i++)
                to->part[part][k][first + i] += sum->part[part][k][i];
}

static Vectors from(const Vectors *x, int64_t first)
{
    Vectors v = *x;
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            if (v.part[part][k])
                v.part[part][k] += first;
    return v;
}

/* A matrix, or a trapezoid as a triangle and what is beside or below it, times both vectors, of
 * which the second one meets magnitudes; *largest: of a part of its elements. */
static Vectors multiply(const StoredMatrix *f, const Vectors *x, double *largest, Arena *arena)
{
    int64_t rows = f->view.extent[0], columns = f->view.extent[1], square = lesser(rows, columns);
    int components = dtype_components(f->view.dtype);
    if (!f->view.limited || rows == columns) {
        NotedMatrix whole = {.of = f};
        Vectors y = matrix_multiply(&whole, x, true, arena);
        *largest = fmax(*largest, whole.largest);
        return y;
    }
    StoredMatrix triangle = part_of(f, 0, square, 0, square, true);
    StoredMatrix rest = rows > columns ? part_of(f, square, rows - square, 0, columns, false)
                                       : part_of(f, 0, rows, square, columns - square, false);
    Vectors y = vectors_zero((size_t)rows, arena), beside = from(x, rows > columns ? 0 : square);
    NotedMatrix first = {.of = &triangle}, second = {.of = &rest};
    Vectors sum = matrix_multiply(&first, x, true, arena);
    add_to(&y, 0, &sum, square, components);
    sum = matrix_multiply(&second, &beside, true, arena);
    add_to(&y, rows > columns ? square : 0, &sum, rest.view.extent[0], components);
    *largest = fmax(*largest, fmax(first.largest, second.largest));
    return y;
}

/* Rows in another order: row i is row order[i]. */
static Vectors ordered(const Vectors *y, const int64_t *order, int64_t rows, int components,
                       Arena *arena)
{
    Vectors to = vectors_zero((size_t)rows, arena);
    for (int part = 0; part < components; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            for (int64_t i = 0; i < rows; i++)
                to.part[part][k][i] = y->part[part][k][order[i]];
    return to;
}

/* The second one has the magnitudes of the first. */
static Vectors random_numbers(int64_t count, uint64_t seed, Arena *arena)
{
    enum { HALF = 1 << 10 };
    Vectors x = vectors_zero((size_t)count, arena);
    for (int64_t j = 0; j < count; j++) {
        uint64_t bits = random_at(seed, (uint64_t)j);
        double size = (double)(HALF + (bits >> 1) % HALF) / (2 * HALF);
        x.part[0][0][j] = bits & 1 ? size : -size;
        x.part[0][1][j] = size;
    }
    x.part[1][0] = x.part[1][1] = NULL;
    return x;
}

/* As a product with the identity, with imaginary parts. */
static Vectors copied(const Vectors *x, int64_t count, Arena *arena)
{
    Vectors to = vectors_zero((size_t)count, arena);
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        memcpy(to.part[0][k], x->part[0][k], (size_t)count * sizeof(double));
    return to;
}

/* Terms of all sums that are formed, twice as many where they are complex. */
static double terms_of(const FactorEquation *e)
{
    double terms = (double)e->right.view.extent[1];
    for (int f = 0; f < e->factors; f++)
        terms += (double)e->factor[f].view.extent[1];
    return is_complex(e) ? 2 * terms : terms;
}

static double size_at(const Vectors *y, int64_t i, int components)
{
    return y->part[0][1][i] + (components == 2 ? y->part[1][1][i] : 0);
}

/* How far both sides of one row are apart, by its bound: above 1 it is named; where nothing is
 * known too. */
static double distance(const FactorEquation *e, const Vectors *left, const Vectors *right,
                       int64_t i, bool *known)
{
    int components = dtype_components(e->right.view.dtype);
    double size = size_at(left, i, components), given = size_at(right, i, components);
    double terms = terms_of(e), error = (2 * terms + 64) * 0x1p-53;
    int operations = (int)fmin(2 * terms + 64, 1 << 19);
    double bound = add_up(mul_up(e->gamma, formula_up(size, operations)),
                          mul_up((double)e->right.view.extent[1], e->underflow));
    bound = add_up(bound, mul_up(error, formula_up(size + given, operations)));
    if (!isfinite(size))
        return INFINITY;
    *known = *known && size < e->range && given < e->range;
    double off = 0;
    for (int part = 0; part < components; part++) {
        double of_part = fabs(left->part[part][0][i] - right->part[part][0][i]);
        off = fmax(off, of_part <= bound ? of_part / bound : fmax(of_part / bound, 2));
    }
    return off;
}

/* Elements that no right result has: multipliers above what pivoting admits, roots that are none.
 */
static bool is_unusual(const FactorEquation *e, int64_t i)
{
    const StoredMatrix *f = &e->factor[0];
    TensorRow row = tensor_row(&f->view, i);
    for (int64_t j = row.first; j < row.end && e->most < INFINITY; j++) {
        Scalar x = stored_element(f, i, j);
        if (fmax(fabs(x.re), fabs(x.im)) > e->most)
            return true;
    }
    if (!e->has_positive_roots)
        return false;
    Scalar root = stored_element(&e->factor[1], i, i);
    return !(root.re > 0) || root.im != 0;
}

/* The row of what was computed that row i of the equation is of. */
static int64_t stored_row(const FactorEquation *e, int64_t i)
{
    return e->orders_solution && e->order ? e->order[i] : i;
}

static bool has_nonfinite(const FactorEquation *e, int64_t i)
{
    int64_t at = stored_row(e, i);
    TensorRow row = tensor_row(&e->stored, at);
    for (int64_t j = row.first; j < row.end; j++)
        if (!scalar_is_finite(stored_element(&(StoredMatrix){.view = e->stored}, at, j)))
            return true;
    return false;
}

/* Of rows that are all named for one number that is not finite, those that have one. */
static void keep_nonfinite(const FactorEquation *e, FactorSums *sums, int64_t rows)
{
    size_t found = 0;
    for (int64_t i = 0; i < rows; i++)
        found += sums->rows[i] && has_nonfinite(e, i);
    for (int64_t i = 0; i < rows && found > 0; i++)
        sums->rows[i] = sums->rows[i] && has_nonfinite(e, i);
    sums->named = found > 0 ? found : sums->named;
}

static bool divides_usually(const FactorEquation *e)
{
    const StoredMatrix *g = &e->factor[1];
    int64_t count = lesser(g->view.extent[0], g->view.extent[1]);
    for (int64_t j = 0; j < count && e->least > 0; j++)
        if (!(scalar_size(stored_element(g, j, j)) >= e->least))
            return false;
    return true;
}

FactorSums factor_sums(const FactorEquation *e, uint64_t seed, Arena *arena)
{
    int64_t rows = e->right.view.extent[0];
    int components = dtype_components(e->right.view.dtype);
    FactorSums sums = {.rows = arena_take_zeroed(arena, (size_t)rows + 1, 1), .known = true};
    double largest[FACTOR_CHAIN_MAX] = {0}, ignored = 0;
    bool infinite = false;
    double most = 1;
    REQUIRE(e->factors > 1 && (e->order || !e->orders_solution));
    Vectors x = random_numbers(e->right.view.extent[1], seed, arena), left = x;
    for (int f = e->factors - 1; f >= 0; f--) {
        left = multiply(&e->factor[f], &left, &largest[f], arena);
        if (f == e->factors - 1 && e->orders_solution)
            left = ordered(&left, e->order, e->factor[f].view.extent[0], components, arena);
    }
    Vectors right = e->identity ? copied(&x, e->right.view.extent[1], arena)
                                : multiply(&e->right, &x, &ignored, arena);
    if (e->order && !e->orders_solution)
        right = ordered(&right, e->order, rows, components, arena);
    for (int64_t i = 0; i < rows; i++) {
        double off = distance(e, &left, &right, i, &sums.known);
        sums.rows[i] = off > 1;
        if (off > most) {
            most = off;
            sums.worst = i;
        }
        infinite = infinite || !isfinite(size_at(&left, i, components));
        if (!sums.rows[i] && (largest[0] > e->most || e->has_positive_roots))
            sums.rows[i] = is_unusual(e, i);
        sums.named += sums.rows[i];
    }
    for (int f = 0; f < e->factors; f++)
        sums.known = sums.known && largest[f] < e->largest;
    sums.known = sums.known && divides_usually(e);
    if (infinite && e->may_overflow && e->may_overflow(e, arena))
        sums = (FactorSums){.rows = memset(sums.rows, 0, (size_t)rows)};
    else if (infinite)
        keep_nonfinite(e, &sums, rows);
    return sums;
}

/* One row of the left side, in double-double, up to the last factor: with magnitudes. */
typedef struct LeftRow {
    WideComplex *values;
    double *sizes;
    int64_t count;
} LeftRow;

static LeftRow row_times(const LeftRow *row, const StoredMatrix *f, Arena *arena)
{
    int64_t columns = f->view.extent[1];
    LeftRow to = {arena_take_zeroed(arena, (size_t)columns + 1, sizeof *to.values),
                  arena_take_zeroed(arena, (size_t)columns + 1, sizeof *to.sizes), columns};
    for (int64_t k = 0; k < row->count; k++)
        for (int64_t j = 0; j < columns && row->sizes[k] > 0; j++) {
            Scalar x = stored_element(f, k, j);
            if (x.re == 0 && x.im == 0)
                continue;
            wide_complex_add_scaled(&to.values[j], 1, x, &row->values[k]);
            to.sizes[j] = add_up(to.sizes[j], mul_up(scalar_size(x), row->sizes[k]));
        }
    return to;
}

static LeftRow left_row(const FactorEquation *e, int64_t i, Arena *arena)
{
    int64_t columns = e->factor[0].view.extent[1];
    LeftRow row = {arena_take_zeroed(arena, (size_t)columns + 1, sizeof *row.values),
                   arena_take_zeroed(arena, (size_t)columns + 1, sizeof *row.sizes), columns};
    for (int64_t k = 0; k < columns; k++) {
        Scalar x = stored_element(&e->factor[0], i, k);
        row.values[k] = (WideComplex){{x.re, 0}, {x.im, 0}};
        row.sizes[k] = scalar_size(x);
    }
    for (int f = 1; f + 1 < e->factors; f++)
        row = row_times(&row, &e->factor[f], arena);
    return row;
}

static Scalar right_element(const FactorEquation *e, int64_t i, int64_t j)
{
    int64_t from = e->order && !e->orders_solution ? e->order[i] : i;
    return e->identity ? (Scalar){from == j, 0} : stored_element(&e->right, from, j);
}

/* right - product of one element, and the bound of a part. */
typedef struct ElementRest {
    WideComplex rest;
    double bound, error, size;
} ElementRest;

static ElementRest rest_of(const FactorEquation *e, const LeftRow *row, int64_t i, int64_t j)
{
    const StoredMatrix *last = &e->factor[e->factors - 1];
    Scalar right = right_element(e, i, j);
    ElementRest r = {.rest = {{right.re, 0}, {right.im, 0}}};
    double products = 0;
    for (int64_t k = 0; k < row->count; k++) {
        Scalar x = stored_element(last, stored_row(e, k), j);
        if ((x.re == 0 && x.im == 0) || row->sizes[k] == 0)
            continue;
        wide_complex_add_scaled(&r.rest, -1, x, &row->values[k]);
        products = add_up(products, mul_up(scalar_size(x), row->sizes[k]));
    }
    r.size = add_up(products, scalar_size(right));
    r.bound = add_up(mul_up(e->gamma, products), e->underflow);
    r.error = add_up(mul_up((8 * terms_of(e) + 8) * WIDE_UNIT, r.size), 0x1p-1060);
    return r;
}

/* Where element (i, j) of the equation stands: on the other side of the diagonal where that is
 * stored. */
static bool is_mirrored(const FactorEquation *e, int64_t i, int64_t j)
{
    TensorRow row = tensor_row(&e->stored, i);
    return j < row.first || j >= row.end;
}

bool factor_has_element(const FactorEquation *e, int64_t i, int64_t j)
{
    int64_t at = stored_row(e, i);
    return e->right.expansion != EXPAND_NONE || !is_mirrored(e, at, j);
}

int64_t factor_worst_columns(const FactorEquation *e, int64_t i, int64_t *columns, int64_t count,
                             Arena *arena)
{
    size_t used = arena->used;
    LeftRow row = left_row(e, i, arena);
    double *ratios = arena_take_zeroed(arena, (size_t)count + 1, sizeof *ratios);
    int64_t held = 0;
    for (int64_t j = 0; j < e->right.view.extent[1]; j++) {
        ElementRest r = rest_of(e, &row, i, j);
        double off = fmax(fabs(r.rest.re.high), fabs(r.rest.im.high)) / r.bound;
        double ratio = isfinite(off) ? off : INFINITY;
        if ((held == count && ratio <= ratios[count - 1]) || !factor_has_element(e, i, j))
            continue;
        int64_t at = held < count ? held++ : count - 1;
        for (; at > 0 && ratios[at - 1] < ratio; at--) {
            ratios[at] = ratios[at - 1];
            columns[at] = columns[at - 1];
        }
        ratios[at] = ratio;
        columns[at] = j;
    }
    arena->used = used;
    return held;
}

static Scalar divisor_of(const FactorEquation *e, const LeftRow *row, int64_t i, int64_t j)
{
    double largest = 0;
    for (int64_t k = 0; k < row->count && e->divisor == DIVISOR_ROW; k++)
        largest = fmax(largest, row->sizes[k]);
    if (e->divisor == DIVISOR_ROW)
        return (Scalar){largest, 0};
    bool divides = e->divisor == DIVISOR_TRIANGLE ? i >= j : i > j;
    Scalar d = divides ? stored_element(&e->factor[1], j, j) : (Scalar){1, 0};
    return scalar_size(d) > 0 && scalar_is_finite(d) ? d : (Scalar){1, 0};
}

/* One part: what was computed and the rest make what is expected. */
static void put_part(Ref *ref, size_t at, double got, double off, double error, double bound)
{
    if (!isfinite(got) || !isfinite(off)) {
        ref_put_bounded(ref, at, 0, 0, dtype_format(ref->dtype)->largest / 2);
        return;
    }
    Wide expected = wide_two_sum(got, off);
    ref_put_bounded(ref, at, expected.high, add_up(error, 0x1p-50 * fabs(off)), bound);
    ref->low[at] = expected.low;
}

static void put_element(Ref *ref, const FactorEquation *e, const LeftRow *row, int64_t k, int64_t i,
                        int64_t j, double *got, size_t *number)
{
    size_t parts = (size_t)dtype_components(ref->dtype);
    int64_t at_row = stored_row(e, i), at_column = j;
    bool mirrored = is_mirrored(e, at_row, j);
    if (mirrored) {
        at_row = j;
        at_column = i;
    }
    /* Of a hermitian matrix the element below the diagonal, whose divisor is known. */
    bool below = e->divisor != DIVISOR_TRIANGLE || i >= j;
    ElementRest r = rest_of(e, row, i, j);
    Scalar x = stored_element(&(StoredMatrix){.view = e->stored}, at_row, at_column);
    Scalar d = divisor_of(e, row, below ? i : j, below ? j : i);
    double size = hypot(d.re, d.im), sign = mirrored && is_complex(e) ? -1 : 1;
    WideComplex off = wide_complex_divide(r.rest, d);
    *number = (size_t)(e->turned ? at_column * e->stored.extent[0] + at_row
                                 : at_row * e->stored.extent[1] + at_column) *
              parts;
    for (size_t part = 0; part < parts; part++) {
        size_t at = (size_t)k * parts + part;
        Wide of_part = part ? off.im : off.re;
        double turned = part ? sign : 1;
        got[at] = part ? x.im : x.re;
        bool root = e->divisor == DIVISOR_TRIANGLE && i == j;
        if (root && (part == 1 || !(x.re > 0)))
            ref_set_exact(ref, at, part ? 0 : dtype_format(ref->dtype)->smallest_subnormal,
                          MATCH_VALUE);
        else
            put_part(ref, at, got[at], turned * (of_part.high + of_part.low),
                     div_up(2 * r.error, size), div_up(mul_up(d.im != 0 ? 2 : 1, r.bound), size));
    }
}

/* Expects the largest multiplier that pivoting admits where one is larger. */
static void limit_element(Ref *ref, const FactorEquation *e, size_t at, double got)
{
    if (fabs(got) > e->most && isfinite(got))
        ref_put_bounded(ref, at, copysign(e->most, got), 0, 0);
}

void factor_refer(Ref *ref, const FactorEquation *e, int64_t i, const int64_t *columns,
                  int64_t count, double *got, size_t *numbers, Arena *arena)
{
    DType dtype = e->right.view.dtype;
    size_t parts = (size_t)dtype_components(dtype);
    Tensor extents = tensor_matrix(dtype, 1, count, count, 1, NULL);
    ref_allocate_bounded(ref, dtype, &extents, arena);
    LeftRow row = left_row(e, i, arena);
    for (int64_t k = 0; k < count; k++) {
        put_element(ref, e, &row, k, i, columns[k], got, &numbers[k]);
        for (size_t part = 0; part < parts && e->divisor == DIVISOR_BELOW && columns[k] < i; part++)
            limit_element(ref, e, (size_t)k * parts + part, got[(size_t)k * parts + part]);
    }
}
