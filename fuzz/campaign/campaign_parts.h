/* Shared by the files that make up the supervisor; private to them. */
#ifndef FUZZ_CAMPAIGN_PARTS_H
#define FUZZ_CAMPAIGN_PARTS_H

#include "campaign.h"
#include "minimiser.h"
#include "reference/child.h"
#include "reference/escape.h"
#include "reference/fork_server.h"
#include "reference/patience.h"
#include "worker.h"

enum { JOBS_MAX = 64, MINIMISERS = 5 };

/* One worker slot: its process comes and goes, its shared memory stays. */
typedef struct Job {
    WorkerSetup setup;
    Shared *shared;    /* NULL before its first process */
    BlackBox *box;     /* that of the shared memory, or NULL */
    Child child;       /* its worker; messages come through the pipe */
    ForkServer server; /* forks those that take its place */
    bool served;       /* there is a server, or there was one */
    Patience patience; /* with its present call */
    bool finished, hung;
    bool done;      /* its worker said that its work was done */
    bool closed;    /* it was ended, since its pipe was closed, or held what is no message */
    uint64_t ended; /* when the call of its last worker began that ended it; 0 before the first */
    int stillborn;  /* processes one after another that died before their first case */
    /* Of the shared memory, as they were when it was last seen whole, at that time. */
    uint64_t seed_number, case_number, noted;
    uint64_t revived;        /* servers that had been, when its worker started */
    Text unreadable;         /* what its worker sent that is no finding, and why; or empty */
    int wiped;               /* how often a kernel wrote over it and ended its process */
    uint64_t taken[RAW_MAX]; /* hits already added to the database */
} Job;

/* Whether a library was set aside, and why (aside.h). */
typedef struct Aside {
    bool put;
    char reason[96];
    uint64_t deaths; /* in its calls */
    int mysteries;   /* deaths that no call was found to cause */
    int revived;     /* times that its server was started again */
} Aside;

/* A raw signature by its hash; as many as shared memory can count. */
typedef struct RawName {
    uint64_t key, filed;   /* filed: hits that were counted with their messages */
    uint64_t counted;      /* hits that were counted without a message, which may still come */
    int messages, waiting; /* that were filed, and of these those without a minimal case */
    int64_t finding;       /* that the first of them became, whose hits those without one are */
    /* The latest cases that may have a cause of their own, the newest last; unlike: those that were
     * minimised for that, or will be. */
    FindingMessage *later;
    int later_count, unlike;
    bool asked; /* one of them has no minimal case yet */
} RawName;

typedef struct Campaign {
    const CampaignOptions *options;
    Store *store;
    Text *error;
    Job jobs[JOBS_MAX];
    Aside aside[BOX_BACKENDS_MAX];
    uint64_t started, ended;
    double next_flush, next_line; /* in seconds since the start */
    double minimisation_needs;    /* seconds, as of the last look */
    uint64_t shrink_end;          /* by the clock: when minimisations must have ended; 0: never */
    uint64_t restarts, reopened;  /* reopened: by workers that opened the libraries themselves */
    uint64_t revived;             /* servers that had ended and were started again */
    bool internal_error;          /* a worker died of something of ours */
    uint64_t unreadable;          /* messages of workers that are no findings */
    uint64_t unreadable_printed;  /* of these, those that were reported as ours */
    uint64_t overwritten;         /* deaths of workers whose memory a kernel had overwritten */
    uint64_t doubtful;            /* hangs that did not hang again */
    uint64_t counts_lost; /* times that a kernel wrote over counts, or that nothing can be them */
    /* Deaths after which nothing said whose kernel wrote over the record, and the libraries whose
     * kernels were found to do so: culprit.h. */
    uint64_t searches, unattributed;
    uint32_t overwriters;
    uint64_t unseen; /* lines that libraries wrote, outside the minimal cases of findings */
    bool unsure;     /* --first: what was filed since the last look may end the campaign */
    bool found;      /* the same: something that counts for the exit status was filed */
    uint64_t held, held_since; /* nanoseconds in which workers waited for that; 0: they do not */
    bool stopped;              /* workers are told to end */
    AvoidList avoid;           /* what they are told to avoid */
    LikenessList known;        /* what minimal cases need */
    uint64_t
        unlike_time; /* nanoseconds in which cases were minimised that none of these explained */
    RawName raw[RAW_MAX];
    size_t raw_count;
    Waiting queue;
    size_t waiting; /* findings that are not minimal yet */
    /* Nanoseconds that minimisations took which came to their end, and how many there were: without
     * hangs, which take seconds each and have a process of their own. */
    uint64_t minimised_time, minimised;
    Minimiser minimisers[MINIMISERS];
    Holder holders[BOX_BACKENDS_MAX]; /* of the libraries, for minimisers */
    int64_t *shown;
    size_t shown_count, shown_room;
    bool ungrouped; /* findings were filed since the last grouping */
    uint64_t next_grouping;
    Text told;            /* what was told of bugs, without their operators */
    int told_count;       /* of bugs */
    int64_t last_bug;     /* the newest that was told, or was there before */
    char last_shown[256]; /* signature of the last finding that was shown */
    bool status_drawn;    /* the line of a terminal is there at present */
} Campaign;

