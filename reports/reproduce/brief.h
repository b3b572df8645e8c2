/* Brief programs in C: the call with its operands, as one would write it by hand. */
#ifndef REPORTS_BRIEF_H
#define REPORTS_BRIEF_H

#include "reproduce.h"

/* Appends the program, which compares the component that is wrong with what the references say of
 * it.  False, with nothing appended and one sentence in *why, where such a program cannot show the
 * finding. */
MUST_USE bool brief_write(Text *source, const ReproduceInput *input, const Operands *operands,
                          const Ref *refs, Text *why);

#endif
