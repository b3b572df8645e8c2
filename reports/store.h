/* The SQLite database of runs and findings.  One process writes a file at a time. */
#ifndef REPORTS_STORE_H
#define REPORTS_STORE_H

#include "oracle/model.h"
#include "reference/base.h"

enum { STORE_VERSION = 5, SIGNATURE_VERSION = 3 };

typedef struct Store Store;
typedef enum StoreMode { STORE_READ, STORE_WRITE } StoreMode;

/* Opens path, creating it for STORE_WRITE.  NULL with one sentence in *error for a file that is no
 * database of ours, is damaged, cannot be read or written, or was written by a newer version (which
 * opens for STORE_READ only). */
Store *store_open(const char *path, StoreMode mode, Text *error);
void store_close(Store *store);
/* Deletes a database and what SQLite keeps beside it; what is not there is left out. */
void store_delete(const char *path);

/* All functions below return false with one sentence in *error when the database refuses; each is
 * one transaction, durable once it returned true. */

typedef struct RunRecord {
    const char *arguments, *engine;
    uint64_t seed;
    int jobs;
} RunRecord;
MUST_USE bool store_begin_run(Store *store, const RunRecord *run, Text *error);

typedef struct RunTotals {
    const char *end_reason; /* NULL while the run goes on */
    uint64_t cases, executions, restarts;
    double seconds, fill, reference, kernel, oracle;
} RunTotals;
MUST_USE bool store_put_totals(Store *store, const RunTotals *totals, Text *error);

typedef struct BackendRecord {
    const char *name, *version, *build, *core, *path;
    int threads;
} BackendRecord;
MUST_USE bool store_put_backend(Store *store, const BackendRecord *backend, Text *error);

/* Another backend's verdict on a minimal case. */
typedef struct PeerRecord {
    const char *backend, *verdict;
    double ratio;
} PeerRecord;

typedef struct FindingRecord {
    const char *signature, *raw, *op, *dtype, *kind, *backend, *tier, *defect, *pattern, *detail;
    const char *line, *min_line; /* min_line NULL until it is minimised */
    const char *expected, *got, *bound;
    double ratio;
    uint64_t ulps;
    size_t bad, total, worst; /* elements that are bad; all; the place of the worst, row-major */
    bool flaky;
    const char *picture;      /* rows of . and #, where an element of the case is bad; or NULL */
    const char *picture_ulps; /* bad elements by the power of two of their ulps: numbers; or NULL */
    const char *needed;       /* facets that a contrast showed to be needed; NULL: not known */
    const char *policies; /* that it speaks about, with commas between them; NULL: not known yet */
    const PeerRecord *peers;
    int peer_count;
} FindingRecord;

/* Files an observation under the finding of its signature, made if there is none; a fixed one is
 * reopened.  Counts as one hit. */
MUST_USE bool store_put_finding(Store *store, const FindingRecord *finding, int64_t *id,
                                Text *error);
/* Takes one observation, the one of the record's line, out of a finding into a new provisional one:
 * where the row that it was filed under has become a finding of its own meanwhile. */
MUST_USE bool store_split_finding(Store *store, int64_t from, const FindingRecord *finding,
                                  int64_t *id, Text *error);
/* Replaces a finding's provisional signature and facts by those of its minimal case.  Where another
 * finding has that signature already, the two become one.  *id is the finding that stays; *fresh
 * tells whether it is first seen in this run. */
MUST_USE bool store_resolve_finding(Store *store, int64_t provisional, const FindingRecord *minimal,
                                    int64_t *id, bool *fresh, Text *error);
/* Adds hits to the finding that a raw signature belongs to. */
MUST_USE bool store_add_hits(Store *store, const char *raw, uint64_t hits, Text *error);

typedef struct CoverageRecord {
    const char *op, *dtype, *fill, *backend;
    uint64_t executions, declined, vacuous, undecided;
    double worst_ratio;
    const uint64_t *ladder; /* added to the ladder of op and backend */
    int ladder_steps;
    const char (*models)[MODEL_NAME_BYTES]; /* of those that agreed, and their counts */
    const uint64_t *agreed;
    int model_count;
} CoverageRecord;
/* Replaces this run's coverage. */
MUST_USE bool store_put_coverage(Store *store, const CoverageRecord *records, size_t count,
                                 Text *error);

typedef struct PolicyRecord {
    const char *name, *sentence, *source, *backend;
    uint64_t executions; /* in the situation where the policy decides */
    uint64_t documented; /* of these, those that only a promised reading admits */
} PolicyRecord;
/* Replaces this run's counts; several records of one policy and backend are added up. */
MUST_USE bool store_put_policy_counts(Store *store, const PolicyRecord *records, size_t count,
                                      Text *error);

typedef struct ConstructRecord {
    const char *op, *construct, *backend;
    uint64_t executions, declined, findings; /* of programs that have it */
} ConstructRecord;
/* Replaces this run's counts. */
MUST_USE bool store_put_construct_counts(Store *store, const ConstructRecord *records, size_t count,
                                         Text *error);

/* One entry in the history of a finding; what does not apply is NULL.  kind is state, note or undo.
 * expected needs reason, owner and expires, invalid a reason, upstream a link. */
typedef struct EventRecord {
    const char *actor, *kind, *state, *reason, *owner, *link;
    const char *expires;     /* the last day, as 2027-01-31 */
    int64_t of_finding;      /* the one that this is the same as, for dup */
    const char *of, *undone; /* filled in: its signature; the event that undo takes back */
} EventRecord;
/* Appends an event and folds the history into the finding; a dry run checks only. */
MUST_USE bool store_record_event(Store *store, int64_t finding, const EventRecord *event,
                                 bool dry_run, Text *error);

/* What came of running the minimal case of a finding again, or with one setting changed.  One that
 * is gone on its own backend becomes fixed, a fixed one that diverges is reopened, and one that
 * diverges sometimes is flaky. */
typedef struct OutcomeRecord {
    int64_t finding;
    const char *backend, *version, *setting; /* setting: NULL for the case itself */
    int tries, diverged;
    bool captured; /* right after it was found: what does not show now is flaky, not fixed */
} OutcomeRecord;
MUST_USE bool store_put_outcome(Store *store, const OutcomeRecord *outcome, Text *error);

/* Replaces the known issues by those of a JSON array: objects with match (an object of GLOB
 * patterns by column of finding), reason, owner, expires and perhaps link. */
MUST_USE bool store_put_known(Store *store, const char *json, const char *source, Text *error);

/* Divergences first seen in this run that are new, open or reopened, and reproducible. */
MUST_USE bool store_count_fresh(Store *store, int64_t *count, Text *error);

/* What replay, minimize and reproduce need of a finding; strings are appended to the texts. */
MUST_USE bool store_get_finding(Store *store, int64_t id, Text *line, Text *backend,
                                Text *signature, Text *error);

/* Seconds since 1970, or what OPCONFORM_NOW says, with which tests let nights pass. */
int64_t store_now(void);

/* The connection, for the readers in this folder. */
struct sqlite3 *store_connection(Store *store);

#endif
