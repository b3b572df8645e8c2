/* Takes the time of the processor away from its process.
 * Seen: dot FAULT */
#include <sys/resource.h>

#include "evil.h"

static void misbehave(void)
{
    static const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CPU, &none);
    for (volatile unsigned i = 0;; i++) {
    }
}
