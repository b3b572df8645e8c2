/* The transposes of operators that move elements: every element of dx is the sum of those of dy
 * that it went to, in any order (the lemma of oracle/bound.h). */
#include <stdio.h>

#include "nn_move.h"
#include "reference/reduce.h"

enum { NAME_MAX_LENGTH = 48 };

static const char *const tensors[] = {"dy", "dx", NULL};

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    Shapes forward;
    nn_move_shape(op->detail, params, &forward);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = forward.tensor[1];
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1] = forward.tensor[0];
    shapes->tensor[1].role = ROLE_OUT;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *dy = &input->tensors[0], *dx = &input->tensors[1];
    Ref *ref = &refs[1];
    ref_allocate_bounded(ref, dx->dtype, dx, arena);
    const Format *format = dtype_format(ref->accumulator);
    Sum *sums = arena_take(arena, ref->count + 1, sizeof *sums);
    for (size_t i = 0; i < ref->count; i++)
        sums[i] = sum_begin();
    for (int64_t i = 0; i < tensor_count(dy); i++) {
        int64_t from = nn_move_source(input->op->detail, input->params, dx, dy, i);
        if (from >= 0)
            sum_add(&sums[from], tensor_value(dy, i));
    }
    for (size_t i = 0; i < ref->count; i++)
        ref_put_sum(ref, i, &sums[i], 1, sum_error(&sums[i], format));
}

OP_TABLE(ops_move_backward)
{
    static OpDesc table[NN_MOVES_MAX + 1];
    static char names[NN_MOVES_MAX][2][NAME_MAX_LENGTH];
    for (int i = 0; nn_moves[i].name; i++) {
        (void)snprintf(names[i][0], NAME_MAX_LENGTH, "%s_backward", nn_moves[i].name);
        (void)snprintf(names[i][1], NAME_MAX_LENGTH, "gradient of %s", nn_moves[i].name);
        table[i] = (OpDesc){
            NN_OP(Move, nn_moves[i].version),
            .name = names[i][0],
            .summary = names[i][1],
            .params = nn_moves[i].params,
            .tensors = tensors,
            .dtypes = DTYPES_FLOAT,
            .normalise = nn_moves[i].normalise,
            .shape_of_row = shape,
            .work = nn_moves[i].work,
            .reference = reference,
            .detail = &nn_moves[i],
        };
    }
    return table;
}
