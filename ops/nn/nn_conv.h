/* Convolutions as products, so that large results are checked by sums (reference/checksum.h). */
#ifndef OPS_NN_NN_CONV_H
#define OPS_NN_NN_CONV_H

#include "nn_spatial.h"

/* One equation for each sample and group: patches times weights, plus the bias; a row for each
 * place of the result, a column for each of its channels.  conjugate_x must not be set. */
void nn_conv_equations(ProductBlocks *blocks, const ConvInput *input, Arena *arena);

/* OpDesc.enlarge of operators with the parameters of Conv. */
void nn_conv_enlarge(void *params, Choices *choices);

#endif
