/* Computing the signatures of filed findings anew. */
#ifndef REPORTS_RESIGN_H
#define REPORTS_RESIGN_H

#include "store.h"

/* Counts of findings: those whose signature changed, and findings that had the same one then and
 * became one.  Findings without a minimal case, those whose line this version cannot read, and
 * named departures keep theirs. */
typedef struct ResignCounts {
    int64_t changed, folded;
} ResignCounts;

/* Computes every signature from what is stored; a dry run changes nothing. */
MUST_USE bool resign_findings(Store *store, bool dry_run, ResignCounts *counts, Text *error);

#endif
