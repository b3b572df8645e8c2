/* Functions of complex numbers: the table, and what each result may be. */
#include "complex_function.h"

#include <math.h>
#include <string.h>

#include "function.h"
#include "mag.h"

const double complex_reference_error = 0x1p-58;

static ComplexValue of_parts(long double re, long double im)
{
    return __builtin_complex(re, im);
}

static ComplexValue modulus(ComplexValue z)
{
    return cabsl(z);
}

static ComplexValue argument(ComplexValue z)
{
    return cargl(z);
}

/* Quotients of numbers of binary64, whose squares long double holds. */
static ComplexValue quotient(ComplexValue a, ComplexValue b)
{
    long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    long double size = br * br + bi * bi;
    return of_parts((ar * br + ai * bi) / size, (ai * br - ar * bi) / size);
}

static ComplexValue product(ComplexValue a, ComplexValue b)
{
    long double ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    return of_parts(ar * br - ai * bi, ar * bi + ai * br);
}

static ComplexValue square(ComplexValue z)
{
    return product(z, z);
}

static ComplexValue reciprocal(ComplexValue z)
{
    return quotient(1, z);
}

static ComplexValue reciprocal_root(ComplexValue z)
{
    return quotient(1, csqrtl(z));
}

static ComplexValue direction(ComplexValue z)
{
    long double size = cabsl(z);
    return size == 0 ? z : of_parts(creall(z) / size, cimagl(z) / size);
}

/* e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2) */
static ComplexValue exponential_less_one(ComplexValue z)
{
    long double x = creall(z), y = cimagl(z), half = sinl(y / 2);
    return of_parts(expm1l(x) * cosl(y) - 2 * half * half, expl(x) * sinl(y));
}

/* |1 + z|^2 - 1 = x (2 + x) + y^2, which loses no more than the square of the modulus has. */
static ComplexValue log_of_one_and(ComplexValue z)
{
    long double x = creall(z), y = cimagl(z);
    if (cabsl(z) < 0.5L)
        return of_parts(log1pl(x * (2 + x) + y * y) / 2, atan2l(y, 1 + x));
    return clogl(of_parts(1 + x, y));
}

static ComplexValue in_units_of(ComplexValue z, long double unit)
{
    return of_parts(creall(z) / unit, cimagl(z) / unit);
}

static ComplexValue log_2(ComplexValue z)
{
    return in_units_of(clogl(z), logl(2));
}

static ComplexValue log_10(ComplexValue z)
{
    return in_units_of(clogl(z), logl(10));
}

static ComplexValue exponent_of_power(ComplexValue a, ComplexValue b)
{
    return product(b, clogl(a));
}

static ComplexValue power(ComplexValue a, ComplexValue b)
{
    return cexpl(exponent_of_power(a, b));
}

static bool are_equal(ComplexValue a, ComplexValue b)
{
    return creall(a) == creall(b) && cimagl(a) == cimagl(b);
}

static bool are_unequal(ComplexValue a, ComplexValue b)
{
    return !are_equal(a, b);
}

static bool is_true(ComplexValue z)
{
    return creall(z) != 0 || cimagl(z) != 0;
}

static bool is_false(ComplexValue z)
{
    return !is_true(z);
}

static bool are_true(ComplexValue a, ComplexValue b)
{
    return is_true(a) && is_true(b);
}

static bool is_one_true(ComplexValue a, ComplexValue b)
{
    return is_true(a) || is_true(b);
}

static bool is_only_one_true(ComplexValue a, ComplexValue b)
{
    return is_true(a) != is_true(b);
}

static bool is_finite(ComplexValue z)
{
    return isfinite(creall(z)) && isfinite(cimagl(z));
}

static bool has_infinity(ComplexValue z)
{
    return isinf(creall(z)) || isinf(cimagl(z));
}

static bool has_nan(ComplexValue z)
{
    return isnan(creall(z)) || isnan(cimagl(z));
}

static ComplexValue scaled(ComplexValue z, long double by)
{
    return of_parts(creall(z) * by, cimagl(z) * by);
}

static ComplexValue exponential_of_2(ComplexValue z)
{
    return cexpl(scaled(z, logl(2)));
}

static long double slack_of_2(ComplexValue z)
{
    return 8 * logl(2) * cabsl(z) * cabsl(exponential_of_2(z));
}

