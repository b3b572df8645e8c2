/* Right results in place of the call of a program: with them it must end as where the bug is gone,
 * which shows that it can tell. */
#ifndef REPORTS_RIGHT_H
#define REPORTS_RIGHT_H

#include "ops/case/operands.h"

/* Appends a component of an output as its references admit it, rounded to its element type. */
void right_put_component(Text *source, const Ref *ref, size_t component);

/* Appends statements that fill the outputs, arrays with the names of the operands, with what the
 * references admit; what lies between their elements keeps its value. */
void right_put_outputs(Text *source, const Operands *operands, const Ref *refs);

/* Appends the bytes of the components of an output as the references admit them, in the order of
 * their indices, in hexadecimal. */
void right_put_bytes(Text *text, const Ref *ref);

#endif
