/* The functions of libraries of elementwise mathematics: one row for each operator, with the word
 * that each library's symbols for it are made from. */
#ifndef OPS_BACKEND_MATH_BINDINGS_H
#define OPS_BACKEND_MATH_BINDINGS_H

#include "ops/op.h"

typedef enum MathColumn { MATH_LIBM, MATH_SLEEF, MATH_VML, MATH_COLUMNS } MathColumn;

/* The word of a library for an operator, NULL if it has none. */
const char *math_word(const OpDesc *op, MathColumn column);
/* BackendKind.describe; name is libm, sleef or vml. */
void math_describe(const char *name, const OpDesc *op, Text *text);

#endif
