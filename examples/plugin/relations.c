/* A plug-in with two operators whose values it computes in double, or says nothing of, and with a
 * kernel of opconform's own softmax.
 *
 *     cc -g -O2 -shared -fPIC $(pkg-config --cflags opconform) -o relations.so relations.c -lm */
#include <math.h>
#include <string.h>

#include "opconform.h"

/* smooth(x)[i] = (x[i - 1] + 2 x[i] + x[i + 1]) / 4 along rows, whose ends are repeated: in double,
 * off by at most 4 units in the last place of the largest result. */
static void smooth(Call *call)
{
    const Tensor *x = call_operand(call, "x"), *y = call_operand(call, "y");
    long rows = call_integer(call, "rows"), cols = call_integer(call, "cols");
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < cols; k++) {
            const double *at = x->values + i * cols;
            double left = at[k > 0 ? k - 1 : 0], right = at[k + 1 < cols ? k + 1 : k];
            y->values[i * cols + k] = (left + 2 * at[k] + right) / 4;
        }
}

/* rank(x)[i] is a score of x[i] among all of its row: whatever it is, rows do not depend on their
 * order, and a score goes with its element. */
static void exchange_ends(Call *first, Call *second)
{
    const Tensor *from = call_operand(first, "x"), *to = call_operand(second, "x");
    long rows = call_integer(first, "rows"), cols = call_integer(first, "cols");
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < cols; k++)
            to->values[i * cols + k] = from->values[i * cols + cols - 1 - k];
}

static int64_t other_end(Call *first, const char *operand, int64_t number, double *factor)
{
    long cols = call_integer(first, "cols");
    (void)operand, (void)factor;
    return number / cols * cols + cols - 1 - number % cols;
}

static void double_all(Call *first, Call *second)
{
    const Tensor *from = call_operand(first, "x"), *to = call_operand(second, "x");
    for (int64_t k = 0; k < from->count; k++)
        to->values[k] = 2 * from->values[k];
}

static int64_t same_place(Call *first, const char *operand, int64_t number, double *factor)
{
    (void)first, (void)operand, (void)factor;
    return number;
}

static const opconform_param params[] = {{"rows", OPCONFORM_EXTENT, 1, 16, .help = "rows"},
                                         {"cols", OPCONFORM_EXTENT, 1, 256, .help = "columns"},
                                         {0}};
static const opconform_operand_row operands[] = {
    {.name = "x", .shape = "rows cols"},
    {.name = "y", .shape = "rows cols", .role = OPCONFORM_OUT},
    {0}};
static const opconform_relation relations[] = {
    {"reversed", exchange_ends, other_end, 0}, {"doubled", double_all, same_place, 0}, {0}};
static const opconform_operator operators[] = {
    {.name = "smooth",
     .summary = "weighted means of neighbours",
     .dtypes = OPCONFORM_REALS,
     .params = params,
     .operands = operands,
     .fills = "int normal ones",
     .compute = smooth,
     .ulps_of_largest = 4},
    {.name = "rank",
     .summary = "scores of elements among those of their row",
     .dtypes = OPCONFORM_MASK(OPCONFORM_F32),
     .params = params,
     .operands = operands,
     .fills = "int normal",
     .relations = relations},
    {0}};

void smooth_f32(const float *x, float *y, int rows, int cols);
void smooth_f32(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols)
        for (int k = 0; k < cols; k++)
            y[k] = 0.25f * x[k > 0 ? k - 1 : 0] + 0.5f * x[k] + 0.25f * x[k + 1 < cols ? k + 1 : k];
}

/* With a mistake: the last of sixteen looks beyond its block at itself. */
void smooth_blocks(const float *x, float *y, int rows, int cols);
void smooth_blocks(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols)
        for (int k = 0; k < cols; k++)
            y[k] = 0.25f * x[k > 0 ? k - 1 : 0] + 0.5f * x[k] +
                   0.25f * x[k + 1 < cols && k % 16 != 15 ? k + 1 : k];
}

/* How many are smaller, of equals half. */
void rank_f32(const float *x, float *y, int rows, int cols);
void rank_f32(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols)
        for (int k = 0; k < cols; k++) {
            y[k] = 0;
            for (int j = 0; j < cols; j++)
                y[k] += x[j] < x[k] ? 1 : x[j] == x[k] ? 0.5f : 0;
        }
}

/* With a mistake: of equals those that stand before. */
void rank_stable(const float *x, float *y, int rows, int cols);
void rank_stable(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols)
        for (int k = 0; k < cols; k++) {
            y[k] = 0;
            for (int j = 0; j < cols; j++)
                y[k] += x[j] < x[k] || (x[j] == x[k] && j < k);
        }
}

/* opconform's own softmax. */
void softmax_f32(const float *x, float *y, int rows, int cols);
void softmax_f32(const float *x, float *y, int rows, int cols)
{
    for (int i = 0; i < rows; i++, x += cols, y += cols) {
        float greatest = -INFINITY, sum = 0;
        for (int k = 0; k < cols; k++)
            greatest = fmaxf(greatest, x[k]);
        for (int k = 0; k < cols; k++)
            sum += y[k] = expf(x[k] - greatest);
        for (int k = 0; k < cols; k++)
            y[k] /= sum;
    }
}

#define ROW(variant, op, name)                                                                     \
    {                                                                                              \
        variant, op " = " #name "(const float *x, y, rows, cols)", (opconform_function *)name      \
    }
static const opconform_kernel kernels[] = {
    ROW("", "smooth", smooth_f32),      ROW("", "rank", rank_f32),
    ROW("", "softmax", softmax_f32),    ROW("blocks", "smooth", smooth_blocks),
    ROW("stable", "rank", rank_stable), {0}};

OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = "rows", .version = "1", .operators = operators,
                    .kernels = kernels};
