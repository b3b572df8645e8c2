/* References of elementwise functions: the value in 64 bits, its classes, and the bound of
 * function.h.  The functions themselves are in function_table.c, function_pairs.c and
 * function_gradients.c. */
#include "function.h"

#include <math.h>
#include <string.h>

#include "function_narrow.h"
#include "mag.h"

void ref_allocate_bounded(Ref *ref, DType dtype, const Tensor *view, Arena *arena)
{
    size_t columns = view->rank > 0 ? (size_t)view->extent[view->rank - 1] : 1, rows = 1;
    for (int axis = 0; axis + 1 < view->rank; axis++)
        rows *= (size_t)view->extent[axis];
    ref_allocate(ref, dtype, rows, columns, arena);
    ref->rule = RULE_RELATIVE;
    ref->accumulator = dtype_arithmetic(dtype);
}

void ref_allocate_exact(Ref *ref, const Tensor *view, Arena *arena)
{
    ref_allocate_bounded(ref, view->dtype, view, arena);
    ref->accumulator = view->dtype;
}

/* Classes of values within `reach` of value, rounded to the format. */
static unsigned interval_classes(const Format *format, long double value, long double reach)
{
    long double size = fabsl(value);
    unsigned infinite = value < 0 ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    if (isnan(value))
        return CLASS_NAN;
    if (size + reach < format->largest)
        return CLASS_FINITE;
    if (size - reach > format->largest * (1 + (long double)format->unit))
        return infinite;
    if (reach - size >= format->largest)
        return CLASS_FINITE | CLASS_INFINITE;
    return CLASS_FINITE | infinite;
}

void ref_put_bounded(Ref *ref, size_t i, long double value, long double error, double bound)
{
    REQUIRE(!(error < 0) && !(bound < 0));
    const Format *format = dtype_format(ref->dtype);
    double unit = dtype_format(ref->accumulator)->unit, high = (double)value;
    if (!(bound < INFINITY)) {
        ref_set_classes(ref, i, CLASS_ANY);
        return;
    }
    /* Far beyond the largest number the error may be beyond that of binary64. */
    long double reach = (bound + error) * (1 + 0x1p-60L);
    ref_set_classes(ref, i, interval_classes(format, value, reach));
    if (!isfinite(high))
        high = isnan(high) ? 0 : copysign(format->largest, high);
    ref->high[i] = high;
    ref->low[i] = fabsl(value) <= format->largest ? (double)(value - high) : 0;
    ref->error[i] = double_up(error);
    ref->magnitude[i] = bound / unit; /* exact, a power of two */
    ref->terms[i] = 1;
    ref->underflow[i] = 2;
    ref->match[i] = MATCH_BOUND;
}

static RefMatch match_of(FunctionValue v)
{
    return v.usual ? MATCH_USUAL : MATCH_BITS;
}

/* A boolean is whether the integer is not 0. */
static void put_whole(Ref *ref, size_t i, FunctionValue v)
{
    if (ref->dtype == DT_BOOL)
        ref_set_exact(ref, i, v.value != 0, MATCH_VALUE);
    else if (v.known == BITS_OF_VALUE)
        ref_put_whole(ref, i, v.bits, v.value, v.error);
    else
        ref_put_integer(ref, i,
                        v.known == BITS_ALONE ? dtype_whole_of(ref->dtype, v.bits) : v.value);
}

/* The exact value rounded once, or by way of the accumulator. */
static void put_rounded(Ref *ref, size_t i, FunctionValue v, FunctionMatch match)
{
    REQUIRE(ref->candidates);
    double low = (double)(v.value - v.error), high = (double)(v.value + v.error);
    double near = dtype_round(ref->dtype, dtype_round(ref->accumulator, (double)v.value));
    double *set = ref->candidates + i * REF_CANDIDATES;
    bool integer = dtype_is_integer(ref->dtype);
    bool whole =
        v.known != BITS_UNKNOWN || (isfinite((double)v.value) && v.value == truncl(v.value));
    if (integer && whole) {
        put_whole(ref, i, v);
        return;
    }
    set[0] = near;
    set[1] = dtype_round(ref->dtype, low);
    set[2] = dtype_round(ref->dtype, high);
    if (v.has_other)
        set[2] = dtype_round(ref->dtype, (double)v.other);
    if (match == FUNCTION_BITS) {
        ref_set_exact(ref, i, near, match_of(v));
        return;
    }
    ref_set_classes(ref, i, value_class(set[0]) | value_class(set[1]) | value_class(set[2]));
    ref->high[i] = isfinite(near) ? near : 0;
    ref->match[i] = isnan(near) || !(ref->classes[i] & CLASS_FINITE) ? MATCH_BOUND : MATCH_SET;
}

