/* Eigenvalues by QR iterations with single shifts in 64 bits (Golub and Van Loan, Matrix
 * Computations, 4th ed., sections 7.4 and 7.5), and vectors by inverse iteration. */
#include <complex.h>
#include <math.h>

#include "eigen.h"

typedef long double _Complex LongComplex;

enum { STEPS_PER_VALUE = 60, EXCEPTIONAL = 10 };

/* T, which becomes triangular, is Z^H A Z; z is NULL where nobody asks for it. */
typedef struct Schur {
    int64_t n;
    LongComplex *t, *z;
    long double norm;
} Schur;

/* Turns two lines of `count` elements: (x, y) becomes (c x + s y, -conj(s) x + c y). */
static void turn(LongComplex *x, LongComplex *y, int64_t step, int64_t count, long double c,
                 LongComplex s)
{
    for (int64_t i = 0; i < count * step; i += step) {
        LongComplex p = x[i], r = y[i];
        x[i] = c * p + s * r;
        y[i] = c * r - conjl(s) * p;
    }
}

/* Makes `second` zero below `first`; the turn is applied to rows i and k, and to columns. */
static void turn_both(Schur *s, int64_t i, int64_t k, int64_t column)
{
    int64_t n = s->n;
    LongComplex f = s->t[i * n + column], g = s->t[k * n + column];
    long double size = hypotl(cabsl(f), cabsl(g));
    if (!(cabsl(g) > 0))
        return;
    LongComplex phase = cabsl(f) > 0 ? f / cabsl(f) : 1;
    long double c = cabsl(f) / size;
    LongComplex sine = phase * conjl(g) / size;
    turn(s->t + i * n, s->t + k * n, 1, n, c, sine);
    turn(s->t + i, s->t + k, n, n, c, conjl(sine));
    if (s->z)
        turn(s->z + i, s->z + k, n, n, c, conjl(sine));
    s->t[k * n + column] = 0;
}

static void reduce_to_hessenberg(Schur *s)
{
    for (int64_t column = 0; column + 2 < s->n; column++)
        for (int64_t k = s->n - 1; k > column + 1; k--)
            turn_both(s, k - 1, k, column);
}

/* The eigenvalue of the last two rows that is nearer to the last element. */
static LongComplex shift_of(const Schur *s, int64_t last, int step)
{
    int64_t n = s->n;
    const LongComplex *t = s->t;
    LongComplex a = t[(last - 1) * n + last - 1], b = t[(last - 1) * n + last];
    LongComplex c = t[last * n + last - 1], d = t[last * n + last];
    if (step % EXCEPTIONAL == EXCEPTIONAL - 1)
        return d + cabsl(c);
    LongComplex half = (a - d) / 2, root = csqrtl(half * half + b * c);
    LongComplex one = half + root, other = half - root;
    LongComplex larger = cabsl(one) > cabsl(other) ? one : other;
    return cabsl(larger) > 0 ? d - b * c / larger : d;
}

/* One step with a shift on rows first to last: the first turn is that of T - shift, the others
 * chase what it leaves. */
static void step_once(Schur *s, int64_t first, int64_t last, LongComplex shift)
{
    int64_t n = s->n;
    LongComplex f = s->t[first * n + first] - shift, g = s->t[(first + 1) * n + first];
    long double size = hypotl(cabsl(f), cabsl(g));
    if (!(size > 0))
        return;
    LongComplex phase = cabsl(f) > 0 ? f / cabsl(f) : 1;
    long double c = cabsl(f) / size;
    LongComplex sine = phase * conjl(g) / size;
    turn(s->t + first * n, s->t + (first + 1) * n, 1, n, c, sine);
    turn(s->t + first, s->t + first + 1, n, n, c, conjl(sine));
    if (s->z)
        turn(s->z + first, s->z + first + 1, n, n, c, conjl(sine));
    for (int64_t k = first; k + 2 <= last; k++)
        turn_both(s, k + 1, k + 2, k);
}

static void iterate(Schur *s)
{
    int64_t n = s->n, last = n - 1;
    for (int step = 0; last > 0 && step < STEPS_PER_VALUE * (int)n; step++) {
        int64_t first = last;
        for (; first > 0; first--) {
            LongComplex *below = &s->t[first * n + first - 1];
            long double beside =
                cabsl(s->t[first * n + first]) + cabsl(s->t[(first - 1) * n + first - 1]);
            if (cabsl(*below) <= 0x1p-64L * (beside > 0 ? beside : s->norm)) {
                *below = 0;
                break;
            }
        }
        if (first == last)
            last--;
        else
            step_once(s, first, last, shift_of(s, last, step));
    }
}

