/* Derives the second call of a relation.  The kinds of the parameters and the roles of the operands
 * say where a relation holds, so that no operator is named here. */
#include "relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this greatest exponent of a type on no product of plain numbers underflows. */
enum { PLAIN_EXPONENT = 127 };

static bool plain_fill(const Fill *fill)
{
    switch ((FillKind)fill->kind) {
    case FILL_HUGE:
    case FILL_TINY:
    case FILL_LIST:
        return false;
    default:
        return fill->scale == 0 && fill->special == 0;
    }
}

static bool is_special_plain(const Fill *fill, DType dtype)
{
    double value;
    return !fill_special(fill, dtype, &value) || value == 0 || !isfinite(value);
}

static bool plain_component(double value)
{
    return value == 0 || (fabs(value) > 0x1p-24 && fabs(value) < 0x1p24);
}

static bool tame_component(double value)
{
    return plain_component(value) || !isfinite(value);
}

static bool scalars_are(const Case *c, bool (*kind)(double component))
{
    for (const Param *param = c->op->params; param->name; param++) {
        const Scalar *scalar = (const void *)(c->params + param->offset);
        if (param->kind == PARAM_SCALAR && (!kind(scalar->re) || !kind(scalar->im)))
            return false;
    }
    return true;
}

bool relation_is_tame(const Case *c)
{
    for (int i = 0; c->op->tensors[i]; i++) {
        Fill numbers = c->fill[i];
        numbers.special = 0;
        if (!plain_fill(&numbers) || !is_special_plain(&c->fill[i], case_dtype(c)))
            return false;
    }
    return scalars_are(c, tame_component);
}

static bool plain_case(const Case *c)
{
    if (dtype_is_integer(case_dtype(c)))
        return false;
    for (int i = 0; c->op->tensors[i]; i++)
        if (!plain_fill(&c->fill[i]))
            return false;
    return scalars_are(c, plain_component);
}

static Scalar *scalar_named(Case *c, const char *name)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR && !strcmp(param->name, name))
            return param_scalar(param, c->params);
    return NULL;
}

/* True when the result is a product alone: nothing is added to it. */
static bool is_pure_product(const Case *c)
{
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    for (int i = 0; i < shapes.count; i++)
        if (shapes.tensor[i].part == PART_ADDEND && !shapes.tensor[i].ignored)
            return false;
    /* A routine on one vector may do nothing for a negative increment. */
    return shapes.count > 1 || shapes.tensor[0].leading > 0;
}

/* Two factors that are only read, and a result apart from them.  The first can be scaled: none of
 * its plain elements is rounded otherwise then. */
static bool has_two_factors(const Case *c)
{
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    return shapes.count == 3 &&
           dtype_format(shapes.tensor[0].layout.dtype)->maximum_exponent >= PLAIN_EXPONENT &&
           shapes.tensor[0].role == ROLE_IN && shapes.tensor[1].role == ROLE_IN &&
           shapes.tensor[2].role != ROLE_IN;
}

static bool scale_alpha(Related *related, double factor)
{
    Scalar *alpha = scalar_named(&related->c, "alpha");
    if (!alpha || !case_multiplies(&related->c, "alpha") || scalar_is_zero(*alpha) ||
        !is_pure_product(&related->c))
        return false;
    alpha->re *= factor;
    alpha->im *= factor;
    related->factor = factor;
    return true;
}

static bool negate(Related *related)
{
    return scale_alpha(related, -1);
}

static bool scale(Related *related)
{
    return scale_alpha(related, 8);
}

static bool scale_factor(Related *related)
{
    if (!related->c.op->linear || !has_two_factors(&related->c) || !is_pure_product(&related->c) ||
        (scalar_named(&related->c, "alpha") && !scalar_named(&related->c, "beta")))
        return false;
    related->c.fill[0].scale = 3;
    related->factor = 8;
    return true;
}

static int addend_of(const Shapes *shapes)
{
    for (int i = 0; i < shapes->count; i++)
        if (shapes->tensor[i].part == PART_ADDEND)
            return i;
    return -1;
}

