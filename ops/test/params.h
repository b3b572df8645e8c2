/* Parameters of cases by name, for tests. */
#ifndef OPS_TEST_PARAMS_H
#define OPS_TEST_PARAMS_H

#include "ops/case/case.h"

/* Sets a parameter where the operator has it. */
static inline void put(Case *c, const char *name, int64_t value)
{
    if (case_has(c, name))
        *param_integer(case_param(c, name), c->params) = value;
}

/* Gives a case the parameters of another one that have the same names. */
static inline void copy_params(Case *to, const Case *from)
{
    for (const Param *param = to->op->params; param->name; param++)
        if (case_has(from, param->name))
            param_move(param, to->params, case_param(from, param->name), from->params);
}

#endif
