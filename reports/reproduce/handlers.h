/* Functions of programs in C that catch what a library reports of illegal arguments. */
#ifndef REPORTS_HANDLERS_H
#define REPORTS_HANDLERS_H

#include "ops/backend/backend.h"

/* Appends the handlers of the BLAS in C and in Fortran, which put the number of the argument into
 * the variable `reported`. */
void handlers_put(Text *source, const BackendFacts *facts);

#endif