static bool add_zeros(Related *related)
{
    Scalar *beta = scalar_named(&related->c, "beta");
    Shapes shapes;
    op_shape(related->c.op, related->c.params, &shapes);
    int addend = addend_of(&shapes);
    if (!related->c.op->linear || !beta || !scalar_is_zero(*beta) || addend < 0 ||
        !shapes.tensor[addend].ignored)
        return false;
    *beta = (Scalar){1, 0};
    related->c.fill[addend] = (Fill){.kind = FILL_ZEROS};
    related->factor = 1;
    return true;
}

static bool move(Related *related)
{
    related->c.exec.align = (related->c.exec.align + 1) % 16;
    related->factor = 1;
    return true;
}

/* Routines of Fortran store matrices by columns. */
static bool change_function(Related *related)
{
    Case *c = &related->c;
    if (!c->op->has_functions || (case_has(c, "order") && case_int(c, "order") != 0))
        return false;
    c->exec.function++;
    related->factor = 1;
    return true;
}

/* What is known by a residual has no one result that could be the image of another. */
static bool has_one_result(const Case *c)
{
    return !c->op->judged_by_residual && !c->op->only_by_residual && !c->op->random &&
           c->exec.layout != LAYOUT_EXPANDED;
}

static bool oppose(Related *related)
{
    related->data = RELATED_OPPOSITE;
    return related->c.op->linear && has_one_result(&related->c) && has_two_factors(&related->c);
}

/* Products, sums and quotients of conjugates are the conjugates: their roundings are the same. */
static bool conjugate(Related *related)
{
    Case *c = &related->c;
    related->data = RELATED_CONJUGATED;
    if (dtype_components(case_dtype(c)) != 2 || !has_one_result(c))
        return false;
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR)
            param_scalar(param, c->params)->im *= -1;
    return true;
}

static bool is_like(const Tensor *x, const Tensor *y)
{
    bool like = x->rank == y->rank;
    for (int axis = 0; like && axis < x->rank; axis++)
        like = x->extent[axis] == y->extent[axis];
    return like;
}

/* Each element of the output needs those at its own place, and operands of one element. */
static bool reverse(Related *related)
{
    const Case *c = &related->c;
    Shapes shapes;
    related->data = RELATED_REVERSED;
    if (!c->op->in_place || !has_one_result(c))
        return false;
    op_shape(c->op, c->params, &shapes);
    const Tensor *output = &shapes.tensor[shapes.count - 1].layout;
    for (int i = 0; i < shapes.count; i++) {
        const Tensor *operand = &shapes.tensor[i].layout;
        if (!is_like(operand, output) && tensor_count(operand) != 1)
            return false;
    }
    return !output->limited && tensor_count(output) > 1;
}

static bool place(Related *related, SliceKind kind)
{
    Case whole = related->c;
    related->data = RELATED_PLACED;
    return has_one_result(&whole) && slice_make(&whole, kind, &related->c, related->places);
}

static bool take_one(Related *related)
{
    return place(related, SLICE_ONE);
}

static bool take_part(Related *related)
{
    return place(related, SLICE_HALF);
}

static bool rotate(Related *related)
{
    return place(related, SLICE_ROTATED);
}

static bool is_signed(const TensorSpec *spec)
{
    DType dtype = spec->layout.dtype;
    return !dtype_is_integer(dtype) && !spec->ignored && !spec->positive && !spec->probability &&
           !spec->reflected && !spec->has_head && !spec->has_last && !spec->ascending &&
           !spec->arrangement && !spec->block.end;
}

/* Odd and even functions: of the first operand alone, or of all together.  Which of both, or
 * neither, the references tell. */
static bool mirror(Related *related)
{
    const Case *c = &related->c;
    Shapes shapes;
    op_shape(c->op, c->params, &shapes);
    bool all = c->fill[0].seed % 2 == 1;
    related->data = all ? RELATED_NEGATIVE : RELATED_FIRST;
    int signs = 0;
    for (int i = 0; i < shapes.count; i++)
        if (shapes.tensor[i].role != ROLE_OUT && (all || i == 0) && !shapes.tensor[i].ignored)
            signs = signs < 0 || !is_signed(&shapes.tensor[i]) ? -1 : signs + 1;
    return signs > 0 && has_one_result(c);
}

