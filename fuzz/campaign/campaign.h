/* A fuzzing campaign: one supervisor, some workers, one database. */
#ifndef FUZZ_CAMPAIGN_H
#define FUZZ_CAMPAIGN_H

#include "fuzz/corpus.h"
#include "fuzz/engine/engine.h"
#include "probe.h"
#include "reports/store/store.h"

typedef enum EngineKind { ENGINE_RANDOM, ENGINE_LIBFUZZER } EngineKind;

typedef struct CampaignOptions {
    Scope scope;
    const char *const *backends; /* ended by NULL */
    EngineKind engine;
    uint64_t seed, cases; /* cases 0: no limit but time */
    double seconds;       /* 0: no limit but cases */
    uint64_t deadline;    /* nanoseconds for one kernel call */
    int jobs;
    const char *corpus;  /* directory for the engine's corpus, NULL for none */
    const Corpus *seeds; /* run first, shared among the jobs */
    bool only_seeds;     /* the engine does not run */
    const char *keep;    /* file that lines of cases with new features are added to, or NULL */
    const char *stats;   /* file that says how it goes, once a second, or NULL */
    uint32_t without;    /* a mask of 1 << EnginePart */
    bool no_avoid;       /* run known faults again and again */
    bool repeatable;     /* minimise nothing whose choice depends on how long things take */
    bool first;          /* end with the first finding that counts for the exit status */
    bool compares;       /* count what differs between the first two backends and is no finding */
    bool quiet, verbose;
} CampaignOptions;

/* A library that was set aside, and the cases that it was not given. */
typedef struct AsideSummary {
    const char *backend;
    char reason[96];
    uint64_t untested;
} AsideSummary;

typedef struct CampaignSummary {
    RunTotals totals;
    uint64_t features;
    uint64_t products_by_library, products_rejected, products_lent;
    uint64_t related, unrelated; /* second calls that were compared, and those that were not */
    uint64_t joined;             /* calls that were compiled with others as one function */
    int64_t fresh;               /* findings of this run */
    int64_t uncounted;           /* that did not show again, and leave the exit status as it is */
    uint64_t doubtful;           /* calls that took too long once, and not when they ran alone */
    uint64_t unseen;       /* lines of libraries that were not shown, as far as they were counted */
    uint64_t overwritten;  /* workers that died of a call that had returned */
    uint64_t counts_lost;  /* times that a kernel wrote over the counts of a worker */
    uint64_t unreadable;   /* messages of workers that are no findings */
    uint64_t unattributed; /* workers that a kernel ended of one of several libraries */
    uint64_t declined;     /* cases that a backend was not asked or did not take */
    uint64_t unexplained;  /* of these, those for whose reasons there was no room */
    uint64_t avoided;      /* of these, those that are like a known crash or hang */
    uint64_t avoided_early; /* of these, those before that one had its minimal case */
    uint64_t redrawn;       /* draws that gave way to others, since a library does not take them */
    uint64_t unasked;       /* cases that were run though they could not be asked for */
    uint64_t large;         /* cases that were large ones (ops/case/large.h) */
    double large_seconds;   /* that these took */
    double replacing;       /* seconds in which workers that died were replaced */
    uint64_t reopened;      /* of these workers, those that opened the libraries themselves */
    uint64_t revived;       /* servers that had ended and were started again */
    uint64_t unplaced;      /* differences between two versions for which there was no room */
    /* Cases that the minimal ones of their raw signatures did not explain and that were minimised
     * too; signatures with more of these than are, and with some for which there was no time. */
    uint64_t unlike, unlike_many, unlike_late;
    uint64_t cut_short; /* cases that had not ended when the time had */
    int keep_error;     /* errno, where the file of --keep lacks lines; 0: it has all */
    AsideSummary aside[BOX_BACKENDS_MAX];
    int aside_count;
    ProbeCounts probes;
    bool internal_error;
} CampaignSummary;

/* Runs the campaign; false with one sentence in *error when the database or a backend refuses. */
MUST_USE bool campaign_run(const CampaignOptions *options, Store *store, CampaignSummary *summary,
                           Text *error);

#endif
