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
/* The parameters, without operands and the reduction. */
PoolInput nn_pool_input(const Nn *q);

#endif
