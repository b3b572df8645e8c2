/* Images of another size, and images that are read along a grid (reference/sample.h). */
#include "nn_sample.h"

static const char *const resize_tensors[] = {"x", "y", NULL};
static const char *const grid_tensors[] = {"x", "grid", "y", NULL};

static void allocate(Ref *ref, const Tensor *y, Arena *arena)
{
    ref_allocate_bounded(ref, y->dtype, y, arena);
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
}

static void resize_all(Ref *ref, const ReferenceInput *input, double unit, Arena *arena)
{
    const Sample *q = input->params;
    int64_t elements = shape_count(&q->output_size);
    allocate(ref, &input->tensors[1], arena);
    for (int64_t i = 0; i < (int64_t)ref->count; i++) {
        SampleInput in = nn_resize_channel(q, &input->tensors[0], i / elements);
        SamplePoint point = nn_resize_point(q, i % elements, unit);
        sample_put(ref, (size_t)i, &in, &point);
    }
}

static void sample_grid(Ref *ref, const ReferenceInput *input, double unit, Arena *arena)
{
    const Sample *q = input->params;
    int64_t points = shape_count(&q->output_size);
    allocate(ref, &input->tensors[2], arena);
    for (int64_t i = 0; i < (int64_t)ref->count; i++) {
        int64_t channel = i / points, number = channel / q->channels * points + i % points;
        SampleInput in = nn_grid_channel(q, &input->tensors[0], channel);
        SamplePoint point = nn_grid_point(q, &input->tensors[1], number, unit);
        sample_put(ref, (size_t)i, &in, &point);
    }
}

static void resize_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    nn_sample_reference(&refs[1], input, resize_all, arena);
}

static void grid_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    nn_sample_reference(&refs[2], input, sample_grid, arena);
}

#define SAMPLE_OP NN_OP(Sample, 2), .fills = nn_moderate_fills, .policy = "float-coordinates"

static const IllegalRule illegal[] = {{ILLEGAL_TUPLE, "output_size", 0}, {0}};

static const OpDesc resize[] = {
    {SAMPLE_OP, .dtypes = DTYPES_REAL | 1u << DT_U8, .name = "interpolate%dd",
     .summary = "images of another size, %d axes", .params = nn_resize_params,
     .tensors = resize_tensors, .normalise = nn_normalise_resize, .shape = nn_resize_shape,
     .work = nn_resize_work, .reference = resize_reference, .illegal = illegal},
};
static const OpDesc grid = {SAMPLE_OP,
                            .dtypes = DTYPES_REAL,
                            .name = "grid_sample",
                            .summary = "images read along a grid of coordinates",
                            .params = nn_grid_params,
                            .tensors = grid_tensors,
                            .normalise = nn_normalise_grid,
                            .shape = nn_grid_shape,
                            .work = nn_grid_work,
                            .reference = grid_reference};

OP_TABLE(ops_sample)
{
    static OpDesc table[3 * COUNT_OF(resize) + 2];
    static SpreadOp storage[3 * COUNT_OF(resize)];
    nn_spread_axes(table, storage, resize, COUNT_OF(resize));
    table[3 * COUNT_OF(resize)] = grid;
    return table;
}
