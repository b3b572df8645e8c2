/* Storage of cases: their groups of parameters, equality, normal form, access by name. */
#include "case.h"

#include <math.h>
#include <string.h>

#include "reference/random.h"

Scope scope_all(void)
{
    Scope scope = {.dtypes = (1u << DT_COUNT) - 1};
    for (const OpDesc *const *op = op_registry; *op; op++)
        scope.ops[scope.op_count++] = *op;
    return scope;
}

bool scope_takes(const Scope *scope, const Case *c, uint64_t turn, bool again)
{
    return !scope->takes || scope->takes(c, turn, again, scope->taker);
}

uint32_t scope_dtypes(const Scope *scope, const OpDesc *op)
{
    uint32_t only = scope->only[op_number(op)];
    return op_dtypes(op) & scope->dtypes & (only ? only : ~0u);
}

int case_groups(Case *c, ParamGroup groups[CASE_GROUPS_MAX])
{
    int count = 0;
    groups[count++] = (ParamGroup){"", c->op->params, c->params};
    for (int i = 0; c->op->tensors[i]; i++)
        groups[count++] = (ParamGroup){c->op->tensors[i], fill_params, &c->fill[i]};
    groups[count++] = (ParamGroup){"exec", exec_params, &c->exec};
    return count;
}

void case_init(Case *c, const OpDesc *op)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    *c = (Case){.op = op};
    int count = case_groups(c, groups);
    for (int i = 0; i < count; i++)
        for (const Param *param = groups[i].params; param->name; param++)
            param_set_simplest(param, groups[i].values);
}

static size_t bytes_of_fills(const OpDesc *op)
{
    return (size_t)op_tensor_count(op) * sizeof(Fill);
}

bool case_equal(const Case *a, const Case *b)
{
    return a->op == b->op && !memcmp(a->fill, b->fill, bytes_of_fills(a->op)) &&
           !memcmp(a->params, b->params, a->op->size) &&
           !memcmp(&a->exec, &b->exec, sizeof a->exec);
}

void case_copy(Case *to, const Case *from)
{
    to->op = from->op;
    memcpy(to->params, from->params, from->op->size);
    memcpy(to->fill, from->fill, bytes_of_fills(from->op));
    to->exec = from->exec;
}

uint64_t case_hash(const Case *c)
{
    Case copy = *c;
    ParamGroup groups[CASE_GROUPS_MAX];
    uint64_t hash = op_tag(c->op);
    int count = case_groups(&copy, groups);
    Text bytes = {0};
    for (int i = 0; i < count; i++)
        for (const Param *param = groups[i].params; param->name; param++)
            param_encode(param, groups[i].values, &bytes);
    hash = random_fold(hash, bytes.data, bytes.length);
    text_release(&bytes);
    return hash;
}

static double number_of_type(DType dtype, double value)
{
    return isnan(value) ? NAN : dtype_round(dtype, value);
}

static void normalise_dtype(Case *c, const Scope *scope)
{
    uint32_t wanted = scope ? scope_dtypes(scope, c->op) : op_dtypes(c->op);
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t *value = param_integer(param, c->params);
        if (param->kind != PARAM_DTYPE || (wanted & 1u << *value))
            continue;
        for (int64_t i = DT_COUNT - 1; i >= 0; i--)
            if (wanted & 1u << i)
                *value = i;
    }
}

/* Whether an operand has one element, which all elements of others meet. */
static bool has_single(const Case *c)
{
    Shapes shapes;
    if (!op_has_params(c->op, "shape broadcast_b"))
        return false;
    op_shape(c->op, c->params, &shapes);
    for (int i = 0; i < shapes.count; i++)
        if (shapes.tensor[i].role == ROLE_IN && tensor_count(&shapes.tensor[i].layout) == 1)
            return true;
    return false;
}

/* Whether operands may be integers in place of numbers of floating point: integers have no
 * gradient. */
static bool takes_integers(const Case *c)
{
    return (DTYPES_FLOAT & 1u << case_dtype(c)) && op_operand(c->op, "dy") < 0;
}

/* Whether the call of a case may be written in the form that it asks for. */
static bool has_form(const Case *c)
{
    const OpDesc *op = c->op;
    if (!op->any_layout || op->random || op->source || c->exec.illegal)
        return false;
    switch ((FormKind)c->exec.form) {
    case FORM_NUMBER:
        return has_single(c) && op_operand(op, "dy") < 0;
    case FORM_ZERO_DIM:
        return has_single(c);
    case FORM_NEGATIVE:
        return op_has_params(op, "axis") || op_has_params(op, "axes") ||
               op_has_params(op, "rotate");
    case FORM_IN_PLACE:
        return op->in_place;
    default:
        return form_integer((FormKind)c->exec.form).bits == 0 || takes_integers(c);
    }
}

/* Factors of integers and of 8 bits are numbers of binary32. */
static void round_scalars(Case *c)
{
    DType dtype = case_dtype(c);
    if (dtype_is_integer(dtype) || dtype_size(dtype) == 1)
        dtype = DT_F32;
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->kind != PARAM_SCALAR)
            continue;
        Scalar *scalar = param_scalar(param, c->params);
        scalar->re = number_of_type(dtype, scalar->re);
        bool real = dtype_components(dtype) == 1 || param->maximum == 1;
        scalar->im = real ? 0 : number_of_type(dtype, scalar->im);
    }
}

