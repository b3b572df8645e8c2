/* Parameters whose drawn values a normaliser changes, and why: a text or a rule that makes them
 * illegal arguments (ops/case/illegal.h), or that no text says what holds.  A test draws all
 * operators, and fails where a change has no row here, or a row no change. */
#ifndef OPS_CONTRACT_ADJUSTMENT_H
#define OPS_CONTRACT_ADJUSTMENT_H

#include "ops/op.h"

/* Names of parameters, and patterns of op_matches, with spaces between them. */
typedef struct Adjustment {
    const char *parameters, *operators, *why;
} Adjustment;

extern const Adjustment contract_adjustments[]; /* ended by NULL parameters */

/* True where the row is of this parameter of the operator. */
bool adjustment_is_of(const Adjustment *row, const OpDesc *op, const char *parameter);

/* How often of `draws` drawn cases the normaliser of an operator changes each parameter but the
 * element type and programs. */
void adjustment_count(const OpDesc *op, int draws, int counts[OP_PARAMS_MAX]);

#endif
