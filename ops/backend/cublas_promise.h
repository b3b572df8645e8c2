/* What products of cuBLAS and cuBLASLt promise on the device at hand. */
#ifndef OPS_BACKEND_CUBLAS_PROMISE_H
#define OPS_BACKEND_CUBLAS_PROMISE_H

#include "cublas_routines.h"
#include "ops/backend.h"

/* Sets the promise of a backend that was opened: IEEE arithmetic; for short factors the device's
 * matrix unit as it was found to add; slices of the depth that are rounded to the type of the
 * output, unless the mode is full or pedantic (CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
 * and the roundings that the mode names. */
void cublas_promise(Backend *backend, const CublasMode *mode);
/* Gives the promise of the kind back. */
void cublas_promise_end(Backend *backend);

#endif
