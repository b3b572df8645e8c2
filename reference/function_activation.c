/* Activations of networks with exponentials, and those in pieces. */
#include "function_values.h"

static long double identity_or(long double x, long double other, bool keep)
{
    return keep || isnan(x) ? x : other;
}

FunctionValue activation_relu(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(identity_or(x, 0, x > 0));
}

FunctionValue activation_leaky_relu(long double x, const FunctionParams *p)
{
    if (isinf(x) && x < 0 && p->alpha == 0)
        return limit_or_nan(0);
    return x > 0 ? exactly(x) : relative(p->alpha * x, 1);
}

FunctionValue activation_thresholded_relu(long double x, const FunctionParams *p)
{
    return exactly(identity_or(x, 0, x > p->alpha));
}

FunctionValue activation_hardtanh(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x > 1 ? 1 : x < -1 ? -1 : x);
}

FunctionValue activation_relu6(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x > 6 ? 6 : identity_or(x, 0, x > 0));
}

FunctionValue activation_hardshrink(long double x, const FunctionParams *p)
{
    return exactly(identity_or(x, 0, fabsl(x) > p->alpha));
}

FunctionValue activation_softshrink(long double x, const FunctionParams *p)
{
    long double less = x > p->alpha ? x - p->alpha : x < -p->alpha ? x + p->alpha : 0;
    return relative(isnan(x) ? x : less, 1);
}

FunctionValue activation_softsign(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x / (1 + fabsl(x)), 2);
}

FunctionValue activation_sigmoid(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(1 / (1 + expl(-x)), 6);
}

FunctionValue activation_silu(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x / (1 + expl(-x)), 8);
}

static long double softplus_value(long double x)
{
    return fmaxl(x, 0) + log1pl(expl(-fabsl(x)));
}

FunctionValue activation_softplus(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(isnan(x) ? x : softplus_value(x), 8);
}

FunctionValue activation_logsigmoid(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(isnan(x) ? x : -softplus_value(-x), 8);
}

FunctionValue activation_mish(long double x, const FunctionParams *p)
{
    (void)p;
    if (isnan(x))
        return exactly(x);
    return relative(x * tanhl(softplus_value(x)), 24);
}

/* The tail of erfc, for negative x, magnifies the rounding of its argument by the square of it. */
FunctionValue activation_gelu_erf(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x / 2 * erfcl(-x * 0.707106781186547524400844362104849L),
                    16 + (x < 0 ? 2 * x * x : 0));
}

FunctionValue activation_gelu_tanh(long double x, const FunctionParams *p)
{
    (void)p;
    long double z = 0.797884560802865355879892119868764L * (x + 0.044715L * x * x * x);
    return relative(x / (1 + expl(-2 * z)), 16 + (z < 0 ? 16 * fabsl(z) : 0));
}

FunctionValue activation_tanhshrink(long double x, const FunctionParams *p)
{
    (void)p;
    return (FunctionValue){.value = x - tanhl(x), .error = 6 * fabsl(x) * 0x1p-63L};
}

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
    return relative((x + 3) / 6, 2);
}

FunctionValue activation_hardswish(long double x, const FunctionParams *p)
{
    (void)p;
    if (x <= -3)
        return exactly(0);
    return x >= 3 ? exactly(x) : relative(x * (x + 3) / 6, 4);
}
