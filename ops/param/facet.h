/* Classes of the values of parameters, as signatures name them. */
#ifndef OPS_FACET_H
#define OPS_FACET_H

#include "param.h"

/* What param_facet says of a scalar that is not at its simplest: nan, inf, complex, 0, 1, -1 or
 * other. */
const char *facet_of_scalar(const Param *param, const void *values);

#endif
