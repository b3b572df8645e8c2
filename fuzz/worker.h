/* A worker process: runs an engine over cases and reports findings through a pipe. */
#ifndef FUZZ_WORKER_H
#define FUZZ_WORKER_H

#include <limits.h>

#include "campaign.h"

/* One finding as it travels; small enough that a write to a pipe is atomic. */
typedef struct FindingMessage {
    Case c;
    CheckResult result;
    uint64_t raw_key;
} FindingMessage;
_Static_assert(sizeof(FindingMessage) <= PIPE_BUF, "a message must be written atomically");

/* Full messages per raw signature and process; more hits are only counted. */
enum { MESSAGES_PER_RAW = 2 };

typedef struct WorkerSetup {
    const CampaignOptions *options;
    BlackBox *box;
    int index, restarts, messages;
    uint64_t end_case; /* random engine: stop before this number; 0 for none */
} WorkerSetup;

/* Runs until the budget ends or box->stop is set; never returns. */
_Noreturn void worker_main(const WorkerSetup *setup);

/* One case of an engine, from bytes: decode, check, report, features.  Returns how many of these
 * had never been seen, and the case in *made. */
int worker_case(const uint8_t *bytes, size_t size, Case *made);
/* True where a backend gains from announcements. */
bool worker_looks_ahead(void);
/* Announces one that will come: false when there is no room for it now. */
bool worker_expect_case(const uint8_t *bytes, size_t size);
/* True when the supervisor wants the worker to end. */
bool worker_should_stop(void);

/* The engines: run cases until worker_should_stop. */
void engine_random(const WorkerSetup *setup);
void engine_libfuzzer(const WorkerSetup *setup);

#endif
