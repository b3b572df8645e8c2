/* Which libraries' kernels write over the record of a worker and end it: nothing is left there that
 * says so. */
#ifndef FUZZ_CULPRIT_H
#define FUZZ_CULPRIT_H

#include "campaign_parts.h"

/* A mask of the libraries to which that happens when each is given cases of the campaign alone,
 * from a little before the one that the worker was last known to be at; or of the only library that
 * has kernels in workers.  0 where none is found. */
uint32_t culprits_find(const Campaign *campaign, const Job *job);

#endif
