/* The faults.  Each is one that a real kernel could have, narrow enough that finding it needs the
 * case to be right. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "planted.h"
#include "reference/random.h"

char *planted_copy(PlantedCall *call, int i)
{
    Tensor *view = &call->view[i];
    size_t bytes = (size_t)tensor_count(view) * dtype_size(view->dtype);
    char *copy = arena_take(call->arena, bytes + 1, 1);
    memcpy(copy, view->origin, bytes);
    view->origin = copy;
    return copy;
}

static int64_t depth_of(const PlantedCall *call)
{
    return call->operands->view[0].extent[1];
}

static const Tensor *output_of(const PlantedCall *call)
{
    return &call->operands->view[2];
}

static char *output_at(const PlantedCall *call, int64_t i, int64_t j)
{
    const Tensor *out = output_of(call);
    return (char *)out->origin +
           (i * out->stride[0] + j * out->stride[1]) * (int64_t)dtype_size(out->dtype);
}

static Scalar *altered_scalar(PlantedCall *call, const char *name)
{
    for (const Param *param = call->altered.op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param_scalar(param, call->altered.params);
    BUG("no scalar '%s'", name);
}

static int64_t altered_int(const PlantedCall *call, const char *name)
{
    return case_has(&call->altered, name) ? case_int(&call->altered, name) : -1;
}

static bool output_empty(const PlantedCall *call)
{
    return tensor_count(output_of(call)) == 0;
}

/* Calls change for every component of the output and stores what it returns. */
typedef double ChangeValue(const Format *format, double value);

typedef struct Change {
    ChangeValue *change;
    DType dtype;
} Change;

static void change_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Change *change = context;
    int components = dtype_components(change->dtype);
    (void)first;
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < components; part++) {
            int64_t index = i * stride * components + part;
            double value = dtype_load(change->dtype, at, index);
            dtype_store(change->dtype, at, index,
                        change->change(dtype_format(change->dtype), value));
        }
}

static void change_output(PlantedCall *call, ChangeValue *change)
{
    Change context = {change, output_of(call)->dtype};
    tensor_visit_runs(output_of(call), change_run, &context);
}

/* Replaces operand i by a dense copy whose values went through change. */
static void change_operand(PlantedCall *call, int i, ChangeValue *change)
{
    Tensor *view = &call->view[i];
    size_t size = dtype_size(view->dtype);
    size_t bytes = (size_t)tensor_span(view) * size;
    size_t before = (size_t)tensor_origin_offset(view) * size;
    char *copy = arena_take(call->arena, bytes + 1, 1);
    if (bytes == 0 || call->operands->shapes.tensor[i].ignored)
        return;
    memcpy(copy, (const char *)view->origin - before, bytes);
    view->origin = copy + before;
    Change context = {change, view->dtype};
    tensor_visit_runs(view, change_run, &context);
}

static double keep_bits(double value, int bits)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    word &= ~0ull << (53 - bits);
    memcpy(&value, &word, sizeof word);
    return value;
}

static double truncate_to_bf16(const Format *format, double value)
{
    (void)format;
    return isfinite(value) ? keep_bits(value, 8) : value;
}

static double truncate_to_tf32(const Format *format, double value)
{
    return isfinite(value) && format->precision == 24 ? keep_bits(value, 11) : value;
}

static double round_to_half(const Format *format, double value)
{
    (void)format;
    return isfinite(value) ? keep_bits(value, 11) : value;
}

static double drop_nan(const Format *format, double value)
{
    (void)format;
    return isnan(value) ? 0 : value;
}

static double saturate(const Format *format, double value)
{
    return isinf(value) ? copysign(format->largest, value) : value;
}

static double flush(const Format *format, double value)
{
    return fabs(value) < format->smallest_normal ? copysign(0, value) : value;
}

static double one_up(DType dtype, double value)
{
    if (!isfinite(value))
        return value;
    if (dtype_format(dtype)->precision == 24)
        return nextafterf((float)value, INFINITY);
    return nextafter(value, INFINITY);
}

static void drop_last_term(PlantedCall *call)
{
    if (depth_of(call) == 0)
        return;
    call->view[0].extent[1]--;
    call->view[1].extent[0]--;
}