/* Of parts whose exponential long double holds; beyond it logistic functions are 0. */
static const long double exponent_limit = 8000;

static ComplexValue one_and_exponential(ComplexValue z)
{
    ComplexValue e = cexpl(of_parts(-fmaxl(creall(z), -exponent_limit), -cimagl(z)));
    return of_parts(1 + creall(e), cimagl(e));
}

static ComplexValue logistic(ComplexValue z)
{
    return quotient(1, one_and_exponential(z));
}

static long double slack_of_logistic(ComplexValue z)
{
    long double size = cabsl(one_and_exponential(z));
    return 34 * expl(-fmaxl(creall(z), -exponent_limit)) / size / size;
}

static ComplexValue swish(ComplexValue z)
{
    return quotient(z, one_and_exponential(z));
}

static long double slack_of_swish(ComplexValue z)
{
    return cabsl(z) * slack_of_logistic(z);
}

/* Either part of the logistic function may be flushed. */
static long double underflow_of_swish(ComplexValue z)
{
    return 2 * cabsl(z);
}

static ComplexValue less_tangent(ComplexValue z)
{
    ComplexValue t = ctanhl(z);
    return of_parts(creall(z) - creall(t), cimagl(z) - cimagl(t));
}

static long double slack_of_tangent(ComplexValue z)
{
    return 32 * cabsl(ctanhl(z));
}

static ComplexValue over_one_and_modulus(ComplexValue z)
{
    return scaled(z, 1 / (1 + cabsl(z)));
}

/* sin(pi x + i pi y) with what pi x is beyond the nearest integer. */
static ComplexValue cardinal_sine(ComplexValue z)
{
    if (z == 0)
        return 1;
    const long double pi = acosl(-1);
    long double whole = roundl(creall(z)), x = (creall(z) - whole) * pi, y = cimagl(z) * pi;
    long double sign = fmodl(whole, 2) == 0 ? 1 : -1;
    return quotient(of_parts(sign * sinl(x) * coshl(y), sign * cosl(x) * sinhl(y)), scaled(z, pi));
}

static long double slack_of_sine(ComplexValue z)
{
    const long double pi = acosl(-1);
    return 8 * cabsl(ccosl(of_parts(fmodl(creall(z), 2) * pi, cimagl(z) * pi)));
}

/* Units are twice as many as units in the last place, of which OpenCL has 16. */
enum { USUAL = 32, QUOTIENT = 10, MOVED = 16 };

