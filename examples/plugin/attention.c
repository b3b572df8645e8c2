/* A plug-in with an operator of its own, a fused attention of one head, and kernels for it: two
 * that are right in different ways, and ten that are wrong.  docs/plugin.md follows it.
 *
 *     cc -g -O2 -shared -fPIC $(pkg-config --cflags opconform) -o attention.so attention.c -lm */
#include <math.h>
#include <string.h>

#include "opconform.h"

/* y = softmax(q k^T / sqrt(size)) v; with a causal mask row i sees the first i + 1 keys.  Kernels
 * may scale q first, which rounds its products three times more, and sum by blocks of eight keys,
 * which scales weights once a block. */
static void reference(Call *call)
{
    const Tensor *q = call_operand(call, "q"), *k = call_operand(call, "k");
    const Tensor *v = call_operand(call, "v"), *y = call_operand(call, "y");
    long rows = call_integer(call, "rows"), keys = call_integer(call, "keys");
    long size = call_integer(call, "size"), causal = call_integer(call, "causal");
    Wide *w = call_memory(call, keys, sizeof *w), root = wide_sqrt(wide_of((double)size));
    for (long i = 0; i < rows; i++) {
        long seen = causal && i + 1 < keys ? i + 1 : keys;
        for (long j = 0; j < seen; j++)
            w[j] = wide_divide(wide_dot(q, i * size, 1, k, j * size, 1, size, 3), root);
        Wide greatest = wide_greatest(w, seen);
        for (long j = 0; j < seen; j++)
            w[j] = wide_round(wide_exp(wide_subtract(w[j], greatest)), 8 * (keys / 8 + 1));
        for (long c = 0; c < size; c++)
            wide_put(y, i * size + c,
                     wide_divide(wide_combine(w, v, c, size, seen), wide_sum(w, seen)));
    }
}

static const opconform_param params[] = {
    {"rows", OPCONFORM_EXTENT, 1, 64, .help = "rows of q and y"},
    {"keys", OPCONFORM_EXTENT, 1, 64, .help = "rows of k and v"},
    {"size", OPCONFORM_EXTENT, 1, 64, .help = "columns of all"},
    {"causal", OPCONFORM_CHOICE, .words = "no yes", .help = "row i sees the first i + 1 keys"},
    {0}};
static const opconform_operand_row operands[] = {
    {.name = "q", .shape = "rows size"},
    {.name = "k", .shape = "keys size"},
    {.name = "v", .shape = "keys size"},
    {.name = "y", .shape = "rows size", .role = OPCONFORM_OUT},
    {0}};
static const opconform_operator operators[] = {
    {.name = "attention1",
     .summary = "scaled dot-product attention of one head",
     .dtypes = OPCONFORM_MASK(OPCONFORM_F32),
     .params = params,
     .operands = operands,
     .work = "rows*keys*(size+8)*16",
     .reference = reference},
    {0}};

/* What is wrong with a kernel. */
enum {
    NOTHING,
    NO_SCALE,
    SCALE_OF_KEYS,
    NOT_SHIFTED,
    MASK_OFF_BY_ONE,
    LAST_KEY_LOST,
    NARROW_WEIGHTS,
    COARSE_EXPONENTIAL,
    WRONG_COLUMN,
    STALE_SUM,
    PAST_THE_END
};

/* The eight highest bits, as bfloat16 has them (Dekker). */
static float high_bits(float x)
{
    float scaled = x * 65537;
    return scaled - (scaled - x);
}

/* (1 + x/1024)^1024, as one that is fast. */
static float coarse_exponential(float x)
{
    float y = 1 + x / 1024;
    for (int i = 0; i < 10; i++)
        y *= y;
    return x < -1024 ? 0 : y;
}

static float score(const float *q, const float *k, int size, int keys, int fault)
{
    float sum = 0;
    for (int c = 0; c < size; c++)
        sum += q[c] * k[c];
    return fault == NO_SCALE        ? sum
           : fault == SCALE_OF_KEYS ? sum / sqrtf((float)keys)
                                    : sum / sqrtf((float)size);
}

