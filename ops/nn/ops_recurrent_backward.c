/* Gradients of recurrent layers by all their inputs, from that of y: the chain rule step by step,
 * last step first, in balls (reference/ball.h).  A kernel may keep the gates or compute them again;
 * sums over steps, samples, units and directions are in any order.  Biases that are not added have
 * gradients of 0. */
#include "nn_recurrent.h"

/* dy, then the inputs, then their gradients. */
enum { DY, INPUTS };

static const char *const tensors[] = {"dy", "x",  "w",  "r",     "bias", "h0",
                                      "dx", "dw", "dr", "dbias", "dh0",  NULL};
static const char *const memory_tensors[] = {"dy", "x",  "w",  "r",     "bias", "h0",  "c0",
                                             "dx", "dw", "dr", "dbias", "dh0",  "dc0", NULL};

static int inputs_of(const CellRow *row)
{
    return nn_cell_has_memory(row) ? CELL_C0 + 1 : CELL_C0;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Recurrent *q = params_of_case;
    const CellRow *row = op->detail;
    int inputs = inputs_of(row);
    Shape y = nn_cell_shape(q, row, CELL_Y);
    *shapes = (Shapes){.count = INPUTS + 2 * inputs, .depth = q->input_size + q->hidden_size};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &y, ROLE_IN);
    for (int i = 0; i < inputs; i++) {
        Shape extents = nn_cell_shape(q, row, i);
        shapes->tensor[INPUTS + i] = nn_tensor(nn_dtype(q), &extents, ROLE_IN);
        shapes->tensor[INPUTS + inputs + i] = nn_tensor(nn_dtype(q), &extents, ROLE_OUT);
    }
    shapes->tensor[INPUTS + CELL_BIAS].ignored = !q->bias;
    shapes->tensor[INPUTS + CELL_W].part = shapes->tensor[INPUTS + CELL_R].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    return 6 * nn_recurrent_work(params_of_case);
}

/* Gradients of the sums before the functions of the gates, on the side of the input and on that of
 * the state, at one time: batch x units each. */
typedef struct Sums {
    Ball *input[CELL_GATES_MAX], *state[CELL_GATES_MAX];
} Sums;

typedef struct Backward {
    CellLayer layer;
    CellStep *steps; /* by time, of one direction */
    Sums *sums;      /* by direction and time */
    Ball *dh, *dc;   /* batch x units, on their way back */
    Ball *terms;
} Backward;

/* v (1 - v), from the value of a sigmoid, and 1 - v^2, from that of tanh, or (1 - v) (1 + v). */
static Ball of_sigmoid(const Format *f, Ball v)
{
    return ball_multiply(f, v, ball_subtract(f, ball_exact(1), v));
}

static Ball of_tanh(const Format *f, Ball v)
{
    Ball one = ball_exact(1);
    return ball_either(ball_subtract(f, one, ball_multiply(f, v, v)),
                       ball_multiply(f, ball_subtract(f, one, v), ball_add(f, one, v)));
}

/* dx of a gate's sum: the gradient of its value times its slope. */
static void put_gate(Sums *d, const Format *f, int gate, int64_t i, Ball gradient, Ball slope)
{
    d->input[gate][i] = d->state[gate][i] = ball_multiply(f, gradient, slope);
}

static void back_rnn(Backward *b, const CellStep *s, Sums *d, int64_t i)
{
    const Format *f = b->layer.format;
    put_gate(d, f, RNN_NEW, i, b->dh[i], of_tanh(f, s->gate[RNN_NEW][i]));
    b->dh[i] = ball_exact(0);
}

