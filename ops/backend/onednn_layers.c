/* Plans of normalisations, of the gradient of pooling, of interpolation, and of integers. */
#include <string.h>

#include "onednn_parts.h"

/* Flags of normalisations that have other numbers in version 2. */
static int64_t scale_and_shift(const DnnlPlan *plan)
{
    return plan->version == 2 ? 0x8 | 0x10 : 0x2 | 0x4;
}

enum { GIVEN_STATISTICS = 1 };

static bool batch_norm(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 5, ARGUMENT_DST, 0);
    (void)dnnl_memory_of(plan, o, 1, ARGUMENT_SCALE, 0);
    (void)dnnl_memory_of(plan, o, 2, ARGUMENT_SHIFT, 0);
    (void)dnnl_memory_of(plan, o, 3, ARGUMENT_MEAN, 0);
    (void)dnnl_memory_of(plan, o, 4, ARGUMENT_VARIANCE, 0);
    dnnl_begin(plan, "batch_normalization_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_memory(plan, x);
    if (plan->version > 2)
        dnnl_add_memory(plan, y);
    dnnl_add_number(plan, case_scalar(o->source, "epsilon").re);
    dnnl_add_integer(plan, GIVEN_STATISTICS | scale_and_shift(plan));
    /* Of other types the statistics are binary32. */
    return o->view[0].dtype == DT_F32 && dnnl_finish(plan);
}

/* Statistics of an operand without its last axis. */
static int statistics_of(DnnlPlan *plan, const Operands *o, int operand)
{
    int memory = dnnl_memory_of(plan, o, operand, 0, 0);
    DnnlMemory *m = &plan->memories[memory];
    m->type = 3; /* binary32 */
    m->rank--;
    for (int axis = m->rank - 1; axis >= 0; axis--)
        m->stride[axis] /= o->view[operand].extent[o->view[operand].rank - 1];
    return memory;
}

/* Over the last axis only. */
static bool layer_norm(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    (void)row;
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 3, ARGUMENT_DST, 0);
    (void)dnnl_memory_of(plan, o, 1, ARGUMENT_SCALE, 0);
    (void)dnnl_memory_of(plan, o, 2, ARGUMENT_SHIFT, 0);
    int statistics = statistics_of(plan, o, 0);
    dnnl_begin(plan, "layer_normalization_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_memory(plan, x);
    if (plan->version > 2)
        dnnl_add_memory(plan, y);
    dnnl_add_memory(plan, statistics);
    dnnl_add_number(plan, case_scalar(o->source, "epsilon").re);
    dnnl_add_integer(plan, scale_and_shift(plan));
    return o->view[0].rank > 1 && case_int(o->source, "axis") == o->view[0].rank - 1 &&
           o->view[0].dtype == DT_F32 && dnnl_finish(plan);
}

/* dy, x, scale, mean, variance; dx, dscale, dbias. */
static bool norm_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    static const int arguments[] = {ARGUMENT_DIFF_DST,   ARGUMENT_SRC,       ARGUMENT_SCALE,
                                    ARGUMENT_MEAN,       ARGUMENT_VARIANCE,  ARGUMENT_DIFF_SRC,
                                    ARGUMENT_DIFF_SCALE, ARGUMENT_DIFF_SHIFT};
    bool layer = !strcmp(row->op, "layer_norm_backward");
    enum { DY, X, SCALE, MEAN, DX = 5 };
    for (int i = 0; i < (int)COUNT_OF(arguments); i++)
        (void)dnnl_memory_of(plan, o, i, arguments[i], 0);
    /* A shift is asked for, though no gradient depends on it. */
    if (layer || plan->version == 2)
        (void)dnnl_memory_of(plan, o, SCALE, ARGUMENT_SHIFT, 0);
    dnnl_begin(plan, layer ? "layer_normalization_backward" : "batch_normalization_backward");
    dnnl_add_integer(plan, PROPAGATION_BACKWARD);
    dnnl_add_memory(plan, DX);
    if (plan->version > 2)
        dnnl_add_memory(plan, DY);
    dnnl_add_memory(plan, X);
    if (layer)
        dnnl_add_memory(plan, MEAN);
    dnnl_add_number(plan, case_scalar(o->source, "epsilon").re);
    dnnl_add_integer(plan, scale_and_shift(plan));
    return o->view[X].rank > 1 && dnnl_finish_backward(plan);
}