typedef struct FunctionRun {
    Ref *ref;
    const Function *function;
    const FunctionParams *params;
    const Tensor *second;
    DType dtype;
    bool loose, early, narrow;
} FunctionRun;

static bool ends_early(const Function *f, const Format *format, double x, double y)
{
    double largest = format->largest;
    switch (f->range) {
    case RANGE_RESULT:
        return fabs(y) > largest / 8;
    case RANGE_SQUARE:
        return fabs(x) > 0.99 * sqrt(largest);
    case RANGE_ARGUMENT:
        return fabs(x) > largest / 32;
    case RANGE_WHOLE:
        break;
    }
    return false;
}

double function_bound(const Function *f, const FunctionParams *params, const Format *format,
                      double x, double y, bool loose)
{
    enum { OPERATIONS = 20 };
    double u = format->unit, size = fmin(fabs(y), format->largest);
    double argument = isfinite(x) ? fabs(x) : 0;
    double bound = f->ulps * format_ulp(format, size) +
                   u * (f->of_value * size + f->of_argument * argument + f->absolute) +
                   f->steps * format->smallest_normal;
    double scale =
        (f->has_alpha ? fabs(params->alpha) : 1) * (f->has_beta ? fabs(params->beta) : 1);
    bound += f->subnormals * argument * format->smallest_subnormal +
             f->steps_of_argument * argument * format->smallest_normal +
             f->enlarged * format->smallest_subnormal / 2;
    if (loose && f->faithful)
        bound += format_ulp(format, size);
    if (loose)
        bound += u * (f->loose * scale + f->loose_of_argument * argument);
    return formula_up(bound, OPERATIONS);
}

/* True where a text says which zero the rounded result is. */
static bool has_signed_zero(const FunctionRun *run, FunctionValue v, double x)
{
    bool free = v.value != 0 || v.moved != 0 || dtype_is_integer(run->ref->dtype);
    return run->function->zeros && !free && (!v.has_other || x == 0);
}

/* True where a number of the text is met to the bit; where a library documents a weaker bound, that
 * holds there as well, but for the sign of zero. */
static bool is_to_the_bit(const FunctionRun *run, FunctionValue v)
{
    return v.named && isfinite(v.value) && (v.value == 0 || !run->loose);
}

/* It may be an infinity of its sign as well. */
static void add_infinity(Ref *ref, size_t i, FunctionValue v)
{
    unsigned infinity = v.value < 0 ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    ref_set_classes(ref, i, ref->classes[i] | infinity);
}

/* Element i is v = f(x, second), or of x alone, where second is 0. */
static void put_value(const FunctionRun *run, size_t i, double x, double second, FunctionValue v)
{
    bool is_nan = isnan(x) || isnan(second), is_finite = isfinite(x) && isfinite(second);
    const Function *f = run->function;
    const Format *format = dtype_format(run->ref->accumulator);
    if (!isfinite(v.error))
        v.error = 0;
    if (f->domain > 0 && isfinite(x) && fabs(x) > f->domain)
        ref_set_classes(run->ref, i, CLASS_ANY);
    else if ((f->match != FUNCTION_BOUND || dtype_is_integer(run->ref->dtype)) &&
             !(run->loose && f->faithful) && v.moved == 0)
        put_rounded(run->ref, i, v, f->match);
    else
        ref_put_bounded(
            run->ref, i, v.value, v.error,
            add_up(function_bound(f, run->params, format, x, (double)v.value, run->loose),
                   double_up(v.moved + f->of_terms * format->unit * v.terms)));
    if (is_to_the_bit(run, v) || has_signed_zero(run, v, x))
        ref_set_exact(run->ref, i, dtype_round(run->ref->dtype, (double)v.value), match_of(v));
    if (v.peak > format->largest / 2 && is_finite)
        ref_set_classes(run->ref, i, CLASS_ANY);
    if (v.rise > format->largest / 2 && is_finite)
        add_infinity(run->ref, i, v);
    if (run->loose && f->compares && is_nan)
        ref_set_classes(run->ref, i, CLASS_ANY);
    if (run->early && ends_early(f, format, x, (double)v.value))
        add_infinity(run->ref, i, v);
    if (v.any)
        ref_set_classes(run->ref, i, CLASS_ANY);
    if (v.or_nan)
        ref_set_classes(run->ref, i, run->ref->classes[i] | CLASS_NAN);
}

