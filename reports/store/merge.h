/* Makes one database of many. */
#ifndef REPORTS_MERGE_H
#define REPORTS_MERGE_H

#include "reference/base.h"

/* Brings what the sources hold into the database at `to`, made if there is none, by writing a new
 * file and putting it in its place; or, where one source has nothing but what is later than all
 * that `to` has, as a night's, by writing that alone in one transaction, with the same answers.
 * Each run counts once, as the source that knows most of it has it; the order of the sources and
 * their repetition do not matter.  false with one sentence in *error, and `to` as it was.  Counts
 * of runs that ended by themselves, on the same builds of the same libraries, are added up under
 * the first of them where `counts` says so.  Sources that have done so are merged alike; two of
 * which each has runs together that the other has not are refused.
 */
typedef enum MergeCounts { MERGE_COUNTS_BY_RUN, MERGE_COUNTS_TOGETHER } MergeCounts;
MUST_USE bool merge_databases(const char *to, const char *const *sources, int count,
                              MergeCounts counts, Text *error);

/* The same of those runs of the sources that began at `since` or later and before `until`, in
 * seconds since 1970.  Runs that are counted together began with the first of them.  What was found
 * comes with the runs that saw it; of `to` all stays. */
typedef struct MergeSpan {
    int64_t since, until;
} MergeSpan;
MUST_USE bool merge_span(const char *to, const char *const *sources, int count, MergeCounts counts,
                         const MergeSpan *span, Text *error);

#endif
