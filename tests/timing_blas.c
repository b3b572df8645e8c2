/* A CBLAS for tests whose sgemm of depth 3 takes its time: TIMING says how.  With NOTICES it writes
 * what it does instead.  All else is that of faulty_blas.c. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define cblas_sgemm right_sgemm
#include "faulty_blas.c"
#undef cblas_sgemm

enum { LOOP = 1, DEADLOCK, STOPPED, WORK, LOOP_ONCE, LATE, LATE_BESIDE, NOTICES };

static double processor_milliseconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static void work(double milliseconds)
{
    double until = processor_milliseconds() + milliseconds;
    while (processor_milliseconds() < until)
        ;
}

static void deadlock(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    (void)pthread_mutex_lock(&lock);
    (void)pthread_mutex_lock(&lock);
}

/* Another process continues this one. */
static void stop(unsigned seconds)
{
    pid_t helper = fork();
    if (helper == 0) {
        (void)sleep(seconds);
        _exit(kill(getppid(), SIGCONT));
    }
    (void)raise(SIGSTOP);
    (void)waitpid(helper, NULL, 0);
}

static void take_time(void)
{
    if (TIMING == LOOP || (TIMING == LOOP_ONCE && access(MARK, F_OK) != 0)) {
        char path[] = MARK;
        (void)symlink(".", path);
        for (volatile int i = 0;; i = 1)
            ;
    }
    if (TIMING == DEADLOCK)
        deadlock();
    if (TIMING == STOPPED)
        stop(3);
    if (TIMING == WORK)
        work(150);
}

void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const void *a,
                 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
    static int calls;
    if (k == 3)
        take_time();
    if (TIMING == NOTICES) {
        printf("notice of n=%d\n", n);
        (void)fflush(stdout);
        (void)fprintf(stderr, "notice on the other one\n");
    }
    right_sgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    calls++;
    if (TIMING == LATE && calls > 1000 && m > 0 && n > 0)
        *(float *)c += 1;
    if (TIMING == LATE_BESIDE && calls > 1000 && m > 0 && n > 0)
        ((float *)c)[-1] = 1;
}
