/* The operators that oneDNN has as primitives, one row each. */
#ifndef OPS_BACKEND_ONEDNN_BINDINGS_H
#define OPS_BACKEND_ONEDNN_BINDINGS_H

#include "ops/backend/row.h"

/* A row is the call of version 3 that describes the primitive,
 *
 *     dnnl_NAME_primitive_desc_create(&descriptor, engine, WORDS, attributes)
 *
 * without those arguments that all have.  Words are
 *
 * - src=x: the operand x, which the primitive takes or gives as DNNL_ARG_SRC; NULL in the call
 * where the case leaves it out.  aligned(x) has leading axes of 1 up to the rank of the result,
 *   transposed(w) is the transpose, by_groups(w) has an axis of groups in front, from_inputs(w) has
 *   that and the inputs of a group in front of its outputs, kept(y) has an extent of 1 for reduced
 *   axes; statistics(x), without the last axis, is described and never taken.
 * - [dst=y]: a word that version 2 does not take; the operand is taken all the same.
 * - eltwise_relu: an algorithm by its name, whose number differs between versions.
 * - epsilon, 6, 1/6: a real parameter of the operator, or a number.
 * - axis: an integral parameter of the operator; size:int64: as an argument of 64 bits.
 * - strides, kernel, dilates, padding_l, padding_r: the operator's window, by axis.
 * - forward_inference, scale|shift and the like: numbers of the interface; NULL.
 *
 * Clauses behind the call:
 *
 * - with: operands that the primitive takes and the call does not describe.
 * - then: an algorithm that runs on the results, as the activation does that the case names.
 * - version: the only version that the row is for.
 * - of integers: the row is for integers alone.
 * - requires: conditions without which the case is declined.
 *
 * Of the rows of an operator the first is taken whose conditions hold.  NULL if there is none, with
 * the reason that the last one gave in *why. */
const BindingRow *dnnl_row(const Operands *operands, int version, Text *why);
/* The rows by numbers from 0 on; NULL behind the last one. */
const BindingRow *dnnl_row_number(int number);
/* True when there is a row for the operator in an element type. */
bool dnnl_has_row(const OpDesc *op, DType dtype);
/* BackendKind.describe. */
void dnnl_describe(const char *name, const OpDesc *op, Text *text);

#endif
