/* One value that is admitted for each component. */
#include "right.h"

#include <stdlib.h>
#include <string.h>

#include "ops/backend/c_source.h"

/* A copy of the memory of an output. */
typedef struct Memory {
    unsigned char *data;
    const char *original;
    const Ref *ref;
} Memory;

/* Of integers of 64 bits what binary64 does not hold as well. */
static void store_right(const Ref *ref, size_t component, void *memory, int64_t index)
{
    double high = ref_result(ref, component);
    bool is_wide = dtype_is_integer(ref->dtype) && dtype_size(ref->dtype) == sizeof(uint64_t) &&
                   ref->match[component] == MATCH_VALUE;
    uint64_t whole = is_wide ? dtype_bits_of(high) + dtype_bits_of(ref->low[component]) : 0;
    if (is_wide)
        memcpy((char *)memory + index * (int64_t)sizeof whole, &whole, sizeof whole);
    else
        dtype_store(ref->dtype, memory, index, high);
}

static void visit_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Memory *m = context;
    int64_t components = dtype_components(m->ref->dtype);
    unsigned char *run = m->data + (at - m->original);
    for (int64_t i = 0; i < count; i++)
        for (int64_t part = 0; part < components; part++)
            store_right(m->ref, (size_t)((first + i) * components + part), run,
                        i * stride * components + part);
}

static void put_output(Text *source, const Operands *o, const Ref *ref, int i)
{
    size_t bytes = o->block[i].bytes, size = dtype_component_size(ref->dtype);
    const char *name = o->source->op->tensors[i];
    Memory memory = {memory_allocate(bytes + 1, 1), (const char *)o->block[i].data, ref};
    memcpy(memory.data, o->block[i].data, bytes);
    tensor_visit_runs(&o->view[i], visit_run, &memory);
    text_printf(source, "    {\n        static const %s right[] = {", c_number_type(ref->dtype));
    for (size_t at = 0; at < bytes / size; at++) {
        c_put_number(source, ref->dtype, dtype_load(ref->dtype, memory.data, (int64_t)at));
        text_put(source, ",\n");
    }
    text_printf(source, "0};\n        memcpy(%s, right, %zu);\n    }\n", name, bytes);
    free(memory.data);
}

void right_put_outputs(Text *source, const Operands *o, const Ref *refs)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i) && refs[i].count > 0)
            put_output(source, o, &refs[i], i);
}

static double component_of(const Ref *ref, size_t component, unsigned char memory[16])
{
    store_right(ref, component, memory, 0);
    return dtype_load(ref->dtype, memory, 0);
}

void right_put_component(Text *source, const Ref *ref, size_t component)
{
    unsigned char memory[16];
    c_put_number(source, ref->dtype, component_of(ref, component, memory));
}

void right_put_bytes(Text *text, const Ref *ref)
{
    unsigned char memory[16];
    for (size_t i = 0; i < ref->count; i++) {
        (void)component_of(ref, i, memory);
        for (size_t byte = 0; byte < dtype_component_size(ref->dtype); byte++)
            text_printf(text, "%02x", memory[byte]);
    }
}
