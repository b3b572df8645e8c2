/* C source of calls of cuBLAS, for programs that need the CUDA toolkit alone. */
#ifndef OPS_BACKEND_CUBLAS_EMIT_H
#define OPS_BACKEND_CUBLAS_EMIT_H

#include "cublas_bindings.h"
#include "ops/backend/backend.h"

/* BackendKind.emit of a backend whose mode cublas_read_mode reads. */
void cublas_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

/* Appends what such programs share: must(), upload() and download(). */
void cublas_emit_helpers(Text *declaration);
/* Appends alignment_of(), the greatest power of two up to `most` that divides an address. */
void cublas_emit_alignment(int most, Text *declaration);
/* Appends what the environment must say before a handle is made. */
void cublas_emit_environment(const CublasMode *mode, Text *call);
/* Appends an array NAME_value of `times` equal factors, and a pointer NAME to it or to its copy on
 * the device. */
void cublas_emit_factor(const char *name, DType dtype, Scalar factor, int64_t times, bool device,
                        Text *call);
/* Appends memory of the call's own, of so many bytes: an array NAME of zeros, which the statements
 * in `fill` change, and its copy device_NAME. */
void cublas_emit_scratch(const char *name, int64_t bytes, const Text *fill, Text *call);
/* Appends copies of all operands to the device, as device_NAME, and back. */
void cublas_emit_uploads(const Operands *operands, Text *call);
void cublas_emit_downloads(const Operands *operands, Text *call);

#endif
