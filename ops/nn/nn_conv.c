/* Patches of images times weights.  Those of a transposed convolution lie by channels of the image,
 * then by channels of the result, so that no strides give the matrix: they are copied. */
#include "nn_conv.h"

#include <string.h>

/* What one group of the weights meets in one sample. */
static Patches *patches_of(const ConvInput *in, int64_t sample, int64_t group, Arena *arena)
{
    const Tensor *x = &in->x;
    Patches *p = arena_take_zeroed(arena, 1, sizeof *p);
    int64_t channels = x->extent[1] / in->groups;
    int64_t first = sample * x->stride[0] + group * channels * x->stride[1];
    p->axes = x->rank - 2;
    p->spreads = in->transposed;
    p->image = *x;
    p->image.rank = p->axes + 1;
    p->image.origin = (char *)x->origin + first * (int64_t)dtype_size(x->dtype);
    p->image.extent[0] = channels;
    p->image.stride[0] = x->stride[1];
    for (int axis = 0; axis < p->axes; axis++) {
        p->image.extent[axis + 1] = x->extent[axis + 2];
        p->image.stride[axis + 1] = x->stride[axis + 2];
        p->kernel[axis] = in->w.extent[axis + 2];
        p->stride[axis] = in->stride[axis];
        p->dilation[axis] = in->dilation[axis];
        p->before[axis] = in->before[axis];
        p->places[axis] = in->y.extent[axis + 2];
    }
    return p;
}

static Tensor channels_of(const Tensor *t, int64_t first, int64_t rows, int64_t row_stride,
                          int64_t channels, int64_t stride)
{
    return tensor_matrix(t->dtype, rows, channels, row_stride, stride,
                         (char *)t->origin + first * (int64_t)dtype_size(t->dtype));
}

/* The weights of one group: a row for each channel of the image and tap. */
static Tensor weights_of(const ConvInput *in, int64_t group, Arena *arena)
{
    const Tensor *w = &in->w;
    int64_t channels = in->x.extent[1] / in->groups, results = in->y.extent[1] / in->groups;
    int64_t taps = 1, size = (int64_t)dtype_size(w->dtype);
    for (int axis = 2; axis < w->rank; axis++)
        taps *= w->extent[axis];
    int64_t depth = channels * taps;
    if (!in->transposed)
        return channels_of(w, group * results * depth, depth, 1, results, depth);
    Tensor copy = tensor_matrix(w->dtype, depth, results, results, 1, NULL);
    char *to = arena_take(arena, (size_t)(depth * results) + 1, (size_t)size);
    copy.origin = to;
    for (int64_t channel = 0; channel < channels; channel++) {
        int64_t first = (group * channels + channel) * results * taps;
        for (int64_t tap = 0; tap < taps; tap++)
            for (int64_t k = 0; k < results; k++, to += size)
                memcpy(to, (const char *)w->origin + (first + k * taps + tap) * size, (size_t)size);
    }
    return copy;
}

/* Patches times weights: a row for each place, a column for each channel of the result. */
static ProductBlock block_of(const ConvInput *in, int64_t sample, int64_t group,
                             const Tensor *weights, Arena *arena)
{
    const Tensor *y = &in->y;
    Patches *patches = patches_of(in, sample, group, arena);
    Tensor view = patches_view(patches);
    int64_t places = view.extent[0], channels = weights->extent[1], first = group * channels;
    ProductBlock block = {
        .first = (sample * y->extent[1] + first) * places, .row_step = 1, .column_step = places};
    ProductEquation *e = &block.equation;
    e->result.view = tensor_matrix(y->dtype, places, channels, 1, places, NULL);
    equation_add(e, (Scalar){1, 0}, (StoredMatrix){.view = view, .patches = patches},
                 (StoredMatrix){.view = *weights, .conjugate = in->conjugate_other});
    e->beta.re = in->bias ? 1 : 0;
    e->three_products = dtype_components(y->dtype) == 2;
    if (in->bias)
        e->c.view = channels_of(in->bias, first * in->bias->stride[0], places, 0, channels,
                                in->bias->stride[0]);
    return block;
}

void nn_conv_equations(ProductBlocks *blocks, const ConvInput *in, Arena *arena)
{
    int64_t count = in->x.extent[0] * in->groups;
    Tensor weights;
    REQUIRE(tensor_is_dense(&in->w) && tensor_is_dense(&in->y) && !in->conjugate_x);
    *blocks =
        (ProductBlocks){arena_take_zeroed(arena, (size_t)count + 1, sizeof(ProductBlock)), count};
    for (int64_t group = 0; group < in->groups; group++) {
        weights = weights_of(in, group, arena);
        for (int64_t i = group; i < count; i += in->groups)
            blocks->block[i] = block_of(in, i / in->groups, group, &weights, arena);
    }
}

/* Channels by tens and hundreds, and images of up to 2^17 places, or 2^14 along one axis. */
void nn_conv_enlarge(void *params_of_case, Choices *choices)
{
    enum { CHANNELS_LEAST = 8, CHANNELS_MOST = 256, SAMPLES_MOST = 4, BLOCK = 16, SIZES = 4 };
    static const int64_t most[] = {16384, 362, 50}, kernels[] = {1, 3, 5, 7};
    Conv *q = params_of_case;
    Window *w = &q->window;
    int axes = w->input_size.rank;
    q->batch = choice_between(choices, 1, SAMPLES_MOST);
    q->in_channels_per_group = choice_even(choices, CHANNELS_LEAST, CHANNELS_MOST, BLOCK);
    q->out_channels_per_group = choice_even(choices, CHANNELS_LEAST, CHANNELS_MOST, BLOCK);
    for (int axis = 0; axis < axes; axis++) {
        w->kernel_size.extent[axis] = kernels[choice_below(choices, SIZES)];
        w->input_size.extent[axis] =
            choice_even(choices, most[axes - 1] / 16, most[axes - 1], BLOCK);
    }
}
