/* What plans of oneDNN primitives are made of; private to them. */
#ifndef OPS_BACKEND_ONEDNN_PARTS_H
#define OPS_BACKEND_ONEDNN_PARTS_H

#include "onednn_plan.h"

/* Numbers of the C interface, the same in versions 2 and 3. */
enum { PROPAGATION_INFERENCE = 96, PROPAGATION_BACKWARD = 128 };
enum {
    ARGUMENT_SRC = 1,
    ARGUMENT_SRC_1 = 2,
    ARGUMENT_DST = 17,
    ARGUMENT_WEIGHTS = 33,
    ARGUMENT_BIAS = 41,
    ARGUMENT_MEAN = 49,
    ARGUMENT_VARIANCE = 50,
    ARGUMENT_SCALE = 51,
    ARGUMENT_SHIFT = 52,
    ARGUMENT_DIFF_SRC = 129,
    ARGUMENT_DIFF_DST = 145,
    ARGUMENT_DIFF_WEIGHTS = 161,
    ARGUMENT_DIFF_SCALE = 255,
    ARGUMENT_DIFF_SHIFT = 256
};

/* What an operator is there: the algorithm, and its parameters where they are constants. */
typedef struct DnnlRow {
    const char *op, *algorithm;
    bool (*build)(DnnlPlan *plan, const Operands *operands, const struct DnnlRow *row);
    double alpha, beta;
    bool takes_alpha, takes_beta; /* from the parameters of the case */
} DnnlRow;

/* Each ended by a NULL op: floating point, and integers of 8 bits. */
extern const DnnlRow dnnl_layer_rows[], dnnl_integer_rows[];

/* dnnl_NAME_desc_init(blob, ...) or dnnl_NAME_primitive_desc_create(&result, engine, ...). */
void dnnl_begin(DnnlPlan *plan, const char *name);
/* Ends the list of arguments, for gradients with no hint about the forward primitive; true. */
bool dnnl_finish(DnnlPlan *plan);
bool dnnl_finish_backward(DnnlPlan *plan);

void dnnl_add_integer(DnnlPlan *plan, int64_t value);
void dnnl_add_algorithm(DnnlPlan *plan, const char *name);
void dnnl_add_number(DnnlPlan *plan, double value);
void dnnl_add_memory(DnnlPlan *plan, int memory);
void dnnl_add_nothing(DnnlPlan *plan);
void dnnl_add_dimensions(DnnlPlan *plan, const int64_t *values, int64_t count);

/* The operand with leading axes of 1 up to a rank; numbers are vectors of one element. */
int dnnl_memory_of(DnnlPlan *plan, const Operands *operands, int operand, int argument, int rank);

/* Windows by axis; dilations are counted from 0. */
typedef struct DnnlWindow {
    int64_t stride[DNNL_DIMS_MAX], kernel[DNNL_DIMS_MAX], dilation[DNNL_DIMS_MAX];
    int64_t before[DNNL_DIMS_MAX], after[DNNL_DIMS_MAX];
    int axes;
} DnnlWindow;
/* Of operands with the extents of result and source; padding behind is what they ask for. */
DnnlWindow dnnl_window_of(const Operands *operands, int result, int source, bool transposed);

/* The product of the operands 0 and 1. */
bool dnnl_product(DnnlPlan *plan, const Operands *operands, const DnnlRow *row);

#endif
