/* The different values of a line in ascending order, zeros behind them, and for each element the
 * place of its value.  Lines with NaN are not judged. */
#include <math.h>
#include <stdlib.h>

#include "nn.h"

typedef struct Unique {
    int64_t dtype, length;
} Unique;

static const Param params[] = {NN_DTYPE(Unique),
                               P_DIM(Unique, length, 0, 4096, "elements", .formerly = "n"), P_END};
static const char *const tensors[] = {"x", "values", "places", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Unique *q = params_of_case;
    Shape line = {1, {q->length}};
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &line, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &line, ROLE_OUT);
    shapes->tensor[2] = nn_tensor(DT_I64, &line, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Unique *q = params_of_case;
    return 256.0 * (double)q->length;
}

static size_t keep_different(double *values, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || values[i] != values[kept - 1])
            values[kept++] = values[i];
    return kept;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0];
    size_t count = (size_t)tensor_count(x);
    bool has_nan = false;
    double *values = arena_take(arena, count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = tensor_value(x, (int64_t)i);
        has_nan = has_nan || isnan(values[i]);
    }
    qsort(values, count, sizeof *values, value_compare);
    size_t kept = keep_different(values, count);
    ref_allocate_exact(&refs[1], &input->tensors[1], arena);
    ref_allocate_exact(&refs[2], &input->tensors[2], arena);
    for (size_t i = 0; i < count; i++) {
        double value = tensor_value(x, (int64_t)i);
        const double *at = bsearch(&value, values, kept, sizeof *values, value_compare);
        ref_set_exact(&refs[1], i, i < kept ? values[i] : 0, MATCH_VALUE);
        ref_set_exact(&refs[2], i, at ? (double)(at - values) : 0, MATCH_VALUE);
        if (has_nan) {
            ref_set_classes(&refs[1], i, CLASS_ANY);
            ref_set_classes(&refs[2], i, CLASS_ANY);
        }
    }
}

const OpDesc op_unique = {
    NN_OP(Unique, 2),
    .name = "unique",
    .summary = "different values in order, and their places",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL | DTYPES_INTEGER,
    .fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_SPARSE | 1 << FILL_NEAR,
    .shape = shape,
    .work = work,
    .reference = reference,
};
