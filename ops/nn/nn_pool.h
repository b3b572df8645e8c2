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

/* The parameters of windows, of those whose mean is taken, and of those that follow from the
 * extents; a row for each number of axes. */
enum { NN_POOL_PARAMS_MAX = 16 };
extern const Param nn_pool_params[3][NN_POOL_PARAMS_MAX];
extern const Param nn_mean_pool_params[3][NN_POOL_PARAMS_MAX];
extern const Param nn_adaptive_pool_params[3][NN_POOL_PARAMS_MAX];

/* The parameters, without operands and the reduction. */
PoolInput nn_pool_input(const Nn *q);

#endif
