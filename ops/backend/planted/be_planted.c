/* The project's own conscience: planted:FAULT must be found, planted:ok-VARIANT never flagged. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects.h"
#include "planted.h"
#include "reference/nearest.h"
#include "when.h"

/* At most one of the three is not NULL; none is for the rounded reference. */
typedef struct Planted {
    const PlantedFault *fault;
    const PlantedRow *row;
    const PlantedVariant *variant;
    int64_t calls;
    Arena arena;
} Planted;

/* By family of operators. */
static const PlantedFault *const tables[] = {planted_faults,
                                             planted_structure_faults,
                                             planted_nn_faults,
                                             planted_layer_faults,
                                             planted_rare_faults,
                                             planted_lapack_faults,
                                             planted_system_faults,
                                             planted_pair_faults,
                                             planted_reflection_faults,
                                             planted_random_faults,
                                             planted_own_faults,
                                             planted_complex_faults,
                                             planted_conv_complex_faults,
                                             planted_blend_complex_faults,
                                             planted_deform_faults,
                                             planted_sparse_faults,
                                             planted_matrix_function_faults,
                                             planted_whole_faults,
                                             planted_gemm3m_faults,
                                             planted_attention_faults};

static const PlantedRow *const row_tables[] = {planted_blas_rows, planted_nn_rows,
                                               planted_lapack_rows};

const char *const planted_ways[] = {"coincidence", "extent",   "lane",  "leading", "alignment",
                                    "aliasing",    "threads",  "state", "special", "dtype",
                                    "parameter",   "compiler", NULL};

const PlantedRow *planted_row(int number)
{
    for (size_t i = 0; i < COUNT_OF(row_tables); i++)
        for (const PlantedRow *row = row_tables[i]; row->name; row++)
            if (number-- == 0)
                return row;
    return NULL;
}

const PlantedRow *planted_find_row(const char *name)
{
    const PlantedRow *row;
    for (int i = 0; (row = planted_row(i)); i++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

static const PlantedFault *find_fault(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const PlantedFault *fault = tables[i]; fault->name; fault++)
            if (!strcmp(fault->name, name))
                return fault;
    return NULL;
}

static void choose_mode(Planted *planted, const char *mode)
{
    planted->fault = find_fault(mode);
    planted->row = planted->fault ? NULL : planted_find_row(mode);
    for (const PlantedVariant *variant = planted_variants; variant->name; variant++)
        if (!strcmp(variant->name, mode))
            planted->variant = variant;
}

/* Says which faults and variants there are, the one that may have been meant first. */
static void refuse_mode(const Backend *backend, Text *error)
{
    Nearest nearest = nearest_begin(backend->mode, strlen(backend->mode));
    Text known = {0};
    for (const PlantedVariant *variant = planted_variants; variant->name; variant++) {
        text_printf(&known, " %s", variant->name);
        nearest_offer(&nearest, variant->name);
    }
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const PlantedFault *fault = tables[i]; fault->name; fault++) {
            text_printf(&known, " %s", fault->name);
            nearest_offer(&nearest, fault->name);
        }
    const PlantedRow *row;
    for (int i = 0; (row = planted_row(i)); i++) {
        text_printf(&known, " %s", row->name);
        nearest_offer(&nearest, row->name);
    }
    text_printf(error, "%s: unknown fault", backend->name);
    nearest_put(&nearest, error);
    text_printf(error, "; known are ok-reference%s", text_string(&known));
    text_release(&known);
}

static bool planted_open(Backend *backend, Text *error)
{
    Planted *planted = memory_allocate(1, sizeof *planted);
    if (!arena_init(&planted->arena, (size_t)2 << 30))
        BUG("out of memory");
    choose_mode(planted, backend->mode);
    backend->context = planted;
    backend->facts.threads = 1;
    strcpy(backend->facts.version, "1");
    strcpy(backend->facts.build, "reference rounded to the element type");
    if (planted->fault || planted->row || planted->variant ||
        !strcmp(backend->mode, "ok-reference"))
        return true;
    refuse_mode(backend, error);
    arena_release(&planted->arena);
    free(planted);
    return false;
}

static void planted_close(Backend *backend)
{
    Planted *planted = backend->context;
    if (!planted)
        return;
    arena_release(&planted->arena);
    free(planted);
}

typedef struct StoreContext {
    const Ref *ref;
} StoreContext;