static void skip_leading_padding(PlantedCall *call)
{
    Tensor *a = &call->view[0];
    int axis = a->stride[0] == 1 ? 1 : 0;
    if (altered_int(call, "lda") == 1)
        a->stride[axis]--;
}

static void square_beta(PlantedCall *call)
{
    Scalar *beta = altered_scalar(call, "beta");
    if (beta->im == 0)
        beta->re = dtype_round(case_dtype(&call->altered), beta->re * beta->re);
}

static void ignore_minus_alpha(PlantedCall *call)
{
    Scalar *alpha = altered_scalar(call, "alpha");
    if (alpha->re == -1)
        alpha->re = 1;
}

static void ignore_conjugate(PlantedCall *call)
{
    for (const Param *param = call->altered.op->params; param->name; param++)
        if (!strcmp(param->name, "ta") && *param_integer(param, call->altered.params) == 2)
            *param_integer(param, call->altered.params) = 1;
}

static void truncate_inputs_bf16(PlantedCall *call)
{
    change_operand(call, 0, truncate_to_bf16);
    change_operand(call, 1, truncate_to_bf16);
}

static void truncate_inputs_tf32(PlantedCall *call)
{
    change_operand(call, 0, truncate_to_tf32);
    change_operand(call, 1, truncate_to_tf32);
}

static void finish_tail_column(PlantedCall *call)
{
    const Tensor *out = output_of(call);
    int64_t columns = out->extent[1];
    if (depth_of(call) <= 64 || columns % 8 != 3)
        return;
    for (int64_t i = 0; i < out->extent[0]; i++)
        memcpy(output_at(call, i, columns - 1), output_at(call, i, columns - 2),
               dtype_size(out->dtype));
}

static void finish_reads_ignored_c(PlantedCall *call)
{
    const Operands *o = call->operands;
    const Tensor *out = output_of(call);
    if (!o->shapes.tensor[2].ignored)
        return;
    for (int64_t i = 0; i < out->extent[0]; i++)
        for (int64_t j = 0; j < out->extent[1]; j++) {
            char *at = output_at(call, i, j);
            const unsigned char *old = o->pristine[2] + ((unsigned char *)at - o->block[2].data);
            for (int part = 0; part < dtype_components(out->dtype); part++)
                dtype_store(out->dtype, at, part,
                            dtype_load(out->dtype, at, part) +
                                0 * dtype_load(out->dtype, old, part));
        }
}

static void finish_drop_nan(PlantedCall *call)
{
    change_output(call, drop_nan);
}

static void finish_half_sum(PlantedCall *call)
{
    if (depth_of(call) > 128)
        change_output(call, round_to_half);
}

static void finish_saturate(PlantedCall *call)
{
    change_output(call, saturate);
}

static void finish_flush(PlantedCall *call)
{
    change_output(call, flush);
}

static void nudge(PlantedCall *call, int64_t i, int64_t j)
{
    DType dtype = output_of(call)->dtype;
    char *at = output_at(call, i, j);
    dtype_store(dtype, at, 0, one_up(dtype, dtype_load(dtype, at, 0)));
}

static void finish_one_ulp(PlantedCall *call)
{
    const Tensor *out = output_of(call);
    if (!output_empty(call))
        nudge(call, out->extent[0] - 1, out->extent[1] - 1);
}

static void finish_second_call(PlantedCall *call)
{
    if (call->operands->call > 0 && !output_empty(call))
        nudge(call, 0, 0);
}

/* One element after the last of the first row or column: padding, if there is any, else the margin
 * or the guard page. */
static void finish_past_row(PlantedCall *call)
{
    const Tensor *out = output_of(call);
    int axis = out->stride[1] == 1 ? 1 : 0;
    if (output_empty(call) || altered_int(call, "ldc") < 1)
        return;
    char *at = axis ? output_at(call, 0, out->extent[1]) : output_at(call, out->extent[0], 0);
    memcpy(at, output_at(call, 0, 0), dtype_size(out->dtype));
}

