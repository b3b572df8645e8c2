/* The second call of a relation. */
#ifndef FUZZ_CHECK_RELATION_H
#define FUZZ_CHECK_RELATION_H

#include "check.h"

/* Outputs of one backend, kept outside the arena from one case to the related one. */
typedef struct KeptOutputs {
    double *values[OP_TENSORS_MAX];
    size_t counts[OP_TENSORS_MAX];
} KeptOutputs;

/* Copies the outputs as they are after a call. */
void outputs_keep(KeptOutputs *kept, const Operands *operands, Arena *arena);
void outputs_release(KeptOutputs *kept);

/* Compares what the related call gave with what it must give; a difference becomes the result. */
void relation_judge(const Backend *backend, const Operands *operands, const Related *related,
                    const KeptOutputs *first, const Case *c, CheckResult *result, Arena *arena);

#endif
