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

/* BackendKind.open, close, offers and limits. */
bool kernel_open(Backend *backend, Text *error);
void kernel_close(Backend *backend);
bool kernel_offers(const Backend *backend, const OpDesc *op, DType dtype);
bool kernel_limits(const char *where, Limits *limits, Text *error);

/* The function that takes a case; NULL with the reason appended to *why. */
KernelEntry *kernel_entry_for(const KernelLibrary *library, const Case *c, Text *why);

#endif
