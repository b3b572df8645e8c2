/* cuBLASLt behind the worker protocol: its functions, looked up at run time, and one call. */
#ifndef OPS_BACKEND_NATIVE_CUBLASLT_H
#define OPS_BACKEND_NATIVE_CUBLASLT_H

#include "cuda.h"
#include "ops/backend/cuda/cublaslt_plan.h"

/* An algorithm as the heuristics describe it (cublasLtMatmulHeuristicResult_t). */
typedef struct LtAlgorithm {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
} LtAlgorithm;

/* The functions of cuBLASLt: types as in cublasLt.h, with handles, descriptors and streams as
 * addresses and enumerations as int. */
typedef struct CublasLt {
    int (*create)(void **handle);
    size_t (*version)(void);
    const char *(*status_name)(int status);
    int (*product_create)(void **product, int compute, int scale);
    int (*product_set)(void *product, int setting, const void *value, size_t size);
    int (*product_destroy)(void *product);
    int (*matrix_create)(void **matrix, int type, uint64_t rows, uint64_t columns, int64_t leading);
    int (*matrix_set)(void *matrix, int setting, const void *value, size_t size);
    int (*matrix_destroy)(void *matrix);
    int (*preference_create)(void **preference);
    int (*preference_set)(void *preference, int setting, const void *value, size_t size);
    int (*preference_destroy)(void *preference);
    int (*transform_create)(void **transform, int scale);
    int (*transform_set)(void *transform, int setting, const void *value, size_t size);
    int (*transform_destroy)(void *transform);
    int (*transform)(void *handle, void *transform, const void *alpha, const void *a,
                     void *a_layout, const void *beta, const void *b, void *b_layout, void *c,
                     void *c_layout, void *stream);
    int (*heuristics)(void *handle, void *product, void *a, void *b, void *c, void *d,
                      void *preference, int most, LtAlgorithm *results, int *count);
    int (*multiply)(void *handle, void *product, const void *alpha, const void *a, void *a_layout,
                    const void *b, void *b_layout, const void *beta, const void *c, void *c_layout,
                    void *d, void *d_layout, const void *algorithm, void *workspace,
                    size_t workspace_bytes, void *stream);
} CublasLt;

typedef struct LtLibrary {
    const char *folder; /* of the libraries, or empty */
    CudaRuntime cuda;
    CublasLt lt;
    LtMode mode;
} LtLibrary;

typedef struct LtSession {
    const LtLibrary *library;
    CudaSession cuda;
    void *handle, *workspace; /* LT_WORKSPACE bytes on the device */
} LtSession;
void cublaslt_begin(LtSession *session, const LtLibrary *library);

/* One call: REPLY_... */
uint32_t cublaslt_call(LtSession *session, const NativeRequest *request);

#endif
