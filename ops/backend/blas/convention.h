/* What names of functions do not say of a library's interfaces, asked of small routines.  Knows
 * nothing else of the tree. */
#ifndef OPS_BACKEND_BLAS_CONVENTION_H
#define OPS_BACKEND_BLAS_CONVENTION_H

#include <stdbool.h>

/* True when integers of a library have 64 bits, by its cblas_isamax; false for NULL. */
bool cblas_has_wide_integers(void *isamax);
/* True when its functions of Fortran put complex values where a hidden first argument says (Intel,
 * f2c), by its cdotu; false where they return them as C does (GNU), and for NULL. */
bool fortran_hides_results(void *cdotu);

#endif
