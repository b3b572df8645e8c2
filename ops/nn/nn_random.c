/* Outputs of operators that draw random numbers. */
#include "nn_random.h"

void nn_add_draws(Shapes *shapes, DType dtype, const Shape *extents)
{
    for (int i = 0; i < NN_DRAWS; i++)
        nn_add_operand(shapes, dtype, extents, ROLE_OUT);
}

void nn_put_again(Ref *again, const double *y, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        ref_set_exact(again, (size_t)i, y[i], MATCH_BITS);
}

void nn_judge_other(Flaw *flaw, const double *y, const double *other, int64_t count)
{
    int64_t equal = 0;
    for (int64_t i = 0; i < count; i++)
        equal += y[i] == other[i];
    if (!flaw->what && equal == count)
        *flaw = (Flaw){"another seed gives the same draws", 0, (double)equal, 0};
}

double *nn_draws_of(const ReferenceInput *input, int output, int64_t count, OwnDraw *own,
                    const void *context, uint64_t seed, Arena *arena)
{
    double *values = arena_take(arena, (size_t)count + 1, sizeof *values);
    for (int64_t i = 0; i < count; i++)
        values[i] =
            input->computed ? tensor_value(&input->computed[output], i) : own(context, seed, i);
    return values;
}
