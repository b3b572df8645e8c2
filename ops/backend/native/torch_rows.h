/* Operators by the names of PyTorch's dispatcher, which its schemas document. */
#ifndef OPS_BACKEND_NATIVE_TORCH_ROWS_H
#define OPS_BACKEND_NATIVE_TORCH_ROWS_H

#include "native.h"

extern const NativeRow torch_rows[];

#endif