static void finish_no_write(PlantedCall *call)
{
    const GuardBlock *block = &call->operands->block[2];
    if (altered_int(call, "m") % 4 == 1)
        memcpy(block->data, call->operands->pristine[2], block->bytes);
}

static void finish_input_modified(PlantedCall *call)
{
    const Operands *o = call->operands;
    if (o->block[1].bytes > 0 && altered_scalar(call, "alpha")->re == -1)
        o->block[1].data[0] ^= 1;
}

static void finish_input_restored(PlantedCall *call)
{
    const Operands *o = call->operands;
    if (o->block[0].bytes > 0 && altered_scalar(call, "beta")->re == -1) {
        volatile unsigned char *first = o->block[0].data;
        *first ^= 1;
        *first ^= 1;
    }
}

static void finish_swap_rows(PlantedCall *call)
{
    const Tensor *out = output_of(call);
    int64_t rows = out->extent[0];
    if (rows % 4 != 2)
        return;
    for (int64_t j = 0; j < out->extent[1]; j++) {
        char saved[16];
        size_t size = dtype_size(out->dtype);
        memcpy(saved, output_at(call, rows - 1, j), size);
        memcpy(output_at(call, rows - 1, j), output_at(call, rows - 2, j), size);
        memcpy(output_at(call, rows - 2, j), saved, size);
    }
}

static void finish_leaves_flush_mode(PlantedCall *call)
{
    (void)call;
#if defined(__x86_64__)
    unsigned control = __builtin_ia32_stmxcsr() | 0x8000u;
    __builtin_ia32_ldmxcsr(control);
#endif
}

static void hang(void)
{
    for (;;)
        (void)pause();
}

static void crash(void)
{
    static volatile int *volatile nowhere = (volatile int *)(uintptr_t)8;
    *nowhere = 1;
}

static void prepare_hang(PlantedCall *call)
{
    if (depth_of(call) % 4 == 3)
        hang();
}

static void prepare_segfault(PlantedCall *call)
{
    if (call->operands->view[2].extent[0] % 8 == 5)
        crash();
}

static void prepare_abort(PlantedCall *call)
{
    if (altered_int(call, "order") == 1 && depth_of(call) == 2)
        abort();
}

static void prepare_overread(PlantedCall *call)
{
    const GuardBlock *block = &call->operands->block[0];
    if (depth_of(call) % 4 == 1) {
        volatile unsigned char beyond = block->data[block->bytes];
        (void)beyond;
    }
}

/* For tests of the supervisor: every call crashes, one in 101 hangs. */
static void prepare_storm(PlantedCall *call)
{
    if (case_hash(call->operands->source) % 101 == 0)
        hang();
    crash();
}

/* Takes memory until there is none, as a leak does. */
static void exhaust(void)
{
    enum { PIECE = 16 << 20 };
    while (mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED)
        ;
    abort();
}

/* Fault: ends in a crash, an abort, a hang, exhausted memory or a write outside, by the depth of
 * the case. */
static void prepare_mixed_storm(PlantedCall *call)
{
    const GuardBlock *block = &call->operands->block[0];
    switch (depth_of(call)) {
    case 1:
        crash();
        break;
    case 2:
        abort();
    case 3:
        hang();
        break;
    case 4:
        exhaust();
        break;
    case 5:
        *(volatile unsigned char *)(block->data + block->bytes) = 1;
    }
}

static void prepare_leak(PlantedCall *call)
{
    enum { LOST_BYTES = 100 };
    static void **kept;
    if (altered_int(call, "m") % 4 != 2)
        return;
    void **more = memory_allocate(1, LOST_BYTES);
    *more = (void *)kept;
    kept = more;
}

/* Reads x from its lowest address up, whatever the sign of its increment. */
static void reverse_x(PlantedCall *call)
{
    Tensor *x = &call->view[1];
    if (x->stride[0] >= 0)
        return;
    x->origin = call->operands->block[1].data;
    x->stride[0] = -x->stride[0];
}

