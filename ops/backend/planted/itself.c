/* Faults within every bound: only a second call on related data shows them. */
#include <math.h>
#include <string.h>

#include "planted.h"

/* The sum rounded down, as under another rounding mode: that of the negated data is another one. */
static double sum_down(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    double nearest = dtype_round(dtype, sum);
    return nearest > sum ? dtype_round(dtype, nextafterf((float)nearest, -INFINITY)) : nearest;
}

static const PlantedVariant rounds_down = {"self-rounds-down", "", sum_down, false, false};

/* Of a few terms the bound of a sum would tell. */
static void finish_down(PlantedCall *call)
{
    const Operands *o = call->operands;
    if (dtype_format(case_dtype(o->source))->precision != 24 || o->view[0].extent[1] < 8)
        return;
    memcpy(o->block[2].data, o->pristine[2], o->block[2].bytes);
    planted_compute(&rounds_down, o, call->arena);
}

/* What is left behind the last whole vector is computed by another function, which errs by one unit
 * in the last place more. */
static void finish_tail(PlantedCall *call)
{
    enum { LANES = 4 };
    const Tensor *y = &call->operands->view[call->operands->shapes.count - 1];
    int64_t count = tensor_count(y);
    for (int64_t i = count - count % LANES; y->dtype == DT_F32 && count > LANES && i < count; i++) {
        int64_t at = tensor_offset_of(y, i);
        float value = (float)dtype_load(y->dtype, y->origin, at);
        if (isfinite(value) && value != 1 && value > 0x1p-100F)
            dtype_store(y->dtype, y->origin, at, nextafterf(value, 0));
    }
}

const PlantedFault planted_own_faults[] = {
    {"self-rounds-down", "gemm", "single precision, k of 8 and more: sums are rounded down", NULL,
     finish_down},
    {"self-tail", "exp", "single precision: elements behind the last four", NULL, finish_tail},
    {NULL, NULL, NULL, NULL, NULL},
};
