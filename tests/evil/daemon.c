/* Leaves a process behind that has a session of its own and sleeps for an hour.
 * Seen: nothing */
#include <sys/wait.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    pid_t child = fork();
    if (child == 0) {
        (void)setsid();
        if (fork() == 0)
            (void)sleep(3600);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
}
