/* Bunch and Kaufman's partial pivoting (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 * ed., algorithm 11.2) in binary64, and solutions by such factors. */
#include <math.h>

#include "indefinite.h"
#include "reference/wide_complex.h"

static Scalar multiply(Scalar x, Scalar y)
{
    return (Scalar){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static Scalar minus(Scalar x, Scalar y)
{
    return (Scalar){x.re - y.re, x.im - y.im};
}

/* In 64 bits, so that squares do not overflow. */
static Scalar divide(Scalar x, Scalar y)
{
    long double re = y.re, im = y.im, norm = re * re + im * im;
    return (Scalar){(double)((x.re * re + x.im * im) / norm),
                    (double)((x.im * re - x.re * im) / norm)};
}

/* The matrix as a whole while it is factored. */
typedef struct Pivoting {
    Matrix m;
    bool hermitian;
    PivotChoice choice;
} Pivoting;

static Scalar mirrored(const Pivoting *p, Scalar x)
{
    return p->hermitian ? scalar_conjugate(x) : x;
}

/* Exchanges rows and columns from number k on. */
static void exchange(Pivoting *p, int64_t k, int64_t i, int64_t j)
{
    int64_t n = p->m.rows;
    for (int64_t c = k; c < n && i != j; c++) {
        Scalar kept = *matrix_at(&p->m, i, c);
        *matrix_at(&p->m, i, c) = *matrix_at(&p->m, j, c);
        *matrix_at(&p->m, j, c) = kept;
    }
    for (int64_t r = k; r < n && i != j; r++) {
        Scalar kept = *matrix_at(&p->m, r, i);
        *matrix_at(&p->m, r, i) = *matrix_at(&p->m, r, j);
        *matrix_at(&p->m, r, j) = kept;
    }
}

/* The place of the largest element of column c from row k on but the diagonal, and its size. */
static double largest_beside(const Pivoting *p, int64_t k, int64_t c, int64_t *at)
{
    double largest = 0;
    *at = k;
    for (int64_t i = k; i < p->m.rows; i++) {
        double size = scalar_size(*matrix_at(&p->m, i, c));
        if (i != c && size > largest) {
            largest = size;
            *at = i;
        }
    }
    return largest;
}

static const double alpha = 0.6403882032022076;

/* True where the largest element of the diagonal is large enough beside all others. */
static bool choose_diagonal(const Pivoting *p, int64_t k, int64_t *with)
{
    double beside = 0, largest = -1;
    for (int64_t i = k; i < p->m.rows; i++) {
        int64_t at;
        beside = fmax(beside, largest_beside(p, k, i, &at));
        double size = scalar_size(*matrix_at(&p->m, i, i));
        *with = size > largest ? i : *with;
        largest = fmax(largest, size);
    }
    return largest >= alpha * beside;
}

/* True for a block of two; the row that its last row is exchanged with. */
static bool choose(const Pivoting *p, int64_t k, int64_t *with)
{
    *with = k;
    if (p->choice == PIVOT_NEXT || (p->choice == PIVOT_DIAGONAL && choose_diagonal(p, k, with)))
        return false;
    *with = k;
    int64_t row, other;
    double own = scalar_size(*matrix_at(&p->m, k, k)), column = largest_beside(p, k, k, &row);
    *with = k;
    if (own >= alpha * column)
        return false;
    double beside = largest_beside(p, k, row, &other);
    if (own >= alpha * column * (column / beside))
        return false;
    *with = row;
    return !(scalar_size(*matrix_at(&p->m, row, row)) >= alpha * beside);
}

/* L and what is left behind a block. */
static void eliminate(Pivoting *p, int64_t k, bool pair)
{
    Matrix *m = &p->m;
    int64_t last = k + pair;
    Scalar a = *matrix_at(m, k, k), b = *matrix_at(m, last, k), c = *matrix_at(m, last, last);
    Scalar scale = {hypot(b.re, b.im), 0};
    Scalar ar = divide(a, scale), br = divide(b, scale), cr = divide(c, scale);
    Scalar det = minus(multiply(ar, cr), multiply(br, mirrored(p, br)));
    for (int64_t i = last + 1; i < m->rows; i++) {
        Scalar x = *matrix_at(m, i, k), y = *matrix_at(m, i, last), first, second = {0, 0};
        if (pair) {
            first = divide(divide(minus(multiply(x, cr), multiply(y, br)), det), scale);
            second =
                divide(divide(minus(multiply(y, ar), multiply(x, mirrored(p, br))), det), scale);
        } else {
            first = divide(x, a);
        }
        for (int64_t j = last + 1; j <= i; j++) {
            Scalar *to = matrix_at(m, i, j);
            *to = minus(*to, multiply(first, *matrix_at(m, k, j)));
            if (pair)
                *to = minus(*to, multiply(second, *matrix_at(m, last, j)));
            *matrix_at(m, j, i) = mirrored(p, *to);
        }
        *matrix_at(m, i, k) = first;
        if (pair)
            *matrix_at(m, i, last) = second;
    }
    for (int64_t i = last + 1; i < m->rows && p->hermitian; i++)
        matrix_at(m, i, i)->im = 0;
}

int64_t indefinite_factor(DType dtype, Matrix *a, bool hermitian, PivotChoice choice,
                          int64_t *pivots)
{
    Pivoting p = {*a, hermitian, choice};
    int64_t n = a->rows, zero = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++)
            *matrix_at(a, j, i) = mirrored(&p, *matrix_at(a, i, j));
        matrix_at(a, i, i)->im = hermitian ? 0 : matrix_at(a, i, i)->im;
    }
    for (int64_t k = 0, width; k < n; k += width) {
        int64_t with, row;
        bool pair = false;
        width = 1;
        pivots[k] = k + 1;
        if (scalar_is_zero(*matrix_at(a, k, k)) && largest_beside(&p, k, k, &row) == 0)
            continue;
        pair = choose(&p, k, &with);
        width += pair;
        exchange(&p, k, k + pair, with);
        pivots[k] = pivots[k + pair] = pair ? -(with + 1) : with + 1;
        eliminate(&p, k, pair);
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        Scalar d = *matrix_at(a, k, k);
        d = (Scalar){dtype_round(dtype, d.re), dtype_round(dtype, d.im)};
        zero = pivots[k] > 0 && scalar_is_zero(d) ? k + 1 : zero;
    }
    return zero;
}

