/* cuBLAS in worker processes (ops/backend/native/cublas_*.c).  Promise: IEEE arithmetic, sums in
 * the element type, any order; the default and the pedantic math mode keep to it for the four types
 * of the BLAS (cuBLAS documentation, cublasMath_t).  Factors of half precision may go through the
 * device's matrix unit as it was found to add, the default mode may round slices of the depth to
 * the type of the output (CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION), and tf32, bf16 and
 * half allow what they are named after. */
#include <stdlib.h>

#include "cublas_emit.h"
#include "cublas_routines.h"
#include "worker.h"

enum { MODELS = 4, SLICE_LEAST = 64 };

/* Factors of tf32 have twice the size of halves: half as many make a step. */
static void promise_models(Backend *backend, const CublasMode *mode)
{
    const BackendFacts *facts = &backend->facts;
    Model *models = calloc(MODELS, sizeof *models);
    if (!models)
        BUG("out of memory");
    Model unit = {.name = "matrix-unit",
                  .step = mode->tf32 || mode->bf16 ? (facts->step + 1) / 2 : facts->step,
                  .kept = facts->kept};
    int count = 0;
    models[count++] = models_ieee[0];
    if (unit.step)
        models[count++] = unit;
    unit.name = "sliced-sums";
    unit.slice = SLICE_LEAST;
    if (!mode->full && !mode->pedantic)
        models[count++] = unit;
    backend->promise.models = models;
    backend->promise.narrow = mode->half;
    backend->promise.inputs = mode->bf16 ? readings_bf16 : mode->tf32 ? readings_tf32 : NULL;
}

static bool open_device(Backend *backend, Text *error)
{
    CublasMode mode = {0};
    if (!worker_open(backend, error))
        return false;
    if (!cublas_read_mode(&mode, backend->mode, error))
        BUG("%s", text_string(error));
    promise_models(backend, &mode);
    return true;
}

static void close_device(Backend *backend)
{
    if (backend->promise.models != backend->kind->promise.models)
        free((void *)(uintptr_t)backend->promise.models);
    backend->promise = backend->kind->promise;
    worker_close(backend);
}

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
               "(batches by addresses), ex (GemmEx and its like for all products), full (slices of "
               "sums are not rounded), half (sums of half precision), tf32 and bf16 (factors of "
               "single precision may be rounded)",
    .open = open_device,
    .close = close_device,
    .offers = worker_offers,
    .expect = worker_expect,
    .run = worker_run,
    .emit = cublas_emit,
    .link =
        "-I${CUDA_HOME:-/usr/local/cuda}/include -L${CUDA_HOME:-/usr/local/cuda}/lib64 -lcudart",
    .promise = {.models = models_ieee, .readings = models_readings},
    .source = &source,
};
