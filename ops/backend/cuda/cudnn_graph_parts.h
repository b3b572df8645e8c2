/* Helpers with which cuDNN's graphs are made.  A descriptor is an index in the plan; -1 is none. */
#ifndef OPS_BACKEND_CUDNN_GRAPH_PARTS_H
#define OPS_BACKEND_CUDNN_GRAPH_PARTS_H

#include "cudnn_graph.h"

typedef struct GraphShape {
    int rank;
    int64_t extent[GRAPH_AXES_MAX], stride[GRAPH_AXES_MAX];
} GraphShape;

/* The number of an element type (cudnnDataType_t), and of the type that sums are formed in. */
int graph_type(DType dtype);
int graph_sum_type(DType dtype);
enum { GRAPH_TYPE_INTEGER = 4, GRAPH_TYPE_BOOLEAN = 11 };

/* A tensor with the data of an operand, one between two operations, of a type, and one number in
 * binary32. */
int graph_operand(GraphPlan *plan, int operand, DType dtype, const GraphShape *shape);
int graph_between(GraphPlan *plan, int type, const GraphShape *shape);
int graph_number(GraphPlan *plan, float number, int rank);
/* A dense result in binary32 that nobody wants. */
int graph_unwanted(GraphPlan *plan, const GraphShape *shape);

/* Parameters of functions of one variable; what does not apply is NaN. */
typedef struct GraphFunction {
    int mode; /* cudnnPointwiseMode_t */
    double upper, slope, elu, softplus, swish;
    int axis; /* whose indices are generated, or -1 */
} GraphFunction;
GraphFunction graph_function(int mode);

/* y = f(x), or of x and b. */
void graph_pointwise(GraphPlan *plan, const GraphFunction *function, int sums, int x, int b, int y);
/* y = x where t, b elsewhere. */
void graph_select(GraphPlan *plan, int sums, int x, int b, int t, int y);
/* dx = dy f'(x). */
void graph_gradient(GraphPlan *plan, const GraphFunction *function, int sums, int dy, int x,
                    int dx);
void graph_matmul(GraphPlan *plan, int sums, int a, int b, int c);
/* mode is a cudnnReduceTensorOp_t. */
void graph_reduction(GraphPlan *plan, int mode, int sums, int x, int y);

typedef struct GraphWindow {
    int axes;
    int64_t before[GRAPH_AXES_MAX], after[GRAPH_AXES_MAX], stride[GRAPH_AXES_MAX],
        dilation[GRAPH_AXES_MAX];
} GraphWindow;
typedef enum GraphConvolution { GRAPH_FORWARD, GRAPH_DATA, GRAPH_WEIGHTS } GraphConvolution;
/* x, w and y; dx, w and dy; or x, dw and dy. */
void graph_convolution(GraphPlan *plan, GraphConvolution kind, const GraphWindow *window, int sums,
                       int x, int w, int y);

/* As at inference; mode is a cudnnBackendNormMode_t. */
void graph_norm(GraphPlan *plan, int mode, int x, int scale, int bias, int epsilon, int y);

/* Gradients from the mean and its inverse deviation; mode as above. */
typedef struct GraphNormGradient {
    int dy, x, scale, mean, inverse, dx, dscale, dbias;
} GraphNormGradient;
void graph_norm_gradient(GraphPlan *plan, int mode, const GraphNormGradient *parts);
/* The tensor has 1 / sqrt(v + epsilon) of the operand's values v, which are dense, instead. */
void graph_make_inverse(GraphPlan *plan, int tensor, float epsilon);

void graph_attention(GraphPlan *plan, int q, int k, int v, int scale, int y);

#endif
