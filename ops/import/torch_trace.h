/* Traces of PyTorch's profiler (record_shapes=True, export_chrome_trace): each call of a function
 * of ATen is a case of the operator whose row in torch.bindings calls it, and so is its gradient
 * where the trace has that. */
#ifndef OPS_IMPORT_TORCH_TRACE_H
#define OPS_IMPORT_TORCH_TRACE_H

#include "format.h"

/* ImportFormat.read_file. */
bool import_torch(Import *import, const Text *file, ImportTell *tell, void *context, Text *error);

#endif
