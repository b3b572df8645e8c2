/* Pooling and its gradients: parameters and shapes. */
#ifndef OPS_NN_NN_POOL_H
#define OPS_NN_NN_POOL_H

#include "nn_spatial.h"
#include "reference/pool.h"

typedef struct Pool {
    int64_t dtype, batch, channels;
    Window window;
    int64_t count_include_pad;
} Pool;

/* Pooling whose windows follow from the extents of x and y. */
typedef struct AdaptivePool {
    int64_t dtype, batch, channels;
    Shape input_size, output_size;
} AdaptivePool;

/* The parameters over NN_ANY_AXES: of maximum and norm, of the mean, and of adaptive pooling. */
extern const Param nn_pool_params[], nn_mean_pool_params[], nn_adaptive_pool_params[];

/* Makes windows legal: padding is narrower than the kernel, which fits. */
void nn_normalise_pool(void *params);
/* x and y. */
void nn_pool_shape(const void *params, Shapes *shapes);
double nn_pool_work(const void *params);
void nn_adaptive_pool_shape(const void *params, Shapes *shapes);
double nn_adaptive_pool_work(const void *params);

/* Windows without operands and the reduction. */
PoolInput nn_pool_input(const Pool *q);

#endif
