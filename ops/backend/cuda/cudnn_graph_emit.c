/* Graphs as C: descriptors, the configuration of the mode, and its run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cublas_emit.h"
#include "cudnn_emit.h"

extern const char cudnn_graph_c_in[];

static const char *type_of_values(int type)
{
    return type == GRAPH_BOOLEAN      ? "_Bool"
           : type == GRAPH_INTEGER    ? "int64_t"
           : type == GRAPH_SINGLE     ? "float"
           : type == GRAPH_DOUBLE     ? "double"
           : type == GRAPH_DESCRIPTOR ? "Descriptor"
                                      : "int32_t";
}

static void put_attribute(const GraphDescriptor *descriptor, int place,
                          const GraphAttribute *attribute, const char *const *tensors, Text *call)
{
    int type = attribute->key->type;
    text_printf(call, "    set(descriptor_%d, %s, %s, %d, (%s[]){", place, attribute->key->name,
                graph_name(graph_types, type)->name, attribute->count, type_of_values(type));
    if (attribute->key->number == GRAPH_TENSOR_ALIGNMENT && descriptor->inverse)
        text_printf(call, "alignment_of(device_inverse_%s)", tensors[descriptor->operand]);
    else if (attribute->key->number == GRAPH_TENSOR_ALIGNMENT && descriptor->operand >= 0)
        text_printf(call, "alignment_of(device_%s)", tensors[descriptor->operand]);
    else if (type == GRAPH_SINGLE || type == GRAPH_DOUBLE)
        text_printf(call, "%a", attribute->real);
    else
        for (int i = 0; i < attribute->count; i++)
            text_printf(call, "%s%s%" PRId64, i ? ", " : "",
                        type == GRAPH_DESCRIPTOR ? "descriptor_" : "", attribute->values[i]);
    text_printf(call, "});\n");
}

/* 1 / sqrt(v + epsilon) of an operand v, in memory of its own. */
static void put_inverse(const GraphDescriptor *tensor, const Shapes *shapes,
                        const char *const *tensors, Text *call)
{
    const char *operand = tensors[tensor->operand];
    int64_t count = tensor_count(&shapes->tensor[tensor->operand].layout);
    Text name = {0}, fill = {0};
    text_printf(&name, "inverse_%s", operand);
    text_printf(&fill,
                "    for (int i = 0; i < %" PRId64 "; i++)\n"
                "        ((float *)%s)[i] = 1 / sqrt((double)((const float *)%s)[i] + %a);\n",
                count, text_string(&name), operand, (double)tensor->number);
    cublas_emit_scratch(text_string(&name), count * (int64_t)sizeof(float), &fill, call);
    text_release(&name);
    text_release(&fill);
}

/* Memory beside the operands: of results that nobody wants, and of what is derived from them. */
static void put_scratch(const GraphPlan *plan, const Shapes *shapes, const char *const *tensors,
                        Text *call)
{
    const Text nothing = {0};
    for (int i = 0; i < plan->count; i++) {
        const GraphDescriptor *tensor = &plan->descriptors[i];
        char name[16];
        (void)snprintf(name, sizeof name, "own_%d", i);
        if (tensor->operand == GRAPH_OWN)
            cublas_emit_scratch(name, tensor->bytes, &nothing, call);
        if (tensor->inverse)
            put_inverse(tensor, shapes, tensors, call);
    }
}

static void put_descriptors(const GraphPlan *plan, const char *const *tensors, Text *call)
{
    for (int i = 0; i < plan->count; i++) {
        const GraphDescriptor *planned = &plan->descriptors[i];
        text_printf(call, "    Descriptor descriptor_%d = new(%s);\n", i, planned->kind->name);
        for (int k = 0; k < planned->count; k++)
            put_attribute(planned, i, &planned->attributes[k], tensors, call);
        text_printf(call, "    finish(descriptor_%d);\n", i);
    }
    text_printf(call,
                "    Descriptor operations = new(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);\n"
                "    set(operations, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, "
                "&handle);\n"
                "    set(operations, CUDNN_ATTR_OPERATIONGRAPH_OPS, "
                "CUDNN_TYPE_BACKEND_DESCRIPTOR, %d, (Descriptor[]){",
                plan->operation_count);
    for (int i = 0; i < plan->operation_count; i++)
        text_printf(call, "%sdescriptor_%d", i ? ", " : "", plan->operations[i]);
    text_printf(call, "});\n    finish(operations);\n");
}

static void put_run(const GraphPlan *plan, const char *const *tensors, Text *call)
{
    int count = 0;
    text_printf(call, "    Descriptor data = new(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);\n"
                      "    int64_t numbers[] = {");
    for (int i = 0; i < plan->count; i++)
        if (plan->descriptors[i].operand != GRAPH_NO_DATA)
            text_printf(call, "%s%d", count++ ? ", " : "", i + 1);
    text_printf(call, "};\n    void *addresses[] = {");
    for (int i = 0; i < plan->count; i++) {
        const GraphDescriptor *tensor = &plan->descriptors[i];
        if (tensor->operand >= 0)
            text_printf(call, "device_%s%s, ", tensor->inverse ? "inverse_" : "",
                        tensors[tensor->operand]);
        else if (tensor->operand == GRAPH_NUMBER && isinf(tensor->number))
            text_printf(call, "&(float){%sINFINITY}, ", tensor->number < 0 ? "-" : "");
        else if (tensor->operand == GRAPH_NUMBER)
            text_printf(call, "&(float){%a}, ", (double)tensor->number);
        else if (tensor->operand == GRAPH_OWN)
            text_printf(call, "device_own_%d, ", i);
    }
    text_printf(call,
                "};\n"
                "    set(data, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, %d, "
                "numbers);\n"
                "    set(data, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, %d, "
                "addresses);\n"
                "    set(data, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, "
                "&workspace);\n"
                "    finish(data);\n"
                "    must(cudnnBackendExecute(handle, execution, data), \"cudnnBackendExecute\");\n"
                "    must(cudaDeviceSynchronize(), \"the kernel\");\n",
                count, count);
}

void cudnn_emit_graph_helpers(Text *declaration)
{
    text_printf(declaration, "\n%s", cudnn_graph_c_in);
    cublas_emit_alignment(GRAPH_ALIGNMENT_MOST, declaration);
}

void cudnn_emit_graph(const GraphPlan *plan, const DnnMode *mode, const Case *c,
                      const Shapes *shapes, Text *call)
{
    const char *const *tensors = c->op->tensors;
    put_scratch(plan, shapes, tensors, call);
    put_descriptors(plan, tensors, call);
    text_printf(call,
                "    Descriptor configs[%d], execution = "
                "new(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);\n"
                "    int wanted = %d, found = list(operations, CUDNN_HEUR_MODE_A, wanted, "
                "configs);\n"
                "    if (found < wanted)\n"
                "        found += list(operations, CUDNN_HEUR_MODE_FALLBACK, wanted - found, "
                "configs + found);\n"
                "    must(found < wanted, \"no such configuration\");\n"
                "    set(execution, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, "
                "&handle);\n"
                "    set(execution, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, "
                "CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &configs[wanted - 1]);\n"
                "    finish(execution);\n",
                mode->number + 1, mode->number + 1);
    put_run(plan, tensors, call);
}
