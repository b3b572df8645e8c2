/* How others compare a result with what is expected. */
#ifndef BENCH_POWER_JUDGE_H
#define BENCH_POWER_JUDGE_H

#include <stdbool.h>

#include "reference/dtype.h"

/* NaN agrees with NaN, an infinity with the same one.  Numbers are components of elements. */
typedef struct Judge {
    const char *name;
    bool (*agrees)(DType dtype, const double *got, const double *expected, size_t count);
} Judge;

extern const Judge judges[]; /* ended by a NULL name */
enum { JUDGES = 4 };

#endif
