/* Activations of networks with exponentials, and those in pieces. */
#include "function_values.h"

FunctionValue activation_elu(long double x, const FunctionParams *p)
{
    return x > 0 ? exactly(x) : relative(p->alpha * expm1l(x), 8);
}

FunctionValue activation_celu(long double x, const FunctionParams *p)
{
    return x > 0 ? exactly(x) : relative(p->alpha * expm1l(x / p->alpha), 12);
}

FunctionValue activation_selu(long double x, const FunctionParams *p)
{
    long double inner = x > 0 ? x : p->alpha * expm1l(x);
    return relative(p->beta * inner, 8);
}

/* selu with the constants of Klambauer et al., Self-Normalizing Neural Networks, 2017. */
FunctionValue activation_scaled_elu(long double x, const FunctionParams *p)
{
    const long double scale = 1.0507009873554804934193349852946L;
    const long double alpha = 1.6732632423543772848170429916717L;
    (void)p;
    return relative(scale * (x > 0 ? x : alpha * expm1l(x)), 8);
}

FunctionValue activation_hardsigmoid(long double x, const FunctionParams *p)
{
    long double y = p->alpha * x + p->beta;
    FunctionValue inner = {.value = y, .error = (fabsl(p->alpha * x) + fabsl(y)) * 0x1p-63L};
    /* NaN, which the two comparisons may make either end. */
    if (isinf(x) && p->alpha == 0)
        return (FunctionValue){.value = 0.5L, .error = 0.5L, .or_nan = true};
    return y > 1 ? exactly(1) : y < 0 ? exactly(0) : inner;
}

/* relu6(x + 3) / 6 */
FunctionValue activation_hardsigmoid_relu6(long double x, const FunctionParams *p)
{
    (void)p;
    if (fabsl(x) >= 3)
        return exactly(x > 0);
    return relative((x + 3) / 6, 2);
}

FunctionValue activation_hardswish(long double x, const FunctionParams *p)
{
    (void)p;
    if (x <= -3)
        return isinf(x) ? limit_or_nan(0) : exactly(0);
    return x >= 3 ? exactly(x) : relative(x * (x + 3) / 6, 4);
}
