/* Builds, restores and checks the operands of a case. */
#include "operands.h"

#include <string.h>

enum { SLOT_BYTES = 48 << 20 };
static const size_t arena_bytes = (size_t)4 << 30;

bool workspace_init(Workspace *workspace)
{
    *workspace = (Workspace){0};
    bool ok = arena_init(&workspace->arena, arena_bytes);
    for (int i = 0; ok && i < OP_TENSORS_MAX; i++)
        ok = guard_init(&workspace->slot[i], SLOT_BYTES);
    if (!ok)
        workspace_release(workspace);
    return ok;
}

void workspace_release(Workspace *workspace)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        guard_release(&workspace->slot[i]);
    arena_release(&workspace->arena);
}

static void build_operand(Operands *o, Workspace *workspace, int i)
{
    const TensorSpec *spec = &o->shapes.tensor[i];
    const Exec *exec = &o->source->exec;
    size_t size = dtype_size(spec->layout.dtype);
    size_t bytes = (size_t)tensor_span(&spec->layout) * size;
    bool narrow = dtype_component_size(spec->layout.dtype) == 4;
    o->block[i] = guard_place(&workspace->slot[i], bytes, exec->guard ? GUARD_START : GUARD_END,
                              (size_t)exec->align * size, narrow ? GUARD_WIDTH_4 : GUARD_WIDTH_8);
    o->view[i] = spec->layout;
    o->view[i].origin = o->block[i].data + (size_t)tensor_origin_offset(&spec->layout) * size;
    if (!spec->ignored) {
        const Fill *fill = &o->source->fill[i];
        bool signs = spec->part == PART_LEFT && fill_is_exchangeable(fill);
        fill_write(
            fill, &(FillTarget){o->view[i], spec->part, spec->contraction, o->shapes.depth, signs});
    }
    o->pristine[i] = arena_take(&workspace->arena, bytes + 1, 1);
    memcpy(o->pristine[i], o->block[i].data, bytes);
}

void operands_build(Operands *o, Workspace *workspace, const Case *source)
{
    arena_reset(&workspace->arena);
    *o = (Operands){.source = source};
    source->op->shape(source->params, &o->shapes);
    for (int i = 0; i < o->shapes.count; i++)
        build_operand(o, workspace, i);
}

void operands_reference(const Operands *o, Ref *ref, Arena *arena)
{
    bool exchangeable = true;
    for (int i = 0; i < o->shapes.count; i++)
        if (!o->shapes.tensor[i].ignored && o->shapes.tensor[i].part != PART_ADDEND)
            exchangeable = exchangeable && fill_is_exchangeable(&o->source->fill[i]);
    o->source->op->reference(
        ref, &(ReferenceInput){o->source->params, o->view, exchangeable, exchangeable}, arena);
}

void operands_restore(Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++) {
        guard_renew(&o->block[i]);
        memcpy(o->block[i].data, o->pristine[i], o->block[i].bytes);
    }
}

const char *breach_text(Breach breach)
{
    static const char *const texts[] = {"", "modifies an input", "writes outside the elements"};
    return texts[breach];
}

typedef struct Overlay {
    unsigned char *copy;
    const unsigned char *block;
    size_t size;
} Overlay;

static void overlay_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Overlay *overlay = context;
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        const unsigned char *element =
            (const unsigned char *)at + i * stride * (int64_t)overlay->size;
        memcpy(overlay->copy + (element - overlay->block), element, overlay->size);
    }
}

/* True when only elements of the output changed: its pristine copy, overlaid with the elements as
 * they are now, equals the block. */
static bool gaps_intact(const Operands *o, Arena *arena, int i)
{
    const GuardBlock *block = &o->block[i];
    size_t size = dtype_size(o->view[i].dtype);
    if (block->bytes == (size_t)tensor_count(&o->view[i]) * size)
        return true;
    Overlay overlay = {arena_take(arena, block->bytes + 1, 1), block->data, size};
    memcpy(overlay.copy, o->pristine[i], block->bytes);
    tensor_visit_runs(&o->view[i], overlay_run, &overlay);
    return memcmp(overlay.copy, block->data, block->bytes) == 0;
}

Breach operands_breach(const Operands *o, Arena *arena, int *which)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const GuardBlock *block = &o->block[i];
        *which = i;
        if (!guard_margins_intact(block))
            return BREACH_OUTSIDE;
        if (o->shapes.tensor[i].role == ROLE_IN) {
            if (memcmp(block->data, o->pristine[i], block->bytes) != 0)
                return BREACH_INPUT;
        } else if (!gaps_intact(o, arena, i)) {
            return BREACH_OUTSIDE;
        }
    }
    return BREACH_NONE;
}

int operands_output_index(const Operands *o)
{
    return o->shapes.count - 1;
}

typedef struct Reader {
    double *got;
    uint8_t *canary;
    DType dtype;
    bool may_hold_canary;
} Reader;

static void read_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Reader *reader = context;
    int64_t components = dtype_components(reader->dtype);
    size_t size = dtype_component_size(reader->dtype);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t part = 0; part < components; part++) {
            int64_t to = (first + i) * components + part, from = i * stride * components + part;
            reader->got[to] = dtype_load(reader->dtype, at, from);
            reader->canary[to] = reader->may_hold_canary &&
                                 guard_is_pattern((const unsigned char *)at + from * (int64_t)size,
                                                  size, size == 4 ? GUARD_WIDTH_4 : GUARD_WIDTH_8);
        }
    }
}

void operands_output(const Operands *o, double *got, uint8_t *canary)
{
    int i = operands_output_index(o);
    Reader reader = {got, canary, o->view[i].dtype,
                     o->shapes.tensor[i].ignored || o->shapes.tensor[i].role == ROLE_OUT};
    tensor_visit_runs(&o->view[i], read_run, &reader);
}
