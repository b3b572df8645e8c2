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

/* Offsets, which are whole numbers in the arrays. */
static inline void sort_whole(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0; k--) {
            int64_t pair[2];
            memcpy(pair, &values[k - 1], sizeof pair);
            if (pair[0] <= pair[1])
                break;
            const int64_t sorted[2] = {pair[1], pair[0]};
            memcpy(&values[k - 1], sorted, sizeof sorted);
        }
}

#endif
