/* Interchanges and powers of two that balance a matrix. */
#include "balance.h"

#include <math.h>
#include <stdlib.h>

#include "eigen.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

enum { RATIO = 16 };

static bool permutes(const Lapack *q)
{
    return q->job == 1 || q->job == 3;
}

static bool scales(const Lapack *q)
{
    return q->job >= 2;
}

static int exponent_of(double scale)
{
    return isfinite(scale) && scale > 0 ? ilogb(scale) : 0;
}

static void exchange_lines(Matrix *a, int64_t j, int64_t with)
{
    matrix_exchange_rows(a, j, with);
    for (int64_t i = 0; i < a->rows; i++) {
        Scalar kept = *matrix_at(a, i, j);
        *matrix_at(a, i, j) = *matrix_at(a, i, with);
        *matrix_at(a, i, with) = kept;
    }
}

int64_t balance_partner(const Balancing *b, int64_t n, int64_t j)
{
    double number = b->scale[j];
    return number >= 1 && number <= (double)n && number == rint(number) ? (int64_t)number - 1 : j;
}

/* P^T A P. */
static void permute(Matrix *a, const Balancing *b)
{
    for (int64_t j = a->rows - 1; j >= b->end; j--)
        exchange_lines(a, j, balance_partner(b, a->rows, j));
    for (int64_t j = 0; j < b->first; j++)
        exchange_lines(a, j, balance_partner(b, a->rows, j));
}

static int scaled_by(const Balancing *b, int64_t i)
{
    return i >= b->first && i < b->end ? exponent_of(b->scale[i]) : 0;
}

/* A part of an element times 2^by, which may have been 2^-reach to 2^reach times itself. */
static void put_part(Ref *ref, size_t at, double x, int by, int reach)
{
    const Format *format = dtype_format(ref->dtype);
    int size = x == 0 ? 0 : ilogb(x);
    if (x == 0 || (size - reach >= format->minimum_exponent + format->precision &&
                   size + reach < format->maximum_exponent - 1))
        ref_set_exact(ref, at, ldexp(x, by), MATCH_VALUE);
    else
        ref_set_classes(ref, at, CLASS_ANY);
}

static void put_matrix(Ref *ref, const Matrix *a, const Balancing *b)
{
    int most = 0;
    for (int64_t i = 0; i < a->rows; i++)
        most = abs(scaled_by(b, i)) > most ? abs(scaled_by(b, i)) : most;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->rows; j++) {
            int down = scaled_by(b, i), up = scaled_by(b, j);
            int reach = most == 0 ? 0 : 2 * (abs(down) + abs(up) + most) + 2;
            Scalar x = *matrix_at(a, i, j);
            /* What stands below the diagonal outside must be 0. */
            if (i > j && (j < b->first || i >= b->end))
                x = (Scalar){0, 0};
            for (int part = 0; part < dtype_components(ref->dtype); part++) {
                size_t at = matrix_element(ref, i, j) + (size_t)part;
                double value = part ? x.im : x.re;
                if (reach == 0)
                    ref_set_exact(ref, at, value, MATCH_VALUE);
                else
                    put_part(ref, at, value, up - down, reach);
            }
        }
}

/* The norms of row and column i of the block of B, by both rules, and whether they are within the
 * ratio by one of them, or too near the ends of the range to say. */
static bool is_balanced_line(const Matrix *b, const Balancing *of, int64_t i, int range)
{
    long double sums[2] = {0, 0}, squares[2] = {0, 0};
    for (int64_t j = of->first; j < of->end; j++)
        for (int column = 0; column < 2; column++) {
            Scalar x = column ? *matrix_at(b, j, i) : *matrix_at(b, i, j);
            int by =
                column ? scaled_by(of, i) - scaled_by(of, j) : scaled_by(of, j) - scaled_by(of, i);
            long double size = ldexpl(hypotl(x.re, x.im), by);
            sums[column] += i == j ? 0 : size;
            squares[column] += size * size;
        }
    bool is_within = false;
    for (int euclidean = 0; euclidean < 2; euclidean++) {
        long double r = euclidean ? sqrtl(squares[0]) : sums[0];
        long double c = euclidean ? sqrtl(squares[1]) : sums[1];
        bool is_near = r < ldexpl(1, -range) || c < ldexpl(1, -range) || r > ldexpl(1, range) ||
                       c > ldexpl(1, range);
        is_within = is_within || is_near || (r <= RATIO * c && c <= RATIO * r);
    }
    return is_within || abs(scaled_by(of, i)) > range;
}

static void put_scale(Ref *ref, const Lapack *q, const Matrix *permuted, const Balancing *b)
{
    int range = dtype_format(ref->dtype)->maximum_exponent / 4;
    for (int64_t j = 0; j < q->n; j++) {
        double got = b->scale[j];
        if (j < b->first || j >= b->end) {
            ref_set_exact(ref, (size_t)j, (double)balance_partner(b, q->n, j) + 1, MATCH_VALUE);
            continue;
        }
        double right = scales(q) ? ldexp(1, exponent_of(got)) : 1;
        if (scales(q) && !is_balanced_line(permuted, b, j, range))
            right = ldexp(right, 4);
        ref_set_exact(ref, (size_t)j, right, MATCH_VALUE);
    }
}

