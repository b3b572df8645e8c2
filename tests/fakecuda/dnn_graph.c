/* The graph interface of the simulated cuDNN.  Heuristics return three configurations: of an engine
 * on ordinary units, of one on the matrix unit, and of one by transforms. */
#include "dnn_graph.h"

#include <stdlib.h>
#include <string.h>

enum { GRAPH_MAGIC = 0x6772, KINDS = 44, CONFIGS = 3 };
enum {
    KIND_ENGINE = 2,
    KIND_CONFIG = 3,
    KIND_HEURISTICS = 4,
    KIND_PLAN = 5,
    KIND_GRAPH = 15,
    KIND_DATA = 16,
    KIND_TENSOR = 17
};
enum {
    HEURISTICS_GRAPH = 201,
    HEURISTICS_RESULTS = 202,
    CONFIG_ENGINE = 300,
    PLAN_HANDLE = 400,
    PLAN_CONFIG = 401,
    PLAN_WORKSPACE = 402,
    GRAPH_HANDLE = 800,
    GRAPH_OPERATIONS = 801,
    TENSOR_ALIGNMENT = 900,
    TENSOR_TYPE = 901,
    TENSOR_EXTENTS = 902,
    TENSOR_STRIDES = 903,
    TENSOR_NUMBER = 906,
    TENSOR_VIRTUAL = 907,
    TENSOR_VALUE = 908,
    DATA_NUMBERS = 1000,
    DATA_ADDRESSES = 1001,
    DATA_WORKSPACE = 1003,
    ENGINE_GRAPH = 1300,
    ENGINE_INDEX = 1301,
    ENGINE_NOTES = 1303
};
enum { NOTE_MATRIX_UNIT = 0, NOTE_WINOGRAD = 5, WORKSPACE = 256, BETWEEN_MAX = 16 };

struct Execution {
    Node *data;
    View between[BETWEEN_MAX];
    int64_t numbers[BETWEEN_MAX];
    int count;
};

static Node *valid(void *descriptor)
{
    Node *node = descriptor;
    return node && node->magic == GRAPH_MAGIC ? node : NULL;
}

Attribute *node_find(Node *node, int number)
{
    for (int i = 0; i < node->count; i++)
        if (node->attributes[i].number == number)
            return &node->attributes[i];
    return NULL;
}

int64_t node_integer(Node *node, int number, int64_t otherwise)
{
    const Attribute *found = node_find(node, number);
    return found ? found->as.integers[0] : otherwise;
}

double node_real(Node *node, int number, double otherwise)
{
    const Attribute *found = node_find(node, number);
    return found ? found->as.real : otherwise;
}

Node *node_part(Node *node, int number)
{
    const Attribute *found = node_find(node, number);
    return found ? found->as.addresses[0] : NULL;
}

EXPORT int cudnnBackendCreateDescriptor(int kind, void **descriptor)
{
    if (kind < 0 || kind >= KINDS)
        return DNN_UNSUPPORTED;
    Node *node = calloc(1, sizeof *node);
    node->magic = GRAPH_MAGIC;
    node->kind = kind;
    *descriptor = node;
    return 0;
}

EXPORT int cudnnBackendDestroyDescriptor(void *descriptor)
{
    if (!valid(descriptor))
        return DNN_BAD_PARAMETER;
    valid(descriptor)->magic = 0;
    free(descriptor);
    return 0;
}

static int64_t integer_at(int type, const void *values, int64_t i)
{
    if (type == TYPE_BOOLEAN)
        return ((const bool *)values)[i];
    if (type == TYPE_INTEGER)
        return ((const int64_t *)values)[i];
    return ((const int32_t *)values)[i];
}

/* Everything is set before the end, and once. */
EXPORT int cudnnBackendSetAttribute(void *descriptor, int number, int type, int64_t count,
                                    const void *values)
{
    Node *node = valid(descriptor);
    if (!node || node->finished || node->count == NODE_ATTRIBUTES || count < 1 ||
        count > NODE_VALUES || node_find(node, number))
        return DNN_BAD_PARAMETER;
    Attribute *added = &node->attributes[node->count++];
    added->number = number;
    added->type = type;
    added->count = count;
    for (int64_t i = 0; i < count; i++) {
        if (type == TYPE_SINGLE)
            added->as.real = *(const float *)values;
        else if (type == TYPE_DOUBLE)
            added->as.real = *(const double *)values;
        else if (type == TYPE_HANDLE || type == TYPE_ADDRESS || type == TYPE_DESCRIPTOR)
            added->as.addresses[i] = ((void *const *)values)[i];
        else
            added->as.integers[i] = integer_at(type, values, i);
        if (type == TYPE_DESCRIPTOR &&
            (!valid(added->as.addresses[i]) || !valid(added->as.addresses[i])->finished))
            return DNN_BAD_PARAMETER;
    }
    return 0;
}

