/* y = f(a, b) element by element, with either broadcast: one operator for each function of
 * two variables (reference/function.h). */
#include <string.h>

#include "nn.h"
#include "reference/complex_function.h"
#include "reference/function.h"

enum { BINARY_MAX = 96 };

static const char *const tensors[] = {"a", "b", "y", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Binary *)params_of_case)->shape, 32);
}

static void shape_as(const Binary *q, DType result, Shapes *shapes)
{
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_a);
    shapes->tensor[1] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_b);
    shapes->tensor[2] = nn_tensor(result, &q->shape, ROLE_OUT);
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Binary *q = params_of_case;
    const Function *f = op->detail;
    shape_as(q, f->is_predicate ? DT_BOOL : nn_dtype(q), shapes);
    shapes->tensor[1].nonzero = f->divides && dtype_is_integer(nn_dtype(q));
    shapes->tensor[1].positive = f->counts && dtype_is_integer(nn_dtype(q));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *y = &input->tensors[2];
    Tensor a = nn_broadcast(&input->tensors[0], y), b = nn_broadcast(&input->tensors[1], y);
    if (dtype_components(a.dtype) == 2) {
        const Function *f = input->op->detail;
        complex_function_reference(&refs[2], complex_function_named(f->name), &a, &b, arena);
        return;
    }
    function_pair_reference(&refs[2], input->op->detail, &a, &b, y->dtype, arena);
}

static void normalise(void *params_of_case)
{
    Binary *q = params_of_case;
    q->broadcast_a = nn_broadcast_axes(&q->shape, q->broadcast_a, 0);
    q->broadcast_b = nn_broadcast_axes(&q->shape, q->broadcast_b, q->broadcast_a);
}

static const IllegalRule illegal[] = {{ILLEGAL_MISMATCH, "b", -1}, {0}};

/* Not documented alike for remainders, prelu and functions of bits. */
static bool excludes_mismatch(const Function *f)
{
    static const char *const names[] = {
        "add", "sub", "mul", "div", "pow", "maximum", "minimum",     "atan2",
        "eq",  "ne",  "lt",  "le",  "gt",  "ge",      "logical_and", "logical_or"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(f->name, names[i]))
            return true;
    return false;
}

static OpDesc describe(const Function *f)
{
    return (OpDesc){
        NN_OP(Binary, 2),
        .name = f->name,
        .summary = f->summary,
        .params = nn_binary_params,
        .tensors = tensors,
        .dtypes = nn_dtypes_of(f),
        .fills = nn_function_fills,
        .in_place = !f->is_predicate,
        .normalise = normalise,
        .by_parts = nn_is_by_parts(f),
        .shape_of_row = shape,
        .work = work,
        .reference = reference,
        .illegal = excludes_mismatch(f) ? illegal : NULL,
        .policy = function_policy(f),
        .zeros = nn_zeros_of(f),
        .nan = f->nan,
        .detail = f,
    };
}

OP_TABLE(ops_binary)
{
    static OpDesc table[BINARY_MAX + 1];
    const Function *const tables[] = {functions_of_pairs, functions_of_further_pairs,
                                      functions_of_law_pairs};
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const Function *f = tables[i]; f->name; f++)
            table[count++] = describe(f);
    return table;
}