FunctionValue function_at(const FunctionLimit *limit, long double x, long double second)
{
    long double value = limit_value(limit, x, second);
    /* A constant that is no short number is rounded to 64 bits. */
    bool exact = limit->kind != LIMIT_VALUE || isnan(value) || value == (long double)(float)value;
    return (FunctionValue){.value = value,
                           .error = exact ? 0 : fabsl(value) * 0x1p-63L,
                           .named = !limit->near,
                           .or_nan = limit->or_nan};
}

FunctionValue function_value(const Function *f, const FunctionParams *params, long double x)
{
    const FunctionLimit *limit = limit_find(f->limits, false, x, 0);
    if (limit)
        return function_at(limit, x, 0);
    if (f->special)
        return f->special(x);
    if (!f->library)
        return f->evaluate(x, params);
    long double value = f->library(x);
    return (FunctionValue){.value = value, .error = fabsl(value) * 0x1p-59L + 0x1p-16400L};
}

/* The larger difference from the values beside x; where f has none on one side, the other one's. */
static long double moved_by(const FunctionRun *run, long double x, long double value)
{
    const Function *f = run->function;
    const Format *format = dtype_format(run->ref->accumulator);
    long double reach = f->moved * format->unit, most = 0;
    if (reach == 0 || !isfinite(x) || !isfinite(value))
        return 0;
    for (int side = -1; side <= 1; side += 2) {
        long double other =
            function_value(f, run->params,
                           x * (1 + side * reach) + side * format->smallest_subnormal)
                .value;
        most = isnan(other) ? most : fmaxl(most, fabsl(other - value));
    }
    return most;
}

/* How far a formula in steps of the type is off. */
static long double narrowed_by(const FunctionRun *run, double x, FunctionValue v)
{
    bool known = isfinite(x) && isfinite((double)v.value);
    const Format *format = dtype_format(run->ref->accumulator);
    return known ? function_narrow_error(run->function->name, format, x, (double)v.value) : 0;
}

static void evaluate_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const FunctionRun *run = context;
    for (int64_t k = 0; k < count; k++) {
        double x = dtype_load(run->dtype, at, k * stride);
        const Function *f = run->function;
        FunctionValue v = run->dtype == DT_BOOL && f->evaluate_boolean
                              ? f->evaluate_boolean(x, run->params)
                              : function_value(f, run->params, x);
        v.moved = v.named ? 0 : run->narrow ? narrowed_by(run, x, v) : moved_by(run, x, v.value);
        put_value(run, (size_t)(first + k), x, 0, v);
    }
}

static FunctionValue evaluated(const FunctionRun *run, long double a, long double b)
{
    const Function *f = run->function;
    if (f->evaluate_whole && dtype_is_integer(run->dtype))
        return f->evaluate_whole(a, b);
    return f->evaluate_pair ? f->evaluate_pair(a, b) : f->evaluate_typed(a, b, run->dtype);
}

/* True when a slope may be computed as 0: it is no larger than its error. */
static bool may_vanish(const FunctionRun *run, double x)
{
    const Function *f = run->function;
    const Format *format = dtype_format(run->ref->accumulator);
    FunctionValue v = evaluated(run, 1, x);
    long double error = f->of_argument + f->of_terms * v.terms;
    if (run->loose)
        error += f->loose_of_argument;
    return fabsl(v.value) < fmaxl(format->smallest_normal, error * format->unit);
}

static FunctionValue pair_value(const FunctionRun *run, long double a, long double b)
{
    const FunctionLimit *limit = limit_find(run->function->limits, true, a, b);
    return limit ? function_at(limit, a, b) : evaluated(run, a, b);
}

/* As moved_by, of either argument. */
static long double pair_moved_by(const FunctionRun *run, long double a, long double b,
                                 long double value)
{
    const Format *format = dtype_format(run->ref->accumulator);
    long double reach = run->function->moved * format->unit, sum = 0;
    if (reach == 0 || !isfinite(a) || !isfinite(b) || !isfinite(value))
        return 0;
    for (int second = 0; second < 2; second++) {
        long double most = 0;
        for (int side = -1; side <= 1; side += 2) {
            long double to =
                (second ? b : a) * (1 + side * reach) + side * format->smallest_subnormal;
            long double other =
                second ? pair_value(run, a, to).value : pair_value(run, to, b).value;
            most = isnan(other) ? most : fmaxl(most, fabsl(other - value));
        }
        sum += most;
    }
    return sum;
}

static void evaluate_pair_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const FunctionRun *run = context;
    for (int64_t k = 0; k < count; k++) {
        double a = dtype_load(run->dtype, at, k * stride);
        double b = tensor_value(run->second, first + k);
        FunctionValue v = pair_value(run, a, b);
        v.moved += v.named ? 0 : pair_moved_by(run, a, b, v.value);
        if (run->function->slope_vanishes && isinf(a))
            v.or_nan = v.or_nan || may_vanish(run, b);
        put_value(run, (size_t)(first + k), a, b, v);
    }
}