static void finish_scale_empty(PlantedCall *call)
{
    const Tensor *out = output_of(call);
    double beta = altered_scalar(call, "beta")->re;
    for (int64_t i = 0; depth_of(call) == 0 && i < out->extent[0]; i++)
        for (int part = 0; part < dtype_components(out->dtype); part++)
            dtype_store(out->dtype, output_at(call, i, 0), part,
                        beta * dtype_load(out->dtype, output_at(call, i, 0), part));
}

/* Fault: hangs at depths 1 and 2, so that shrinking a wrong value leads into calls that never
 * return. */
static void prepare_trap(PlantedCall *call)
{
    while (depth_of(call) == 1 || depth_of(call) == 2)
        (void)usleep(1000);
}

static double doubled(const Format *format, double value)
{
    (void)format;
    return value * 2 + 1;
}

static void finish_trap(PlantedCall *call)
{
    if (depth_of(call) > 8)
        change_output(call, doubled);
}

const PlantedFault planted_faults[] = {
    {"drop-last-k", "gemm", "the last term of every sum is missing", drop_last_term, NULL},
    {"tail-column", "gemm", "n mod 8 = 3 and k > 64: last column", NULL, finish_tail_column},
    {"ld-ignored", "gemm", "lda is one above its minimum", skip_leading_padding, NULL},
    {"beta-twice", "gemm", "beta is applied twice", square_beta, NULL},
    {"beta0-reads-c", "gemm", "beta = 0 multiplies C", NULL, finish_reads_ignored_c},
    {"nan-dropped", "gemm", "NaN becomes 0", NULL, finish_drop_nan},
    {"bf16-inputs", "gemm", "A and B are truncated to bf16", truncate_inputs_bf16, NULL},
    {"tf32-inputs", "gemm", "f32 A and B are truncated to tf32", truncate_inputs_tf32, NULL},
    {"half-sum", "gemm", "k > 128: 11 bits of the result", NULL, finish_half_sum},
    {"one-ulp", "gemm", "the last element is one ulp up", NULL, finish_one_ulp},
    {"past-row", "gemm", "writes one element past a row of padded C", NULL, finish_past_row},
    {"no-write", "gemm", "m mod 4 = 1: writes nothing", NULL, finish_no_write},
    {"input-modified", "gemm", "alpha = -1: changes a bit of B", NULL, finish_input_modified},
    {"input-restored", "gemm", "beta = -1: changes a bit of A, and changes it back", NULL,
     finish_input_restored},
    {"second-call", "gemm", "later calls on the same data differ by one ulp", NULL,
     finish_second_call},
    {"alpha-sign", "gemm", "alpha = -1 is taken for 1", ignore_minus_alpha, NULL},
    {"conjugate", "gemm", "conjugation of A is ignored", ignore_conjugate, NULL},
    {"swap-rows", "gemm", "m mod 4 = 2: last two rows exchanged", NULL, finish_swap_rows},
    {"saturate", "gemm", "infinities become the largest number", NULL, finish_saturate},
    {"flush", "gemm", "subnormal results become 0", NULL, finish_flush},
    {"flush-mode", "gemm", "leaves flush-to-zero switched on", NULL, finish_leaves_flush_mode},
    {"overread", "gemm", "k mod 4 = 1: reads one byte after A", prepare_overread, NULL},
    {"hang", "gemm", "k mod 4 = 3: never returns", prepare_hang, NULL},
    {"trap", "gemm", "k > 8: wrong; a k of 1 or 2 never returns", prepare_trap, finish_trap},
    {"segfault", "gemm", "m mod 8 = 5: crashes", prepare_segfault, NULL},
    {"abort", "gemm", "row-major and k = 2: calls abort", prepare_abort, NULL},
    {"leak", "gemm", "m mod 4 = 2: keeps 100 bytes", prepare_leak, NULL},
    {"incx-sign", "gemv", "incx < 0 is taken for its magnitude", reverse_x, NULL},
    {"empty-scaled", "gemv", "n = 0 multiplies y by beta", NULL, finish_scale_empty},
    {"storm", "gemm", "every call crashes, one in 101 hangs", prepare_storm, NULL},
    {"mixed-storm", "gemm", "k = 1 to 5: crash, abort, hang, all memory, write after A",
     prepare_mixed_storm, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
