/* The operators that cuBLASLt has, one row each. */
#ifndef OPS_BACKEND_CUDA_CUBLASLT_BINDINGS_H
#define OPS_BACKEND_CUDA_CUBLASLT_BINDINGS_H

#include "ops/op.h"

/* Which products, or transforms, an operator is there. */
typedef enum LtKind {
    LT_GEMM,               /* D = alpha op(A) op(B) + beta C, or a batch of them */
    LT_SUM,                /* a transform: C = alpha op(A) + beta op(B) */
    LT_COPY,               /* a transform: B = alpha op(A) */
    LT_LINEAR,             /* y^T = f(w x^T + bias) */
    LT_LINEAR_GRADIENTS,   /* dx, and dw with the sums of dy's columns beside it */
    LT_ACTIVATED_GRADIENTS /* dz = f'(z) (dy w), with the sums of its columns beside it */
} LtKind;

/* activation: the function f, relu or gelu; NULL where there is none, or the case names it. */
typedef struct LtRow {
    const char *op;
    uint32_t dtypes; /* a mask */
    LtKind kind;
    const char *activation;
} LtRow;

/* The row of an operator, NULL if cuBLASLt has none. */
const LtRow *cublaslt_row(const OpDesc *op);

#endif