/* Row by row: all scores, then their exponentials, then the sum over v, which is divided last. */
static void two_passes(const float *q, const float *k, const float *v, float *y, int rows, int keys,
                       int size, int causal, int fault)
{
    float s[64];
    for (int i = 0; i < rows; i++) {
        int seen = causal && i + 1 < keys ? i + 1 : keys;
        float greatest = -INFINITY, sum = 0;
        seen += fault == MASK_OFF_BY_ONE && causal && seen < keys;
        seen -= fault == LAST_KEY_LOST && seen % 8 == 7;
        for (int j = 0; j < seen; j++) {
            s[j] = score(q + i * size, k + j * size, size, keys, fault);
            greatest = s[j] > greatest ? s[j] : greatest;
        }
        for (int j = 0; j < seen; j++) {
            float d = s[j] - (fault == NOT_SHIFTED ? 0 : greatest);
            s[j] = fault == COARSE_EXPONENTIAL ? coarse_exponential(d) : expf(d);
            sum += s[j];
        }
        for (int c = 0; c < size; c++) {
            float total = 0;
            for (int j = 0; j < seen; j++)
                total += (fault == NARROW_WEIGHTS ? high_bits(s[j]) : s[j]) *
                         v[j * size + (fault == WRONG_COLUMN && j == 8 ? 0 : c)];
            y[i * size + c] = total / sum;
        }
    }
    if (fault == PAST_THE_END)
        y[rows * size] = 0;
}

/* Eight keys at a time, with what was summed before scaled to the greatest score so far. */
static void by_blocks(const float *q, const float *k, const float *v, float *y, int rows, int keys,
                      int size, int causal, int fault)
{
    for (int i = 0; i < rows; i++, y += size) {
        int seen = causal && i + 1 < keys ? i + 1 : keys;
        float greatest = -INFINITY, sum = 0, q_scaled[64];
        memset(y, 0, (size_t)size * sizeof *y);
        for (int c = 0; c < size; c++)
            q_scaled[c] = q[i * size + c] / sqrtf((float)size);
        for (int first = 0; first < seen; first += 8) {
            int count = seen - first < 8 ? seen - first : 8;
            float s[8], before = greatest;
            for (int j = 0; j < count; j++) {
                s[j] = 0;
                for (int c = 0; c < size; c++)
                    s[j] += q_scaled[c] * k[(first + j) * size + c];
                greatest = s[j] > greatest ? s[j] : greatest;
            }
            float factor = first ? expf(before - greatest) : 0;
            sum *= fault == STALE_SUM ? 1 : factor;
            for (int c = 0; c < size; c++)
                y[c] *= factor;
            for (int j = 0; j < count; j++) {
                float weight = expf(s[j] - greatest);
                sum += weight;
                for (int c = 0; c < size; c++)
                    y[c] += weight * v[(first + j) * size + c];
            }
        }
        for (int c = 0; c < size; c++)
            y[c] /= sum;
    }
}

#define KERNEL(name, way, fault)                                                                   \
    void name(const float *q, const float *k, const float *v, float *y, int rows, int keys,        \
              int size, int causal);                                                               \
    void name(const float *q, const float *k, const float *v, float *y, int rows, int keys,        \
              int size, int causal)                                                                \
    {                                                                                              \
        way(q, k, v, y, rows, keys, size, causal, fault);                                          \
    }
KERNEL(attention_plain, two_passes, NOTHING)
KERNEL(attention_blocks, by_blocks, NOTHING)
KERNEL(attention_no_scale, two_passes, NO_SCALE)
KERNEL(attention_scale_of_keys, two_passes, SCALE_OF_KEYS)
KERNEL(attention_not_shifted, two_passes, NOT_SHIFTED)
KERNEL(attention_mask, two_passes, MASK_OFF_BY_ONE)
KERNEL(attention_last_key, two_passes, LAST_KEY_LOST)
KERNEL(attention_narrow, two_passes, NARROW_WEIGHTS)
KERNEL(attention_coarse, two_passes, COARSE_EXPONENTIAL)
KERNEL(attention_column, two_passes, WRONG_COLUMN)
KERNEL(attention_stale, by_blocks, STALE_SUM)
KERNEL(attention_past, two_passes, PAST_THE_END)

#define ROW(variant, name)                                                                         \
    {                                                                                              \
        variant, "attention1 = " #name "(const float *q, k, v, y, rows, keys, size, causal)",      \
            (opconform_function *)name                                                             \
    }
static const opconform_kernel kernels[] = {ROW("", attention_plain),
                                           ROW("blocks", attention_blocks),
                                           ROW("no-scale", attention_no_scale),
                                           ROW("scale-of-keys", attention_scale_of_keys),
                                           ROW("not-shifted", attention_not_shifted),
                                           ROW("mask", attention_mask),
                                           ROW("last-key", attention_last_key),
                                           ROW("narrow", attention_narrow),
                                           ROW("coarse", attention_coarse),
                                           ROW("column", attention_column),
                                           ROW("stale", attention_stale),
                                           ROW("past", attention_past),
                                           {0}};

OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = "att", .version = "1", .operators = operators,
                    .kernels = kernels};
