/* Bounds of functions on discs, and the values of pieces. */
#include "screen.h"

#include <math.h>
#include <string.h>

#include "screen_loops.h"

/* A bound of |f(z)| for |z - c| <= r, infinite where f has a singularity there; c is not 0. */
typedef double DiscBound(double c, double r);

static double disc_exp(double c, double r)
{
    return exp(c + r);
}

static double disc_exp2(double c, double r)
{
    return exp2(c + r);
}

static double disc_exp10(double c, double r)
{
    return exp((c + r) * 2.302585092994046);
}

/* The power series has positive coefficients. */
static double disc_expm1(double c, double r)
{
    return fmin(expm1(fabs(c) + r), exp(c + r) + 1);
}

static double disc_sinh(double c, double r)
{
    return sinh(fabs(c) + r);
}

static double disc_cosh(double c, double r)
{
    return cosh(fabs(c) + r);
}

/* |sin(a + i b)| <= cosh(b). */
static double disc_sin(double c, double r)
{
    return fmin(sinh(fabs(c) + r), cosh(r));
}

static double disc_cos(double c, double r)
{
    (void)c;
    return cosh(r);
}

/* |cos| falls by r cosh(r) at most. */
static double disc_tan(double c, double r)
{
    double least = fabs(cos(c)) * (1 - 0x1p-40) - r * cosh(r);
    return least > 0 ? disc_sin(c, r) / least : INFINITY;
}

static double disc_tanh(double c, double r)
{
    double least = cosh(c) * (1 - 0x1p-40) - r * sinh(fabs(c) + r);
    return least > 0 ? sinh(fabs(c) + r) / least : INFINITY;
}

/* |log z| <= |log |z|| + |arg z|, and near 1 the series of log(1 - w) has coefficients of one sign.
 */
static double disc_log(double c, double r)
{
    if (!(r < c))
        return INFINITY;
    double sized = fmax(fabs(log(c - r)), fabs(log(c + r))) + 2 * r / c;
    double apart = fabs(c - 1) + r;
    return apart < 1 ? fmin(sized, -log1p(-apart)) : sized;
}

static double disc_log1p(double c, double r)
{
    double apart = fabs(c) + r;
    return apart < 1 ? -log1p(-apart) : disc_log(1 + c, r);
}

static double disc_log2(double c, double r)
{
    return disc_log(c, r) * 1.4427;
}

static double disc_log10(double c, double r)
{
    return disc_log(c, r) * 0.4343;
}

static double disc_asin(double c, double r)
{
    return fabs(c) + r < 1 ? asin(fabs(c) + r) : INFINITY;
}

static double disc_acos(double c, double r)
{
    return 1.5708 + disc_asin(c, r);
}

/* The next ones are |f(c)| and r times a bound of the derivative. */
static double disc_atan(double c, double r)
{
    double to_pole = sqrt(1 + c * c) - r;
    return to_pole > 0 ? fabs(atan(c)) + r / (to_pole * to_pole) : INFINITY;
}

static double disc_asinh(double c, double r)
{
    double to_branch = sqrt(1 + c * c) - r;
    return to_branch > 0 ? fabs(asinh(c)) + r / to_branch : INFINITY;
}

static double disc_acosh(double c, double r)
{
    double to_branch = c - 1 - r;
    return to_branch > 0 ? acosh(c) + r / to_branch : INFINITY;
}

static double disc_atanh(double c, double r)
{
    double to_pole = 1 - fabs(c) - r;
    return to_pole > 0 ? fabs(atanh(c)) + r / (to_pole * (1 + fabs(c) - r)) : INFINITY;
}

/* |exp(-z^2)| = exp(b^2 - a^2). */
static double slope_of_erf(double c, double r)
{
    double a = fmax(0, fabs(c) - r);
    return 1.1284 * exp(r * r - a * a);
}

static double disc_erf(double c, double r)
{
    return fabs(erf(c)) + r * slope_of_erf(c, r);
}

static double disc_erfc(double c, double r)
{
    return erfc(c) + r * slope_of_erf(c, r);
}

