/* The calls in which a planted fault shows, as text: conditions with commas between, all of which
 * must hold, or nothing for every call.  Beside those of ops/case/condition.h a call has
 *
 *     equal=m.n.k        parameters that have one value
 *     same=a.b           operands that begin at one address
 *     lead.a  address.a  the leading dimension or increment, the lowest address
 *     count.a            elements
 *     work               multiplications that the case takes
 *     calls  call        calls since the backend was opened, and on the same data, from 0
 *     has.x=nan|inf      an operand has such an element: planted_facts in when.c
 *     code=while         a program has such a statement
 *
 * which are compared as in ops/case/comparison.h: lead.a%256=0, calls=1000.. */
#ifndef OPS_BACKEND_PLANTED_WHEN_H
#define OPS_BACKEND_PLANTED_WHEN_H

#include "planted.h"

/* Whether all conditions hold for a call. */
bool when_holds(const char *when, const PlantedCall *call);
/* Whether those hold that follow from the case alone: false means that no call of it meets all. */
bool when_may_hold(const char *when, const Case *c);
/* True when the calls before a call decide as well. */
bool when_counts_calls(const char *when);
/* True when the conditions can be asked of an operator; else false with one sentence in *error. */
MUST_USE bool when_fits(const char *when, const OpDesc *op, Text *error);

#endif
