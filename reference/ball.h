/* Balls: a value, and a radius within which a correct kernel's result lies, carried through every
 * operation of a composite operator (attention, cells, losses, interpolation).
 *
 * A kernel that computes z = x op y from x' and y' within the radii of x and y returns a number
 * within
 *     propagated + (u + 2^-62) (|z| + propagated) + lambda
 * of z: one rounding with the unit u of its arithmetic, the rounding of the value here, whose
 * significand has 64 bits, and a result that may be flushed to zero, lambda the smallest normal
 * number; sums are not flushed.  Fused operations round less often.  An operation of exact operands
 * whose result the format holds is exact.  Functions of one variable are monotone where they are
 * used: what is propagated is found at both ends.
 *
 * NaN and infinities go through operations as IEEE 754-2019 has it (6.1, 6.2 and 7.2), for every
 * pair of what the operands may be: so NaN that is an operand is NaN of the result.  An infinity
 * that is a product or quotient may be NaN as well, since equal formulas differ in where infinities
 * meet: dy (s - 1) and dy s - dy.  A radius of
 * infinity without classes says that nothing is known, as of a value that may overflow, which NaN
 * alone outlives. */
#ifndef REFERENCE_BALL_H
#define REFERENCE_BALL_H

#include "function.h"

/* classes are what the result may be (CLASS_*): value and radius are of its being finite.  0 stands
 * for CLASS_FINITE, and for anything where the radius is infinite. */
typedef struct Ball {
    long double value;
    double radius;
    unsigned classes;
} Ball;
/* The relative error of a value of 64 bits: above the 2^-64 of one rounding. */
#define BALL_UNIT 0x1p-62

/* A number, an infinity or NaN. */
Ball ball_exact(double value);
/* Nothing is known of it. */
Ball ball_unknown(void);
/* True where it is finite, within the radius. */
bool ball_is_known(Ball ball);
/* True where it is NaN and nothing else. */
bool ball_is_nan(Ball ball);
/* The same, or of one of these classes. */
Ball ball_or(Ball ball, unsigned classes);
/* What it may be: CLASS_*. */
unsigned ball_classes(Ball ball);
/* The value, or the infinity that it is; NaN where it may be anything else. */
long double ball_number(Ball ball);
/* A gradient times a slope of 0 that follows from a comparison: kernels choose, or multiply by a
 * mask, of which NaN or an infinity makes NaN. */
Ball ball_masked(Ball gradient);

Ball ball_add(const Format *format, Ball x, Ball y);
Ball ball_subtract(const Format *format, Ball x, Ball y);
Ball ball_multiply(const Format *format, Ball x, Ball y);
Ball ball_divide(const Format *format, Ball x, Ball y);
/* Whether products of some of the factors may leave the range: they may be formed in any order. */
bool ball_products_leave(const Format *format, const Ball *factors, size_t count);
/* What a product of `first` with some of the factors may lose where it is formed in any order: each
 * step that is subnormal loses eta / 2 at most, which later factors above 1 multiply.  0 where no
 * partial product is below the smallest normal number. */
double ball_lost_early(const Format *format, Ball first, const Ball *factors, size_t count);
/* The product of factors, of which the last `divisors` divide, formed in any order and grouping,
 * with divisors multiplied by each other or inverted first; `product` is what one order gives, or
 * that and constants which do not round.  count <= BALL_FACTORS_MAX.
 *
 * Theorem.  An order has count - 1 multiplications or divisions, and a reciprocal for each divisor
 * at most: where nothing leaves the range its result is off by gamma of as many and by the factors'
 * own radii, however few steps of the one order round.  No order rounds where the factors are
 * numbers, divisors powers of two, and the product has no more bits than the format, since the odd
 * part of a partial product divides that of the product.  A single operation keeps its bound.  A
 * partial product P below the smallest normal number loses eta / 2 at most, which what is
 * multiplied later, R = |product / P|, makes eta / 2 R of the result.  A partial product D of
 * divisors loses as much relative to D, and where it is eta / 2 or more, so that it does not
 * vanish, its reciprocal is off by as much as itself at most.  A partial product that overflows
 * stays an infinity of the result's sign, of divisors 0; a divisor that vanishes makes that
 * infinity, and a factor that vanishes 0.  Where two of these meet, or one meets a factor of 0, the
 * result may be NaN.  So it is finite and within the losses, or one of these. */
enum { BALL_FACTORS_MAX = 8 };
Ball ball_any_order(const Format *format, Ball product, const Ball *factors, size_t count,
                    size_t divisors);
Ball ball_sqrt(const Format *format, Ball x);
Ball ball_negate(Ball x);

/* A maximum and a magnitude, which never round. */
Ball ball_max(Ball x, Ball y);
Ball ball_abs(Ball x);
/* Either of two results, as where a branch depends on a value within its radius of the threshold.
 */
Ball ball_either(Ball x, Ball y);

/* The sum in any order, by the lemma of oracle/bound.h; exact where no order rounds. */
Ball ball_sum(const Format *format, const Ball *terms, size_t count);

/* x^y for x >= 0, within 16 ulp (OpenCL C 3.0, 7.4). */
Ball ball_power(const Format *format, Ball x, Ball y);

/* A sum over count elements as their mean: divided, or multiplied by a rounded reciprocal; of no
 * elements NaN, which is 0 / 0. */
Ball ball_mean(const Format *format, Ball sum, double count);
/* low + weight (high - low), or high - (1 - weight) (high - low). */
Ball ball_lerp(const Format *format, Ball low, Ball high, Ball weight);

/* The result once more through `roundings` operations that each round it. */
Ball ball_round(const Format *format, Ball x, int roundings);

/* A monotone function of the tables, within its ulps and its absolute bound (reference/function.h),
 * its weaker one where loose. */
Ball ball_function(const Format *format, const Function *function, Ball x, bool loose);
/* The function of one variable with this name; it must exist, and the table is sorted. */
const Function *function_named(const char *name);

/* exp(x - greatest) of each x, in place, as softmax has it, count > 0; the greatest is returned. */
Ball ball_exponentials(const Format *format, Ball *x, size_t count);

/* Puts a ball into an element of a reference that ref_allocate_bounded made. */
void ref_put_ball(Ref *ref, size_t element, Ball ball);

#endif
