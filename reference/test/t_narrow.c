/* Formulas of halves in steps of the type are within their bounds, at every number of both types,
 * with log1p as far off as it may be; what is far off is not. */
#include <math.h>
#include <string.h>

#include "reference/function.h"
#include "reference/function_narrow.h"
#include "tests/check.h"

/* log1p is off by so many ulp. */
static double log1p_off;

static double once(DType type, double value)
{
    return dtype_round(type, (double)(float)value);
}

static double root(DType type, double x)
{
    double less = once(type, 1 - x), more = once(type, 1 + x);
    return once(type, sqrt(once(type, less * more)));
}

static double logarithm(DType type, double x)
{
    double y = log1p(x), ulp = format_ulp(dtype_format(type), fabs(y));
    return isfinite(y) && x != 0 ? once(type, y + log1p_off * ulp) : y;
}

static double log_of_twice(DType type, double x)
{
    return once(type, once(type, log(x)) + once(type, log(2)));
}

static double narrow_acos(DType type, double x)
{
    return once(type, atan2(root(type, x), x));
}

static double narrow_asin(DType type, double x)
{
    return 2 * once(type, atan2(x, once(type, 1 + root(type, x))));
}

static double narrow_acosh(DType type, double x)
{
    if (x >= dtype_format(type)->largest / 2)
        return log_of_twice(type, x);
    double less = once(type, sqrt(once(type, x - 1))), more = once(type, sqrt(once(type, x + 1)));
    return logarithm(type, once(type, less * once(type, more + less)));
}

static double narrow_asinh(DType type, double x)
{
    double a = fabs(x), square = once(type, a * a);
    if (!(square < dtype_format(type)->largest))
        return copysign(log_of_twice(type, a), x);
    double below = once(type, 1 + once(type, sqrt(once(type, square + 1))));
    return copysign(logarithm(type, once(type, a + once(type, square / below))), x);
}

static double narrow_atanh(DType type, double x)
{
    double difference = logarithm(type, x);
    log1p_off = -log1p_off;
    difference = once(type, difference - logarithm(type, -x));
    return once(type, difference / 2);
}

static double narrow_expm1(DType type, double x)
{
    double power = once(type, exp(x));
    if (fabs(x) > 0.5)
        return once(type, power - 1);
    double half = once(type, x / 2);
    return half == 0 ? x : once(type, once(type, tanh(half)) * once(type, power + 1));
}

typedef double Narrow(DType type, double x);

static const struct {
    const char *name;
    Narrow *narrow;
    double (*right)(double);
} rows[] = {{"acos", narrow_acos, acos},    {"acosh", narrow_acosh, acosh},
            {"asin", narrow_asin, asin},    {"asinh", narrow_asinh, asinh},
            {"atanh", narrow_atanh, atanh}, {"expm1", narrow_expm1, expm1},
            {"log1p", logarithm, log1p}};

static const Function *find(const char *name)
{
    const Function *f = functions;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f;
}

static bool admits(const Ref *ref, double value)
{
    double unit = dtype_format(ref->accumulator)->unit, bound = ref->magnitude[0] * unit;
    return fabs(value - ref->high[0]) <= bound + ref->error[0];
}

/* References in steps of the type have the formula as an alternative, which admits its result and
 * nothing that is off by ten ulp; others have none. */
static void test_references(void)
{
    Arena arena;
    static const double arguments[] = {0.6187,  1.1015625, 0.2437, 0.376221,
                                       0.43237, 0.0557,    0.4272};
    uint16_t word;
    CHECK(arena_init(&arena, (size_t)1 << 24));
    Tensor x = {.dtype = DT_F16, .rank = 1, .extent = {1}, .stride = {1}, .origin = &word};
    log1p_off = 0;
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        const Function *f = find(rows[row].name);
        Ref wide = {0}, narrow = {0};
        dtype_store(DT_F16, &word, 0, arguments[row]);
        double value = dtype_load(DT_F16, &word, 0), y = rows[row].right(value);
        double ulp = format_ulp(dtype_format(DT_F16), fabs(y));
        function_reference(&wide, f, &(FunctionParams){0}, &x, DT_F16, &arena);
        for (const Ref *ref = wide.alternative; ref; ref = ref->alternative)
            CHECK(strcmp(ref->policy, FUNCTION_NARROW) != 0);
        dtype_set_narrow(true);
        function_reference(&narrow, f, &(FunctionParams){0}, &x, DT_F16, &arena);
        dtype_set_narrow(false);
        const Ref *ref = narrow.alternative;
        while (ref && strcmp(ref->policy, FUNCTION_NARROW) != 0)
            ref = ref->alternative;
        CHECK(ref && admits(ref, rows[row].narrow(DT_F16, value)));
        CHECK(ref && !admits(ref, y + 10 * ulp) && !admits(ref, y - 10 * ulp));
    }
    arena_release(&arena);
}

int main(void)
{
    static const DType halves[] = {DT_F16, DT_BF16};
    static const double offs[] = {0, 0.9, -0.9};
    CHECK(!function_narrow_has("exp"));
    for (size_t row = 0; row < COUNT_OF(rows); row++)
        for (size_t at = 0; at < 2 * COUNT_OF(offs); at++) {
            DType type = halves[at % 2];
            const Format *format = dtype_format(type);
            const Function *f = find(rows[row].name);
            long far = 0, count = 0;
            CHECK(function_narrow_has(f->name));
            for (uint32_t bits = 0; bits < 65536; bits++) {
                uint16_t word = (uint16_t)bits;
                double x = dtype_load(type, &word, 0), y = rows[row].right(x);
                if (!isfinite(x) || !(fabs(y) < format->largest))
                    continue;
                log1p_off = offs[at / 2];
                double error = function_narrow_error(f->name, format, x, y);
                CHECK(fabs(rows[row].narrow(type, x) - y) <= error);
                far += error > 10 * format_ulp(format, fabs(y));
                count++;
            }
            CHECK(count > 1000 && far < count / 50);
        }
    test_references();
    return check_end("t_narrow");
}
