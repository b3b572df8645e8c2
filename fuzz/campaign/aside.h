/* Libraries that are set aside, since they end the process in which they are loaded, or with most
 * of their calls: the campaign goes on with the others, and its summary says so. */
#ifndef FUZZ_ASIDE_H
#define FUZZ_ASIDE_H

#include "campaign_parts.h"

/* Files a death as one of the library as a whole; last is the case that was begun last, or any. */
MUST_USE bool aside_file(Campaign *campaign, int backend, const char *detail, const Case *last);

/* Sets those aside that ended the process in which they were probed. */
MUST_USE bool aside_dead(Campaign *campaign);

/* A worker died before it had begun a case: sets aside a library that ends the process in which it
 * is opened alone; *found tells whether there is one. */
MUST_USE bool aside_find_stillborn(Campaign *campaign, bool *found);

/* Counts a death in a call. */
void aside_count_death(Campaign *campaign, int backend);
/* Sets those aside of which most calls ended so. */
void aside_review(Campaign *campaign);

/* Starts servers again that have ended, and sets libraries aside whose servers do not last; true
 * when there were some. */
bool aside_revive(Campaign *campaign);

/* A mask of 1 << number. */
uint32_t aside_mask(const Campaign *campaign);
/* True when there is no other library. */
bool aside_is_all(const Campaign *campaign);

void aside_summarise(const Campaign *campaign, CampaignSummary *summary);

#endif
