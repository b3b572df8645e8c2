/* Tags of the names of parameters. */
#ifndef OPS_CASE_TAGS_H
#define OPS_CASE_TAGS_H

#include "case.h"

/* Of all parameters of a case's groups, one after the other: name_tag of each, which is the same in
 * each case of an operator. */
const uint16_t *case_tags(const OpDesc *op, const ParamGroup *groups, int group_count);

#endif
