/* Finds the kernel that overwrote memory which is not its own, where a process died of that later,
 * outside of any kernel. */
#ifndef FUZZ_BLAME_H
#define FUZZ_BLAME_H

#include "campaign.h"
#include "worker.h"

/* Runs the latest cases of a process that died again, the last one first, in processes of their
 * own, on each backend but those of the mask aside.  True with the case and its verdict where a
 * process dies, or sees memory overwritten, with the kernel and not without it; otherwise the death
 * is a fault of ours. */
bool blame_kernel(const BlackBox *box, const CampaignOptions *options, uint32_t aside,
                  FindingMessage *message);

#endif