/* D^-1 y in place of y. */
static void divide_by_blocks(const Indefinite *f, Scalar *y)
{
    for (int64_t k = 0; k < f->n; k += 1 + f->pairs[k]) {
        Scalar a = *matrix_at(&f->d, k, k);
        if (!f->pairs[k]) {
            y[k] = divide(y[k], a);
            continue;
        }
        Scalar b = *matrix_at(&f->d, k + 1, k), m = *matrix_at(&f->d, k, k + 1);
        Scalar c = *matrix_at(&f->d, k + 1, k + 1), scale = {hypot(b.re, b.im), 0};
        Scalar ar = divide(a, scale), br = divide(b, scale), mr = divide(m, scale);
        Scalar cr = divide(c, scale), det = minus(multiply(ar, cr), multiply(br, mr));
        Scalar first = minus(multiply(cr, y[k]), multiply(mr, y[k + 1]));
        Scalar second = minus(multiply(ar, y[k + 1]), multiply(br, y[k]));
        y[k] = divide(divide(first, det), scale);
        y[k + 1] = divide(divide(second, det), scale);
    }
}

void indefinite_solve(const Indefinite *f, Matrix *b, Arena *arena)
{
    int64_t n = f->n;
    Scalar *y = arena_take(arena, (size_t)n + 1, sizeof *y);
    for (int64_t j = 0; j < b->columns; j++) {
        for (int64_t i = 0; i < n; i++) {
            y[i] = *matrix_at(b, f->order[i], j);
            for (int64_t k = 0; k < i; k++)
                y[i] = minus(y[i], multiply(*matrix_at(&f->l, i, k), y[k]));
        }
        divide_by_blocks(f, y);
        for (int64_t i = n - 1; i >= 0; i--)
            for (int64_t k = i + 1; k < n; k++) {
                Scalar l = *matrix_at(&f->l, k, i);
                y[i] = minus(y[i], multiply(f->hermitian ? scalar_conjugate(l) : l, y[k]));
            }
        for (int64_t i = 0; i < n; i++)
            *matrix_at(b, f->order[i], j) = y[i];
    }
}
