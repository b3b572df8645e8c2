/* Says limits and closed ranges of functions in words. */
#include "ranges.h"

#include <float.h>
#include <math.h>

static void put_number(Text *text, long double value)
{
    static const struct {
        long double value;
        const char *name;
    } angles[] = {{1, "pi"}, {0.5L, "pi/2"}, {0.75L, "3pi/4"}, {0.25L, "pi/4"}};
    const long double pi = 3.14159265358979323846264338327950288L;
    for (size_t i = 0; i < COUNT_OF(angles); i++)
        if (fabsl(value) == angles[i].value * pi) {
            text_printf(text, "%s%s", value < 0 ? "-" : "", angles[i].name);
            return;
        }
    text_printf(text, isnan(value) ? "NaN" : value == 0 ? "%+Lg" : "%Lg", value);
}

/* True for the number of long double beside an integer, which is no end of its own. */
static bool is_beside_integer(long double end)
{
    return isfinite(end) && end != rintl(end) && fabsl(end - rintl(end)) < 0x1p-60L;
}

static void put_end(Text *text, long double end, const char *among, const char *beside)
{
    bool excluded = is_beside_integer(end);
    text_put(text, excluded ? beside : among);
    if (excluded)
        text_printf(text, "%Lg", rintl(end) + 0.0L); /* not -0 */
    else
        put_number(text, end);
}

static void put_between(Text *text, const Arguments *set)
{
    bool finite = set->from == -LDBL_MAX || set->to == LDBL_MAX;
    bool low = set->from > -LDBL_MAX, high = set->to < LDBL_MAX;
    text_put(text, finite ? "finite" : !low && !high ? "any number" : "");
    text_put(text, finite && (low || high) ? " " : "");
    if (low)
        put_end(text, set->from, "from ", "above ");
    text_put(text, low && high ? " and " : "");
    if (high)
        put_end(text, set->to, "up to ", "below ");
}

static void put_arguments(Text *text, const Arguments *set)
{
    static const char *const kinds[] = {"", "integer ", "no integer, ", "odd ", "not odd, "};
    text_put(text, kinds[set->whole]);
    if (isnan(set->to))
        text_put(text, isnan(set->from) ? "NaN" : "anything");
    else if (set->from == 0 && set->to == 0 && signbit(set->from) != signbit(set->to))
        text_put(text, "0");
    else if (set->from == set->to)
        put_number(text, set->from);
    else
        put_between(text, set);
}

static void put_limit(Text *text, const FunctionLimit *limit, bool of_two)
{
    put_arguments(text, &limit->first);
    if (of_two) {
        text_put(text, ", ");
        put_arguments(text, &limit->second);
    }
    text_put(text, limit->near && isfinite(limit->value) ? ": near " : ": ");
    if (limit->kind == LIMIT_VALUE && limit->near && limit->value == 0)
        text_put(text, "0");
    else if (limit->kind == LIMIT_VALUE)
        put_number(text, limit->value);
    else
        text_put(text, !of_two                      ? "itself"
                       : limit->kind == LIMIT_FIRST ? "the first"
                                                    : "the second");
    text_put(text, limit->or_nan ? " or NaN" : "");
}

static void put_texts(Text *text, const char *const texts[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (texts[i] && (i == 0 || texts[i] != texts[i - 1]))
            text_printf(text, "%s%s", text->length > 0 ? "; " : "", texts[i]);
}

static void put_results(Text *text, const ResultRange *range)
{
    if (range->least == range->greatest)
        return;
    text_put(text, range->least == 0 ? "[0" : "[");
    if (range->least != 0)
        put_number(text, range->least);
    text_put(text, range->greatest == 0 ? ", 0" : ", ");
    if (range->greatest != 0)
        put_number(text, range->greatest);
    text_put(text, range->least_by && range->greatest_by ? "], both ends"
                   : range->least_by                     ? "], the lower end"
                   : range->greatest_by                  ? "], the upper end"
                                                         : "], neither end");
    text_put(text, " held");
}

static RangeWords words_of(const Function *f)
{
    RangeWords words = {0};
    bool of_two = f->evaluate_pair || f->evaluate_typed;
    for (const FunctionLimit *limit = f->limits; limit && limit->kind != LIMIT_END; limit++) {
        text_put(&words.limits, limit == f->limits ? "" : "; ");
        put_limit(&words.limits, limit, of_two);
    }
    put_results(&words.results, &f->results);
    const char *const texts[] = {f->results.least_by, f->results.greatest_by, f->source};
    put_texts(&words.source, texts, COUNT_OF(texts));
    return words;
}

void ranges_visit(RangePut *put, const void *context)
{
    const Function *const tables[] = {
        functions,          functions_special,          functions_with_degree, functions_of_laws,
        functions_of_pairs, functions_of_further_pairs, functions_of_law_pairs};
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const Function *f = tables[i]; f->name; f++) {
            RangeWords words = words_of(f);
            if (words.limits.length > 0 || words.results.length > 0)
                put(context, f, &words);
            text_release(&words.limits);
            text_release(&words.results);
            text_release(&words.source);
        }
}
