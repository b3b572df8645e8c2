/* A CUDA driver (libcuda.so.1) that takes everything and runs nothing: enough for the real cuDNN to
 * compile its kernels for a device that is only described.  Types as in cuda.h, with objects as
 * addresses and enumerations as int. */
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))
enum { SUCCESS = 0, NO_DEVICE = 100, DRIVER_VERSION = 13000, REGISTERS = 32, CLUSTER = 8 };

static int object;

EXPORT int cuInit(unsigned flags)
{
    (void)flags;
    return SUCCESS;
}

EXPORT int cuDriverGetVersion(int *version)
{
    *version = DRIVER_VERSION;
    return SUCCESS;
}

EXPORT int cuGetExportTable(const void **table, const void *name)
{
    (void)name;
    *table = NULL;
    return NO_DEVICE;
}

EXPORT int cuDeviceGetCount(int *count)
{
    *count = 1;
    return SUCCESS;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return SUCCESS;
}

EXPORT int cuGetErrorName(int error, const char **name)
{
    (void)error;
    *name = "an error";
    return SUCCESS;
}

EXPORT int cuGetErrorString(int error, const char **text)
{
    return cuGetErrorName(error, text);
}

EXPORT int cuCtxGetCurrent(void **context)
{
    *context = &object;
    return SUCCESS;
}

EXPORT int cuCtxPushCurrent(void *context)
{
    (void)context;
    return SUCCESS;
}

EXPORT int cuCtxPopCurrent(void **context)
{
    return context ? cuCtxGetCurrent(context) : SUCCESS;
}

EXPORT int cuCtxGetLimit(size_t *limit, int which)
{
    (void)which;
    *limit = (size_t)1 << 20;
    return SUCCESS;
}

EXPORT int cuStreamGetCtx(void *stream, void **context)
{
    (void)stream;
    return cuCtxGetCurrent(context);
}

EXPORT int cuLibraryLoadData(void **library, const void *code)
{
    (void)code;
    return cuCtxGetCurrent(library);
}

EXPORT int cuLibraryLoadFromFile(void **library, const char *name)
{
    (void)name;
    return cuCtxGetCurrent(library);
}

EXPORT int cuLibraryUnload(void *library)
{
    (void)library;
    return SUCCESS;
}

EXPORT int cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
    (void)library;
    (void)name;
    return cuCtxGetCurrent(kernel);
}

/* Modules are the older name of libraries. */
EXPORT int cuModuleLoadData(void **module, const void *code)
{
    return cuLibraryLoadData(module, code);
}

EXPORT int cuModuleUnload(void *module)
{
    return cuLibraryUnload(module);
}

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
    return cuLibraryGetKernel(function, module, name);
}

EXPORT int cuKernelGetFunction(void **function, void *kernel)
{
    (void)kernel;
    return cuCtxGetCurrent(function);
}

EXPORT int cuKernelGetAttribute(int *value, int attribute, void *kernel, int device)
{
    (void)attribute;
    (void)kernel;
    (void)device;
    *value = REGISTERS;
    return SUCCESS;
}

EXPORT int cuKernelSetAttribute(int attribute, int value, void *kernel, int device)
{
    (void)attribute;
    (void)value;
    (void)kernel;
    (void)device;
    return SUCCESS;
}

EXPORT int cuOccupancyMaxPotentialClusterSize(int *size, const void *function, const void *config)
{
    (void)function;
    (void)config;
    *size = CLUSTER;
    return SUCCESS;
}

/* Functions that cuDNN looks up and does not call. */
EXPORT int cuLaunchKernel(void)
{
    return NO_DEVICE;
}

EXPORT int cuLaunchKernelEx(void)
{
    return NO_DEVICE;
}

EXPORT int cuLaunchCooperativeKernel(void)
{
    return NO_DEVICE;
}

EXPORT int cuLinkCreate(void)
{
    return NO_DEVICE;
}

EXPORT int cuLinkAddData(void)
{
    return NO_DEVICE;
}

EXPORT int cuLinkComplete(void)
{
    return NO_DEVICE;
}

EXPORT int cuLinkDestroy(void)
{
    return NO_DEVICE;
}

EXPORT int cuTensorMapEncodeIm2col(void)
{
    return NO_DEVICE;
}

EXPORT int cuTensorMapEncodeTiled(void)
{
    return NO_DEVICE;
}
