/* Operators that move a kernel over one to three spatial axes. */
#ifndef OPS_NN_NN_SPATIAL_H
#define OPS_NN_NN_SPATIAL_H

#include "nn.h"
#include "reference/conv.h"

#define NN_BATCH          P_DIM(Nn, batch, 1, 64, "samples")
#define NN_CHANNELS       P_DIM(Nn, channels, 1, 256, "channels of a group")
#define NN_SIZE(axes)     P_SHAPE(Nn, size, axes, axes, "spatial extents of x")
#define NN_KERNEL(axes)   P_TUPLE(Nn, kernel, axes, 1, 9, 1, "extents of the kernel")
#define NN_STRIDE(axes)   P_TUPLE(Nn, stride, axes, 1, 6, 1, "steps of the kernel")
#define NN_DILATION(axes) P_TUPLE(Nn, dilation, axes, 1, 4, 1, "distance of taps")
#define NN_BEFORE(axes)   P_TUPLE(Nn, before, axes, 0, 8, 0, "padding in front")
#define NN_AFTER(axes)    P_TUPLE(Nn, after, axes, 0, 8, 0, "padding behind")

/* A kernel that moves over an image; what convolutions add to it. */
#define NN_WINDOW(axes)                                                                            \
    NN_SIZE(axes), NN_KERNEL(axes), NN_STRIDE(axes), NN_DILATION(axes), NN_BEFORE(axes),           \
        NN_AFTER(axes)
#define NN_CONVOLUTION(axes)                                                                       \
    NN_BATCH, NN_CHANNELS, P_DIM(Nn, outputs, 1, 256, "channels of y in a group"),                 \
        P_INTEGER(Nn, groups, 1, 4, 1, "groups of channels"), NN_WINDOW(axes)

/* Elements from the first to the last that the kernel meets along an axis. */
int64_t nn_reach(const Nn *q, int axis);
/* Output extent along an axis: floor or ceil ((size + before + after - reach) / stride) + 1, where
 * a window by ceil must begin inside the input or in front of it. */
int64_t nn_output(const Nn *q, int axis);
/* Makes sizes at least 1 and the kernel fit. */
void nn_fit_kernel(Nn *q);
/* batch, channels and the extents. */
Shape nn_image(int64_t batch, int64_t channels, const Shape *extents);
/* The output extents of all axes. */
Shape nn_outputs(const Nn *q);
/* The parameters of a convolution, without its operands. */
ConvInput nn_conv_input(const Nn *q);

#endif
