/* The line of benchdnn, the library's own test program, that asks for a plan's primitive. */
#ifndef OPS_BACKEND_ONEDNN_EMIT_BENCHDNN_H
#define OPS_BACKEND_ONEDNN_EMIT_BENCHDNN_H

#include "plan.h"

/* Appends "--eltwise --dir=FWD_I ..."; otherwise the reason why there is no such line.  Benchdnn
 * fills operands itself, so that a case that needs its own numbers has none. */
const char *dnnl_put_benchdnn(const DnnlPlan *plan, const Operands *operands, Text *line);

#endif
