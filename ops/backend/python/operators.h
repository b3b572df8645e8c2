/* Operators that a file in Python describes: formulas with a reference in Python, and bodies, whose
 * cases are choices and which agree or do not. */
#ifndef OPS_BACKEND_PYTHON_OPERATORS_H
#define OPS_BACKEND_PYTHON_OPERATORS_H

#include "ops/backend/backend.h"

/* Takes a line of a greeting; those that describe an operator are, with | between the parts,
 *
 *     operator NAME | TYPES | CONDITIONS BETWEEN PARAMETERS | SUMMARY
 *     param extent|integer|choice|real NAME | LOW | HIGH | WORDS
 *     operand in|out NAME | SHAPE | INDICES BELOW
 *     end
 *
 * as include/opconform.h has them, and "body NAME | FUNCTION | SUMMARY" one that agrees where its
 * output is 1. At the end the operator is added.  Bodies have a row too, which is appended to
 * *rows.  False with one sentence in *error. */
MUST_USE bool python_take_operator(const Backend *backend, const char *line, Text *rows,
                                   Text *error);

#endif
