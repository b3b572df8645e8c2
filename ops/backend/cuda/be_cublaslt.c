/* cuBLASLt in worker processes (ops/backend/native/cublaslt_*.c).  Promise: as be_cublas.c. */
#include "cublas_promise.h"
#include "cublaslt_emit.h"
#include "cublaslt_plan.h"

static const ProcessSource source = {
    .native_mode = "",
    .native_program = "opconform-cublaslt",
    .package = "needs the CUDA driver, a GPU, libcudart and libcublasLt, or cublaslt@/path/folder",
    .keeps_alignment = true,
    .drives_device = true,
};

static bool open_device(Backend *backend, Text *error)
{
    LtMode mode = {0};
    if (!process_open(backend, error))
        return false;
    if (!cublaslt_read_mode(&mode, backend->mode, error))
        BUG("%s", text_string(error));
    cublas_promise(backend, &mode.words);
    return true;
}

const BackendKind be_cublaslt = {
    .name = "cublaslt",
    .summary =
        "cuBLASLt of the system, or of the folder @/path; words of a mode, with + between: 0 "
        "to 31 (the place of the algorithm among those that the heuristics return), device "
        "(factors in device memory), pedantic, stream, half (sums of half precision), tf32 "
        "and bf16 (factors of single precision may be rounded), bf16x9 and fixed (as of cublas), "
        "scales (matrices of eight bits have one each), tiled (integers, and the "
        "first matrix of sums, in columns by 32)",
    CUDA_FUNCTIONS(open_device, source),
    .emit = cublaslt_emit,
    .link = CUDA_LINK " -lcublasLt",
};
