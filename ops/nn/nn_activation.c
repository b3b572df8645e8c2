/* The functions that libraries fuse behind products and convolutions, on the reference of the sums.
 * relu and relu6 keep the bound, since |f(x) - f(y)| <= |x - y|; gelu multiplies it. */
#include <math.h>

#include "nn_products.h"
#include "reference/ball.h"

const char *const nn_activations[] = {"none", "relu", "relu6", NULL};

/* An element without error. */
static void put_constant(Ref *ref, size_t i, double value)
{
    ref->high[i] = value;
    ref->low[i] = ref->error[i] = ref->magnitude[i] = ref->addend[i] = 0;
    ref->match[i] = MATCH_VALUE;
}

/* The classes of an element after clipping to [0, top].  An element that can only be an infinity
 * becomes an end of the interval; where an infinity that is clipped is one class of several,
 * nothing is known of the result. */
static uint8_t clipped(uint8_t classes, double top)
{
    bool has_top = isfinite(top);
    if (classes == CLASS_NEGATIVE_INFINITY || (classes == CLASS_POSITIVE_INFINITY && has_top))
        return CLASS_FINITE;
    bool clips =
        (classes & CLASS_NEGATIVE_INFINITY) || (has_top && (classes & CLASS_POSITIVE_INFINITY));
    return clips ? CLASS_ANY : classes;
}

static void clip_classes(Ref *ref, size_t i, double top)
{
    if (!(ref->classes[i] & CLASS_FINITE) && clipped(ref->classes[i], top) == CLASS_FINITE)
        put_constant(ref, i, ref->classes[i] == CLASS_NEGATIVE_INFINITY ? 0 : top);
    ref->classes[i] = clipped(ref->classes[i], top);
    ref->classes_skipping[i] = clipped(ref->classes_skipping[i], top);
    ref->classes_filling[i] = clipped(ref->classes_filling[i], top);
}

/* Clips every element of one reading; true when one of them may be NaN. */
static bool activate(Ref *ref, int64_t activation)
{
    double top = activation == NN_RELU6 ? ldexp(6, -ref->exponent) : INFINITY;
    double largest = dtype_format(ref->dtype)->largest / 2;
    bool has_nan = false;
    for (size_t i = 0; i < ref->count; i++) {
        double value = ref->high[i] + ref->low[i];
        double reach = ldexp(ref->magnitude[i] + ref->addend[i], ref->exponent);
        if (!(value > 0) || value > top) {
            ref->high[i] = value > top ? top : 0;
            ref->low[i] = 0;
        }
        /* A partial sum that overflows may become either end of the interval, or NaN. */
        if (reach < largest) {
            clip_classes(ref, i, top);
        } else {
            ref_admit_anything(ref, i);
        }
        has_nan =
            has_nan ||
            ((ref->classes[i] | ref->classes_skipping[i] | ref->classes_filling[i]) & CLASS_NAN);
    }
    return has_nan;
}

/* Anything where there may be NaN, in a copy. */
static void admit_compared(uint8_t **classes, size_t count, Arena *arena)
{
    uint8_t *copy = arena_take(arena, count, sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = (*classes)[i] & CLASS_NAN ? CLASS_ANY : (*classes)[i];
    *classes = copy;
}

void nn_activate(Ref *ref, int64_t activation, Arena *arena)
{
    bool has_nan = false;
    if (activation == NN_NO_ACTIVATION)
        return;
    for (Ref *reading = ref; reading; reading = reading->alternative)
        has_nan = activate(reading, activation) || has_nan;
    if (!has_nan)
        return;
    Ref other = *ref;
    other.alternative = NULL;
    admit_compared(&other.classes, ref->count, arena);
    admit_compared(&other.classes_skipping, ref->count, arena);
    admit_compared(&other.classes_filling, ref->count, arena);
    ref_add_alternative(ref, &other, "nan-by-comparison", arena);
}

/* Above the largest slope of gelu by tanh, 1.12899 at 1.419. */
const double nn_gelu_slope = 1.13;

static void apply_gelu(Ref *ref, const Function *gelu, size_t i)
{
    const Format *format = dtype_format(ref->accumulator);
    double s = ldexp(ref->high[i] + ref->low[i], ref->exponent);
    double y = (double)gelu->evaluate(s, NULL).value;
    ref->magnitude[i] *= 2 * nn_gelu_slope;
    ref->addend[i] = 2 * nn_gelu_slope * ref->addend[i] +
                     ldexp(gelu->of_value * fabs(y) + gelu->of_argument * fabs(s), -ref->exponent);
    ref->error[i] = nn_gelu_slope * ref->error[i] + ldexp(fabs(y), -ref->exponent - 52);
    ref->underflow[i] = 2 * ref->underflow[i] + ldexp(2 * gelu->steps * format->smallest_normal /
                                                          format->smallest_subnormal,
                                                      -ref->exponent);
    ref->factors[i] *= nn_gelu_slope;
    ref->high[i] = ldexp(y, -ref->exponent);
    ref->low[i] = 0;
}

void nn_apply_gelu(Ref *ref)
{
    const Function *gelu = function_named("gelu_tanh");
    double largest = dtype_format(ref->accumulator)->largest / 8;
    ref->square = NULL;
    ref->addend_roundings = 1;
    for (size_t i = 0; i < ref->count; i++) {
        double reach = ldexp(ref->magnitude[i] + ref->addend[i], ref->exponent);
        ref->match[i] = MATCH_BOUND;
        if (ref->classes[i] == CLASS_FINITE && reach < largest) {
            apply_gelu(ref, gelu, i);
            continue;
        }
        /* Of -infinity the result is 0 or NaN, by the formula; a partial sum that overflows
         * may become anything. */
        if (ref->classes[i] == CLASS_NEGATIVE_INFINITY) {
            put_constant(ref, i, 0);
            ref_set_classes(ref, i, CLASS_FINITE | CLASS_NAN);
            continue;
        }
        bool stays = ref->classes[i] == CLASS_NAN || ref->classes[i] == CLASS_POSITIVE_INFINITY;
        ref_set_classes(ref, i, stays ? ref->classes[i] : CLASS_ANY);
    }
}
