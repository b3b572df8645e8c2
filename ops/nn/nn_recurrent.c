/* Steps of recurrent layers, and their parameters and shapes. */
#include "nn_recurrent.h"

const CellRow nn_cells[CELL_ROWS] = {
    {"rnn", "recurrent layer with tanh", "rnn_backward", "gradients of rnn", 1},
    {"lstm", "long short-term memory", "lstm_backward", "gradients of lstm", 4},
    {"gru", "gated recurrent units", "gru_backward", "gradients of gru", 3},
};

static const char *const directions[] = {"forward", "reverse", "bidirectional", NULL};
#define RECURRENT_PARAMS                                                                           \
    NN_DTYPE(Recurrent), P_DIM(Recurrent, seq_length, 1, 8, "steps", .formerly = "k"),             \
        P_DIM(Recurrent, batch, 0, 16, "samples"),                                                 \
        P_DIM(Recurrent, input_size, 1, 64, "numbers of an input", .formerly = "n"),               \
        P_DIM(Recurrent, hidden_size, 1, 64, "numbers of a state", .formerly = "m"),               \
        P_CHOICE(Recurrent, direction, directions, "order of the steps", .formerly = "mode"),      \
        P_CHOICE(Recurrent, bias, nn_yes_no, "biases are added", .formerly = "with_bias")
const Param nn_recurrent_params[] = {RECURRENT_PARAMS, P_END};
const Param nn_gru_params[] = {RECURRENT_PARAMS,
                               P_CHOICE(Recurrent, linear_before_reset, nn_yes_no,
                                        "the reset gate multiplies the product",
                                        .formerly = "late_reset"),
                               P_END};

bool nn_cell_has_memory(const CellRow *row)
{
    return row->gates == 4;
}

bool nn_cell_is_gru(const CellRow *row)
{
    return row->gates == 3;
}

const Param *nn_cell_params(const CellRow *row)
{
    return nn_cell_is_gru(row) ? nn_gru_params : nn_recurrent_params;
}

int64_t nn_direction_count(const Recurrent *q)
{
    return q->direction == CELL_BOTH ? 2 : 1;
}

Shape nn_cell_shape(const Recurrent *q, const CellRow *row, int operand)
{
    int64_t d = nn_direction_count(q), gates = row->gates * q->hidden_size;
    const Shape extents[] = {[CELL_X] = {3, {q->seq_length, q->batch, q->input_size}},
                             [CELL_W] = {3, {d, gates, q->input_size}},
                             [CELL_R] = {3, {d, gates, q->hidden_size}},
                             [CELL_BIAS] = {2, {d, 2 * gates}},
                             [CELL_H0] = {3, {d, q->batch, q->hidden_size}},
                             [CELL_C0] = {3, {d, q->batch, q->hidden_size}},
                             [CELL_Y] = {4, {q->seq_length, d, q->batch, q->hidden_size}},
                             [CELL_H] = {3, {d, q->batch, q->hidden_size}},
                             [CELL_C] = {3, {d, q->batch, q->hidden_size}}};
    return extents[operand];
}

double nn_recurrent_work(const void *params)
{
    const Recurrent *q = params;
    return 256.0 * (double)(nn_direction_count(q) * q->seq_length * q->batch * q->hidden_size) *
           (double)(q->input_size + q->hidden_size + 8);
}

void nn_layer_begin(CellLayer *l, Arena *arena)
{
    const Recurrent *q = l->q;
    size_t count = (size_t)(q->batch * q->hidden_size);
    l->h = arena_take(arena, count, sizeof(Ball));
    l->c = arena_take(arena, count, sizeof(Ball));
    l->terms = arena_take(arena, (size_t)(q->input_size + q->hidden_size + 4), sizeof(Ball));
}