static bool make_dense(Related *related)
{
    Case *c = &related->c;
    bool dense = c->exec.layout == LAYOUT_DENSE;
    c->exec.layout = LAYOUT_DENSE;
    related->data = RELATED_PLACED;
    slice_whole(c, related->places);
    return !dense && has_one_result(c);
}

/* The same function gets the same arguments, so that bits are the same as well. */
static bool is_spelling(int64_t form)
{
    return form == FORM_NAMED || form == FORM_OMITTED || form == FORM_GIVEN ||
           form == FORM_NEGATIVE;
}

static bool write_plainly(Related *related)
{
    Case *c = &related->c;
    bool plain = c->exec.form == FORM_PLAIN;
    related->same_answer = !is_spelling(c->exec.form);
    c->exec.form = FORM_PLAIN;
    return !plain && has_one_result(c);
}

static bool use_one_thread(Related *related)
{
    Case *c = &related->c;
    bool several = c->exec.threads > 1;
    c->exec.threads = 1;
    return several && has_one_result(c);
}

typedef bool Apply(Related *related);

/* By RelationKind; those that hold whatever the data are, and those by which the answer is the
 * same, not its bits. */
static const struct {
    Apply *apply;
    bool whatever, same_answer;
} relations[] = {
    [RELATION_NEGATED] = {negate, false, false},
    [RELATION_SCALED] = {scale, false, false},
    [RELATION_FACTOR] = {scale_factor, false, false},
    [RELATION_ADDEND] = {add_zeros, false, false},
    [RELATION_MOVED] = {move, false, false},
    [RELATION_FUNCTION] = {change_function, true, false},
    [RELATION_OPPOSITE] = {oppose, false, false},
    [RELATION_CONJUGATED] = {conjugate, false, false},
    [RELATION_REVERSED] = {reverse, true, false},
    [RELATION_ALONE] = {take_one, true, true},
    [RELATION_PART] = {take_part, true, true},
    [RELATION_ROTATED] = {rotate, true, true},
    [RELATION_MIRRORED] = {mirror, true, true},
    [RELATION_DENSE] = {make_dense, true, true},
    [RELATION_PLAIN] = {write_plainly, true, true},
    [RELATION_THREADS] = {use_one_thread, true, true},
};

bool relation_apply(const Case *c, Related *related)
{
    *related = (Related){.c = *c,
                         .factor = 1,
                         .whatever = relations[c->exec.relation].whatever,
                         .same_answer = relations[c->exec.relation].same_answer};
    related->c.exec.relation = RELATION_NONE;
    related->c.exec.repeat = 1;
    bool threaded = c->exec.threads > 1 && c->exec.relation != RELATION_THREADS;
    if (threaded || c->exec.illegal || c->exec.overlap != OVERLAP_NONE || c->op->random)
        return false;
    return relations[c->exec.relation].apply && (related->whatever || plain_case(c)) &&
           relations[c->exec.relation].apply(related);
}

/* What becomes of a component of element k of a tensor, and the element it comes from. */
static int64_t source_of(RelatedData data, int64_t count, int64_t element)
{
    return data == RELATED_REVERSED ? count - 1 - element : element;
}

static double factor_of(RelatedData data, int part)
{
    return data == RELATED_OPPOSITE || data == RELATED_FIRST || data == RELATED_NEGATIVE ||
                   (data == RELATED_CONJUGATED && part == 1)
               ? -1
               : 1;
}

bool relation_is_mirrored(const Related *related)
{
    return related->data == RELATED_FIRST || related->data == RELATED_NEGATIVE;
}

/* What becomes of the result: of functions that are mirrored it is known by their references. */
static double factor_of_result(const Related *related, int part)
{
    return related->factor * (relation_is_mirrored(related) ? 1 : factor_of(related->data, part));
}

static bool is_read(const Operands *o, int i)
{
    return o->shapes.tensor[i].role != ROLE_OUT && !o->shapes.tensor[i].ignored;
}

static bool is_changed(const Related *related, const Operands *o, int i)
{
    if (!is_read(o, i) || related->data == RELATED_SAME)
        return false;
    return related->data == RELATED_OPPOSITE ? i == 0 || o->shapes.tensor[i].role != ROLE_IN
                                             : related->data != RELATED_FIRST || i == 0;
}

