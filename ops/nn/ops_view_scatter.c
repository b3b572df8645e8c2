/* What a view shows of x, replaced by a source of the view's extents: every element of y is one of
 * x or of the source, to the bit.  Its gradient is dy with zeros in the view, and the view of dy.
 */
#include <string.h>

#include "nn_move.h"

typedef struct ScatterRow {
    const char *name, *backward, *view;
} ScatterRow;

static const ScatterRow rows[] = {
    {"select_scatter", "select_scatter_backward", "select"},
    {"slice_scatter", "slice_scatter_backward", "slice"},
    {"diagonal_scatter", "diagonal_scatter_backward", "diagonal_view"},
};
static const char *const tensors[] = {"x", "source", "y", NULL};
static const char *const backward_tensors[] = {"dy", "dx", "dsource", NULL};

static const MoveRow *find_view(const char *name)
{
    const MoveRow *const lists[] = {nn_moves, nn_views};
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (const MoveRow *row = lists[i]; row->name; row++)
            if (!strcmp(row->name, name))
                return row;
    BUG("there is no view %s", name);
}

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    nn_move_shape(op->detail, params, shapes);
    shapes->count = 3;
    shapes->tensor[1].role = ROLE_IN;
    shapes->tensor[2] = shapes->tensor[0];
    shapes->tensor[2].role = ROLE_OUT;
}

static void backward_shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    shape(op, params, shapes);
    TensorSpec source = shapes->tensor[1];
    source.role = ROLE_OUT;
    shapes->tensor[1] = shapes->tensor[2];
    shapes->tensor[2] = source;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *source = &input->tensors[1];
    ref_allocate_exact(&refs[2], &input->tensors[2], arena);
    for (size_t i = 0; i < refs[2].count; i++)
        ref_set_exact(&refs[2], i, tensor_value(x, (int64_t)i), MATCH_BITS);
    for (int64_t i = 0; i < tensor_count(source); i++) {
        int64_t to = nn_move_source(input->op->detail, input->params, x, source, i);
        ref_set_exact(&refs[2], (size_t)to, tensor_value(source, i), MATCH_BITS);
    }
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *dy = &input->tensors[0], *source = &input->tensors[2];
    ref_allocate_exact(&refs[1], &input->tensors[1], arena);
    ref_allocate_exact(&refs[2], source, arena);
    for (size_t i = 0; i < refs[1].count; i++)
        ref_set_exact(&refs[1], i, tensor_value(dy, (int64_t)i), MATCH_VALUE);
    for (size_t i = 0; i < refs[2].count; i++) {
        int64_t from = nn_move_source(input->op->detail, input->params, dy, source, (int64_t)i);
        ref_set_exact(&refs[2], i, tensor_value(dy, from), MATCH_VALUE);
        ref_set_exact(&refs[1], (size_t)from, 0, MATCH_VALUE);
    }
}

static OpDesc describe(const ScatterRow *row, bool backward)
{
    OpDesc op = nn_describe_move(find_view(row->view));
    op.name = backward ? row->backward : row->name;
    op.summary = backward ? "gradient of a view that is replaced" : "a view of x replaced";
    op.tensors = backward ? backward_tensors : tensors;
    op.dtypes = backward ? DTYPES_FLOAT : op.dtypes;
    op.shape_of_row = backward ? backward_shape : shape;
    op.reference = backward ? backward_reference : reference;
    op.zeros = backward ? NULL : op.zeros;
    op.illegal = NULL;
    return op;
}

OP_TABLE(ops_view_scatter)
{
    static OpDesc table[2 * COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        table[2 * i] = describe(&rows[i], false);
        table[2 * i + 1] = describe(&rows[i], true);
    }
    return table;
}
