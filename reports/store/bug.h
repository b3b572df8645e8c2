/* Bugs: findings of one library joined by evidence that they have one cause.
 *
 * Two findings are tied when they are of one library, show one symptom, and
 *   policy    depart from the same rule, as the library documents,
 *   reading   are right only under the same reading of a rule, which the library does not document,
 *   frame     touch memory from the same function of the library,
 *   message   end with the same words of the library's own,
 *   argument  accept the same illegal argument, or any leading dimensions, with the same structure,
 *   operator  are of one operator, need values of the same meaning and the same structure,
 *   probe     are of two operators, need values of the same meaning, and the minimal case of one,
 *             carried over to the other's operator and type, shows the symptom there too; each way
 *             where neither needs a meaning or a structure; counted last, and not between two bugs
 *             that are different entries of the reviewed list,
 *   review    are of one operator and the same entry of the reviewed list (reviewed.h), whatever
 *             they show,
 *   raw       one of them is not minimal yet, and of the other's operator and type,
 *   person    somebody said so.
 *
 * Where a case is as wrong without the NaN, infinities and overlaps that it has, it counts as one
 * without: what sums wrongly is no other reading of a rule about NaN.
 *
 * Findings that touch memory from two different functions of a library are tied by none but
 * `person`, unless they are of one operator and touch the same memory.  A finding that somebody has
 * set apart has ties by `person` only.  Bugs are what the ties connect; so they follow from the
 * facts, in whatever order these came. */
#ifndef REPORTS_BUG_H
#define REPORTS_BUG_H

#include "ops/case/case.h"
#include "store_events.h"

typedef struct BugCounts {
    int64_t findings, bugs, conventions, unfinished; /* unfinished: findings without a bug */
} BugCounts;

/* Computes ties and bugs anew and gives every finding its bug.  A bug keeps its number as long as
 * one of its findings had it; of several numbers the least stays, and the others refer to it. */
MUST_USE bool bugs_group(Store *store, BugCounts *counts, Text *error);
/* The same as a part of the caller's transaction. */
MUST_USE bool bugs_group_within(Store *store, BugCounts *counts, Text *error);

/* A probe that grouping lacks: the minimal case of a finding carried over to the operator and type
 * of another one.  Lines and names are appended to the texts. */
typedef struct ProbeWish {
    int64_t finding;
    const OpDesc *op;
    DType dtype;
    Case minimal;
    bool plain;  /* the finding's own case, without what asks for a rule */
    bool varied; /* also with data that differ from place to place */
    bool bare;   /* nothing but extents is needed */
    char backend[128], symptom[64], other[64]; /* other: that of the other finding */
} ProbeWish;
/* Fills at most `most` wishes, those that tell most first; their number.  *closed: the findings of
 * which none is made, since only the database names their library (ops/backend/trust.h). */
size_t bugs_wish(Store *store, ProbeWish *wishes, size_t most, int64_t *closed, Text *error);
/* Notes what a probe showed; symptom is "" where it agreed or could not be made. */
MUST_USE bool bugs_put_probe(Store *store, const ProbeWish *wish, const char *symptom,
                             const char *line, Text *error);

/* Records what somebody decided about a bug, as an event of the finding that it is shown by: it
 * holds for all its findings, and for those that join it later. */
MUST_USE bool bugs_record_event(Store *store, int64_t bug, const EventRecord *event, bool dry_run,
                                Text *error);
/* Joins two bugs, or sets a finding apart from its bug, and groups again; of the event the actor
 * and the reason count. */
MUST_USE bool bugs_join(Store *store, int64_t bug, int64_t other, const EventRecord *event,
                        bool dry_run, Text *error);
MUST_USE bool bugs_split(Store *store, int64_t finding, const EventRecord *event, bool dry_run,
                         Text *error);

/* A bug in one line. */
typedef struct BugLine {
    int64_t id, severity;
    Text state, text; /* text: library and title */
    Text alike; /* what bugs of other operators have in common with it that may be one with it */
} BugLine;
void bugs_line_release(BugLine *line);
/* Fills the line with the open bug of the least number above `after`; its id is 0 where there is
 * none. */
MUST_USE bool bugs_next(Store *store, int64_t after, BugLine *line, Text *error);
/* Fills the line with a bug in whatever state. */
MUST_USE bool bugs_get(Store *store, int64_t bug, BugLine *line, Text *error);
/* The least number of a bug above `after`, conventions apart, or 0. */
MUST_USE bool bugs_after(Store *store, int64_t after, int64_t *bug, Text *error);
/* The bug's finding behind *finding, with its minimal case; false behind the last, or with a
 * message.  Texts are replaced.  Findings of a library as a whole have no case, and are passed. */
bool bugs_next_finding(Store *store, int64_t bug, int64_t *finding, Text *line, Text *backend,
                       Text *error);

/* The open bugs of which a run has seen a finding, conventions apart.  worst is the most severe of
 * those that nobody reported upstream, of all where each is reported, and 0 where there is none. */
typedef struct RunBugs {
    int64_t worst, bugs, conventions;
    int64_t upstream, reviewed; /* of the bugs: with a report upstream, in the reviewed list only */
    int64_t unfinished, alone;  /* findings of the run that are not minimal yet; of no bug */
} RunBugs;
MUST_USE bool bugs_count_run(Store *store, int64_t run, RunBugs *counts, Text *error);

/* The bug that a number means today, following those that were joined; 0 with a message where there
 * is none. */
int64_t bugs_find(Store *store, int64_t number, Text *error);

#endif
