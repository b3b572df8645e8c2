/* Source: the cuBLAS documentation, "Using the cuBLASLt API". */
#include "cublaslt_bindings.h"

#include <string.h>

enum { HALVES = 1u << DT_F16 | 1u << DT_BF16 };

static const LtRow rows[] = {
    {"gemm", DTYPES_BLAS, LT_GEMM, NULL},
    {"gemm_batch", DTYPES_BLAS, LT_GEMM, NULL},
    {"gemm_half", HALVES, LT_GEMM, NULL},
    {"gemm_narrow", DTYPES_F8, LT_GEMM, NULL},
    {"gemm_wide", HALVES | 1u << DT_I8 | DTYPES_F8, LT_GEMM, NULL},
    {"geam", DTYPES_BLAS, LT_SUM, NULL},
    {"omatcopy", DTYPES_BLAS, LT_COPY, NULL},
    {"linear", DTYPES_FLOAT, LT_LINEAR, NULL},
    {"linear_gelu", DTYPES_FLOAT, LT_LINEAR, "gelu"},
    {"linear_backward", DTYPES_REAL, LT_LINEAR_GRADIENTS, NULL},
    {"relu_linear_backward", DTYPES_FLOAT, LT_ACTIVATED_GRADIENTS, "relu"},
    {"gelu_linear_backward", DTYPES_FLOAT, LT_ACTIVATED_GRADIENTS, "gelu"},
};

const LtRow *cublaslt_row(const OpDesc *op)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return &rows[i];
    return NULL;
}
