/* cuBLAS in worker processes (ops/backend/native/cublas_*.c).  Promise: IEEE arithmetic, sums in
 * the element type, any order; the default and the pedantic math mode keep to it for the four types
 * of the BLAS (cuBLAS documentation, cublasMath_t).  Factors of half precision may go through the
 * device's matrix unit as it was found to add, the default mode may round slices of the depth to
 * the type of the output (CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION), and tf32, bf16 and
 * half allow what they are named after. */
#include "cublas_emit.h"
#include "cublas_promise.h"

static bool open_device(Backend *backend, Text *error)
{
    CublasMode mode = {0};
    if (!process_open(backend, error))
        return false;
    if (!cublas_read_mode(&mode, backend->mode, error))
        BUG("%s", text_string(error));
    cublas_promise(backend, &mode);
    return true;
}

static const ProcessSource source = {
    .native_mode = "",
    .native_program = "opconform-cublas",
    .package = "needs the CUDA driver, a GPU, libcudart and libcublas, or cublas@/path/folder",
    .keeps_alignment = true,
    .drives_device = true,
    .exception = "CUBLAS_STATUS_INVALID_VALUE",
};

static const char *illegal_argument(const Backend *backend, const Operands *o)
{
    CublasMode mode = {0};
    Text error = {0};
    if (!cublas_read_mode(&mode, backend->mode, &error))
        BUG("%s", text_string(&error));
    const CblasRoutine *routine = cublas_routine(o->source->op->name, &mode);
    return routine ? cublas_illegal_name(routine, o->source->op, o->source->exec.illegal) : NULL;
}

const BackendKind be_cublas = {
    .name = "cublas",
    .summary =
        "cuBLAS of the system, or of the folder @/path; words of a mode, with + between: 64 "
        "(64-bit integers), device (factors in device memory), pedantic, stream, pointers "
        "(batches by addresses), workspace (one that is given), ex (GemmEx and its like for all "
        "products), full (slices of sums are not rounded), half (sums of half precision), tf32 "
        "and bf16 (factors of single precision may be rounded), bf16x9 (products of single "
        "precision may be those of three numbers of bfloat16) and fixed (those of double "
        "precision may be of integers)",
    CUDA_FUNCTIONS(open_device, source),
    .describe = cublas_describe,
    .emit = cublas_emit,
    .illegal_argument = illegal_argument,
    .link = CUDA_LINK,
};
