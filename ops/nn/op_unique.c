/* The different values of a line in ascending order, zeros behind them, and for each element the
 * place of its value. */
#include "nn_distinct.h"

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

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0];
    const Distinct distinct = nn_distinct(x, arena);
    for (int k = 1; k <= 2; k++) {
        ref_allocate_exact(&refs[k], &input->tensors[k], arena);
        nn_allocate_candidates(&refs[k], arena);
    }
    refs[2].least = 0;
    refs[2].greatest = (double)refs[2].count;
    for (size_t i = 0; i < refs[1].count; i++) {
        nn_put_distinct(&refs[1], i, &distinct);
        nn_put_place_of(&refs[2], i, &distinct, tensor_value(x, (int64_t)i));
    }
}

const OpDesc op_unique = {
    NN_OP(Unique, 2),
    .name = "unique",
    .summary = "different values in order, and their places",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL | DTYPES_WHOLE | DTYPES_BOOLEAN,
    .fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_SPARSE | 1 << FILL_NEAR,
    .shape = shape,
    .work = work,
    .reference = reference,
};