static double disc_cbrt(double c, double r)
{
    return r < fabs(c) ? cbrt(fabs(c) + r) : INFINITY;
}

static double disc_sqrt(double c, double r)
{
    return r < c ? sqrt(c + r) : INFINITY;
}

static double disc_rsqrt(double c, double r)
{
    return r < c ? 1 / sqrt(c - r) : INFINITY;
}

static double disc_reciprocal(double c, double r)
{
    return r < fabs(c) ? 1 / (fabs(c) - r) : INFINITY;
}

/* monotone: on the negative and on the positive numbers of an interval, outside of which it is NaN.
 */
typedef struct Disc {
    const char *name;
    DiscBound *bound;
    bool monotone;
    ScreenCircle circle;
} Disc;

static const Disc discs[] = {
    {"acos", disc_acos, true, SCREEN_NO_CIRCLE},
    {"acosh", disc_acosh, true, SCREEN_NO_CIRCLE},
    {"asin", disc_asin, true, SCREEN_NO_CIRCLE},
    {"asinh", disc_asinh, true, SCREEN_NO_CIRCLE},
    {"atan", disc_atan, true, SCREEN_NO_CIRCLE},
    {"atanh", disc_atanh, true, SCREEN_NO_CIRCLE},
    {"cbrt", disc_cbrt, true, SCREEN_NO_CIRCLE},
    {"cos", disc_cos, false, SCREEN_COS},
    {"cosh", disc_cosh, true, SCREEN_NO_CIRCLE},
    {"erf", disc_erf, true, SCREEN_NO_CIRCLE},
    {"erfc", disc_erfc, true, SCREEN_NO_CIRCLE},
    {"exp", disc_exp, true, SCREEN_NO_CIRCLE},
    {"exp10", disc_exp10, true, SCREEN_NO_CIRCLE},
    {"exp2", disc_exp2, true, SCREEN_NO_CIRCLE},
    {"expm1", disc_expm1, true, SCREEN_NO_CIRCLE},
    {"log", disc_log, true, SCREEN_NO_CIRCLE},
    {"log10", disc_log10, true, SCREEN_NO_CIRCLE},
    {"log1p", disc_log1p, true, SCREEN_NO_CIRCLE},
    {"log2", disc_log2, true, SCREEN_NO_CIRCLE},
    {"reciprocal", disc_reciprocal, true, SCREEN_NO_CIRCLE},
    {"rsqrt", disc_rsqrt, true, SCREEN_NO_CIRCLE},
    {"sin", disc_sin, false, SCREEN_SIN},
    {"sinh", disc_sinh, true, SCREEN_NO_CIRCLE},
    {"sqrt", disc_sqrt, true, SCREEN_NO_CIRCLE},
    {"tan", disc_tan, false, SCREEN_TAN},
    {"tanh", disc_tanh, true, SCREEN_NO_CIRCLE},
};

static const Disc *disc_of(const Function *f)
{
    for (size_t i = 0; i < COUNT_OF(discs); i++)
        if (!strcmp(discs[i].name, f->name))
            return &discs[i];
    return NULL;
}

bool screen_has(const Function *f)
{
    return disc_of(f) && (f->library || f->special || f->evaluate) && f->moved == 0 &&
           !f->has_alpha && !f->degree;
}

/* The function with a bound of its own error. */
static FunctionValue value_at(const Function *f, long double x)
{
    if (f->special)
        return f->special(x);
    if (!f->library)
        return f->evaluate(x, &(FunctionParams){0});
    long double value = f->library(x);
    return (FunctionValue){.value = value, .error = fabsl(value) * 0x1p-59L + 0x1p-16400L};
}

static float number_of(uint32_t pattern)
{
    float x;
    memcpy(&x, &pattern, sizeof x);
    return x;
}

/* Nodes near those of Chebyshev, with 8 bits, in the order of Leja: far from those before.
 * test/t_screen.c has the largest product of distances. */
