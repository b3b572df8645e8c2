/* Signs of zeros as data: which zeros of an operator's results have a sign that counts, and which
 * text demands it. */
#ifndef REFERENCE_ZERO_SIGN_H
#define REFERENCE_ZERO_SIGN_H

/* A row of a list that ends with a NULL `which`.  source is NULL where no text demands the sign:
 * then the reference has the usual zero (MATCH_USUAL), and the other one is a convention. */
typedef struct ZeroSign {
    const char *which, *source;
} ZeroSign;

/* A list of one row, and of two. */
#define ZERO_SIGN(which, source)                                                                   \
    (const ZeroSign[])                                                                             \
    {                                                                                              \
        {which, source},                                                                           \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
#define ZERO_SIGNS(which, source, others, of_others)                                               \
    (const ZeroSign[])                                                                             \
    {                                                                                              \
        {which, source}, {others, of_others},                                                      \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

#define ZEROS_COPIED "IEEE 754-2019, 5.5.1: a copy has the sign"

/* By which NaN stays NaN in what is made of maxima and minima. */
#define NAN_OF_GREATEST                                                                            \
    "IEEE 754-2019, 9.6: maximum and minimum propagate NaN; array API standard, maximum"

#endif
