/* The CUDA runtime, and an image of what one call sees of the device's memory. */
#ifndef OPS_BACKEND_NATIVE_CUDA_H
#define OPS_BACKEND_NATIVE_CUDA_H

#include "ops/backend/process/native/native.h"
#include "reference/guard.h"

/* The functions of the CUDA runtime: types as in cuda_runtime_api.h, with streams as addresses and
 * enumerations as int, which tests/t_cublas.sh checks against the headers where they are at hand.
 */
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

/* The first of the names, ended by NULL, that can be loaded, from the folder if there is one; NULL
 * with one sentence in *error. */
void *cuda_load_first(const char *folder, const char *const *names, Text *error);
/* Loads the runtime; NULL with one sentence in *error. */
void *cuda_load(CudaRuntime *cuda, const char *folder, Text *error);

/* Facts about the device, which a process of its own finds out: a context does not survive a fork,
 * and workers are forked from the one that asks. */
typedef struct CudaAnswer {
    BackendFacts facts;
    char error[128];
    bool ok;
} CudaAnswer;
typedef void CudaQuestion(const void *library, CudaAnswer *answer);
/* Asks in such a process, where there is a device; false with one sentence in *error. */
bool cuda_ask(const CudaRuntime *cuda, CudaQuestion *question, const void *library,
              BackendFacts *facts, Text *error);
/* Says what the device and the versions are, with those of a library that has a name. */
void cuda_describe(const CudaRuntime *cuda, const char *name, int version, BackendFacts *facts);
/* Adds to that what is known of the matrix unit. */
void cuda_describe_unit(BackendFacts *facts);
/* Says where a library lies that a function is of, or what it is where it is a simulator. */
void cuda_locate(void *runtime, void *function, BackendFacts *facts);

/* Memory on the device, and of as many bytes here; once in each worker. */
typedef struct CudaSession {
    const CudaRuntime *cuda;
    unsigned char *device; /* DEVICE_BYTES */
    unsigned char *image, *image_after;
    void *stream;
    char failure[96]; /* why there is none, else empty */
} CudaSession;
enum { DEVICE_BYTES = 256 << 20 };
void cuda_begin(CudaSession *session, const CudaRuntime *cuda, bool stream);

/* Where an operand is: in the image at `at`, or only here. */
typedef struct CudaPlace {
    unsigned char *host;
    size_t at, bytes, element;
    GuardWidth width;
    bool on_device;
} CudaPlace;

/* Memory that a call needs beside the operands, in the image at `at`. */
typedef struct CudaScratch {
    size_t at, bytes;
} CudaScratch;

/* All that the device is to see of one call: each operand with the guard pattern around it, as far
 * from a multiple of PROCESS_ALIGNMENT as it lies here, and scratch memory in the same way. */
enum { CUDA_SCRATCH_MAX = 6 };
typedef struct CudaImage {
    CudaSession *session;
    const NativeRequest *request;
    Shapes shapes;
    CudaPlace places[OP_TENSORS_MAX];
    CudaScratch scratch[CUDA_SCRATCH_MAX];
    int scratch_count;
    size_t used;
} CudaImage;

/* False where operands are laid out otherwise than the shapes say (Exec.layout). */
bool image_is_plain(const CudaImage *image);
/* Makes the layouts of the shapes those of the operands. */
void image_take_strides(CudaImage *image);
/* Room for so many bytes, and the address that the device has for it. */
size_t image_reserve(CudaImage *image, size_t bytes);
void *image_address(const CudaImage *image, size_t at);
/* The greatest power of two up to `most`, itself one, that divides an address. */
uint32_t address_alignment(const void *address, uint32_t most);
/* The next scratch memory, of zeros, which the caller may fill before the call; NULL where there is
 * no more room. */
unsigned char *image_add_scratch(CudaImage *image, size_t bytes);
/* Gives an operand a place; false where there is no more room. */
bool image_place(CudaImage *image, int operand, bool on_device);
/* The same for all, on the device. */
bool image_place_all(CudaImage *image);

/* Lays the operands out, copies the image to the device, calls, waits, and copies the operands
 * back.  REPLY_DONE with the status of the call, or why it is lost or what it wrote beside. */
typedef int CudaInvoke(void *call);
uint32_t image_run(CudaImage *image, CudaInvoke *invoke, void *call, int *status);

/* Says why, and returns the reply. */
uint32_t cuda_fail(const NativeRequest *request, uint32_t reply, const char *why);

#endif
