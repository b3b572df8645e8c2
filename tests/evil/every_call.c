/* Every call of every function ends the process.
 * Seen: dot,axpy,copy FAULT ended the process with status 0
 * Engines: random libfuzzer
 * Aside: 1 */
#define EVERY_CALL
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    _exit(0);
}
