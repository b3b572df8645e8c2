/* Normalisations: parameters. */
#ifndef OPS_NN_NN_NORM_H
#define OPS_NN_NN_NORM_H

#include "nn_spatial.h"
#include "reference/ball.h"

/* Over the last axes of a tensor, from `axis` on. */
typedef struct LayerNorm {
    int64_t dtype;
    Shape shape;
    int64_t axis;
    Scalar epsilon;
} LayerNorm;

/* Of channels of images; without groups num_groups is 0. */
typedef struct ChannelNorm {
    int64_t dtype, batch, channels, num_groups;
    Shape input_size;
    Scalar epsilon, momentum;
    int64_t correction;
} ChannelNorm;

#define NN_NORM_SHAPE P_SHAPE(LayerNorm, shape, 1, 4, "extents of x")
#define NN_EPSILON_TO(type, text)                                                                  \
    P_REAL(type, epsilon, 0, "added to " text, .usual = NN_USUAL_EPSILON)
#define NN_EPSILON(type) NN_EPSILON_TO(type, "the variance")
#define NN_CHANNEL_NORM(most)                                                                      \
    NN_DTYPE(ChannelNorm), NN_BATCH(ChannelNorm),                                                  \
        P_DIM(ChannelNorm, channels, 1, most, "channels"), NN_INPUT_SIZE_OF_ANY_RANK(ChannelNorm), \
        NN_EPSILON(ChannelNorm)
#define NN_GROUP_NORM(most)                                                                        \
    NN_DTYPE(ChannelNorm), NN_BATCH(ChannelNorm),                                                  \
        P_DIM_AS("channels_per_group", ChannelNorm, channels, 1, most, "channels of a group",      \
                 .formerly = "channels"),                                                          \
        P_INTEGER(ChannelNorm, num_groups, 1, 64, 1, "groups of channels", .blocked = true,        \
                  .formerly = "groups"),                                                           \
        NN_INPUT_SIZE_OF_ANY_RANK(ChannelNorm), NN_EPSILON(ChannelNorm)

/* Extents of at least 1 and a legal epsilon. */
void nn_normalise_channels(void *params);
/* The reciprocal of the root of a variance with epsilon.  Where there is none, gradients have a
 * pole, and no text says what they are: not known. */
Ball nn_reciprocal_root(const Format *f, Ball variance);

#endif
