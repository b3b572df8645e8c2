/* The functions of two variables. */

#include "function_values.h"

static FunctionValue truth(bool value)
{
    return exactly(value ? 1 : 0);
}

/* The error of the sum shows which way it was rounded. */
static FunctionValue add(long double a, long double b)
{
    return relative(a + b, 1);
}

static FunctionValue subtract(long double a, long double b)
{
    return relative(a - b, 1);
}

static FunctionValue multiply(long double a, long double b)
{
    return relative(a * b, 1);
}

static FunctionValue divide(long double a, long double b)
{
    return relative(a / b, 1);
}

static FunctionValue power(long double a, long double b)
{
    return relative(powl(a, b), 16);
}

/* One rounding to 64 bits, of what has more. */
static FunctionValue rounded_once(uint64_t bits, long double value)
{
    return whole_near(bits, value, fabsl(value) < 0x1p64L ? 0 : fabsl(value) * 0x1p-63L);
}

static FunctionValue add_whole(long double a, long double b)
{
    return rounded_once(dtype_bits_of(a) + dtype_bits_of(b), a + b);
}

static FunctionValue subtract_whole(long double a, long double b)
{
    return rounded_once(dtype_bits_of(a) - dtype_bits_of(b), a - b);
}

static FunctionValue multiply_whole(long double a, long double b)
{
    return rounded_once(dtype_bits_of(a) * dtype_bits_of(b), a * b);
}

/* The exponent is not negative. */
static FunctionValue power_whole(long double a, long double b)
{
    const long double far = 0x1p100L;
    uint64_t factor = dtype_bits_of(a), bits = 1;
    for (uint64_t rest = dtype_bits_of(b); rest > 0; rest >>= 1) {
        bits *= rest & 1 ? factor : 1;
        factor *= factor;
    }
    long double near = powl(a, b), size = fminl(fabsl(near), far);
    return whole_near(bits, copysignl(size, near), size * 0x1p-59L);
}

static FunctionValue arc_tangent(long double a, long double b)
{
    return relative(atan2l(a, b), 8);
}

static FunctionValue remainder_of_truncation(long double a, long double b)
{
    return exactly(fmodl(a, b));
}

