/* What a case has beyond the simplest one, sorted by what it means for a cause: two minimal cases
 * of one cause ask for the same data and the same way of computing, at other places and sizes. */
#ifndef OPS_TRIGGER_H
#define OPS_TRIGGER_H

#include "case.h"

/* Words in the order of the tables, each followed by a space.  Words of different operators may be
 * compared: operands are named by their role, strides and paddings by what they are.
 *
 * meaning: values that ask for a rule: NaN, infinities, signed zeros, scalars that are not at their
 *   simplest.
 * structure: increments, gaps between rows, choices that change what is computed, statements of
 *   programs, ways to drive the kernel.
 * size: extents that are above their simplest, or empty.
 * What only says where operands lie (Param.placement) is in none of them, nor is the number of an
 * illegal argument, which counts differently in each operator. */
typedef struct Trigger {
    Text meaning, structure, size;
} Trigger;

/* Appends the words of a minimal case.  needed holds words that a contrast has shown to be needed,
 * such as "beta=0 ". */
void case_trigger(Case *minimal, const char *needed, Trigger *trigger);
void trigger_release(Trigger *trigger);

/* Makes of a case one of another operator and element type: parameters and data go to those of the
 * same name, data of other operands to those of the same role.  Where `square`, every extent
 * becomes the largest that the case has, since names of extents differ between operators.  False
 * where something that the case has beyond the simplest finds no place, so that the other case
 * would not be the same question. */
MUST_USE bool case_transfer(Case *to, const OpDesc *op, DType dtype, bool square, const Case *from);

#endif
