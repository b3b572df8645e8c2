/* Relations of an operator's own (opconform_relation): the inputs of a second call, and whether
 * what came of both fits together. */
#ifndef OPS_PLUGIN_RELATION_H
#define OPS_PLUGIN_RELATION_H

#include "operator.h"
#include "ops/case/operands.h"

/* The words in front of the name of a relation that does not hold. */
#define RELATION_BROKEN "does not satisfy the relation "

/* Both calls; what the inputs were, and where the relation fails. */
typedef struct PluginRelated {
    const opconform_relation *relation;
    opconform_call first, second;
    unsigned char *kept[OP_TENSORS_MAX];
    int output;
    size_t element;
    double expected;
} PluginRelated;

/* Puts the inputs of the second call in place of those of the first, whose outputs are in got.
 * False where the operands lie so that they cannot be changed one by one. */
MUST_USE bool plugin_relation_begin(PluginRelated *related, const opconform_relation *relation,
                                    Operands *operands, double *const *got, Arena *arena);
/* Whether the outputs of the second call follow from those of the first. */
bool plugin_relation_holds(PluginRelated *related, double *const *got);
/* Puts the first inputs back. */
void plugin_relation_end(PluginRelated *related, Operands *operands);

#endif
