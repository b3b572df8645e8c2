/* The language of rows of function_limits.h, private to the tables of functions. */
#ifndef REFERENCE_LIMIT_ROWS_H
#define REFERENCE_LIMIT_ROWS_H

#include <float.h>
#include <math.h>

#include "function_limits.h"

/* The numbers beside some ends, in long double. */
#define BELOW_ZERO      (-0x1p-16445L)
#define ABOVE_ZERO      0x1p-16445L
#define BELOW_ONE       (1 - 0x1p-64L)
#define ABOVE_ONE       (1 + 0x1p-63L)
#define BELOW_MINUS_ONE (-1 - 0x1p-63L)
#define LIMIT_PI        3.14159265358979323846264338327950288L

/* The rows of a function, and rows of functions of one variable: at one place, between two, at
 * integers, near a value, the same or NaN, and the argument itself. */
#define LIMITS(...)                                                                                \
    (const FunctionLimit[])                                                                        \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            .kind = LIMIT_END                                                                      \
        }                                                                                          \
    }
#define LIMIT_ROW(is, low, up, whole_, y, is_near, nan)                                            \
    {                                                                                              \
        .kind = (is), .first = {.from = (low), .to = (up), .whole = (whole_)}, .value = (y),       \
        .near = (is_near), .or_nan = (nan)                                                         \
    }
#define BETWEEN(low, up, y)     LIMIT_ROW(LIMIT_VALUE, low, up, WHOLE_OR_NOT, y, false, false)
#define AT(x, y)                BETWEEN(x, x, y)
#define AT_INTEGERS(low, up, y) LIMIT_ROW(LIMIT_VALUE, low, up, WHOLE_ONLY, y, false, false)
#define NEAR(low, up, y)        LIMIT_ROW(LIMIT_VALUE, low, up, WHOLE_OR_NOT, y, true, false)
#define NEAR_OR_NAN(x, y)       LIMIT_ROW(LIMIT_VALUE, x, x, WHOLE_OR_NOT, y, true, true)
#define ITSELF(low, up)         LIMIT_ROW(LIMIT_FIRST, low, up, WHOLE_OR_NOT, 0, false, false)

/* Sets of arguments, and rows of functions of two variables. */
#define ARGUMENTS(low, up, which)                                                                  \
    {                                                                                              \
        .from = (low), .to = (up), .whole = (which)                                                \
    }
#define ANYTHING        ARGUMENTS(-INFINITY, NAN, WHOLE_OR_NOT)
#define NUMBERS         ARGUMENTS(-INFINITY, INFINITY, WHOLE_OR_NOT)
#define FINITE          ARGUMENTS(-LDBL_MAX, LDBL_MAX, WHOLE_OR_NOT)
#define BROKEN          ARGUMENTS(-LDBL_MAX, LDBL_MAX, WHOLE_NEVER)
#define ZEROS           ARGUMENTS(-0.0L, 0.0L, WHOLE_OR_NOT)
#define MINUS_ZERO      ARGUMENTS(-0.0L, -0.0L, WHOLE_OR_NOT)
#define PLUS_ZERO       ARGUMENTS(0.0L, 0.0L, WHOLE_OR_NOT)
#define NEGATIVE        ARGUMENTS(-INFINITY, BELOW_ZERO, WHOLE_OR_NOT)
#define POSITIVE        ARGUMENTS(ABOVE_ZERO, INFINITY, WHOLE_OR_NOT)
#define DOWN_FROM_ZERO  ARGUMENTS(-INFINITY, -0.0L, WHOLE_OR_NOT)
#define UP_FROM_ZERO    ARGUMENTS(0.0L, INFINITY, WHOLE_OR_NOT)
#define FINITE_NEGATIVE ARGUMENTS(-LDBL_MAX, BELOW_ZERO, WHOLE_OR_NOT)
#define FINITE_POSITIVE ARGUMENTS(ABOVE_ZERO, LDBL_MAX, WHOLE_OR_NOT)
#define ODD_NEGATIVE    ARGUMENTS(-LDBL_MAX, BELOW_ZERO, WHOLE_ODD)
#define ODD_POSITIVE    ARGUMENTS(ABOVE_ZERO, LDBL_MAX, WHOLE_ODD)
#define WITHIN_ONE      ARGUMENTS(-BELOW_ONE, BELOW_ONE, WHOLE_OR_NOT)
#define ONLY(x)         ARGUMENTS(x, x, WHOLE_OR_NOT)
#define OF_TWO(a, b, y)                                                                            \
    {                                                                                              \
        .kind = LIMIT_VALUE, .first = a, .second = b, .value = (y)                                 \
    }
#define NEAR_OF_TWO(a, b, y)                                                                       \
    {                                                                                              \
        .kind = LIMIT_VALUE, .first = a, .second = b, .value = (y), .near = true                   \
    }
#define VALUE_OR_NAN_OF_TWO(a, b, y)                                                               \
    {                                                                                              \
        .kind = LIMIT_VALUE, .first = a, .second = b, .value = (y), .or_nan = true                 \
    }
#define FIRST_OF_TWO(a, b)                                                                         \
    {                                                                                              \
        .kind = LIMIT_FIRST, .first = a, .second = b                                               \
    }
#define OR_NAN_OF_TWO(a, b, is)                                                                    \
    {                                                                                              \
        .kind = (is), .first = a, .second = b, .or_nan = true                                      \
    }

/* Texts of ends and zeros. */
#define KEEPS_SIGN "a bound relative to the result keeps its sign, and what underflows becomes 0"
#define ZEROS_OF_ARITHMETIC                                                                        \
    ZERO_SIGN("all", "IEEE 754-2019, 6.3; array API standard, special cases")
#define ZEROS_OF_ROUNDING ZERO_SIGN("all", "IEEE 754-2019, 5.9 and 6.3; C23, F.10.6")

#endif
