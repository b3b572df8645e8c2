/* A case and that of a rule are compared by the facets of their parameters, as signatures are. */
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

static AvoidRule *find_rule(AvoidList *list, AvoidUse use, uint64_t key, int backend)
{
    for (int i = 0; i < AVOID_RULES_MAX; i++) {
        AvoidRule *rule = &list->rules[i];
        if (rule->use == use &&
            (use == AVOID_NOTHING || (rule->key == key && rule->backend == backend)))
            return rule;
    }
    return NULL;
}

static void write_rule(AvoidRule *rule, AvoidUse use, uint64_t key, int backend, const Case *like)
{
    bool broad = count_facets(like) < AVOID_FACETS_MIN;
    atomic_fetch_add(&rule->version, 1);
    rule->use = use;
    rule->key = key;
    rule->backend = backend;
    rule->exception = broad ? AVOID_EXCEPTION_BROAD : AVOID_EXCEPTION;
    rule->like = *like;
    atomic_fetch_add(&rule->version, 1);
}

void avoid_add(AvoidList *list, int backend, const Case *minimal)
{
    AvoidRule *rule = find_rule(list, AVOID_NOTHING, 0, backend);
    if (rule)
        write_rule(rule, AVOID_FILED, 0, backend, minimal);
}

void avoid_share(AvoidList *readers, const AvoidList *own)
{
    for (int i = 0; i < AVOID_RULES_MAX; i++) {
        const AvoidRule *from = &own->rules[i];
        AvoidRule *to = &readers->rules[i];
        unsigned version = from->version;
        if (to->version == version)
            continue;
        to->version = version + 1;
        atomic_thread_fence(memory_order_seq_cst);
        memcpy(&to->use, &from->use, sizeof *to - offsetof(AvoidRule, use));
        atomic_thread_fence(memory_order_seq_cst);
        to->version = version;
    }
}

static bool same_facet(const Param *param, const void *rule, const void *values)
{
    Text a = {0}, b = {0};
    param_facet(param, rule, &a);
    bool same = a.length == 0;
    if (!same) {
        param_facet(param, values, &b);
        same = !strcmp(text_string(&a), text_string(&b));
    }
    text_release(&a);
    text_release(&b);
    return same;
}

static int64_t integer_of(const Param *param, const void *values)
{
    return *(const int64_t *)(const void *)((const char *)values + param->offset);
}

/* Where one extent beyond the simplest shows a fault, larger ones do. */
static bool is_like(const Param *param, const void *rule, const void *values)
{
    if (param->kind != PARAM_DIM)
        return same_facet(param, rule, values);
    int64_t least = integer_of(param, rule), value = integer_of(param, values);
    return least > param->simplest ? value >= least : least == param->simplest || value == least;
}

/* Makes an extent as small as the other, and simplest what the values are not like. */
static void drop_facets(const Param *params, void *rule, const void *values)
{
    for (const Param *param = params; param->name; param++) {
        if (is_like(param, rule, values))
            continue;
        bool larger = param->kind == PARAM_DIM && integer_of(param, values) > param->simplest &&
                      integer_of(param, rule) > param->simplest;
        if (larger)
            *param_integer(param, rule) = integer_of(param, values);
        else
            param_set_simplest(param, rule);
    }
}

/* Leaves to the rule's case what it has in common with another one. */
static void drop_differences(Case *like, const Case *c)
{
    drop_facets(like->op->params, like->params, c->params);
    drop_facets(exec_params, &like->exec, &c->exec);
    for (int i = 0; like->op->tensors[i]; i++)
        if (like->fill[i].special != c->fill[i].special)
            like->fill[i].special = 0;
}

void avoid_early(AvoidList *list, uint64_t key, int backend, const Case *c)
{
    AvoidRule *rule = find_rule(list, AVOID_EARLY, key, backend);
    Case like = rule ? rule->like : *c;
    if (rule && rule->like.op != c->op)
        return;
    if (rule)
        drop_differences(&like, c);
    else
        rule = find_rule(list, AVOID_NOTHING, key, backend);
    if (rule)
        write_rule(rule, AVOID_EARLY, key, backend, &like);
}

void avoid_end_early(AvoidList *list, uint64_t key, int backend)
{
    AvoidRule *rule = find_rule(list, AVOID_EARLY, key, backend);
    if (!rule)
        return;
    atomic_fetch_add(&rule->version, 1);
    rule->use = AVOID_NOTHING;
    atomic_fetch_add(&rule->version, 1);
}

static bool rule_matches(const AvoidRule *rule, const Case *c)
{
    DType ours = case_dtype(&rule->like), dtype = case_dtype(c);
    if (rule->like.op != c->op || dtype_components(ours) != dtype_components(dtype) ||
        (rule->use == AVOID_EARLY && ours != dtype))
        return false;
    for (const Param *param = c->op->params; param->name; param++)
        if (!is_like(param, rule->like.params, c->params))
            return false;
    for (int i = 0; c->op->tensors[i]; i++)
        if (rule->like.fill[i].special != 0 && rule->like.fill[i].special != c->fill[i].special)
            return false;
    for (const Param *param = exec_params; param->name; param++)
        if (!is_like(param, &rule->like.exec, &c->exec))
            return false;
    return true;
}

/* Copies a rule for the operator and backend; false where it is for others, or being written. */
static bool read_rule(const AvoidRule *shared, const Case *c, int backend, AvoidRule *rule)
{
    unsigned version = shared->version;
    if (version % 2 != 0 || shared->use == AVOID_NOTHING || shared->backend != backend ||
        shared->like.op != c->op)
        return false;
    memcpy(rule, shared, sizeof *rule);
    atomic_thread_fence(memory_order_seq_cst);
    return shared->version == version;
}

AvoidUse avoid_matches(const AvoidList *list, const Case *c, int backend, uint64_t *matched,
                       bool *due)
{
    AvoidRule rule;
    for (int i = 0; i < AVOID_RULES_MAX; i++)
        if (read_rule(&list->rules[i], c, backend, &rule) && rule_matches(&rule, c)) {
            *due = ++*matched % rule.exception == 0 || rule.use == AVOID_EARLY;
            return rule.use;
        }
    return AVOID_NOTHING;
}

bool avoid_explains(const AvoidList *list, const Case *c, int backend)
{
    AvoidRule rule;
    for (int i = 0; i < AVOID_RULES_MAX; i++)
        if (read_rule(&list->rules[i], c, backend, &rule) && rule.use == AVOID_FILED &&
            rule_matches(&rule, c))
            return true;
    return false;
}