static void back_lstm(Backward *b, const CellStep *s, Sums *d, int64_t i)
{
    const Format *f = b->layer.format;
    Ball in = s->gate[LSTM_INPUT][i], out = s->gate[LSTM_OUTPUT][i];
    Ball forget = s->gate[LSTM_FORGET][i], new = s->gate[LSTM_NEW][i], *dc = &b->dc[i];
    Ball through = ball_multiply(f, ball_multiply(f, b->dh[i], out), of_tanh(f, s->memory_tanh[i]));
    *dc = ball_add(f, *dc, through);
    put_gate(d, f, LSTM_OUTPUT, i, ball_multiply(f, b->dh[i], s->memory_tanh[i]),
             of_sigmoid(f, out));
    put_gate(d, f, LSTM_INPUT, i, ball_multiply(f, *dc, new), of_sigmoid(f, in));
    put_gate(d, f, LSTM_FORGET, i, ball_multiply(f, *dc, s->memory_before[i]),
             of_sigmoid(f, forget));
    put_gate(d, f, LSTM_NEW, i, ball_multiply(f, *dc, in), of_tanh(f, new));
    *dc = ball_multiply(f, *dc, forget);
    b->dh[i] = ball_exact(0);
}

/* Terms of the gradient of element j of a sample's state, from the sums of one gate; their number
 * is returned. */
static size_t put_back(const Backward *b, const Sums *d, int gate, int64_t sample, int64_t j,
                       Ball *terms)
{
    const CellLayer *l = &b->layer;
    int64_t units = l->q->hidden_size;
    for (int64_t u = 0; u < units; u++)
        terms[u] = ball_multiply(l->format, d->state[gate][sample * units + u],
                                 nn_cell_input(l, CELL_R, nn_gate_row(l, gate, u) * units + j));
    return (size_t)units;
}

/* All but the reset gate, whose gradient takes the sums of the candidate of all units. */
static void back_gru(Backward *b, const CellStep *s, Sums *d, int64_t i)
{
    const Format *f = b->layer.format;
    Ball z = s->gate[GRU_UPDATE][i], new = s->gate[GRU_NEW][i];
    Ball kept = ball_subtract(f, s->before[i], new);
    put_gate(d, f, GRU_UPDATE, i, ball_multiply(f, b->dh[i], kept), of_sigmoid(f, z));
    Ball share = ball_multiply(f, b->dh[i], ball_subtract(f, ball_exact(1), z));
    put_gate(d, f, GRU_NEW, i, share, of_tanh(f, new));
    if (b->layer.q->linear_before_reset)
        d->state[GRU_NEW][i] = ball_multiply(f, d->input[GRU_NEW][i], s->gate[GRU_RESET][i]);
    b->dh[i] = ball_multiply(f, b->dh[i], z);
}

static void back_reset(Backward *b, const CellStep *s, Sums *d)
{
    const CellLayer *l = &b->layer;
    const Format *f = l->format;
    for (int64_t i = 0; i < l->q->batch * l->q->hidden_size; i++) {
        size_t count =
            put_back(b, d, GRU_NEW, i / l->q->hidden_size, i % l->q->hidden_size, b->terms);
        Ball reset = s->gate[GRU_RESET][i], met = ball_sum(f, b->terms, count);
        Ball gradient = l->q->linear_before_reset
                            ? ball_multiply(f, d->input[GRU_NEW][i], s->product[i])
                            : ball_multiply(f, met, s->before[i]);
        put_gate(d, f, GRU_RESET, i, gradient, of_sigmoid(f, reset));
        Ball back = l->q->linear_before_reset ? met : ball_multiply(f, met, reset);
        b->dh[i] = ball_add(f, b->dh[i], back);
    }
}