/* The values of a tensor by the row-major number among all extents, those that are left out of a
 * triangle included.  All are read before one is written: elements may be the same memory. */
typedef struct Change {
    RelatedData data;
    DType dtype;
    int64_t count;
    double *values;
} Change;

static void read_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Change *change = context;
    int components = dtype_components(change->dtype);
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < components; part++)
            change->values[(first + i) * components + part] =
                dtype_load(change->dtype, at, i * stride * components + part);
}

static void write_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Change *change = context;
    int components = dtype_components(change->dtype);
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < components; part++) {
            int64_t source = source_of(change->data, change->count, first + i);
            dtype_store(change->dtype, at, i * stride * components + part,
                        factor_of(change->data, part) * change->values[source * components + part]);
        }
}

static void change_operand(RelatedData data, Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    size_t numbers = operands_components(o, i);
    Arena *arena = &o->workspace->arena;
    size_t used = arena->used;
    Change change = {data, view->dtype, (int64_t)numbers / dtype_components(view->dtype),
                     arena_take(arena, numbers + 1, sizeof(double))};
    tensor_visit_runs(view, read_run, &change);
    tensor_visit_runs(view, write_run, &change);
    arena->used = used;
    memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
}

/* Elements of a tensor of the whole, row-major, and where an operand of the second call has them.
 */
typedef struct Placing {
    const SlicePlace *place;
    const Tensor *view;
    size_t size;
    char *elements;
} Placing;

static void keep_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Placing *placing = context;
    int64_t size = (int64_t)placing->size;
    for (int64_t i = 0; i < count; i++)
        memcpy(placing->elements + (first + i) * size, at + i * stride * size, placing->size);
}

static void place_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Placing *placing = context;
    int64_t size = (int64_t)placing->size;
    for (int64_t i = 0; i < count; i++)
        memcpy(at + i * stride * size,
               placing->elements + slice_number(placing->place, placing->view, first + i) * size,
               placing->size);
}

void relation_keep(RelatedElements *kept, const Related *related, const Operands *first)
{
    *kept = (RelatedElements){0};
    for (int i = 0; related->data == RELATED_PLACED && i < first->shapes.count; i++) {
        const Tensor *view = &first->view[i];
        size_t size = dtype_size(view->dtype);
        if (!is_read(first, i))
            continue;
        size_t count = operands_components(first, i) / (size_t)dtype_components(view->dtype);
        kept->elements[i] = memory_allocate(count + 1, size);
        tensor_visit_runs(view, keep_run, &(Placing){NULL, view, size, kept->elements[i]});
    }
}

void relation_release(RelatedElements *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        free(kept->elements[i]);
    *kept = (RelatedElements){0};
}

static void place_operand(const Related *related, const RelatedElements *kept, Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    Placing placing = {&related->places[i], view, dtype_size(view->dtype), kept->elements[i]};
    tensor_visit_runs(view, place_run, &placing);
    memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
}

void relation_change(const Related *related, const RelatedElements *kept, Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++) {
        if (!is_changed(related, o, i))
            continue;
        operands_open(o, i);
        if (related->data == RELATED_PLACED)
            place_operand(related, kept, o, i);
        else
            change_operand(related->data, o, i);
    }
    operands_close(o);
}

size_t relation_image(const Related *related, const Operands *o, int output, size_t component,
                      double *factor)
{
    const Tensor *view = &o->view[output];
    size_t components = (size_t)dtype_components(view->dtype), part = component % components;
    *factor = factor_of_result(related, (int)part);
    int64_t number = (int64_t)(component / components);
    int64_t element =
        related->data == RELATED_PLACED
            ? slice_number(&related->places[output], view, number)
            : source_of(related->data, (int64_t)(operands_components(o, output) / components),
                        number);
    return (size_t)element * components + part;
}

bool relation_in_range(const Related *related, DType dtype, double value)
{
    int most = dtype_format(dtype)->maximum_exponent, reach = most * 3 / 4;
    if (value == 0)
        return related->factor == 1 || most >= PLAIN_EXPONENT;
    return fabs(value) < ldexp(1, reach) && fabs(value) > ldexp(1, -reach);
}
