/* The counts of a run: executions by operator, type and backend, and by policy and construct,
 * and why cases were declined. */
#ifndef REPORTS_STORE_COUNTS_H
#define REPORTS_STORE_COUNTS_H

#include "connection.h"
#include "oracle/model.h"

typedef struct CoverageRecord {
    const char *op, *dtype, *fill, *backend;
    uint64_t executions, declined, vacuous, undecided;
    double worst_ratio;
    uint64_t nanoseconds;   /* of all that was done for the cases */
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

/* Cases that were declined, or what was drawn before it was a case. */
typedef enum DeclineKind { DECLINED_CASES, REDRAWN_CASES } DeclineKind;

typedef struct DeclineRecord {
    const char *op, *backend, *reason;
    uint64_t count;
    uint64_t unasked; /* of what was drawn: cases run without a question */
} DeclineRecord;
/* Replaces this run's counts; several records of one operator, backend and reason are added up. */
MUST_USE bool store_put_decline_counts(Store *store, DeclineKind kind, const DeclineRecord *records,
                                       size_t count, Text *error);

/* The backends that a run compares, an older version and a newer one. */
MUST_USE bool store_put_qualification(Store *store, const char *old, const char *new, Text *error);

typedef struct ChangeRecord {
    const char *op, *dtype, *kind, *detail, *line;
    uint64_t cases, ulps;
} ChangeRecord;
/* Replaces this run's changes; of several records of one operator, type and kind the cases are
 * added up. */
MUST_USE bool store_put_changes(Store *store, const ChangeRecord *records, size_t count,
                                Text *error);

#endif
