/* Operators of plug-ins: a description of opconform.h becomes one of ops/op.h. */
#ifndef OPS_PLUGIN_OPERATOR_H
#define OPS_PLUGIN_OPERATOR_H

#include "call.h"

/* OpDesc.detail of such an operator. */
typedef struct PluginOperator {
    OpDesc op;
    const opconform_operator *given;
    const opconform_operand_row *rows[OP_TENSORS_MAX];
    const opconform_param *param_rows[OP_PARAMS_MAX + 2]; /* beside params */
    const char *names[OP_TENSORS_MAX + 1];
    Param params[OP_PARAMS_MAX + 2];
    const opconform_relation *relations[16]; /* ended by NULL */
} PluginOperator;

/* Makes an operator of a family; NULL with one sentence in *error.  It stays for good.  plugin has
 * the sizes of the rows. */
PluginOperator *plugin_operator_make(const opconform_plugin *plugin,
                                     const opconform_operator *given, Text *error);

/* A row of a plug-in's table, of its size, with what later versions of the header add set to 0. */
const void *plugin_whole_row(const void *row, int size, size_t own_size);

/* The relations of an operator's own, ended by NULL; none for operators that are no plug-in's. */
const opconform_relation *const *plugin_relations(const OpDesc *op);

/* The elements of an output that the last reference of this call did not put. */
int64_t plugin_missing(const opconform_call *call, int output);

/* Runs the reference of a plug-in's operator as a call that is kept. */
void plugin_refer(opconform_call *call, Ref *refs, const ReferenceInput *input, Arena *arena);

#endif
