/* Primitives in the layouts that the library finds best, with copies into and out of them. */
#include <string.h>

#include "onednn_library.h"

/* Convolutions and products have kernels for blocks of channels. */
bool dnnl_chooses(const DnnlLibrary *library, const DnnlPlan *plan)
{
    return library->blocked &&
           (strstr(plan->function, "convolution") || strstr(plan->function, "matmul"));
}

static bool is_dense(const DnnlMemory *memory)
{
    int64_t step = 1;
    for (int axis = memory->rank - 1; axis >= 0; axis--) {
        if (memory->extent[axis] > 1 && memory->stride[axis] != step)
            return false;
        step *= memory->extent[axis];
    }
    return true;
}

bool dnnl_copies(const DnnlLibrary *library, const DnnlPlan *plan, int i)
{
    const DnnlMemory *memory = &plan->memories[i];
    return dnnl_chooses(library, plan) || (!memory->described && !is_dense(memory));
}

int dnnl_reorder(const DnnlLibrary *l, const void *from_descriptor, void *from,
                 const void *to_descriptor, void *to)
{
    void *descriptor = NULL, *primitive = NULL;
    int status =
        l->reorder(&descriptor, from_descriptor, l->engine, to_descriptor, l->engine, NULL);
    if (status == 0)
        status = l->primitive_create(&primitive, descriptor);
    const DnnlExecArgument arguments[] = {{DNNL_ARGUMENT_SRC, from}, {DNNL_ARGUMENT_DST, to}};
    if (status == 0)
        status = l->execute(primitive, l->stream, 2, arguments);
    if (status == 0)
        status = l->stream_wait(l->stream);
    if (primitive)
        (void)l->destroy_primitive(primitive);
    if (descriptor)
        (void)l->destroy_descriptor(descriptor);
    return status;
}