/* From the gradient of the state after a step to that of the state before it. */
static void back_step(Backward *b, int64_t time, const Tensor *dy)
{
    const CellLayer *l = &b->layer;
    const CellStep *s = &b->steps[time];
    Sums *d = &b->sums[l->direction * l->q->seq_length + time];
    int64_t count = l->q->batch * l->q->hidden_size, all = nn_direction_count(l->q);
    bool gru = nn_cell_is_gru(l->row);
    for (int64_t i = 0; i < count; i++) {
        int64_t number = (time * all + l->direction) * count + i;
        b->dh[i] = ball_add(l->format, b->dh[i], ball_exact(tensor_value(dy, number)));
        (gru ? back_gru : nn_cell_has_memory(l->row) ? back_lstm : back_rnn)(b, s, d, i);
    }
    if (gru)
        back_reset(b, s, d);
    for (int64_t i = 0; i < count; i++) {
        size_t terms = 0;
        for (int gate = 0; gate < (gru ? GRU_NEW : l->row->gates); gate++)
            terms += put_back(b, d, gate, i / l->q->hidden_size, i % l->q->hidden_size,
                              b->terms + terms);
        b->terms[terms++] = b->dh[i];
        b->dh[i] = ball_sum(l->format, b->terms, terms);
    }
}

/* Gradients of the weights and biases of a row of w and r: sums over times and samples. */
static void put_row(const Backward *b, Ref *const gradients[], int gate, int64_t unit)
{
    const CellLayer *l = &b->layer;
    const Recurrent *q = l->q;
    const Format *f = l->format;
    int64_t row = nn_gate_row(l, gate, unit), gates = l->row->gates * q->hidden_size;
    bool candidate = nn_cell_is_gru(l->row) && gate == GRU_NEW;
    size_t count = (size_t)(q->seq_length * q->batch);
    for (int64_t column = 0; column < q->input_size + q->hidden_size + 2; column++) {
        bool of_input = column < q->input_size || column == q->input_size + q->hidden_size;
        for (int64_t at = 0; at < (int64_t)count; at++) {
            int64_t time = at / q->batch, sample = at % q->batch;
            const Sums *d = &b->sums[l->direction * q->seq_length + time];
            const CellStep *s = &b->steps[time];
            Ball value = (of_input ? d->input : d->state)[gate][sample * q->hidden_size + unit];
            if (column < q->input_size)
                value =
                    ball_multiply(f, value, nn_cell_input(l, CELL_X, at * q->input_size + column));
            else if (column < q->input_size + q->hidden_size)
                value = ball_multiply(
                    f, value,
                    (candidate ? s->met
                               : s->before)[sample * q->hidden_size + column - q->input_size]);
            b->terms[at] = value;
        }
        Ball sum = ball_sum(f, b->terms, count);
        if (column < q->input_size)
            ref_put_ball(gradients[CELL_W], (size_t)(row * q->input_size + column), sum);
        else if (column < q->input_size + q->hidden_size)
            ref_put_ball(gradients[CELL_R], (size_t)(row * q->hidden_size + column - q->input_size),
                         sum);
        else if (q->bias)
            ref_put_ball(gradients[CELL_BIAS],
                         (size_t)(l->direction * 2 * gates +
                                  (column - q->input_size - q->hidden_size) * gates +
                                  gate * q->hidden_size + unit),
                         sum);
    }
}

/* Sums over the gates and units of all directions. */
static void put_inputs(Backward *b, Ref *dx)
{
    CellLayer *l = &b->layer;
    const Recurrent *q = l->q;
    for (int64_t i = 0; i < q->seq_length * q->batch * q->input_size; i++) {
        int64_t sample = i / q->input_size % q->batch, time = i / q->input_size / q->batch;
        size_t terms = 0;
        for (l->direction = 0; l->direction < nn_direction_count(q); l->direction++)
            for (int gate = 0; gate < l->row->gates; gate++)
                for (int64_t unit = 0; unit < q->hidden_size; unit++) {
                    int64_t at = nn_gate_row(l, gate, unit) * q->input_size + i % q->input_size;
                    Ball sum = b->sums[l->direction * q->seq_length + time]
                                   .input[gate][sample * q->hidden_size + unit];
                    b->terms[terms++] = ball_multiply(l->format, sum, nn_cell_input(l, CELL_W, at));
                }
        ref_put_ball(dx, (size_t)i, ball_sum(l->format, b->terms, terms));
    }
}

