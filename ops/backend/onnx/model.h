/* Writes ONNX models: graphs of named values, in the wire format of protocol buffers (onnx.proto,
 * IR version 8).  Shapes of values are left open, so that one model serves all of them, unless they
 * are declared. */
#ifndef OPS_BACKEND_ONNX_MODEL_H
#define OPS_BACKEND_ONNX_MODEL_H

#include "reference/base.h"
#include "reference/dtype.h"
#include "reference/tensor.h"

/* The model in ONNX's own syntax, which onnx.parser reads, while it is made. */
typedef struct OnnxSource {
    Text inputs, outputs, constants, nodes;
    Text node_outputs, node_type, node_attributes, node_inputs; /* of the latest node */
} OnnxSource;

/* Zero-initialised is empty; release frees it. */
typedef struct OnnxModel {
    Text nodes, node, initializers, inputs, outputs;
    Text signature;   /* what kernels depend on: nodes and names of their attributes, types */
    bool has_source;  /* set before anything is put in: the source is made as well */
    bool has_contrib; /* a node is of ONNX Runtime's own domain, com.microsoft */
    OnnxSource source;
} OnnxModel;

void onnx_release(OnnxModel *model);

/* The number of an element type; 0 for types that ONNX lacks here. */
int onnx_type(DType dtype);

/* Of the element type of a tensor, and of its extents where these are declared. */
void onnx_input(OnnxModel *model, const char *name, const Tensor *type, bool extents);
void onnx_output(OnnxModel *model, const char *name, const Tensor *type, bool extents);

/* A node; inputs and outputs are names with spaces between, "-" for one that is left out.
 * Attributes that follow belong to it. */
void onnx_node(OnnxModel *model, const char *type, const char *inputs, const char *outputs);
void onnx_set_int(OnnxModel *model, const char *name, int64_t value);
void onnx_set_float(OnnxModel *model, const char *name, double value);
void onnx_set_string(OnnxModel *model, const char *name, const char *value);
void onnx_set_ints(OnnxModel *model, const char *name, const int64_t *values, int count);

/* Puts the latest node into ONNX Runtime's own domain. */
void onnx_set_contrib(OnnxModel *model);

/* Constants: a vector of integers of 64 bits, a scalar of any type. */
void onnx_constant_ints(OnnxModel *model, const char *name, const int64_t *values, int count);
void onnx_constant(OnnxModel *model, const char *name, DType dtype, double value);
/* A dense tensor; zeros where it has no memory. */
void onnx_constant_tensor(OnnxModel *model, const char *name, const Tensor *tensor);

/* The bytes of the model for a version of the operator set. */
void onnx_finish(OnnxModel *model, int opset, Text *bytes);
/* The source of a model that was finished. */
void onnx_put_source(const OnnxModel *model, int opset, Text *source);

#endif
