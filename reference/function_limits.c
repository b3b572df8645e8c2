/* Finds the rows of arguments. */
#include "function_limits.h"

#include <math.h>
#include <stddef.h>

static bool is_odd(long double x)
{
    return fabsl(fmodl(x, 2)) == 1;
}

static bool has_wholeness(Wholeness whole, long double x)
{
    switch (whole) {
    case WHOLE_ONLY:
        return x == rintl(x);
    case WHOLE_NEVER:
        return x != rintl(x);
    case WHOLE_ODD:
        return is_odd(x);
    case WHOLE_NOT_ODD:
        return !is_odd(x);
    case WHOLE_OR_NOT:
        break;
    }
    return true;
}

static bool is_at_least(long double x, long double y)
{
    return x > y || (x == y && (x != 0 || signbit(x) <= signbit(y)));
}

static bool has_argument(const Arguments *set, long double x)
{
    if (isnan(x))
        return isnan(set->to);
    return is_at_least(x, set->from) && (isnan(set->to) || is_at_least(set->to, x)) &&
           has_wholeness(set->whole, x);
}

const FunctionLimit *limit_find(const FunctionLimit *rows, bool of_two, long double x,
                                long double second)
{
    for (const FunctionLimit *row = rows; row && row->kind != LIMIT_END; row++)
        if (has_argument(&row->first, x) && (!of_two || has_argument(&row->second, second)))
            return row;
    return NULL;
}

long double limit_value(const FunctionLimit *limit, long double x, long double second)
{
    if (limit->kind == LIMIT_VALUE)
        return limit->value;
    return limit->kind == LIMIT_FIRST ? x : second;
}
