/* Which routines of the BLAS a library exports, and which of them no case reaches. */
#ifndef OPS_BACKEND_BLAS_EXPORTS_H
#define OPS_BACKEND_BLAS_EXPORTS_H

#include "cblas_library.h"

/* BackendKind.list_exports: a line with the numbers of routines that the library exports for C and
 * for Fortran and how many of them cases reach; then a line for each that none reaches, with the
 * reason where there is one.  Spellings that differ in case, in underscores or in what says that
 * integers have 64 bits are one routine.  LAPACK is not looked at. */
void cblas_list_exports(const Backend *backend, Text *text);

#endif
