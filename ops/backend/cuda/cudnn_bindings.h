/* The operators that cuDNN has, one row each: as calls of its functions, and as graphs. */
#ifndef OPS_BACKEND_CUDA_CUDNN_BINDINGS_H
#define OPS_BACKEND_CUDA_CUDNN_BINDINGS_H

#include "cudnn_graph.h"

/* Which functions an operator is. */
typedef enum DnnKind {
    CALL_OF_CONV,             /* cudnnConvolutionForward, or with bias and activation */
    CALL_OF_DATA,             /* cudnnConvolutionBackwardData */
    CALL_OF_WEIGHTS,          /* cudnnConvolutionBackwardFilter */
    CALL_OF_POOL,             /* cudnnPoolingForward, in a mode */
    CALL_OF_POOL_GRADIENT,    /* cudnnPoolingBackward */
    CALL_OF_SOFTMAX,          /* cudnnSoftmaxForward, by an algorithm */
    CALL_OF_SOFTMAX_GRADIENT, /* cudnnSoftmaxBackward */
    CALL_OF_ACTIVATION,       /* cudnnActivationForward, in a mode */
    CALL_OF_NORM,             /* cudnnBatchNormalizationForwardInference */
    CALL_OF_NORM_TRAINING     /* cudnnBatchNormalizationForwardTraining */
} DnnKind;

/* Numbers of modes and algorithms. */
enum { POOL_MAX = 0, POOL_MEAN_WITH_PADS = 1, POOL_MEAN_WITHOUT_PADS = 2 };
enum { ACTIVATION_SIGMOID = 0, ACTIVATION_RELU = 1, ACTIVATION_TANH = 2, ACTIVATION_NONE = 5 };
enum { NORM_BY_CHANNEL = 1 };
enum { SOFTMAX_ACCURATE = 1, SOFTMAX_LOG = 2 };

typedef struct DnnRow {
    const char *op;
    DnnKind kind;
    int number; /* of the mode */
} DnnRow;

/* The row of an operator, NULL if cuDNN has no function for it. */
const DnnRow *cudnn_row(const OpDesc *op);

/* Which operations of a graph an operator is. */
typedef enum GraphKind {
    GRAPH_OF_UNARY,
    GRAPH_OF_UNARY_TO_6,       /* with 6 as the upper end */
    GRAPH_OF_UNARY_WITH_SLOPE, /* with the slope below 0 of the case */
    GRAPH_OF_GRADIENT,
    GRAPH_OF_BINARY,
    GRAPH_OF_REDUCTION,
    GRAPH_OF_MATMUL,
    GRAPH_OF_LINEAR,
    GRAPH_OF_ACTIVATED, /* a product, and the gradient of a function behind it */
    GRAPH_OF_FORWARD,   /* convolutions and their gradients */
    GRAPH_OF_DATA,
    GRAPH_OF_WEIGHTS,
    GRAPH_OF_LAYER, /* a normalisation over the last axes, or of each channel */
    GRAPH_OF_CHANNELS,
    GRAPH_OF_NORM_GRADIENT,
    GRAPH_OF_ATTENTION
} GraphKind;

/* Numbers of functions of elements that plans know by themselves. */
enum {
    POINTWISE_ADD = 0,
    POINTWISE_RELU = 100,
    POINTWISE_ELU = 103,
    POINTWISE_SOFTPLUS = 105,
    POINTWISE_SILU = 106,
    POINTWISE_GELU = 107,
    POINTWISE_GRADIENT = 100 /* what the number of a gradient is larger by */
};

/* cudnnBackendNormMode_t. */
enum { NORM_LAYER = 0, NORM_INSTANCE = 1, NORM_BATCH = 2, NORM_ROOT = 4 };

/* mode is that of the function, reduction or normalisation; its name is NULL where there is none.
 */
typedef struct GraphRow {
    const char *op;
    GraphKind kind;
    GraphKey mode;
} GraphRow;

/* The row of an operator, NULL if there are no graphs for it. */
const GraphRow *cudnn_graph_row(const OpDesc *op);

#endif
