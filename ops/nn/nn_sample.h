/* Coordinates and channels of sampling operators and their gradients (reference/sample.h).
 *
 * Coordinates are computed in the type of the tensor, in binary32 for half precisions: each takes
 * at most four operations, so that its radius is 4 u times the sizes that it goes through, 8 u with
 * a reflection; none where the extents are a power of two apart. */
#ifndef OPS_NN_NN_SAMPLE_H
#define OPS_NN_NN_SAMPLE_H

#include "nn_spatial.h"
#include "reference/sample.h"

/* Images of another size, and images that are read along a grid; output_size is of y. */
typedef struct Sample {
    int64_t dtype, batch, channels;
    Shape input_size, output_size;
    int64_t mode, coordinate_transformation_mode, nearest_mode; /* of images of another size */
    int64_t padding_mode, align_corners;                        /* of a grid */
} Sample;

extern const Param nn_resize_params[]; /* over NN_ANY_AXES */
extern const Param nn_grid_params[];

void nn_normalise_resize(void *params);
void nn_normalise_grid(void *params);
/* x and y; x, grid and y. */
void nn_resize_shape(const void *params, Shapes *shapes);
void nn_grid_shape(const void *params, Shapes *shapes);
double nn_resize_work(const void *params);
double nn_grid_work(const void *params);

/* Channel number `number` of all samples, of a dense x. */
SampleInput nn_resize_channel(const Sample *q, const Tensor *x, int64_t number);
SampleInput nn_grid_channel(const Sample *q, const Tensor *x, int64_t number);

/* Where element i of a channel of y lies in x, for a kernel whose coordinates have this unit. */
SamplePoint nn_resize_point(const Sample *q, int64_t i, double unit);
/* The same for the point of a sample with this number in the grid. */
SamplePoint nn_grid_point(const Sample *q, const Tensor *grid, int64_t point, double unit);

/* A reference whose coordinates have this unit. */
typedef void NnSampleAll(Ref *ref, const ReferenceInput *input, double unit, Arena *arena);

/* Coordinates in the type of operand 0, and for binary64 the alternative "float-coordinates", which
 * has them in binary32. */
void nn_sample_reference(Ref *ref, const ReferenceInput *input, NnSampleAll *all, Arena *arena);

#endif
