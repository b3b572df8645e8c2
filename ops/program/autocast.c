/* Products and sums under autocast.  Products of matrices are on the lists of operators that run in
 * bfloat16 where their operands are of binary32 (PyTorch, torch.amp, CPU Ops that can autocast to
 * bfloat16; Paddle, paddle.amp.auto_cast, level O1); sums of two tensors are on none and run in the
 * type of their operands, and so does everything where autocast is switched off inside. */
#include <math.h>

#include "effects.h"

enum { BF16_BITS = 8, BF16_BYTES = 2 };

/* Rounded to bfloat16, or kept in a wider type until another rounding; of numbers far from 1
 * nothing is claimed. */
static Ball halved(Ball x)
{
    double value = (double)x.value;
    int exponent;
    double scaled = ldexp(frexp(value, &exponent), BF16_BITS);
    if (!ball_is_known(x) || !isfinite(value) || exponent > 100 || (value != 0 && exponent < -100))
        return ball_unknown();
    if (x.radius == 0 && scaled == trunc(scaled))
        return x;
    return ball_round(dtype_format(DT_BF16), x, 1);
}

/* Number 1 times the first element of number 2, added to number 1; i is the width of the product's
 * elements. */
static void run_product(Machine *m, const uint8_t *number, bool in_half)
{
    Vector from = *variable(m, number, 1), result = {0};
    Ball first = variable(m, number, 2)->at[0];
    in_half = in_half && m->program->dtype == DT_F32;
    for (int i = 0; i < m->n; i++) {
        Ball product = in_half ? halved(ball_multiply(m->format, halved(from.at[i]), halved(first)))
                               : ball_multiply(m->format, from.at[i], first);
        Ball sum = ball_add(m->format, from.at[i], product);
        result.at[i] = ball_clipped(ball_multiply(m->format, sum, ball_exact(0.125)));
    }
    bind_variable(m, number, result);
    m->i = in_half ? BF16_BYTES : (int64_t)dtype_size((DType)m->program->dtype);
}

void run_autocast_product(Machine *m, const uint8_t *number)
{
    run_product(m, number, true);
}

void run_autocast_off(Machine *m, const uint8_t *number)
{
    run_product(m, number, false);
}

void run_autocast_sum(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), variable(m, number, 2), ball_add));
    m->i = (int64_t)dtype_size((DType)m->program->dtype);
}
