/* Values between the elements of a tensor, at coordinates that are themselves rounded.
 *
 * A coordinate c is where a kernel's own lies within a radius r, in elements along its axis.  With
 * A the greatest magnitude and D the span of the elements that any coordinate within the radii may
 * meet, and n axes, a correct kernel is off by at most
 *
 * linear: D sum r + 6 n u A, in any of the usual forms (weights that are rounded once each, their
 * products, and sums or steps a + t (b - a)); the interpolant is continuous.
 *
 * cubic: 2.5 D 1.5^(n - 1) sum r + 160 n 1.5^(n - 1) u A.  The magnitudes of the four weights add
 * up to less than 1.5, those of their derivatives to less than 5, whose sum is 0; each weight is
 * off by at most 32 u, as a polynomial whose intermediates stay below 8 (Keys, IEEE Trans. ASSP 29,
 * 1981, a = -3/4).
 *
 * nearest: the element itself; where the radius reaches over a threshold along one axis, either. */
#ifndef REFERENCE_SAMPLE_H
#define REFERENCE_SAMPLE_H

#include "ball.h"

enum { SAMPLE_AXES_MAX = 3 };

typedef enum SampleMode { SAMPLE_NEAREST, SAMPLE_LINEAR, SAMPLE_CUBIC } SampleMode;

/* What lies beyond the ends: the last element, zeros, or the elements again, mirrored about the
 * last element or about its outer edge. */
typedef enum SampleEdge {
    EDGE_CLAMP,
    EDGE_ZEROS,
    EDGE_MIRROR_ELEMENT,
    EDGE_MIRROR_BORDER
} SampleEdge;

/* How a coordinate becomes an index: down; to the nearest one, ties down or to even. */
typedef enum SampleRounding { SAMPLE_FLOOR, SAMPLE_TIES_DOWN, SAMPLE_TIES_EVEN } SampleRounding;

/* One channel: `axes` axes from origin on. */
typedef struct SampleInput {
    Tensor x;
    SampleMode mode;
    SampleEdge edge;
    SampleRounding rounding;
} SampleInput;

typedef struct SamplePoint {
    long double coordinate[SAMPLE_AXES_MAX]; /* itself off by far less than the radius */
    double radius[SAMPLE_AXES_MAX];
} SamplePoint;

/* Puts the value at a point into element i of ref, which ref_allocate_bounded made, with
 * candidates. */
void sample_put(Ref *ref, size_t i, const SampleInput *input, const SamplePoint *point);

#endif
