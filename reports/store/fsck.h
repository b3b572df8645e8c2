/* Checks that a database holds together. */
#ifndef REPORTS_FSCK_H
#define REPORTS_FSCK_H

#include <stdio.h>

#include "connection.h"

/* Prints a line for each thing that does not hold, and counts them: the file itself, references,
 * sums of hits, folded histories, lines that cannot be read. */
MUST_USE bool fsck_store(Store *store, FILE *to, int64_t *problems, Text *error);

#endif
