/* Faults of the operators of neural networks. */
#include <math.h>
#include <string.h>

#include "ops/nn/nn.h"
#include "planted.h"
#include "reference/function.h"

static int64_t *altered(PlantedCall *call, const char *name)
{
    return param_integer(case_param(&call->altered, name), call->altered.params);
}

static const Tensor *output(const PlantedCall *call)
{
    return &call->operands->view[call->operands->shapes.count - 1];
}

static double input_at(const PlantedCall *call, int64_t i)
{
    const Tensor *x = &call->operands->view[0];
    return dtype_load(x->dtype, x->origin, i);
}

/* Padding in front is one less than it should be. */
static void prepare_padding(PlantedCall *call)
{
    Shape *pads = param_shape(case_param(&call->altered, "pads_begin"), call->altered.params);
    if (pads->extent[1] > 0)
        pads->extent[1]--;
}

/* The last tap of each kernel is skipped. */
static void prepare_last_tap(PlantedCall *call)
{
    const Tensor *w = &call->view[1];
    int64_t taps = w->extent[2] * w->extent[3], count = tensor_count(w);
    if (taps < 2 || call->operands->shapes.tensor[1].ignored)
        return;
    char *copy = planted_copy(call, 1);
    for (int64_t i = taps - 1; i < count; i += taps)
        dtype_store(w->dtype, copy, i, 0);
}

/* The second group reads the channels of the first. */
static void prepare_group_offset(PlantedCall *call)
{
    const Tensor *x = &call->view[0];
    int64_t groups = *altered(call, "groups");
    size_t group = (size_t)(tensor_count(x) / x->extent[0] / groups) * dtype_size(x->dtype);
    if (groups < 2 || tensor_count(x) == 0)
        return;
    char *copy = planted_copy(call, 0);
    memcpy(copy + group, copy, group);
}

/* A mean counts padding as if it were there. */
static void prepare_count_pads(PlantedCall *call)
{
    *altered(call, "count_include_pad") = 1;
}

/* The last window by ceil is computed as if the input ended with it. */
static void finish_ceil(PlantedCall *call)
{
    const Tensor *y = output(call);
    int64_t last = y->extent[y->rank - 1];
    if (!*altered(call, "ceil_mode") || last < 2)
        return;
    for (int64_t i = last - 1; i < tensor_count(y); i += last)
        dtype_store(y->dtype, y->origin, i, dtype_load(y->dtype, y->origin, i - 1));
}

static void prepare_unbiased(PlantedCall *call)
{
    *altered(call, "correction") = 1;
}

static void prepare_no_epsilon(PlantedCall *call)
{
    param_scalar(case_param(&call->altered, "epsilon"), call->altered.params)->re = 0;
}

/* Equal elements: the last one is taken; along the innermost axis alone. */
static void finish_last_tie(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = output(call);
    if (*altered(call, "axes") != 1)
        return;
    int64_t extent = x->extent[x->rank - 1];
    for (int64_t row = 0; row < tensor_count(y); row++) {
        int64_t at = (int64_t)dtype_load(y->dtype, y->origin, row);
        for (int64_t k = at; k < extent; k++)
            if (input_at(call, row * extent + k) == input_at(call, row * extent + at))
                at = k;
        dtype_store(y->dtype, y->origin, row, (double)at);
    }
}

/* bfloat16 by cutting binary32 off. */
static void finish_truncate(PlantedCall *call)
{
    const Tensor *y = output(call);
    const Operands *o = call->operands;
    if (y->dtype != DT_BF16)
        return;
    Tensor a = nn_broadcast(&o->view[0], y), b = nn_broadcast(&o->view[1], y);
    for (int64_t i = 0; i < tensor_count(y); i++) {
        float sum = (float)(tensor_value(&a, i) + tensor_value(&b, i));
        uint32_t bits;
        memcpy(&bits, &sum, sizeof bits);
        bits &= 0xffff0000u;
        memcpy(&sum, &bits, sizeof sum);
        dtype_store(y->dtype, y->origin, i, sum);
    }
}

/* The other way to compute gelu. */
static void prepare_tanh(PlantedCall *call)
{
    call->altered.op = op_find("gelu_tanh");
}

/* An index of the last element reads the first. */
static void prepare_last_index(PlantedCall *call)
{
    const Tensor *indices = &call->view[1];
    double last = (double)(call->view[0].extent[*altered(call, "axis")] - 1);
    char *copy = planted_copy(call, 1);
    for (int64_t i = 0; i < tensor_count(indices); i++)
        if (dtype_load(DT_I64, copy, i) == last)
            dtype_store(DT_I64, copy, i, 0);
}

static void prepare_reflect(PlantedCall *call)
{
    enum { REFLECT = 1, EDGE = 2 };
    int64_t *mode = altered(call, "mode");
    if (*mode == REFLECT)
        *mode = EDGE;
}

/* Ties go away from 0. */
static void finish_half_away(PlantedCall *call)
{
    const Tensor *y = output(call);
    for (int64_t i = 0; i < tensor_count(y); i++)
        dtype_store(y->dtype, y->origin, i, round(input_at(call, i)));
}

static void prepare_inclusive(PlantedCall *call)
{
    if (*altered(call, "reverse"))
        *altered(call, "exclusive") = 0;
}

/* log(1 + x) as it is written. */
static void finish_naive_log1p(PlantedCall *call)
{
    const Tensor *y = output(call);
    for (int64_t i = 0; i < tensor_count(y); i++) {
        double one_more = dtype_round(y->dtype, 1 + input_at(call, i));
        dtype_store(y->dtype, y->origin, i, log(one_more));
    }
}

