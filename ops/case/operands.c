/* Builds, restores and checks the operands of a case. */
#include "operands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "illegal.h"
#include "oracle/symptom.h"

enum { SLOT_BYTES = 400 << 20 };
/* The reference of spr2 takes the most memory of all large cases: 492 bytes for each component, as
 * measured. */
static const size_t arena_bytes = (size_t)CASE_COMPONENTS_MAX * 512;

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

/* Read, and with values that any other operand could have as well. */
static bool is_plain(const TensorSpec *spec)
{
    return !spec->ignored && !spec->has_head && !spec->has_last && !spec->positive &&
           !spec->nonzero && !spec->probability && !spec->reflected && !spec->derived &&
           spec->index_below == 0 && spec->arrangement != ARRANGED_MAGNITUDES;
}

/* Whether the operand may hold what another one was filled with, as a norm, which has no sign, may
 * not. */
static bool takes_any(const TensorSpec *spec)
{
    return is_plain(spec) && !spec->ascending && spec->arrangement == ARRANGED_FREELY;
}

/* True when every element of `inner` is one of `outer` where both begin at the same address. */
static bool lies_within(const Tensor *inner, const Tensor *outer, Arena *arena)
{
    size_t size = dtype_size(outer->dtype), span = (size_t)tensor_span(outer), used = arena->used;
    if (inner->dtype != outer->dtype || (size_t)tensor_span(inner) > span || span == 0)
        return false;
    char *block = arena_take(arena, span, size);
    uint8_t *of_inner = arena_take_zeroed(arena, span, 1);
    uint8_t *of_outer = arena_take_zeroed(arena, span, 1);
    Tensor placed = *outer;
    placed.origin = block + (size_t)tensor_origin_offset(outer) * size;
    tensor_mark(&placed, block, of_outer);
    placed = *inner;
    placed.origin = block + (size_t)tensor_origin_offset(inner) * size;
    tensor_mark(&placed, block, of_inner);
    bool within = true;
    for (size_t i = 0; within && i < span; i++)
        within = of_inner[i] <= of_outer[i];
    arena->used = used;
    return within;
}

/* The earlier operand that exec.overlap lays operand i over, -1 if none. */
static int find_shared(const Operands *o, int i, Arena *arena)
{
    const TensorSpec *spec = &o->shapes.tensor[i];
    OverlapKind overlap = (OverlapKind)o->source->exec.overlap;
    bool inputs = overlap == OVERLAP_INPUTS && spec->role == ROLE_IN;
    bool output = overlap == OVERLAP_OUTPUT && spec->role != ROLE_IN && o->source->op->in_place;
    for (int k = 0; k < i && (inputs || output) && takes_any(spec); k++) {
        const TensorSpec *other = &o->shapes.tensor[k];
        if (other->role == ROLE_IN && is_plain(other) &&
            (tensor_same_layout(&spec->layout, &other->layout) ||
             (inputs && lies_within(&spec->layout, &other->layout, arena))))
            return k;
    }
    return -1;
}

static void store_last(const Tensor *t, double value)
{
    int64_t place = 0;
    for (int axis = 0; axis < t->rank; axis++)
        place += (t->extent[axis] - 1) * t->stride[axis];
    dtype_store(t->dtype, t->origin, place, value);
}

/* Writes the elements of operand i, whose view has its memory. */
static void write_elements(const Operands *o, int i)
{
    const TensorSpec *spec = &o->shapes.tensor[i];
    const Fill *fill = &o->source->fill[i];
    if (!spec->ignored && spec->role != ROLE_OUT) {
        bool signs = spec->part == PART_LEFT && !spec->positive && fill_is_exchangeable(fill);
        fill_write(fill, &(FillTarget){o->view[i], spec->part, spec->contraction, o->shapes.depth,
                                       signs, spec->positive, spec->probability, spec->index_below,
                                       spec->index_axis, spec->index_first});
    }
    if (spec->reflected && fill->kind != FILL_LIST)
        fill_reflect(&o->view[i], spec->least);
    if (spec->nonzero)
        fill_nonzero(&o->view[i]);
    if (spec->ascending)
        fill_sort(&o->view[i]);
    tensor_arrange(&o->view[i], spec->arrangement);
    tensor_clear_outside(&o->view[i], spec->block);
    if (spec->has_head)
        dtype_store(spec->layout.dtype, o->view[i].origin, 0, spec->head);
    if (spec->has_last)
        store_last(&o->view[i], spec->last);
}