static bool is_tensor(Node *node)
{
    const Attribute *extents = node_find(node, TENSOR_EXTENTS),
                    *strides = node_find(node, TENSOR_STRIDES);
    int64_t alignment = node_integer(node, TENSOR_ALIGNMENT, 0);
    if (!extents || !strides || extents->count != strides->count || extents->count < 3 ||
        extents->count > TENSOR_AXES || alignment < 1 || (alignment & (alignment - 1)) != 0 ||
        !node_find(node, TENSOR_NUMBER) || !node_find(node, TENSOR_TYPE))
        return false;
    for (int64_t i = 0; i < extents->count; i++)
        if (extents->as.integers[i] < 1)
            return false;
    return true;
}

/* 0, or the status of what a graph is not. */
static int judge_graph(Node *graph)
{
    const Attribute *operations = node_find(graph, GRAPH_OPERATIONS);
    if (!operations || !node_part(graph, GRAPH_HANDLE) ||
        !dnn_valid(node_part(graph, GRAPH_HANDLE)))
        return DNN_BAD_PARAMETER;
    for (int64_t i = 0; i < operations->count; i++)
        if (!graph_has(operations->as.addresses[i]))
            return DNN_UNSUPPORTED;
    return 0;
}

EXPORT int cudnnBackendFinalize(void *descriptor)
{
    Node *node = valid(descriptor);
    int status = !node || node->finished ? DNN_BAD_PARAMETER : 0;
    if (!status && node->kind == KIND_TENSOR && !is_tensor(node))
        status = DNN_BAD_PARAMETER;
    if (!status && node->kind == KIND_GRAPH)
        status = judge_graph(node);
    if (!status && node->kind == KIND_PLAN &&
        (!node_part(node, PLAN_CONFIG) || !dnn_valid(node_part(node, PLAN_HANDLE))))
        status = DNN_BAD_PARAMETER;
    if (node)
        node->finished = status == 0;
    return status;
}

static void put_part(Node *to, int number, int type, void *part, int64_t integer)
{
    Attribute *added = &to->attributes[to->count++];
    *added = (Attribute){.number = number, .type = type, .count = 1};
    if (part)
        added->as.addresses[0] = part;
    else
        added->as.integers[0] = integer;
    to->finished = true;
}

static int get_notes(Node *engine, int64_t room, int64_t *count, int32_t *notes)
{
    static const int32_t known[CONFIGS] = {-1, NOTE_MATRIX_UNIT, NOTE_WINOGRAD};
    int64_t index = node_integer(engine, ENGINE_INDEX, 0);
    *count = index > 0;
    if (room > 0 && index > 0)
        notes[0] = known[index];
    return 0;
}

EXPORT int cudnnBackendGetAttribute(void *descriptor, int number, int type, int64_t room,
                                    int64_t *count, void *values)
{
    Node *node = valid(descriptor), *const *parts = values;
    if (!node || !node->finished || room < 1)
        return DNN_BAD_PARAMETER;
    *count = 1;
    if (number == HEURISTICS_RESULTS) {
        *count = CONFIGS;
        for (int64_t i = 0; i < room && i < CONFIGS; i++) {
            put_part(parts[i], ENGINE_GRAPH, TYPE_DESCRIPTOR, node_part(node, HEURISTICS_GRAPH), 0);
            put_part(parts[i], ENGINE_INDEX, TYPE_INTEGER, NULL, i);
        }
        return 0;
    }
    if (number == CONFIG_ENGINE) {
        put_part(parts[0], ENGINE_INDEX, TYPE_INTEGER, NULL, node_integer(node, ENGINE_INDEX, 0));
        return 0;
    }
    if (number == ENGINE_NOTES)
        return get_notes(node, room, count, values);
    if (number != PLAN_WORKSPACE || type != TYPE_INTEGER)
        return DNN_BAD_PARAMETER;
    *(int64_t *)values = WORKSPACE;
    return 0;
}

