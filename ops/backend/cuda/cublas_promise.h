/* The arithmetic that products of cuBLAS and cuBLASLt promise on the device at hand. */
#ifndef OPS_BACKEND_CUBLAS_PROMISE_H
#define OPS_BACKEND_CUBLAS_PROMISE_H

#include "cublas_bindings.h"
#include "ops/backend/process/process.h"

/* Sets the promise of a backend that was opened: IEEE arithmetic; for short factors the device's
 * matrix unit as it was found to add; slices of the depth that are rounded to the type of the
 * output, unless the mode is full or pedantic (CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
 * factors of binary32 in three parts (bf16x9); and the roundings that the mode names.  Of emulated
 * binary64 (fixed) nothing but what binary64 does: cuBLAS claims to be as accurate. */
void cublas_promise(Backend *backend, const CublasMode *mode);
/* Adds one more way to that promise, the last: convolutions by Fourier transforms. */
void cublas_promise_transforms(Backend *backend);
/* BackendKind.close of a backend that has such a promise. */
void cublas_close(Backend *backend);

/* BackendKind.lender: products of double precision, on no path that a test of others takes. */
#define CUDA_LENDER "cublas:pedantic"
/* The beginning of BackendKind.link for programs that need the CUDA toolkit. */
#define CUDA_LINK                                                                                  \
    "-I${CUDA_HOME:-/usr/local/cuda}/include -L${CUDA_HOME:-/usr/local/cuda}/lib64 -lcudart"

/* The members of a BackendKind of this device; cuda_source is its ProcessSource. */
#define CUDA_FUNCTIONS(cuda_open, cuda_source)                                                     \
    .open = (cuda_open), .close = cublas_close, .offers = process_offers, PROCESS_CALLS,           \
    .lender = CUDA_LENDER, .promise = {.models = models_ieee, .readings = models_readings},        \
    .freedom = "a device's driver", .source = &(cuda_source)

#endif
