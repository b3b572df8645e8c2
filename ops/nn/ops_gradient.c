/* dx = dy f'(x) element by element: the vector-Jacobian products of functions of one variable
 * (reference/function.h, reference/derivative.h), and of complex numbers dx = dy conj(f'(x))
 * (reference/complex_gradient.h).  At a kink either one-sided value is right. */
#include <stdio.h>
#include <string.h>

#include "nn.h"
#include "reference/complex_gradient.h"
#include "reference/derivative.h"

enum { GRADIENT_MAX = 64, NAME_MAX_LENGTH = 32 };

static const Param params[] = {NN_DTYPE(Unary), NN_SHAPE(Unary), P_END};
static const char *const tensors[] = {"dy", "x", "dx", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Unary *)params_of_case)->shape, 64);
}

/* What a gradient of complex numbers belongs to; NULL where the operator has none. */
static const ComplexGradient *of_complex(const OpDesc *op)
{
    char name[NAME_MAX_LENGTH];
    const char *end = strstr(op->name, "_backward");
    (void)snprintf(name, sizeof name, "%.*s", end ? (int)(end - op->name) : 0, op->name);
    return complex_gradient_named(name);
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Unary *q = params_of_case;
    bool from_real = dtype_components(nn_dtype(q)) == 2 && of_complex(op)->from_real;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] =
        nn_tensor(from_real ? dtype_component(nn_dtype(q)) : nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

/* True where the case is one of complex numbers, which has its reference then. */
static bool is_of_complex(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    if (dtype_components(input->tensors[1].dtype) != 2)
        return false;
    complex_gradient_reference(&refs[2], of_complex(input->op), &input->tensors[0],
                               &input->tensors[1], arena);
    return true;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    if (is_of_complex(refs, input, arena))
        return;
    function_pair_reference(&refs[2], input->op->detail, &input->tensors[0], &input->tensors[1],
                            input->tensors[2].dtype, arena);
}

static void derivative_of_row(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Unary *q = input->params;
    if (is_of_complex(refs, input, arena))
        return;
    FunctionParams parameters = {.alpha = q->alpha.re, .beta = q->beta.re};
    derivative_reference(&refs[2], input->op->detail, &parameters, &input->tensors[0],
                         &input->tensors[1], arena);
}

static OpDesc describe(const char *name, const char *summary)
{
    OpDesc op = {
        NN_OP(Unary, 1),
        .name = name,
        .summary = summary,
        .params = params,
        .tensors = tensors,
        .dtypes = DTYPES_FLOAT,
        .fills = nn_moderate_fills,
        .shape_of_row = shape,
        .work = work,
    };
    op.dtypes |= of_complex(&op) ? DTYPES_COMPLEX : 0;
    return op;
}

static void describe_derivative(OpDesc *op, const Derivative *derivative)
{
    static char names[GRADIENT_MAX][2][NAME_MAX_LENGTH];
    static int count;
    const Function *function = function_named(derivative->function);
    char *name = names[count][0], *summary = names[count++][1];
    (void)snprintf(name, NAME_MAX_LENGTH, "%s_backward", derivative->function);
    (void)snprintf(summary, NAME_MAX_LENGTH, "gradient of %s", derivative->function);
    *op = describe(name, summary);
    nn_describe_function(op, function);
    op->reference = derivative_of_row;
    if (derivative->special)
        op->dtypes &= 1u << DT_F32 | 1u << DT_F64;
    op->policy = "absolute-accuracy";
    op->detail = derivative;
}

/* Gradients of complex numbers only: the functions of real numbers have none, or there are none. */
static void complex_only(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    (void)is_of_complex(refs, input, arena);
}

static const char *const complex_names[][2] = {
    {"angle_backward", "gradient of the arguments of complex numbers"},
    {"sign_backward", "gradient of the directions of complex numbers"},
};

OP_TABLE(ops_gradient)
{
    static OpDesc table[2 * GRADIENT_MAX + 1];
    int count = 0;
    for (const Function *f = function_gradients; f->name; f++) {
        table[count] = describe(f->name, f->summary);
        table[count].reference = reference;
        table[count++].detail = f;
    }
    for (const Derivative *d = derivatives; d->function; d++)
        describe_derivative(&table[count++], d);
    for (size_t i = 0; i < COUNT_OF(complex_names); i++) {
        table[count] = describe(complex_names[i][0], complex_names[i][1]);
        table[count].dtypes = DTYPES_COMPLEX;
        table[count++].reference = complex_only;
    }
    return table;
}
