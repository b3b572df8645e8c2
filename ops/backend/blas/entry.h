/* A routine for one element type, prepared once for its calls and for their C source. */
#ifndef OPS_BACKEND_CBLAS_ENTRY_H
#define OPS_BACKEND_CBLAS_ENTRY_H

#include <ffi.h>

#include "bindings.h"
#include "ops/case/operands.h"

typedef struct CblasEntry {
    void *function;
    const OpDesc *op;
    int count, result; /* result: operand that takes the function's value, -1 if none */
    bool result_is_index;
    DType factors; /* type that factors are passed in */
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    ffi_type *types[CBLAS_ARGUMENTS_MAX];
    ffi_cif cif;
} CblasEntry;

/* Prepares a routine; released with free. */
CblasEntry *cblas_entry_make(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                             bool wide_integers, void *function);

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
