/* Operands as arrays of brief programs. */
#ifndef REPORTS_BRIEF_DATA_H
#define REPORTS_BRIEF_DATA_H

#include "ops/case/operands.h"

/* How an array is written. */
typedef struct BriefArray {
    bool exact; /* with what the memory holds between the elements, else that is as the first one */
    size_t slack; /* bytes behind the last element */
    bool cpp;     /* without what C alone has: values by place */
} BriefArray;

/* Appends the statements that define an array of this name with the memory of the operand: a list,
 * or what its elements are but for a few. */
void brief_put_array(Text *source, const Operands *operands, int operand, const char *name,
                     const BriefArray *how);

/* Appends these lines, with short lists of one type that follow each other in one line. */
void brief_join_arrays(Text *text, const char *declarations);

/* Appends the source with lines of at most 100 columns, where they can be broken. */
void brief_put_wrapped(Text *text, const char *source);

#endif