static const ComplexFunction table[] = {
    {.name = "abs",
     .value = modulus,
     .units = 8,
     .path = PATH_SQUARES,
     .is_real = true,
     .has_specials = true},
    {.name = "acos", .value = cacosl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "acosh", .value = cacoshl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "add", .by_parts = true},
    {.name = "asin", .value = casinl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "asinh", .value = casinhl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "atan", .value = catanl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "atanh", .value = catanhl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "cos",
     .value = ccosl,
     .units = USUAL,
     .path = PATH_EXP_IMAGINARY,
     .has_specials = true},
    {.name = "cosh", .value = ccoshl, .units = USUAL, .path = PATH_EXP_REAL, .has_specials = true},
    {.name = "div", .pair = quotient, .units = QUOTIENT, .path = PATH_SQUARES},
    {.name = "eq", .holds = are_equal},
    {.name = "exp2",
     .value = exponential_of_2,
     .units = USUAL,
     .path = PATH_EXP_REAL,
     .slack = slack_of_2},
    {.name = "isfinite", .test = is_finite},
    {.name = "isinf", .test = has_infinity},
    {.name = "isnan", .test = has_nan},
    {.name = "logical_and", .holds = are_true},
    {.name = "logical_not", .test = is_false},
    {.name = "logical_or", .holds = is_one_true},
    {.name = "logical_xor", .holds = is_only_one_true},
    {.name = "sigmoid",
     .value = logistic,
     .units = USUAL + QUOTIENT,
     .path = PATH_EXP_REAL,
     .slack = slack_of_logistic},
    {.name = "silu",
     .value = swish,
     .units = USUAL + QUOTIENT,
     .path = PATH_EXP_REAL,
     .slack = slack_of_swish,
     .underflow = underflow_of_swish},
    {.name = "sinc",
     .value = cardinal_sine,
     .units = USUAL + QUOTIENT,
     .path = PATH_EXP_IMAGINARY,
     .slack = slack_of_sine},
    {.name = "softsign", .value = over_one_and_modulus, .units = USUAL, .path = PATH_SQUARES},
    {.name = "tanhshrink",
     .value = less_tangent,
     .units = USUAL,
     .path = PATH_EXP_REAL,
     .slack = slack_of_tangent},
    {.name = "exp", .value = cexpl, .units = USUAL, .path = PATH_EXP_REAL, .has_specials = true},
    {.name = "expm1", .value = exponential_less_one, .units = USUAL, .path = PATH_EXP_REAL},
    {.name = "log", .value = clogl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "log10", .value = log_10, .units = USUAL, .path = PATH_SQUARES},
    {.name = "log1p", .value = log_of_one_and, .units = USUAL, .path = PATH_SQUARES},
    {.name = "log2", .value = log_2, .units = USUAL, .path = PATH_SQUARES},
    {.name = "mul", .pair = product, .units = 2.2360679774997899},
    {.name = "ne", .holds = are_unequal},
    {.name = "neg", .by_parts = true},
    {.name = "positive", .by_parts = true},
    {.name = "pow", .pair = power, .units = USUAL, .path = PATH_SQUARES},
    {.name = "reciprocal", .value = reciprocal, .units = QUOTIENT, .path = PATH_SQUARES},
    {.name = "rsqrt", .value = reciprocal_root, .units = USUAL + QUOTIENT, .path = PATH_SQUARES},
    {.name = "sign", .value = direction, .units = USUAL, .path = PATH_SQUARES},
    {.name = "sin",
     .value = csinl,
     .units = USUAL,
     .path = PATH_EXP_IMAGINARY,
     .has_specials = true},
    {.name = "sinh", .value = csinhl, .units = USUAL, .path = PATH_EXP_REAL, .has_specials = true},
    {.name = "sqrt", .value = csqrtl, .units = USUAL, .path = PATH_SQUARES, .has_specials = true},
    {.name = "square", .value = square, .units = 2.2360679774997899},
    {.name = "sub", .by_parts = true},
    {.name = "tan",
     .value = ctanl,
     .units = USUAL,
     .path = PATH_EXP_IMAGINARY,
     .has_specials = true},
    {.name = "tanh", .value = ctanhl, .units = USUAL, .path = PATH_EXP_REAL, .has_specials = true},
};

const ComplexFunction complex_only_functions[] = {
    {.name = "angle", .value = argument, .units = 12, .is_real = true, .has_specials = true},
    {.name = NULL},
};

const ComplexFunction *complex_function_named(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return NULL;
}

ComplexValue complex_value(const ComplexFunction *f, ComplexValue a, ComplexValue b)
{
    return f->pair ? f->pair(a, b) : f->value(a);
}

/* Readings, each with those before it. */
typedef enum Reading { STRICT, ABSOLUTE, BY_FORMULA, NO_SPECIALS, READINGS } Reading;

static const char *const reading_names[READINGS] = {NULL, "absolute-accuracy", "complex-by-formula",
                                                    "complex-special"};

/* One element: the operands, and the format of their parts. */
typedef struct Place {
    const ComplexFunction *function;
    const Format *format;
    Reading reading;
    ComplexValue a, b;
} Place;

static long double least_part(ComplexValue z)
{
    return fminl(fabsl(creall(z)), fabsl(cimagl(z)));
}

static long double greatest_part(ComplexValue z)
{
    return fmaxl(fabsl(creall(z)), fabsl(cimagl(z)));
}

/* True where squares of the parts may overflow or lose what they are needed for. */
static bool squares_leave(const Format *format, ComplexValue z)
{
    long double great = greatest_part(z);
    return great * great > format->largest / 8 ||
           (great != 0 && great * great * format->unit < format->smallest_normal * 16) ||
           (least_part(z) != 0 && least_part(z) * great < format->smallest_normal);
}

static bool path_leaves(const Place *p)
{
    const Format *format = p->format;
    long double most = logl(format->largest) / 2 - 2;
    switch (p->function->path) {
    case PATH_SQUARES:
        return squares_leave(format, p->a) || (p->function->pair && squares_leave(format, p->b));
    case PATH_EXP_REAL:
        return fabsl(creall(p->a)) > most;
    case PATH_EXP_IMAGINARY:
        return fabsl(cimagl(p->a)) > most;
    default:
        return false;
    }
}

