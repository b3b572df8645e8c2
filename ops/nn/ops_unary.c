/* y = f(x) element by element: one operator for each function of reference/function.h, which has
 * their bounds. */
#include <math.h>

#include "nn.h"
#include "reference/function.h"

enum { UNARY_MAX = 96 };

static const Param plain_params[] = {NN_DTYPE, NN_SHAPE, P_END};
static const Param alpha_params[] = {NN_DTYPE, NN_SHAPE,
                                     P_REAL(Nn, alpha, 1, "parameter of the function"), P_END};
static const Param alpha_beta_params[] = {NN_DTYPE, NN_SHAPE,
                                          P_REAL(Nn, alpha, 1, "parameter of the function"),
                                          P_REAL(Nn, beta, 1, "parameter of the function"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

/* A function call costs about this many multiplications. */
static const double cost = 64;

static double work(const void *params)
{
    return nn_work_elements(params, cost);
}

static void shape_as(const Nn *q, DType result, Shapes *shapes)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(result, &q->shape, ROLE_OUT);
}

static void shape(const void *params, Shapes *shapes)
{
    const Nn *q = params;
    shape_as(q, nn_dtype(q), shapes);
}

static void predicate_shape(const void *params, Shapes *shapes)
{
    shape_as(params, DT_BOOL, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Function *function = input->op->detail;
    FunctionParams params = {q->alpha.re, q->beta.re};
    function_reference(&refs[1], function, &params, &input->tensors[0], input->tensors[1].dtype,
                       arena);
}

/* Parameters are numbers; where a function asks for it they are positive. */
static void normalise(void *params)
{
    Nn *q = params;
    double *const values[] = {&q->alpha.re, &q->beta.re};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        if (!(fabs(*values[i]) < 0x1p10) || fabs(*values[i]) < 0x1p-10)
            *values[i] = *values[i] == 0 ? 0 : 1;
}

static void normalise_positive(void *params)
{
    Nn *q = params;
    normalise(params);
    q->alpha.re = q->alpha.re == 0 ? 1 : fabs(q->alpha.re);
}

void nn_describe_function(OpDesc *op, const Function *f)
{
    op->params = f->has_beta ? alpha_beta_params : f->has_alpha ? alpha_params : plain_params;
    op->normalise = f->positive_alpha ? normalise_positive : f->has_alpha ? normalise : NULL;
}

static OpDesc describe(const Function *f)
{
    OpDesc op = {
        NN_OP_TABLES,
        .name = f->name,
        .summary = f->summary,
        .tensors = tensors,
        .dtypes = nn_dtypes_of(f),
        .fills = nn_function_fills,
        .in_place = !f->is_predicate,
        .shape = f->is_predicate ? predicate_shape : shape,
        .work = work,
        .reference = reference,
        .policy = function_policy(f),
        .detail = f,
    };
    nn_describe_function(&op, f);
    return op;
}

const OpDesc *ops_unary(void)
{
    static OpDesc table[UNARY_MAX + 1];
    for (int i = 0; functions[i].name; i++)
        table[i] = describe(&functions[i]);
    return table;
}
