/* Operators one after another on square matrices: each step takes the inputs or what earlier steps
 * gave, and everything is an output.  A step is judged by the reference and the bound of its own
 * operator, given what the kernel computed before it, so that the first step that diverges is the
 * one at fault, however far its error travels. */
#include <string.h>

#include "nn.h"

enum { CHAIN_INPUTS = 2, CHAIN_STEPS = 8, CHAIN_VALUES = CHAIN_INPUTS + CHAIN_STEPS };

/* The operands of a step, as numbers of values: x is 0, z is 1, then come the results.  An operator
 * of one operand reads its axis, shift or diagonal from the second number. */
typedef struct ChainStep {
    int64_t op, from, with;
} ChainStep;

typedef struct Chain {
    int64_t dtype, n;
    ChainStep steps[CHAIN_STEPS];
} Chain;

static const char *const step_ops[] = {
    "none", "neg",  "abs",  "square", "relu",   "sqrt",    "exp",     "tanh",   "sigmoid",
    "sin",  "add",  "sub",  "mul",    "div",    "maximum", "minimum", "matmul", "transpose",
    "flip", "roll", "tril", "triu",   "cumsum", "softmax", NULL};

/* Rows for step i, left out of lines where they are 0. */
#define VALUE(i, field, text)                                                                      \
    P_INTEGER_AS(#field #i, Chain, steps[(i)-1].field, 0, CHAIN_VALUES - 2, 0, text, .terse = true)
#define STEP(i)                                                                                    \
    P_CHOICE_AS("step" #i, Chain, steps[(i)-1].op, step_ops, "operator", .terse = true),           \
        VALUE(i, from, "value that it takes: x is 0, z 1, y1 2 and so on"),                        \
        VALUE(i, with, "the other value; or shift and diagonal, and the axis if even or odd")

static const Param params[] = {
    P_DTYPE(Chain, dtype, "element type"),
    P_DIM(Chain, n, 1, 32, "rows and columns of all matrices"),
    STEP(1),
    STEP(2),
    STEP(3),
    STEP(4),
    STEP(5),
    STEP(6),
    STEP(7),
    STEP(8),
    P_END,
};
static const char *const tensors[] = {"x",  "z",  "y1", "y2", "y3", "y4",
                                      "y5", "y6", "y7", "y8", NULL};

static int64_t bypass(int64_t value, int64_t gone, int64_t instead)
{
    return value == gone ? instead : value > gone ? value - 1 : value;
}

/* Leaves out step i: later steps that read its result read its first operand instead. */
static void drop_step(Chain *q, int i)
{
    int64_t from = q->steps[i].from;
    memmove(&q->steps[i], &q->steps[i + 1], sizeof *q->steps * (size_t)(CHAIN_STEPS - 1 - i));
    q->steps[CHAIN_STEPS - 1] = (ChainStep){0};
    for (int k = i; k < CHAIN_STEPS; k++) {
        q->steps[k].from = bypass(q->steps[k].from, CHAIN_INPUTS + i, from);
        q->steps[k].with = bypass(q->steps[k].with, CHAIN_INPUTS + i, from);
    }
}

static int count_steps(const Chain *q)
{
    int count = 0;
    while (count < CHAIN_STEPS && q->steps[count].op != 0)
        count++;
    return count;
}

static void normalise(void *params_of_case)
{
    Chain *q = params_of_case;
    for (int i = 0; i < CHAIN_STEPS; i++) {
        q->steps[i].from %= CHAIN_INPUTS + i;
        q->steps[i].with %= CHAIN_INPUTS + i;
    }
    for (int i = CHAIN_STEPS - 1; i >= 0; i--)
        if (q->steps[i].op == 0)
            drop_step(q, i);
    if (q->steps[0].op == 0)
        q->steps[0].op = 1;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Chain *q = params_of_case;
    int count = CHAIN_INPUTS + count_steps(q);
    *shapes = (Shapes){.count = CHAIN_VALUES, .depth = q->n};
    for (int i = 0; i < CHAIN_VALUES; i++) {
        Shape square = {2, {i < count ? q->n : 0, i < count ? q->n : 0}};
        shapes->tensor[i] =
            nn_tensor((DType)q->dtype, &square, i < CHAIN_INPUTS ? ROLE_IN : ROLE_OUT);
    }
}

static double work(const void *params_of_case)
{
    const Chain *q = params_of_case;
    return (double)count_steps(q) * (double)(q->n * q->n * (q->n + 64));
}

/* Sets a parameter of the step's operator, by its name: extents from the chain, axes, shifts and
 * diagonals from the second number of the step. */
static void put_number(const Param *param, void *values, const Chain *q, const ChainStep *step)
{
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"dtype", q->dtype},
                   {"m", q->n},
                   {"n", q->n},
                   {"k", q->n},
                   {"axis", step->with % 2},
                   {"rotate", step->with % 2},
                   {"shifts", step->with},
                   {"diagonal", step->with}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (!strcmp(numbers[i].name, param->name))
            *param_integer(param, values) = numbers[i].value;
    if (!strcmp(param->name, "shape"))
        *param_shape(param, values) = (Shape){2, {q->n, q->n}};
}

/* The parameters of a step as its operator has them. */
static void put_params(void *values, const Chain *q, const ChainStep *step, const OpDesc *op)
{
    memset(values, 0, op->size);
    for (const Param *param = op->params; param->name; param++) {
        param_set_simplest(param, values);
        put_number(param, values, q, step);
    }
    op_normalise(op, values);
}

/* The values that steps take: as the kernel computed them, or where none did, of the references of
 * the steps before. */
static void begin_values(Tensor values[CHAIN_VALUES], const ReferenceInput *input, Arena *arena)
{
    for (int i = 0; i < CHAIN_VALUES; i++) {
        values[i] = input->computed ? input->computed[i] : input->tensors[i];
        if (i < CHAIN_INPUTS || input->computed)
            continue;
        size_t count = (size_t)tensor_count(&values[i]) + 1;
        tensor_pack(&values[i]);
        values[i].origin = arena_take(arena, count, dtype_size(values[i].dtype));
    }
}

static void put_rounded(const Tensor *value, const Ref *ref)
{
    for (size_t i = 0; i < ref->count; i++)
        dtype_store(value->dtype, value->origin, (int64_t)i, ref_result(ref, i));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Chain *q = input->params;
    Tensor values[CHAIN_VALUES];
    int count = count_steps(q);
    begin_values(values, input, arena);
    for (int i = 0; i < count; i++) {
        const ChainStep *step = &q->steps[i];
        const OpDesc *op = op_find(step_ops[step->op]);
        int inputs = op_tensor_count(op) - 1;
        _Alignas(8) unsigned char params_of_step[OP_PARAMS_BYTES_MAX];
        Ref found[OP_TENSORS_MAX] = {0};
        Tensor *result = &values[CHAIN_INPUTS + i];
        Tensor views[] = {values[step->from], inputs == 1 ? *result : values[step->with], *result};
        put_params(params_of_step, q, step, op);
        op_reference(found, &(ReferenceInput){.op = op, .params = params_of_step, .tensors = views},
                     arena);
        refs[CHAIN_INPUTS + i] = found[inputs];
        if (!input->computed)
            put_rounded(result, &found[inputs]);
    }
    for (int i = CHAIN_INPUTS + count; i < CHAIN_VALUES; i++)
        ref_allocate_exact(&refs[i], &values[i], arena);
}

const OpDesc op_chain = {
    NN_OP(Chain, 1),
    .name = "chain",
    .summary = "operators one after another, every step an output",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .judged_by_residual = true,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
