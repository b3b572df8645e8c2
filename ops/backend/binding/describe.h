/* Rows as a reader sees them. */
#ifndef OPS_BACKEND_BINDING_DESCRIBE_H
#define OPS_BACKEND_BINDING_DESCRIBE_H

#include "ops/op.h"

/* BackendKind.describe of a library with a file NAME.bindings: its calls from Python.  Appends
 * nothing where there is no such file, or no row. */
void bindings_describe(const char *name, const OpDesc *op, Text *text);

#endif
