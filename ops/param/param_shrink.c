/* The simpler values that shrinking tries, and a value's contribution to a signature. */
#include <math.h>
#include <string.h>

#include "facet.h"
#include "param.h"
#include "param_code.h"

/* Candidates for a magnitude: 1 to 5, then half, three quarters, seven eighths ... of it, then 8
 * and 1 less.  -1 when there are no more. */
static int64_t smaller_magnitude(int64_t magnitude, int number)
{
    enum { SMALL = 5, FRACTIONS = 10 };
    if (number < SMALL)
        return number + 1;
    number -= SMALL;
    if (number < FRACTIONS)
        return magnitude - (magnitude >> (number + 1));
    number -= FRACTIONS;
    if (number > 1)
        return -1;
    int64_t less = magnitude - (number == 0 ? 8 : 1);
    return less > 0 ? less : 0;
}

static bool simpler_integer(const Param *param, int64_t *value, int number)
{
    int64_t magnitude = *value < 0 ? -*value : *value, candidate;
    if (number == 0) {
        *value = param->simplest;
        return true;
    }
    if (number == 1) {
        if (magnitude >= param->minimum && magnitude <= param->maximum)
            *value = magnitude;
        return true;
    }
    candidate = smaller_magnitude(magnitude, number - 2);
    if (candidate < 0)
        return false;
    int64_t least = *value < 0 ? 1 : param->simplest + 1;
    if (candidate < magnitude && candidate >= least && candidate <= param->maximum)
        *value = *value < 0 ? -candidate : candidate;
    return true;
}

static bool simpler_scalar(const Param *param, Scalar *value, int number)
{
    const Scalar candidates[] = {{param_usual(param), 0},
                                 {1, 0},
                                 {0, 0},
                                 {2, 0},
                                 {-1, 0},
                                 {0.5, 0},
                                 {3, 0},
                                 {value->re, 0},
                                 {value->im, 0},
                                 {nearbyint(value->re), 0},
                                 {1, 1},
                                 {0, 1},
                                 {nearbyint(value->re), nearbyint(value->im)},
                                 {value->re, fabs(value->im)},
                                 {fabs(value->re), value->im}};
    if (number >= (int)COUNT_OF(candidates))
        return false;
    for (int simpler = 0; simpler < number; simpler++)
        if (memcmp(&candidates[simpler], value, sizeof *value) == 0)
            return false;
    *value = candidates[number];
    return true;
}

/* Each value in turn becomes 1, 0 or a rounded one; the list gets shorter from the end. */
static bool simpler_list(ValueList *list, int number)
{
    enum { WAYS = 5 };
    if (number == 0) {
        if (list->count > 1) {
            list->count--;
            list->values[list->count] = 0;
        }
        return true;
    }
    int64_t at = (number - 1) / WAYS;
    if (at >= list->count)
        return false;
    double value = list->values[at];
    const double ways[WAYS] = {1, 0, 2, fabs(value), nearbyint(value)};
    for (int simpler = 0; simpler < (number - 1) % WAYS; simpler++)
        if (ways[simpler] == value)
            return true;
    list->values[at] = ways[(number - 1) % WAYS];
    return true;
}

/* One axis less, then each extent as a single one. */
static bool simpler_shape(const Param *param, Shape *shape, int number)
{
    enum { WAYS = 20 };
    if (number < shape->rank) {
        if (shape->rank == param->minimum)
            return true;
        for (int64_t axis = number; axis + 1 < shape->rank; axis++)
            shape->extent[axis] = shape->extent[axis + 1];
        shape->extent[--shape->rank] = 0;
        return true;
    }
    int64_t at = (number - shape->rank) / WAYS;
    const Param extent = {.minimum = 0, .maximum = SHAPE_EXTENT_MAX, .simplest = 1};
    if (at >= shape->rank)
        return false;
    (void)simpler_integer(&extent, &shape->extent[at], (int)(number - shape->rank) % WAYS);
    return true;
}

static void facet_of_magnitude(const char *name, int64_t value, Text *text)
{
    static const int64_t thresholds[] = {1024, 256, 64, 16, 4, 1};
    if (value == 0) {
        text_printf(text, "%s=0 ", name);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(thresholds); i++) {
        if (value > thresholds[i]) {
            text_printf(text, "%s>%lld ", name, (long long)thresholds[i]);
            return;
        }
    }
}

