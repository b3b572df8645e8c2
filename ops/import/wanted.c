/* The search goes along one parameter, or one number of a tuple, at a time, and where that does not
 * lead on, along two.  It needs no knowledge of the operator: its own shape rule and the derived
 * attributes say of each trial how far it is from what is wanted. */
#include "wanted.h"

#include <stdlib.h>
#include <string.h>

#include "reference/escape.h"

enum {
    POOL_MAX = 192,
    SHAPES_MAX = 64,
    COORDINATES_MAX = 96,
    TRIALS_MAX = 200000,
    FREE_INTEGERS = 64, /* so many of a parameter's numbers are all tried */
    /* What differences count. */
    COST_ONES = 1,
    COST_NUMBER = 16,
    COST_RANK = 64,
    COST_TYPE = 1024,
    COST_PRESENCE = 4096
};

/* What is varied: a parameter as a whole (part -1), or one of its numbers. */
typedef struct Coordinate {
    const Param *param;
    int part;
} Coordinate;

typedef struct Search {
    const Wanted *wanted;
    Case trial, best; /* as they were put, legal or not */
    int64_t cost;
    int trials, pool_count, shape_count, real_count, coordinate_count;
    int64_t pool[POOL_MAX];
    Shape shapes[SHAPES_MAX];
    double reals[WANTED_ATTRIBUTES_MAX];
    Coordinate coordinates[COORDINATES_MAX];
} Search;

bool wanted_attribute(Wanted *wanted, const char *name, const Attribute *value)
{
    if (wanted->attribute_count == WANTED_ATTRIBUTES_MAX || strlen(name) >= ATTRIBUTE_TEXT_BYTES)
        return false;
    WantedAttribute *attribute = &wanted->attributes[wanted->attribute_count++];
    memcpy(attribute->name, name, strlen(name) + 1);
    attribute->value = *value;
    return true;
}

static double number_of(const Attribute *value)
{
    return value->kind == ATTRIBUTE_REAL ? value->real : (double)value->integer;
}

/* The numbers that differ; a number stands for a tuple of it, and a tuple of one for a number. */
static int64_t differing(const Attribute *have, const Attribute *wanted)
{
    bool tuple = have->kind == ATTRIBUTE_TUPLE, other = wanted->kind == ATTRIBUTE_TUPLE;
    int64_t count = 0;
    if ((have->kind == ATTRIBUTE_TEXT) != (wanted->kind == ATTRIBUTE_TEXT))
        return COST_RANK;
    if (have->kind == ATTRIBUTE_TEXT)
        return strcmp(have->text, wanted->text) != 0;
    if (!tuple && !other)
        return (float)number_of(have) != (float)number_of(wanted);
    if (tuple && other && have->count != wanted->count)
        return COST_RANK;
    if (!tuple && wanted->count != 1)
        return COST_RANK;
    for (int i = 0; i < (tuple ? have->count : 1); i++)
        count +=
            (tuple ? have->list[i] : have->integer) != (other ? wanted->list[i] : wanted->integer);
    return count;
}

bool attribute_is(const Attribute *have, const Attribute *wanted)
{
    return differing(have, wanted) == 0;
}

static int64_t cost_of_operand(const WantedOperand *wanted, const TensorSpec *spec)
{
    if (!wanted->bound)
        return 0;
    if (wanted->absent != spec->ignored)
        return COST_PRESENCE;
    if (wanted->absent)
        return 0;
    int64_t cost = wanted->typed && wanted->dtype != spec->layout.dtype ? COST_TYPE : 0;
    int64_t own = spec->layout.rank, rank = wanted->shape.rank, more = own > rank ? own : rank;
    for (int64_t i = 1; wanted->shaped && i <= more; i++) {
        int64_t a = i <= own ? spec->layout.extent[own - i] : 1;
        int64_t b = i <= rank ? wanted->shape.extent[rank - i] : 1;
        cost += (a != b ? COST_NUMBER : 0) + (i > own || i > rank ? COST_ONES : 0);
        cost += a != b && (i > own || i > rank) ? COST_RANK : 0;
    }
    return cost;
}

