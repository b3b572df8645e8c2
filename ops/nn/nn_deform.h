/* Convolutions whose taps read between the elements of an image, and their gradients (ONNX,
 * DeformConv; Dai et al., Deformable Convolutional Networks, 2017; Zhu et al., 2019, with a mask).
 *
 * A tap reads at out stride - pad + tap dilation, which is exact, plus its offset, which rounds
 * once: the linear interpolation of the four elements about it, of which those outside are 0, by
 * weights or in steps a + t (b - a), which are off by 12 u of the greatest of them at most unless
 * no step rounds (reference/sample.h).  A sample is multiplied by its mask and by the weight of
 * its tap, and the products are summed over the taps and channels of a group, with the bias, in
 * any order.  A kernel that multiplies each of the four elements by mask and weight rounds as
 * often along any path, so that its sum is off by no more than that of the products is.
 *
 * Where products of sample, mask and weight may leave the range, nothing is said of their sum:
 * they may be formed in any order.  A sample outside is 0, which meets a mask or a weight that is
 * not finite, or is left out; an element of the image times 0 may stand in for it, as for a
 * neighbour outside, which is NaN where the image is not finite.
 *
 * At an offset that is not finite a kernel takes what it takes by weights between 0 and 1 that add
 * up to 1 at most, or that are NaN: a sample is NaN or no larger than the elements of its channel,
 * what an element has of a gradient no larger than that, and a slope within twice the elements. */
#ifndef OPS_NN_DEFORM_H
#define OPS_NN_DEFORM_H

#include "nn_spatial.h"
#include "reference/sample.h"

enum { DEFORM_X, DEFORM_W, DEFORM_OFFSET, DEFORM_MASK, DEFORM_BIAS, DEFORM_Y, DEFORM_AXES = 2 };

typedef struct DeformConv {
    int64_t dtype, batch, in_channels_per_group, out_channels_per_group, groups;
    Window window;
    int64_t offset_groups, unmasked, bias;
} DeformConv;

#define DEFORM_PARAMS                                                                              \
    NN_DTYPE(DeformConv), NN_CONVOLUTION(DeformConv, DEFORM_AXES),                                 \
        P_INTEGER(DeformConv, offset_groups, 1, 4, 1,                                              \
                  "groups of channels with offsets of their own")

/* Groups of offsets divide the channels. */
void deform_normalise(void *params_of_case);
void deform_shape(const void *params_of_case, Shapes *shapes);
/* Of all samples, and of the products with them. */
double deform_work(const void *params_of_case);

/* A case with its operands; the mask is NULL where there is none. */
typedef struct DeformReading {
    const DeformConv *q;
    const Tensor *x, *w, *offset, *mask;
    const Format *format;
    int64_t taps, places, channels, sharing; /* sharing: channels with the same offsets */
    bool *is_finite;                         /* of each channel of x */
    SampleShare *shares;
    Ball *terms;
} DeformReading;

/* Of operands that begin with x, by their numbers. */
DeformReading deform_reading(const ReferenceInput *input, const Tensor *first, DType accumulator,
                             Arena *arena);

/* A sample: of an image and channel, for a tap at a place of y.  They are numbered in this order.
 */
typedef struct DeformSite {
    int64_t image, channel, tap, place;
} DeformSite;

int64_t deform_count_sites(const DeformReading *r);
int64_t deform_site_number(const DeformReading *r, const DeformSite *s);
DeformSite deform_site_at(const DeformReading *r, int64_t number);

double deform_mask(const DeformReading *r, const DeformSite *s);
/* The weight between a sample and a channel of y in its group. */
double deform_weight(const DeformReading *r, const DeformSite *s, int64_t out);
/* Where a sample lies; false where its offset is not finite. */
bool deform_find_point(const DeformReading *r, const DeformSite *s, SamplePoint *point);
SampleInput deform_image(const DeformReading *r, const DeformSite *s);

/* The elements of the image that a sample takes from, in balls, times what was put into shares. */
typedef struct DeformProducts {
    size_t count;
    double size; /* of the greatest element that is finite */
    bool is_inside;
} DeformProducts;

DeformProducts deform_share_products(const DeformReading *r, const SampleInput *in, int shares,
                                     Ball *terms);
/* What sums in steps are off by, beside their weights. */
double deform_steps_error(const DeformReading *r, double size);
/* Of a number that elements outside take part in, or all of it. */
Ball deform_or_nan(const DeformReading *r, const DeformSite *s, Ball found);

/* All samples, by the numbers of their sites. */
Ball *deform_make_samples(const DeformReading *r, Arena *arena);
/* What is made of a sample times a factor. */
Ball deform_times(const DeformReading *r, const DeformSite *s, Ball made, Ball factor);
/* What is made of a sample times its mask and another factor, in any order. */
Ball deform_product(const DeformReading *r, const DeformSite *s, Ball made, Ball factor);

#endif
