/* Reproducers of libraries that are called from Python. */
#ifndef REPORTS_REPRODUCE_PYTHON_H
#define REPORTS_REPRODUCE_PYTHON_H

#include "reproduce.h"

/* True when outputs are expected given what the library made of those before them, which the
 * operands hold then. */
bool reproduce_is_given(const ReproduceInput *input);

/* Appends a script with the data and the expectations, whose calls the library's adapter writes
 * down; false with one sentence in *error. */
MUST_USE bool reproduce_script(Text *source, const ReproduceInput *input, const Operands *operands,
                               const Ref *refs, Text *error);

#endif