/* False where extents are so large together that their products could overflow. */
static bool is_countable(const Case *c)
{
    Case copy = *c;
    double product = 1;
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t *extents[TENSOR_RANK_MAX];
        int count = param_extents(param, copy.params, extents);
        for (int i = 0; i < count; i++)
            product *= *extents[i] > 1 ? (double)*extents[i] : 1;
    }
    return product < 0x1p62;
}

static int64_t cost_of(const Wanted *wanted, const Case *trial, Case *legal)
{
    Shapes shapes;
    int64_t cost = 0;
    *legal = *trial;
    op_normalise(legal->op, legal->params);
    if (!is_countable(legal))
        return INT64_MAX;
    op_shape(legal->op, legal->params, &shapes);
    for (int i = 0; i < shapes.count; i++)
        cost += cost_of_operand(&wanted->operand[i], &shapes.tensor[i]);
    for (int i = 0; i < wanted->attribute_count; i++) {
        Attribute value;
        if (!attribute_get(legal, wanted->attributes[i].name, &value))
            return INT64_MAX;
        cost += COST_NUMBER * differing(&value, &wanted->attributes[i].value);
    }
    return cost;
}

/* Keeps the trial where it is nearer; else what was best is the trial again. */
static bool try(Search *s)
{
    Case legal;
    int64_t cost = cost_of(s->wanted, &s->trial, &legal);
    bool nearer = cost < s->cost;
    s->trials++;
    if (nearer) {
        s->cost = cost;
        case_copy(&s->best, &s->trial);
    }
    case_copy(&s->trial, &s->best);
    return nearer;
}

static void add_number(Search *s, int64_t number)
{
    for (int i = 0; i < s->pool_count; i++)
        if (s->pool[i] == number)
            return;
    if (s->pool_count < POOL_MAX)
        s->pool[s->pool_count++] = number;
}

static void add_shape(Search *s, const int64_t *extents, int64_t rank)
{
    Shape shape = {.rank = rank};
    if (rank < 0 || rank > TENSOR_RANK_MAX)
        return;
    for (int64_t i = 0; i < rank; i++)
        shape.extent[i] = extents[i];
    for (int i = 0; i < s->shape_count; i++)
        if (!memcmp(&s->shapes[i], &shape, sizeof shape))
            return;
    if (s->shape_count < SHAPES_MAX)
        s->shapes[s->shape_count++] = shape;
}

/* The shape to which two are broadcast. */
static void add_broadcast(Search *s, const Shape *a, const Shape *b)
{
    Shape wide = a->rank > b->rank ? *a : *b;
    const Shape *narrow = a->rank > b->rank ? b : a;
    for (int64_t i = 1; i <= narrow->rank; i++) {
        int64_t *extent = &wide.extent[wide.rank - i];
        *extent = *extent == 1 ? narrow->extent[narrow->rank - i] : *extent;
    }
    add_shape(s, wide.extent, wide.rank);
    add_shape(s, wide.extent, wide.rank - 2);
    for (int64_t i = 0; i < wide.rank; i++)
        add_number(s, wide.extent[i]);
}

static const Shape *known_shape(const Wanted *wanted, int operand)
{
    const WantedOperand *o = &wanted->operand[operand];
    return o->bound && o->shaped && !o->absent ? &o->shape : NULL;
}

/* What numbers and shapes parameters may have: those that are wanted, parts and quotients. */
static void gather(Search *s)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        for (int j = 0; j <= i; j++)
            if (known_shape(s->wanted, i) && known_shape(s->wanted, j))
                add_broadcast(s, known_shape(s->wanted, i), known_shape(s->wanted, j));
    for (int i = 0; i < s->wanted->attribute_count; i++) {
        const Attribute *value = &s->wanted->attributes[i].value;
        if (value->kind == ATTRIBUTE_REAL)
            s->reals[s->real_count++] = value->real;
        if (value->kind == ATTRIBUTE_INTEGER)
            add_number(s, value->integer);
        for (int j = 0; value->kind == ATTRIBUTE_TUPLE && j < value->count; j++)
            add_number(s, value->list[j]);
        if (value->kind == ATTRIBUTE_TUPLE)
            add_shape(s, value->list, value->count);
    }
    for (int i = 0; i < OP_TENSORS_MAX; i++) {
        const Shape *shape = known_shape(s->wanted, i);
        for (int64_t cut = 0; shape && cut <= shape->rank; cut++) {
            add_shape(s, shape->extent, cut);
            add_shape(s, shape->extent + cut, shape->rank - cut);
        }
    }
    for (int i = 0, count = s->pool_count; i < count; i++)
        for (int j = 0; j < count; j++)
            if (s->pool[j] > 1 && s->pool[i] > 0 && s->pool[i] % s->pool[j] == 0)
                add_number(s, s->pool[i] / s->pool[j]);
    for (int64_t i = 0; i <= TENSOR_RANK_MAX; i++)
        add_number(s, i);
}