static const double nodes[SCREEN_NODES] = {251 / 256.0, -251 / 256.0, 50 / 256.0,  -142 / 256.0,
                                           213 / 256.0, -213 / 256.0, 142 / 256.0, -50 / 256.0};

void screen_nodes(double to[SCREEN_NODES])
{
    memcpy(to, nodes, sizeof nodes);
}

/* The least bound of |f - p| over discs of several sizes. */
static double remainder_bound(DiscBound *bound, double c, double h)
{
    double least = INFINITY;
    for (int log_times = 2; log_times <= 20; log_times++) {
        double r = ldexp(h, log_times), power = 1, ratio = h / (r - h);
        double most = bound(c, r);
        if (!(most < INFINITY))
            break;
        for (int i = 0; i < SCREEN_NODES; i++)
            power *= ratio;
        least = fmin(least, most * power);
    }
    return least * SCREEN_NODE_PRODUCT * (1 + 0x1p-20);
}

/* Newton's divided differences at the nodes, and a bound of what their errors make of p; false
 * where the function is not finite. */
static bool interpolate(const Function *f, long double c, long double h, double a[SCREEN_NODES],
                        double *error)
{
    long double column[SCREEN_NODES], doubt[SCREEN_NODES], reach = 1;
    *error = 0;
    for (int i = 0; i < SCREEN_NODES; i++) {
        FunctionValue v = value_at(f, c + h * nodes[i]);
        column[i] = v.value;
        doubt[i] = v.error;
        if (!(fabsl(v.value) < 0x1p1000L) || v.or_nan || v.any)
            return false;
    }
    for (int k = 0; k < SCREEN_NODES; k++) {
        a[k] = (double)column[0];
        /* Its roundings here, to binary64, and those of Horner's rule. */
        *error += (double)(reach * (doubt[0] + fabsl(column[0]) * (2 * k + 4) * 0x1p-53L));
        reach *= 2;
        for (int i = 0; i + 1 < SCREEN_NODES - k; i++) {
            long double gap = nodes[i + 1 + k] - nodes[i];
            long double next = (column[i + 1] - column[i]) / gap;
            doubt[i] = (doubt[i] + doubt[i + 1]) / fabsl(gap) + fabsl(next) * 0x1p-62L;
            column[i] = next;
        }
    }
    *error *= 1 + 0x1p-20;
    return true;
}

/* Small where nothing but results near midpoints stays open. */
static bool is_small(double radius, double value)
{
    double ulp = format_ulp(dtype_format(DT_F32), value);
    return radius <= ulp * 0x1p-16;
}

static void set_all(Screen *s, ScreenPiece *piece, uint32_t offset, double value, double radius)
{
    piece->is_known = true;
    piece->radius = radius;
    for (uint32_t i = 0; i < piece->count; i++)
        s->values[offset + i] = value;
}

/* One value for all of a piece on which the function is monotone; false where its ends differ. */
static bool fill_flat(Screen *s, const Function *f, ScreenPiece *piece, uint32_t offset)
{
    FunctionValue from = value_at(f, number_of(piece->first));
    FunctionValue to = value_at(f, number_of(piece->first + piece->count - 1));
    if (from.or_nan || to.or_nan || from.any || to.any)
        return false;
    if (isnan(from.value) && isnan(to.value)) {
        set_all(s, piece, offset, NAN, 0);
        return true;
    }
    const long double beyond = 0x1p130L;
    if (fabsl(from.value) > beyond && fabsl(to.value) > beyond &&
        signbit(from.value) == signbit(to.value)) {
        set_all(s, piece, offset, copysign(INFINITY, (double)from.value), 0);
        return true;
    }
    double value = (double)from.value;
    double radius = (double)((fabsl(to.value - from.value) + from.error + to.error +
                              fabsl(from.value - value)) *
                             (1 + 0x1p-20L)) +
                    0x1p-1000;
    if (!(fabs(value) < 0x1p127) || !is_small(radius, value))
        return false;
    set_all(s, piece, offset, value, radius);
    return true;
}