static Schur schur_of(const Matrix *a, bool has_vectors, Arena *arena)
{
    int64_t n = a->rows;
    Schur s = {.n = n, .t = arena_take(arena, (size_t)(n * n) + 1, sizeof *s.t)};
    for (int64_t i = 0; i < n * n; i++) {
        s.t[i] = a->values[i].re + a->values[i].im * (LongComplex)_Complex_I;
        s.norm = hypotl(s.norm, cabsl(s.t[i]));
    }
    s.norm = s.norm > 0 ? s.norm : 1;
    if (has_vectors)
        s.z = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *s.z);
    for (int64_t i = 0; i < n && has_vectors; i++)
        s.z[i * n + i] = 1;
    reduce_to_hessenberg(&s);
    iterate(&s);
    return s;
}

static Scalar scalar_of(LongComplex x)
{
    return (Scalar){(double)creall(x), (double)cimagl(x)};
}

SchurForm schur_form_of(const Matrix *a, Arena *arena)
{
    int64_t n = a->rows;
    Schur s = schur_of(a, true, arena);
    SchurForm form = {matrix_zeros(n, n, arena), matrix_zeros(n, n, arena)};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            *matrix_at(&form.z, i, j) = scalar_of(s.z[i * n + j]);
            if (j >= i)
                *matrix_at(&form.t, i, j) = scalar_of(s.t[i * n + j]);
        }
    return form;
}

static long double distance(const Schur *s, int64_t k, LongComplex w)
{
    return cabsl(s->t[k * s->n + k] - w);
}

/* The places of T's diagonal in the order of results: a real matrix's pairs stand together, the
 * positive imaginary part first; *paired says of which places.  Two real values that rounding has
 * moved off the axis are no pair. */
static void order(const Schur *s, bool is_real, int64_t *places, bool *paired, bool *taken)
{
    int64_t n = s->n, count = 0;
    for (int64_t j = 0; j < n; j++)
        paired[j] = taken[j] = false;
    for (int64_t j = 0; j < n; j++) {
        LongComplex w = s->t[j * n + j];
        int64_t partner = -1;
        if (taken[j])
            continue;
        for (int64_t k = j + 1; k < n && is_real && fabsl(cimagl(w)) > 0x1p-58L * s->norm; k++)
            if (!taken[k] && distance(s, k, conjl(w)) < fabsl(cimagl(w)) &&
                (partner < 0 || distance(s, k, conjl(w)) < distance(s, partner, conjl(w))))
                partner = k;
        taken[j] = true;
        places[count++] = partner >= 0 && cimagl(w) < 0 ? partner : j;
        if (partner >= 0) {
            paired[count - 1] = paired[count] = taken[partner] = true;
            places[count] = j + partner - places[count - 1];
            count++;
        }
    }
}

Eigen eigen_of(const Matrix *a, bool is_real, Arena *arena)
{
    int64_t n = a->rows;
    Schur s = schur_of(a, false, arena);
    Eigen e = {.values = arena_take(arena, (size_t)n + 1, sizeof *e.values),
               .right = matrix_zeros(n, n, arena),
               .left = matrix_zeros(n, n, arena)};
    int64_t *places = arena_take(arena, (size_t)n + 1, sizeof *places);
    bool *paired = arena_take(arena, 2 * (size_t)n + 2, sizeof *paired);
    order(&s, is_real, places, paired, paired + n + 1);
    for (int64_t j = 0; j < n; j++) {
        LongComplex w = s.t[places[j] * n + places[j]];
        /* What rounding has made of a pair is not quite conjugate; its mean keeps the trace. */
        if (paired[j])
            w = (w + conjl(s.t[places[j + 1] * n + places[j + 1]])) / 2;
        e.values[j] = (Scalar){(double)creall(w), is_real && !paired[j] ? 0 : (double)cimagl(w)};
        eigen_put_vector(a, e.values[j], false, &e.right, j, arena);
        eigen_put_vector(a, e.values[j], true, &e.left, j, arena);
        if (!paired[j])
            continue;
        j++;
        e.values[j] = scalar_conjugate(e.values[j - 1]);
        for (int64_t i = 0; i < n; i++) {
            *matrix_at(&e.right, i, j) = scalar_conjugate(*matrix_at(&e.right, i, j - 1));
            *matrix_at(&e.left, i, j) = scalar_conjugate(*matrix_at(&e.left, i, j - 1));
        }
    }
    return e;
}
