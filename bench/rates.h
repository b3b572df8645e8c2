/* Processor time, and medians of it, for programs that measure calls in one run. */
#ifndef BENCH_RATES_H
#define BENCH_RATES_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ops/backend/backend.h"
#include "ops/backend/trust.h"
#include "ops/case/operands.h"

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

/* What is measured of a case, with the line that it is of. */
typedef void MeasureCase(Backend *backend, const Case *c, const char *line, Workspace *workspace,
                         int calls);

static inline Case case_of_line(const char *line)
{
    Text error = {0};
    Case c;
    if (!case_parse(&c, line, &error)) {
        printf("%s: %s\n", line, text_string(&error));
        exit(2);
    }
    case_normalise(&c, NULL);
    return c;
}

/* Measures the lines behind the name of a backend in the arguments of a program; its status. */
static inline int measure_lines(int count, char **arguments, int calls, MeasureCase *measure)
{
    Workspace workspace;
    Backend backend;
    Text error = {0};
    if (count > 1)
        trust_name(arguments[1]);
    if (count < 3 || calls < 1 || !backend_open(&backend, arguments[1], &error)) {
        printf("%s\n", count < 3 ? "name a backend and lines of cases" : text_string(&error));
        return 2;
    }
    if (!workspace_init(&workspace))
        return 2;
    for (int i = 2; i < count; i++) {
        Case c = case_of_line(arguments[i]);
        measure(&backend, &c, arguments[i], &workspace, calls);
    }
    backend_close(&backend);
    workspace_release(&workspace);
    return 0;
}

#endif