/* Arguments that real ones are not judged at either, and where the sine is beyond the range though
 * its quotient may not be: functions have this formula in their documentation. */
static bool sine_leaves(const Format *format, ComplexValue z)
{
    const long double limit = 1 << 13, pi = acosl(-1);
    return greatest_part(z) > limit || pi * fabsl(cimagl(z)) > logl(format->largest) - 1;
}

/* Where a term of the formula of a product leaves the range, where an operand of a quotient is so
 * near the end of it that a sum of two of its parts may, and where nothing is said of a power or a
 * sine. */
static bool is_open(const Place *p)
{
    const ComplexFunction *f = p->function;
    long double limit = p->format->largest / 4;
    if (f->value == square)
        return greatest_part(p->a) * greatest_part(p->a) > limit;
    if (f->value == reciprocal)
        return p->a == 0 || greatest_part(p->a) > limit;
    if (f->value == reciprocal_root)
        return p->a == 0;
    if (f->value == cardinal_sine)
        return sine_leaves(p->format, p->a);
    if (f->value == over_one_and_modulus)
        return !(cabsl(p->a) < limit);
    if (f->pair == product)
        return greatest_part(p->a) * greatest_part(p->b) > limit;
    if (f->pair == quotient)
        return p->b == 0 || greatest_part(p->a) > limit || greatest_part(p->b) > limit;
    if (f->pair == power)
        return p->a == 0 || !(cabsl(exponent_of_power(p->a, p->b)) < 0x1p14L);
    return false;
}

/* A zero stays on the side of an axis that its sign names, which may be one of a branch cut. */
static long double moved_part(long double part, long double step)
{
    bool is_side = part == 0 && !signbit(part) != !signbit(step);
    return step == 0 || is_side ? part : part + step;
}

/* The largest difference from the values beside the argument, 16 units away. */
static long double moved_by(const Place *p, ComplexValue value)
{
    long double reach = cabsl(p->a) * p->format->unit * MOVED, most = 0;
    const long double steps[][2] = {{reach, 0}, {-reach, 0}, {0, reach}, {0, -reach}};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        ComplexValue beside =
            of_parts(moved_part(creall(p->a), steps[i][0]), moved_part(cimagl(p->a), steps[i][1]));
        long double distance = cabsl(complex_value(p->function, beside, p->b) - value);
        most = isfinite(distance) ? fmaxl(most, distance) : most;
    }
    return most;
}

/* How far a kernel may be off, in either part. */
static double bound_of(const Place *p, ComplexValue value)
{
    const Format *format = p->format;
    long double units = p->function->units, size = fminl(cabsl(value), format->largest);
    long double bound = 4 * (long double)format->smallest_subnormal;
    if (p->function->pair == power)
        units += 8 * cabsl(exponent_of_power(p->a, p->b));
    if (p->function->pair == quotient || p->function->value == reciprocal) {
        ComplexValue divisor = p->function->pair ? p->b : p->a;
        bound += bound * (1 + size) / cabsl(divisor);
    }
    /* The modulus of a subnormal number is rounded to one. */
    if (p->function->value == direction && p->a != 0)
        bound += bound / cabsl(p->a);
    bound += units * format->unit * size;
    if (p->function->slack)
        bound += p->function->slack(p->a) * format->unit;
    if (p->function->underflow)
        bound += p->function->underflow(p->a) * format->smallest_normal;
    if (p->reading >= ABSOLUTE)
        bound += moved_by(p, value);
    /* No number of the type is further from the value, which may be beyond the range. */
    return double_up(fminl(bound, cabsl(value) + 2 * (long double)format->largest));
}

/* Results of infinities and NaN: numbers within the bound, zeros of either sign, and infinities of
 * either sign beside NaN. */
static void put_special(Ref *ref, size_t i, const Place *p, long double part, bool beside_nan)
{
    if (isnan(part))
        ref_set_classes(ref, i, CLASS_NAN);
    else if (isinf(part) && beside_nan)
        ref_set_classes(ref, i, CLASS_INFINITE);
    else if (isinf(part))
        ref_set_classes(ref, i, value_class((double)part));
    else
        ref_put_bounded(ref, i, part, fabsl(part) * 0x1p-60L,
                        double_up(p->function->units * p->format->unit * fabsl(part)));
}