CellStep nn_step_allocate(const CellLayer *l, Arena *arena)
{
    enum { ARRAYS = CELL_GATES_MAX + 6 };
    size_t count = (size_t)(l->q->batch * l->q->hidden_size);
    Ball *balls = arena_take(arena, ARRAYS * count, sizeof *balls);
    Ball *rest = balls + CELL_GATES_MAX * count;
    CellStep step = {.before = rest,
                     .met = rest + count,
                     .product = rest + 2 * count,
                     .memory_before = rest + 3 * count,
                     .memory = rest + 4 * count,
                     .memory_tanh = rest + 5 * count};
    for (size_t gate = 0; gate < CELL_GATES_MAX; gate++)
        step.gate[gate] = balls + gate * count;
    return step;
}

Ball nn_cell_input(const CellLayer *l, int operand, int64_t number)
{
    return ball_exact(tensor_value(l->tensors[operand], number));
}

void nn_layer_start(CellLayer *l, int64_t direction)
{
    int64_t count = l->q->batch * l->q->hidden_size;
    l->direction = direction;
    for (int64_t i = 0; i < count; i++) {
        l->h[i] = nn_cell_input(l, CELL_H0, direction * count + i);
        if (nn_cell_has_memory(l->row))
            l->c[i] = nn_cell_input(l, CELL_C0, direction * count + i);
    }
}

int64_t nn_layer_time(const CellLayer *l, int64_t k)
{
    bool backwards = l->q->direction == CELL_REVERSE || l->direction == 1;
    return backwards ? l->q->seq_length - 1 - k : k;
}

int64_t nn_gate_row(const CellLayer *l, int gate, int64_t unit)
{
    return (l->direction * l->row->gates + gate) * l->q->hidden_size + unit;
}

static size_t put_inputs(const CellLayer *l, Ball *terms, int gate, int64_t step, int64_t sample,
                         int64_t unit)
{
    const Recurrent *q = l->q;
    for (int64_t i = 0; i < q->input_size; i++)
        terms[i] = ball_multiply(
            l->format, nn_cell_input(l, CELL_X, (step * q->batch + sample) * q->input_size + i),
            nn_cell_input(l, CELL_W, nn_gate_row(l, gate, unit) * q->input_size + i));
    return (size_t)q->input_size;
}

static size_t put_state(const CellLayer *l, Ball *terms, int gate, const Ball *state,
                        int64_t sample, int64_t unit)
{
    const Recurrent *q = l->q;
    for (int64_t i = 0; i < q->hidden_size; i++)
        terms[i] = ball_multiply(
            l->format, state[sample * q->hidden_size + i],
            nn_cell_input(l, CELL_R, nn_gate_row(l, gate, unit) * q->hidden_size + i));
    return (size_t)q->hidden_size;
}

/* The bias of the input (0) or of the state (1). */
static size_t put_bias(const CellLayer *l, Ball *term, int which, int gate, int64_t unit)
{
    int64_t gates = l->row->gates * l->q->hidden_size;
    if (!l->q->bias)
        return 0;
    *term = nn_cell_input(
        l, CELL_BIAS, l->direction * 2 * gates + which * gates + gate * l->q->hidden_size + unit);
    return 1;
}

/* All that is summed before the function of a gate. */
static Ball sum_of(const CellLayer *l, int gate, const Ball *state, int64_t step, int64_t sample,
                   int64_t unit)
{
    size_t count = put_inputs(l, l->terms, gate, step, sample, unit);
    count += put_state(l, l->terms + count, gate, state, sample, unit);
    count += put_bias(l, l->terms + count, 0, gate, unit);
    count += put_bias(l, l->terms + count, 1, gate, unit);
    return ball_sum(l->format, l->terms, count);
}

static Ball gate_of(const CellLayer *l, int gate, const Ball *state, int64_t step, int64_t sample,
                    int64_t unit)
{
    return ball_function(l->format, function_named("sigmoid"),
                         sum_of(l, gate, state, step, sample, unit), true);
}

static Ball tanh_of(const CellLayer *l, Ball x)
{
    return ball_function(l->format, function_named("tanh"), x, true);
}

static void step_rnn(CellLayer *l, int64_t time, int64_t i, CellStep *s)
{
    s->gate[RNN_NEW][i] = tanh_of(
        l, sum_of(l, RNN_NEW, s->before, time, i / l->q->hidden_size, i % l->q->hidden_size));
    l->h[i] = s->gate[RNN_NEW][i];
}

