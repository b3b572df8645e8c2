/* A worker process of a campaign: the host of an engine, which checks the cases that the engine
 * chooses and sends findings through a pipe to the supervisor. */
#ifndef FUZZ_WORKER_H
#define FUZZ_WORKER_H

#include <limits.h>
#include <sys/types.h>

#include "campaign.h"
#include "shared.h"

/* One finding as it travels; small enough that a write to a pipe is atomic.  Or the last message of
 * a process whose work is done, with its number in `done`: one that ends without it has died. */
typedef struct FindingMessage {
    Case c;
    CheckResult result;
    uint64_t raw_key;
    pid_t done; /* 0: a finding */
    bool later; /* of a signature that has its messages: to be filed where nothing explains it */
    uint64_t number; /* of the case among those of its job, from 1 */
} FindingMessage;
_Static_assert(sizeof(FindingMessage) <= PIPE_BUF, "a message must be written atomically");

/* Full messages per raw signature and process; more hits are only counted, but those that may have
 * a cause of their own (later.h). */
enum { MESSAGES_PER_RAW = 2 };

typedef struct WorkerSetup {
    const CampaignOptions *options;
    Shared *shared;
    int index, restarts;
    /* Where a worker ends: the random engine before the case of this number, libFuzzer after so
     * many cases, those that ended a process among them; 0 for never. */
    uint64_t end_case;
} WorkerSetup;

/* The body of the process: runs the WorkerSetup until its budget ends or shared->stop is set, and
 * writes messages to the pipe, the last one to say so.  Ends the process: with 1 where the pipe is
 * closed, with 3 where it cannot begin and shared->open_error says why. */
int worker_main(const void *setup, int messages);

/* The body of a fork server (reference/fork_server.h), which opens the libraries and runs no case;
 * its orders are the number of restarts.  Ends where something runs beside it that a fork would
 * lack, such as a library's threads. */
int worker_serve(const void *setup, int control);
/* False where libraries run in processes of their own, whose channels no two processes can share.
 */
bool worker_may_be_forked(const CampaignOptions *options);

#endif
