/* Opens sockets of all kinds, and dies where it can.
 * Needs: can open no sockets
 * Seen: nothing */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET};
    static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW};
    enum { OTHER_NUMBERS = 0x40000000 };
    for (int i = 0; i < 15; i++)
        if (socket(families[i % 5], types[i / 5], 0) >= 0)
            abort();
    if (syscall(SYS_io_uring_setup, 8, (char[256]){0}) >= 0)
        abort();
#ifdef __x86_64__
    if (syscall(SYS_socket | OTHER_NUMBERS, AF_INET, SOCK_STREAM, 0) >= 0)
        abort();
#endif
}