/* A part beside one that overflows, of functions that Annex G does not have: no text says more than
 * that the number is an infinity. */
static bool is_beside_infinity(const Place *p, ComplexValue value, int part)
{
    long double other = part ? creall(value) : cimagl(value);
    return !p->function->has_specials && !(fabsl(other) <= p->format->largest);
}

/* What the reference is off by, of values and of what they are made of. */
static long double error_of(const Place *p, ComplexValue value)
{
    long double size = cabsl(value) + (p->function->slack ? p->function->slack(p->a) : 0);
    return complex_reference_error * fminl(size, p->format->largest);
}

static void put_element(Ref *ref, size_t element, const Place *p)
{
    const ComplexFunction *f = p->function;
    int parts = f->is_real ? 1 : 2;
    bool finite = is_finite(p->a) && (!f->pair || is_finite(p->b));
    bool open = finite ? is_open(p) || (p->reading >= BY_FORMULA && path_leaves(p))
                       : !f->has_specials || p->reading == NO_SPECIALS;
    ComplexValue value = open ? 0 : complex_value(f, p->a, p->b);
    const long double numbers[2] = {creall(value), cimagl(value)};
    for (int part = 0; part < parts; part++) {
        size_t i = element * (size_t)parts + (size_t)part;
        if (open || is_beside_infinity(p, value, part))
            ref_set_classes(ref, i, CLASS_ANY);
        else if (!finite || !is_finite(value))
            put_special(ref, i, p, numbers[part], isnan(numbers[1 - part]));
        else
            ref_put_bounded(ref, i, numbers[part], error_of(p, value), bound_of(p, value));
    }
}

double complex_function_slack(const ComplexFunction *f, const Format *format, ComplexValue z)
{
    Place p = {.function = f, .format = format, .reading = BY_FORMULA, .a = z};
    if (!is_finite(z) || is_open(&p) || path_leaves(&p))
        return INFINITY;
    ComplexValue value = complex_value(f, z, 0);
    return is_finite(value) ? bound_of(&p, value) : INFINITY;
}

static ComplexValue element_of(const Tensor *t, int64_t number)
{
    int64_t at = 2 * tensor_offset_of(t, number);
    return of_parts(dtype_load(t->dtype, t->origin, at), dtype_load(t->dtype, t->origin, at + 1));
}

static void put_all(Ref *ref, const ComplexFunction *f, Reading reading, const Tensor *a,
                    const Tensor *b)
{
    Place p = {.function = f, .format = dtype_format(a->dtype), .reading = reading};
    for (int64_t i = 0, count = tensor_count(a); i < count; i++) {
        p.a = element_of(a, i);
        p.b = b ? element_of(b, i) : 0;
        put_element(ref, (size_t)i, &p);
    }
}

static void put_truths(Ref *ref, const ComplexFunction *f, const Tensor *a, const Tensor *b,
                       Arena *arena)
{
    Tensor truth = *a;
    truth.dtype = DT_BOOL;
    ref_allocate_exact(ref, &truth, arena);
    for (int64_t i = 0, count = tensor_count(a); i < count; i++)
        ref_set_exact(ref, (size_t)i,
                      b ? f->holds(element_of(a, i), element_of(b, i)) : f->test(element_of(a, i)),
                      MATCH_VALUE);
}

void complex_function_reference(Ref *ref, const ComplexFunction *f, const Tensor *a,
                                const Tensor *b, Arena *arena)
{
    REQUIRE(dtype_components(a->dtype) == 2 && !(f->pair || f->holds) == !b && !f->by_parts);
    if (f->holds || f->test) {
        put_truths(ref, f, a, b, arena);
        return;
    }
    DType dtype = f->is_real ? dtype_component(a->dtype) : a->dtype;
    for (Reading reading = STRICT; reading < READINGS; reading++) {
        Ref found;
        ref_allocate_bounded(&found, dtype, a, arena);
        put_all(&found, f, reading, a, b);
        if (reading == STRICT)
            *ref = found;
        else
            ref_add_alternative(ref, &found, reading_names[reading], arena);
    }
}
