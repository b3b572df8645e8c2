/* A CUDA runtime and cuBLAS in host memory, for tests: one library with the symbols of both.
 *
 * What cudaMalloc returns cannot be read or written but by copies and by the routines, which
 * compute with the reference BLAS.  Handles, streams, pointer modes and lifetimes are checked; a
 * kernel that meets an address that is not the device's fails as a GPU does: at the next
 * synchronisation, with an error that stays.  FAKECUDA names a fault to have. */
#include "fakecuda.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REGIONS_MAX = 64, MAGIC = 0x6375, DEVICE_BYTES_MAX = 1 << 30 };
enum {
    CUDA_SUCCESS = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_MEMORY_ALLOCATION = 2,
    CUDA_NO_DEVICE = 100,
    CUDA_ILLEGAL_ADDRESS = 700
};

typedef struct Region {
    unsigned char *base;
    size_t bytes, mapped;
} Region;

typedef struct Handle {
    int magic, pointer_mode, math_mode;
    void *stream;
} Handle;

typedef struct Stream {
    int magic;
} Stream;

static Region regions[REGIONS_MAX];
static int sticky, pending;

#define EXPORT __attribute__((visibility("default")))

/* Its name in doctor and in reports. */
EXPORT const char cuda_simulator[] = "no GPU: a simulator of CUDA in host memory (tests/fakecuda)";

bool fake_fault(const char *name)
{
    const char *wanted = getenv("FAKECUDA");
    return wanted && !strcmp(wanted, name);
}

static Region *find_region(const void *address)
{
    for (int i = 0; i < REGIONS_MAX; i++)
        if (regions[i].base && (const unsigned char *)address >= regions[i].base &&
            (const unsigned char *)address < regions[i].base + regions[i].bytes)
            return &regions[i];
    return NULL;
}

static void open_regions(bool open)
{
    for (int i = 0; i < REGIONS_MAX; i++)
        if (regions[i].base)
            (void)mprotect(regions[i].base, regions[i].mapped,
                           open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/* Each function fails for ever once a kernel has failed. */
static int ending(int error)
{
    if (pending)
        sticky = pending;
    return sticky ? sticky : error;
}

EXPORT int cudaGetDeviceCount(int *count)
{
    *count = !fake_fault("no-device");
    return *count ? CUDA_SUCCESS : CUDA_NO_DEVICE;
}

EXPORT int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = device == 0 && attribute == 75 ? 9 : 0;
    return ending(CUDA_SUCCESS);
}

EXPORT int cudaRuntimeGetVersion(int *version)
{
    *version = 12000;
    return CUDA_SUCCESS;
}

EXPORT int cudaDriverGetVersion(int *version)
{
    *version = 12000;
    return CUDA_SUCCESS;
}

EXPORT int cudaMalloc(void **address, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < REGIONS_MAX && bytes <= DEVICE_BYTES_MAX; i++) {
        if (regions[i].base)
            continue;
        size_t mapped = (bytes + page - 1) / page * page;
        void *base =
            mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            break;
        regions[i] = (Region){base, bytes, mapped};
        *address = base;
        return ending(CUDA_SUCCESS);
    }
    return ending(CUDA_MEMORY_ALLOCATION);
}

EXPORT int cudaFree(void *address)
{
    Region *region = find_region(address);
    if (!address)
        return ending(CUDA_SUCCESS);
    if (!region || region->base != address)
        return ending(CUDA_INVALID_VALUE);
    (void)munmap(region->base, region->mapped);
    *region = (Region){0};
    return ending(CUDA_SUCCESS);
}

EXPORT int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    const void *device = kind == 1 ? to : from, *host = kind == 1 ? from : to;
    const Region *region = find_region(device);
    if (bytes == 0 || ending(CUDA_SUCCESS))
        return ending(CUDA_SUCCESS);
    if ((kind != 1 && kind != 2) || !region || find_region(host) ||
        (size_t)(region->base + region->bytes - (const unsigned char *)device) < bytes)
        return CUDA_INVALID_VALUE;
    open_regions(true);
    memcpy(to, from, bytes);
    open_regions(false);
    return CUDA_SUCCESS;
}

