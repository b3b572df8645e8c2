/* Graphs of PyTorch's FX, as GraphModule.print_readable and TORCH_LOGS=aot_graphs write them: each
 * call of a function of ATen, forward and backward, is a case of the operator whose row in
 * torch.bindings calls it. */
#ifndef OPS_IMPORT_FX_H
#define OPS_IMPORT_FX_H

#include "format.h"

/* ImportFormat.read_file. */
bool import_fx(Import *import, const Text *file, ImportTell *tell, void *context, Text *error);

#endif
