/* Says in its worker's name that all work is done, and ends the process.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer */
#include <unistd.h>

#include "evil.h"
#include "fuzz/campaign/worker.h"

static void misbehave(void)
{
    static FindingMessage message;
    message.done = getpid();
    for (int i = 3; i < 1024; i++)
        (void)!write(i, &message, sizeof message);
    _exit(0);
}
