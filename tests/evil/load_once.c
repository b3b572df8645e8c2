/* Loads once, and never again: it dies in workers, not when it is asked what it offers.
 * Seen: - FAULT SIGSEGV while it loads
 * Aside: 1 */
#include <signal.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
}

__attribute__((constructor)) static void begin(void)
{
    if (symlink(".", MARK) != 0)
        (void)raise(SIGSEGV);
}
