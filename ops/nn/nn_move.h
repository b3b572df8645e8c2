/* Operators that move elements and change none: a row says where each element of y comes from. */
#ifndef OPS_NN_NN_MOVE_H
#define OPS_NN_NN_MOVE_H

#include "nn.h"

enum { NN_FROM_NOWHERE = -1, NN_MOVES_MAX = 64 };

/* Each row takes some of these. */
typedef struct Move {
    int64_t dtype;
    Shape shape; /* of x, but of y for expand */
    int64_t axis, reverse, rotate, start, step, shifts, repeats, broadcast_x;
    int64_t pads_begin, pads_end, mode, diagonal;
    int64_t batch, channels, block_size; /* of blocks of pixels, as is size */
    Shape size;
    int64_t axis2, offset, index, parts, groups, k, window;
    /* Of as_strided: extents, distances of elements and the first one. Of windows: like those of
     * convolutions. */
    Shape view_size, view_stride, kernel_size, dilation, padding, stride;
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
    double (*work)(const void *params); /* NULL: by the elements of x and y */
    bool forward_only;                  /* nothing differentiates it */
    bool fills;                         /* what comes from nowhere is 0 */
} MoveRow;

/* Those that have an extent of x to themselves, and those that give its elements other extents;
 * each ended by a NULL name. */
extern const MoveRow nn_moves[], nn_views[];

/* The row-major number of the element of a tensor at these indices. */
int64_t nn_number_at(const Tensor *x, const int64_t *index);
/* The same, with another index along one axis. */
int64_t nn_number_beside(const Tensor *x, const int64_t *index, int64_t axis, int64_t at);
/* The remainder of a division by an extent, 0 or more; 0 where there are no elements. */
int64_t nn_modulo(int64_t value, int64_t extent);
/* x as it is. */
Shape nn_move_same(const Move *q);

/* The description of an operator by its row. */
OpDesc nn_describe_move(const MoveRow *row);
double nn_move_work(const OpDesc *op, const void *params);

/* x and y. */
void nn_move_shape(const MoveRow *row, const void *params, Shapes *shapes);

/* Number of the element of x that element `number` of y is; NN_FROM_NOWHERE for a constant 0. */
int64_t nn_move_source(const MoveRow *row, const Move *q, const Tensor *x, const Tensor *y,
                       int64_t number);

#endif
