/* Whether an operator of a plug-in is what the generator, lines, records and the judge need. */
#ifndef OPS_PLUGIN_SELF_CHECK_H
#define OPS_PLUGIN_SELF_CHECK_H

#include "operator.h"

/* Draws cases of the operator and computes their references; false with one sentence in *error that
 * says what is wrong, and of which case. */
MUST_USE bool plugin_self_check(const OpDesc *op, Text *error);

#endif
