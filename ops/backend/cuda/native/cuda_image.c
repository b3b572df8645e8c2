/* One copy to the device and one back for each call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

enum { PLACE_ALIGNMENT = 256, ZONE_BYTES = 512, SCRATCH_WIDTH = 8 };

void cuda_begin(CudaSession *session, const CudaRuntime *cuda, bool stream)
{
    void *memory = NULL;
    *session = (CudaSession){.cuda = cuda};
    int error = cuda->allocate(&memory, DEVICE_BYTES);
    if (!error && stream)
        error = cuda->stream_create(&session->stream);
    if (error)
        (void)snprintf(session->failure, sizeof session->failure, "no session: %s",
                       cuda->error_name(error));
    session->device = memory;
    session->image = memory_align(PLACE_ALIGNMENT, DEVICE_BYTES);
    session->image_after = memory_align(PLACE_ALIGNMENT, DEVICE_BYTES);
}

bool image_is_plain(const CudaImage *image)
{
    for (int i = 0; i < image->shapes.count; i++) {
        const Tensor *layout = &image->shapes.tensor[i].layout;
        const RequestTensor *tensor = &image->request->tensors[i];
        for (int axis = 0; axis < layout->rank; axis++)
            if (layout->extent[axis] > 1 &&
                tensor->stride[axis] != layout->stride[axis] * (int64_t)dtype_size(layout->dtype))
                return false;
    }
    return true;
}

void image_take_strides(CudaImage *image)
{
    for (int i = 0; i < image->shapes.count; i++) {
        Tensor *layout = &image->shapes.tensor[i].layout;
        for (int axis = 0; axis < layout->rank; axis++)
            layout->stride[axis] =
                image->request->tensors[i].stride[axis] / (int64_t)dtype_size(layout->dtype);
    }
}

size_t image_reserve(CudaImage *image, size_t bytes)
{
    size_t at = (image->used + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
    image->used = at + bytes;
    return at;
}

void *image_address(const CudaImage *image, size_t at)
{
    return image->session->device + at;
}

uint32_t address_alignment(const void *address, uint32_t most)
{
    while ((uintptr_t)address % most)
        most /= 2;
    return most;
}

unsigned char *image_add_scratch(CudaImage *image, size_t bytes)
{
    size_t at = image_reserve(image, bytes + 2 * ZONE_BYTES) + ZONE_BYTES;
    if (image->used > DEVICE_BYTES || image->scratch_count == CUDA_SCRATCH_MAX)
        return NULL;
    unsigned char *here = image->session->image + at;
    image->scratch[image->scratch_count++] = (CudaScratch){at, bytes};
    guard_fill(here - ZONE_BYTES, ZONE_BYTES, SCRATCH_WIDTH);
    guard_fill(here + bytes, ZONE_BYTES, SCRATCH_WIDTH);
    return memset(here, 0, bytes);
}

bool image_place(CudaImage *image, int operand, bool on_device)
{
    const Tensor *layout = &image->shapes.tensor[operand].layout;
    CudaPlace *place = &image->places[operand];
    place->element = dtype_size(layout->dtype);
    place->width = dtype_component_size(layout->dtype);
    place->bytes = (size_t)tensor_span(layout) * place->element;
    place->host = (unsigned char *)native_data(image->request, operand) -
                  (size_t)tensor_origin_offset(layout) * place->element;
    place->on_device = on_device;
    size_t shift = (size_t)(place->host - image->request->memory) % PROCESS_ALIGNMENT;
    if (on_device)
        place->at =
            image_reserve(image, place->bytes + 2 * ZONE_BYTES + shift) + ZONE_BYTES + shift;
    return image->used <= DEVICE_BYTES;
}

bool image_place_all(CudaImage *image)
{
    for (int i = 0; i < image->shapes.count; i++)
        if (!image_place(image, i, true))
            return false;
    return true;
}

static void put_operands(const CudaImage *image)
{
    for (int i = 0; i < image->shapes.count; i++) {
        const CudaPlace *place = &image->places[i];
        unsigned char *at = image->session->image + place->at;
        if (!place->on_device)
            continue;
        guard_fill(at - ZONE_BYTES, ZONE_BYTES, place->width);
        memcpy(at, place->host, place->bytes);
        guard_fill(at + place->bytes, ZONE_BYTES, place->width);
    }
}

static bool is_breached(const unsigned char *at, size_t bytes, GuardWidth width)
{
    return !guard_is_pattern(at - ZONE_BYTES, ZONE_BYTES, width) ||
           !guard_is_pattern(at + bytes, ZONE_BYTES, width);
}

/* "scratch memory" where bytes beside it were written, else NULL. */
static const char *check_scratch(const CudaImage *image)
{
    for (int i = 0; i < image->scratch_count; i++)
        if (is_breached(image->session->image_after + image->scratch[i].at, image->scratch[i].bytes,
                        SCRATCH_WIDTH))
            return "scratch memory";
    return NULL;
}

/* The first operand whose zones were written, or NULL. */
static const char *take_operands(const CudaImage *image)
{
    const char *breached = NULL;
    for (int i = 0; i < image->shapes.count; i++) {
        const CudaPlace *place = &image->places[i];
        const unsigned char *at = image->session->image_after + place->at;
        if (!place->on_device)
            continue;
        memcpy(place->host, at, place->bytes);
        if (!breached && is_breached(at, place->bytes, place->width))
            breached = image->request->call->c.op->tensors[i];
    }
    return breached;
}

uint32_t cuda_fail(const NativeRequest *request, uint32_t reply, const char *why)
{
    (void)snprintf(request->message, REPLY_TEXT, "%s", why);
    return reply;
}

uint32_t image_run(CudaImage *image, CudaInvoke *invoke, void *call, int *status)
{
    const CudaSession *session = image->session;
    const CudaRuntime *cuda = session->cuda;
    put_operands(image);
    int error = cuda->copy(session->device, session->image, image->used, COPY_TO_DEVICE);
    *status = error ? 0 : invoke(call);
    if (!error)
        error = cuda->synchronise();
    if (!error)
        error = cuda->copy(session->image_after, session->device, image->used, COPY_FROM_DEVICE);
    if (error)
        return cuda_fail(image->request, REPLY_LOST, cuda->error_name(error));
    const char *breached = take_operands(image);
    if (!breached)
        breached = check_scratch(image);
    return breached ? cuda_fail(image->request, REPLY_BREACH, breached) : REPLY_DONE;
}
