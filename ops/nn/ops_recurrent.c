/* Recurrent layers over some steps, forwards, backwards or both (nn_recurrent.h). */
#include "nn_recurrent.h"

static const char *const tensors[] = {"x", "w", "r", "bias", "h0", "y", "h", NULL};
static const char *const memory_tensors[] = {"x",  "w", "r", "bias", "h0",
                                             "c0", "y", "h", "c",    NULL};

/* The place of an operand in the list; operators without a memory leave c0 out. */
static int place(const CellRow *row, int operand)
{
    return operand > CELL_C0 && !nn_cell_has_memory(row) ? operand - 1 : operand;
}

static bool has(const CellRow *row, int operand)
{
    return nn_cell_has_memory(row) || (operand != CELL_C0 && operand != CELL_C);
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Recurrent *q = params_of_case;
    const CellRow *row = op->detail;
    *shapes = (Shapes){.depth = q->input_size + q->hidden_size};
    for (int operand = CELL_X; operand < CELL_OPERANDS; operand++) {
        Shape extents = nn_cell_shape(q, row, operand);
        if (has(row, operand))
            shapes->tensor[shapes->count++] =
                nn_tensor(nn_dtype(q), &extents, operand >= CELL_Y ? ROLE_OUT : ROLE_IN);
    }
    shapes->tensor[CELL_BIAS].ignored = !q->bias;
    shapes->tensor[CELL_W].part = shapes->tensor[CELL_R].part = PART_RIGHT;
}

static void run_direction(Ref *refs, CellLayer *l, CellStep *step)
{
    const Recurrent *q = l->q;
    int64_t count = q->batch * q->hidden_size, all = nn_direction_count(q);
    for (int64_t k = 0; k < q->seq_length; k++) {
        int64_t time = nn_layer_time(l, k);
        nn_layer_step(l, time, step);
        for (int64_t i = 0; i < count; i++)
            ref_put_ball(&refs[place(l->row, CELL_Y)],
                         (size_t)((time * all + l->direction) * count + i), l->h[i]);
    }
    for (int64_t i = 0; i < count; i++) {
        ref_put_ball(&refs[place(l->row, CELL_H)], (size_t)(l->direction * count + i), l->h[i]);
        if (nn_cell_has_memory(l->row))
            ref_put_ball(&refs[CELL_C], (size_t)(l->direction * count + i), l->c[i]);
    }
}

static void reference(Ref *refs, const ReferenceInput *in, Arena *arena)
{
    const CellRow *row = in->op->detail;
    CellLayer l = {.q = in->params, .row = row};
    for (int operand = CELL_X; operand < CELL_OPERANDS; operand++) {
        int i = place(row, operand);
        if (operand < CELL_Y)
            l.tensors[operand] = &in->tensors[i];
        else if (has(row, operand))
            ref_allocate_bounded(&refs[i], in->tensors[i].dtype, &in->tensors[i], arena);
    }
    l.format = dtype_format(refs[place(row, CELL_Y)].accumulator);
    nn_layer_begin(&l, arena);
    CellStep step = nn_step_allocate(&l, arena);
    for (int64_t direction = 0; direction < nn_direction_count(l.q); direction++) {
        nn_layer_start(&l, direction);
        run_direction(refs, &l, &step);
    }
}

OP_TABLE(ops_recurrent)
{
    static OpDesc table[CELL_ROWS + 1];
    for (int i = 0; i < CELL_ROWS; i++)
        table[i] = (OpDesc){
            NN_OP(Recurrent, 2),
            .name = nn_cells[i].name,
            .summary = nn_cells[i].summary,
            .params = nn_cell_params(&nn_cells[i]),
            .tensors = nn_cell_has_memory(&nn_cells[i]) ? memory_tensors : tensors,
            .dtypes = DTYPES_REAL,
            .fills = nn_moderate_fills,
            .shape_of_row = shape,
            .work = nn_recurrent_work,
            .reference = reference,
            .detail = &nn_cells[i],
        };
    return table;
}
