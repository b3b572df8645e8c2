/* The transposes of operators that move elements: every element of dx is the sum of those of dy
 * that it went to, in any order (the lemma of oracle/bound.h). */
#include <stdio.h>
#include <string.h>

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

/* Windows that overlap are added up: the transpose under a name of its own. */
static OpDesc describe_col2im(const MoveRow *row)
{
    static const char *const plain[] = {"x", "y", NULL};
    OpDesc op = nn_describe_move(row);
    op.name = "col2im";
    op.summary = "images from columns of their windows, which are added up";
    op.tensors = plain;
    op.dtypes = DTYPES_FLOAT;
    op.fills = 0;
    op.shape_of_row = shape;
    op.reference = reference;
    op.zeros = NULL;
    return op;
}

static OpDesc describe(const MoveRow *row, char names[2][NAME_MAX_LENGTH])
{
    (void)snprintf(names[0], NAME_MAX_LENGTH, "%s_backward", row->name);
    (void)snprintf(names[1], NAME_MAX_LENGTH, "gradient of %s", row->name);
    OpDesc op = nn_describe_move(row);
    op.name = names[0];
    op.summary = names[1];
    op.tensors = tensors;
    op.dtypes = DTYPES_FLOAT;
    op.fills = 0;
    op.shape_of_row = shape;
    op.reference = reference;
    op.zeros = NULL;
    op.illegal = NULL;
    return op;
}

OP_TABLE(ops_move_backward)
{
    static OpDesc table[2 * NN_MOVES_MAX + 2];
    static char names[2 * NN_MOVES_MAX][2][NAME_MAX_LENGTH];
    const MoveRow *const lists[] = {nn_moves, nn_views};
    int count = 0;
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (const MoveRow *row = lists[i]; row->name; row++) {
            if (!strcmp(row->name, "im2col"))
                table[count++] = describe_col2im(row);
            if (row->forward_only)
                continue;
            table[count] = describe(row, names[count]);
            count++;
        }
    return table;
}
