/* cuBLAS behind the worker protocol: its functions, looked up at run time, and one call. */
#ifndef OPS_BACKEND_NATIVE_CUBLAS_H
#define OPS_BACKEND_NATIVE_CUBLAS_H

#include "native.h"
#include "ops/backend/cublas_routines.h"

/* What is used of the CUDA runtime and of cuBLAS beside its routines: types as in
 * cuda_runtime_api.h and cublas_api.h, with handles and streams as addresses and enumerations as
 * int, which tests/t_cublas.sh checks against these headers where they are at hand. */
typedef struct CudaRuntime {
    int (*count)(int *count);
    int (*attribute)(int *value, int attribute, int device);
    int (*runtime_version)(int *version);
    int (*driver_version)(int *version);
    int (*allocate)(void **address, size_t bytes);
    int (*copy)(void *to, const void *from, size_t bytes, int kind);
    int (*synchronise)(void);
    int (*stream_create)(void **stream);
    const char *(*error_name)(int error);
} CudaRuntime;
enum { COPY_TO_DEVICE = 1, COPY_FROM_DEVICE = 2 };
enum { ATTRIBUTE_MAJOR = 75, ATTRIBUTE_MINOR = 76 };

typedef struct Cublas {
    int (*create)(void **handle);
    int (*version)(void *handle, int *version);
    int (*set_stream)(void *handle, void *stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*set_math_mode)(void *handle, int mode);
    const char *(*status_name)(int status);
} Cublas;
enum { STATUS_SUCCESS = 0, STATUS_ALLOC_FAILED = 3, STATUS_NOT_SUPPORTED = 15 };

typedef struct CublasLibrary {
    CudaRuntime cuda;
    Cublas blas;
    CublasMode mode;
    void *functions[OP_MAX][DT_COUNT]; /* NULL where it has none */
} CublasLibrary;

/* Loads the libraries of a folder, or those of the system where it is empty, and asks the first
 * device in a process of its own; false with one sentence in *error. */
bool cublas_load(CublasLibrary *library, const char *folder, const char *mode, BackendFacts *facts,
                 Text *error);

/* Finds out how the matrix unit of the device adds (BackendFacts.step and kept), with the function
 * cublasGemmEx or NULL; both stay 0 where it shows none, or fails. */
void cublas_probe(const CublasLibrary *library, void *handle, void *gemm_ex, BackendFacts *facts);

/* A context on the device, its handle, and memory there; once in each worker. */
typedef struct CublasSession {
    const CublasLibrary *library;
    void *handle;
    unsigned char *device;              /* DEVICE_BYTES */
    unsigned char *image, *image_after; /* of as many bytes here */
    char failure[96];                   /* why there is none, else empty */
} CublasSession;
enum { DEVICE_BYTES = 256 << 20 };
void cublas_begin(CublasSession *session, const CublasLibrary *library);

/* One call: REPLY_... */
uint32_t cublas_call(CublasSession *session, const NativeRequest *request);

#endif
