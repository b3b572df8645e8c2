/* Processor time, and medians of it, for programs that measure calls in one run. */
#ifndef BENCH_RATES_H
#define BENCH_RATES_H

#include <stdlib.h>
#include <time.h>

static inline double processor_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_times);
    return values[count / 2];
}

/* Calls that CALLS asks for, or else so many; 0 where it asks for none or more than there is room
 * for. */
static inline int calls_wanted(int usual, int most)
{
    const char *calls = getenv("CALLS");
    int wanted = calls ? atoi(calls) : usual;
    return wanted >= 1 && wanted <= most ? wanted : 0;
}

#endif
