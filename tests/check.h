/* For every test program: CHECK, scaling of loops, a closing line. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static int check_failures, check_count;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        check_count++;                                                                             \
        if (!(condition) && check_failures++ < 20)                                                 \
            (void)fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);          \
    } while (0)

/* Loops of property tests run count times TEST_SCALE, an environment variable, 1 by default. */
static inline long check_scaled(long count)
{
    const char *scale = getenv("TEST_SCALE");
    double scaled = (double)count * (scale ? strtod(scale, NULL) : 1);
    return scaled < 1 ? 1 : (long)scaled;
}

/* The status of a program, 1 where a check failed or there was none. */
static inline int check_end(const char *name)
{
    printf("%s: %d checks, %d failed\n", name, check_count, check_failures);
    return check_failures != 0 || check_count == 0;
}

#endif
