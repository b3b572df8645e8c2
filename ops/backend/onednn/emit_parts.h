/* What C and C++ source of a plan share. */
#ifndef OPS_BACKEND_ONEDNN_EMIT_PARTS_H
#define OPS_BACKEND_ONEDNN_EMIT_PARTS_H

#include "plan.h"

enum { DNNL_WORD_BYTES = 96 };

/* An element type behind dnnl_ or memory::data_type::. */
const char *dnnl_type_name(int type);
/* True when the elements lie in the order of the axes, without gaps. */
bool dnnl_is_dense(const DnnlMemory *memory);
/* The operand's name; with a number for what is described once more. */
void dnnl_spell_memory(const DnnlPlan *plan, const Operands *operands, int number,
                       char name[DNNL_WORD_BYTES]);
/* True when the primitive computes gradients. */
bool dnnl_is_backward(const DnnlPlan *plan);

#endif
