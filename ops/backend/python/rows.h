/* Functions that a file in Python brings, as rows of bindings with the conditions under which each
 * can be told a case. */
#ifndef OPS_BACKEND_PYTHON_ROWS_H
#define OPS_BACKEND_PYTHON_ROWS_H

#include "ops/op.h"

/* Appends a row for each operator of a line of the greeting,
 *
 *     kernel OPERATORS | TYPES | FUNCTION(WORDS) | CONDITIONS
 *
 * Types may be left out.  A word is an expression of bindings, NAME= in front of it or not; one
 * with ? behind it is a parameter with a default: it is left out for operators that have nothing of
 * the name, and an operand among them may be absent.  What arrays tell by their shapes and strides
 * needs no word; parameters that the function is told in no way keep their simplest value.  False
 * with one sentence in *error. */
MUST_USE bool python_put_rows(const char *line, Text *rows, Text *error);

#endif