EXPORT int cudaDeviceSynchronize(void)
{
    return ending(CUDA_SUCCESS);
}

EXPORT int cudaGetLastError(void)
{
    return ending(CUDA_SUCCESS);
}

EXPORT int cudaStreamCreate(void **stream)
{
    Stream *made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_MEMORY_ALLOCATION;
    made->magic = MAGIC;
    *stream = made;
    return ending(CUDA_SUCCESS);
}

EXPORT const char *cudaGetErrorName(int error)
{
    return error == CUDA_SUCCESS             ? "cudaSuccess"
           : error == CUDA_INVALID_VALUE     ? "cudaErrorInvalidValue"
           : error == CUDA_MEMORY_ALLOCATION ? "cudaErrorMemoryAllocation"
           : error == CUDA_NO_DEVICE         ? "cudaErrorNoDevice"
           : error == CUDA_ILLEGAL_ADDRESS   ? "cudaErrorIllegalAddress"
                                             : "unrecognized error code";
}

EXPORT const char *cublasGetStatusName(int status)
{
    return status == FAKE_SUCCESS            ? "CUBLAS_STATUS_SUCCESS"
           : status == FAKE_NOT_INITIALIZED  ? "CUBLAS_STATUS_NOT_INITIALIZED"
           : status == FAKE_ALLOC_FAILED     ? "CUBLAS_STATUS_ALLOC_FAILED"
           : status == FAKE_INVALID_VALUE    ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == FAKE_EXECUTION_FAILED ? "CUBLAS_STATUS_EXECUTION_FAILED"
           : status == FAKE_NOT_SUPPORTED    ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                             : "unknown status";
}

EXPORT int cublasCreate_v2(void **handle)
{
    Handle *made = fake_fault("create") ? NULL : calloc(1, sizeof *made);
    if (!made)
        return FAKE_NOT_INITIALIZED;
    made->magic = MAGIC;
    *handle = made;
    return FAKE_SUCCESS;
}

static Handle *valid(void *handle)
{
    Handle *h = handle;
    return h && h->magic == MAGIC ? h : NULL;
}

EXPORT int cublasDestroy_v2(void *handle)
{
    if (!valid(handle))
        return FAKE_NOT_INITIALIZED;
    valid(handle)->magic = 0;
    return FAKE_SUCCESS;
}

EXPORT int cublasGetVersion_v2(void *handle, int *version)
{
    *version = 120000;
    return valid(handle) ? FAKE_SUCCESS : FAKE_NOT_INITIALIZED;
}

EXPORT int cublasSetStream_v2(void *handle, void *stream)
{
    const Stream *given = stream;
    if (!valid(handle))
        return FAKE_NOT_INITIALIZED;
    if (given && given->magic != MAGIC)
        return FAKE_INVALID_VALUE;
    valid(handle)->stream = stream;
    return FAKE_SUCCESS;
}

EXPORT int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes)
{
    if (!valid(handle))
        return FAKE_NOT_INITIALIZED;
    return workspace && bytes > 0 && find_region(workspace) ? FAKE_SUCCESS : FAKE_INVALID_VALUE;
}

EXPORT int cublasSetPointerMode_v2(void *handle, int mode)
{
    if (!valid(handle))
        return FAKE_NOT_INITIALIZED;
    if (mode != 0 && mode != 1)
        return FAKE_INVALID_VALUE;
    valid(handle)->pointer_mode = mode;
    return FAKE_SUCCESS;
}

EXPORT int cublasSetMathMode(void *handle, int mode)
{
    if (!valid(handle))
        return FAKE_NOT_INITIALIZED;
    valid(handle)->math_mode = mode;
    return FAKE_SUCCESS;
}

FakeCall fake_begin_free(const char *op, bool device_factors)
{
    FakeCall call = {.op = op, .device_factors = device_factors};
    if (fake_fault("memory"))
        call.status = FAKE_ALLOC_FAILED;
    if (fake_fault("execution"))
        call.status = FAKE_EXECUTION_FAILED;
    open_regions(true);
    return call;
}

FakeCall fake_begin(void *handle, const char *op)
{
    const Handle *known = valid(handle);
    FakeCall call = fake_begin_free(op, known && known->pointer_mode == 1);
    if (known)
        call.math_mode = known->math_mode;
    else
        call.status = FAKE_NOT_INITIALIZED;
    return call;
}

