/* Operators that move a kernel over one to three spatial axes. */
#ifndef OPS_NN_NN_SPATIAL_H
#define OPS_NN_NN_SPATIAL_H

#include "nn.h"
#include "reference/conv.h"

/* A kernel that moves over an image. */
typedef struct Window {
    Shape input_size, kernel_size, stride, dilation, pads_begin, pads_end;
    int64_t ceil_mode;
} Window;

typedef struct Conv {
    int64_t dtype, batch, in_channels_per_group, out_channels_per_group, groups;
    Window window;
    Shape output_padding; /* of transposed convolutions */
    int64_t bias, activation;
} Conv;

/* Rows of tables that hold for one, two and three axes have this number of axes; nn_spread_axes
 * fills it in. */
enum { NN_ANY_AXES = 0 };

#define NN_BATCH(type) P_DIM(type, batch, 0, 64, "samples")
#define NN_INPUT_SIZE(type, field, axes, why_full)                                                 \
    P_SHAPE_AS("input_size", type, field, axes, axes, "spatial extents of x", .formerly = "size",  \
               .full = (why_full))
#define NN_INPUT_SIZE_OF_ANY_RANK(type)                                                            \
    P_SHAPE(type, input_size, 1, 3, "spatial extents", .formerly = "size")
#define NN_OUTPUT_SIZE(type, high, text)                                                           \
    P_TUPLE(type, output_size, NN_ANY_AXES, 1, high, 1, text, .formerly = "extra")

/* The rows of a Window that is a member of the structure. */
#define NN_WINDOW(type, axes)                                                                      \
    NN_INPUT_SIZE(type, window.input_size, axes,                                                   \
                  "no text says whether padding alone is an image"),                               \
        P_TUPLE_AS("kernel_size", type, window.kernel_size, axes, 1, 9, 1,                         \
                   "extents of the kernel", .formerly = "kernel"),                                 \
        P_TUPLE_AS("stride", type, window.stride, axes, 1, 6, 1, "steps of the kernel"),           \
        P_TUPLE_AS("dilation", type, window.dilation, axes, 1, 4, 1, "distance of taps"),          \
        P_TUPLE_AS("pads_begin", type, window.pads_begin, axes, 0, 8, 0, "padding in front",       \
                   .formerly = "before"),                                                          \
        P_TUPLE_AS("pads_end", type, window.pads_end, axes, 0, 8, 0, "padding behind",             \
                   .formerly = "after")

/* The rows of a convolution whose structure has the members of Conv. */
#define NN_CONVOLUTION(type, axes)                                                                 \
    NN_BATCH(type),                                                                                \
        P_DIM(type, in_channels_per_group, 1, 256, "channels of x in a group",                     \
              .formerly = "channels"),                                                             \
        P_DIM(type, out_channels_per_group, 1, 256, "channels of y in a group",                    \
              .formerly = "outputs"),                                                              \
        P_INTEGER(type, groups, 1, 64, 1, "groups of channels", .blocked = true),                  \
        NN_WINDOW(type, axes)

/* Elements from the first to the last that the kernel meets along an axis. */
int64_t nn_reach(const Window *window, int axis);
/* The extents of the result: floor or ceil ((size + padding - reach) / stride) + 1, where a window
 * by ceil must begin inside the input or in front of it. */
Shape nn_outputs(const Window *window);
/* Makes the kernel fit. */
void nn_fit_kernel(Window *window);
/* batch, channels and the extents. */
Shape nn_image(int64_t batch, int64_t channels, const Shape *extents);
/* A convolution without its operands. */
ConvInput nn_conv_input(const Window *window, int64_t groups);

/* One of the operators that a row of a table stands for. */
enum { NN_SPREAD_ROWS_MAX = 24 };
typedef struct SpreadOp {
    char name[48], summary[96];
    Param params[NN_SPREAD_ROWS_MAX];
} SpreadOp;

/* Puts operators over one, two and three axes into `table`, for each row three: %d in the name and
 * in the summary becomes the number of axes, and so does NN_ANY_AXES in the parameters.  `table`
 * and `storage` have room for 3 * count; the operators point into storage. */
void nn_spread_axes(OpDesc *table, SpreadOp *storage, const OpDesc *rows, size_t count);

#endif
