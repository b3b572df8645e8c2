/* Faults of random operators, and other generators that are right. */
#include <math.h>
#include <string.h>

#include "ops/nn/nn.h"
#include "planted.h"
#include "reference/random.h"

static const Tensor *output(const PlantedCall *call, const char *name)
{
    return &call->operands->view[op_operand(call->operands->source->op, name)];
}

static void store(const Tensor *t, int64_t i, double value)
{
    dtype_store(t->dtype, t->origin, tensor_offset_of(t, i), value);
}

static Scalar *altered(PlantedCall *call, const char *name)
{
    return param_scalar(case_param(&call->altered, name), call->altered.params);
}

static void copy_output(PlantedCall *call, const char *from, const char *to)
{
    for (int64_t i = 0; i < tensor_count(output(call, to)); i++)
        store(output(call, to), i, tensor_value(output(call, from), i));
}

/* The numbers next to the upper end are rounded to it. */
static void finish_upper_end(PlantedCall *call)
{
    static const double near_end = 1 - 0x1p-7;
    for (int64_t i = 0; i < tensor_count(output(call, "y")); i++)
        if (tensor_value(output(call, "y"), i) >= near_end) {
            store(output(call, "y"), i, 1);
            store(output(call, "again"), i, 1);
        }
}

/* A chance is 2 % too large. */
static void prepare_chance(PlantedCall *call)
{
    Scalar *chance = altered(call, "chance");
    if (chance->re > 0 && chance->re < 1)
        chance->re = fmin(1, chance->re + 0.02);
}

/* As a correct kernel scales what it keeps. */
static double kept(const Tensor *y, double x, double p)
{
    DType wide = y->dtype == DT_F64 ? DT_F64 : DT_F32;
    return dtype_round(wide, x / dtype_round(wide, 1 - p));
}

/* A mask keeps 10 % of all elements more. */
static void finish_rate(PlantedCall *call)
{
    const Tensor *x = output(call, "x"), *y = output(call, "y"), *mask = output(call, "mask");
    double p = altered(call, "p")->re, more = p > 0 && p < 1 ? 0.1 / p : 0;
    for (int64_t i = 0; dtype_components(y->dtype) == 1 && i < tensor_count(y); i++)
        if (tensor_value(mask, i) == 0 && random_unit(random_at(1, (uint64_t)i)) < more) {
            store(mask, i, 1);
            store(y, i, kept(y, tensor_value(x, i), p));
        }
}

/* The first row stands for all. */
static void repeat_row(const Tensor *t)
{
    int64_t columns = t->extent[t->rank - 1];
    for (int64_t i = columns; i < tensor_count(t); i++)
        store(t, i, tensor_value(t, i % columns));
}

static void finish_rows(PlantedCall *call)
{
    repeat_row(output(call, "y"));
    repeat_row(output(call, "again"));
}

static void finish_mask_rows(PlantedCall *call)
{
    const Tensor *x = output(call, "x"), *y = output(call, "y"), *mask = output(call, "mask");
    double p = altered(call, "p")->re;
    if (mask->rank < 2 || dtype_components(y->dtype) == 2 ||
        param_integer(case_param(&call->altered, "training"), call->altered.params)[0] == 0)
        return;
    repeat_row(mask);
    for (int64_t i = 0; i < tensor_count(y); i++)
        store(y, i, tensor_value(mask, i) != 0 ? kept(y, tensor_value(x, i), p) : 0);
}

static void finish_seed(PlantedCall *call)
{
    copy_output(call, "y", "other");
}

/* The generator goes on where the seed ought to start it again. */
static void finish_state(PlantedCall *call)
{
    copy_output(call, "other", "again");
}

/* A rate is taken for its inverse. */
static void prepare_inverse(PlantedCall *call)
{
    altered(call, "scale")->re = 1 / altered(call, "scale")->re;
}

/* A deviation is taken for a variance. */
static void prepare_variance(PlantedCall *call)
{
    altered(call, "scale")->re = sqrt(altered(call, "scale")->re);
}

/* The number behind the greatest is drawn as well. */
static void finish_high(PlantedCall *call)
{
    double high = (double)*param_integer(case_param(&call->altered, "high"), call->altered.params);
    const char *const names[] = {"y", "again"};
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < tensor_count(output(call, names[k])); i += 16)
            store(output(call, names[k]), i, high);
}

/* Exchanges leave out the first element. */
static void finish_first_element(PlantedCall *call)
{
    const char *const names[] = {"y", "again"};
    for (int k = 0; k < 2; k++) {
        const Tensor *t = output(call, names[k]);
        int64_t columns = t->extent[1];
        for (int64_t i = 0; i < tensor_count(t); i++)
            if (tensor_value(t, i) == 0) {
                int64_t front = i - i % columns;
                store(t, i, tensor_value(t, front));
                store(t, front, 0);
            }
    }
}

/* The last element takes the place of another one. */
static void finish_missing_element(PlantedCall *call)
{
    const char *const names[] = {"y", "again"};
    for (int k = 0; k < 2; k++) {
        const Tensor *t = output(call, names[k]);
        int64_t columns = t->extent[1];
        for (int64_t i = 0; i < tensor_count(t) && columns > 1; i++)
            if (tensor_value(t, i) == 0)
                store(t, i, (double)(columns - 1));
    }
}

