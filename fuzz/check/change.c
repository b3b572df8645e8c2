/* Outputs are compared bit by bit; counts are a table with open addressing. */
#include "change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "reference/random.h"

const char *const change_names[CHANGE_KINDS] = {
    [CHANGE_NONE] = "same bits",
    [CHANGE_NAN] = "other NaN",
    [CHANGE_ZERO] = "other sign of zero",
    [CHANGE_VALUE] = "other value",
    [CHANGE_CLASS] = "other class",
    [CHANGE_OLD_DECLINES] = "declined by the old one",
    [CHANGE_NEW_DECLINES] = "declined by the new one",
};

typedef struct Difference {
    ChangeKind kind;
    uint64_t ulps;
} Difference;

typedef struct BitReader {
    uint64_t *bits;
    DType dtype;
} BitReader;

static void read_bits(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const BitReader *reader = context;
    int64_t components = dtype_components(reader->dtype);
    size_t size = dtype_component_size(reader->dtype);
    for (int64_t i = 0; i < count; i++)
        for (int64_t part = 0; part < components; part++)
            memcpy(&reader->bits[(first + i) * components + part],
                   at + (i * stride * components + part) * (int64_t)size, size);
}

static bool is_right(const CheckResult *result)
{
    return result->judgement.kind == VERDICT_AGREE || result->judgement.kind == VERDICT_VACUOUS;
}

void change_keep(KeptBits *kept, const Checker *checker, const Operands *o,
                 const CheckResult *result)
{
    const Exec *exec = &o->source->exec;
    *kept = (KeptBits){0};
    if (!is_right(result) || exec->illegal || exec->threads != 1 || o->source->op->random ||
        checker->backends[result->backend].promise.unordered)
        return;
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        size_t count = operands_components(o, i);
        kept->counts[i] = count;
        kept->bits[i] = memory_allocate(count + 1, sizeof(uint64_t));
        memset(kept->bits[i], 0, (count + 1) * sizeof(uint64_t));
        tensor_visit_runs(&o->view[i], read_bits, &(BitReader){kept->bits[i], o->view[i].dtype});
    }
}

void change_release(KeptBits *kept)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        free(kept->bits[i]);
    *kept = (KeptBits){0};
}

static int class_of(double value)
{
    return isnan(value) ? 2 : isinf(value) ? (value > 0 ? 1 : -1) : 0;
}

/* How two components of different bits differ. */
static Difference difference_of(DType dtype, const uint64_t *old, const uint64_t *new)
{
    double before = dtype_load(dtype, old, 0), after = dtype_load(dtype, new, 0);
    if (class_of(before) != class_of(after))
        return (Difference){CHANGE_CLASS, 0};
    if (isnan(before))
        return (Difference){CHANGE_NAN, 0};
    if (before == 0 && after == 0)
        return (Difference){CHANGE_ZERO, 0};
    return (Difference){CHANGE_VALUE, dtype_ulps_between(dtype, before, after)};
}

/* The gravest difference of all outputs. */
static Difference compare_outputs(const Operands *o, const KeptBits kept[2])
{
    Difference worst = {CHANGE_NONE, 0};
    for (int i = 0; i < o->shapes.count; i++)
        for (size_t k = 0; k < kept[0].counts[i]; k++) {
            const uint64_t *old = &kept[0].bits[i][k], *new = &kept[1].bits[i][k];
            if (*old == *new)
                continue;
            Difference one = difference_of(dtype_component(o->view[i].dtype), old, new);
            worst.kind = one.kind > worst.kind ? one.kind : worst.kind;
            worst.ulps = one.ulps > worst.ulps ? one.ulps : worst.ulps;
        }
    return worst;
}

static ChangeEntry *entry_of(ChangeTable *table, const Case *c, ChangeKind kind)
{
    uint64_t place = (uint64_t)op_number(c->op) << 16 | (uint64_t)case_dtype(c) << 8 | kind;
    uint64_t key = random_mix(place) | 1;
    for (uint64_t probe = 0; probe < CHANGES_MAX; probe++) {
        ChangeEntry *entry = &table->entries[(key + probe) % CHANGES_MAX];
        if (entry->key == 0 || entry->key == key) {
            entry->key = key;
            entry->kind = kind;
            return entry;
        }
    }
    table->lost++;
    return NULL;
}

static void put(ChangeTable *table, const Case *c, Difference difference, const char *detail)
{
    ChangeEntry *entry = entry_of(table, c, difference.kind);
    if (!entry)
        return;
    double work = case_work(c);
    if (entry->count == 0 || work < entry->work) {
        entry->work = work;
        entry->example = *c;
        (void)snprintf(entry->detail, sizeof entry->detail, "%s", detail);
    }
    entry->ulps = difference.ulps > entry->ulps ? difference.ulps : entry->ulps;
    entry->count++;
}

static bool has_outputs(const KeptBits *kept)
{
    bool any = false;
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        any = any || kept->bits[i];
    return any;
}

void change_count(ChangeTable *table, const Operands *o, const CheckResult *results,
                  const KeptBits kept[2])
{
    bool declined[2];
    for (int i = 0; i < 2; i++)
        declined[i] = results[i].judgement.kind == VERDICT_DECLINED;
    if (declined[0] != declined[1]) {
        const CheckResult *result = &results[declined[1]];
        if (!result->avoided)
            put(table, o->source,
                (Difference){declined[0] ? CHANGE_OLD_DECLINES : CHANGE_NEW_DECLINES, 0},
                result->detail);
    } else if (has_outputs(&kept[0]) && has_outputs(&kept[1])) {
        put(table, o->source, compare_outputs(o, kept), "");
    }
}
