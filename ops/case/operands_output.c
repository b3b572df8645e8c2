/* Reads what a kernel left in an output, and which of its elements look unwritten. */
#include <string.h>

#include "operands.h"

typedef struct Reader {
    double *got;
    uint8_t *canary;
    DType dtype;
    bool may_hold_canary;
} Reader;

/* Real numbers that lie `step` apart, at multiples of their size. */
static void read_singles(const Reader *reader, int64_t to, int64_t count, const char *at,
                         int64_t step)
{
    double *got = reader->got + to;
    uint8_t *canary = reader->canary + to, may_hold = reader->may_hold_canary;
    uint32_t pattern, bits;
    float value;
    guard_fill((unsigned char *)&pattern, sizeof pattern, sizeof pattern);
    for (int64_t i = 0; i < count; i++) {
        memcpy(&value, at + i * step * (int64_t)sizeof value, sizeof value);
        got[i] = value;
    }
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, at + i * step * (int64_t)sizeof bits, sizeof bits);
        canary[i] = may_hold & (bits == pattern);
    }
}

static void read_doubles(const Reader *reader, int64_t to, int64_t count, const char *at,
                         int64_t step)
{
    double *got = reader->got + to;
    uint8_t *canary = reader->canary + to, may_hold = reader->may_hold_canary;
    uint64_t pattern, bits;
    guard_fill((unsigned char *)&pattern, sizeof pattern, sizeof pattern);
    for (int64_t i = 0; i < count; i++)
        memcpy(&got[i], at + i * step * (int64_t)sizeof *got, sizeof *got);
    for (int64_t i = 0; i < count; i++) {
        memcpy(&bits, at + i * step * (int64_t)sizeof bits, sizeof bits);
        canary[i] = may_hold & (bits == pattern);
    }
}

static void read_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Reader *reader = context;
    int64_t components = dtype_components(reader->dtype);
    size_t size = dtype_component_size(reader->dtype);
    bool aligned = (uintptr_t)at % size == 0;
    if (reader->dtype == DT_F32 && aligned) {
        read_singles(reader, first, count, at, stride);
        return;
    }
    if (reader->dtype == DT_F64 && aligned) {
        read_doubles(reader, first, count, at, stride);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        for (int64_t part = 0; part < components; part++) {
            int64_t to = (first + i) * components + part, from = i * stride * components + part;
            reader->got[to] = dtype_load(reader->dtype, at, from);
            reader->canary[to] =
                reader->may_hold_canary &&
                guard_is_pattern((const unsigned char *)at + from * (int64_t)size, size, size);
        }
    }
}

static Reader reader_of(const Operands *o, int i, double *got, uint8_t *canary)
{
    bool may_hold_canary = o->shapes.tensor[i].ignored || o->shapes.tensor[i].role == ROLE_OUT;
    return (Reader){got, canary, o->view[i].dtype, may_hold_canary};
}

void operands_output_rows(const Operands *o, int i, const Tensor *part, const size_t *rows,
                          size_t count, double *got, uint8_t *canary)
{
    size_t components = (size_t)dtype_components(part->dtype);
    size_t width = (size_t)part->extent[1] * components;
    memset(got, 0, count * width * sizeof *got);
    memset(canary, 0, count * width);
    for (size_t k = 0; k < count; k++) {
        int64_t first;
        Tensor row = tensor_existing_row(part, (int64_t)rows[k], &first);
        size_t to = k * width + (size_t)first * components;
        Reader reader = reader_of(o, i, got + to, canary + to);
        tensor_visit_runs(&row, read_run, &reader);
    }
}

void operands_output(const Operands *o, int i, double *got, uint8_t *canary)
{
    Reader reader = reader_of(o, i, got, canary);
    if (o->view[i].limited) {
        memset(got, 0, operands_components(o, i) * sizeof *got);
        memset(canary, 0, operands_components(o, i));
    }
    tensor_visit_runs(&o->view[i], read_run, &reader);
}
