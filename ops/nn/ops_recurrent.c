/* Recurrent layers over some steps, forwards, backwards or both, as ONNX defines them: gates of one
 * matrix lie below each other, i, o, f, c for lstm and z, r, h for gru, and the bias of the input
 * comes before that of the state.  Every step goes through balls (reference/ball.h); sums are in
 * any order, and the sigmoid and tanh inside are within their weaker bound, as rational
 * approximations have it. */
#include "nn.h"
#include "reference/ball.h"

enum { X, W, R, BIAS, H0, C0, Y, H, C };
enum { FORWARD, REVERSE, BOTH };

typedef struct CellRow {
    const char *name, *summary;
    int gates;
    bool has_cell;
} CellRow;

static const CellRow rows[] = {
    {"rnn", "recurrent layer with tanh", 1, false},
    {"lstm", "long short-term memory", 4, true},
    {"gru", "gated recurrent units", 3, false},
};

static const char *const directions[] = {"forward", "reverse", "bidirectional", NULL};
#define RECURRENT_PARAMS                                                                           \
    NN_DTYPE, P_DIM(Nn, k, 1, 8, "steps"), P_DIM(Nn, batch, 1, 16, "samples"),                     \
        P_DIM(Nn, n, 1, 64, "inputs"), P_DIM(Nn, m, 1, 64, "units"),                               \
        P_CHOICE(Nn, mode, directions, "order of the steps"),                                      \
        P_CHOICE(Nn, with_bias, nn_yes_no, "biases are added")
static const Param params[] = {RECURRENT_PARAMS, P_END};
static const Param gru_params[] = {
    RECURRENT_PARAMS, P_CHOICE(Nn, late_reset, nn_yes_no, "the reset gate multiplies the product"),
    P_END};
static const char *const tensors[] = {"x", "w", "r", "bias", "h0", "y", "h", NULL};
static const char *const cell_tensors[] = {"x", "w", "r", "bias", "h0", "c0", "y", "h", "c", NULL};

static int64_t direction_count(const Nn *q)
{
    return q->mode == BOTH ? 2 : 1;
}

/* The place of an operand in the list; operators without a cell leave C0 out. */
static int place(const CellRow *row, int operand)
{
    return operand > C0 && !row->has_cell ? operand - 1 : operand;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    const CellRow *row = op->detail;
    int64_t d = direction_count(q), gates = row->gates * q->m;
    const Shape extents[] = {[X] = {3, {q->k, q->batch, q->n}},    [W] = {3, {d, gates, q->n}},
                             [R] = {3, {d, gates, q->m}},          [BIAS] = {2, {d, 2 * gates}},
                             [H0] = {3, {d, q->batch, q->m}},      [C0] = {3, {d, q->batch, q->m}},
                             [Y] = {4, {q->k, d, q->batch, q->m}}, [H] = {3, {d, q->batch, q->m}},
                             [C] = {3, {d, q->batch, q->m}}};
    *shapes = (Shapes){.count = row->has_cell ? C + 1 : H, .depth = q->n + q->m};
    for (int operand = X; operand <= C; operand++)
        if (row->has_cell || (operand != C0 && operand != C))
            shapes->tensor[place(row, operand)] =
                nn_tensor(nn_dtype(q), &extents[operand], operand >= Y ? ROLE_OUT : ROLE_IN);
    shapes->tensor[BIAS].ignored = !q->with_bias;
    shapes->tensor[W].part = shapes->tensor[R].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return 256.0 * (double)(direction_count(q) * q->k * q->batch * q->m) *
           (double)(q->n + q->m + 8);
}

/* One direction on its way. */
typedef struct Layer {
    const Nn *q;
    const CellRow *row;
    const Tensor *tensors;
    const Format *format;
    const Function *sigmoid, *tanh;
    int64_t direction;
    Ball *h, *c, *next, *terms, *reset; /* of batch x units; terms of one sum */
} Layer;

