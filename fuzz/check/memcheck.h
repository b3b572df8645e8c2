/* Tells valgrind's memcheck which bytes a kernel call may touch, and counts the errors that it
 * finds; does nothing where valgrind does not run, or where its header was missing when this was
 * built. */
#ifndef FUZZ_MEMCHECK_H
#define FUZZ_MEMCHECK_H

#include "ops/case/operands.h"

/* Before a call: what lies around an operand may not be touched; elements that the call has to
 * write before it reads them, and bytes between elements, have no value. */
void memcheck_begin(const Operands *operands);
/* After it: how many errors it made, of which a result that depends on what has no value is one.
 * Everything may be touched again. */
unsigned memcheck_end(const Operands *operands);

#endif