static void build_operand(Operands *o, Workspace *workspace, int i)
{
    const TensorSpec *spec = &o->shapes.tensor[i];
    size_t size = dtype_size(spec->layout.dtype);
    int shared = o->shared[i] = find_shared(o, i, &workspace->arena);
    if (shared >= 0) {
        o->block[i] = o->block[shared];
        o->view[i].origin =
            o->block[i].writable + (size_t)tensor_origin_offset(&spec->layout) * size;
        o->pristine[i] = o->pristine[shared];
        return;
    }
    const Exec *exec = &o->source->exec;
    size_t bytes = (size_t)tensor_span(&spec->layout) * size;
    o->block[i] = guard_place(&workspace->slot[i], bytes, exec->guard ? GUARD_START : GUARD_END,
                              (size_t)exec->align * size, dtype_component_size(spec->layout.dtype));
    o->view[i].origin = o->block[i].writable + (size_t)tensor_origin_offset(&spec->layout) * size;
    write_elements(o, i);
    o->pristine[i] = arena_take(&workspace->arena, bytes + 1, 1);
    memcpy(o->pristine[i], o->block[i].data, bytes);
}

/* Strides for a dense operand by the rule of the case. */
static void lay_out(Tensor *t, LayoutKind kind)
{
    enum { SLICE_GAP = 3 };
    int order[TENSOR_RANK_MAX], count = 0;
    bool second_last = kind == LAYOUT_CHANNELS_LAST && t->rank >= 2;
    if (second_last && t->rank > 2)
        order[count++] = 1;
    for (int axis = t->rank - 1; axis >= 0; axis--)
        if (!(second_last && axis == 1 && t->rank > 2))
            order[count++] = second_last && t->rank == 2 ? 1 - axis : axis;
    int64_t stride = kind == LAYOUT_STRIDED ? 2 : 1;
    for (int i = 0; i < count; i++) {
        t->stride[order[i]] = stride;
        stride *= t->extent[order[i]] > 1 ? t->extent[order[i]] : 1;
        stride += kind == LAYOUT_SLICED && i == 0 ? SLICE_GAP : 0;
    }
}

/* An index beyond its axis, where the case asks for one. */
static void spoil_index(Operands *o)
{
    Illegal illegal;
    if (!illegal_make(o->source, &o->shapes, &illegal) || illegal.indexed < 0)
        return;
    int i = illegal.indexed;
    const Tensor *view = &o->view[i];
    dtype_store(view->dtype, view->origin, 0, (double)illegal.index);
    memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
}

/* One element along the outermost axis that has more, for inputs that may repeat themselves. */
static void expand(TensorSpec *spec)
{
    Tensor *t = &spec->layout;
    int64_t stride = 1;
    int outer = 0;
    if (spec->role != ROLE_IN || spec->index_axis || spec->ascending || spec->has_head ||
        spec->has_last || spec->arrangement)
        return;
    while (outer < t->rank - 1 && t->extent[outer] < 2)
        outer++;
    for (int axis = t->rank - 1; axis > outer; axis--) {
        t->stride[axis] = stride;
        stride *= t->extent[axis] > 1 ? t->extent[axis] : 1;
    }
    for (int axis = 0; axis <= outer && axis < t->rank; axis++)
        t->stride[axis] = 0;
}

