/* Models of ONNX as calls: a node is a call of its type, its attributes are arguments with names.
 */
#ifndef OPS_IMPORT_ONNX_READ_H
#define OPS_IMPORT_ONNX_READ_H

#include "asked.h"

/* Reads a model (ModelProto of onnx.proto), whose bytes must stay while it is read.  *symbolic: how
 * many extents have a name in place of a number, and are 1.  False with one sentence in *error. */
MUST_USE bool onnx_read(Asked *asked, const char *bytes, size_t length, uint64_t *symbolic,
                        Text *error);

/* Gives the result of a node that only names the elements of its input anew its type and shape,
 * where they were not known: Reshape and the like. */
void onnx_pass_on(Asked *asked, const AskedCall *call);

/* What ONNX takes for attributes that a node of a type leaves out, as Asked.defaults has it. */
const char *onnx_defaults(const char *type);

#endif
