/* The trigger of a minimal case: its differences from the simplest case, split into meaning
 * (special values, factors), structure (increments, layout) and extents.  Minimal cases of one
 * cause agree in meaning and structure, and may differ in places and sizes. */
#ifndef OPS_TRIGGER_H
#define OPS_TRIGGER_H

#include "case.h"

/* Words in the order of the tables, each followed by a space.  Words of different operators may be
 * compared: operands are named by their role, strides and paddings by what they are.
 *
 * meaning: values that ask for a rule: NaN, infinities, signed zeros, the ends of the range of the
 *   element type (tiny, huge), scalars that are not at their simplest.
 * structure: increments, gaps between rows, choices that change what is computed, statements of
 *   programs, ways to drive the kernel.
 * size: extents that are above their simplest, or empty.
 * What only says where operands lie (Param.placement) is in none of them, nor is the number of an
 * illegal argument, which counts differently in each operator. */
#define TRIGGER_BACKWARDS "backwards" /* the word for a negative increment */
#define TRIGGER_EMPTY     "empty"     /* the word for an extent of 0 */

typedef struct Trigger {
    Text meaning, structure, size;
} Trigger;

/* Appends the words of a minimal case.  needed holds words that a contrast has shown to be needed,
 * such as "beta=0 ". */
void case_trigger(Case *minimal, const char *needed, Trigger *trigger);
void trigger_release(Trigger *trigger);

/* Whether a parameter, as it is, only says where operands lie. */
bool trigger_is_placement(const Param *param, const void *values);
/* Whether a number, or the values of a recipe, ask for a rule. */
bool trigger_of_scalar(double value, DType dtype);
/* "huge" or "tiny" where a whole recipe lies so far out in the range of the element type that
 * products of such values can overflow or underflow, otherwise NULL. */
const char *fill_range(const Fill *fill, DType dtype);
bool trigger_of_fill(const Fill *fill, DType dtype);

#endif
