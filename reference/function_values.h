/* Helpers for the tables of functions; private to them. */
#ifndef REFERENCE_FUNCTION_VALUES_H
#define REFERENCE_FUNCTION_VALUES_H

#include <math.h>

#include "function.h"

/* value with a relative error of at most `roundings` 2^-63. */
static inline FunctionValue relative(long double value, long double roundings)
{
    return (FunctionValue){.value = value,
                           .error = fabsl(value) * roundings * 0x1p-63L + 0x1p-16400L};
}

static inline FunctionValue exactly(long double value)
{
    return (FunctionValue){.value = value};
}

static inline FunctionValue limit_or_nan(long double value)
{
    return (FunctionValue){.value = value, .or_nan = true};
}

FunctionEvaluate activation_elu, activation_celu, activation_selu, activation_scaled_elu,
    activation_hardsigmoid, activation_hardsigmoid_relu6, activation_hardswish;

#endif
