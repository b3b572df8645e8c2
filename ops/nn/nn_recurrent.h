/* Recurrent cells and their layers, as ONNX defines them: gates of one matrix lie below each other,
 * i, o, f, c for lstm and z, r, h for gru, and the bias of the input comes before that of the
 * state.  Every step goes through balls (reference/ball.h); sums are in any order, and the sigmoid
 * and tanh inside are within their weaker bound, as rational approximations have it. */
#ifndef OPS_NN_NN_RECURRENT_H
#define OPS_NN_NN_RECURRENT_H

#include "nn.h"
#include "reference/ball.h"

/* Operands of the forward operator; lstm alone has c0 and c. */
enum { CELL_X, CELL_W, CELL_R, CELL_BIAS, CELL_H0, CELL_C0, CELL_Y, CELL_H, CELL_C, CELL_OPERANDS };
enum { CELL_FORWARD, CELL_REVERSE, CELL_BOTH };
enum { CELL_GATES_MAX = 4 };
enum { RNN_NEW };
enum { LSTM_INPUT, LSTM_OUTPUT, LSTM_FORGET, LSTM_NEW };
enum { GRU_UPDATE, GRU_RESET, GRU_NEW };

typedef struct Recurrent {
    int64_t dtype, seq_length, batch, input_size, hidden_size;
    int64_t direction, bias;
    int64_t linear_before_reset; /* of gru */
} Recurrent;

typedef struct CellRow {
    const char *name, *summary, *backward_name, *backward_summary;
    int gates;
} CellRow;

/* rnn, lstm and gru, which have 1, 4 and 3 gates. */
enum { CELL_ROWS = 3 };
extern const CellRow nn_cells[CELL_ROWS];
bool nn_cell_has_memory(const CellRow *row);
bool nn_cell_is_gru(const CellRow *row);

extern const Param nn_recurrent_params[], nn_gru_params[];
const Param *nn_cell_params(const CellRow *row);

int64_t nn_direction_count(const Recurrent *q);
/* Extents of an operand of the forward operator. */
Shape nn_cell_shape(const Recurrent *q, const CellRow *row, int operand);
double nn_recurrent_work(const void *params);

/* The values of a step, hidden_size for each sample: the gates after their functions; the state
 * before the step; the state that the weights of the candidate of gru multiply, and their product
 * with its bias; the cell state of lstm before and after the step, and tanh of the latter. */
typedef struct CellStep {
    Ball *gate[CELL_GATES_MAX], *before, *met, *product, *memory_before, *memory, *memory_tanh;
} CellStep;

/* One direction on its way; tensors are the inputs by the numbers above. */
typedef struct CellLayer {
    const Recurrent *q;
    const CellRow *row;
    const Tensor *tensors[CELL_Y];
    const Format *format;
    int64_t direction;
    Ball *h, *c, *terms; /* batch x units; terms of one sum, inputs + units + 4 */
} CellLayer;

/* A layer whose memory is the arena's, and room for one step. */
void nn_layer_begin(CellLayer *layer, Arena *arena);
CellStep nn_step_allocate(const CellLayer *layer, Arena *arena);
/* Goes to the beginning of a direction. */
void nn_layer_start(CellLayer *layer, int64_t direction);
/* The step of time that comes k-th in the direction. */
int64_t nn_layer_time(const CellLayer *layer, int64_t k);
/* Takes the step at this time: h and c are those after it. */
void nn_layer_step(CellLayer *layer, int64_t time, CellStep *step);

/* Element `number` of an input, and the row of a gate's unit in w and r. */
Ball nn_cell_input(const CellLayer *layer, int operand, int64_t number);
int64_t nn_gate_row(const CellLayer *layer, int gate, int64_t unit);

#endif