/* campaign_jobs.c: all return false when the campaign cannot go on, with *campaign->error set. */
MUST_USE bool jobs_start(Campaign *campaign, int index);
/* Reads messages, notices deaths and hangs, restarts. */
MUST_USE bool jobs_serve(Campaign *campaign, int timeout_milliseconds);
bool jobs_running(const Campaign *campaign);
void jobs_stop(Campaign *campaign);
/* Ends the workers that have not ended; how many had not. */
uint64_t jobs_end(Campaign *campaign);
void jobs_release(Campaign *campaign);
/* To the workers and the minimisation with all that they started. */
void jobs_signal(const Campaign *campaign, int signal);

/* campaign_findings.c */
MUST_USE bool findings_file(Campaign *campaign, const FindingMessage *message);
/* The same for a case that ended a process; others like it are avoided until it has its minimal
 * case.  Where many of its raw signature are filed already, only one that no minimal case
 * explains. */
MUST_USE bool findings_file_death(Campaign *campaign, const FindingMessage *message,
                                  uint64_t hits_before);
/* Whether a death in a call is like one that has its minimal case, or is about to have it.  Without
 * avoidance all of one raw signature are taken for one. */
bool findings_explain(Campaign *campaign, const FindingMessage *message);
/* Starts and collects minimisations; true while there is something left to do. */
MUST_USE bool findings_serve(Campaign *campaign, bool *busy);
/* Seconds that the findings that wait and are of no bug yet are likely to need. */
double findings_seconds(const Campaign *campaign);
/* Shares the time until then, in seconds since the start, out among those that wait; INFINITY: no
 * end. */
void findings_end_at(Campaign *campaign, double seconds);
MUST_USE bool findings_flush_hits(Campaign *campaign);
MUST_USE bool findings_put_coverage(Campaign *campaign);
void findings_release(Campaign *campaign);

/* campaign_unreadable.c: counts a message of a worker that is no finding, and appends to *told,
 * unless something is there already, what can be said of it: the library, the case's number and
 * why. Returns told. */
Text *unreadable_note(Campaign *campaign, const FindingMessage *message, const Text *why,
                      Text *told);
/* Prints it as something of ours that failed, a few times in a campaign, and empties it; nothing
 * where it is empty. */
void unreadable_report(Campaign *campaign, Text *told);

/* campaign_raw.c: NULL where nothing of the signature was filed. */
RawName *raw_find(Campaign *campaign, uint64_t key);
/* Counts a message of the signature, whose first one became the finding. */
void raw_remember(Campaign *campaign, uint64_t key, int64_t finding);

/* campaign_unlike.c: keeps a case that may have a cause of its own until the minimal cases of its
 * raw signature say. */
void unlike_hear(Campaign *campaign, const FindingMessage *message);
/* Takes note of what a minimal case needs.  Where the case that it was made of lacks some of that,
 * and was not kept from what others explain, it may have come to another cause: it is tried again.
 */
void unlike_learn(Campaign *campaign, const Pending *pending, const ShrinkResult *shrunk);
/* Nanoseconds that the minimisation of such a case may take; 0: none. */
uint64_t unlike_budget(const Campaign *campaign);
/* Takes the next case that no minimal case explains; false where there is none. */
MUST_USE bool unlike_next(Campaign *campaign, FindingMessage *message);
/* Whether one waits. */
bool unlike_waits(Campaign *campaign);
/* Its minimisation has ended. */
void unlike_served(Campaign *campaign, const Pending *pending);
void unlike_summarise(Campaign *campaign, CampaignSummary *summary);
void unlike_release(Campaign *campaign);

/* campaign_changes.c: stores the differences between two versions that are no findings. */
MUST_USE bool changes_put(Campaign *campaign);

/* campaign_first.c, for --first: lets workers wait for minimal cases, and sees whether a finding
 * that counts for the exit status has one. */
MUST_USE bool first_serve(Campaign *campaign);
/* Workers wait no more. */
void first_end(Campaign *campaign);

/* campaign_bugs.c: notes the bugs that are there; groups what was filed and tells what is new, now
 * and then; carries cases over to other operators, to join more, and groups for the last time. */
MUST_USE bool bugs_start(Campaign *campaign);
MUST_USE bool bugs_serve(Campaign *campaign);
MUST_USE bool bugs_finish(Campaign *campaign, CampaignSummary *summary);

/* campaign_progress.c: draws the line of a terminal, or writes a line where one is due; and the
 * file of --stats. */
MUST_USE bool progress_show(Campaign *campaign, const CampaignSummary *summary, bool line_due);
/* Takes the line away before something else is written. */
void progress_clear(Campaign *campaign);

#endif