static bool mean_pool_backward(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    DnnlWindow window = dnnl_window_of(o, 0, 1, false);
    const int64_t *const tuples[] = {window.stride, window.kernel, window.dilation, window.before,
                                     window.after};
    bool counts = case_int(o->source, "count_pads");
    int dy = dnnl_memory_of(plan, o, 0, ARGUMENT_DIFF_DST, 0);
    int dx = dnnl_memory_of(plan, o, 1, ARGUMENT_DIFF_SRC, 0);
    (void)row;
    dnnl_begin(plan, plan->version == 2 ? "pooling_v2_backward" : "pooling_backward");
    dnnl_add_algorithm(plan,
                       counts ? "pooling_avg_include_padding" : "pooling_avg_exclude_padding");
    dnnl_add_memory(plan, dx);
    dnnl_add_memory(plan, dy);
    for (size_t i = 0; i < COUNT_OF(tuples); i++)
        dnnl_add_dimensions(plan, tuples[i], window.axes);
    /* A window by ceil counts places that are beyond the padding there. */
    return !(counts && case_int(o->source, "ceil_mode")) && dnnl_finish_backward(plan);
}

/* Of half pixels; which element is nearest is its own rule. */
static bool resampling(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    int x = dnnl_memory_of(plan, o, 0, ARGUMENT_SRC, 0),
        y = dnnl_memory_of(plan, o, 1, ARGUMENT_DST, 0);
    (void)row;
    dnnl_begin(plan, "resampling_forward");
    dnnl_add_integer(plan, PROPAGATION_INFERENCE);
    dnnl_add_algorithm(plan, "resampling_linear");
    dnnl_add_nothing(plan);
    dnnl_add_memory(plan, x);
    dnnl_add_memory(plan, y);
    return !strcmp(case_choice(o->source, "mode"), "linear") &&
           !strcmp(case_choice(o->source, "transformation"), "half_pixel") && dnnl_finish(plan);
}

/* Zero points would be attributes. */
static bool integer_product(DnnlPlan *plan, const Operands *o, const DnnlRow *row)
{
    return case_int(o->source, "zero_a") == 0 && case_int(o->source, "zero_b") == 0 &&
           dnnl_product(plan, o, row);
}

const DnnlRow dnnl_layer_rows[] = {
    {"batch_norm", NULL, batch_norm, 0, 0, false, false},
    {"layer_norm", NULL, layer_norm, 0, 0, false, false},
    {"batch_norm_backward", NULL, norm_backward, 0, 0, false, false},
    {"layer_norm_backward", NULL, norm_backward, 0, 0, false, false},
    {"avg_pool1d_backward", NULL, mean_pool_backward, 0, 0, false, false},
    {"avg_pool2d_backward", NULL, mean_pool_backward, 0, 0, false, false},
    {"avg_pool3d_backward", NULL, mean_pool_backward, 0, 0, false, false},
    {"interpolate1d", NULL, resampling, 0, 0, false, false},
    {"interpolate2d", NULL, resampling, 0, 0, false, false},
    {"interpolate3d", NULL, resampling, 0, 0, false, false},
    {NULL, NULL, NULL, 0, 0, false, false},
};

const DnnlRow dnnl_integer_rows[] = {
    {"matmul_integer", NULL, integer_product, 0, 0, false, false},
    {NULL, NULL, NULL, 0, 0, false, false},
};
