/* The planted causes, and what they know of a call. */
#ifndef BENCH_TRIAGE_CAUSES_H
#define BENCH_TRIAGE_CAUSES_H

#include "call.h"

typedef struct Cause {
    const char *name;
    /* Changes arguments; returns 0 when the library is not to be called.  NULL if there is nothing
     * to do. */
    int (*begin)(Call *call);
    /* Changes results; arguments are those of the caller. */
    void (*end)(Call *call);
    int takes_illegal; /* begin sees calls with illegal arguments as well */
} Cause;

/* Ended by one without a name. */
extern const Cause causes[];

/* The matrix or vector that a routine writes; a vector has one column.  data is NULL where the
 * routine returns a number instead. */
typedef struct Output {
    void *data;
    int rows, columns;
    ptrdiff_t row, column;
    int is_backwards;
} Output;

/* Whether a routine has an argument of this name, and which it is, counted from 1. */
int call_takes(const Call *call, const char *argument);
int call_position(const Call *call, const char *argument);

/* Whether it is one of those in a list with spaces between. */
int call_is(const Call *call, const char *ops);

/* Whether leading dimensions are large enough. */
int call_lds_fit(const Call *call);

/* Bytes of an element. */
size_t call_size(const Call *call);

Output call_output(const Call *call);
void *output_component(const Call *call, Output output, int i, int j);
int output_has(const Call *call, int i, int j);
void output_each(Call *call, void (*change)(Call *call, Output output, int i, int j));

/* Puts back what an element was before the call. */
void output_restore(Call *call, Output output, int i, int j);

Number call_number_at(const Call *call, const void *at);
void call_number_put(const Call *call, void *at, Number number);

#endif