/* Extents may be larger than cases have them, until they are made smaller.  Each extent of a shape
 * is 0 or more: the range is that of its rank. */
static bool is_in_range(const Param *param, int64_t number)
{
    bool extent =
        param->kind == PARAM_DIM || param->kind == PARAM_TUPLE || param->kind == PARAM_SHAPE;
    int64_t least = param->kind == PARAM_SHAPE ? 0 : param->minimum;
    return number >= least && number <= (extent ? WANTED_EXTENT_MAX : param->maximum);
}

static bool shape_is_in_range(const Param *param, const Shape *shape)
{
    bool ok = param->kind == PARAM_TUPLE
                  ? shape->rank == param->rank
                  : shape->rank >= param->minimum && shape->rank <= param->maximum;
    for (int64_t i = 0; i < shape->rank; i++)
        ok = ok && is_in_range(param, shape->extent[i]);
    return ok;
}

static bool put_shape(Search *s, const Param *param, int candidate)
{
    if (candidate >= s->shape_count)
        return false;
    const Shape *shape = &s->shapes[candidate];
    if (shape_is_in_range(param, shape))
        *param_shape(param, s->trial.params) = *shape;
    return true;
}

/* Puts the number-th candidate; false behind the last one. */
static bool put_candidate(Search *s, const Coordinate *at, int candidate)
{
    const Param *param = at->param;
    if (at->part < 0 && (param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE))
        return put_shape(s, param, candidate);
    if (param->kind == PARAM_SCALAR) {
        if (candidate < s->real_count)
            *param_scalar(param, s->trial.params) = (Scalar){s->reals[candidate], 0};
        return candidate < s->real_count;
    }
    bool all = param->kind == PARAM_DTYPE || param->kind == PARAM_CHOICE ||
               (param->kind == PARAM_INTEGER && param->maximum - param->minimum < FREE_INTEGERS);
    if (candidate >= (all ? param->maximum - param->minimum + 1 : s->pool_count))
        return false;
    int64_t number = all ? param->minimum + candidate : s->pool[candidate];
    if (param->kind == PARAM_DTYPE && !(op_dtypes(s->trial.op) >> number & 1))
        return true;
    if (is_in_range(param, number) && at->part >= 0)
        param_shape(param, s->trial.params)->extent[at->part] = number;
    else if (is_in_range(param, number))
        *param_integer(param, s->trial.params) = number;
    return true;
}

/* Numbers of a shape beyond its rank are not there. */
static bool is_there(const Search *s, const Coordinate *at)
{
    Case copy = s->best;
    return at->part < 0 || at->part < param_shape(at->param, copy.params)->rank;
}

static bool search_one(Search *s)
{
    bool nearer = false;
    for (int i = 0; i < s->coordinate_count && s->cost > 0; i++)
        for (int candidate = 0; is_there(s, &s->coordinates[i]) && s->trials < TRIALS_MAX &&
                                put_candidate(s, &s->coordinates[i], candidate);
             candidate++)
            nearer = try(s) || nearer;
    return nearer;
}

static bool search_pair(Search *s, const Coordinate *first, const Coordinate *second)
{
    for (int i = 0; s->trials < TRIALS_MAX && put_candidate(s, first, i); i++) {
        Case with_first = s->trial;
        for (int j = 0; s->trials < TRIALS_MAX && put_candidate(s, second, j); j++) {
            if (try(s))
                return true;
            case_copy(&s->trial, &with_first);
        }
        case_copy(&s->trial, &s->best);
    }
    return false;
}

