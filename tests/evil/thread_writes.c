/* A thread that it leaves writes over what was its operand, some time later.
 * Seen: dot CONTRACT modifies an input */
#include <pthread.h>
#include <unistd.h>

#include "evil.h"

static void *write_late(void *to)
{
    enum { TIMES = 20 };
    for (int i = 0; i < TIMES; i++) {
        (void)usleep(1000);
        ((volatile float *)to)[0] = 1e30f;
    }
    return NULL;
}

static void misbehave(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_late, (void *)given) == 0)
        (void)pthread_detach(thread);
}
