/* Helpers with which plans of cuDNN's calls are made. */
#ifndef OPS_BACKEND_CUDNN_PARTS_H
#define OPS_BACKEND_CUDNN_PARTS_H

#include "cudnn_plan.h"

extern const DnnDescriptor dnn_tensor_descriptor, dnn_filter_descriptor, dnn_convolution_descriptor,
    dnn_activation_descriptor, dnn_pooling_descriptor;

/* cudnnDataType_t of the sums of an element type. */
int dnn_sum_number(DType dtype);

/* The axes of a window as cuDNN takes it, two at least, and the numbers of a parameter for them, in
 * which `neutral` stands for the axis that a window of one axis lacks. */
int dnn_window_axes(const Case *c);
void dnn_window_numbers(const Case *c, const char *name, int64_t neutral, int64_t *numbers);

/* A call, and its arguments one after the other. */
DnnCall *dnn_add_call(DnnPlan *plan, const char *function);
void dnn_add(DnnCall *call, DnnArgumentKind kind, int number);
void dnn_add_real(DnnCall *call, double real);
void dnn_add_array(DnnCall *call, const int *array, int length);

/* The call that makes a descriptor, and those that set it; all return its number. */
int dnn_new_descriptor(DnnPlan *plan, const DnnDescriptor *kind);
int dnn_add_tensor(DnnPlan *plan, DType dtype, const int *extents, int rank);
/* An operand with samples, channels, and two axes at least; one of weights; and one with an element
 * for each channel of another. */
int dnn_add_operand(DnnPlan *plan, const Shapes *shapes, int operand);
int dnn_add_filter(DnnPlan *plan, const Shapes *shapes, int operand);
int dnn_add_channels(DnnPlan *plan, const Shapes *shapes, int operand, int of);

#endif