static bool search_two(Search *s)
{
    for (int i = 0; i < s->coordinate_count; i++)
        for (int j = 0; j < i; j++)
            if (is_there(s, &s->coordinates[i]) && is_there(s, &s->coordinates[j]) &&
                search_pair(s, &s->coordinates[i], &s->coordinates[j]))
                return true;
    return false;
}

static void add_coordinate(Search *s, const Param *param, int part)
{
    if (s->coordinate_count < COORDINATES_MAX)
        s->coordinates[s->coordinate_count++] = (Coordinate){param, part};
}

static void add_coordinates(Search *s, const Param *param)
{
    bool several = param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE;
    if (param->kind == PARAM_SEED || param->kind == PARAM_LIST || param->kind == PARAM_CODE)
        return;
    add_coordinate(s, param, -1);
    for (int part = 0; several && part < TENSOR_RANK_MAX; part++)
        add_coordinate(s, param, part);
}

/* A tuple, or a number for each axis. */
static bool put_given_shape(const Attribute *value, Shape *shape, const Param *param)
{
    bool tuple = value->kind == ATTRIBUTE_TUPLE;
    int64_t rank = param->kind == PARAM_TUPLE ? param->rank : tuple ? value->count : 1;
    if (rank > TENSOR_RANK_MAX || (tuple && value->count != rank && value->count != 1))
        return false;
    *shape = (Shape){.rank = rank};
    for (int64_t i = 0; i < rank; i++)
        shape->extent[i] = !tuple              ? value->integer
                           : value->count == 1 ? value->list[0]
                                               : value->list[i];
    return shape_is_in_range(param, shape);
}

static bool put_given_choice(const Attribute *value, int64_t *choice, const Param *param)
{
    for (int64_t i = 0; param->names[i]; i++)
        if (value->kind == ATTRIBUTE_TEXT
                ? !strcmp(value->text, param->names[i])
                : !strcmp(value->integer ? "yes" : "no", param->names[i])) {
            *choice = i;
            return true;
        }
    return false;
}

/* Attributes that are parameters are put as they are. */
static bool put_given(Search *s, const Param *param, const Attribute *value)
{
    void *values = s->trial.params;
    int64_t number =
        value->kind == ATTRIBUTE_TUPLE && value->count == 1 ? value->list[0] : value->integer;
    switch (param->kind) {
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        return value->kind != ATTRIBUTE_TEXT && value->kind != ATTRIBUTE_REAL &&
               put_given_shape(value, param_shape(param, values), param);
    case PARAM_CHOICE:
        return put_given_choice(value, param_integer(param, values), param);
    case PARAM_SCALAR:
        *param_scalar(param, values) = (Scalar){number_of(value), 0};
        return value->kind != ATTRIBUTE_TEXT && value->kind != ATTRIBUTE_TUPLE;
    case PARAM_DTYPE:
    case PARAM_LIST:
    case PARAM_CODE:
        return false;
    default:
        *param_integer(param, values) = number;
        return is_in_range(param, number) && value->kind != ATTRIBUTE_TEXT &&
               value->kind != ATTRIBUTE_REAL &&
               (value->kind != ATTRIBUTE_TUPLE || value->count == 1);
    }
}

static bool refuse_given(Draft *draft, const WantedAttribute *attribute)
{
    Text value = {0};
    attribute_print(&attribute->value, &value);
    (void)draft_refuse(draft, "no %s has %s=%s", draft->c.op->name, attribute->name,
                       text_string(&value));
    text_release(&value);
    return false;
}

static const WantedAttribute *find_given(const Wanted *wanted, const Param *param)
{
    for (int i = 0; i < wanted->attribute_count; i++)
        if (!strcmp(wanted->attributes[i].name, param->name) &&
            !attribute_is_derived(wanted->op, param->name))
            return &wanted->attributes[i];
    return NULL;
}

