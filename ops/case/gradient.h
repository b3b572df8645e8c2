/* Operators that are gradients of others: NAME_backward and what follows give d..., from dy and
 * inputs of NAME.  Libraries that differentiate compute them from the forward call. */
#ifndef OPS_CASE_GRADIENT_H
#define OPS_CASE_GRADIENT_H

#include "case.h"

/* The operator whose gradient this one is; NULL where it is none, and where it starts from more
 * than the inputs: from results that the forward pass saved. */
const OpDesc *gradient_forward(const OpDesc *op);

/* The forward call of a gradient's case: parameters that the gradient has not are at their
 * simplest, but for the axis, which is the last one. */
void gradient_forward_case(const Case *c, const OpDesc *forward, Case *to);

/* Appends the names of the inputs of what is differentiated, each behind a space: those of forward,
 * or where it is NULL the inputs of the gradient itself but dy, and those that it gives d... of. */
void gradient_put_inputs(const OpDesc *op, const OpDesc *forward, Text *text);

#endif
