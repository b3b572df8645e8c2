/* Hashes of names are made once for each operator. */
#include "tags.h"

const uint16_t *case_tags(const OpDesc *op, const ParamGroup *groups, int group_count)
{
    static uint16_t *known[OP_MAX];
    size_t count = 0, number = op_number(op);
    uint16_t *tags = known[number];
    if (tags)
        return tags;
    tags = known[number] = memory_allocate(CASE_GROUPS_MAX * OP_PARAMS_MAX, sizeof *tags);
    for (int g = 0; g < group_count; g++)
        for (const Param *param = groups[g].params; param->name; param++)
            tags[count++] = name_tag(groups[g].name, param->name);
    return tags;
}
