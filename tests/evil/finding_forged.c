/* Sends a finding in its worker's name that cannot be read, and ends the process.
 * Seen: dot FAULT ended the process with status 0
 * Engines: random libfuzzer
 * Unreadable: 1 */
#include <unistd.h>

#include "evil.h"
#include "fuzz/campaign/worker.h"

static void misbehave(void)
{
    static FindingMessage message;
    message.result.backend = 77;
    for (int i = 3; i < 1024; i++)
        (void)!write(i, &message, sizeof message);
    _exit(0);
}
