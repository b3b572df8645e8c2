#include "function_narrow.h"

#include <math.h>
#include <string.h>

#include "mag.h"

static const double LOG1P_ULPS = 2, LOG_2 = 0x1.62e42fefa39f0p-1;

/* An error: units of relative ones, each of a size, in `sizes`; what is absolute; and how many of
 * the smallest number steps lose that are subnormal. */
typedef struct Steps {
    double sizes, absolute, subnormals;
} Steps;

typedef Steps Formula(const Format *format, double x, double y);

/* Two ulp of log1p of something that is off: its value may be in the next binade. */
static double log1p_ulps(const Format *format, double y)
{
    enum { ARGUMENT_OFF = 16 };
    return LOG1P_ULPS * format_ulp(format, y * (1 + ARGUMENT_OFF * format->unit));
}

static double root(double x)
{
    return sqrt(fmax((1 - x) * (1 + x), 0));
}

static Steps step_acos(const Format *format, double x, double y)
{
    (void)format;
    return (Steps){2.5 * root(x) * fabs(x) + y, 0, 0};
}

static Steps step_asin(const Format *format, double x, double y)
{
    double s = root(x);
    (void)format;
    return (Steps){fabs(x) * (2.5 * s / (1 + s) + 1) + fabs(y), 0, 1};
}

/* log(x) + log(2): both are rounded, and their sum. */
static Steps log_of_twice(double x, double y)
{
    return (Steps){fabs(log(x)) + LOG_2 + fabs(y), 0, 0};
}

static Steps step_acosh(const Format *format, double x, double y)
{
    if (x >= format->largest / 2)
        return log_of_twice(x, y);
    return (Steps){5 * -expm1(-y), log1p_ulps(format, y), 0};
}

static Steps step_asinh(const Format *format, double x, double y)
{
    double a = fabs(x), square = a * a, size = fabs(y);
    if (square >= format->largest)
        return log_of_twice(a, size);
    double q = square / (1 + sqrt(square + 1)), p = a + q;
    return (Steps){(5 * q + p) / (1 + p), log1p_ulps(format, size), 2};
}

static Steps step_atanh(const Format *format, double x, double y)
{
    double logarithms = format_ulp(format, fabs(log1p(x))) + format_ulp(format, fabs(log1p(-x)));
    return (Steps){fabs(y), LOG1P_ULPS / 2 * logarithms, 1};
}

static Steps step_expm1(const Format *format, double x, double y)
{
    double power = exp(x);
    (void)format;
    if (fabs(x) > 0.5)
        return (Steps){power + fabs(y), 0, 0};
    return (Steps){fabs(y) * (3 + power / (1 + power)), 0, 3};
}

static Steps step_log1p(const Format *format, double x, double y)
{
    (void)x;
    return (Steps){0, LOG1P_ULPS * format_ulp(format, fabs(y)), 0};
}

static const struct {
    const char *name;
    Formula *formula;
} formulas[] = {{"acos", step_acos},   {"acosh", step_acosh}, {"asin", step_asin},
                {"asinh", step_asinh}, {"atanh", step_atanh}, {"expm1", step_expm1},
                {"log1p", step_log1p}};

static Formula *find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(formulas); i++)
        if (!strcmp(formulas[i].name, name))
            return formulas[i].formula;
    return NULL;
}

bool function_narrow_has(const char *name)
{
    return find(name) != NULL;
}

double function_narrow_error(const char *name, const Format *format, double x, double y)
{
    enum { ROUNDINGS = 8, OPERATIONS = 40 };
    Steps steps = find(name)(format, x, y);
    double unit = format->unit / (1 - ROUNDINGS * format->unit);
    return formula_up(unit * steps.sizes + steps.absolute +
                          steps.subnormals * format->smallest_subnormal,
                      OPERATIONS);
}
