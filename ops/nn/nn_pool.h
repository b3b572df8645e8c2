/* What pooling and its gradients share. */
#ifndef OPS_NN_NN_POOL_H
#define OPS_NN_NN_POOL_H

#include "nn_spatial.h"
#include "reference/pool.h"

/* Makes windows legal: padding is narrower than the kernel, which fits. */
void nn_normalise_pool(void *params);
/* x and y. */
void nn_pool_shape(const void *params, Shapes *shapes);
double nn_pool_work(const void *params);
/* Windows that follow from the extents. */
void nn_normalise_adaptive_pool(void *params);
void nn_adaptive_pool_shape(const void *params, Shapes *shapes);
double nn_adaptive_pool_work(const void *params);

#define NN_ADAPTIVE_PARAMS(axes)                                                                   \
    NN_DTYPE, NN_BATCH, NN_CHANNELS, NN_SIZE(axes),                                                \
        P_TUPLE(Nn, extra, axes, 1, 9, 1, "extents of y")

/* The parameters, without operands and the reduction. */
PoolInput nn_pool_input(const Nn *q);

#endif
