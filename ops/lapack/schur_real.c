/* Real Schur forms by QR iterations with double shifts in 64 bits (Golub and Van Loan, Matrix
 * Computations, 4th ed., sections 7.4.3 and 7.5). */
#include <math.h>

#include "eigen.h"

enum { STEPS_PER_VALUE = 60, EXCEPTIONAL = 10 };

typedef struct RealSchur {
    int64_t n;
    long double *t, *z, norm;
} RealSchur;

/* x - (v^T x) tau v for a line of two or three elements at a distance. */
static void reflect_line(long double *x, int64_t step, const long double *v, int count,
                         long double tau)
{
    long double inner = 0;
    for (int i = 0; i < count; i++)
        inner += v[i] * x[i * step];
    for (int i = 0; i < count; i++)
        x[i * step] -= tau * inner * v[i];
}

/* Applies I - tau v v^T to rows and columns k to k + count - 1 of T, and to columns of Z. */
static void reflect_both(RealSchur *s, int64_t k, const long double *v, int count, long double tau)
{
    int64_t n = s->n;
    for (int64_t j = 0; j < n; j++)
        reflect_line(s->t + k * n + j, n, v, count, tau);
    for (int64_t i = 0; i < n; i++) {
        reflect_line(s->t + i * n + k, 1, v, count, tau);
        reflect_line(s->z + i * n + k, 1, v, count, tau);
    }
}

/* Makes a multiple of the first unit vector of x, which becomes v, and applies it; tau. */
static long double annihilate(RealSchur *s, int64_t k, long double *x, int count)
{
    long double squares = 0, size = 0;
    for (int i = 0; i < count; i++)
        size = fmaxl(size, fabsl(x[i]));
    if (!(size > 0))
        return 0;
    for (int i = 0; i < count; i++) {
        x[i] /= size;
        squares += x[i] * x[i];
    }
    x[0] += copysignl(sqrtl(squares), x[0]);
    squares = 0;
    for (int i = 0; i < count; i++)
        squares += x[i] * x[i];
    reflect_both(s, k, x, count, 2 / squares);
    return 2 / squares;
}

static void reduce_to_hessenberg(RealSchur *s)
{
    int64_t n = s->n;
    for (int64_t column = 0; column + 2 < n; column++)
        for (int64_t k = n - 1; k > column + 1; k--) {
            long double x[2] = {s->t[(k - 1) * n + column], s->t[k * n + column]};
            if (x[1] != 0)
                (void)annihilate(s, k - 1, x, 2);
            s->t[k * n + column] = 0;
        }
}

/* One step on rows first to last with the sum and the product of two shifts. */
static void step_twice(RealSchur *s, int64_t first, int64_t last, long double sum,
                       long double product)
{
    int64_t n = s->n;
    const long double *h = s->t + first * n + first;
    long double x[3] = {h[0] * h[0] + h[1] * h[n] - sum * h[0] + product,
                        h[n] * (h[0] + h[n + 1] - sum), h[n] * h[2 * n + 1]};
    for (int64_t k = first; k < last; k++) {
        int count = k + 2 <= last ? 3 : 2;
        if (k > first)
            for (int i = 0; i < count; i++)
                x[i] = s->t[(k + i) * n + k - 1];
        (void)annihilate(s, k, x, count);
        for (int i = 1; i < count && k > first; i++)
            s->t[(k + i) * n + k - 1] = 0;
    }
}

/* Turns rows and columns k and k + 1: the first of both becomes c times itself plus s times the
 * other. */
static void turn_both(RealSchur *f, int64_t k, long double c, long double s)
{
    int64_t n = f->n;
    for (int64_t j = 0; j < n; j++) {
        long double *x = f->t + k * n + j, p = x[0], r = x[n];
        x[0] = c * p + s * r;
        x[n] = c * r - s * p;
    }
    for (int64_t i = 0; i < 2 * n; i++) {
        long double *x = (i < n ? f->t + i * n : f->z + (i - n) * n) + k, p = x[0], r = x[1];
        x[0] = c * p + s * r;
        x[1] = c * r - s * p;
    }
}

/* A block of two becomes triangular, or has an equal diagonal where its values are a pair. */
static void finish_block(RealSchur *f, int64_t k)
{
    int64_t n = f->n;
    long double *at = f->t + k * n + k, a = at[0], b = at[1], c = at[n], d = at[n + 1];
    long double half = (a - d) / 2, discriminant = half * half + b * c;
    if (discriminant >= 0) {
        long double z = half + copysignl(sqrtl(discriminant), half), size = hypotl(z, c);
        if (size > 0)
            turn_both(f, k, z / size, c / size);
        at[n] = 0;
        return;
    }
    long double sigma = b + c, tau = hypotl(sigma, a - d);
    if (tau == 0)
        return;
    long double cosine = sqrtl((1 + fabsl(sigma) / tau) / 2);
    turn_both(f, k, cosine, -half / (tau * cosine) * copysignl(1, sigma));
    at[0] = at[n + 1] = (at[0] + at[n + 1]) / 2;
}

static int64_t first_of_block(RealSchur *s, int64_t last)
{
    int64_t n = s->n, first = last;
    for (; first > 0; first--) {
        long double *below = &s->t[first * n + first - 1];
        long double beside =
            fabsl(s->t[first * n + first]) + fabsl(s->t[(first - 1) * n + first - 1]);
        if (fabsl(*below) <= 0x1p-64L * (beside > 0 ? beside : s->norm)) {
            *below = 0;
            break;
        }
    }
    return first;
}