static Ball input(const Layer *l, int operand, int64_t number)
{
    return ball_exact(tensor_value(&l->tensors[place(l->row, operand)], number));
}

static int64_t gate_row(const Layer *l, int gate, int64_t unit)
{
    return (l->direction * l->row->gates + gate) * l->q->m + unit;
}

static size_t put_inputs(const Layer *l, Ball *terms, int gate, int64_t step, int64_t sample,
                         int64_t unit)
{
    const Nn *q = l->q;
    for (int64_t i = 0; i < q->n; i++)
        terms[i] = ball_multiply(l->format, input(l, X, (step * q->batch + sample) * q->n + i),
                                 input(l, W, gate_row(l, gate, unit) * q->n + i));
    return (size_t)q->n;
}

static size_t put_state(const Layer *l, Ball *terms, int gate, const Ball *state, int64_t sample,
                        int64_t unit)
{
    const Nn *q = l->q;
    for (int64_t i = 0; i < q->m; i++)
        terms[i] = ball_multiply(l->format, state[sample * q->m + i],
                                 input(l, R, gate_row(l, gate, unit) * q->m + i));
    return (size_t)q->m;
}

/* The bias of the input (0) or of the state (1). */
static size_t put_bias(const Layer *l, Ball *term, int which, int gate, int64_t unit)
{
    int64_t gates = l->row->gates * l->q->m;
    if (!l->q->with_bias)
        return 0;
    *term = input(l, BIAS, l->direction * 2 * gates + which * gates + gate * l->q->m + unit);
    return 1;
}

/* All that is summed before the function of a gate. */
static Ball sum_of(const Layer *l, int gate, const Ball *state, int64_t step, int64_t sample,
                   int64_t unit)
{
    size_t count = put_inputs(l, l->terms, gate, step, sample, unit);
    count += put_state(l, l->terms + count, gate, state, sample, unit);
    count += put_bias(l, l->terms + count, 0, gate, unit);
    count += put_bias(l, l->terms + count, 1, gate, unit);
    return ball_sum(l->format, l->terms, count);
}

static Ball gate_of(const Layer *l, int gate, int64_t step, int64_t sample, int64_t unit)
{
    return ball_function(l->format, l->sigmoid, sum_of(l, gate, l->h, step, sample, unit), true);
}

static Ball tanh_of(const Layer *l, Ball x)
{
    return ball_function(l->format, l->tanh, x, true);
}

static Ball step_rnn(Layer *l, int64_t step, int64_t sample, int64_t unit)
{
    return tanh_of(l, sum_of(l, 0, l->h, step, sample, unit));
}

static Ball step_lstm(Layer *l, int64_t step, int64_t sample, int64_t unit)
{
    enum { INPUT, OUTPUT, FORGET, CELL };
    const Format *f = l->format;
    Ball *c = &l->c[sample * l->q->m + unit];
    Ball new = tanh_of(l, sum_of(l, CELL, l->h, step, sample, unit));
    *c = ball_add(f, ball_multiply(f, gate_of(l, FORGET, step, sample, unit), *c),
                  ball_multiply(f, gate_of(l, INPUT, step, sample, unit), new));
    return ball_multiply(f, gate_of(l, OUTPUT, step, sample, unit), tanh_of(l, *c));
}

/* The reset gate multiplies the state, or the product of the state with its bias. */
static Ball candidate(const Layer *l, int64_t step, int64_t sample, int64_t unit)
{
    enum { NEW = 2 };
    const Ball *reset = &l->reset[sample * l->q->m];
    if (!l->q->late_reset)
        return sum_of(l, NEW, l->next, step, sample, unit);
    size_t count = put_state(l, l->terms, NEW, l->h, sample, unit);
    count += put_bias(l, l->terms + count, 1, NEW, unit);
    Ball product = ball_multiply(l->format, reset[unit], ball_sum(l->format, l->terms, count));
    count = put_inputs(l, l->terms, NEW, step, sample, unit);
    count += put_bias(l, l->terms + count, 0, NEW, unit);
    l->terms[count++] = product;
    return ball_sum(l->format, l->terms, count);
}

