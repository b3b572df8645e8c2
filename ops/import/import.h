/* Lines of cases made of what others wrote down: each case once, with the number of its calls, and
 * a count of what is none, with reasons. */
#ifndef OPS_IMPORT_IMPORT_H
#define OPS_IMPORT_IMPORT_H

#include "draft.h"

typedef struct ImportedCase {
    char *line, *of; /* of: what was called, for people */
    uint64_t calls;
    bool reduced;
} ImportedCase;

typedef struct SkippedCalls {
    char *reason;
    uint64_t calls;
} SkippedCalls;

/* All 0 at first. */
typedef struct Import {
    double scale; /* how many times the usual work a case may be; 0: once */
    ImportedCase *cases;
    SkippedCalls *skipped;
    size_t case_count, case_room, skipped_count, skipped_room;
    uint64_t calls, calls_skipped;
    uint64_t assumed; /* extents that were not known, and are 1 */
} Import;

/* Ends the draft and takes its case; false with the draft's reason where it is none. */
MUST_USE bool import_draft(Import *import, Draft *draft, uint64_t calls, const char *of);
/* Counts calls that are no case. */
void import_skip(Import *import, uint64_t calls, const char *reason);

/* The lines, those of most calls first, each behind a comment that says what it is of. */
void import_put(const Import *import, Text *lines);
/* For people: how many cases there are of how many calls, and a line for each reason of what was
 * skipped. */
void import_tell(const Import *import, Text *words);
void import_release(Import *import);

#endif