static bool fill_polynomial(Screen *s, const Function *f, const Disc *disc, ScreenPiece *piece,
                            uint32_t offset)
{
    double first = number_of(piece->first), last = number_of(piece->first + piece->count - 1);
    /* The numbers are c + h t with t = (2 i + 1 - count) / count. */
    double c = (first + last) / 2, h = (last - first) / 2 * piece->count / (piece->count - 1);
    double a[SCREEN_NODES], error;
    if (c == 0 || !interpolate(f, c, h, a, &error))
        return false;
    double radius = error + remainder_bound(disc->bound, c, fabs(h));
    double least = fmin(fabs(a[0]), fabs((double)value_at(f, last).value));
    /* Near a zero inside of the piece some results stay open. */
    if (!(radius < INFINITY) ||
        !(is_small(radius, least) || (piece->count == SCREEN_LEAST && is_small(radius, a[0]))))
        return false;
    screen_polynomial(a, nodes, piece->count, s->values + offset);
    piece->is_known = true;
    piece->radius = radius;
    return true;
}

/* Large numbers, of which consecutive ones lie far apart on the circle. */
static bool fill_circle(Screen *s, const Disc *disc, ScreenPiece *piece, uint32_t offset)
{
    enum { LEAST_EXPONENT = 127 + 6 };
    uint32_t exponent = piece->first >> 23 & 0xff;
    if (disc->circle == SCREEN_NO_CIRCLE || exponent < LEAST_EXPONENT)
        return false;
    screen_circle(disc->circle, piece->first, piece->count, s->values + offset);
    piece->is_known = true;
    piece->radius = SCREEN_CIRCLE_RADIUS;
    piece->square = disc->circle == SCREEN_TAN ? SCREEN_CIRCLE_RADIUS : 0;
    return true;
}

static void fill_piece(Screen *s, const Function *f, const Disc *disc, uint32_t first,
                       uint32_t count, uint32_t offset)
{
    ScreenPiece piece = {.first = first, .count = count};
    bool is_special = (first >> 23 & 0xff) == 0xff;
    if (is_special)
        set_all(s, &piece, offset, NAN, 0);
    if (!is_special && !fill_circle(s, disc, &piece, offset) &&
        !(disc->monotone && fill_flat(s, f, &piece, offset)) &&
        !fill_polynomial(s, f, disc, &piece, offset) && count > SCREEN_LEAST) {
        fill_piece(s, f, disc, first, count / 2, offset);
        fill_piece(s, f, disc, first + count / 2, count / 2, offset + count / 2);
        return;
    }
    REQUIRE(s->count < SCREEN_PIECES_MAX);
    s->pieces[s->count++] = piece;
}

void screen_fill(Screen *s, const Function *f, uint32_t first, uint32_t count)
{
    const Disc *disc = disc_of(f);
    REQUIRE(disc && count <= SCREEN_MAX && count >= SCREEN_LEAST && first % count == 0);
    s->count = 0;
    fill_piece(s, f, disc, first, count, 0);
}

double screen_ulps(double value, float result)
{
    return fabs((double)result - value) / format_ulp(dtype_format(DT_F32), value);
}

double screen_compare(const Screen *s, const ScreenPiece *piece, const Function *f,
                      const float *results, uint8_t *known)
{
    ScreenLimits limits = {piece->radius, piece->square, f->ulps, f->of_value * 0x1p-24};
    const double *values = s->values + (piece->first - s->pieces[0].first);
    double worst = screen_differences(values, results, piece->count, &limits, known);
    /* Beyond its domain the function is not judged. */
    bool any = f->domain > 0 && fabs((double)number_of(piece->first)) > f->domain;
    for (uint32_t i = 0; any && i < piece->count; i++)
        known[i] |= SCREEN_ADMITTED;
    /* Zeros, whose sign counts, and infinities are asked of the reference. */
    if ((piece->first & 0x7fffffff) == 0 || (piece->first & 0x7fffffff) == 0x7f800000)
        known[0] = 0;
    return worst;
}
