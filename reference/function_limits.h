/* Ranges of functions as data: what a function is where a text names its value, which is beyond the
 * ends of its domain, at them, at poles and at zeros of either sign; and the closed range of its
 * results.  References judge by these rows, and docs/contracts.md is made of them. */
#ifndef REFERENCE_FUNCTION_LIMITS_H
#define REFERENCE_FUNCTION_LIMITS_H

#include <stdbool.h>

typedef enum LimitKind {
    LIMIT_END,   /* after the last row */
    LIMIT_VALUE, /* the value of the row */
    LIMIT_FIRST, /* the argument itself, the first of two */
    LIMIT_SECOND /* the second argument itself */
} LimitKind;

typedef enum Wholeness {
    WHOLE_OR_NOT,
    WHOLE_ONLY, /* integers */
    WHOLE_NEVER,
    WHOLE_ODD, /* odd integers */
    WHOLE_NOT_ODD
} Wholeness;

/* Arguments between two ends, both among them, -0 below +0.  NaN is among them where `to` is NaN,
 * and alone where `from` is NaN too. */
typedef struct Arguments {
    long double from, to;
    Wholeness whole;
} Arguments;

typedef struct FunctionLimit {
    LimitKind kind;
    Arguments first, second; /* second is read for functions of two variables only */
    long double value;
    bool near;   /* as accurate as results elsewhere are: a limit that no text names, or that a text
                  * has for an approximation; else a number to the bit, with its sign */
    bool or_nan; /* or NaN, where an infinity meets a 0 or itself on the usual way there */
} FunctionLimit;

/* The closed range of a function.  An end that a text or a theorem holds results to, once it is
 * rounded to the nearest number of their type, has it beside it: what lies beyond is wrong,
 * whatever the bound is.  Where that is NULL results are held to the bound only. */
typedef struct ResultRange {
    long double least, greatest; /* both 0: nothing is said */
    const char *least_by, *greatest_by;
} ResultRange;

/* The first row that has the arguments, of which a function of one variable has x alone; NULL where
 * there is none, or no rows. */
const FunctionLimit *limit_find(const FunctionLimit *rows, bool of_two, long double x,
                                long double second);
/* The value of a row at the arguments. */
long double limit_value(const FunctionLimit *limit, long double x, long double second);

#endif