/* What is given is put, the other parameters are the coordinates of the search. */
static bool begin(Search *s, Draft *draft)
{
    for (const Param *param = s->wanted->op->params; param->name; param++) {
        const WantedAttribute *given = find_given(s->wanted, param);
        if (!given)
            add_coordinates(s, param);
        else if (!put_given(s, param, &given->value))
            return refuse_given(draft, given);
    }
    case_copy(&s->best, &s->trial);
    gather(s);
    s->cost = INT64_MAX;
    return true;
}

static void put_extents(Text *text, const int64_t *extents, int64_t rank)
{
    for (int64_t i = 0; i < rank; i++)
        text_printf(text, "%s%lld", i ? "x" : "", (long long)extents[i]);
    text_put(text, rank ? "" : "scalar");
}

/* The first operand or attribute that the nearest case has not as it is wanted. */
static bool refuse_nearest(const Search *s, const Case *nearest, Draft *draft)
{
    Shapes shapes;
    Text have = {0}, want = {0};
    op_shape(nearest->op, nearest->params, &shapes);
    const char *what = NULL;
    for (int i = 0; i < shapes.count && !what; i++) {
        const WantedOperand *o = &s->wanted->operand[i];
        const TensorSpec *spec = &shapes.tensor[i];
        if (cost_of_operand(o, spec) < COST_NUMBER)
            continue;
        what = nearest->op->tensors[i];
        text_printf(&want, "%s ", o->absent ? "absent" : dtype_names[o->dtype]);
        put_extents(&want, o->shape.extent, o->absent ? 0 : o->shape.rank);
        text_printf(&have, "%s ", spec->ignored ? "absent" : dtype_names[spec->layout.dtype]);
        put_extents(&have, spec->layout.extent, spec->layout.rank);
    }
    for (int i = 0; i < s->wanted->attribute_count && !what; i++) {
        const WantedAttribute *attribute = &s->wanted->attributes[i];
        Attribute value;
        if (attribute_get(nearest, attribute->name, &value) &&
            attribute_is(&value, &attribute->value))
            continue;
        what = attribute->name;
        attribute_print(&attribute->value, &want);
        attribute_print(&value, &have);
    }
    (void)draft_refuse(draft, "no %s is like it: %s is %s, the nearest has %s", nearest->op->name,
                       what ? what : "something", text_string(&want), text_string(&have));
    text_release(&have);
    text_release(&want);
    return false;
}

bool wanted_find(const Wanted *wanted, Case *found, int64_t *distance, Draft *draft)
{
    Search *s = memory_allocate(1, sizeof *s);
    s->wanted = wanted;
    case_init(&s->trial, wanted->op);
    case_init(&s->best, wanted->op);
    case_init(&draft->c, wanted->op);
    bool ok = begin(s, draft);
    if (ok) {
        (void)try(s);
        while (s->cost >= COST_ONES && s->trials < TRIALS_MAX &&
               (search_one(s) || (s->cost >= COST_NUMBER && search_two(s))))
            ;
        *distance = cost_of(wanted, &s->best, found);
        ok = *distance < COST_NUMBER || refuse_nearest(s, found, draft);
    }
    free(s);
    return ok;
}

bool wanted_holds(const Wanted *wanted, const Case *c)
{
    Case legal;
    return cost_of(wanted, c, &legal) < COST_NUMBER;
}

bool wanted_draft(const Case *found, Draft *draft)
{
    Case c = *found;
    bool ok = draft_begin(draft, c.op->name, case_dtype(&c));
    for (const Param *param = c.op->params; ok && param->name; param++) {
        if (param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE)
            ok = draft_shape(draft, param->name, param_shape(param, c.params));
        else if (param->kind == PARAM_CHOICE)
            ok = draft_choice(draft, param->name, param->names[*param_integer(param, c.params)]);
        else if (param->kind == PARAM_DTYPE)
            param_copy(param, draft->c.params, c.params);
        else if (param->kind == PARAM_SCALAR)
            ok = draft_scalar(draft, param->name, param_scalar(param, c.params)->re, 0);
        else if (param->kind != PARAM_LIST && param->kind != PARAM_CODE)
            ok = draft_integer(draft, param->name, *param_integer(param, c.params));
    }
    return ok;
}
