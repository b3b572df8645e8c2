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

/* NaN is before all numbers or behind them; a line that ends with NaN is in order where it is
 * behind, and a search that takes it for less than a number goes on to the end. */
static void put_place(Ref *ref, size_t i, bool is_nan, int64_t place, int64_t numbers,
                      int64_t length)
{
    const double of_number[] = {(double)place, numbers < length ? (double)length : (double)place};
    const double of_nan[] = {0, (double)numbers, (double)length};
    if (is_nan)
        ref_put_one_of(ref, i, of_nan, COUNT_OF(of_nan));
    else
        ref_put_one_of(ref, i, of_number, COUNT_OF(of_number));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SearchSorted *q = input->params;
    const Tensor *sorted = &input->tensors[0], *x = &input->tensors[1];
    int64_t numbers = 0;
    for (int64_t k = 0; k < q->length; k++)
        numbers += !isnan(tensor_value(sorted, k));
    ref_allocate_exact(&refs[2], &input->tensors[2], arena);
    nn_allocate_candidates(&refs[2], arena);
    for (size_t i = 0; i < refs[2].count; i++) {
        double value = tensor_value(x, (int64_t)i);
        int64_t place = 0;
        for (int64_t k = 0; k < q->length; k++) {
            double element = tensor_value(sorted, k);
            place += q->side ? element <= value : element < value;
        }
        put_place(&refs[2], i, isnan(value), place, numbers, q->length);
    }
}

const OpDesc op_searchsorted = {
    NN_OP(SearchSorted, 2), .name = "searchsorted", .summary = "places of values in a sorted line",
    .params = params,       .tensors = tensors,     .dtypes = DTYPES_REAL | DTYPES_WHOLE,
    .shape = shape,         .work = work,           .reference = reference,
};
