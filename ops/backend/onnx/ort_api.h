/* ONNX Runtime's C interface, as far as it is used here: a table of functions that only grows at
 * its end (onnxruntime_c_api.h).  tests/ort_slots.c holds each number against the libraries. */
#ifndef OPS_BACKEND_ORT_API_H
#define OPS_BACKEND_ORT_API_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of the functions in the table. */
enum {
    ORT_ERROR_CODE = 1,
    ORT_ERROR_MESSAGE = 2,
    ORT_CREATE_ENVIRONMENT = 3,
    ORT_CREATE_SESSION = 8, /* from the bytes of a model */
    ORT_RUN = 9,
    ORT_CREATE_OPTIONS = 10,
    ORT_SET_OPTIMISATION = 23,
    ORT_SET_INTRA_THREADS = 24,
    ORT_SET_INTER_THREADS = 25,
    ORT_CREATE_TENSOR = 49, /* on memory of the caller */
    ORT_CREATE_CPU_MEMORY = 69,
    ORT_RELEASE_STATUS = 93,
    ORT_RELEASE_SESSION = 95,
    ORT_RELEASE_VALUE = 96,
    ORT_SLOTS = 101
};

enum { ORT_API_VERSION = 17, ORT_NOT_IMPLEMENTED = 9, ORT_LOG_FATAL = 4, ORT_OPTIMISE_ALL = 99 };

typedef struct OrtApiBase {
    void *const *(*api)(uint32_t version);
    const char *(*version)(void);
} OrtApiBase;

/* Types of the functions, by the order above; a status of NULL is success. */
typedef int OrtErrorCode(const void *status);
typedef const char *OrtErrorMessage(const void *status);
typedef void *OrtCreateEnvironment(int level, const char *name, void **environment);
typedef void *OrtCreateSession(void *environment, const void *model, size_t size,
                               const void *options, void **session);
typedef void *OrtRun(void *session, const void *run_options, const char *const *input_names,
                     const void *const *inputs, size_t input_count, const char *const *output_names,
                     size_t output_count, void **outputs);
typedef void *OrtCreate(void **object);
typedef void *OrtSetNumber(void *options, int number);
typedef void *OrtCreateTensor(const void *memory, void *data, size_t bytes, const int64_t *shape,
                              size_t rank, int type, void **value);
typedef void *OrtCreateMemory(int allocator, int kind, void **memory);
typedef void OrtRelease(void *object);

#endif
