/* A library's pool that waits for work is not waited for; a thread that writes later is. */
#include "fuzz/check/leftovers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "reference/base.h"
#include "tests/check.h"

static const struct timespec little = {0, 1000000};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int there, written;
static bool over;

static void *wait_for_work(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&mutex);
    there++;
    while (!over)
        (void)pthread_cond_wait(&work, &mutex);
    (void)pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *write_later(void *unused)
{
    const struct timespec later = {0, 20000000};
    (void)unused;
    (void)nanosleep(&later, NULL);
    written = 1;
    return wait_for_work(NULL);
}

static void start(pthread_t *thread, void *(*body)(void *))
{
    CHECK(pthread_create(thread, NULL, body, NULL) == 0);
}

/* The least of some, since another process may take the processor. */
static double settle_milliseconds(void)
{
    enum { TRIES = 20 };
    double least = 1e9;
    for (int i = 0; i < TRIES; i++) {
        uint64_t begin = clock_nanoseconds();
        leftovers_settle();
        double taken = (double)(clock_nanoseconds() - begin) / 1e6;
        least = taken < least ? taken : least;
    }
    return least;
}

int main(void)
{
    enum { POOL = 2 };
    pthread_t threads[POOL + 1];
    CHECK(!leftovers_exist());
    for (int i = 0; i < POOL; i++)
        start(&threads[i], wait_for_work);
    while (there < POOL)
        (void)nanosleep(&little, NULL);
    CHECK(leftovers_exist());
    CHECK(settle_milliseconds() < 20);
    start(&threads[POOL], write_later);
    leftovers_settle();
    CHECK(written);
    (void)pthread_mutex_lock(&mutex);
    over = true;
    (void)pthread_cond_broadcast(&work);
    (void)pthread_mutex_unlock(&mutex);
    for (int i = 0; i <= POOL; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return check_end("leftovers");
}