/* How many rows and columns are left between ilo and ihi: one at least. */
static int64_t rest_of(const Matrix *a, Arena *arena)
{
    bool *active = arena_take(arena, (size_t)a->rows + 1, sizeof *active);
    int64_t count = 0;
    eigen_isolate(a, active);
    for (int64_t i = 0; i < a->rows; i++)
        count += active[i];
    return count > 0 || a->rows == 0 ? count : 1;
}

bool balance_read(Balancing *to, int64_t n, const Tensor ilo_ihi_scale[3], Arena *arena)
{
    const Tensor *scale = &ilo_ihi_scale[2];
    int64_t ilo = lapack_integer(&ilo_ihi_scale[0], 0), ihi = lapack_integer(&ilo_ihi_scale[1], 0);
    if (ilo < 1 || ihi > n || (n > 0 && ihi < ilo))
        return false;
    *to = (Balancing){ilo - 1, ihi, arena_take(arena, (size_t)n + 1, sizeof(double))};
    for (int64_t j = 0; j < n; j++)
        to->scale[j] = dtype_load(scale->dtype, scale->origin, j);
    return true;
}

/* Element (i, j) times 2^by. */
static void scale_element(Matrix *a, int64_t i, int64_t j, int by)
{
    Scalar *x = matrix_at(a, i, j);
    *x = (Scalar){ldexp(x->re, by), ldexp(x->im, by)};
}

Matrix balance_matrix(const Balancing *b, const Matrix *a, Arena *arena)
{
    Matrix to = matrix_copy(a, arena);
    permute(&to, b);
    for (int64_t i = 0; i < to.rows; i++)
        for (int64_t j = 0; j < to.rows; j++)
            scale_element(&to, i, j, scaled_by(b, j) - scaled_by(b, i));
    return to;
}

void balance_vectors(const Balancing *b, bool left, Matrix *z)
{
    for (int64_t j = z->rows - 1; j >= b->end; j--)
        matrix_exchange_rows(z, j, balance_partner(b, z->rows, j));
    for (int64_t j = 0; j < b->first; j++)
        matrix_exchange_rows(z, j, balance_partner(b, z->rows, j));
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < z->columns; j++)
            scale_element(z, i, j, left ? scaled_by(b, i) : -scaled_by(b, i));
}

void balance_judge(const BalanceRefs *refs, const Lapack *q, const Matrix *a,
                   const Tensor ilo_ihi_scale[3], Arena *arena)
{
    int64_t n = q->n, ilo = lapack_integer(&ilo_ihi_scale[0], 0),
            ihi = lapack_integer(&ilo_ihi_scale[1], 0);
    int64_t rest = permutes(q) ? rest_of(a, arena) : n;
    lapack_put_integer(refs->ilo, 0, ilo, 1, permutes(q) && n > 0 ? n - rest + 1 : 1);
    lapack_put_integer(refs->ihi, 0, ihi, ilo + rest - 1, ilo + rest - 1);
    Balancing b;
    if (!balance_read(&b, n, ilo_ihi_scale, arena))
        return;
    Matrix permuted = matrix_copy(a, arena);
    permute(&permuted, &b);
    if (refs->a)
        put_matrix(refs->a, &permuted, &b);
    put_scale(refs->scale, q, &permuted, &b);
}

/* Moves lines that are alone to the end, of rows, or to the front, of columns. */
static void isolate_lines(Matrix *a, Balancing *b, bool column)
{
    for (bool again = true; again && b->end - b->first > 1;) {
        again = false;
        for (int64_t i = b->first; i < b->end && !again; i++) {
            bool is_alone = true;
            for (int64_t j = b->first; j < b->end; j++)
                is_alone =
                    is_alone &&
                    (i == j || scalar_is_zero(column ? *matrix_at(a, j, i) : *matrix_at(a, i, j)));
            if (!is_alone)
                continue;
            int64_t to = column ? b->first++ : --b->end;
            b->scale[to] = (double)i + 1;
            exchange_lines(a, to, i);
            again = true;
        }
    }
}

void balance_compute(const BalanceRefs *refs, const Lapack *q, Matrix *a, Arena *arena)
{
    int64_t n = q->n;
    Balancing b = {0, n, arena_take(arena, (size_t)n + 1, sizeof(double))};
    for (int side = 0; side < 2 && permutes(q); side++)
        isolate_lines(a, &b, side == 1);
    Matrix block = matrix_zeros(b.end - b.first, b.end - b.first, arena);
    for (int64_t i = 0; i < block.rows; i++)
        for (int64_t j = 0; j < block.rows; j++)
            *matrix_at(&block, i, j) = *matrix_at(a, b.first + i, b.first + j);
    int *exponents = arena_take_zeroed(arena, (size_t)n + 1, sizeof *exponents);
    int largest = dtype_format((DType)q->dtype)->maximum_exponent / 2 - 1;
    if (scales(q) && matrix_is_finite(&block))
        eigen_scale(&block, largest, exponents, arena);
    for (int64_t i = 0; i < block.rows; i++)
        b.scale[b.first + i] = ldexp(1, exponents[i]);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            scale_element(a, i, j, scaled_by(&b, j) - scaled_by(&b, i));
    if (refs->a)
        matrix_put_rounded(a, refs->a);
    lapack_put_integer(refs->ilo, 0, b.first + 1, b.first + 1, b.first + 1);
    lapack_put_integer(refs->ihi, 0, b.end, b.end, b.end);
    for (int64_t j = 0; j < n; j++)
        ref_set_exact(refs->scale, (size_t)j, b.scale[j], MATCH_VALUE);
}
