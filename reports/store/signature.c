/* Signatures and readable values. */
#include "signature.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ops/case/trigger.h"
#include "oracle/symptom.h"
#include "reference/random.h"

/* A departure under a name: one finding per operator, whatever shows it. */
static void put_policy(Text *text, const Case *c, const char *backend, const Judgement *j)
{
    text_printf(text, "%s ", c->op->name);
    text_append(text, backend, strcspn(backend, "@"));
    text_printf(text, " POLICY %s", j->model);
}

static void put_head(Text *text, const Case *c, const char *backend, const Judgement *j)
{
    size_t length = strcspn(backend, "@");
    text_printf(text, "%s %s ", c->op->name, dtype_name(case_dtype(c)));
    text_append(text, backend, length);
    text_printf(text, " %s", verdict_name(j->kind));
}

void signature_put_detail(Text *text, const char *detail)
{
    bool inside = false; /* of a name */
    while (*detail) {
        size_t length =
            !inside && isdigit((unsigned char)*detail) ? strspn(detail, "0123456789 .,-") : 0;
        while (length > 0 && strchr(" .,-", detail[length - 1]))
            length--;
        if (length > 0)
            text_put(text, "#");
        else
            text_append(text, detail, 1);
        inside = length == 0 && isalnum((unsigned char)*detail);
        detail += length > 0 ? length : 1;
    }
}

void signature_raw(Text *text, const Case *c, const char *backend, const Judgement *j,
                   const char *detail)
{
    if (j->kind == VERDICT_POLICY) {
        put_policy(text, c, backend, j);
        return;
    }
    put_head(text, c, backend, j);
    text_put(text, "/");
    signature_put_detail(text, detail[0] ? detail : symptom_name(symptom_of(j, detail)));
    text_printf(text, "/%s", pattern_name(j->pattern));
}

uint64_t signature_hash(const char *signature)
{
    return random_fold(1, signature, strlen(signature)) | 1;
}

/* Kinds of data are not facets, but special values among them are, and the ends of the range. */
static void put_fill_facets(Text *text, const ParamGroup *group, const Fill *fill, DType dtype)
{
    const char *range = fill_range(fill, dtype);
    if (range)
        text_printf(text, "%s is %s ", group->name, range);
    for (const Param *param = group->params; param->name; param++) {
        if (strcmp(param->name, "special") != 0 || param_is_simplest(param, group->values))
            continue;
        text_printf(text, "%s has ", group->name);
        param_print(param, group->values, text);
        text_printf(text, " ");
    }
}

/* Ones and zeros show what is wrong with the structure; values that differ, but are exact in every
 * order, tell elements apart; other data is needed where only rounding or range shows it. */
static void put_data_facet(Text *text, const Case *c)
{
    int64_t kind = FILL_ONES;
    for (int i = 0; c->op->tensors[i]; i++)
        if (c->fill[i].kind > kind)
            kind = c->fill[i].kind;
    if (kind > FILL_LIST)
        text_put(text, "rounding ");
    else if (kind > FILL_ZEROS)
        text_put(text, "values ");
}

void signature_final(Text *text, const Case *minimal, const char *backend, const Judgement *j,
                     const char *detail, const char *more)
{
    Case copy = *minimal;
    ParamGroup groups[CASE_GROUPS_MAX];
    int count = case_groups(&copy, groups);
    if (j->kind == VERDICT_POLICY) {
        put_policy(text, minimal, backend, j);
        return;
    }
    put_head(text, minimal, backend, j);
    if (detail[0]) {
        text_put(text, " (");
        signature_put_detail(text, detail);
        text_put(text, ")");
    }
    if (j->pattern != PATTERN_NONE)
        text_printf(text, " %s", pattern_name(j->pattern));
    text_printf(text, " | %s", more);
    for (int i = 0; i < count; i++) {
        bool is_fill = i > 0 && i < count - 1;
        if (is_fill)
            put_fill_facets(text, &groups[i], &minimal->fill[i - 1], case_dtype(minimal));
        for (const Param *param = groups[i].params; !is_fill && param->name; param++)
            if (!case_is_simplest(minimal, i, param))
                param_facet(param, groups[i].values, text);
    }
    put_data_facet(text, minimal);
    while (text->length > 0 && strchr(" |", text->data[text->length - 1]))
        text->data[--text->length] = '\0';
}

void signature_of_library(Text *text, const char *backend, VerdictKind kind, const char *detail)
{
    text_append(text, backend, strcspn(backend, "@"));
    text_printf(text, " %s (", verdict_name(kind));
    signature_put_detail(text, detail);
    text_put(text, ")");
}

void signature_put_value(Text *text, double high, double low)
{
    text_put_double(text, high);
    if (low != 0 && isfinite(low))
        text_printf(text, " %+a", low);
    if (isfinite(high))
        text_printf(text, " (%.9g)", high);
}
