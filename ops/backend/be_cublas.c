/* cuBLAS in worker processes (ops/backend/native/cublas_*.c).  Promise: IEEE arithmetic, sums in
 * the element type, any order; the default and the pedantic math mode keep to it for the four types
 * of the BLAS (cuBLAS documentation, cublasMath_t). */
#include "cublas_emit.h"
#include "worker.h"

static const WorkerSource source = {
    .native_mode = "",
    .native_program = "opconform-cublas",
    .package = "needs the CUDA driver, a GPU, libcudart and libcublas, or cublas@/path/folder",
    .keeps_alignment = true,
};

const BackendKind be_cublas = {
    .name = "cublas",
    .summary = "cuBLAS of the system, or of the folder @/path; words of a mode, with + between: 64 "
               "(64-bit integers), device (factors in device memory), pedantic, stream, pointers "
               "(batches by addresses)",
    .open = worker_open,
    .close = worker_close,
    .offers = worker_offers,
    .expect = worker_expect,
    .run = worker_run,
    .emit = cublas_emit,
    .link =
        "-I${CUDA_HOME:-/usr/local/cuda}/include -L${CUDA_HOME:-/usr/local/cuda}/lib64 -lcudart",
    .promise = {.models = models_ieee, .readings = models_readings},
    .source = &source,
};
