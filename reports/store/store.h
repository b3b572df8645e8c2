/* The database of runs and findings, as a campaign and the commands use it: this header and those
 * that it includes.  One process writes a file at a time. */
#ifndef REPORTS_STORE_H
#define REPORTS_STORE_H

#include "connection.h"
#include "known.h"
#include "store_counts.h"
#include "store_events.h"

enum { SIGNATURE_VERSION = 5 };

/* The operator and the element type of a finding that is of a library as a whole: of one that ends
 * the process while it loads, or of a death that no call was found to cause.  The line of such a
 * finding is the case that was begun last, which shows nothing by itself. */
#define STORE_WHOLE "-"

typedef struct RunRecord {
    const char *arguments, *engine;
    uint64_t seed;
    int jobs;
    const char *uuid; /* NULL: one that no other run has */
} RunRecord;
MUST_USE bool store_begin_run(Store *store, const RunRecord *run, Text *error);
/* Goes on with a run that began on another connection. */
void store_continue_run(Store *store, int64_t run);
/* The number of the run that began last on this connection. */
int64_t store_run_number(const Store *store);

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
/* Two modes of one library name the library itself twice, which is kept once. */
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
    bool unfinished;          /* minimisation ended before its case was minimal */
    const char *symptom;      /* what is wrong, as a word for grouping */
    const char *frame;        /* function of the library that touched memory not its own; or NULL */
    const char *output;       /* what the library wrote during the case; or NULL */
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
 * where the row that it was filed under has become a finding of its own meanwhile.  Where it has
 * not, nothing is moved, and no hit added. */
MUST_USE bool store_split_finding(Store *store, int64_t from, const FindingRecord *finding,
                                  int64_t *id, Text *error);
/* Takes one observation of this run, the one of the line, out of a provisional finding: it was a
 * false alarm.  With its last one the finding goes. */
MUST_USE bool store_drop_observation(Store *store, int64_t id, const char *line, Text *error);
/* Replaces a finding's provisional signature and facts by those of its minimal case.  Where another
 * finding has that signature already, the two become one.  *id is the finding that stays; *fresh
 * tells whether it is first seen in this run. */
MUST_USE bool store_resolve_finding(Store *store, int64_t provisional, const FindingRecord *minimal,
                                    int64_t *id, bool *fresh, Text *error);
/* Adds hits to a finding, if it is there still. */
MUST_USE bool store_add_hits(Store *store, int64_t finding, int64_t hits, Text *error);

/* Gives a finding another signature; where one has it already, the two become one: *folded.  Within
 * a transaction. */
MUST_USE bool store_rename_finding(Store *store, int64_t id, const char *signature, bool *folded,
                                   Text *error);

/* Divergences first seen in this run that are new, open or reopened, and reproducible; or deaths of
 * a process; or wrong values of a library's operator, or writes beside its outputs, that were seen
 * more than once, though none of their cases alone shows one.  minimal: only those that have a
 * minimal case, or were found to have none. */
MUST_USE bool store_count_fresh(Store *store, bool minimal, int64_t *count, Text *error);
/* The others of these: what was seen once and not again. */
MUST_USE bool store_count_uncounted(Store *store, int64_t *count, Text *error);

/* A finding as replay, minimize and reproduce read it; strings are appended to the texts.  False
 * for one of a library as a whole. */
MUST_USE bool store_get_finding(Store *store, int64_t id, Text *line, Text *backend,
                                Text *signature, Text *error);

#endif
