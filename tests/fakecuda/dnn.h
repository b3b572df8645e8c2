/* Types and functions that the parts of the simulated cuDNN share. */
#ifndef FAKECUDA_DNN_H
#define FAKECUDA_DNN_H

#include "fakecuda.h"
#include "reference/dtype.h"

#define EXPORT __attribute__((visibility("default")))
enum { DNN_MAGIC = 0x646e, DNN_AXES = 5 };
enum { DNN_BAD_PARAMETER = 2000, DNN_UNSUPPORTED = 3000, DNN_FAILED = 5000 };

/* A descriptor of any kind: of a tensor or a filter its extents and strides, of a window its
 * padding, steps, dilation or extents. */
typedef struct Descriptor {
    int magic, type, rank, groups, mode;
    int extent[DNN_AXES], stride[DNN_AXES];
    int pad[DNN_AXES], step[DNN_AXES], dilation[DNN_AXES], window[DNN_AXES];
} Descriptor;

/* The descriptor, or NULL for what is none. */
Descriptor *dnn_valid(void *descriptor);
DType dnn_type(int number);
/* The innermost indices of a number under extents, and the number of elements. */
void dnn_indices(int64_t number, const int *extents, int rank, int *indices);
int64_t dnn_product(const int *extents, int rank);
/* Where an element lies, and where the tap of a window at an output lies in the input: false where
 * that is padding. */
int64_t dnn_place(const Descriptor *tensor, int sample, int channel, const int *at);
bool dnn_tap_place(const Descriptor *window, const int *out, const int *tap, const int *extents,
                   int *at);
/* Begins a call that fake_end ends: true where all operands are the device's and nothing failed. */
bool dnn_begin(FakeCall *call, void *handle, const void *const *operands, int count);

#endif
