/* Calls the routines of a CBLAS library through libffi, as their rows describe them. */
#ifndef OPS_BACKEND_BLAS_CALL_H
#define OPS_BACKEND_BLAS_CALL_H

#include "cblas_library.h"

/* BackendKind.takes, BackendKind.run and BackendKind.illegal_argument. */
bool cblas_takes(const Backend *backend, const Operands *operands, Text *why);
RunStatus cblas_run(Backend *backend, const Operands *operands);
const char *cblas_illegal_argument(const Backend *backend, const Operands *operands);

/* Whether a number that the routine is given is NaN. */
bool cblas_is_given_nan(const Operands *operands);

/* The lengths of the arrays that the routine works in, by arguments: the routine is asked for those
 * that it gives.  False where there is no memory. */
MUST_USE bool cblas_lengths(const Backend *backend, const Operands *operands,
                            int64_t lengths[CBLAS_ARGUMENTS_MAX]);

/* Where a NaN is put into operand i, as a number of its components from the beginning of its
 * memory; -1 where it has no elements.  Whether the case's illegal argument is an array with one.
 */
int64_t cblas_nan_place(const Operands *o, int i);
bool cblas_is_nan_given(const CblasEntry *entry, const Operands *o);

#endif