void case_normalise(Case *c, const Scope *scope)
{
    normalise_dtype(c, scope);
    /* A number that is too small for its type is 0, which an operator may not take. */
    round_scalars(c);
    op_normalise(c->op, c->params);
    if (scope && scope->limit)
        scope->limit(c, scope->limits);
    if (!c->op->any_layout)
        c->exec.layout = 0;
    if (!has_form(c))
        c->exec.form = FORM_PLAIN;
    if (scope && scope->threads > 0 && c->exec.threads > scope->threads)
        c->exec.threads = scope->threads;
    round_scalars(c);
    for (int i = 0; c->op->tensors[i]; i++) {
        Fill *fill = &c->fill[i];
        if (fill->kind == FILL_LIST && fill->values.count == 0)
            fill->kind = FILL_ZEROS;
        if (fill->kind != FILL_LIST)
            fill->values = (ValueList){0};
        if (fill->special == 0)
            fill->place = 0;
    }
}

bool case_is_simplest(const Case *c, int group, const Param *param)
{
    Case own = *c, simplest = *c;
    ParamGroup mine[CASE_GROUPS_MAX], groups[CASE_GROUPS_MAX];
    (void)case_groups(&own, mine);
    (void)case_groups(&simplest, groups);
    if (param_is_simplest(param, mine[group].values))
        return true;
    param_set_simplest(param, groups[group].values);
    case_normalise(&simplest, NULL);
    return param_equal(param, mine[group].values, groups[group].values);
}

/* The numbers in the memory of all operands, of which one may be large where an empty one leaves
 * nothing to compute, and gaps may be where elements are few. */
static double components_of(const OpDesc *op, const void *params)
{
    Shapes shapes;
    double components = 0;
    op_shape(op, params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        const Tensor *layout = &shapes.tensor[i].layout;
        double elements = (double)tensor_count(layout), span = (double)tensor_span(layout);
        components += (span > elements ? span : elements) * dtype_components(layout->dtype);
    }
    return components;
}

static void legal_params(const Case *c, unsigned char legal[OP_PARAMS_BYTES_MAX])
{
    memcpy(legal, c->params, c->op->size);
    op_normalise(c->op, legal);
}

/* What follows from the parameters alone is asked for several times for a case. */
typedef struct Size {
    const OpDesc *op;
    _Alignas(8) unsigned char params[OP_PARAMS_BYTES_MAX];
    double work, components;
} Size;

static const Size *size_of(const Case *c)
{
    static _Thread_local Size latest;
    _Alignas(8) unsigned char legal[OP_PARAMS_BYTES_MAX];
    if (latest.op == c->op && !memcmp(latest.params, c->params, c->op->size))
        return &latest;
    legal_params(c, legal);
    latest.components = components_of(c->op, legal);
    latest.work = fmax(op_work(c->op, legal), latest.components);
    latest.op = c->op;
    memcpy(latest.params, c->params, c->op->size);
    return &latest;
}

double case_work(const Case *c)
{
    return size_of(c)->work;
}

double case_components(const Case *c)
{
    return size_of(c)->components;
}

static const Param *find_param(const Case *c, const char *name)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param;
    return NULL;
}

const Param *case_param(const Case *c, const char *name)
{
    const Param *param = find_param(c, name);
    if (!param)
        BUG("operator %s has no parameter '%s'", c->op->name, name);
    return param;
}

static const void *param_at(const Case *c, const char *name)
{
    return c->params + case_param(c, name)->offset;
}

bool case_multiplies(const Case *c, const char *name)
{
    const Param *param = find_param(c, name);
    return c->op->linear && param && param->kind == PARAM_SCALAR && param->simplest == 1;
}

bool case_has(const Case *c, const char *name)
{
    return find_param(c, name) != NULL;
}

int64_t case_int(const Case *c, const char *name)
{
    return *(const int64_t *)param_at(c, name);
}

Scalar case_scalar(const Case *c, const char *name)
{
    return *(const Scalar *)param_at(c, name);
}

const Shape *case_shape(const Case *c, const char *name)
{
    return param_at(c, name);
}

const char *case_choice(const Case *c, const char *name)
{
    return case_param(c, name)->names[case_int(c, name)];
}

DType case_dtype(const Case *c)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_DTYPE)
            return (DType) * (const int64_t *)(const void *)(c->params + param->offset);
    BUG("operator %s has no element type", c->op->name);
}

void case_set_dtype(Case *c, DType dtype)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_DTYPE)
            *param_integer(param, c->params) = dtype;
}

const char *case_fill_name(const Case *c)
{
    for (int i = 0; c->op->tensors[i]; i++)
        if (c->fill[i].special != 0)
            return "special";
    for (int i = 1; c->op->tensors[i]; i++)
        if (c->fill[i].kind != c->fill[0].kind)
            return "mixed";
    return fill_kind_names[c->fill[0].kind];
}
