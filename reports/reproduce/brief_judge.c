/* Expected values and bounds as literals: in few decimals where they still tell right from wrong.
 */
#include "brief_judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ops/backend/c_source.h"

bool brief_admits(const Expectation *e, double got)
{
    if (isnan(got))
        return e->classes & CLASS_NAN;
    if (isinf(got))
        return e->classes & (got > 0 ? CLASS_POSITIVE_INFINITY : CLASS_NEGATIVE_INFINITY);
    if (!(e->classes & CLASS_FINITE) || (e->exact && !signbit(got) != !signbit(e->high)))
        return false;
    return fabs((got - e->high) - e->low) <= e->bound;
}

/* Decimals near the expected value with a bound that holds all that is admitted and is hardly
 * wider; false where none tell the wrong value from it. */
static bool find_decimals(const Expectation *e, double wrong, char expected[32], char bound[32])
{
    enum { DIGITS_MAX = 17 };
    const double rounding = 1.06, widest = 1.2; /* two digits round by 5 % */
    for (int digits = 1; digits <= DIGITS_MAX; digits++) {
        (void)snprintf(expected, 32, "%.*g", digits, e->high);
        double near = strtod(expected, NULL);
        double least = e->bound + fabs(e->low) + fabs(near - e->high);
        (void)snprintf(bound, 32, "%.1e", least * rounding);
        double width = strtod(bound, NULL);
        if (width >= least && width <= widest * e->bound && !(fabs(wrong - near) <= width))
            return true;
    }
    return false;
}

static void put_near(const Expectation *e, const char *got, double wrong, Text *expected,
                     Text *condition)
{
    char value[32], bound[32];
    if (find_decimals(e, wrong, value, bound)) {
        text_put(expected, value);
        text_printf(condition, "fabs(%s - %s) <= %s", got, value, bound);
        return;
    }
    text_printf(expected, "%.17g", e->high);
    text_printf(condition, "fabs(%s - %a - %a) <= %a", got, e->high, e->low, e->bound);
}

static void put_finite(const Expectation *e, const char *got, double wrong, Text *expected,
                       Text *condition)
{
    if (isinf(e->bound)) {
        text_put(expected, "a finite number");
        text_printf(condition, "isfinite(%s)", got);
    } else if (e->bound == 0 && e->low == 0) {
        text_printf(expected, "%.17g", e->high);
        text_printf(condition, "%s == ", got);
        c_put_number(condition, DT_F64, e->high);
        if (e->exact && e->high == 0)
            text_printf(condition, " && %ssignbit(%s)", signbit(e->high) ? "" : "!", got);
    } else
        put_near(e, got, wrong, expected, condition);
}

void brief_put_condition(const Expectation *e, const char *got, double wrong, Text *expected,
                         Text *condition)
{
    /* No finite number is within a bound of an infinity. */
    if ((e->classes & CLASS_FINITE) && (isfinite(e->high) || isinf(e->bound)))
        put_finite(e, got, brief_admits(e, wrong) ? NAN : wrong, expected, condition);
    const char *between = condition->length ? " || " : "", * or = condition->length ? " or " : "";
    if (e->classes & CLASS_NAN) {
        text_printf(expected, "%sNaN", or);
        text_printf(condition, "%sisnan(%s)", between, got);
        between = " || ", or = " or ";
    }
    if (e->classes & CLASS_POSITIVE_INFINITY) {
        text_printf(expected, "%sinfinity", or);
        text_printf(condition, "%s%s == INFINITY", between, got);
        between = " || ", or = " or ";
    }
    if (e->classes & CLASS_NEGATIVE_INFINITY) {
        text_printf(expected, "%s-infinity", or);
        text_printf(condition, "%s%s == -INFINITY", between, got);
    }
}

bool brief_has_bits(const Expectation *e, DType dtype)
{
    bool one = e->classes == CLASS_FINITE && e->bound == 0 && e->low == 0 &&
               (e->high != 0 || e->exact) && dtype_round(dtype, e->high) == e->high;
    return c_lacks(dtype) &&
           (one || e->classes == CLASS_NAN || e->classes == CLASS_POSITIVE_INFINITY ||
            e->classes == CLASS_NEGATIVE_INFINITY);
}

void brief_put_bits(const Expectation *e, DType dtype, const char *bits, Text *expected,
                    Text *condition)
{
    /* A NaN is above the infinity of its format but for the sign, and all ones where there is none.
     */
    static const char *const nan[DT_COUNT] = {[DT_F16] = "(%s & 0x7fff) > 0x7c00",
                                              [DT_BF16] = "(%s & 0x7fff) > 0x7f80",
                                              [DT_E4M3] = "(%s & 0x7f) == 0x7f",
                                              [DT_E5M2] = "(%s & 0x7f) > 0x7c"};
    if (e->classes == CLASS_NAN) {
        text_put(expected, "NaN");
        text_printf(condition, nan[dtype], bits);
        return;
    }
    double value = e->classes == CLASS_FINITE              ? e->high
                   : e->classes == CLASS_POSITIVE_INFINITY ? INFINITY
                                                           : -INFINITY;
    c_put_number(expected, dtype, value);
    text_printf(expected, " (%.9g)", value);
    text_printf(condition, "%s == ", bits);
    c_put_number(condition, dtype, value);
}
