/* For each value the number of elements of a sorted line that are below it, or not above it. */
#include <math.h>

#include "nn.h"

static const char *const sides[] = {"left", "right", NULL};

typedef struct SearchSorted {
    int64_t dtype, length;
    Shape shape;
    int64_t side;
} SearchSorted;

static const Param params[] = {
    NN_DTYPE(SearchSorted),
    P_DIM(SearchSorted, length, 0, 512, "elements of the sorted line", .formerly = "n"),
    NN_INPUT_SHAPE(SearchSorted),
    P_CHOICE(SearchSorted, side, sides, "left: those below; right: not above", .formerly = "mode"),
    P_END};
static const char *const tensors[] = {"sorted", "x", "places", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const SearchSorted *q = params_of_case;
    Shape line = {1, {q->length}};
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &line, ROLE_IN);
    shapes->tensor[0].ascending = true;
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[2] = nn_tensor(DT_I64, &q->shape, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const SearchSorted *q = params_of_case;
    return (double)(q->length + 32) * nn_work_elements(&q->shape, 4);
}

static void put_nan(Ref *ref, size_t i, double end)
{
    double *set = ref->candidates + i * REF_CANDIDATES;
    set[0] = 0;
    set[1] = set[2] = end;
    ref->match[i] = MATCH_SET;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SearchSorted *q = input->params;
    const Tensor *sorted = &input->tensors[0], *x = &input->tensors[1];
    bool has_nan = false;
    for (int64_t k = 0; k < q->length; k++)
        has_nan = has_nan || isnan(tensor_value(sorted, k));
    ref_allocate_exact(&refs[2], &input->tensors[2], arena);
    refs[2].candidates =
        arena_take_zeroed(arena, refs[2].count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < refs[2].count; i++) {
        double value = tensor_value(x, (int64_t)i);
        int64_t place = 0;
        for (int64_t k = 0; k < q->length; k++) {
            double element = tensor_value(sorted, k);
            place += q->side ? element <= value : element < value;
        }
        ref_set_exact(&refs[2], i, (double)place, MATCH_VALUE);
        /* A line with NaN is not in order.  NaN is before all numbers or behind them. */
        if (has_nan)
            ref_set_classes(&refs[2], i, CLASS_ANY);
        else if (isnan(value))
            put_nan(&refs[2], i, (double)q->length);
    }
}

const OpDesc op_searchsorted = {
    NN_OP(SearchSorted, 2),
    .name = "searchsorted",
    .summary = "places of values in a sorted line",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL | 1u << DT_I32 | 1u << DT_I64,
    .shape = shape,
    .work = work,
    .reference = reference,
};