/* Counts failures in front of a success. */
static void finish_failures(PlantedCall *call)
{
    const char *const names[] = {"y", "again", "other"};
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < tensor_count(output(call, names[k])); i++)
            store(output(call, names[k]), i, tensor_value(output(call, names[k]), i) - 1);
}

/* A place without weight is drawn where the running sum begins. */
static void finish_weightless(PlantedCall *call)
{
    const Tensor *x = output(call, "x");
    const char *const names[] = {"y", "again"};
    int64_t place = 0;
    while (place < tensor_count(x) && tensor_value(x, place) != 0)
        place++;
    for (int k = 0; k < 2 && place < tensor_count(x); k++)
        store(output(call, names[k]), 0, (double)place);
}

/* Every second draw is the negative of the one in front: right in its law, and not independent. */
static void finish_antithetic(PlantedCall *call)
{
    const char *const names[] = {"y", "again"};
    for (int k = 0; k < 2; k++)
        for (int64_t i = 1; i < tensor_count(output(call, names[k])); i += 2)
            store(output(call, names[k]), i, -tensor_value(output(call, names[k]), i - 1));
}

/* Right: 64 bits of a multiplicative generator, of which as many are taken as the type has. */
typedef double Turn(double u, double v);

static void draw_again(PlantedCall *call, Turn *turn)
{
    const char *const names[] = {"y", "again", "other"};
    int64_t seed = *param_integer(case_param(&call->altered, "seed"), call->altered.params);
    for (int k = 0; k < 3; k++) {
        const Tensor *t = output(call, names[k]);
        int bits = dtype_format(t->dtype)->precision;
        __extension__ unsigned __int128 state =
            (unsigned __int128)random_mix((uint64_t)(seed + (k == 2))) << 1 | 1;
        for (int64_t i = 0; i < tensor_count(t); i++) {
            uint64_t word[2];
            for (int j = 0; j < 2; j++) {
                state *= (unsigned __int128)0x0fc94e3bf4e9ab32u << 64 | 0x866458cd56f5e605u;
                word[j] = (uint64_t)(state >> 64);
            }
            store(t, i,
                  turn(ldexp((double)(word[0] >> (64 - bits)), -bits),
                       (double)(word[1] >> 11) * 0x1p-53));
        }
    }
}

static double turn_uniform(double u, double v)
{
    (void)v;
    return u;
}

static void finish_other_generator(PlantedCall *call)
{
    draw_again(call, turn_uniform);
}

/* Right: Box and Muller, with the sine. */
static double turn_normal(double u, double v)
{
    static const double full_turn = 6.283185307179586;
    return sqrt(-2 * log1p(-v)) * sin(full_turn * u);
}

static void finish_other_normal(PlantedCall *call)
{
    draw_again(call, turn_normal);
}

/* Right: of the other side, u >= 1 - p in place of u < p. */
static void finish_other_side(PlantedCall *call)
{
    double p = altered(call, "chance")->re;
    int64_t seed = *param_integer(case_param(&call->altered, "seed"), call->altered.params);
    const char *const names[] = {"y", "again", "other"};
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < tensor_count(output(call, names[k])); i++)
            store(output(call, names[k]), i,
                  random_unit(random_at((uint64_t)(seed + (k == 2)), (uint64_t)i)) >= 1 - p);
}

const PlantedFault planted_random_faults[] = {
    {"rand-upper-end", "rand", "numbers next to 1", NULL, finish_upper_end},
    {"bernoulli-rate", "bernoulli", "many draws: a chance is 2 % too large", prepare_chance, NULL},
    {"dropout-rate", "dropout", "many elements: 10 % too many are kept", NULL, finish_rate},
    {"dropout-rows", "dropout", "rows have one mask", NULL, finish_mask_rows},
    {"randn-rows", "randn", "rows are alike", NULL, finish_rows},
    {"uniform-seed", "uniform", "seeds are not read", NULL, finish_seed},
    {"normal-state", "normal", "a seed does not start the generator again", NULL, finish_state},
    {"normal-variance", "normal", "a deviation is taken for a variance", prepare_variance, NULL},
    {"exponential-inverse", "exponential", "a rate is taken for its inverse", prepare_inverse,
     NULL},
    {"cauchy-antithetic", "cauchy", "every second draw negates the one in front", NULL,
     finish_antithetic},
    {"randint-high", "randint", "the number behind the greatest is drawn", NULL, finish_high},
    {"geometric-failures", "geometric", "failures are counted", NULL, finish_failures},
    {"permutation-first", "permutations", "the first element stays", NULL, finish_first_element},
    {"permutation-missing", "permutations", "an element is missing", NULL, finish_missing_element},
    {"multinomial-weightless", "multinomial", "a place of weight 0 is drawn", NULL,
     finish_weightless},
    {"ok-rand-multiplicative", "rand", "right: another generator, of as few bits as the type has",
     NULL, finish_other_generator},
    {"ok-randn-sine", "randn", "right: another generator and another transformation", NULL,
     finish_other_normal},
    {"ok-bernoulli-other-side", "bernoulli", "right: u >= 1 - p", NULL, finish_other_side},
    {NULL, NULL, NULL, NULL, NULL},
};
