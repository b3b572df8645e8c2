/* Operators as ONNX graphs, by the rows of onnx.bindings. */
#ifndef OPS_BACKEND_ONNX_GRAPH_H
#define OPS_BACKEND_ONNX_GRAPH_H

#include "ops/backend/binding/binding.h"
#include "ops/case/operands.h"

/* The newest operator set of models, where a row does not name another one (opset=). */
enum { ONNX_OPSET = 21 };

/* True when a row has the operator in the element type. */
bool onnx_offers(const OpDesc *op, DType dtype);

/* Appends the model of a case in an operator set, and to *source, unless that is NULL, the same in
 * ONNX's own syntax; false with the reason for a user in *why where no row takes it. */
bool onnx_write(const Operands *operands, int opset, Text *bytes, Text *source, Text *why);

/* The same for operands that have no memory yet (operands_describe), whose data are zeros where the
 * model has them; *signature gets what decides which kernels it needs. */
bool onnx_sketch(const Operands *operands, int opset, Text *bytes, Text *signature, Text *why);

/* True when an operand is an input of the graph; inputs are in the order of the operator. */
bool onnx_takes(const Operands *operands, int operand);

#endif
