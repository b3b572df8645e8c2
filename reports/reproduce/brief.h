/* Brief programs in C: the call with its operands, as one would write it by hand. */
#ifndef REPORTS_BRIEF_H
#define REPORTS_BRIEF_H

#include "reproduce.h"

/* Writes the program, which compares the component that is wrong with what the references say of
 * it.  False, with no source and one sentence in program->why, where such a program cannot show the
 * finding. */
MUST_USE bool brief_write(ReproduceProgram *program, const ReproduceInput *input,
                          const Operands *operands, const Ref *refs);

#endif
