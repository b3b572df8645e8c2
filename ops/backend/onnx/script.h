/* Brief programs for ONNX Runtime: Python with the model in ONNX's own syntax. */
#ifndef OPS_BACKEND_ONNX_SCRIPT_H
#define OPS_BACKEND_ONNX_SCRIPT_H

#include "ops/backend/backend.h"

/* BackendKind.script and BackendKind.put_interpreter. */
bool ort_script(const Backend *backend, const Operands *operands, const Text *description,
                Text *source, Text *error);
void ort_put_interpreter(const Backend *backend, Text *command);

#endif