/* One rounding where the divisor is added. */
static FunctionValue remainder_of_floor(long double a, long double b)
{
    long double rest = fmodl(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? relative(rest + b, 1)
                                              : exactly(rest == 0 ? copysignl(0, b) : rest);
}

static FunctionValue greater(long double a, long double b)
{
    return exactly(isnan(a) || isnan(b) ? NAN : fmaxl(a, b));
}

static FunctionValue smaller(long double a, long double b)
{
    return exactly(isnan(a) || isnan(b) ? NAN : fminl(a, b));
}

static FunctionValue prelu(long double a, long double b)
{
    return a >= 0 ? exactly(a) : relative(a * b, 1);
}

static FunctionValue equal(long double a, long double b)
{
    return truth(a == b);
}

static FunctionValue unequal(long double a, long double b)
{
    return truth(a != b);
}

static FunctionValue below(long double a, long double b)
{
    return truth(a < b);
}

static FunctionValue at_most(long double a, long double b)
{
    return truth(a <= b);
}

static FunctionValue above(long double a, long double b)
{
    return truth(a > b);
}

static FunctionValue at_least(long double a, long double b)
{
    return truth(a >= b);
}

static FunctionValue both(long double a, long double b)
{
    return truth(a != 0 && b != 0);
}

static FunctionValue either(long double a, long double b)
{
    return truth(a != 0 || b != 0);
}

static FunctionValue one_only(long double a, long double b)
{
    return truth((a != 0) != (b != 0));
}

static FunctionValue bits_and(long double a, long double b)
{
    return whole_of_bits(dtype_bits_of(a) & dtype_bits_of(b));
}

static FunctionValue bits_or(long double a, long double b)
{
    return whole_of_bits(dtype_bits_of(a) | dtype_bits_of(b));
}

static FunctionValue bits_xor(long double a, long double b)
{
    return whole_of_bits(dtype_bits_of(a) ^ dtype_bits_of(b));
}

static FunctionValue hypotenuse(long double a, long double b)
{
    return relative(hypotl(a, b), 2);
}

static FunctionValue with_sign_of(long double a, long double b)
{
    return exactly(copysignl(a, b));
}

/* NaN stands for a missing value (IEEE 754-2019, 9.6, maximumNumber). */
static FunctionValue greater_number(long double a, long double b)
{
    return exactly(fmaxl(a, b));
}

static FunctionValue smaller_number(long double a, long double b)
{
    return exactly(fminl(a, b));
}

/* The greater plus at most log 2: what the term with the exponential is wrong by is absolute. */
static FunctionValue log_of_sum(long double a, long double b)
{
    long double most = fmaxl(a, b);
    long double y = most + log1pl(expl(-fabsl(a - b)));
    return (FunctionValue){.value = y, .error = (2 * fabsl(y) + 8) * 0x1p-63L};
}

static FunctionValue log2_of_sum(long double a, long double b)
{
    long double most = fmaxl(a, b);
    long double y = most + log1pl(exp2l(-fabsl(a - b))) * 1.44269504088896340735992468100189214L;
    return (FunctionValue){.value = y, .error = (2 * fabsl(y) + 8) * 0x1p-63L};
}

static FunctionValue times_log(long double a, long double b)
{
    return relative(a * logl(b), 4);
}

static FunctionValue times_log1p(long double a, long double b)
{
    return relative(a * log1pl(b), 4);
}

static FunctionValue step(long double a, long double b)
{
    FunctionValue v = exactly(isnan(a) ? NAN : a == 0 ? b : a > 0 ? 1 : 0);
    v.usual = a < 0;
    return v;
}

static FunctionValue common_divisor(long double a, long double b)
{
    unsigned long long x = (unsigned long long)fabsl(a), y = (unsigned long long)fabsl(b);
    while (y != 0) {
        unsigned long long rest = x % y;
        x = y;
        y = rest;
    }
    return exactly((long double)x);
}

const Function functions_of_pairs[] = {
    {.name = "add",
     .summary = "a + b",
     .evaluate_pair = add,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .zeros = ZEROS_OF_ARITHMETIC,
     .of_booleans = true,
     .evaluate_whole = add_whole},
    {.name = "sub",
     .summary = "a - b",
     .evaluate_pair = subtract,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .zeros = ZEROS_OF_ARITHMETIC,
     .evaluate_whole = subtract_whole},
    {.name = "mul",
     .summary = "a b",
     .evaluate_pair = multiply,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .zeros = ZEROS_OF_ARITHMETIC,
     .of_booleans = true,
     .evaluate_whole = multiply_whole},
    {.name = "div",
     .summary = "a / b",
     .evaluate_pair = divide,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .zeros = ZEROS_OF_ARITHMETIC},
    {.name = "pow",
     .summary = "a to the power b",
     .evaluate_pair = power,
     .ulps = 16,
     .limits = LIMITS(
         OF_TWO(ONLY(1), ANYTHING, 1), OF_TWO(ANYTHING, ZEROS, 1),
         OF_TWO(MINUS_ZERO, ODD_NEGATIVE, -INFINITY), OF_TWO(ZEROS, NEGATIVE, INFINITY),
         OF_TWO(MINUS_ZERO, ODD_POSITIVE, -0.0L), OF_TWO(ZEROS, POSITIVE, 0),
         OF_TWO(ONLY(-1), ONLY(-INFINITY), 1), OF_TWO(ONLY(-1), ONLY(INFINITY), 1),
         OF_TWO(FINITE_NEGATIVE, BROKEN, NAN), OF_TWO(WITHIN_ONE, ONLY(-INFINITY), INFINITY),
         OF_TWO(WITHIN_ONE, ONLY(INFINITY), 0), OF_TWO(NUMBERS, ONLY(-INFINITY), 0),
         OF_TWO(NUMBERS, ONLY(INFINITY), INFINITY), OF_TWO(ONLY(-INFINITY), ODD_NEGATIVE, -0.0L),
         OF_TWO(ONLY(-INFINITY), NEGATIVE, 0), OF_TWO(ONLY(-INFINITY), ODD_POSITIVE, -INFINITY),
         OF_TWO(ONLY(-INFINITY), POSITIVE, INFINITY), OF_TWO(ONLY(INFINITY), NEGATIVE, 0),
         OF_TWO(ONLY(INFINITY), POSITIVE, INFINITY)),
     .source = "C23, F.10.4, pow; array API standard, pow",
     .evaluate_whole = power_whole,
     .counts = true,
     .of_integers = true},
    {.name = "atan2",
     .summary = "angle of (b, a)",
     .evaluate_pair = arc_tangent,
     .ulps = 6,
     .limits = LIMITS(FIRST_OF_TWO(ZEROS, UP_FROM_ZERO),
                      NEAR_OF_TWO(MINUS_ZERO, DOWN_FROM_ZERO, -LIMIT_PI),
                      NEAR_OF_TWO(FINITE_NEGATIVE, ZEROS, -LIMIT_PI / 2),
                      NEAR_OF_TWO(FINITE_NEGATIVE, ONLY(-INFINITY), -LIMIT_PI),
                      OF_TWO(FINITE_NEGATIVE, ONLY(INFINITY), -0.0L),
                      NEAR_OF_TWO(ONLY(-INFINITY), FINITE, -LIMIT_PI / 2),
                      NEAR_OF_TWO(ONLY(-INFINITY), ONLY(-INFINITY), -3 * LIMIT_PI / 4),
                      NEAR_OF_TWO(ONLY(-INFINITY), ONLY(INFINITY), -LIMIT_PI / 4),
                      NEAR_OF_TWO(PLUS_ZERO, DOWN_FROM_ZERO, LIMIT_PI),
                      NEAR_OF_TWO(FINITE_POSITIVE, ZEROS, LIMIT_PI / 2),
                      NEAR_OF_TWO(FINITE_POSITIVE, ONLY(-INFINITY), LIMIT_PI),
                      OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), 0.0L),
                      NEAR_OF_TWO(ONLY(INFINITY), FINITE, LIMIT_PI / 2),
                      NEAR_OF_TWO(ONLY(INFINITY), ONLY(-INFINITY), 3 * LIMIT_PI / 4),
                      NEAR_OF_TWO(ONLY(INFINITY), ONLY(INFINITY), LIMIT_PI / 4)),
     .source = "C23, F.10.1, atan2; array API standard, atan2",
     .results = {-LIMIT_PI, LIMIT_PI, "C23, 7.12.4.4, atan2: in the interval [-pi, +pi]",
                 "C23, 7.12.4.4, atan2: in the interval [-pi, +pi]"}},
    {.name = "fmod",
     .summary = "a - b trunc(a / b)",
     .evaluate_pair = remainder_of_truncation,
     .match = FUNCTION_ROUNDED,
     .limits = LIMITS(OF_TWO(NUMBERS, ZEROS, NAN), OF_TWO(ONLY(-INFINITY), NUMBERS, NAN),
                      OF_TWO(ONLY(INFINITY), NUMBERS, NAN), FIRST_OF_TWO(ZEROS, NUMBERS),
                      FIRST_OF_TWO(FINITE, ONLY(-INFINITY)), FIRST_OF_TWO(FINITE, ONLY(INFINITY))),
     .source = "C23, F.10.7, fmod",
     .zeros = ZERO_SIGN("all", "C23, 7.12.10.1, fmod: the sign of the first"),
     .of_integers = true,
     .divides = true},
    {.name = "remainder",
     .summary = "a - b floor(a / b)",
     .evaluate_pair = remainder_of_floor,
     .match = FUNCTION_ROUNDED,
     .limits = LIMITS(OF_TWO(NUMBERS, ZEROS, NAN), OF_TWO(ONLY(-INFINITY), NUMBERS, NAN),
                      OF_TWO(ONLY(INFINITY), NUMBERS, NAN), OF_TWO(ZEROS, FINITE_NEGATIVE, -0.0L),
                      OF_TWO(ZEROS, FINITE_POSITIVE, 0),
                      VALUE_OR_NAN_OF_TWO(ZEROS, ONLY(-INFINITY), -0.0L),
                      VALUE_OR_NAN_OF_TWO(ZEROS, ONLY(INFINITY), 0),
                      OR_NAN_OF_TWO(FINITE_NEGATIVE, ONLY(-INFINITY), LIMIT_FIRST),
                      OR_NAN_OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), LIMIT_FIRST),
                      OR_NAN_OF_TWO(FINITE_NEGATIVE, ONLY(INFINITY), LIMIT_SECOND),
                      OR_NAN_OF_TWO(FINITE_POSITIVE, ONLY(-INFINITY), LIMIT_SECOND)),
     .zeros = ZERO_SIGN("all", "array API standard, remainder: the sign of the second"),
     .of_integers = true,
     .divides = true},
    {.name = "maximum",
     .summary = "the greater, or NaN",
     .evaluate_pair = greater,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .compares = true,
     .nan = NAN_OF_GREATEST,
     .of_booleans = true},
    {.name = "minimum",
     .summary = "the smaller, or NaN",
     .evaluate_pair = smaller,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .compares = true,
     .nan = NAN_OF_GREATEST,
     .of_booleans = true},
    {.name = "prelu",
     .summary = "a, or a b below 0",
     .evaluate_pair = prelu,
     .match = FUNCTION_ROUNDED,
     .compares = true,
     .nan = "PyTorch, nn.PReLU: a x otherwise"},
    {.name = "eq",
     .summary = "a = b",
     .evaluate_pair = equal,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "ne",
     .summary = "a differs from b",
     .evaluate_pair = unequal,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "lt",
     .summary = "a < b",
     .evaluate_pair = below,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "le",
     .summary = "a <= b",
     .evaluate_pair = at_most,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "gt",
     .summary = "a > b",
     .evaluate_pair = above,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "ge",
     .summary = "a >= b",
     .evaluate_pair = at_least,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .is_predicate = true,
     .of_booleans = true},
    {.name = "logical_and",
     .summary = "both",
     .evaluate_pair = both,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .of_booleans = true,
     .is_predicate = true},
    {.name = "logical_or",
     .summary = "either",
     .evaluate_pair = either,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .of_booleans = true,
     .is_predicate = true},
    {.name = "logical_xor",
     .summary = "one of the two",
     .evaluate_pair = one_only,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .of_booleans = true,
     .is_predicate = true},
    {.name = "bitwise_and",
     .summary = "bits of both",
     .evaluate_pair = bits_and,
     .match = FUNCTION_ROUNDED,
     .only_integers = true,
     .of_booleans = true},
    {.name = "bitwise_or",
     .summary = "bits of either",
     .evaluate_pair = bits_or,
     .match = FUNCTION_ROUNDED,
     .only_integers = true,
     .of_booleans = true},
    {.name = "bitwise_xor",
     .summary = "bits of one of the two",
     .evaluate_pair = bits_xor,
     .match = FUNCTION_ROUNDED,
     .only_integers = true,
     .of_booleans = true},
    {.name = "hypot",
     .summary = "square root of a a + b b",
     .evaluate_pair = hypotenuse,
     .ulps = 4,
     .steps = 1,
     .limits = LIMITS(OF_TWO(ONLY(-INFINITY), ANYTHING, INFINITY),
                      OF_TWO(ONLY(INFINITY), ANYTHING, INFINITY),
                      OF_TWO(ANYTHING, ONLY(-INFINITY), INFINITY),
                      OF_TWO(ANYTHING, ONLY(INFINITY), INFINITY), OF_TWO(ZEROS, ZEROS, 0)),
     .source = "C23, F.10.4, hypot; array API standard, hypot",
     .results = {0, INFINITY, KEEPS_SIGN, NULL}},
    {.name = "copysign",
     .summary = "a with the sign of b",
     .evaluate_pair = with_sign_of,
     .match = FUNCTION_BITS,
     .zeros = ZERO_SIGN("all", "IEEE 754-2019, 5.5.1, copySign; array API standard, copysign")},
    {.name = "fmax",
     .summary = "the greater of what is not NaN",
     .evaluate_pair = greater_number,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .of_booleans = true},
    {.name = "fmin",
     .summary = "the smaller of what is not NaN",
     .evaluate_pair = smaller_number,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .of_booleans = true},
    {.name = "logaddexp",
     .summary = "log(exp(a) + exp(b))",
     .evaluate_pair = log_of_sum,
     .of_value = 2,
     .absolute = 8,
     .steps = 1,
     .limits = LIMITS(OF_TWO(ONLY(INFINITY), NUMBERS, INFINITY),
                      OF_TWO(NUMBERS, ONLY(INFINITY), INFINITY),
                      OF_TWO(ONLY(-INFINITY), ONLY(-INFINITY), -INFINITY)),
     .source = "array API standard, logaddexp; the limit"},
    {.name = "logaddexp2",
     .summary = "log2(2^a + 2^b)",
     .evaluate_pair = log2_of_sum,
     .of_value = 2,
     .absolute = 8,
     .steps = 1,
     .limits = LIMITS(OF_TWO(ONLY(INFINITY), NUMBERS, INFINITY),
                      OF_TWO(NUMBERS, ONLY(INFINITY), INFINITY),
                      OF_TWO(ONLY(-INFINITY), ONLY(-INFINITY), -INFINITY)),
     .source = "NumPy, logaddexp2; the limit"},
    {.name = "xlogy",
     .summary = "a log(b), and 0 where a is",
     .evaluate_pair = times_log,
     .ulps = 4,
     .of_value = 2,
     .steps = 1,
     .limits = LIMITS(NEAR_OF_TWO(ZEROS, NUMBERS, 0)),
     .source = "SciPy, xlogy"},
    {.name = "xlog1py",
     .summary = "a log(1 + b), and 0 where a is",
     .evaluate_pair = times_log1p,
     .ulps = 3,
     .of_value = 2,
     .steps = 1,
     .limits = LIMITS(NEAR_OF_TWO(ZEROS, NUMBERS, 0)),
     .source = "SciPy, xlog1py"},
    {.name = "heaviside",
     .summary = "0 below 0, b at 0, 1 above",
     .evaluate_pair = step,
     .match = FUNCTION_BITS,
     .of_integers = true,
     .zeros = ZERO_SIGNS("b at 0", "NumPy, heaviside: x2 where x1 is 0", "0 below 0", NULL),
     .compares = true,
     .nan = "IEEE 754-2019, 6.2: an operation on a quiet NaN gives NaN",
     .of_booleans = true},
    {.name = "gcd",
     .summary = "greatest common divisor",
     .evaluate_pair = common_divisor,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = NULL},
};
