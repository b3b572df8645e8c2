/* A case that is made of what somebody else wrote down of a call: values are given by the names of
 * the operator's parameters, those that are too large are made smaller, and what an operator cannot
 * have is refused with a reason. */
#ifndef OPS_IMPORT_DRAFT_H
#define OPS_IMPORT_DRAFT_H

#include "ops/case/case.h"

typedef struct Draft {
    Case c;
    bool reduced; /* something was too large */
    Text why;     /* after a function gave false: one sentence */
} Draft;

/* The simplest case of an operator in an element type, with normal data.  These functions give
 * false, with *why, where the operator, the parameter or the value does not exist. */
MUST_USE bool draft_begin(Draft *draft, const char *op, DType dtype);
/* An extent, a pad, an increment or another number; a value above the largest is that one. */
MUST_USE bool draft_integer(Draft *draft, const char *name, int64_t value);
/* A shape, or a number for each axis; extents above the largest are that one. */
MUST_USE bool draft_shape(Draft *draft, const char *name, const Shape *shape);
MUST_USE bool draft_choice(Draft *draft, const char *name, const char *word);
MUST_USE bool draft_scalar(Draft *draft, const char *name, double re, double im);
/* Gives false with the sentence. */
bool draft_refuse(Draft *draft, const char *format, ...) PRINTF_LIKE(2, 3);
/* Makes the case legal and brings its work within the usual, or so many times that.  False where it
 * would be another case than was asked for. */
MUST_USE bool draft_end(Draft *draft, double scale);
void draft_release(Draft *draft);

#endif
