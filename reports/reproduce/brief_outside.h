/* Brief programs that show a write outside the elements of an operand. */
#ifndef REPORTS_BRIEF_OUTSIDE_H
#define REPORTS_BRIEF_OUTSIDE_H

#include "ops/case/operands.h"

/* True when the elements are few enough to be listed, and in memory of their own. */
bool brief_can_surround(const Operands *operands, int operand);

/* True for what a call writes and does not read: what it holds before is free. */
bool brief_is_unread(const Operands *operands, int operand);

/* Appends the statements that make memory with room on both sides, at NAME, which holds the array
 * NAME_data unless it is unread, and keep a copy of that memory. */
void brief_put_surrounded(Text *source, const Operands *operands, int operand, bool cpp);

/* Appends what takes the elements back and compares the rest; main returns 1 where it changed. */
void brief_put_surroundings_check(Text *source, const Operands *operands, int operand);

#endif
