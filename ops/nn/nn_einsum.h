/* The labels of einsum. */
#ifndef OPS_NN_NN_EINSUM_H
#define OPS_NN_NN_EINSUM_H

#include "nn.h"

/* Labels are bits, the first one bit 0; rotations are places. */
typedef struct Einsum {
    int64_t dtype;
    Shape label_extents;
    int64_t labels_a, labels_b, labels_y, rotate_a, rotate_b, rotate_y;
    int64_t diagonal_label; /* from 1; 0: none */
} Einsum;

/* The labels of the axes of operand a, b or y (0 to 2); their number is returned. */
int einsum_labels(const Einsum *q, int operand, int labels[TENSOR_RANK_MAX + 1]);

#endif