/* The rank where it is not the least, an empty axis, and the innermost extent. */
static void facet_of_shape(const Param *param, const Shape *shape, Text *text)
{
    if (shape->rank > param->minimum)
        text_printf(text, "rank>%lld ", (long long)param->minimum);
    if (shape_count(shape) == 0)
        text_printf(text, "%s is empty ", param->name);
    else if (shape->rank > 0)
        facet_of_magnitude(param->name, shape->extent[shape->rank - 1], text);
}

/* All at their simplest, then one by one. */
static bool simpler_tuple(const Param *param, Shape *tuple, int number)
{
    enum { WAYS = 4 };
    int64_t at = (number - 1) / WAYS;
    if (number == 0)
        for (int64_t axis = 0; axis < tuple->rank; axis++)
            tuple->extent[axis] = param->simplest;
    if (number == 0)
        return true;
    if (at >= tuple->rank)
        return false;
    int64_t *value = &tuple->extent[at];
    const int64_t ways[WAYS] = {param->simplest, param->simplest + 1, *value / 2, *value - 1};
    int64_t candidate = ways[(number - 1) % WAYS];
    if (candidate >= param->minimum && candidate < *value)
        *value = candidate;
    return true;
}

bool param_simpler(const Param *param, void *values, int number)
{
    int64_t *integer = param_integer(param, values);
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        if (number >= *integer)
            return false;
        *integer = number;
        return true;
    case PARAM_SEED:
        if (number > 3 || number >= *integer)
            return false;
        *integer = number;
        return true;
    case PARAM_SCALAR:
        return simpler_scalar(param, param_scalar(param, values), number);
    case PARAM_TUPLE:
        return simpler_tuple(param, param_shape(param, values), number);
    case PARAM_SHAPE:
        return simpler_shape(param, param_shape(param, values), number);
    case PARAM_CODE:
        return code_simpler(param_code(param, values), number);
    case PARAM_LIST:
        return simpler_list(param_list(param, values), number);
    default:
        return simpler_integer(param, integer, number);
    }
}

const char *facet_of_scalar(const Param *param, const void *values)
{
    const Scalar *scalar = (const void *)((const char *)values + param->offset);
    if (isnan(scalar->re) || isnan(scalar->im))
        return "nan";
    if (isinf(scalar->re) || isinf(scalar->im))
        return "inf";
    if (scalar->im != 0)
        return "complex";
    if (scalar->re == 0)
        return "0";
    if (fabs(scalar->re) == 1)
        return scalar->re > 0 ? "1" : "-1";
    return "other";
}

/* Leading dimensions beyond it are told apart from those with a few more elements. */
enum { ROUND_LEADING = 4096 };

void param_facet(const Param *param, const void *values, Text *text)
{
    const void *at = (const char *)values + param->offset;
    if (param_is_simplest(param, values))
        return;
    int64_t number = param->kind == PARAM_SCALAR ? 0 : *(const int64_t *)at;
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_SEED:
    case PARAM_LIST:
        break;
    case PARAM_CODE:
        code_facet(param, at, text);
        break;
    case PARAM_CHOICE:
        text_printf(text, "%s=%s ", param->name, param->names[number]);
        break;
    case PARAM_PAD:
        text_printf(text, number > ROUND_LEADING ? "%s>%d " : "%s>min ", param->name,
                    ROUND_LEADING);
        break;
    case PARAM_INCREMENT:
        text_printf(text, number == 0 ? "%s=0 " : number < 0 ? "%s<0 " : "%s>1 ", param->name);
        break;
    case PARAM_DIM:
        facet_of_magnitude(param->name, number, text);
        break;
    case PARAM_TUPLE:
    case PARAM_INTEGER:
        text_printf(text, "%s>%lld ", param->name, (long long)param->simplest);
        break;
    case PARAM_SHAPE:
        facet_of_shape(param, at, text);
        break;
    case PARAM_SCALAR:
        text_printf(text, "%s=%s ", param->name, facet_of_scalar(param, values));
        break;
    }
}
