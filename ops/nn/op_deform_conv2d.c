/* Convolutions whose taps are moved by offsets; their bounds: nn_deform.h. */
#include "nn_deform.h"

static const char *const tensors[] = {"x", "w", "offset", "mask", "bias", "y", NULL};

static const Param params[] = {DEFORM_PARAMS,
                               P_CHOICE(DeformConv, unmasked, nn_yes_no, "mask is left out"),
                               P_CHOICE(DeformConv, bias, nn_yes_no, "bias is added"), P_END};

static Ball result_of(const DeformReading *r, const Tensor *bias, const Ball *samples,
                      int64_t number, Ball *terms)
{
    const DeformConv *q = r->q;
    int64_t place = tensor_take_index(&number, r->places);
    int64_t out = tensor_take_index(&number, q->out_channels_per_group * q->groups);
    int64_t first = out / q->out_channels_per_group * q->in_channels_per_group;
    size_t count = 0;
    for (int64_t c = 0; c < q->in_channels_per_group; c++)
        for (int64_t tap = 0; tap < r->taps; tap++) {
            DeformSite s = {number, first + c, tap, place};
            terms[count++] = deform_product(r, &s, samples[deform_site_number(r, &s)],
                                            ball_exact(deform_weight(r, &s, out)));
        }
    if (bias)
        terms[count++] = ball_exact(tensor_value(bias, out));
    return ball_sum(r->format, terms, count);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const DeformConv *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[DEFORM_Y];
    ref_allocate_bounded(ref, t[DEFORM_Y].dtype, &t[DEFORM_Y], arena);
    DeformReading r = deform_reading(input, t, ref->accumulator, arena);
    Ball *samples = deform_make_samples(&r, arena);
    Ball *terms = arena_take(arena, (size_t)(q->in_channels_per_group * r.taps) + 1, sizeof *terms);
    for (size_t i = 0; i < ref->count; i++)
        ref_put_ball(ref, i,
                     result_of(&r, q->bias ? &t[DEFORM_BIAS] : NULL, samples, (int64_t)i, terms));
}

static const IllegalRule illegal[] = {
    {ILLEGAL_EXTENT, "w", 1}, {ILLEGAL_TUPLE, "stride", 0}, {ILLEGAL_TUPLE, "dilation", 0}, {0}};

const OpDesc op_deform_conv2d = {NN_OP(DeformConv, 2),
                                 .name = "deform_conv2d",
                                 .summary = "convolution whose taps are moved by offsets",
                                 .params = params,
                                 .tensors = tensors,
                                 .dtypes = DTYPES_REAL,
                                 .fills = nn_moderate_fills,
                                 .normalise = deform_normalise,
                                 .shape = deform_shape,
                                 .work = deform_work,
                                 .reference = reference,
                                 .illegal = illegal};
