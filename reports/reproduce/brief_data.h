/* Operands as arrays of brief programs. */
#ifndef REPORTS_BRIEF_DATA_H
#define REPORTS_BRIEF_DATA_H

#include "ops/case/operands.h"

/* Appends the statements that define an array of this name with the memory of the operand: a list,
 * or what its components are but for a few.  Behind them the array has slack, in bytes. */
void brief_put_array(Text *source, const Operands *operands, int operand, const char *name,
                     size_t slack);

/* Appends the source with lines of at most 100 columns, where they can be broken. */
void brief_put_wrapped(Text *text, const char *source);

#endif
