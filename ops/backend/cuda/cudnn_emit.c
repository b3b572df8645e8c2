/* The calls of a plan as C. */
#include "cudnn_emit.h"

#include "cublas_emit.h"

static void put_argument(const DnnArgument *argument, const char *const *tensors, Text *call)
{
    switch (argument->kind) {
    case DNN_REAL:
        text_printf(call, "%a", argument->real);
        break;
    case DNN_INTEGER:
        text_printf(call, "%d", argument->number);
        break;
    case DNN_NEW:
        text_printf(call, "&descriptor_%d", argument->number);
        break;
    case DNN_DESCRIPTOR:
        text_printf(call, "descriptor_%d", argument->number);
        break;
    case DNN_ARRAY:
        text_printf(call, "(const int[]){");
        for (int i = 0; i < argument->number; i++)
            text_printf(call, "%s%d", i ? ", " : "", argument->array[i]);
        text_printf(call, "}");
        break;
    case DNN_OPERAND:
        text_printf(call, "device_%s", tensors[argument->number]);
        break;
    case DNN_HANDLE:
        text_printf(call, "handle");
        break;
    case DNN_NOTHING:
        text_printf(call, "NULL");
        break;
    case DNN_WORKSPACE:
        text_printf(call, "workspace");
        break;
    case DNN_WORKSPACE_BYTES:
        text_printf(call, "workspace_bytes");
        break;
    case DNN_NEEDED_BYTES:
        text_printf(call, "&needed");
        break;
    default:
        text_printf(call, argument->kind == DNN_ONE ? "&one" : "&zero");
    }
}

void cudnn_emit_session(const DnnMode *mode, Text *call)
{
    text_printf(call,
                "    cudnnHandle_t handle;\n"
                "    size_t workspace_bytes = %d;\n"
                "    void *workspace;\n"
                "    must(cudnnCreate(&handle), \"cudnnCreate\");\n"
                "    must(cudaMalloc(&workspace, workspace_bytes), \"cudaMalloc\");\n",
                DNN_WORKSPACE_SIZE);
    if (mode->stream)
        text_printf(call, "    cudaStream_t stream;\n"
                          "    must(cudaStreamCreate(&stream), \"cudaStreamCreate\");\n"
                          "    must(cudnnSetStream(handle, stream), \"cudnnSetStream\");\n");
}

void cudnn_emit_plan(const DnnPlan *plan, const char *const *tensors, Text *call)
{
    text_printf(call,
                "    size_t needed = 0;\n"
                "    const %s one = 1, zero = 0;\n",
                plan->wide ? "double" : "float");
    for (int i = 0; i < plan->descriptor_count; i++)
        text_printf(call, "    %s descriptor_%d;\n", plan->descriptors[i]->type, i);
    for (int i = 0; i < plan->count; i++) {
        const DnnCall *planned = &plan->calls[i];
        text_printf(call, "    must(%s(", planned->function);
        for (int k = 0; k < planned->count; k++) {
            text_printf(call, k ? ", " : "");
            put_argument(&planned->arguments[k], tensors, call);
        }
        text_printf(call, "), \"%s\");\n", planned->function);
    }
    text_printf(call, "    must(needed > workspace_bytes, \"the workspace\");\n"
                      "    must(cudaDeviceSynchronize(), \"the kernel\");\n");
}

static bool put_calls(const Operands *o, const DnnMode *mode, Text *call)
{
    const char *const *tensors = o->source->op->tensors;
    DnnPlan plan;
    if (!cudnn_plan(&plan, o->source, &o->shapes, mode))
        return false;
    cudnn_emit_plan(&plan, tensors, call);
    return true;
}

static bool put_graph(const Operands *o, const DnnMode *mode, Text *call)
{
    Shapes shapes = o->shapes;
    GraphPlan plan;
    for (int i = 0; i < shapes.count; i++)
        shapes.tensor[i].layout = o->view[i];
    if (!cudnn_graph_plan(&plan, o->source, &shapes))
        return false;
    cudnn_emit_graph(&plan, mode, o->source, &shapes, call);
    return true;
}

void cudnn_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    DnnMode mode;
    Text error = {0}, calls = {0};
    if (!cudnn_read_mode(&mode, backend->mode, &error))
        BUG("%s", text_string(&error));
    /* A case that has no plan was declined: there is no call to write. */
    if (mode.graph ? put_graph(o, &mode, &calls) : put_calls(o, &mode, &calls)) {
        text_printf(declaration, "#include <cudnn.h>\n");
        cublas_emit_helpers(declaration);
        if (mode.graph)
            cudnn_emit_graph_helpers(declaration);
        text_printf(call, "{\n");
        cublas_emit_uploads(o, call);
        cudnn_emit_session(&mode, call);
        text_printf(call, "%s", text_string(&calls));
        cublas_emit_downloads(o, call);
        text_printf(call, "    }");
    }
    text_release(&calls);
}