void operands_describe(Operands *o, const Case *source)
{
    *o = (Operands){.source = source};
    op_shape(source->op, source->params, &o->shapes);
    for (int i = 0; i < o->shapes.count; i++) {
        TensorSpec *spec = &o->shapes.tensor[i];
        if (source->exec.layout == LAYOUT_EXPANDED)
            expand(spec);
        else if (source->exec.layout != LAYOUT_DENSE)
            lay_out(&spec->layout, (LayoutKind)source->exec.layout);
        o->view[i] = spec->layout;
    }
}

/* What the operator makes of other operands. */
static void derive_operands(Operands *o, Arena *arena)
{
    const OpDesc *op = o->source->op;
    size_t used = arena->used;
    if (!op->derive)
        return;
    op->derive(op, o->source->params, o->view, arena);
    arena->used = used;
    for (int i = 0; i < o->shapes.count; i++)
        if (o->shapes.tensor[i].derived)
            memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
}

static bool is_lockable(const Operands *o, int i)
{
    return o->shared[i] < 0 && !operands_may_change(o, i);
}

void operands_open(Operands *o, int i)
{
    GuardBlock *block = &o->block[i];
    block->writable = guard_writable(&o->workspace->slot[i], block);
    o->view[i].origin = (char *)o->view[i].origin + (block->writable - block->data);
}

void operands_close(Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++) {
        GuardBlock *block = &o->block[i];
        if (block->writable == block->data)
            continue;
        o->view[i].origin = (char *)o->view[i].origin + (block->data - block->writable);
        block->writable = block->data;
        if (o->shared[i] < 0 && !is_lockable(o, i))
            guard_unlock(&o->workspace->slot[i]);
    }
}

void operands_build(Operands *o, Workspace *workspace, const Case *source)
{
    arena_reset(&workspace->arena);
    operands_describe(o, source);
    o->workspace = workspace;
    for (int i = 0; i < o->shapes.count; i++)
        build_operand(o, workspace, i);
    derive_operands(o, &workspace->arena);
    if (source->exec.illegal)
        spoil_index(o);
    operands_close(o);
}

void operands_place(Operands *o, int i, void *memory)
{
    Tensor *view = &o->view[i];
    size_t size = dtype_size(view->dtype);
    o->block[i] =
        (GuardBlock){.data = memory, .writable = memory, .bytes = (size_t)tensor_span(view) * size};
    view->origin = (char *)memory + (size_t)tensor_origin_offset(view) * size;
    write_elements(o, i);
}

/* Whether operand i of its own recipe holds the value. */
static bool holds_itself(Operands *o, int i, double value)
{
    Tensor *view = &o->view[i];
    size_t size = dtype_size(view->dtype);
    int64_t parts = (int64_t)(size / dtype_component_size(view->dtype));
    char *block = memory_allocate((size_t)tensor_span(view) + 1, size);
    bool found = false;
    operands_place(o, i, block);
    for (int64_t k = 0; k < parts * tensor_count(view) && !found; k++)
        found = dtype_load(view->dtype, view->origin,
                           tensor_offset_of(view, k / parts) * parts + k % parts) == value;
    free(block);
    return found;
}

bool operands_hold(const Case *source, int i, double value)
{
    Operands o;
    operands_describe(&o, source);
    bool found = holds_itself(&o, i, value);
    for (int k = 0; k < o.shapes.count && source->exec.overlap != OVERLAP_NONE && !found; k++)
        found = o.shapes.tensor[k].role == ROLE_IN && holds_itself(&o, k, value);
    return found;
}

size_t operands_problems(const Operands *o)
{
    bool batch = case_has(o->source, "batch_shape");
    return batch ? (size_t)shape_count(case_shape(o->source, "batch_shape")) : 1;
}

void operands_set(const Operands *o, int i, const void *elements)
{
    REQUIRE(tensor_is_dense(&o->view[i]));
    workspace_unlock(o->workspace);
    memcpy(o->block[i].data, elements, o->block[i].bytes);
    memcpy(o->pristine[i], elements, o->block[i].bytes);
}

/* The views with the values before the call, when the operands hold those after it. */
static void pristine_views(const Operands *o, Tensor *views)
{
    for (int i = 0; i < o->shapes.count; i++) {
        views[i] = o->view[i];
        views[i].origin = o->pristine[i] +
                          (size_t)tensor_origin_offset(&o->view[i]) * dtype_size(o->view[i].dtype);
    }
}

