/* Handles SIGSEGV itself, by a handler that returns, and reads what is not there for ever.
 * Seen: dot FAULT hang, with a handler of its own of SIGSEGV */
#include <signal.h>

#include "evil.h"

static void ignore(int signal)
{
    (void)signal;
}

static void misbehave(void)
{
    struct sigaction action = {.sa_handler = ignore};
    (void)sigaction(SIGSEGV, &action, NULL);
    *(volatile int *)8 = 1;
}