static void put_references(void *opaque, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Ref *ref = ((const StoreContext *)opaque)->ref;
    int components = dtype_components(ref->dtype);
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < components; part++) {
            size_t element = (size_t)((first + i) * components + part);
            double value = ref_result(ref, element);
            dtype_store(ref->dtype, at, i * stride * components + part, value);
        }
}

/* The reference of the operator on the operands as the fault altered them, rounded once. */
static void compute_reference(PlantedCall *call)
{
    Ref refs[OP_TENSORS_MAX] = {0};
    const Operands *o = call->operands;
    op_reference(refs,
                 &(ReferenceInput){
                     .op = call->altered.op, .params = call->altered.params, .tensors = call->view},
                 call->arena);
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i))
            tensor_visit_runs(&o->view[i], put_references, &(StoreContext){&refs[i]});
}

static bool accepts_illegal(const Planted *planted)
{
    return planted->fault && !strcmp(planted->fault->name, "illegal-accepted");
}

/* Argument number i is the i-th row of the operator's table; extents can be illegal. */
static const char *planted_illegal_argument(const Backend *backend, const Operands *o)
{
    const Param *param = o->source->op->params;
    (void)backend;
    for (int64_t i = 1; i < o->source->exec.illegal && param->name; i++)
        param++;
    return param->name && param->kind == PARAM_DIM ? param->name : NULL;
}

static RunStatus planted_run(Backend *backend, const Operands *o)
{
    Planted *planted = backend->context;
    arena_reset(&planted->arena);
    if (o->source->exec.illegal && !accepts_illegal(planted)) {
        backend->refused_argument = (int)o->source->exec.illegal;
        return RUN_REFUSED;
    }
    if (planted->variant) {
        if (planted_variant_offers(o->source->op))
            planted_compute(planted->variant, o, &planted->arena);
        else
            planted_compute_nn(planted->variant, o, &planted->arena);
        return RUN_DONE;
    }
    PlantedCall call = {
        .operands = o, .altered = *o->source, .arena = &planted->arena, .number = planted->calls++};
    operands_dense(o, call.view, &planted->arena);
    const PlantedFault *fault = planted->fault;
    if (fault && strcmp(fault->op, o->source->op->name) != 0)
        fault = NULL;
    /* Faults are written for operands that are dense. */
    if (fault && o->source->exec.layout != LAYOUT_DENSE) {
        (void)snprintf(backend->message, sizeof backend->message, "operands that are not dense");
        return RUN_DECLINED;
    }
    /* Right ways read their inputs behind the reference, which may have written over them. */
    if (fault && !strncmp(fault->name, "ok-", strlen("ok-")) &&
        o->source->exec.overlap != OVERLAP_NONE) {
        (void)snprintf(backend->message, sizeof backend->message, "operands that share memory");
        return RUN_DECLINED;
    }
    const PlantedRow *row = planted->row;
    if (row && (strcmp(row->op, o->source->op->name) != 0 || !when_holds(row->when, &call)))
        row = NULL;
    if (fault && fault->prepare)
        fault->prepare(&call);
    if (row)
        effect_prepare(row->effect, &call);
    compute_reference(&call);
    if (fault && fault->finish)
        fault->finish(&call);
    if (row)
        effect_finish(row->effect, &call);
    return RUN_DONE;
}

/* Variants know some kernels; the rounded reference knows everything. */
static bool planted_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const Planted *planted = backend->context;
    return !planted->variant || planted_variant_offers(op) || planted_nn_variant_offers(op, dtype);
}

/* The faults that an operator has. */
static void planted_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const PlantedFault *fault = tables[i]; fault->name; fault++)
            if (!strcmp(fault->op, op->name))
                text_printf(text, "%s: %s\n", fault->name, fault->where);
    const PlantedRow *row;
    for (int i = 0; (row = planted_row(i)); i++)
        if (!strcmp(row->op, op->name))
            text_printf(text, "%s: [%s] %s where %s\n", row->name, row->way, row->effect,
                        row->when);
}

const BackendKind be_planted = {
    .name = "planted",
    .needs_more = true,
    .summary = "planted faults and correct variants, to test the tester: planted:FAULT",
    .open = planted_open,
    .close = planted_close,
    .offers = planted_offers,
    .describe = planted_describe,
    .run = planted_run,
    .illegal_argument = planted_illegal_argument,
    .promise = {.models = models_ieee, .readings = models_readings},
};
