/* A prepared routine, shared by its calls and their C source. */
#ifndef OPS_BACKEND_CBLAS_ENTRY_H
#define OPS_BACKEND_CBLAS_ENTRY_H

#include <ffi.h>

#include "cblas_library.h"

/* A routine for one element type, prepared once. */
struct CblasEntry {
    void *function;
    const OpDesc *op;
    int count, result; /* result: operand that takes the function's value, -1 if none */
    bool result_is_index;
    DType factors; /* type that factors are passed in */
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    ffi_type *types[CBLAS_ARGUMENTS_MAX];
    ffi_cif cif;
};

/* Complex factors are passed by address, and so is everything that groups have one of each. */
bool cblas_by_address(const CblasArgument *argument, DType dtype);
/* The value of an argument that is passed as an integer, and the least illegal change of it: one
 * below its minimum, or no enumerator. */
int64_t cblas_legal_integer(const CblasArgument *argument, const Operands *operands);
int64_t cblas_illegal_integer(const CblasArgument *argument, const Operands *operands);

/* Groups of the call, and matrices in all of them. */
typedef struct CblasGroups {
    int64_t groups, matrices;
} CblasGroups;
CblasGroups cblas_groups(const Operands *operands);

#endif
