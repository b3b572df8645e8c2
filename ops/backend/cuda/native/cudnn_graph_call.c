/* One graph: descriptors as the plan says, the configuration that the mode names, and its run. */
#include <math.h>
#include <string.h>

#include "cudnn.h"

void *graph_new(GraphBuild *build, int kind)
{
    void *made = NULL;
    if (build->status)
        return NULL;
    build->status = build->graphs->create(kind, &made);
    if (!build->status)
        build->made[build->count++] = made;
    return made;
}

static int type_of(int attribute)
{
    return graph_name(graph_keys, attribute)->type;
}

void graph_set(GraphBuild *build, void *descriptor, int attribute, int64_t count,
               const void *values)
{
    if (!build->status)
        build->status =
            build->graphs->set(descriptor, attribute, type_of(attribute), count, values);
}

int64_t graph_get(GraphBuild *build, void *descriptor, int attribute, int64_t room, void *values)
{
    int64_t count = 0;
    if (!build->status)
        build->status =
            build->graphs->get(descriptor, attribute, type_of(attribute), room, &count, values);
    return build->status ? 0 : count < room ? count : room;
}

void graph_finish(GraphBuild *build, void *descriptor)
{
    if (!build->status)
        build->status = build->graphs->finalize(descriptor);
}

void graph_end(GraphBuild *build)
{
    while (build->count > 0)
        (void)build->graphs->destroy(build->made[--build->count]);
}

/* Values of one attribute as its type has them. */
typedef union Values {
    bool flags[GRAPH_AXES_MAX];
    int32_t enumerators[GRAPH_AXES_MAX];
    int64_t integers[GRAPH_AXES_MAX];
    void *descriptors[GRAPH_AXES_MAX];
    float single;
    double real;
} Values;

static void put_attribute(GraphBuild *build, void *descriptor, const GraphAttribute *attribute,
                          void *const *made)
{
    Values values;
    int type = attribute->key->type;
    if (type == GRAPH_SINGLE)
        values.single = (float)attribute->real;
    else if (type == GRAPH_DOUBLE)
        values.real = attribute->real;
    else
        for (int i = 0; i < attribute->count; i++) {
            if (type == GRAPH_BOOLEAN)
                values.flags[i] = attribute->values[i] != 0;
            else if (type == GRAPH_INTEGER)
                values.integers[i] = attribute->values[i];
            else if (type == GRAPH_DESCRIPTOR)
                values.descriptors[i] = made[attribute->values[i]];
            else
                values.enumerators[i] = (int32_t)attribute->values[i];
        }
    graph_set(build, descriptor, attribute->key->number, attribute->count, &values);
}

void *graph_operations(GraphBuild *build, const GraphPlan *plan, const int *alignments,
                       void *handle)
{
    void *made[GRAPH_DESCRIPTORS_MAX] = {NULL}, *operations[GRAPH_OPERATIONS_MAX] = {NULL};
    for (int i = 0; i < plan->count; i++) {
        const GraphDescriptor *planned = &plan->descriptors[i];
        made[i] = graph_new(build, planned->kind->number);
        for (int k = 0; k < planned->count; k++) {
            GraphAttribute attribute = planned->attributes[k];
            if (attribute.key->number == GRAPH_TENSOR_ALIGNMENT && planned->operand >= 0)
                attribute.values[0] =
                    planned->inverse ? GRAPH_ALIGNMENT_MOST : alignments[planned->operand];
            put_attribute(build, made[i], &attribute, made);
        }
        graph_finish(build, made[i]);
    }
    for (int i = 0; i < plan->operation_count; i++)
        operations[i] = made[plan->operations[i]];
    void *graph = graph_new(build, GRAPH_KIND_OPERATIONS);
    if (handle)
        graph_set(build, graph, OPERATIONS_HANDLE, 1, &handle);
    graph_set(build, graph, OPERATIONS_LIST, plan->operation_count, operations);
    graph_finish(build, graph);
    return graph;
}

typedef struct Call {
    DnnSession *session;
    CudaImage image;
    GraphPlan plan;
    GraphBuild build;
    int alignments[OP_TENSORS_MAX];
    void *own[GRAPH_DESCRIPTORS_MAX]; /* where a tensor has memory of the plan's own, or NULL */
} Call;

static void put_inverses(const Call *call, const GraphDescriptor *tensor, void *here)
{
    const void *values = native_data(call->image.request, tensor->operand);
    int64_t count = tensor_count(&call->image.shapes.tensor[tensor->operand].layout);
    for (int64_t k = 0; k < count; k++)
        dtype_store(DT_F32, here, k,
                    1 / sqrt(dtype_load(DT_F32, values, k) + (double)tensor->number));
}

/* Memory of the plan's own, with 1 / sqrt(v + epsilon) of the operands that are wanted so; false
 * where there is no more room. */
static bool place_scratch(Call *call)
{
    CudaImage *image = &call->image;
    for (int i = 0; i < call->plan.count; i++) {
        const GraphDescriptor *tensor = &call->plan.descriptors[i];
        size_t bytes = (size_t)tensor->bytes;
        if (!tensor->inverse && tensor->operand != GRAPH_OWN)
            continue;
        if (tensor->inverse)
            bytes =
                (size_t)tensor_count(&image->shapes.tensor[tensor->operand].layout) * sizeof(float);
        void *here = image_add_scratch(image, bytes);
        if (!here)
            return false;
        if (tensor->inverse)
            put_inverses(call, tensor, here);
        call->own[i] = image_address(image, image->scratch[image->scratch_count - 1].at);
    }
    return true;
}

