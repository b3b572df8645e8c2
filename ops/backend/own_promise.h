/* What users say of the arithmetic of their own functions, as words of a backend's mode. */
#ifndef OPS_BACKEND_OWN_PROMISE_H
#define OPS_BACKEND_OWN_PROMISE_H

#include "backend.h"

/* Sets the promise of a backend by its mode: flush, faithful, absolute, unordered and narrow, with
 * + between them; without one IEEE arithmetic in any order.  False with one sentence in *error. */
MUST_USE bool own_promise_read(Backend *backend, Text *error);

#endif
