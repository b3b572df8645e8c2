/* y = f(x) element by element: one operator for each function of reference/function.h, which has
 * their bounds, and of complex numbers reference/complex_function.h. */
#include <math.h>
#include <string.h>

#include "nn.h"
#include "reference/complex_function.h"
#include "reference/function.h"

enum { UNARY_MAX = 160 };

#define UNARY             NN_DTYPE(Unary), NN_SHAPE(Unary)
#define ALPHA(name, text) P_REAL_AS(name, Unary, alpha, 1, text, .formerly = "alpha")
#define BETA(name, text)  P_REAL_AS(name, Unary, beta, 1, text, .formerly = "beta")

static const Param plain_params[] = {UNARY, P_END};
static const Param alpha_params[] = {UNARY, P_REAL(Unary, alpha, 1, "what exp(x) - 1 is scaled by"),
                                     P_END};
static const Param hardsigmoid_params[] = {UNARY, P_REAL(Unary, alpha, 1, "slope"),
                                           P_REAL(Unary, beta, 1, "value at 0"), P_END};
static const Param selu_params[] = {UNARY, P_REAL(Unary, alpha, 1, "what exp(x) - 1 is scaled by"),
                                    BETA("gamma", "scale of the result"), P_END};
static const Param slope_params[] = {UNARY, ALPHA("negative_slope", "slope below 0"), P_END};
static const Param shrink_params[] = {UNARY, ALPHA("lambd", "half of the interval about 0"), P_END};
static const Param threshold_params[] = {UNARY, ALPHA("threshold", "end of the zeros"), P_END};

#define DEGREE(name, low, high, text)                                                              \
    {                                                                                              \
        UNARY, P_INTEGER_AS(name, Unary, degree, low, high, low, text), P_END                      \
    }
static const Param degree_params[] = DEGREE("degree", 0, 16, "degree of the polynomial");
static const Param order_params[] = DEGREE("order", 0, 10, "how often the function is derived");
static const Param dimension_params[] = DEGREE("p", 1, 8, "dimension");

/* Functions with parameters, and the version of their operators. */
static const struct {
    const char *function;
    const Param *params;
    int version;
} parametric[] = {
    {"celu", alpha_params, 1},        {"elu", alpha_params, 1},
    {"hardshrink", shrink_params, 2}, {"hardsigmoid", hardsigmoid_params, 1},
    {"leaky_relu", slope_params, 2},  {"selu", selu_params, 2},
    {"softshrink", shrink_params, 2}, {"thresholded_relu", threshold_params, 2},
};
static const char *const tensors[] = {"x", "y", NULL};

/* A function call costs about this many multiplications. */
static const double cost = 64;

static double work(const void *params)
{
    return nn_work_elements(&((const Unary *)params)->shape, cost);
}

static void shape_as(const Unary *q, DType result, Shapes *shapes)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(result, &q->shape, ROLE_OUT);
}

static bool gives_real(const Function *f, DType dtype)
{
    const ComplexFunction *of_complex = complex_function_named(f->name);
    return dtype_components(dtype) == 2 && of_complex && of_complex->is_real;
}

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    const Function *f = op->detail;
    DType dtype = nn_dtype(params);
    shape_as(params,
             f->is_predicate        ? DT_BOOL
             : gives_real(f, dtype) ? dtype_component(dtype)
                                    : dtype,
             shapes);
    shapes->tensor[0].reflected = f->past_degree;
    shapes->tensor[0].least = (double)(((const Unary *)params)->degree - 1) / 2;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Unary *q = input->params;
    const Function *function = input->op->detail;
    if (dtype_components(input->tensors[0].dtype) == 2) {
        complex_function_reference(&refs[1], complex_function_named(function->name),
                                   &input->tensors[0], NULL, arena);
        return;
    }
    FunctionParams params = {.alpha = q->alpha.re, .beta = q->beta.re, .degree = (int)q->degree};
    function_reference(&refs[1], function, &params, &input->tensors[0], input->tensors[1].dtype,
                       arena);
}

/* Parameters are 0 or within the ranges of most types, where products with them are numbers; where
 * a function asks for it they are positive. */
static void normalise(void *params)
{
    Unary *q = params;
    const Format *f = dtype_format(nn_dtype(q));
    double most = fmin(0x1p60, f->largest), least = fmax(0x1p-60, f->smallest_normal);
    double *const values[] = {&q->alpha.re, &q->beta.re};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        if (!(fabs(*values[i]) <= most) || fabs(*values[i]) < least)
            *values[i] = *values[i] == 0 ? 0 : 1;
    for (size_t i = 0; i < COUNT_OF(values); i++)
        *values[i] = nn_whole_number(nn_dtype(q), *values[i]);
}

static void normalise_positive(void *params)
{
    Unary *q = params;
    normalise(params);
    q->alpha.re = q->alpha.re == 0 ? 1 : fabs(q->alpha.re);
}

void nn_describe_function(OpDesc *op, const Function *f)
{
    op->params = plain_params;
    op->normalise = f->positive_alpha ? normalise_positive : f->has_alpha ? normalise : NULL;
    for (size_t i = 0; i < COUNT_OF(parametric); i++)
        if (!strcmp(parametric[i].function, f->name)) {
            op->params = parametric[i].params;
            op->version = parametric[i].version;
        }
    if (f->degree)
        op->params = !strcmp(f->degree, "degree")  ? degree_params
                     : !strcmp(f->degree, "order") ? order_params
                                                   : dimension_params;
    if ((f->has_alpha || f->degree) != (op->params != plain_params))
        BUG("parameters of %s", f->name);
}

/* Of celu alpha divides. */
static const IllegalRule *illegal_of(const Function *f)
{
    static const IllegalRule divisor[] = {{ILLEGAL_NUMBER, "alpha", 0}, {0}},
                             half[] = {{ILLEGAL_NUMBER, "lambd", -1}, {0}};
    return !strcmp(f->name, "celu") ? divisor : !strcmp(f->name, "softshrink") ? half : NULL;
}

static OpDesc describe(const Function *f)
{
    OpDesc op = {
        NN_OP(Unary, 1),
        .name = f->name,
        .summary = f->summary,
        .tensors = tensors,
        .dtypes = nn_dtypes_of(f),
        .fills = nn_function_fills,
        .in_place = !f->is_predicate,
        .by_parts = nn_is_by_parts(f),
        .shape_of_row = shape,
        .work = work,
        .reference = reference,
        .policy = function_policy(f),
        .zeros = nn_zeros_of(f),
        .nan = f->nan,
        .illegal = illegal_of(f),
        .detail = f,
    };
    nn_describe_function(&op, f);
    return op;
}

OP_TABLE(ops_unary)
{
    static OpDesc table[UNARY_MAX + 1];
    int count = 0;
    const Function *const tables[] = {functions, functions_special, functions_with_degree,
                                      functions_of_laws};
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const Function *f = tables[i]; f->name; f++)
            table[count++] = describe(f);
    return table;
}
