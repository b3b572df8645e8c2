/* Brief programs that show a write outside the elements of an operand. */
#ifndef REPORTS_BRIEF_OUTSIDE_H
#define REPORTS_BRIEF_OUTSIDE_H

#include "ops/case/operands.h"

/* True when the elements are few enough to be listed, and in memory of their own. */
bool brief_can_surround(const Operands *operands, int operand);

/* Appends the statements that put the array NAME_data into memory with room on both sides, at NAME,
 * and keep a copy of that memory. */
void brief_put_surrounded(Text *source, const Operands *operands, int operand, bool cpp);

/* Appends what takes the elements back and compares the rest; main returns 1 where it changed. */
void brief_put_surroundings_check(Text *source, const Operands *operands, int operand);

#endif
