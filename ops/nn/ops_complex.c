/* Operators of complex numbers only: their parts, conjugates, arguments, and numbers of two parts;
 * and the gradients of parts and conjugates (reference/complex_gradient.h). */
#include <math.h>
#include <string.h>

#include "nn.h"
#include "reference/complex_function.h"

typedef struct Complex {
    int64_t dtype;
    Shape shape;
} Complex;

static const Param params[] = {
    NN_DTYPE(Complex), P_SHAPE(Complex, shape, 0, TENSOR_RANK_MAX - 1, "extents of the input"),
    P_END};

typedef enum Kind {
    REAL,
    IMAGINARY,
    CONJUGATE,
    BOTH,
    JOINED,
    ARGUMENT,
    AS_REAL,
    AS_IMAGINARY
} Kind;

typedef struct Row {
    const char *name, *summary;
    Kind kind;
    const ZeroSign *zeros;
} Row;

static const Row rows[] = {
    {"angle", "arguments of complex numbers", ARGUMENT, NULL},
    {"complex", "complex numbers of their parts", JOINED, nn_zeros_copied},
    {"conj", "conjugates", CONJUGATE,
     ZERO_SIGN(
         "parts",
         "IEEE 754-2019, 5.5.1: a copy has the sign, a negative the other; C23, 7.3.9.4, conj")},
    {"conj_backward", "gradient of conj", CONJUGATE, NULL},
    {"imag", "imaginary parts", IMAGINARY, nn_zeros_copied},
    {"imag_backward", "gradient of imag", AS_IMAGINARY, NULL},
    {"real", "real parts", REAL, nn_zeros_copied},
    {"real_backward", "gradient of real", AS_REAL, NULL},
    {"view_as_real", "the parts of complex numbers as a last axis", BOTH, nn_zeros_copied},
};
static const char *const unary_tensors[] = {"x", "y", NULL};
static const char *const gradient_tensors[] = {"dy", "dx", NULL};
static const char *const joined_tensors[] = {"a", "b", "y", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Complex *)params_of_case)->shape, 64);
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Complex *q = params_of_case;
    Kind kind = ((const Row *)op->detail)->kind;
    DType dtype = nn_dtype(q), part = dtype_component(dtype);
    Shape y = q->shape;
    if (kind == BOTH)
        y.extent[y.rank++] = 2;
    *shapes = (Shapes){.depth = 1};
    bool from_parts = kind == JOINED || kind == AS_REAL || kind == AS_IMAGINARY;
    nn_add_operand(shapes, from_parts ? part : dtype, &q->shape, ROLE_IN);
    if (kind == JOINED)
        nn_add_operand(shapes, part, &q->shape, ROLE_IN);
    nn_add_operand(shapes, kind == CONJUGATE || from_parts ? dtype : part, &y, ROLE_OUT);
}

/* The number of the result's component `i`. */
static double number_of(Kind kind, const Tensor *t, int64_t i)
{
    if (kind == AS_REAL || kind == AS_IMAGINARY)
        return i % 2 == (kind == AS_IMAGINARY) ? tensor_value(&t[0], i / 2) : 0;
    Tensor re = tensor_part(t[0], 0), im = tensor_part(t[kind == JOINED ? 1 : 0], kind != JOINED);
    switch (kind) {
    case REAL:
        return tensor_value(&re, i);
    case IMAGINARY:
        return tensor_value(&im, i);
    default:
        if (i % 2 == 0)
            return tensor_value(&re, i / 2);
        return kind == CONJUGATE ? -tensor_value(&im, i / 2) : tensor_value(&im, i / 2);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Kind kind = ((const Row *)input->op->detail)->kind;
    int result = kind == JOINED ? 2 : 1;
    Ref *ref = &refs[result];
    if (kind == ARGUMENT) {
        complex_function_reference(ref, complex_only_functions, &input->tensors[0], NULL, arena);
        return;
    }
    RefMatch match = strstr(input->op->name, "_backward") ? MATCH_VALUE : MATCH_BITS;
    ref_allocate_exact(ref, &input->tensors[result], arena);
    for (size_t i = 0; i < ref->count; i++)
        ref_set_exact(ref, i, number_of(kind, input->tensors, (int64_t)i), match);
}

OP_TABLE(ops_complex)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Complex, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params,
            .tensors = rows[i].kind == JOINED              ? joined_tensors
                       : strstr(rows[i].name, "_backward") ? gradient_tensors
                                                           : unary_tensors,
            .dtypes = DTYPES_COMPLEX,
            .fills = nn_function_fills,
            .shape_of_row = shape,
            .work = work,
            .reference = reference,
            .zeros = rows[i].zeros,
            .detail = &rows[i],
        };
    return table;
}
