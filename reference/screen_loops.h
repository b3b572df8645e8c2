/* The loops over the elements of a piece, for the processor's vectors; see screen.h. */
#ifndef REFERENCE_SCREEN_LOOPS_H
#define REFERENCE_SCREEN_LOOPS_H

#include <stdint.h>

/* And a bound of the product of the distances from the nodes. */
enum { SCREEN_NODES = 8 };
#define SCREEN_NODE_PRODUCT 0.0088

/* The nodes, in [-1, 1]. */
void screen_nodes(double nodes[SCREEN_NODES]);

/* values[i] = p(t) with t = (2 i + 1 - count) / count. */
void screen_polynomial(const double a[SCREEN_NODES], const double nodes[SCREEN_NODES],
                       uint32_t count, double *values);

typedef enum ScreenCircle { SCREEN_NO_CIRCLE, SCREEN_SIN, SCREEN_COS, SCREEN_TAN } ScreenCircle;
/* With r the distance of x 2 / pi from an integer, whose error is below 2^-52: |r pi / 2| has one
 * below 2^-51, sine and cosine by Taylor's polynomials of degree 15 and 16 less than 2^-54 of
 * truncation and 2^-51 of rounding; a quotient's is (1 + |t|) sqrt(1 + t^2) <= 2 (1 + t^2) times
 * that and a rounding. */
#define SCREEN_CIRCLE_RADIUS 0x1p-48
void screen_circle(ScreenCircle function, uint32_t first, uint32_t count, double *values);

typedef struct ScreenLimits {
    double radius, square; /* of the values */
    double ulps, relative; /* of admitted results */
} ScreenLimits;
double screen_differences(const double *values, const float *results, uint32_t count,
                          const ScreenLimits *limits, uint8_t *known);

#endif