static void iterate(RealSchur *s)
{
    int64_t n = s->n, last = n - 1;
    for (int step = 0; last > 0 && step < STEPS_PER_VALUE * (int)n; step++) {
        int64_t first = first_of_block(s, last);
        const long double *end = s->t + (last - 1) * n + last - 1;
        long double sum = end[0] + end[n + 1], product = end[0] * end[n + 1] - end[1] * end[n];
        if (step % EXCEPTIONAL == EXCEPTIONAL - 1) {
            long double size = fabsl(end[n]) + fabsl(last > 1 ? end[-1] : 0);
            sum = 1.5L * size;
            product = size * size;
        }
        if (first == last) {
            last--;
        } else if (first == last - 1) {
            finish_block(s, first);
            last -= 2;
        } else {
            step_twice(s, first, last, sum, product);
        }
    }
}

/* Z is the identity where it is NULL. */
static RealSchur real_schur_of(const Matrix *t, const Matrix *z, Arena *arena)
{
    int64_t n = t->rows;
    RealSchur s = {.n = n,
                   .t = arena_take(arena, (size_t)(n * n) + 1, sizeof *s.t),
                   .z = arena_take(arena, (size_t)(n * n) + 1, sizeof *s.z)};
    for (int64_t i = 0; i < n * n; i++) {
        s.t[i] = t->values[i].re;
        s.norm = hypotl(s.norm, s.t[i]);
        s.z[i] = z ? z->values[i].re : i % (n + 1) == 0;
    }
    s.norm = s.norm > 0 ? s.norm : 1;
    return s;
}

static void put_form(const RealSchur *s, SchurForm *form)
{
    int64_t n = s->n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            matrix_at(&form->z, i, j)->re = (double)s->z[i * n + j];
            if (j >= i || j + 1 == i)
                matrix_at(&form->t, i, j)->re = (double)s->t[i * n + j];
        }
}

SchurForm schur_real_form_of(const Matrix *a, Arena *arena)
{
    int64_t n = a->rows;
    RealSchur s = real_schur_of(a, NULL, arena);
    reduce_to_hessenberg(&s);
    iterate(&s);
    SchurForm form = {matrix_zeros(n, n, arena), matrix_zeros(n, n, arena)};
    put_form(&s, &form);
    return form;
}

/* Exchanges two values, which is always possible. */
static void turn_values(RealSchur *s, int64_t k)
{
    int64_t n = s->n;
    long double *at = s->t + k * n + k, first = at[0], second = at[n + 1];
    long double size = hypotl(at[1], second - first);
    if (!(size > 0))
        return;
    turn_both(s, k, at[1] / size, (second - first) / size);
    at[0] = second;
    at[n] = 0;
    at[n + 1] = first;
}

/* X of A X - X B = C for the blocks of two or fewer rows from k on and from k + p on, by
 * elimination with pivoting. */
static void solve_blocks(const RealSchur *s, int64_t k, int p, int q, long double x[4])
{
    int64_t n = s->n;
    const long double *a = s->t + k * n + k, *b = a + p * (n + 1);
    long double system[4][5] = {{0}};
    int count = p * q;
    for (int e = 0; e < count; e++) {
        for (int u = 0; u < count; u++)
            system[e][u] = (e % q == u % q ? a[e / q * n + u / q] : 0) -
                           (e / q == u / q ? b[u % q * n + e % q] : 0);
        system[e][count] = a[e / q * n + p + e % q];
    }
    for (int column = 0; column < count; column++) {
        int pivot = column;
        for (int i = column; i < count; i++)
            pivot = fabsl(system[i][column]) > fabsl(system[pivot][column]) ? i : pivot;
        for (int j = 0; j <= count; j++) {
            long double kept = system[pivot][j];
            system[pivot][j] = system[column][j];
            system[column][j] = kept;
        }
        for (int i = 0; i < count; i++) {
            long double factor = system[i][column] / system[column][column];
            for (int j = column; j <= count && i != column; j++)
                system[i][j] -= factor * system[column][j];
        }
    }
    for (int e = 0; e < count; e++)
        x[e] = system[e][count] / system[e][e];
}

/* Turns the columns of (-X, I) into the first ones of the rows of both blocks; false where what is
 * left below is too large to be taken for 0. */
static bool turn_blocks(RealSchur *s, int64_t k, int p, int q, const long double x[4])
{
    int64_t n = s->n;
    long double left = 0, columns[2][4] = {{0}};
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < p; i++)
            columns[j][i] = -x[i * q + j];
        columns[j][p + j] = 1;
    }
    for (int j = 0; j < q; j++) {
        long double tau = annihilate(s, k + j, columns[j] + j, p + q - j);
        if (j + 1 < q)
            reflect_line(columns[j + 1] + j, 1, columns[j] + j, p + q - j, tau);
    }
    for (int i = q; i < p + q; i++)
        for (int j = 0; j < q; j++) {
            long double *below = &s->t[(k + i) * n + k + j];
            left = isfinite(*below) ? fmaxl(left, fabsl(*below)) : INFINITY;
            *below = 0;
        }
    if (q == 2)
        finish_block(s, k);
    if (p == 2)
        finish_block(s, k + q);
    return left <= 0x1p-58L * s->norm;
}

bool schur_real_exchange(SchurForm *form, int64_t k, Arena *arena)
{
    int64_t n = form->t.rows;
    RealSchur s = real_schur_of(&form->t, &form->z, arena);
    int p = s.t[(k + 1) * n + k] != 0 ? 2 : 1;
    int q = k + p + 1 < n && s.t[(k + p + 1) * n + k + p] != 0 ? 2 : 1;
    long double x[4];
    if (p == 1 && q == 1) {
        turn_values(&s, k);
    } else {
        solve_blocks(&s, k, p, q, x);
        if (!turn_blocks(&s, k, p, q, x))
            return false;
    }
    put_form(&s, form);
    return true;
}