static Tensor dense_copy(const Tensor *t, Arena *arena)
{
    Tensor copy = *t;
    int64_t count = tensor_count(t);
    size_t size = dtype_size(t->dtype);
    if (tensor_is_dense(t))
        return copy;
    tensor_pack(&copy);
    char *to = arena_take(arena, (size_t)count * size + 1, 1);
    for (int64_t i = 0; i < count; i++)
        memcpy(to + (size_t)i * size,
               (const char *)t->origin + tensor_offset_of(t, i) * (int64_t)size, size);
    copy.origin = to;
    return copy;
}

/* References are made from dense operands. */
static void make_dense(const Operands *o, Tensor *views, Arena *arena)
{
    for (int i = 0; i < o->shapes.count && o->source->exec.layout != LAYOUT_DENSE; i++)
        views[i] = dense_copy(&views[i], arena);
}

void operands_dense(const Operands *o, Tensor views[OP_TENSORS_MAX], Arena *arena)
{
    memcpy(views, o->view, (size_t)o->shapes.count * sizeof *views);
    make_dense(o, views, arena);
}

static ReferenceInput input_of(const Operands *o)
{
    /* Elements that are the same have no signs of their own. */
    bool exchangeable =
        o->source->exec.overlap == OVERLAP_NONE && o->source->exec.layout != LAYOUT_EXPANDED;
    for (int i = 0; i < o->shapes.count; i++)
        if (!o->shapes.tensor[i].ignored && o->shapes.tensor[i].part != PART_ADDEND)
            exchangeable = exchangeable && fill_is_exchangeable(&o->source->fill[i]);
    return (ReferenceInput){.op = o->source->op,
                            .params = o->source->params,
                            .tensors = o->view,
                            .exchangeable = exchangeable,
                            .signs_drawn = exchangeable};
}

static void refer(const Operands *o, bool may_draft, Ref *refs, Arena *arena)
{
    Tensor before[OP_TENSORS_MAX], now[OP_TENSORS_MAX];
    ReferenceInput input = input_of(o);
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    input.may_draft = may_draft;
    operands_dense(o, now, arena);
    input.tensors = now;
    if (o->source->op->judged_by_residual) {
        pristine_views(o, before);
        make_dense(o, before, arena);
        input.tensors = before;
        input.computed = now;
    }
    op_reference(refs, &input, arena);
}

void operands_reference(const Operands *o, Ref *refs, Arena *arena)
{
    refer(o, false, refs, arena);
}

void operands_reference_draft(const Operands *o, Ref *refs, Arena *arena)
{
    refer(o, true, refs, arena);
}

void operands_product(const Operands *o, ProductBlocks *product, Arena *arena)
{
    Tensor before[OP_TENSORS_MAX];
    ReferenceInput input = input_of(o);
    pristine_views(o, before);
    input.tensors = before;
    o->source->op->product(product, &input, arena);
}

void operands_factors(const Operands *o, FactorChecks *checks, Arena *arena)
{
    Tensor before[OP_TENSORS_MAX];
    ReferenceInput input = input_of(o);
    pristine_views(o, before);
    input.tensors = before;
    input.computed = o->view;
    *checks = (FactorChecks){.refs = arena_take_zeroed(arena, OP_TENSORS_MAX, sizeof(Ref))};
    o->source->op->factors(checks, &input, arena);
}

/* The value with fewer bits, to nearest or cut off; of binary32 in binary64. */
static double fewer_bits(double value, const InputReading *reading)
{
    int exponent;
    if (!isfinite(value) || value == 0)
        return value;
    (void)frexp(value, &exponent);
    double quantum = ldexp(1, exponent - reading->precision), steps = value / quantum;
    return (reading->cut ? trunc(steps) : nearbyint(steps)) * quantum;
}

