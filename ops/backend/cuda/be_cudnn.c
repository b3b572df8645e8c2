/* cuDNN in worker processes (ops/backend/cuda/native/cudnn_server.c).  Promise: sums of IEEE
 * arithmetic in binary32, or binary64, in any order; factors of binary32 may be rounded to
 * TensorFloat-32 unless the mode is fma (cuDNN documentation, cudnnMathType_t). */
#include "cublas_promise.h"
#include "cudnn_emit.h"
#include "cudnn_plan.h"

static const ProcessSource source = {
    .native_mode = "",
    .native_program = "opconform-cudnn",
    .package = "needs the CUDA driver, a GPU, libcudart and libcudnn, or cudnn@/path/folder",
    .keeps_alignment = true,
    .drives_device = true,
};

static bool open_device(Backend *backend, Text *error)
{
    DnnMode mode;
    if (!process_open(backend, error))
        return false;
    if (!cudnn_read_mode(&mode, backend->mode, error))
        BUG("%s", text_string(error));
    cublas_promise(backend, &(CublasMode){.tf32 = !mode.fma, .full = true});
    backend->promise.unordered = mode.unordered;
    if (mode.transforms)
        cublas_promise_transforms(backend);
    return true;
}

const BackendKind be_cudnn = {
    .name = "cudnn",
    .summary =
        "cuDNN of the system, or of the folder @/path; words of a mode, with + between: 0 to "
        "3 (the algorithm of forward convolutions), graph (its graphs; then 0 to 99 is the place "
        "of the engine's configuration among those that the heuristics return), transforms "
        "(convolutions by Fourier transforms, without graph as algorithms 4 and 5), unordered "
        "(algorithms whose sums come in another order each time), stream, fma (no TensorFloat-32)",
    CUDA_FUNCTIONS(open_device, source),
    .emit = cudnn_emit,
    .link = CUDA_LINK " -lcudnn",
};
