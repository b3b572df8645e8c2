/* Brief programs in Python: the call with its operands, as one would write it by hand. */
#ifndef REPORTS_BRIEF_PYTHON_H
#define REPORTS_BRIEF_PYTHON_H

#include "reproduce.h"

/* Appends the program; or the harness, with one sentence in *note why a brief program cannot show
 * the finding.  False with one sentence in *error where the adapter's process fails. */
MUST_USE bool brief_python_write(Text *source, const ReproduceInput *input,
                                 const Operands *operands, const Ref *refs, Text *note,
                                 Text *error);

#endif
