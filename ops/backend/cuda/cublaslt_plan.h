/* Products as cublasLtMatmul takes them: D = epilogue(alpha op(A) op(B) + beta C), D being C in
 * most. */
#ifndef OPS_BACKEND_CUBLASLT_PLAN_H
#define OPS_BACKEND_CUBLASLT_PLAN_H

#include "cublas_bindings.h"

/* The words of the backend's mode, of those of cuBLAS some; scales: factors of eight bits have
 * scales; tiled: sums of matrices take the first by way of columns by 32, and products of integers
 * are of such; choice is the place of the algorithm among those that the heuristics return. */
typedef struct LtMode {
    CublasMode words;
    bool scales, tiled;
    int choice;
} LtMode;

/* Reads the words, with + between; false with one sentence in *error. */
bool cublaslt_read_mode(LtMode *mode, const char *words, Text *error);

/* Operands with numbers from LT_SCRATCH on are memory of the plan's own: zeros, or where it has a
 * diagonal the identity of that many rows; or among zeros the elements of an operand, (i, j) of its
 * view at place i + j rows, or j + i rows if it is turned, which a result goes back to after the
 * call. */
enum { LT_SCRATCH = OP_TENSORS_MAX, LT_SCRATCH_MAX = 6 };
typedef struct LtScratch {
    const char *name;
    int64_t bytes, diagonal, rows;
    DType dtype;
    int operand; /* or -1 */
    bool turned, result;
} LtScratch;

/* A matrix as it is stored.  type and order are numbers of cudaDataType and cublasLtOrder. */
typedef struct LtMatrix {
    int operand, type, order;
    uint64_t rows, columns;
    int64_t leading, batch_stride;
} LtMatrix;

/* A setting of a descriptor: its number, its name, and its value in `size` bytes. */
typedef struct LtSetting {
    const char *name;
    int number, size;
    int64_t value;
} LtSetting;

enum { LT_SETTINGS_MAX = 8, LT_PRODUCTS_MAX = 5 };
typedef struct LtProduct {
    LtMatrix a, b, c, d; /* b.operand may be -1 */
    bool transform;      /* by cublasLtMatrixTransform: D = alpha op(A) + beta op(B) */
    bool plain;          /* alpha is 1, and beta 0, whatever those of the plan are */
    int bias, auxiliary; /* operands that the epilogue takes or gives, or -1 */
    LtSetting settings[LT_SETTINGS_MAX]; /* of the product, without addresses */
    int setting_count;
} LtProduct;

/* Factors of matrices of eight bits: of A, B and D. */
typedef struct LtScale {
    const char *name;
    int setting;
    float value; /* a power of two */
} LtScale;
enum { LT_SCALES_MAX = 3 };
extern const LtScale lt_scales[LT_SCALES_MAX];

/* The first scale_count scales are used, and alpha and beta are the smaller for it.  finite: there
 * is such a plan only where this operand has no other elements; or -1. */
typedef struct LtPlan {
    LtProduct products[LT_PRODUCTS_MAX];
    LtScratch scratch[LT_SCRATCH_MAX];
    int count, scratch_count, batch, compute, scale, finite;
    DType factors;
    Scalar alpha, beta;
    int scale_count;
} LtPlan;

/* False where cublasLtMatmul has no such product; there must be a row for the operator. */
bool cublaslt_plan(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode);

/* The settings of a matrix in a batch of so many, into settings[LT_SETTINGS_MAX]; returns their
 * number. */
int cublaslt_matrix_settings(const LtMatrix *matrix, int batch, LtSetting *settings);

/* Numbers of the settings that are addresses or lie beside the plan. */
enum {
    LT_BIAS_POINTER = 8,
    LT_AUXILIARY_POINTER = 11,
    LT_PREFERENCE_WORKSPACE = 1,
    LT_PREFERENCE_ALIGNMENT_A = 5
};
/* Bytes of the workspace that algorithms may ask for. */
enum { LT_WORKSPACE = 32 << 20, LT_ALIGNMENT_MOST = 256, LT_ALGORITHMS_MAX = 32 };

#endif
