/* Values of a function at consecutive numbers of binary32, fast and with a proven bound of their
 * error: what they leave open is little, and goes to the reference (Ziv's strategy).
 *
 * A piece of up to 2^16 consecutive patterns lies within a binade, so that its numbers are c + h t
 * with t in [-1, 1].  There the function is a polynomial p of degree 7 in t that meets it at 8
 * nodes, with
 *     |f - p| <= M (h / (r - h))^8 max |product of (t - node)|
 * where M bounds |f(z)| for complex z within r of c (Cauchy's estimate of the derivative in the
 * remainder of interpolation; Davis, Interpolation and Approximation, 1963, theorems 3.1.1 and
 * 4.1.2).  Each function has a bound M of its own, from its power series, its derivative or its
 * poles; screen.c says which.  Errors of the values at the nodes and roundings of the divided
 * differences are carried along; Horner's rule in binary64 adds u (2 k + 3) |a_k| 2^k for each
 * coefficient (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 5.1).  Where a
 * function is monotone and its values at both ends of a piece are close, one value serves for all;
 * pieces are halved until the bound is small.
 *
 * Sines of large numbers come from an exact product with the bits of 2 / pi (Payne and Hanek,
 * Radian reduction for trigonometric functions, 1983), and Taylor polynomials. */
#ifndef REFERENCE_SCREEN_H
#define REFERENCE_SCREEN_H

#include "function.h"

/* Patterns of one call, and of a piece at least. */
enum { SCREEN_MAX = 1 << 16, SCREEN_LEAST = 1 << 8 };

/* Values of consecutive patterns, and what is known of them: |f(x) - value| <= radius + square
 * value^2.  is_known: they are; else they are to be asked of the reference.  NaN and infinities are
 * certain. */
typedef struct ScreenPiece {
    uint32_t first, count;
    bool is_known;
    double radius, square;
} ScreenPiece;

enum { SCREEN_PIECES_MAX = 1 << 10 };
typedef struct Screen {
    int count;
    ScreenPiece pieces[SCREEN_PIECES_MAX];
    double values[SCREEN_MAX];
} Screen;

/* Whether there is a bound M for the function. */
bool screen_has(const Function *function);
/* Fills in the values of `count` patterns from `first` on, a power of two that divides `first`. */
void screen_fill(Screen *screen, const Function *function, uint32_t first, uint32_t count);

/* What is known of a result: bits of a byte each. */
enum {
    SCREEN_RIGHT = 1,   /* it is the exact value, rounded to nearest */
    SCREEN_WRONG = 2,   /* it is not */
    SCREEN_ADMITTED = 4 /* its error is within the first terms of the function's bound */
};

/* Compares results with the values of a piece: a byte for each, and the largest error of those that
 * are finite, in ulps. */
double screen_compare(const Screen *screen, const ScreenPiece *piece, const Function *function,
                      const float *results, uint8_t *known);
/* The error of one result, in ulps. */
double screen_ulps(double value, float result);

#endif
