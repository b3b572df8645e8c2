/* Reproducers in Python, for libraries that are called from there. */
#ifndef REPORTS_REPRODUCE_PYTHON_H
#define REPORTS_REPRODUCE_PYTHON_H

#include "reproduce.h"

/* True for chains, each of whose outputs is expected given the library's own result for the output
 * before it.  The operands then hold these results. */
bool reproduce_is_given(const ReproduceInput *input);

/* Writes a brief program, or the harness: a script with the data, the calls as the library's
 * adapter makes them, and the expectations.  It is run with the library and with right results.
 * `right` has random draws of our own, where a statistic of the library's is judged, else NULL.  Of
 * random results there is no harness: the source is empty then.  False with one sentence in *error
 * where the adapter's process fails. */
MUST_USE bool reproduce_script(ReproduceProgram *program, const ReproduceInput *input,
                               const Operands *operands, const Ref *refs, const Ref *right,
                               Text *error);

#endif
