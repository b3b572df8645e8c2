/* The text of rows of bindings: lines, their parts, element types. */
#ifndef OPS_BACKEND_BINDING_ROW_LINES_H
#define OPS_BACKEND_BINDING_ROW_LINES_H

#include "ops/op.h"

/* rest begins at line `next`; `line` is the first of the present row. */
typedef struct RowLines {
    char *rest;
    int line, next;
} RowLines;

/* Text that is cut up as it is read; it must stay. */
RowLines row_lines_begin(char *text);

/* Takes the next row off the text: a line and those behind it that begin with a space; comments are
 * lines that begin with #.  NULL at the end. */
char *row_lines_next(RowLines *lines);

/* The text without spaces around it, which are cut off. */
char *row_trim(char *text);

/* Cuts the part in front of the next | that stands behind a space off the text: without spaces it
 * stands between the words of a condition.  *text is NULL behind the last part. */
char *row_next_part(char **text);

/* Appends a call with the operator's name for {op}, and with a capital for {Op}. */
void row_put_call(Text *text, const char *call, const char *op);

/* Reads names of element types, and of groups of them, with spaces between; false with the one that
 * is unknown in *unknown. */
MUST_USE bool row_types_read(char *text, uint32_t *dtypes, const char **unknown);

#endif
