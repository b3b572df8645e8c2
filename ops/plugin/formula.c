/* A parser by recursive descent that computes as it reads. */
#include "formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* params is NULL where the text is only checked. */
typedef struct Reader {
    const char *at;
    const OpDesc *op;
    const void *params;
    const char *wrong; /* where the text is no formula; NULL: it is one so far */
    int depth;
} Reader;

enum { DEPTH_MAX = 20 };

static int64_t read_sum(Reader *r);

static void fail(Reader *r)
{
    if (!r->wrong)
        r->wrong = r->at;
}

static bool is_number(const Param *param)
{
    return param->kind == PARAM_DIM || param->kind == PARAM_INTEGER || param->kind == PARAM_CHOICE;
}

static int64_t read_name(Reader *r)
{
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    const Param *param = op_param(r->op, r->at, length);
    if (!param || !is_number(param)) {
        fail(r);
        return 0;
    }
    r->at += length;
    return r->params ? *(const int64_t *)(const void *)((const char *)r->params + param->offset)
                     : 1;
}

static int64_t read_primary(Reader *r)
{
    char *end;
    int64_t value;
    if (r->wrong || ++r->depth > DEPTH_MAX) {
        fail(r);
        return 0;
    }
    if (*r->at == '(') {
        r->at++;
        value = read_sum(r);
        if (*r->at != ')')
            fail(r);
        else
            r->at++;
    } else if (isdigit((unsigned char)*r->at)) {
        value = strtoll(r->at, &end, 10);
        r->at = end;
    } else {
        value = read_name(r);
    }
    r->depth--;
    return value;
}

static int64_t within_range(int64_t high, bool overflows, bool negative)
{
    return !overflows ? high : negative ? INT64_MIN / 4 : INT64_MAX / 4;
}

static int64_t read_product(Reader *r)
{
    int64_t value = read_primary(r), result;
    while (!r->wrong && *r->at && strchr("*/%", *r->at)) {
        char operation = *r->at++;
        int64_t other = read_primary(r);
        if (operation == '*') {
            bool overflows = __builtin_mul_overflow(value, other, &result);
            value = within_range(result, overflows, (value < 0) != (other < 0));
        } else if (other == 0) {
            value = 0;
        } else {
            value = operation == '/' ? value / other : value % other;
        }
    }
    return value;
}

static int64_t read_sum(Reader *r)
{
    int64_t value = read_product(r), result;
    while (!r->wrong && (*r->at == '+' || *r->at == '-')) {
        bool plus = *r->at++ == '+';
        int64_t other = read_product(r);
        bool overflows = plus ? __builtin_add_overflow(value, other, &result)
                              : __builtin_sub_overflow(value, other, &result);
        value = within_range(result, overflows, value < 0);
    }
    return value;
}

bool formula_check(const char *text, const OpDesc *op, Text *error)
{
    Reader r = {.at = text, .op = op};
    (void)read_sum(&r);
    if (!r.wrong && *r.at == '\0')
        return true;
    const char *at = r.wrong ? r.wrong : r.at;
    Nearest nearest = nearest_begin(at, strcspn(at, "+-*/%()"));
    for (const Param *param = op->params; param->name; param++)
        if (is_number(param))
            nearest_offer(&nearest, param->name);
    text_printf(error, "'%s' is no formula of the parameters: at \"%s\"", text, at);
    nearest_put(&nearest, error);
    return false;
}

int64_t formula_value(const char *text, const OpDesc *op, const void *params)
{
    Reader r = {.at = text, .op = op, .params = params};
    return read_sum(&r);
}

bool formula_next_word(const char **words, char word[FORMULA_BYTES])
{
    *words += strspn(*words, " ");
    size_t length = strcspn(*words, " ");
    if (length == 0 || length >= FORMULA_BYTES)
        return false;
    (void)snprintf(word, FORMULA_BYTES, "%.*s", (int)length, *words);
    *words += length;
    return true;
}

/* A condition in its parts: PARAMETER, what it is compared by, FORMULA.  divisor is 0 where no
 * remainder is compared. */
typedef struct Rule {
    const Param *param;
    char mark[3];
    int64_t divisor;
    const char *formula;
} Rule;

static bool cut_rule(const char *word, const OpDesc *op, Rule *rule)
{
    static const char *const marks[] = {"<=", ">=", "<", ">", "="};
    size_t name = strcspn(word, "<>=%");
    char *end = NULL;
    const char *mark = word + name;
    *rule = (Rule){.param = op_param(op, word, name)};
    if (*mark == '%') {
        rule->divisor = strtoll(mark + 1, &end, 10);
        mark = end;
        if (rule->divisor < 1 || *mark != '=')
            return false;
    }
    for (size_t i = 0; rule->param && is_number(rule->param) && i < COUNT_OF(marks); i++) {
        size_t length = strlen(marks[i]);
        if (strncmp(mark, marks[i], length) != 0)
            continue;
        (void)snprintf(rule->mark, sizeof rule->mark, "%s", marks[i]);
        rule->formula = mark + length;
        return *rule->formula && !strchr("<>=", *rule->formula);
    }
    return false;
}

bool rules_check(const char *rules, const OpDesc *op, Text *error)
{
    char word[FORMULA_BYTES];
    Rule rule;
    while (formula_next_word(&rules, word)) {
        if (cut_rule(word, op, &rule)) {
            if (!formula_check(rule.formula, op, error))
                return false;
            continue;
        }
        text_printf(error,
                    "'%s' is no condition: expected PARAMETER<=FORMULA, <, >=, >, = or "
                    "PARAMETER%%NUMBER=NUMBER",
                    word);
        return false;
    }
    if (*rules)
        text_printf(error, "a condition is longer than %d characters: %s", FORMULA_BYTES - 1,
                    rules);
    return *rules == '\0';
}

static int64_t clamp_to(const Param *param, int64_t value)
{
    return value < param->minimum   ? param->minimum
           : value > param->maximum ? param->maximum
                                    : value;
}

static void apply_rule(const Rule *rule, const OpDesc *op, void *params)
{
    int64_t *value = param_integer(rule->param, params);
    int64_t limit = formula_value(rule->formula, op, params), wanted = *value;
    if (rule->divisor) {
        int64_t off = ((wanted - limit) % rule->divisor + rule->divisor) % rule->divisor;
        wanted -= off;
        if (wanted < rule->param->minimum || (off && wanted <= 0))
            wanted += rule->divisor;
    } else if (rule->mark[0] == '<') {
        limit -= rule->mark[1] == '\0';
        wanted = wanted > limit ? limit : wanted;
    } else if (rule->mark[0] == '>') {
        limit += rule->mark[1] == '\0';
        wanted = wanted < limit ? limit : wanted;
    } else {
        wanted = limit;
    }
    *value = clamp_to(rule->param, wanted);
}

void rules_apply(const char *rules, const OpDesc *op, void *params)
{
    enum { ROUNDS = 4 };
    char word[FORMULA_BYTES];
    Rule rule;
    for (int round = 0; round < ROUNDS; round++) {
        const char *rest = rules;
        while (formula_next_word(&rest, word))
            if (cut_rule(word, op, &rule))
                apply_rule(&rule, op, params);
    }
}