void *fake_factor(FakeCall *call, const void *address)
{
    if (!address)
        call->status = FAKE_INVALID_VALUE;
    else if ((find_region(address) != NULL) != call->device_factors)
        pending = CUDA_ILLEGAL_ADDRESS;
    return (void *)(uintptr_t)address;
}

void fake_operand(FakeCall *call, const void *address)
{
    (void)call;
    if (address && !find_region(address))
        pending = CUDA_ILLEGAL_ADDRESS;
}

/* Arguments are looked at before anything is executed. */
static void refuse_if(FakeCall *call, bool wrong)
{
    if (wrong && (call->status == FAKE_SUCCESS || call->status == FAKE_EXECUTION_FAILED))
        call->status = FAKE_INVALID_VALUE;
}

void fake_choice(FakeCall *call, int choice, int most)
{
    refuse_if(call, (choice < 0 || choice > most) && !fake_fault("any-choice"));
}

void fake_extent(FakeCall *call, int64_t extent)
{
    refuse_if(call, extent < 0);
}

void fake_increment(FakeCall *call, int64_t increment)
{
    refuse_if(call, increment == 0);
}

void fake_leading(FakeCall *call, int64_t leading, int64_t least)
{
    refuse_if(call, leading < (least > 1 ? least : 1));
}

bool fake_refused(FakeCall *call)
{
    return call->status != FAKE_SUCCESS || ending(CUDA_SUCCESS) != CUDA_SUCCESS;
}

int fake_end(FakeCall *call)
{
    open_regions(false);
    return call->status;
}

static bool is_product(const FakeCall *call)
{
    return !strcmp(call->op, "gemm");
}

int64_t fake_depth(FakeCall *call, int64_t k)
{
    if (is_product(call) && fake_fault("hang") && k % 8 == 5)
        (void)pause();
    if (is_product(call) && fake_fault("sticky") && k % 4 == 3)
        pending = CUDA_ILLEGAL_ADDRESS;
    return is_product(call) && fake_fault("drop-last-k") && k > 4 ? k - 1 : k;
}

void fake_after(FakeCall *call, void *input, void *output, int64_t bytes)
{
    if (!is_product(call) || bytes <= 0)
        return;
    if (fake_fault("past-end"))
        ((volatile unsigned char *)output)[bytes] ^= 1;
    if (fake_fault("input-modified") && input)
        *(volatile unsigned char *)input ^= 1;
}

void *fake_blas(const char *name)
{
    static void *library;
    static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
                                        "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3"};
    for (size_t i = 0; !library && i < sizeof paths / sizeof *paths; i++)
        library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        (void)fprintf(stderr, "fakecuda: the reference BLAS has no %s\n", name);
        abort();
    }
    return function;
}

/* Enumerators of the CBLAS, which ends the process for any other number: what a library that
 * accepts an illegal choice makes of it is its first or its last one. */
static int enumerator(int first, int choice, int most)
{
    return first + (choice < 0 ? 0 : choice > most ? most : choice);
}

int fake_transpose(int operation)
{
    return enumerator(111, operation, 2);
}

int fake_triangle(int fill)
{
    return fill == 0 ? 122 : 121;
}

int fake_diagonal(int diagonal)
{
    return enumerator(131, diagonal, 1);
}

int fake_side(int side)
{
    return enumerator(141, side, 1);
}

static double magnitude(const void *x, int64_t at, size_t size, int components)
{
    double sum = 0;
    for (int part = 0; part < components; part++)
        sum += fabs(size == 4 ? (double)((const float *)x)[at * components + part]
                              : ((const double *)x)[at * components + part]);
    return sum;
}

int64_t fake_iamin(int64_t n, const void *x, int64_t incx, size_t size, int components)
{
    int64_t least = n > 0 && incx > 0 ? 1 : 0;
    for (int64_t i = 1; i < n && incx > 0; i++)
        if (magnitude(x, i * incx, size, components) <
            magnitude(x, (least - 1) * incx, size, components))
            least = i + 1;
    return least;
}
