/* Cases are mended, made legal again, and mended once more where that undid it. */
#include "limit.h"

#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "condition.h"
#include "reference/list.h"

enum { ROUNDS = 3 };

void limits_add(Limits *limits, const OpDesc *op, uint32_t dtypes, const char *conditions)
{
    limits->limits =
        list_grow(limits->limits, limits->count, &limits->room, sizeof *limits->limits);
    limits->limits[limits->count++] = (Limit){op, dtypes, memory_duplicate(conditions)};
}

static void append(char **list, const char *condition)
{
    Text whole = {0};
    text_printf(&whole, "%s%s%s", *list ? *list : "", *list ? "," : "", condition);
    free(*list);
    *list = memory_duplicate(text_string(&whole));
    text_release(&whole);
}

/* No operator has what the condition names. */
static void refuse_name(const char *condition, const Scope *scope, Text *error)
{
    int length = (int)strcspn(condition, "!%=");
    Nearest nearest = nearest_begin(condition, (size_t)length);
    for (int i = 0; i < scope->op_count; i++)
        conditions_offer_names(scope->ops[i], &nearest);
    text_printf(error, "no operator here has '%.*s'", length, condition);
    nearest_put(&nearest, error);
}

/* One condition, for the operators that it fits. */
static bool fix_one(Limits *limits, const char *condition, const Scope *scope, Text *error)
{
    bool fits = false;
    Text refusal = {0};
    Comparison comparison;
    if (strchr(condition, '=') && !comparison_read(&comparison, condition, error))
        return false;
    for (int i = 0; i < scope->op_count; i++) {
        const OpDesc *op = scope->ops[i];
        Text why = {0};
        if (conditions_fit(condition, op, &why)) {
            append(&limits->fixed[op_number(op)], condition);
            fits = true;
        } else if (refusal.length == 0 && condition_is_of(condition, op)) {
            text_put(&refusal, text_string(&why));
        }
        text_release(&why);
    }
    if (!fits && refusal.length == 0)
        refuse_name(condition, scope, error);
    else if (!fits)
        text_put(error, text_string(&refusal));
    /* Cases of the others would have any type. */
    bool is_short = fits && refusal.length > 0 && !strncmp(condition, "dtype=", strlen("dtype="));
    if (is_short)
        text_printf(error, "%s; --dtype leaves out operators that lack a type",
                    text_string(&refusal));
    text_release(&refusal);
    return fits && !is_short;
}

/* False where one before it says what its name is, too; *given has these with a newline before
 * each.
 */
static bool is_alone(const char *condition, Text *given, Text *error)
{
    Comparison own;
    Text ignored = {0}, begin = {0};
    bool read = strchr(condition, '=') && comparison_read(&own, condition, &ignored);
    text_release(&ignored);
    if (!read || own.unequal || own.divisor)
        return true;
    text_printf(&begin, "\n%s=", own.name);
    const char *other = strstr(text_string(given), text_string(&begin));
    if (other) {
        other += begin.length;
        text_printf(error, "%s is given twice: cases draw from several words of one, %s=%.*s|%s",
                    own.name, own.name, (int)strcspn(other, "\n"), other, own.words);
    }
    text_printf(given, "\n%s", condition);
    text_release(&begin);
    return !other;
}

bool limits_fix(Limits *limits, const char *conditions, const Scope *scope, Text *error)
{
    char *copy = memory_duplicate(conditions), *rest = copy;
    bool ok = true;
    Text given = {0};
    for (char *condition; ok && (condition = strsep(&rest, ", "));)
        ok = *condition == '\0' ||
             (is_alone(condition, &given, error) && fix_one(limits, condition, scope, error));
    text_release(&given);
    free(copy);
    return ok;
}

static void mend(Case *c, const char *conditions)
{
    conditions_mend(conditions, c);
    op_normalise(c->op, c->params);
}

static bool hold(const Case *c, const char *conditions)
{
    Text why = {0};
    int held;
    bool ok = !conditions || conditions_hold(conditions, c, NULL, &held, &why);
    text_release(&why);
    return ok;
}

/* The conditions of a limit that the case meets; else of one that follows from the case, so that
 * each has its share; NULL where the operator has none. */
static const char *choose_limit(const Limits *limits, const Case *c)
{
    const char *chosen = NULL;
    uint64_t share = (uint64_t)c->fill[0].seed, number = 0;
    for (size_t i = 0; i < limits->count; i++) {
        const Limit *limit = &limits->limits[i];
        if (limit->op != c->op || !(limit->dtypes >> case_dtype(c) & 1))
            continue;
        if (hold(c, limit->conditions))
            return limit->conditions;
        if (share % ++number == 0)
            chosen = limit->conditions;
    }
    return chosen;
}

void limits_apply(Case *c, const void *context)
{
    const Limits *limits = context;
    const char *fixed = limits->fixed[op_number(c->op)], *limit = choose_limit(limits, c);
    for (int round = 0; round < ROUNDS; round++) {
        if ((!limit || hold(c, limit)) && hold(c, fixed))
            return;
        if (limit)
            mend(c, limit);
        if (fixed)
            mend(c, fixed);
    }
}

void limits_release(Limits *limits)
{
    for (size_t i = 0; i < limits->count; i++)
        free(limits->limits[i].conditions);
    free(limits->limits);
    for (int i = 0; i < OP_MAX; i++)
        free(limits->fixed[i]);
    *limits = (Limits){0};
}