static void run_direction(Backward *b, int64_t direction, const Tensor *dy, Ref *const gradients[])
{
    CellLayer *l = &b->layer;
    int64_t count = l->q->batch * l->q->hidden_size;
    nn_layer_start(l, direction);
    for (int64_t k = 0; k < l->q->seq_length; k++)
        nn_layer_step(l, nn_layer_time(l, k), &b->steps[nn_layer_time(l, k)]);
    for (int64_t i = 0; i < count; i++)
        b->dh[i] = b->dc[i] = ball_exact(0);
    for (int64_t k = l->q->seq_length - 1; k >= 0; k--)
        back_step(b, nn_layer_time(l, k), dy);
    for (int gate = 0; gate < l->row->gates; gate++)
        for (int64_t unit = 0; unit < l->q->hidden_size; unit++)
            put_row(b, gradients, gate, unit);
    for (int64_t i = 0; i < count; i++) {
        ref_put_ball(gradients[CELL_H0], (size_t)(direction * count + i), b->dh[i]);
        if (nn_cell_has_memory(l->row))
            ref_put_ball(gradients[CELL_C0], (size_t)(direction * count + i), b->dc[i]);
    }
}

static void allocate(Backward *b, Arena *arena)
{
    const Recurrent *q = b->layer.q;
    size_t count = (size_t)(q->batch * q->hidden_size), directions = (size_t)nn_direction_count(q);
    size_t times = (size_t)q->seq_length, gates = (size_t)b->layer.row->gates;
    size_t longest = directions * gates * (size_t)q->hidden_size + 1;
    nn_layer_begin(&b->layer, arena);
    b->steps = arena_take(arena, times, sizeof *b->steps);
    b->sums = arena_take(arena, directions * times, sizeof *b->sums);
    b->dh = arena_take(arena, count, sizeof(Ball));
    b->dc = arena_take(arena, count, sizeof(Ball));
    b->terms = arena_take(arena, longest + times * (size_t)q->batch, sizeof(Ball));
    for (size_t k = 0; k < times; k++)
        b->steps[k] = nn_step_allocate(&b->layer, arena);
    for (size_t k = 0; k < directions * times * gates; k++) {
        b->sums[k / gates].input[k % gates] = arena_take(arena, count, sizeof(Ball));
        b->sums[k / gates].state[k % gates] = arena_take(arena, count, sizeof(Ball));
    }
}

static void reference(Ref *refs, const ReferenceInput *in, Arena *arena)
{
    const CellRow *row = in->op->detail;
    int inputs = inputs_of(row);
    Backward b = {.layer = {.q = in->params, .row = row}};
    Ref *gradients[CELL_Y] = {NULL};
    for (int i = 0; i < inputs; i++) {
        int to = INPUTS + inputs + i;
        b.layer.tensors[i] = &in->tensors[INPUTS + i];
        gradients[i] = &refs[to];
        ref_allocate_bounded(&refs[to], in->tensors[to].dtype, &in->tensors[to], arena);
    }
    b.layer.format = dtype_format(refs[INPUTS + inputs].accumulator);
    allocate(&b, arena);
    for (int64_t direction = 0; direction < nn_direction_count(b.layer.q); direction++)
        run_direction(&b, direction, &in->tensors[DY], gradients);
    put_inputs(&b, gradients[CELL_X]);
}

OP_TABLE(ops_recurrent_backward)
{
    static OpDesc table[CELL_ROWS + 1];
    for (int i = 0; i < CELL_ROWS; i++)
        table[i] = (OpDesc){
            NN_OP(Recurrent, 2),
            .name = nn_cells[i].backward_name,
            .summary = nn_cells[i].backward_summary,
            .params = nn_cell_params(&nn_cells[i]),
            .tensors = nn_cell_has_memory(&nn_cells[i]) ? memory_tensors : tensors,
            .dtypes = DTYPES_REAL,
            .fills = nn_moderate_fills,
            .shape_of_row = shape,
            .work = work,
            .reference = reference,
            .detail = &nn_cells[i],
        };
    return table;
}
