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
 * In gradients a weight along an axis is off by at most r + 4 u where it is linear, nothing where
 * the coordinate is exact and its fraction a multiple of u, so that 1 less it is too; by 1.5 r + 32
 * u where it is cubic, its derivative by 5 r + 64 u; a linear one has either slope where the radius
 * reaches over an element.
 *
 * nearest: the element itself; where the radius reaches over a threshold along one axis, either. */
#ifndef REFERENCE_SAMPLE_H
#define REFERENCE_SAMPLE_H

#include "ball.h"

enum { SAMPLE_AXES_MAX = 3 };

typedef enum SampleMode { SAMPLE_NEAREST, SAMPLE_LINEAR, SAMPLE_CUBIC } SampleMode;

/* The values beyond the ends of an axis: the last element, zeros, or the elements mirrored about
 * the last element or about its outer edge. */
typedef enum SampleEdge {
    EDGE_CLAMP,
    EDGE_ZEROS,
    EDGE_MIRROR_ELEMENT,
    EDGE_MIRROR_BORDER
} SampleEdge;

/* How a coordinate is rounded to an index: down, or to nearest with ties down or to even. */
typedef enum SampleRounding { SAMPLE_FLOOR, SAMPLE_TIES_DOWN, SAMPLE_TIES_EVEN } SampleRounding;

/* One channel: `axes` axes from origin on. */
typedef struct SampleInput {
    Tensor x;
    SampleMode mode;
    SampleEdge edge;
    SampleRounding rounding;
} SampleInput;

/* Channel number `number` of all samples of images, whose spatial axes lie behind the channels. */
SampleInput sample_channel(const Tensor *images, int64_t number, SampleMode mode);

typedef struct SamplePoint {
    long double coordinate[SAMPLE_AXES_MAX]; /* itself off by far less than the radius */
    double radius[SAMPLE_AXES_MAX];
} SamplePoint;

/* Puts the value at a point into element i of ref, which ref_allocate_bounded made, with
 * candidates. */
void sample_put(Ref *ref, size_t i, const SampleInput *input, const SamplePoint *point);

/* An element that a point may take from: its offset in the channel, -1 for a zero outside, and its
 * weight, or the derivative of its weight along one axis. */
typedef struct SampleShare {
    int64_t offset;
    Ball weight;
} SampleShare;

enum { SAMPLE_SHARES_MAX = 512 };

/* What any coordinate makes of a channel: NaN, 0, or a number no larger than its elements, but for
 * cubic interpolation, whose weights' magnitudes add up to less than 1.5 along an axis. */
Ball sample_of_any_point(const SampleInput *input);

/* What any coordinate sends of a gradient to an element, which may be read more than once: no more
 * than all weights make of it, or NaN. */
Ball sample_share_of_any_point(const SampleInput *input, Ball gradient);
/* The slope of a channel along an axis at any coordinate: NaN, or a number within twice the size of
 * its elements, of cubic interpolation 5 1.5^(n - 1) times; of nearest elements 0. */
Ball sample_slope_of_any_point(const SampleInput *input);

/* The elements that a point may take from, with their weights; their number is returned, -1 where
 * nothing is known of the point. */
int sample_shares(const SampleInput *input, const SamplePoint *point, const Format *format,
                  SampleShare shares[SAMPLE_SHARES_MAX]);
/* The same with derivatives along an axis; above takes the slope above an element that the radius
 * reaches over, else that below. */
int sample_slopes(const SampleInput *input, const SamplePoint *point, const Format *format,
                  int axis, bool above, SampleShare shares[SAMPLE_SHARES_MAX]);
/* The element with these indices, as the rule of the edge has it. */
double sample_element(const SampleInput *input, const int64_t *index);
/* An element of a tensor, or a gradient, times a weight: left out where the weight may be 0. */
Ball sample_product(const Format *format, Ball x, Ball weight);

/* Whether a point lies more than an element outside along some axis: it does not, it does, or
 * either is right.  At that distance itself it is inside, or where `border` either. */
typedef enum SampleSide { SAMPLE_INSIDE, SAMPLE_OUTSIDE, SAMPLE_EITHER_SIDE } SampleSide;
SampleSide sample_side(const SampleInput *input, const SamplePoint *point, bool border);
/* True where the slopes above and below differ. */
bool sample_has_kink(const SampleInput *input, const SamplePoint *point, int axis);

#endif
