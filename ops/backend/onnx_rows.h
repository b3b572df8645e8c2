/* How operators are written as ONNX graphs: one row each. */
#ifndef OPS_BACKEND_ONNX_ROWS_H
#define OPS_BACKEND_ONNX_ROWS_H

#include "onnx_model.h"
#include "ops/operands.h"

/* node is the type of the one node that takes all inputs and gives all outputs in their order;
 * where build is not NULL it adds the nodes instead, or the attributes of that node when both are
 * there. build returns false for a case that cannot be written. */
typedef struct OnnxRow {
    const char *op, *node;
    bool (*build)(OnnxModel *model, const Operands *operands);
    int opset; /* operator set that has it, where ONNX_OPSET has not; else 0 */
} OnnxRow;

/* Each ended by a NULL op. */
extern const OnnxRow onnx_function_rows[], onnx_move_rows[], onnx_graph_rows[];

/* A real parameter of the case. */
double onnx_scalar(const Operands *operands, const char *name);
/* The axes of a reduction are one input more, the constant "reduced"; onnx_reduce sets keepdims as
 * well. */
void onnx_add_axes(OnnxModel *model, const Operands *operands);
bool onnx_reduce(OnnxModel *model, const Operands *operands);
/* Sets the attributes of a convolution. */
bool onnx_conv(OnnxModel *model, const Operands *operands);
/* Sets the attribute axis. */
bool onnx_along_axis(OnnxModel *model, const Operands *operands);

enum { ONNX_OPSET = 21 };

const OnnxRow *onnx_row(const OpDesc *op);

/* The model for a case; false when it cannot be written. */
bool onnx_write(const OnnxRow *row, const Operands *operands, Text *bytes);

/* True when an operand is an input of the graph, in the order of the operator. */
bool onnx_takes(const Operands *operands, int operand);

#endif
