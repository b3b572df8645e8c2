/* A case and a minimal case are compared by the facets of their parameters, as signatures are. */
#include "avoid.h"

#include <string.h>

static int count_facets(const Case *c)
{
    int count = 0;
    Text facets = {0};
    for (const Param *param = c->op->params; param->name; param++)
        param_facet(param, c->params, &facets);
    for (size_t i = 0; i < facets.length; i++)
        count += facets.data[i] == ' ';
    text_release(&facets);
    for (int i = 0; c->op->tensors[i]; i++)
        count += c->fill[i].special != 0;
    return count + (dtype_components(case_dtype(c)) == 2);
}

void avoid_add(AvoidList *list, int backend, const Case *minimal)
{
    int count = list->count;
    bool broad = count_facets(minimal) < AVOID_FACETS_MIN;
    if (count == AVOID_RULES_MAX)
        return;
    list->rules[count] =
        (AvoidRule){backend, *minimal, broad ? AVOID_EXCEPTION_BROAD : AVOID_EXCEPTION};
    list->count = count + 1;
}

void avoid_share(AvoidList *readers, const AvoidList *own)
{
    int count = own->count;
    if (count == 0)
        return;
    readers->rules[count - 1] = own->rules[count - 1];
    readers->count = count;
}

static bool same_facet(const Param *param, const void *minimal, const void *values)
{
    Text a = {0}, b = {0};
    param_facet(param, minimal, &a);
    bool same = a.length == 0;
    if (!same) {
        param_facet(param, values, &b);
        same = !strcmp(text_string(&a), text_string(&b));
    }
    text_release(&a);
    text_release(&b);
    return same;
}

static bool rule_matches(const AvoidRule *rule, const Case *c)
{
    if (rule->minimal.op != c->op ||
        dtype_components(case_dtype(&rule->minimal)) != dtype_components(case_dtype(c)))
        return false;
    for (const Param *param = c->op->params; param->name; param++)
        if (!same_facet(param, rule->minimal.params, c->params))
            return false;
    for (int i = 0; c->op->tensors[i]; i++)
        if (rule->minimal.fill[i].special != 0 &&
            rule->minimal.fill[i].special != c->fill[i].special)
            return false;
    for (const Param *param = exec_params; param->name; param++)
        if (!same_facet(param, &rule->minimal.exec, &c->exec))
            return false;
    return true;
}

bool avoid_matches(const AvoidList *list, const Case *c, int backend, uint64_t *matched)
{
    int count = list->count;
    for (int i = 0; i < count; i++)
        if (list->rules[i].backend == backend && rule_matches(&list->rules[i], c))
            return ++*matched % list->rules[i].exception != 0;
    return false;
}
