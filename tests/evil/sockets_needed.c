/* Dies where it can open no socket, as one does that does not look at what it gets.
 * Needs: can open no sockets
 * Seen: dot FAULT SIGSEGV */
#include <sys/socket.h>

#include "evil.h"

static void misbehave(void)
{
    if (socket(AF_INET, SOCK_STREAM, 0) < 0)
        *(volatile int *)8 = 1;
}