static void *address_of(Call *call, int descriptor)
{
    GraphDescriptor *tensor = &call->plan.descriptors[descriptor];
    if (tensor->operand == GRAPH_NUMBER)
        return &tensor->number;
    return call->own[descriptor]
               ? call->own[descriptor]
               : image_address(&call->image, call->image.places[tensor->operand].at);
}

/* Appends the configurations that heuristics of a kind return to a list that may have some. */
static int list_configs(GraphBuild *build, void *operations, int mode, int wanted, int found,
                        void **configs)
{
    void *heuristics = graph_new(build, GRAPH_KIND_HEURISTICS);
    graph_set(build, heuristics, HEURISTICS_OPERATIONS, 1, &operations);
    graph_set(build, heuristics, HEURISTICS_MODE, 1, &mode);
    graph_finish(build, heuristics);
    for (int i = found; i < wanted; i++)
        configs[i] = graph_new(build, GRAPH_KIND_CONFIG);
    return found +
           (int)graph_get(build, heuristics, HEURISTICS_RESULTS, wanted - found, configs + found);
}

/* True where the engine sums products, or in mode transforms those of Fourier transforms, in an
 * order that is always the same unless the mode is unordered; with fma not on the matrix unit, and
 * of factors as they are. */
static bool is_judged(GraphBuild *build, void *config, const DnnMode *mode)
{
    enum { NOTES_MAX = 16, MATRIX_UNIT = 0, ROUNDED_FACTORS = 1 };
    int32_t notes[NOTES_MAX];
    void *engine = graph_new(build, GRAPH_KIND_ENGINE);
    bool judged = graph_get(build, config, CONFIG_ENGINE, 1, &engine) == 1;
    int64_t count = graph_get(build, engine, ENGINE_NOTES, NOTES_MAX, notes);
    for (int64_t i = 0; i < count; i++) {
        bool winograd = notes[i] >= NOTE_WINOGRAD && notes[i] <= NOTE_WINOGRAD_LAST;
        if (winograd || (notes[i] == NOTE_NONDETERMINISTIC && !mode->unordered) ||
            (notes[i] == NOTE_TRANSFORM && !mode->transforms))
            judged = false;
        if (mode->fma && (notes[i] == MATRIX_UNIT || notes[i] == ROUNDED_FACTORS))
            judged = false;
    }
    return judged;
}

/* The configuration that the mode names, or NULL where there is none like that. */
static void *find_config(Call *call, void *operations)
{
    const DnnMode *mode = &call->session->library->mode;
    void *configs[GRAPH_CONFIGS_MAX];
    int wanted = mode->number + 1;
    int found = list_configs(&call->build, operations, HEURISTICS_A, wanted, 0, configs);
    if (found < wanted)
        found = list_configs(&call->build, operations, HEURISTICS_FALLBACK, wanted, found, configs);
    if (call->build.status || found < wanted ||
        !is_judged(&call->build, configs[mode->number], mode))
        return NULL;
    return configs[mode->number];
}

static void run_plan(Call *call, void *execution)
{
    GraphBuild *build = &call->build;
    const DnnSession *session = call->session;
    int64_t numbers[GRAPH_DESCRIPTORS_MAX], count = 0;
    void *addresses[GRAPH_DESCRIPTORS_MAX], *data = graph_new(build, GRAPH_KIND_DATA);
    for (int i = 0; i < call->plan.count; i++) {
        if (call->plan.descriptors[i].operand == GRAPH_NO_DATA)
            continue;
        numbers[count] = i + 1;
        addresses[count++] = address_of(call, i);
    }
    graph_set(build, data, DATA_NUMBERS, count, numbers);
    graph_set(build, data, DATA_ADDRESSES, count, addresses);
    graph_set(build, data, DATA_WORKSPACE, 1, &session->workspace);
    graph_finish(build, data);
    if (!build->status)
        build->status = build->graphs->execute(session->handle, execution, data);
}

static int invoke(void *context)
{
    Call *call = context;
    GraphBuild *build = &call->build;
    void *handle = call->session->handle;
    int64_t needed = 0;
    void *operations = graph_operations(build, &call->plan, call->alignments, handle);
    void *config = find_config(call, operations);
    if (!config && !build->status)
        build->status = DNN_UNSUPPORTED;
    void *execution = graph_new(build, GRAPH_KIND_EXECUTION);
    graph_set(build, execution, EXECUTION_HANDLE, 1, &handle);
    graph_set(build, execution, EXECUTION_CONFIG, 1, &config);
    graph_finish(build, execution);
    (void)graph_get(build, execution, EXECUTION_WORKSPACE, 1, &needed);
    if (needed > DNN_WORKSPACE_SIZE && !build->status)
        build->status = DNN_UNSUPPORTED;
    run_plan(call, execution);
    return build->status;
}

uint32_t cudnn_graph_call(DnnSession *session, const NativeRequest *request)
{
    const Case *c = &request->call->c;
    Call call = {.session = session,
                 .image = {.session = &session->cuda, .request = request},
                 .build = {.graphs = &session->library->graphs}};
    int status = 0;
    op_shape(c->op, c->params, &call.image.shapes);
    image_take_strides(&call.image);
    if (!cudnn_graph_plan(&call.plan, c, &call.image.shapes))
        return cuda_fail(request, REPLY_DECLINED, "no such graph");
    if (!place_scratch(&call) || !image_place_all(&call.image))
        return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    for (int i = 0; i < call.image.shapes.count; i++)
        call.alignments[i] = (int)address_alignment(
            image_address(&call.image, call.image.places[i].at), GRAPH_ALIGNMENT_MOST);
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    graph_end(&call.build);
    return cudnn_reply(session, request, reply, status);
}
