/* Helpers for the tables of functions; private to them. */
#ifndef REFERENCE_FUNCTION_VALUES_H
#define REFERENCE_FUNCTION_VALUES_H

#include <math.h>

#include "function.h"
#include "limit_rows.h"

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

/* An integer of any size: its lowest 64 bits, and what it is but for `error`. */
static inline FunctionValue whole_near(uint64_t bits, long double value, long double error)
{
    return (FunctionValue){.value = value, .error = error, .known = BITS_OF_VALUE, .bits = bits};
}

/* The integer that the type has of these bits. */
static inline FunctionValue whole_of_bits(uint64_t bits)
{
    return (FunctionValue){.value = (long double)(int64_t)bits, .known = BITS_ALONE, .bits = bits};
}

static inline FunctionValue limit_or_nan(long double value)
{
    return (FunctionValue){.value = value, .or_nan = true};
}

FunctionEvaluate predicate_is_nan, predicate_is_inf, predicate_logical_not, predicate_is_finite,
    predicate_is_positive_inf, predicate_is_negative_inf, predicate_sign_bit;

FunctionEvaluate activation_relu, activation_leaky_relu, activation_thresholded_relu,
    activation_hardtanh, activation_relu6, activation_hardshrink, activation_softshrink,
    activation_softsign, activation_sigmoid, activation_silu, activation_softplus,
    activation_logsigmoid, activation_mish, activation_gelu_erf, activation_gelu_tanh,
    activation_tanhshrink, activation_elu, activation_celu, activation_selu, activation_scaled_elu,
    activation_hardsigmoid, activation_hardsigmoid_relu6, activation_hardswish;

#endif