static double read_value(DType dtype, double value, const InputReading *reading)
{
    double smallest = dtype_format(dtype)->smallest_normal;
    if (reading->flush && fabs(value) < smallest)
        return copysign(0, value);
    return reading->precision ? fewer_bits(value, reading) : value;
}

static bool is_read_so(const Operands *o, int i, const InputReading *reading)
{
    DType dtype = o->view[i].dtype;
    const TensorSpec *spec = &o->shapes.tensor[i];
    if (reading->flush)
        return !dtype_is_integer(dtype);
    bool factor = spec->part == PART_LEFT || spec->part == PART_RIGHT;
    return factor && spec->role == ROLE_IN && dtype_format(dtype)->precision == 24;
}

/* A copy of a block of operand i, as it was or as it is, read so, seen as the operand; false when
 * nothing changed. */
static bool read_view(const Operands *o, int i, const InputReading *reading, const void *block,
                      Tensor *view, Arena *arena)
{
    DType dtype = o->view[i].dtype;
    int64_t count = (int64_t)(o->block[i].bytes / dtype_component_size(dtype));
    unsigned char *copy = arena_take(arena, o->block[i].bytes + 1, 1);
    bool found = false;
    memcpy(copy, block, o->block[i].bytes);
    for (int64_t k = 0; k < count && is_read_so(o, i, reading); k++) {
        double value = dtype_load(dtype, copy, k), read = read_value(dtype, value, reading);
        if (read == value || isnan(value))
            continue;
        found = true;
        dtype_store(dtype, copy, k, read);
    }
    *view = o->view[i];
    view->origin = copy + (size_t)tensor_origin_offset(view) * dtype_size(dtype);
    return found;
}

bool operands_reference_read(const Operands *o, const InputReading *reading, Ref *refs,
                             Arena *arena)
{
    Tensor before[OP_TENSORS_MAX], now[OP_TENSORS_MAX];
    ReferenceInput input = input_of(o);
    bool found = false, residual = o->source->op->judged_by_residual;
    if (residual && !reading->flush)
        return false;
    for (int i = 0; i < o->shapes.count; i++) {
        found = read_view(o, i, reading, o->pristine[i], &before[i], arena) || found;
        if (residual)
            found = read_view(o, i, reading, o->block[i].data, &now[i], arena) || found;
    }
    if (!found)
        return false;
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    make_dense(o, before, arena);
    input.tensors = before;
    if (residual) {
        make_dense(o, now, arena);
        input.computed = now;
    }
    op_reference(refs, &input, arena);
    for (int i = 0; i < o->shapes.count && reading->precision; i++)
        refs[i].factor_bits = reading->precision;
    return true;
}

bool operands_reference_narrow(const Operands *o, Ref *refs, Arena *arena)
{
    DType dtype = case_dtype(o->source);
    if (dtype_arithmetic(dtype) == dtype || o->source->op->judged_by_residual)
        return false;
    Tensor before[OP_TENSORS_MAX];
    ReferenceInput input = input_of(o);
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    pristine_views(o, before);
    make_dense(o, before, arena);
    input.tensors = before;
    dtype_set_narrow(true);
    op_reference(refs, &input, arena);
    dtype_set_narrow(false);
    return true;
}

/* The slot that operand i lies in. */
static int slot_of(const Operands *o, int i)
{
    while (o->shared[i] >= 0)
        i = o->shared[i];
    return i;
}

static bool is_locked(const Operands *o, int i)
{
    return guard_is_locked_at(&o->workspace->slot[slot_of(o, i)], o->block[i].pages_begin);
}

void operands_restore(Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++) {
        if (is_locked(o, i))
            continue;
        guard_renew(&o->block[i]);
        memcpy(o->block[i].data, o->pristine[i], o->block[i].bytes);
    }
}

