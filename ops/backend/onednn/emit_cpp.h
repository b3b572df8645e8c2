/* Calls of primitives as C++ source. */
#ifndef OPS_BACKEND_ONEDNN_EMIT_CPP_H
#define OPS_BACKEND_ONEDNN_EMIT_CPP_H

#include "plan.h"

/* Gives the call the statements that make and run the plan with dnnl.hpp. */
void dnnl_put_cpp(const DnnlPlan *plan, const Operands *operands, BriefCall *call);

#endif
