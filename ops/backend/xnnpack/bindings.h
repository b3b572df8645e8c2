/* The operators that XNNPACK has, one row each. */
#ifndef OPS_BACKEND_XNNPACK_BINDINGS_H
#define OPS_BACKEND_XNNPACK_BINDINGS_H

#include "ops/backend/row.h"

/* A row is the two calls that make an operator,
 *
 *     xnn_create_NAME(WORDS, flags, &operator)
 *     xnn_setup_NAME(operator, WORDS, threads)
 *
 * without those arguments that all have.  Words are
 *
 * - x: a buffer with the operand x, dense; NULL where the case leaves it out.  channels_last(x) has
 *   the second axis innermost, transposed(w) is the transpose, from_inputs(w) has an axis of groups
 *   in front and the inputs of a group innermost.
 * - channels: of the first operand, which are its second axis in images and its last one elsewhere;
 *   rows: the number of its elements by channels.
 * - inputs, outputs, group_inputs, group_outputs, groups: channels of a product or convolution.
 * - padding: top, right, bottom, left; kernel, stride, dilation, output_padding: height, width.
 * - batch: samples; image, result_image: height and width of the first operand or of the second;
 *   pixels: their product.
 * - shape(a): the number of axes, and their extents.
 * - limits: between which the activation that the case names leaves results.
 * - scale, 6, -inf: a real parameter of the operator, or a number.
 * - int8(0), uint8(zero_point): a byte, from a number or an integral parameter.
 * - NULL.
 *
 * Clauses behind the call:
 *
 * - setup: the words of the second call.
 * - of: the element type of the case; binary32 where it is not said.
 * - flags: a number; 0 where it is not said.
 * - requires: conditions without which the case is declined.
 *
 * Of the rows of an operator and element type the first is taken whose conditions hold.  NULL if
 * there is none, with the reason that the last one gave in *why. */
const BindingRow *xnnpack_row(const Operands *operands, Text *why);
/* True when there is a row for the operator in an element type. */
bool xnnpack_knows(const OpDesc *op, DType dtype);
/* BackendKind.describe. */
void xnnpack_describe(const char *name, const OpDesc *op, Text *text);

#endif
