/* The functions whose calls can be recorded: every row of the BLAS, in each type, by each
 * interface, under each name that builds are known to give it. */
#ifndef OPS_BACKEND_BLAS_RECORDABLE_H
#define OPS_BACKEND_BLAS_RECORDABLE_H

#include "naming.h"

enum { RECORDABLE_NAME_MAX = 96 };

typedef struct RecordableFunction {
    const CblasRoutine *routine;
    const OpDesc *op; /* NULL: there is no function by this number */
    DType dtype;
    CblasInterface interface;
    CblasNaming naming;
    char name[RECORDABLE_NAME_MAX];
} RecordableFunction;

/* The function with a number, from 0 on; false behind the last one.  Two numbers may have one name:
 * then the first one counts. */
bool recordable_function(uint32_t number, RecordableFunction *function);

#endif
