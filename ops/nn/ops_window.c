/* Windows: w_k = a0 - a1 cos(t) + a2 cos(2 t) - a3 cos(3 t) with t = 2 pi k / d, where d is the
 * number of elements less one, or, where the window is one period, their number (PyTorch,
 * torch.signal.windows; NumPy, hanning, hamming and blackman); Bartlett's is 1 - |2 k / d - 1|.
 *
 * An evaluation rounds the angle, up to 2 pi, four times, and each term and sum once: with a1 + 2
 * a2 + 3 a3 below 1, w is off by at most (8 pi + 8) u, without regard to its size. */
#include <math.h>

#include "nn.h"

enum { TERMS = 4, ELEMENTS_MAX = 512 };

typedef struct WindowCase {
    int64_t dtype, elements, sym;
} WindowCase;

static const Param params[] = {
    NN_DTYPE(WindowCase), P_DIM(WindowCase, elements, 1, ELEMENTS_MAX, "elements"),
    P_CHOICE(WindowCase, sym, nn_yes_no, "the last one is like the first"), P_END};
static const char *const tensors[] = {"y", NULL};

typedef struct Row {
    const char *name, *summary;
    long double terms[TERMS]; /* all 0: Bartlett's */
} Row;

static const Row rows[] = {
    {"hann_window", "window of Hann", {0.5L, 0.5L, 0, 0}},
    {"hamming_window", "window of Hamming", {0.54L, 0.46L, 0, 0}},
    {"blackman_window", "window of Blackman", {0.42L, 0.5L, 0.08L, 0}},
    {"nuttall_window", "window of Nuttall", {0.3635819L, 0.4891775L, 0.1365995L, 0.0106411L}},
    {"bartlett_window", "triangular window", {0}},
};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const WindowCase *q = params_of_case;
    Shape line = {1, {q->elements}};
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &line, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    enum { COST = 256 };
    return COST * (double)((const WindowCase *)params_of_case)->elements;
}

static long double value_of(const Row *row, int64_t k, int64_t divisor)
{
    const long double turn = 6.28318530717958647692528676655900577L;
    long double sum = 0;
    if (row->terms[0] == 0)
        return 1 - fabsl(2.0L * k / divisor - 1);
    for (int i = 0; i < TERMS; i++)
        sum += (i % 2 ? -1 : 1) * row->terms[i] * cosl(turn * (i * k % divisor) / divisor);
    return sum;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { ROUNDINGS = 34 };
    const WindowCase *q = input->params;
    const Tensor *y = &input->tensors[0];
    ref_allocate_bounded(&refs[0], y->dtype, y, arena);
    double bound = ROUNDINGS * dtype_format(refs[0].accumulator)->unit;
    for (int64_t k = 0; k < q->elements; k++) {
        int64_t divisor = q->elements - (q->sym ? 1 : 0);
        long double value = q->elements == 1 ? 1 : value_of(input->op->detail, k, divisor);
        ref_put_bounded(&refs[0], (size_t)k, value, 0x1p-60L, bound);
    }
}

OP_TABLE(ops_window)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(WindowCase, 1),       .name = rows[i].name, .summary = rows[i].summary,
            .params = params,           .tensors = tensors,   .dtypes = DTYPES_REAL,
            .fills = nn_function_fills, .shape = shape,       .work = work,
            .reference = reference,     .detail = &rows[i],
        };
    return table;
}
