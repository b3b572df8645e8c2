/* Forms of a graph (FormKind): the call as it stands in models, which are read with extents and
 * constants and rewritten before they run.  None of them changes a bit of what goes into the call
 * or comes out of it. */
#ifndef OPS_BACKEND_ONNX_FORM_H
#define OPS_BACKEND_ONNX_FORM_H

#include "model.h"
#include "ops/case/attribute.h"
#include "ops/case/illegal.h"
#include "ops/case/operands.h"

enum { FORM_NAME_BYTES = 48 };

/* The form of a case's graph, FORM_PLAIN for large operands and for forms that graphs have not. */
int64_t onnx_form(const Operands *operands);

/* True when an operand is an input of the call, in whatever way it is given. */
bool onnx_has(const Operands *operands, int operand);

/* True when the form gives the operand as a constant of the model. */
bool onnx_is_constant(const Operands *operands, int operand);

/* True when extents are declared. */
bool onnx_declares_extents(const Operands *operands);

/* The name of the value in the graph that the call takes for an operand, or gives for it. */
void onnx_value_name(const Operands *operands, int operand, char name[FORM_NAME_BYTES]);

/* Puts the nodes in front of the call, or behind it, that change nothing. */
void onnx_put_idle(OnnxModel *model, const Operands *operands, bool behind);

/* The operator set of the case's graph where the newest one is this. */
int onnx_form_opset(const Operands *operands, int newest);

/* True for an attribute that the form leaves out, since it has the value that it has by default. */
bool onnx_omits(const Operands *operands, const char *name, const Attribute *value);

/* The operands as the illegal call of a case has them, in *altered, whose extents need not be those
 * of their memory; the operands themselves where the call is legal. */
const Operands *onnx_spoilt(const Operands *operands, Illegal *illegal, Operands *altered);

#endif
