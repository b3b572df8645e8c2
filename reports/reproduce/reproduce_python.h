/* Reproducers in Python, for libraries that are called from there. */
#ifndef REPORTS_REPRODUCE_PYTHON_H
#define REPORTS_REPRODUCE_PYTHON_H

#include "reproduce.h"

/* True for chains, each of whose outputs is expected given the library's own result for the output
 * before it.  The operands then hold these results. */
bool reproduce_is_given(const ReproduceInput *input);

/* Appends a script with the data, the calls as the library's adapter makes them, and the
 * expectations.  Where the input asks for a brief program, that or the script follows a line that
 * says why it is not brief, or is empty.  False with one sentence in *error where the adapter's
 * process fails. */
MUST_USE bool reproduce_script(Text *source, const ReproduceInput *input, const Operands *operands,
                               const Ref *refs, Text *error);

#endif
