/* Functions that are 1 where something holds of a number, and 0 elsewhere. */
#include "function_values.h"

FunctionValue predicate_is_nan(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isnan(x) ? 1 : 0);
}

FunctionValue predicate_is_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) ? 1 : 0);
}

FunctionValue predicate_logical_not(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x == 0 ? 1 : 0);
}

FunctionValue predicate_is_finite(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isfinite(x) ? 1 : 0);
}

FunctionValue predicate_is_positive_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) && x > 0 ? 1 : 0);
}

FunctionValue predicate_is_negative_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) && x < 0 ? 1 : 0);
}

FunctionValue predicate_sign_bit(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(signbit(x) ? 1 : 0);
}
