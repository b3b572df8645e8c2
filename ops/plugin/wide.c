/* The arithmetic of Wide numbers: balls in the format that is tested. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "reference/ball.h"
#include "reference/mag.h"

#define EXPORTED __attribute__((visibility("default")))

static _Thread_local const Format *format;

void plugin_set_format(const Format *of)
{
    format = of;
}

static const Format *arithmetic(void)
{
    if (!format)
        plugin_fail("Wide numbers are for references");
    return format;
}

static Ball ball_of(opconform_wide x)
{
    return (Ball){x.value, x.radius, 0};
}

static opconform_wide wide_of_ball(Ball x)
{
    return (opconform_wide){x.value, ball_is_known(x) ? x.radius : INFINITY};
}

EXPORTED opconform_wide opconform_of(double value)
{
    return wide_of_ball(ball_exact(value));
}

EXPORTED opconform_wide opconform_add(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_add(arithmetic(), ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_subtract(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_subtract(arithmetic(), ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_multiply(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_multiply(arithmetic(), ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_divide(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_divide(arithmetic(), ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_sqrt(opconform_wide x)
{
    return wide_of_ball(ball_sqrt(arithmetic(), ball_of(x)));
}

EXPORTED opconform_wide opconform_negate(opconform_wide x)
{
    return wide_of_ball(ball_negate(ball_of(x)));
}

EXPORTED opconform_wide opconform_abs(opconform_wide x)
{
    return wide_of_ball(ball_abs(ball_of(x)));
}

EXPORTED opconform_wide opconform_maximum(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_max(ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_minimum(opconform_wide x, opconform_wide y)
{
    return opconform_negate(opconform_maximum(opconform_negate(x), opconform_negate(y)));
}

static void require_terms(int64_t count)
{
    if (count < 1)
        plugin_fail("a sum, mean or maximum of %lld terms", (long long)count);
}

static Ball sum_of(const opconform_wide *terms, int64_t count)
{
    require_terms(count);
    Ball *balls = memory_allocate((size_t)count, sizeof *balls);
    for (int64_t i = 0; i < count; i++)
        balls[i] = ball_of(terms[i]);
    Ball sum = ball_sum(arithmetic(), balls, (size_t)count);
    free(balls);
    return sum;
}

EXPORTED opconform_wide opconform_sum(const opconform_wide *terms, int64_t count)
{
    return wide_of_ball(sum_of(terms, count));
}

EXPORTED opconform_wide opconform_mean(const opconform_wide *terms, int64_t count)
{
    return wide_of_ball(ball_mean(arithmetic(), sum_of(terms, count), (double)count));
}

EXPORTED opconform_wide opconform_greatest(const opconform_wide *terms, int64_t count)
{
    require_terms(count);
    opconform_wide greatest = terms[0];
    for (int64_t i = 1; i < count; i++)
        greatest = opconform_maximum(greatest, terms[i]);
    return greatest;
}

/* Those of the table that are monotone. */
EXPORTED opconform_wide opconform_apply(const char *function, opconform_wide x)
{
    static const char *const names[] = {
        "acos", "acosh", "asin", "asinh", "atan",  "atanh", "cbrt", "erf",     "erfc", "exp",
        "exp2", "expm1", "log",  "log10", "log1p", "log2",  "sinh", "sigmoid", "tanh", "softplus"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(names[i], function))
            return wide_of_ball(
                ball_function(arithmetic(), function_named(function), ball_of(x), false));
    plugin_fail("there is no function %s of Wide numbers", function);
}

EXPORTED opconform_wide opconform_exp(opconform_wide x)
{
    return opconform_apply("exp", x);
}

EXPORTED opconform_wide opconform_log(opconform_wide x)
{
    return opconform_apply("log", x);
}

EXPORTED opconform_wide opconform_tanh(opconform_wide x)
{
    return opconform_apply("tanh", x);
}

EXPORTED opconform_wide opconform_erf(opconform_wide x)
{
    return opconform_apply("erf", x);
}

/* A slope is at most 1, so that a radius grows by no more than itself. */
static opconform_wide wave(const char *name, opconform_wide x)
{
    Ball at = ball_function(arithmetic(), function_named(name), (Ball){x.value, 0, 0}, false);
    bool known = x.radius < INFINITY && fabsl(x.value) < function_named(name)->domain;
    return (opconform_wide){at.value, known ? add_up(at.radius, x.radius) : INFINITY};
}

