/* Which cases a function can be told: what follows from the words of its row. */
#ifndef OPS_BACKEND_KERNEL_KERNEL_CONDITIONS_H
#define OPS_BACKEND_KERNEL_KERNEL_CONDITIONS_H

#include "kernel_entry.h"

/* Appends the conditions of the row, and those that keep to their simplest values the parameters
 * that the function is not told.  False with one sentence in *error where it must be told more. */
MUST_USE bool kernel_conditions(const KernelEntry *entry, const char *required, Text *conditions,
                                Text *error);

#endif