const char *function_policy(const Function *function)
{
    if (function->faithful)
        return "faithful-rounding";
    if (function->compares)
        return "nan-by-comparison";
    bool loose = function->loose > 0 || function->loose_of_argument > 0;
    return loose ? "absolute-accuracy" : NULL;
}

/* The ends that results are held to, in their type; under a weaker bound there are none. */
static void hold_results(const FunctionRun *run, Ref *ref)
{
    const ResultRange *range = &run->function->results;
    DType dtype = ref->dtype, accumulator = ref->accumulator;
    bool weaker = run->loose && !run->function->compares;
    if (range->least_by && !weaker)
        ref->least = dtype_round(dtype, dtype_round(accumulator, (double)range->least));
    if (range->greatest_by && !weaker)
        ref->greatest = dtype_round(dtype, dtype_round(accumulator, (double)range->greatest));
}

/* Arithmetic that rounds every step to the type of the operands has no steps in a function of the C
 * library: that is computed in binary32 and rounded once all the same. */
static void allocate_run(const FunctionRun *run, Ref *ref, const Tensor *x, DType dtype,
                         Arena *arena)
{
    ref_allocate_bounded(ref, dtype, x, arena);
    if (run->function->library && dtype_size(dtype) == 2 && !run->narrow)
        ref->accumulator = DT_F32;
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
}

/* Adds the reference of the run, which differs from the strict one, as an alternative. */
static void add_weaker(const FunctionRun *run, Ref *ref, const Tensor *x, DType dtype,
                       TensorVisit *visit, const char *policy, Arena *arena)
{
    Ref weaker;
    FunctionRun again = *run;
    allocate_run(run, &weaker, x, dtype, arena);
    again.ref = &weaker;
    hold_results(&again, &weaker);
    tensor_visit_runs(x, visit, &again);
    ref_add_alternative(ref, &weaker, policy, arena);
}

/* Adds the reference of the formula in steps of the type, whose error is all in what it is moved
 * by.
 */
static void add_narrow(const FunctionRun *run, Ref *ref, const Tensor *x, DType dtype,
                       TensorVisit *visit, Arena *arena)
{
    const Function *f = run->function;
    Function formula = {.name = f->name,
                        .library = f->library,
                        .match = FUNCTION_BOUND,
                        .limits = f->limits,
                        .results = f->results,
                        .zeros = f->zeros};
    FunctionRun narrow = *run;
    narrow.function = &formula;
    narrow.narrow = true;
    add_weaker(&narrow, ref, x, dtype, visit, FUNCTION_NARROW, arena);
}

/* The reference, and with it the weaker ones where the function has them. */
static void run_all(FunctionRun *run, const Tensor *x, DType dtype, TensorVisit *visit,
                    Arena *arena)
{
    Ref *ref = run->ref;
    FunctionRun loose = *run, early = *run;
    allocate_run(run, ref, x, dtype, arena);
    hold_results(run, ref);
    tensor_visit_runs(x, visit, run);
    loose.loose = early.early = true;
    if (function_policy(run->function))
        add_weaker(&loose, ref, x, dtype, visit, function_policy(run->function), arena);
    if (run->function->range != RANGE_WHOLE)
        add_weaker(&early, ref, x, dtype, visit, FUNCTION_EARLY, arena);
    if (dtype_size(dtype) == 2 && dtype_arithmetic(dtype) == dtype &&
        function_narrow_has(run->function->name))
        add_narrow(run, ref, x, dtype, visit, arena);
}

void function_reference(Ref *ref, const Function *function, const FunctionParams *params,
                        const Tensor *x, DType dtype, Arena *arena)
{
    REQUIRE((function->library || function->special || function->evaluate) && params);
    FunctionRun run = {.ref = ref, .function = function, .params = params, .dtype = x->dtype};
    run_all(&run, x, dtype, evaluate_run, arena);
}

void function_pair_reference(Ref *ref, const Function *function, const Tensor *a, const Tensor *b,
                             DType dtype, Arena *arena)
{
    REQUIRE((function->evaluate_pair || function->evaluate_typed) &&
            tensor_count(a) == tensor_count(b));
    FunctionRun run = {.ref = ref,
                       .function = function,
                       .params = &(FunctionParams){0},
                       .second = b,
                       .dtype = a->dtype};
    run_all(&run, a, dtype, evaluate_pair_run, arena);
}