static Ball step_gru(Layer *l, int64_t step, int64_t sample, int64_t unit)
{
    const Format *f = l->format;
    Ball h = l->h[sample * l->q->m + unit], z = gate_of(l, 0, step, sample, unit);
    Ball new = tanh_of(l, candidate(l, step, sample, unit));
    Ball weighted = ball_add(f, ball_multiply(f, ball_subtract(f, ball_exact(1), z), new),
                             ball_multiply(f, z, h));
    Ball moved = ball_add(f, new, ball_multiply(f, z, ball_subtract(f, h, new)));
    return ball_either(weighted, moved);
}

/* The reset gates of all units, and the state times them in next. */
static void reset_all(Layer *l, int64_t step)
{
    enum { RESET = 1 };
    for (int64_t i = 0; i < l->q->batch * l->q->m; i++) {
        l->reset[i] = gate_of(l, RESET, step, i / l->q->m, i % l->q->m);
        l->next[i] = ball_multiply(l->format, l->reset[i], l->h[i]);
    }
}

static void take_step(Layer *l, int64_t step, Ball *result)
{
    const Nn *q = l->q;
    bool gru = l->row->gates == 3;
    if (gru)
        reset_all(l, step);
    for (int64_t i = 0; i < q->batch * q->m; i++)
        result[i] = (gru                ? step_gru
                     : l->row->has_cell ? step_lstm
                                        : step_rnn)(l, step, i / q->m, i % q->m);
}

static void run_direction(Ref *refs, Layer *l, Ball *result)
{
    const Nn *q = l->q;
    int64_t count = q->batch * q->m, directions_of_case = direction_count(q);
    bool backwards = q->mode == REVERSE || l->direction == 1;
    for (int64_t i = 0; i < count; i++) {
        l->h[i] = input(l, H0, l->direction * count + i);
        if (l->row->has_cell)
            l->c[i] = input(l, C0, l->direction * count + i);
    }
    for (int64_t k = 0; k < q->k; k++) {
        int64_t step = backwards ? q->k - 1 - k : k;
        take_step(l, step, result);
        for (int64_t i = 0; i < count; i++) {
            l->h[i] = result[i];
            ref_put_ball(&refs[place(l->row, Y)],
                         (size_t)((step * directions_of_case + l->direction) * count + i), l->h[i]);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        ref_put_ball(&refs[place(l->row, H)], (size_t)(l->direction * count + i), l->h[i]);
        if (l->row->has_cell)
            ref_put_ball(&refs[C], (size_t)(l->direction * count + i), l->c[i]);
    }
}

static void reference(Ref *refs, const ReferenceInput *in, Arena *arena)
{
    const Nn *q = in->params;
    const CellRow *row = in->op->detail;
    size_t count = (size_t)(q->batch * q->m), terms = (size_t)(q->n + q->m + 4);
    for (int i = place(row, Y); i <= (row->has_cell ? C : place(row, H)); i++)
        ref_allocate_bounded(&refs[i], in->tensors[i].dtype, &in->tensors[i], arena);
    Ball *balls = arena_take(arena, 5 * count + terms, sizeof *balls);
    Layer l = {q,
               row,
               in->tensors,
               dtype_format(refs[place(row, Y)].accumulator),
               function_named("sigmoid"),
               function_named("tanh"),
               0,
               balls,
               balls + count,
               balls + 2 * count,
               balls + 5 * count,
               balls + 3 * count};
    for (; l.direction < direction_count(q); l.direction++)
        run_direction(refs, &l, balls + 4 * count);
}

const OpDesc *ops_recurrent(void)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].gates == 3 ? gru_params : params,
            .tensors = rows[i].has_cell ? cell_tensors : tensors,
            .dtypes = DTYPES_REAL,
            .fills = nn_moderate_fills,
            .shape_of_row = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
