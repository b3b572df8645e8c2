/* The functions of a user's library, by operator and element type. */
#ifndef OPS_BACKEND_KERNEL_KERNEL_LIBRARY_H
#define OPS_BACKEND_KERNEL_KERNEL_LIBRARY_H

#include "kernel_entry.h"
#include "ops/backend/backend.h"

typedef struct KernelLibrary {
    void *handle;
    char path[4096];
    int functions; /* rows, by operator */
    bool typed;    /* debug information has their types */
    KernelEntry *entries[OP_MAX][DT_COUNT];
} KernelLibrary;

/* The functions of the rows of a source, which is released, without opening the library; NULL with
 * one sentence in *error. */
KernelLibrary *kernel_library_read(KernelSource *source, Text *error);
/* Opens the library, and makes it the backend's; false, with it released, and one sentence in
 * *error where it cannot be opened. */
MUST_USE bool kernel_library_open(KernelLibrary *library, Backend *backend, Text *error);
/* Adds the limits of the functions, and releases the library. */
void kernel_library_limit(KernelLibrary *library, Limits *limits);

/* BackendKind.open, close, offers and limits. */
bool kernel_open(Backend *backend, Text *error);
void kernel_close(Backend *backend);
bool kernel_offers(const Backend *backend, const OpDesc *op, DType dtype);
bool kernel_limits(const Backend *backend, Limits *limits, Text *error);

/* The function that takes a case; NULL with the reason appended to *why. */
KernelEntry *kernel_entry_for(const KernelLibrary *library, const Case *c, Text *why);

#endif
