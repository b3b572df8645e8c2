/* Models of ONNX: each node with its shapes and attributes is a case of the operator whose row in
 * onnx.bindings has such a node. */
#ifndef OPS_IMPORT_ONNX_H
#define OPS_IMPORT_ONNX_H

#include "format.h"

/* ImportFormat.read_file.  Shapes are those of the model; where it has none for a value they follow
 * from the cases and nodes that give it. */
bool import_onnx(Import *import, const Text *file, ImportTell *tell, void *context, Text *error);

#endif