EXPORTED opconform_wide opconform_sin(opconform_wide x)
{
    return wave("sin", x);
}

EXPORTED opconform_wide opconform_cos(opconform_wide x)
{
    return wave("cos", x);
}

EXPORTED opconform_wide opconform_power(opconform_wide x, opconform_wide y)
{
    if (!(x.value >= 0))
        plugin_fail("a power of a negative number");
    return wide_of_ball(ball_power(arithmetic(), ball_of(x), ball_of(y)));
}

EXPORTED opconform_wide opconform_either(opconform_wide x, opconform_wide y)
{
    return wide_of_ball(ball_either(ball_of(x), ball_of(y)));
}

/* Products lose up to the smallest normal number beside what they round. */
EXPORTED opconform_wide opconform_round(opconform_wide x, int roundings)
{
    if (roundings < 0)
        plugin_fail("%d roundings", roundings);
    Ball rounded = ball_round(arithmetic(), ball_of(x), roundings);
    rounded.radius = add_up(rounded.radius, mul_up(roundings, arithmetic()->smallest_normal));
    return wide_of_ball(rounded);
}

/* Numbers below the normal ones of the type lose as much as its smallest. */
EXPORTED opconform_wide opconform_narrow(opconform_wide x, opconform_dtype dtype)
{
    if ((int)dtype < 0 || (int)dtype >= DT_COUNT || dtype_is_integer((DType)dtype))
        plugin_fail("no type %d to round to", (int)dtype);
    const Format *to = dtype_format((DType)dtype);
    Ball narrow = ball_round(to, ball_of(x), 1);
    bool in_range = double_up(fabsl(x.value)) + x.radius < to->largest / 4;
    narrow.radius = in_range ? add_up(narrow.radius, to->smallest_subnormal) : INFINITY;
    return wide_of_ball(narrow);
}

static void require_element(const opconform_tensor *x, int64_t number)
{
    const PluginTensor *host = x->host;
    if (number < 0 || number >= x->count)
        plugin_fail("%s reads element %lld of an operand that has %lld", host->call->op->name,
                    (long long)number, (long long)x->count);
}

EXPORTED opconform_wide opconform_at(const opconform_tensor *x, int64_t number)
{
    const PluginTensor *host = x->host;
    require_element(x, number);
    return opconform_of(tensor_value(&host->view, number));
}

/* Room for the terms of a sum; *mark takes it back. */
static opconform_wide *take_terms(const opconform_tensor *x, int64_t count, size_t *mark)
{
    const PluginTensor *host = x->host;
    require_terms(count);
    *mark = host->call->arena->used;
    return arena_take(host->call->arena, (size_t)count, sizeof(opconform_wide));
}

static opconform_wide sum_terms(const opconform_tensor *x, const opconform_wide *terms,
                                int64_t count, size_t mark)
{
    const PluginTensor *host = x->host;
    opconform_wide sum = opconform_sum(terms, count);
    host->call->arena->used = mark;
    return sum;
}

EXPORTED opconform_wide opconform_dot(const opconform_tensor *x, int64_t i, int64_t step,
                                      const opconform_tensor *y, int64_t k, int64_t other,
                                      int64_t count, int roundings)
{
    size_t mark;
    opconform_wide *terms = take_terms(x, count, &mark);
    for (int64_t n = 0; n < count; n++) {
        terms[n] =
            opconform_multiply(opconform_at(x, i + n * step), opconform_at(y, k + n * other));
        if (roundings)
            terms[n] = opconform_round(terms[n], roundings);
    }
    return sum_terms(x, terms, count, mark);
}

EXPORTED opconform_wide opconform_combine(const opconform_wide *w, const opconform_tensor *x,
                                          int64_t i, int64_t step, int64_t count)
{
    size_t mark;
    opconform_wide *terms = take_terms(x, count, &mark);
    for (int64_t n = 0; n < count; n++)
        terms[n] = opconform_multiply(w[n], opconform_at(x, i + n * step));
    return sum_terms(x, terms, count, mark);
}

EXPORTED void opconform_put(const opconform_tensor *y, int64_t number, opconform_wide value)
{
    PluginTensor *host = y->host;
    if (!host->ref)
        plugin_fail("%s puts an element of an operand that is no output", host->call->op->name);
    require_element(y, number);
    if (!(value.radius >= 0))
        plugin_fail("%s puts an element whose radius is no number", host->call->op->name);
    host->given[number] = 1;
    ref_put_ball(host->ref, (size_t)number, ball_of(value));
}
