/* The models of one opened backend. */
#include "cublas_promise.h"

#include <stdlib.h>

#include "ops/backend/process/process.h"

enum { MODELS = 8, SPLIT_PARTS = 3, SLICE_LEAST = 64, HALF_BITS = 11, EIGHT_BITS = 4 };
/* Hopper's unit for factors of 8 bits keeps about 14 (DeepSeek-AI, DeepSeek-V3 Technical Report,
 * 2024, section 3.3.2).  It is not asked: cublasGemmEx takes no such factors. */
enum { EIGHT_STEP = 32, EIGHT_KEPT = 13 };

void cublas_promise(Backend *backend, const CublasMode *mode)
{
    const BackendFacts *facts = &backend->facts;
    Model *models = memory_allocate(MODELS, sizeof *models);
    int count = 0;
    models[count++] = models_ieee[0];
    if (facts->step) {
        /* Factors of tf32 have twice the size of halves: half as many make a step. */
        bool longer = mode->tf32 || mode->bf16;
        models[count++] = (Model){.name = "matrix-unit",
                                  .step = longer ? (facts->step + 1) / 2 : facts->step,
                                  .kept = facts->kept,
                                  .factor_bits = HALF_BITS};
        models[count++] = (Model){.name = "matrix-unit-8",
                                  .step = EIGHT_STEP,
                                  .kept = EIGHT_KEPT,
                                  .factor_bits = EIGHT_BITS};
    }
    if (mode->bf16x9) {
        Model split = models[count > 1 ? 1 : 0];
        split.name = "split-factors";
        split.split = SPLIT_PARTS;
        models[count++] = split;
    }
    if (!mode->full && !mode->pedantic) {
        Model sliced = models[count > 1 ? 1 : 0];
        sliced.name = "sliced-sums";
        sliced.slice = SLICE_LEAST;
        models[count++] = sliced;
    }
    backend->promise.models = models;
    backend->promise.narrow = mode->half;
    backend->promise.inputs = mode->bf16 ? readings_bf16 : mode->tf32 ? readings_tf32 : NULL;
}

void cublas_promise_transforms(Backend *backend)
{
    Model *last = (Model *)(uintptr_t)backend->promise.models;
    while (last->name)
        last++;
    *last = (Model){.name = "transforms", .transforms = true};
}

void cublas_close(Backend *backend)
{
    if (backend->promise.models != backend->kind->promise.models)
        free((void *)(uintptr_t)backend->promise.models);
    backend->promise = backend->kind->promise;
    process_close(backend);
}