View execution_view(const Execution *execution, Node *tensor)
{
    const Attribute *extents = node_find(tensor, TENSOR_EXTENTS),
                    *strides = node_find(tensor, TENSOR_STRIDES),
                    *numbers = node_find(execution->data, DATA_NUMBERS),
                    *addresses = node_find(execution->data, DATA_ADDRESSES);
    int64_t number = node_integer(tensor, TENSOR_NUMBER, 0);
    View view = {.rank = (int)extents->count, .type = (int)node_integer(tensor, TENSOR_TYPE, 0)};
    memcpy(view.extent, extents->as.integers, sizeof view.extent);
    memcpy(view.stride, strides->as.integers, sizeof view.stride);
    for (int64_t i = 0; i < numbers->count; i++)
        if (numbers->as.integers[i] == number)
            view.data = addresses->as.addresses[i];
    for (int i = 0; i < execution->count; i++)
        if (execution->numbers[i] == number)
            view.data = execution->between[i].data;
    return view;
}

double view_read(const View *view, const int64_t *at)
{
    int64_t place = 0;
    for (int axis = 0; axis < view->rank; axis++)
        place += (view->extent[axis] == 1 ? 0 : at[axis]) * view->stride[axis];
    return dtype_load(dnn_type(view->type), view->data, place);
}

void view_write(const View *view, const int64_t *at, double value)
{
    int64_t place = 0;
    for (int axis = 0; axis < view->rank; axis++)
        place += (view->extent[axis] == 1 ? 0 : at[axis]) * view->stride[axis];
    dtype_store(dnn_type(view->type), view->data, place, value);
}

int64_t view_count(const View *view)
{
    int64_t count = 1;
    for (int axis = 0; axis < view->rank; axis++)
        count *= view->extent[axis];
    return count;
}

void view_indices(const View *view, int64_t number, int64_t *at)
{
    for (int axis = view->rank - 1; axis >= 0; axis--) {
        at[axis] = number % view->extent[axis];
        number /= view->extent[axis];
    }
}

/* The tensor that an attribute of an operation names, or NULL. */
static Node *tensor_of(const Attribute *attribute)
{
    Node *part = attribute->type == TYPE_DESCRIPTOR ? attribute->as.addresses[0] : NULL;
    return part && part->kind == KIND_TENSOR ? part : NULL;
}

/* Room for the tensors between operations, which are the last part of an operation that writes
 * them. */
static void add_between(Execution *execution, Node *operation)
{
    for (int i = 0; i < operation->count; i++) {
        Node *part = tensor_of(&operation->attributes[i]);
        if (!part || !node_integer(part, TENSOR_VIRTUAL, 0) || execution_view(execution, part).data)
            continue;
        View view = execution_view(execution, part);
        int64_t span = 1;
        for (int axis = 0; axis < view.rank; axis++)
            span += (view.extent[axis] - 1) * view.stride[axis];
        view.data = calloc((size_t)span, sizeof(double));
        execution->numbers[execution->count] = node_integer(part, TENSOR_NUMBER, 0);
        execution->between[execution->count++] = view;
    }
}

/* Data that is aligned as its tensor says. */
static bool is_aligned(const Execution *execution, Node *operation)
{
    for (int i = 0; i < operation->count; i++) {
        Node *part = tensor_of(&operation->attributes[i]);
        if (part && (uintptr_t)execution_view(execution, part).data %
                            (uintptr_t)node_integer(part, TENSOR_ALIGNMENT, 1) !=
                        0)
            return false;
    }
    return true;
}

EXPORT int cudnnBackendExecute(void *handle, void *plan, void *data)
{
    Node *config = valid(plan) ? node_part(plan, PLAN_CONFIG) : NULL;
    Execution execution = {.data = valid(data)};
    if (!dnn_valid(handle) || !config || !execution.data || !execution.data->finished)
        return DNN_BAD_PARAMETER;
    const Attribute *operations = node_find(node_part(config, ENGINE_GRAPH), GRAPH_OPERATIONS);
    FakeCall call = fake_begin_free("graph", false);
    fake_operand(&call, node_part(execution.data, DATA_WORKSPACE));
    bool done = !fake_refused(&call);
    for (int64_t i = 0; i < operations->count && done; i++) {
        Node *operation = operations->as.addresses[i];
        add_between(&execution, operation);
        done = is_aligned(&execution, operation) &&
               graph_run(&execution, operation, (int)node_integer(config, ENGINE_INDEX, 0));
    }
    for (int i = 0; i < execution.count; i++)
        free(execution.between[i].data);
    return fake_end(&call) != FAKE_SUCCESS || !done ? DNN_FAILED : 0;
}
