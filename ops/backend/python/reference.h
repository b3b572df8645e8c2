/* References in Python: a process that computes an operator on operands in binary64, with the bound
 * of each element. */
#ifndef OPS_BACKEND_PYTHON_REFERENCE_H
#define OPS_BACKEND_PYTHON_REFERENCE_H

#include "ops/backend/backend.h"
#include "ops/plugin/call.h"

/* Computes the outputs of a call of an operator that the backend's file describes.  What the
 * reference raises ends the program with a message: it was tried when the file was loaded. */
void python_refer(const Backend *backend, opconform_call *call);

#endif
