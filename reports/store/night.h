/* A night in the database: its row, its counts, and what it prunes. */
#ifndef REPORTS_NIGHT_H
#define REPORTS_NIGHT_H

#include "connection.h"

/* Findings that are open; that are open and first seen since the night began; reopened, fixed and
 * seen to be flaky since then; suppressed. */
typedef struct NightCounts {
    int64_t open, fresh, regressed, fixed, flaky, suppressed;
} NightCounts;
MUST_USE bool store_count_night(Store *store, int64_t started, NightCounts *counts, Text *error);

/* Makes the night's run the present one, as a row of engine nightly, made if it is not there. */
MUST_USE bool store_resume_night(Store *store, const char *uuid, int64_t started,
                                 const char *arguments, Text *error);
/* Notes the counts of the present run, which ends with that. */
MUST_USE bool store_put_night(Store *store, const char *uuid, int64_t started, Text *error);

/* Findings whose minimal case is to be run again, in the order of their ids: every one that is not
 * put away when `since` is 0, else those first seen from then on; none that has an outcome of the
 * present run with the setting.  *id is 0 behind the last.  Texts are replaced. */
MUST_USE bool store_next_again(Store *store, int64_t since, int64_t after, const char *setting,
                               int64_t *id, Text *line, Text *backend, Text *error);

/* The finding that an earlier run was the last to run again, 0 where there is none; what was first
 * seen in that run itself is left out. */
MUST_USE bool store_last_again(Store *store, int64_t *id, Text *error);

/* Notes a file that was made for a finding, once; path is relative to the database's folder. */
MUST_USE bool store_put_artifact(Store *store, int64_t finding, const char *kind, const char *path,
                                 Text *error);
/* The next finding after `after` that is not put away and has no artifact of the kind. */
MUST_USE bool store_next_without(Store *store, const char *kind, int64_t after, int64_t *id,
                                 Text *error);

/* Keeps the last observations of each finding, and kinds of data in the coverage of the last runs
 * only; then frees the room. */
MUST_USE bool store_prune(Store *store, int observations, int runs, Text *error);

#endif
