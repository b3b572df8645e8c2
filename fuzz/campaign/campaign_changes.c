/* The changes that workers counted in shared memory, as rows of the database. */
#include <stdlib.h>

#include "campaign_parts.h"

/* The rows of one job; lines are kept in texts. */
static size_t changes_of_job(const Shared *shared, ChangeRecord *records, Text *lines)
{
    size_t count = 0;
    for (int i = 0; shared && i < CHANGES_MAX; i++) {
        const ChangeEntry *entry = &shared->changes.entries[i];
        if (entry->key == 0)
            continue;
        case_print(&entry->example, &lines[count]);
        records[count] = (ChangeRecord){.op = entry->example.op->name,
                                        .dtype = dtype_name(case_dtype(&entry->example)),
                                        .kind = change_names[entry->kind],
                                        .detail = entry->detail,
                                        .line = text_string(&lines[count]),
                                        .cases = entry->count,
                                        .ulps = entry->ulps};
        count++;
    }
    return count;
}

bool changes_put(Campaign *campaign)
{
    size_t jobs = (size_t)campaign->options->jobs, count = 0;
    if (!campaign->options->compares)
        return true;
    ChangeRecord *records = memory_allocate(jobs * CHANGES_MAX, sizeof *records);
    Text *lines = memory_allocate(jobs * CHANGES_MAX, sizeof *lines);
    for (size_t i = 0; i < jobs * CHANGES_MAX; i++)
        lines[i] = (Text){0};
    for (size_t job = 0; job < jobs; job++)
        count += changes_of_job(campaign->jobs[job].shared, records + count, lines + count);
    bool ok = store_put_changes(campaign->store, records, count, campaign->error);
    for (size_t i = 0; i < count; i++)
        text_release(&lines[i]);
    free(lines);
    free(records);
    return ok;
}
