/* The raw signatures of what a campaign has filed. */
#include "campaign_parts.h"

RawName *raw_find(Campaign *campaign, uint64_t key)
{
    for (size_t i = 0; i < campaign->raw_count; i++)
        if (campaign->raw[i].key == key)
            return &campaign->raw[i];
    return NULL;
}

void raw_remember(Campaign *campaign, uint64_t key, int64_t finding)
{
    RawName *name = raw_find(campaign, key);
    if (!name && campaign->raw_count < RAW_MAX) {
        name = &campaign->raw[campaign->raw_count++];
        *name = (RawName){.key = key, .finding = finding};
    }
    if (name) {
        name->filed++;
        name->messages++;
    }
}
