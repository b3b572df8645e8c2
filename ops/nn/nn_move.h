/* Operators that move elements and change none: a row says where each element of y comes from. */
#ifndef OPS_NN_NN_MOVE_H
#define OPS_NN_NN_MOVE_H

#include "nn.h"

enum { NN_FROM_NOWHERE = -1, NN_MOVES_MAX = 24 };

/* Each row takes some of these. */
typedef struct Move {
    int64_t dtype;
    Shape shape; /* of x, but of y for expand */
    int64_t axis, reverse, rotate, start, step, shifts, repeats, broadcast_x;
    int64_t pads_begin, pads_end, mode, diagonal;
    int64_t batch, channels, block_size; /* of blocks of pixels, as is size */
    Shape size;
} Move;

/* The element of x, by its row-major number, that the element of y at these indices is. */
typedef int64_t MoveSource(const Move *q, const Tensor *x, const int64_t *index);

typedef struct MoveRow {
    const char *name, *summary;
    int version;
    const Param *params;
    void (*normalise)(void *params);
    Shape (*result)(const Move *q);
    MoveSource *source;
    double (*work)(const void *params);
} MoveRow;

extern const MoveRow nn_moves[]; /* ended by a NULL name */

/* x and y. */
void nn_move_shape(const MoveRow *row, const void *params, Shapes *shapes);

/* Number of the element of x that element `number` of y is; NN_FROM_NOWHERE for a constant 0. */
int64_t nn_move_source(const MoveRow *row, const Move *q, const Tensor *x, const Tensor *y,
                       int64_t number);

#endif
