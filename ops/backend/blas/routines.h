/* The table that bindings.h reads. */
#ifndef OPS_BACKEND_BLAS_ROUTINES_H
#define OPS_BACKEND_BLAS_ROUTINES_H

#include "bindings.h"

/* Rows for one operator stand together. */
enum { CBLAS_ROUTINES_MAX = 320 };
extern const CblasRoutine cblas_routines[];
extern const int cblas_routine_count; /* at most CBLAS_ROUTINES_MAX */

#endif