static void step_lstm(CellLayer *l, int64_t time, int64_t i, CellStep *s)
{
    const Format *f = l->format;
    int64_t sample = i / l->q->hidden_size, unit = i % l->q->hidden_size;
    for (int gate = LSTM_INPUT; gate <= LSTM_FORGET; gate++)
        s->gate[gate][i] = gate_of(l, gate, s->before, time, sample, unit);
    s->gate[LSTM_NEW][i] = tanh_of(l, sum_of(l, LSTM_NEW, s->before, time, sample, unit));
    s->memory_before[i] = l->c[i];
    s->memory[i] = ball_add(f, ball_multiply(f, s->gate[LSTM_FORGET][i], l->c[i]),
                            ball_multiply(f, s->gate[LSTM_INPUT][i], s->gate[LSTM_NEW][i]));
    s->memory_tanh[i] = tanh_of(l, s->memory[i]);
    l->c[i] = s->memory[i];
    l->h[i] = ball_multiply(f, s->gate[LSTM_OUTPUT][i], s->memory_tanh[i]);
}

/* The reset gate multiplies the state, or the product of the state with its bias. */
static Ball candidate(const CellLayer *l, int64_t time, int64_t i, CellStep *s)
{
    int64_t sample = i / l->q->hidden_size, unit = i % l->q->hidden_size;
    if (!l->q->linear_before_reset)
        return sum_of(l, GRU_NEW, s->met, time, sample, unit);
    size_t count = put_state(l, l->terms, GRU_NEW, s->before, sample, unit);
    count += put_bias(l, l->terms + count, 1, GRU_NEW, unit);
    s->product[i] = ball_sum(l->format, l->terms, count);
    Ball product = ball_multiply(l->format, s->gate[GRU_RESET][i], s->product[i]);
    count = put_inputs(l, l->terms, GRU_NEW, time, sample, unit);
    count += put_bias(l, l->terms + count, 0, GRU_NEW, unit);
    l->terms[count++] = product;
    return ball_sum(l->format, l->terms, count);
}

static void step_gru(CellLayer *l, int64_t time, int64_t i, CellStep *s)
{
    const Format *f = l->format;
    Ball h = s->before[i], z = s->gate[GRU_UPDATE][i], new = tanh_of(l, candidate(l, time, i, s));
    Ball weighted = ball_add(f, ball_multiply(f, ball_subtract(f, ball_exact(1), z), new),
                             ball_multiply(f, z, h));
    Ball moved = ball_add(f, new, ball_multiply(f, z, ball_subtract(f, h, new)));
    s->gate[GRU_NEW][i] = new;
    l->h[i] = ball_either(weighted, moved);
}

/* The update and reset gates of all units, and the state that the weights of the candidate
 * multiply. */
static void open_gates(const CellLayer *l, int64_t time, CellStep *s)
{
    for (int64_t i = 0; i < l->q->batch * l->q->hidden_size; i++) {
        for (int gate = GRU_UPDATE; gate <= GRU_RESET; gate++)
            s->gate[gate][i] =
                gate_of(l, gate, s->before, time, i / l->q->hidden_size, i % l->q->hidden_size);
        s->met[i] = l->q->linear_before_reset
                        ? s->before[i]
                        : ball_multiply(l->format, s->gate[GRU_RESET][i], s->before[i]);
    }
}

void nn_layer_step(CellLayer *l, int64_t time, CellStep *s)
{
    int64_t count = l->q->batch * l->q->hidden_size;
    for (int64_t i = 0; i < count; i++)
        s->before[i] = s->met[i] = l->h[i];
    if (nn_cell_is_gru(l->row))
        open_gates(l, time, s);
    for (int64_t i = 0; i < count; i++)
        (nn_cell_is_gru(l->row)       ? step_gru
         : nn_cell_has_memory(l->row) ? step_lstm
                                      : step_rnn)(l, time, i, s);
}
