/* Cases that hold consecutive bit patterns, and lines for single ones. */
#include "space.h"

#include <math.h>

enum { BLOCKS_LEAST = 16, INPUT_BITS_MAX = 32, INPUTS_MAX = 2 };

static Shape *shape_of(Case *c)
{
    const Param *param = op_param(c->op, "shape", strlen("shape"));
    return param ? param_shape(param, c->params) : NULL;
}

static void set_count(Case *c, uint64_t count)
{
    *shape_of(c) = (Shape){.rank = 1, .extent = {(int64_t)count}};
}

/* Operands that are read in whole, and one that is written. */
static bool is_plain(const TensorSpec *spec, bool last)
{
    return spec->role == (last ? ROLE_OUT : ROLE_IN) && !spec->ignored && !spec->has_head &&
           !spec->has_last && !spec->positive && !spec->nonzero && !spec->probability &&
           !spec->ascending && spec->index_below == 0;
}

static bool has_one_place(const Space *space, const Shapes *shapes)
{
    if (!space->op->in_place || shapes->count < 2 || shapes->count > INPUTS_MAX + 1)
        return false;
    for (int i = 0; i < shapes->count; i++) {
        const TensorSpec *spec = &shapes->tensor[i];
        bool last = i == shapes->count - 1;
        if (!is_plain(spec, last) || tensor_count(&spec->layout) != 2 ||
            dtype_components(spec->layout.dtype) != 1 || spec->layout.dtype == DT_BOOL ||
            (!last && spec->layout.dtype != space->dtype))
            return false;
    }
    return true;
}

bool space_make(Space *space, const OpDesc *op, DType dtype, Text *error)
{
    Shapes shapes;
    *space = (Space){.op = op, .dtype = dtype, .width = 8 * (int)dtype_size(dtype)};
    case_init(&space->one, op);
    case_set_dtype(&space->one, dtype);
    if (!shape_of(&space->one)) {
        text_printf(error, "%s has no extents of its own", op->name);
        return false;
    }
    set_count(&space->one, 2);
    case_normalise(&space->one, NULL);
    op_shape(op, space->one.params, &shapes);
    if (!has_one_place(space, &shapes)) {
        text_printf(error, "%s in %s: its elements are not a function of one or two real numbers",
                    op->name, dtype_name(dtype));
        return false;
    }
    space->inputs = shapes.count - 1;
    int bits = space->inputs * space->width;
    if (bits > INPUT_BITS_MAX) {
        text_printf(error, "%s in %s has 2^%d inputs: 2^%d are the most that can be tried",
                    op->name, dtype_name(dtype), bits, INPUT_BITS_MAX);
        return false;
    }
    set_count(&space->one, 1);
    space->count = (uint64_t)1 << bits;
    space->block = space->count / BLOCKS_LEAST;
    if (space->block > SPACE_BLOCK_MAX)
        space->block = SPACE_BLOCK_MAX;
    space->call = space->block < SPACE_CALL_MAX ? space->block : SPACE_CALL_MAX;
    return true;
}

void space_case(const Space *space, uint64_t count, Case *c)
{
    case_copy(c, &space->one);
    set_count(c, count);
    for (int i = 0; i < space->inputs; i++)
        c->fill[i].kind = FILL_ZEROS;
}

/* The bit that makes a NaN of the type quiet. */
static uint32_t quiet_bit(DType dtype)
{
    return dtype_is_integer(dtype) ? 0 : (uint32_t)1 << (dtype_format(dtype)->precision - 2);
}

static uint32_t pattern_of_input(const Space *space, uint64_t input, int operand)
{
    int shift = (space->inputs - 1 - operand) * space->width;
    return (uint32_t)(input >> shift & (((uint64_t)1 << space->width) - 1));
}

/* An element with the pattern; returns its value. */
static double put_pattern(DType dtype, uint32_t pattern, void *elements, int64_t i)
{
    uint8_t narrow = (uint8_t)pattern;
    uint16_t half = (uint16_t)pattern;
    size_t size = dtype_size(dtype);
    const void *from = size == 1   ? (const void *)&narrow
                       : size == 2 ? (const void *)&half
                                   : &pattern;
    memcpy((char *)elements + (size_t)i * size, from, size);
    return dtype_load(dtype, elements, i);
}

double space_value(const Space *space, uint64_t input, int operand)
{
    uint32_t room;
    return put_pattern(space->dtype, pattern_of_input(space, input, operand), &room, 0);
}

/* The same of one operand of 32 bits, of which most calls are. */
static void put_floats(const Operands *o, uint32_t first, uint32_t *elements)
{
    enum { INFINITE = 0x7f800000, QUIET = 0x400000 };
    for (int64_t i = 0, count = tensor_count(&o->view[0]); i < count; i++) {
        uint32_t pattern = first + (uint32_t)i;
        elements[i] = (pattern & INT32_MAX) > INFINITE ? pattern | QUIET : pattern;
    }
    operands_set(o, 0, elements);
}

void space_put(const Space *space, const Operands *o, uint64_t first)
{
    static _Thread_local uint32_t elements[SPACE_CALL_MAX];
    int64_t count = tensor_count(&o->view[0]);
    uint32_t quiet = quiet_bit(space->dtype);
    if (space->dtype == DT_F32 && space->inputs == 1) {
        put_floats(o, (uint32_t)first, elements);
        return;
    }
    for (int operand = 0; operand < space->inputs; operand++) {
        for (int64_t i = 0; i < count; i++) {
            uint32_t pattern = pattern_of_input(space, first + (uint64_t)i, operand);
            if (isnan(put_pattern(space->dtype, pattern, elements, i)))
                (void)put_pattern(space->dtype, pattern | quiet, elements, i);
        }
        operands_set(o, operand, elements);
    }
}

void space_case_of(const Space *space, const uint64_t *inputs, int count, int times, Case *c)
{
    space_case(space, (uint64_t)count * (uint64_t)times, c);
    REQUIRE(count > 0 && count <= PARAM_LIST_MAX);
    for (int operand = 0; operand < space->inputs; operand++) {
        Fill *fill = &c->fill[operand];
        fill->kind = FILL_LIST;
        fill->values.count = count;
        for (int i = 0; i < count; i++)
            fill->values.values[i] = space_value(space, inputs[i], operand);
    }
    case_normalise(c, NULL);
}
