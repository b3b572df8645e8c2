/* The memory is compared as a whole, once its elements are as they were before. */
#include "brief_outside.h"

#include <stdlib.h>

#include "ops/backend/c_source.h"

enum { ROOM = 16, LISTED_MAX = 64 }; /* components */

static long long components(const Operands *o, int operand)
{
    return (long long)(o->block[operand].bytes / dtype_component_size(o->view[operand].dtype));
}

/* Components before the first one: the room, and what the case moves operands by. */
static long long begin(const Operands *o, int operand)
{
    return ROOM + (long long)o->source->exec.align * dtype_components(o->view[operand].dtype);
}

bool brief_can_surround(const Operands *o, int operand)
{
    const Tensor *view = &o->view[operand];
    return o->shared[operand] < 0 &&
           tensor_count(view) * dtype_components(view->dtype) <= LISTED_MAX;
}

/* What a kernel writes beside elements is often 0, or NaN of what lies there. */
enum { SELDOM = 77 };

bool brief_is_unread(const Operands *o, int operand)
{
    return o->shapes.tensor[operand].role == ROLE_OUT;
}

void brief_put_surrounded(Text *source, const Operands *o, int operand, bool cpp)
{
    const char *name = o->source->op->tensors[operand];
    long long all = components(o, operand) + 2 * begin(o, operand);
    if (brief_is_unread(o, operand)) {
        text_printf(source,
                    "    %s(64) %s %s_room[%lld], before[%lld], *%s = %s_room + %lld;\n"
                    "    for (int i = 0; i < %lld; i++)\n        %s_room[i] = before[i] = %d;\n",
                    cpp ? "alignas" : "_Alignas", c_number_type(o->view[operand].dtype), name, all,
                    all, name, name, begin(o, operand), all, name, SELDOM);
        return;
    }
    text_printf(source,
                "    %s(64) %s %s_room[%lld] = {0}, before[%lld], *%s = %s_room + %lld;\n"
                "    memcpy(%s, %s_data, sizeof %s_data);\n"
                "    memcpy(before, %s_room, sizeof before);\n",
                cpp ? "alignas" : "_Alignas", c_number_type(o->view[operand].dtype), name, all, all,
                name, name, begin(o, operand), name, name, name, name);
}

static void put_places(Text *source, const Operands *o, int operand)
{
    const Tensor *view = &o->view[operand];
    long long count = components(o, operand), parts = dtype_components(view->dtype), listed = 0;
    uint8_t *covered = memory_allocate((size_t)(count / parts) + 1, sizeof *covered);
    tensor_mark(view, o->block[operand].data, covered);
    text_put(source, "    static const int elements[] = {");
    for (long long i = 0; i < count; i++)
        if (covered[i / parts])
            text_printf(source, "%s%lld", listed++ ? ", " : "", i);
    text_printf(source, "};\n    for (int i = 0; i < %lld; i++)\n", listed);
    free(covered);
}

void brief_put_surroundings_check(Text *source, const Operands *o, int operand)
{
    const char *name = o->source->op->tensors[operand];
    put_places(source, o, operand);
    text_printf(source,
                "        %s[elements[i]] = before[%lld + elements[i]];\n"
                "    int outside = memcmp(%s_room, before, sizeof before) != 0;\n"
                "    printf(\"memory outside the elements of %s is %%s\\n\", outside ? \"changed\" "
                ": \"as before\");\n    return outside;\n",
                name, begin(o, operand), name, name);
}
