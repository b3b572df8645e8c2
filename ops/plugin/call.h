/* What plug-ins are given: a call of one of their functions, and how they end it where they ask for
 * what there is not. */
#ifndef OPS_PLUGIN_CALL_H
#define OPS_PLUGIN_CALL_H

#define OPCONFORM_LONG_NAMES
#include <setjmp.h>

#include "include/opconform.h"
#include "ops/op.h"

/* An operand as the host sees it. */
typedef struct PluginTensor {
    opconform_call *call;
    Tensor view;
    Ref *ref;       /* of outputs of a reference; else NULL */
    uint8_t *given; /* by element: whether the reference put it */
} PluginTensor;

struct opconform_call {
    const OpDesc *op;
    const void *params;
    int count;
    opconform_tensor tensors[OP_TENSORS_MAX];
    PluginTensor hosts[OP_TENSORS_MAX];
    Arena *arena;
};

/* A call of the operator on these views, whose outputs are those of refs, where that is not NULL.
 */
void plugin_call_begin(opconform_call *call, const OpDesc *op, const void *params,
                       const Tensor *views, Ref *refs, Arena *arena);
/* Gives the operands values in binary64: inputs hold their elements, outputs 0. */
void plugin_call_widen(opconform_call *call);

/* Functions of a plug-in run under a guard: what it asks wrongly ends them with a sentence in
 * *error and makes plugin_run false.  Without one such a thing ends the program. */
MUST_USE bool plugin_run(void (*function)(void *context), void *context, Text *error);
_Noreturn void plugin_fail(const char *format, ...) PRINTF_LIKE(1, 2);

/* The arithmetic of Wide numbers until it is set again. */
void plugin_set_format(const Format *format);

#endif