const char *breach_text(Breach breach)
{
    static const Symptom symptoms[] = {SYMPTOM_NONE, SYMPTOM_INPUT_CHANGED, SYMPTOM_WRITES_OUTSIDE};
    return symptom_detail(symptoms[breach]);
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

/* Gaps are compared one after the other, while runs come in the order of memory: those before `at`
 * were. */
typedef struct Gaps {
    const unsigned char *block, *pristine;
    size_t size, at;
    bool ordered, intact;
} Gaps;

static void compare_gap(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Gaps *gaps = context;
    size_t begin = (size_t)((unsigned char *)at - gaps->block);
    (void)first;
    gaps->ordered = gaps->ordered && begin >= gaps->at && (stride == 1 || count == 1);
    if (!gaps->ordered)
        return;
    gaps->intact = gaps->intact &&
                   memcmp(gaps->block + gaps->at, gaps->pristine + gaps->at, begin - gaps->at) == 0;
    gaps->at = begin + (size_t)count * gaps->size;
}

/* Runs along columns where these are what lies together. */
static Tensor along_memory(const Tensor *view)
{
    bool columns = view->rank == 2 && view->packing == PACKING_NONE && view->storage == 0 &&
                   view->stride[0] < view->stride[1];
    return columns ? tensor_transposed(*view) : *view;
}

/* True when only elements of the output changed: what lies between them is as in its pristine copy,
 * or this, overlaid with the elements as they are now, equals the block. */
static bool gaps_intact(const Operands *o, Arena *arena, int i)
{
    const GuardBlock *block = &o->block[i];
    size_t size = dtype_size(o->view[i].dtype);
    if (block->bytes == (size_t)tensor_count(&o->view[i]) * size)
        return true;
    Gaps gaps = {block->data, o->pristine[i], size, 0, true, true};
    Tensor view = along_memory(&o->view[i]);
    tensor_visit_runs(&view, compare_gap, &gaps);
    if (gaps.ordered)
        return gaps.intact &&
               memcmp(block->data + gaps.at, o->pristine[i] + gaps.at, block->bytes - gaps.at) == 0;
    Overlay overlay = {arena_take(arena, block->bytes + 1, 1), block->data, size};
    memcpy(overlay.copy, o->pristine[i], block->bytes);
    tensor_visit_runs(&o->view[i], overlay_run, &overlay);
    return memcmp(overlay.copy, block->data, block->bytes) == 0;
}

bool operands_untouched(const Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (!guard_margins_intact(&o->block[i]) ||
            memcmp(o->block[i].data, o->pristine[i], o->block[i].bytes) != 0)
            return false;
    return true;
}

Breach operands_breach(const Operands *o, Arena *arena, int *which)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const GuardBlock *block = &o->block[i];
        *which = i;
        /* A write there is noted by the signal that it raises, whose handler unlocks it. */
        if (is_locked(o, i))
            continue;
        if (!guard_margins_intact(block))
            return BREACH_OUTSIDE;
        if (!operands_is_output(o, i)) {
            if (operands_may_change(o, i))
                continue;
            if (memcmp(block->data, o->pristine[i], block->bytes) != 0)
                return BREACH_INPUT;
        } else if (!gaps_intact(o, arena, i)) {
            return BREACH_OUTSIDE;
        }
    }
    return BREACH_NONE;
}

bool operands_is_output(const Operands *o, int i)
{
    return i < o->shapes.count && o->shapes.tensor[i].role != ROLE_IN;
}

bool operands_may_change(const Operands *o, int i)
{
    for (int k = i + 1; k < o->shapes.count; k++)
        if (o->shared[k] == i && operands_is_output(o, k))
            return true;
    return operands_is_output(o, i);
}

void operands_lock(const Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (is_lockable(o, i))
            guard_lock(&o->workspace->slot[i], &o->block[i]);
}

void workspace_unlock(Workspace *workspace)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        guard_unlock(&workspace->slot[i]);
}

int workspace_locked_at(const Workspace *workspace, const void *address)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        if (guard_is_locked_at(&workspace->slot[i], address))
            return i;
    return -1;
}

size_t operands_components(const Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    size_t count = (size_t)dtype_components(view->dtype);
    for (int axis = 0; axis < view->rank; axis++)
        count *= (size_t)view->extent[axis];
    return count;
}