/* No maximum is subtracted. */
static void finish_overflow(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = output(call);
    bool overflows = false;
    for (int64_t i = 0; i < tensor_count(x); i++)
        overflows = overflows || input_at(call, i) > log(dtype_format(x->dtype)->largest);
    for (int64_t i = 0; overflows && i < tensor_count(y); i++)
        dtype_store(y->dtype, y->origin, i, NAN);
}

/* Within the error of a sine, and beyond 1, which no text forbids. */
static void finish_next(PlantedCall *call)
{
    const Tensor *y = output(call);
    for (int64_t i = 0; i < tensor_count(y); i++) {
        double value = dtype_load(y->dtype, y->origin, i);
        if (isfinite(value) && value != 0 && (y->dtype == DT_F32 || y->dtype == DT_F64))
            dtype_store(y->dtype, y->origin, i, value + format_ulp(dtype_format(y->dtype), value));
    }
}

/* What is left out becomes -0. */
static void finish_other_zero(PlantedCall *call)
{
    const Tensor *y = output(call);
    for (int64_t i = 0; i < tensor_count(y); i++)
        if (dtype_load(y->dtype, y->origin, i) == 0 && input_at(call, i) != 0)
            dtype_store(y->dtype, y->origin, i, -0.0);
}

/* One matrix of b serves the whole batch. */
static void prepare_first_matrix(PlantedCall *call)
{
    Tensor *b = &call->view[1];
    for (int axis = 0; axis < b->rank - 2; axis++)
        b->stride[axis] = 0;
}

/* 0 where both parts of an element are. */
static double largest_part(const Tensor *t, int64_t number)
{
    int64_t first = tensor_offset_of(t, number) * dtype_components(t->dtype);
    double re = fabs(dtype_load(t->dtype, t->origin, first));
    return dtype_components(t->dtype) == 1
               ? re
               : fmax(re, fabs(dtype_load(t->dtype, t->origin, first + 1)));
}

/* Elements of the mask, which is `flags`, of a matrix that is operand 1, are what keep says. */
static void keep_stored(PlantedCall *call, int flags, bool keep(bool set, double value))
{
    const Tensor *mask = &call->view[flags], *a = &call->view[flags + 1];
    char *copy = planted_copy(call, flags);
    for (int64_t i = 0; i < tensor_count(mask); i++) {
        bool set = dtype_load(mask->dtype, copy, i) != 0;
        dtype_store(mask->dtype, copy, i, keep(set, largest_part(a, i)));
    }
}

static bool keep_all(bool set, double value)
{
    (void)set;
    (void)value;
    return true;
}

static bool keep_nonzero(bool set, double value)
{
    return set && value != 0;
}

/* Elements that are not stored are multiplied as well. */
static void prepare_unstored(PlantedCall *call)
{
    keep_stored(call, 0, keep_all);
}

/* Stored zeros are dropped, and NaN beside them is lost. */
static void prepare_dropped_zeros(PlantedCall *call)
{
    keep_stored(call, 0, keep_nonzero);
}

/* The gradient has elements where none is stored. */
static void prepare_unstored_gradient(PlantedCall *call)
{
    keep_stored(call, 1, keep_all);
}

const PlantedFault planted_nn_faults[] = {
    {"conv-padding", "conv2d", "padding in front of the second axis", prepare_padding, NULL},
    {"conv-last-tap", "conv2d", "kernels of two taps or more", prepare_last_tap, NULL},
    {"conv-group", "conv2d", "two groups or more", prepare_group_offset, NULL},
    {"pool-pads", "avg_pool2d", "padding that is not to count", prepare_count_pads, NULL},
    {"pool-ceil", "max_pool2d", "a last window by ceil", NULL, finish_ceil},
    {"var-unbiased", "var", "always", prepare_unbiased, NULL},
    {"norm-epsilon", "layer_norm", "small variance", prepare_no_epsilon, NULL},
    {"argmax-tie", "argmax", "equal elements along the innermost axis", NULL, finish_last_tie},
    {"bf16-truncated", "add", "bfloat16", NULL, finish_truncate},
    {"gelu-tanh", "gelu", "binary32 and wider", prepare_tanh, NULL},
    {"gather-last", "gather", "an index of the last element", prepare_last_index, NULL},
    {"pad-reflect", "pad", "reflection", prepare_reflect, NULL},
    {"round-half", "round", "ties", NULL, finish_half_away},
    {"cumsum-inclusive", "cumsum", "backwards and exclusive", prepare_inclusive, NULL},
    {"log1p-naive", "log1p", "small arguments", NULL, finish_naive_log1p},
    {"ok-sin-next", "sin", "right: the next number", NULL, finish_next},
    {"ok-tril-other-zero", "tril", "right: zeros that are -0", NULL, finish_other_zero},
    {"softmax-overflow", "softmax", "large arguments", NULL, finish_overflow},
    {"sparse-unstored", "sparse_matmul", "elements that are not stored", prepare_unstored, NULL},
    {"sparse-dropped-zeros", "sparse_matmul", "NaN or infinity beside a stored zero",
     prepare_dropped_zeros, NULL},
    {"sparse-gradient-unstored", "sparse_matmul_backward", "elements that are not stored",
     prepare_unstored_gradient, NULL},
    {"matmul-batch", "matmul", "a batch of two or more", prepare_first_matrix, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
