/* The request to a worker in Python: lines of text that follow from a case and the bindings of its
 * library.
 *
 *   rows conv2d                      the operator
 *   operands x w bias y              all of them, in the order of the request
 *   call F.conv2d(x, w, bias, stride)
 *   with stride=(1, 1)               the attributes in the call, as literals
 *   form named                       only where it is written otherwise than in the row
 *   illegal                          and only where it is written in a way that must be refused
 *   gradient x w bias                only where the call is differentiated: the inputs of it
 *   plain                            only where a mode is asked without its compiler
 *   stray                            a number or an operand may have any value or shape
 *   pointwise                        and each element of its result needs its own place only
 *
 * A chain has step a=0, b=2 before each call: the values that the operands are, inputs first.
 * calls.py reads it. */
#ifndef OPS_BACKEND_PROCESS_REQUEST_H
#define OPS_BACKEND_PROCESS_REQUEST_H

#include "ops/backend/binding/binding.h"
#include "ops/case/illegal.h"
#include "ops/case/operands.h"
#include "protocol.h"

/* Appends the text; the case up to its fills and the names of its operands where bindings is NULL,
 * and for programs, which have no call: their source is in it.  False with the reason in *why where
 * the library is not asked. illegal: what is spoilt, or NULL. */
bool request_put(const Bindings *bindings, const Case *c, const Illegal *illegal, Text *text,
                 Text *why);

/* Whether the call of a case may have the form that is asked for, as far as its row and the types
 * of its operands say; else the reason in *why.  A worker declines what has none all the same. */
bool request_may_have_form(const Bindings *bindings, const Operands *operands, Text *why);

/* The same as request_put into a request; false where it is too long, too.  words is room that is
 * filled anew: one that grew for each request would take longer than the words. */
bool request_fill(Request *request, Text *words, const Bindings *bindings, const Case *c,
                  const Illegal *illegal, Text *why);

/* The kind of the case's illegal argument, NULL where the library is given none. */
const char *request_illegal(const Bindings *bindings, const Operands *operands);

/* Gives an operand the shape that it has where it is spoilt. */
void request_reshape(const Illegal *illegal, RequestTensor *tensor);

/* Has the call made without the compiler of its mode. */
void request_put_plain(Request *request);

/* Element types in which some row has the operator, or the one that it is the gradient of. */
uint32_t request_dtypes(const Bindings *bindings, const OpDesc *op);

#endif
