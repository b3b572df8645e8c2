/* What a fuzz target tests: TARGET_OP, an operator or a family, on the backends that
 * OPCONFORM_BACKEND names, with commas between them, or else TARGET_BACKEND; $ORIGIN in a name is
 * the folder of this program. */
#ifndef FUZZ_TARGET_SCOPE_H
#define FUZZ_TARGET_SCOPE_H

#include "ops/case/case.h"

/* Ends the process with status 3, as where something is missing. */
_Noreturn void target_refuse(const char *reason);
/* The names of the backends, NULL behind the last. */
const char *const *target_backends(void);
/* The operators of the target that some backend has, in the element types that it has. */
const Scope *target_scope(void);

#endif
