#include "nn_recurrent.h"

const CellRow nn_cells[CELL_ROWS] = {
    {"rnn", "recurrent layer with tanh", "rnn_backward", "gradients of rnn", 1},
    {"lstm", "long short-term memory", "lstm_backward", "gradients of lstm", 4},
    {"gru", "gated recurrent units", "gru_backward", "gradients of gru", 3},
};

static const char *const directions[] = {"forward", "reverse", "bidirectional", NULL};
#define RECURRENT_PARAMS                                                                           \
    NN_DTYPE, P_DIM(Nn, k, 1, 8, "steps"), P_DIM(Nn, batch, 1, 16, "samples"),                     \
        P_DIM(Nn, n, 1, 64, "inputs"), P_DIM(Nn, m, 1, 64, "units"),                               \
        P_CHOICE(Nn, mode, directions, "order of the steps"),                                      \
        P_CHOICE(Nn, with_bias, nn_yes_no, "biases are added")
const Param nn_recurrent_params[] = {RECURRENT_PARAMS, P_END};
const Param nn_gru_params[] = {
    RECURRENT_PARAMS, P_CHOICE(Nn, late_reset, nn_yes_no, "the reset gate multiplies the product"),
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

int64_t nn_direction_count(const Nn *q)
{
    return q->mode == CELL_BOTH ? 2 : 1;
}

Shape nn_cell_shape(const Nn *q, const CellRow *row, int operand)
{
    int64_t d = nn_direction_count(q), gates = row->gates * q->m;
    const Shape extents[] = {
        [CELL_X] = {3, {q->k, q->batch, q->n}},    [CELL_W] = {3, {d, gates, q->n}},
        [CELL_R] = {3, {d, gates, q->m}},          [CELL_BIAS] = {2, {d, 2 * gates}},
        [CELL_H0] = {3, {d, q->batch, q->m}},      [CELL_C0] = {3, {d, q->batch, q->m}},
        [CELL_Y] = {4, {q->k, d, q->batch, q->m}}, [CELL_H] = {3, {d, q->batch, q->m}},
        [CELL_C] = {3, {d, q->batch, q->m}}};
    return extents[operand];
}

double nn_recurrent_work(const void *params)
{
    const Nn *q = params;
    return 256.0 * (double)(nn_direction_count(q) * q->k * q->batch * q->m) *
           (double)(q->n + q->m + 8);
}

void nn_layer_begin(CellLayer *l, Arena *arena)
{
    const Nn *q = l->q;
    size_t count = (size_t)(q->batch * q->m);
    l->h = arena_take(arena, count, sizeof(Ball));
    l->c = arena_take(arena, count, sizeof(Ball));
    l->terms = arena_take(arena, (size_t)(q->n + q->m + 4), sizeof(Ball));
}

CellStep nn_step_allocate(const CellLayer *l, Arena *arena)
{
    enum { ARRAYS = CELL_GATES_MAX + 6 };
    size_t count = (size_t)(l->q->batch * l->q->m);
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
    int64_t count = l->q->batch * l->q->m;
    l->direction = direction;
    for (int64_t i = 0; i < count; i++) {
        l->h[i] = nn_cell_input(l, CELL_H0, direction * count + i);
        if (nn_cell_has_memory(l->row))
            l->c[i] = nn_cell_input(l, CELL_C0, direction * count + i);
    }
}

int64_t nn_layer_time(const CellLayer *l, int64_t k)
{
    bool backwards = l->q->mode == CELL_REVERSE || l->direction == 1;
    return backwards ? l->q->k - 1 - k : k;
}

int64_t nn_gate_row(const CellLayer *l, int gate, int64_t unit)
{
    return (l->direction * l->row->gates + gate) * l->q->m + unit;
}

static size_t put_inputs(const CellLayer *l, Ball *terms, int gate, int64_t step, int64_t sample,
                         int64_t unit)
{
    const Nn *q = l->q;
    for (int64_t i = 0; i < q->n; i++)
        terms[i] = ball_multiply(l->format,
                                 nn_cell_input(l, CELL_X, (step * q->batch + sample) * q->n + i),
                                 nn_cell_input(l, CELL_W, nn_gate_row(l, gate, unit) * q->n + i));
    return (size_t)q->n;
}

static size_t put_state(const CellLayer *l, Ball *terms, int gate, const Ball *state,
                        int64_t sample, int64_t unit)
{
    const Nn *q = l->q;
    for (int64_t i = 0; i < q->m; i++)
        terms[i] = ball_multiply(l->format, state[sample * q->m + i],
                                 nn_cell_input(l, CELL_R, nn_gate_row(l, gate, unit) * q->m + i));
    return (size_t)q->m;
}

/* The bias of the input (0) or of the state (1). */
static size_t put_bias(const CellLayer *l, Ball *term, int which, int gate, int64_t unit)
{
    int64_t gates = l->row->gates * l->q->m;
    if (!l->q->with_bias)
        return 0;
    *term = nn_cell_input(l, CELL_BIAS,
                          l->direction * 2 * gates + which * gates + gate * l->q->m + unit);
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
    s->gate[RNN_NEW][i] = tanh_of(l, sum_of(l, RNN_NEW, s->before, time, i / l->q->m, i % l->q->m));
    l->h[i] = s->gate[RNN_NEW][i];
}

static void step_lstm(CellLayer *l, int64_t time, int64_t i, CellStep *s)
{
    const Format *f = l->format;
    int64_t sample = i / l->q->m, unit = i % l->q->m;
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
    int64_t sample = i / l->q->m, unit = i % l->q->m;
    if (!l->q->late_reset)
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

/* The gates that the candidate needs, of all units, and what it meets of the state. */
static void open_gates(const CellLayer *l, int64_t time, CellStep *s)
{
    for (int64_t i = 0; i < l->q->batch * l->q->m; i++) {
        for (int gate = GRU_UPDATE; gate <= GRU_RESET; gate++)
            s->gate[gate][i] = gate_of(l, gate, s->before, time, i / l->q->m, i % l->q->m);
        s->met[i] = l->q->late_reset
                        ? s->before[i]
                        : ball_multiply(l->format, s->gate[GRU_RESET][i], s->before[i]);
    }
}

void nn_layer_step(CellLayer *l, int64_t time, CellStep *s)
{
    int64_t count = l->q->batch * l->q->m;
    for (int64_t i = 0; i < count; i++)
        s->before[i] = s->met[i] = l->h[i];
    if (nn_cell_is_gru(l->row))
        open_gates(l, time, s);
    for (int64_t i = 0; i < count; i++)
        (nn_cell_is_gru(l->row)       ? step_gru
         : nn_cell_has_memory(l->row) ? step_lstm
                                      : step_rnn)(l, time, i, s);
}
