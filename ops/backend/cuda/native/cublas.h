/* cuBLAS behind the worker protocol: its functions, looked up at run time, and one call. */
#ifndef OPS_BACKEND_NATIVE_CUBLAS_H
#define OPS_BACKEND_NATIVE_CUBLAS_H

#include "cuda.h"
#include "ops/backend/cuda/cublas_bindings.h"

/* The functions of cuBLAS beside its routines: types as in cublas_api.h, with handles as addresses
 * and enumerations as int. */
typedef struct Cublas {
    int (*create)(void **handle);
    int (*version)(void *handle, int *version);
    int (*set_stream)(void *handle, void *stream);
    int (*set_workspace)(void *handle, void *workspace, size_t bytes); /* NULL where it has none */
    int (*set_pointer_mode)(void *handle, int mode);
    int (*set_math_mode)(void *handle, int mode);
    const char *(*status_name)(int status);
} Cublas;
enum { STATUS_SUCCESS = 0, STATUS_ALLOC_FAILED = 3, STATUS_NOT_SUPPORTED = 15 };

typedef struct CublasLibrary {
    CudaRuntime cuda;
    Cublas blas;
    CublasMode mode;
    void *gemm_ex;                     /* cublasGemmEx, or NULL */
    void *functions[OP_MAX][DT_COUNT]; /* NULL where it has none */
} CublasLibrary;

/* Loads the libraries of a folder, or those of the system where it is empty, and asks the first
 * device in a process of its own; false with one sentence in *error. */
bool cublas_load(CublasLibrary *library, const char *folder, const char *mode, BackendFacts *facts,
                 Text *error);

/* Adds what cuBLAS in a folder says of the matrix unit, for other libraries on the same device, in
 * the process that asks it (cuda_ask).  Nothing changes where it is not there. */
void cublas_ask_unit(const CudaRuntime *cuda, const char *folder, BackendFacts *facts);

/* Finds out how the matrix unit of the device adds (BackendFacts.step and kept); both stay 0 where
 * it shows none, or fails. */
void cublas_probe(const CublasLibrary *library, void *handle, BackendFacts *facts);

/* A context on the device and its handle; once in each worker. */
typedef struct CublasSession {
    const CublasLibrary *library;
    CudaSession cuda;
    void *handle;
} CublasSession;
void cublas_begin(CublasSession *session, const CublasLibrary *library);

/* One call: REPLY_... */
uint32_t cublas_call(CublasSession *session, const NativeRequest *request);

#endif
