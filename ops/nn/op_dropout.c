/* Dropout: at inference y = x; in training each element is kept with probability 1 - p and divided
 * by it, or replaced by 0, and the mask says which.
 *
 * Which elements are kept is the kernel's choice, so that y is judged by the mask that came out.
 * Which are kept is held to the
 * law of a chance of 1 - p for each (reference/chance.h): how many, and whether places some
 * distance apart, or in neighbouring rows, agree more often than chance has it. */
#include <math.h>

#include "nn_exact.h"
#include "reference/chance.h"
#include "reference/random.h"

static const char *const former_words[] = {"inference", "training", NULL};

typedef struct Dropout {
    int64_t dtype;
    Shape shape;
    int64_t training;
    Scalar p;
    int64_t seed;
} Dropout;

static const Param params[] = {
    NN_DTYPE(Dropout),
    NN_INPUT_SHAPE(Dropout),
    P_CHOICE(Dropout, training, nn_yes_no, "elements are dropped", .formerly = "mode",
             .former_names = former_words),
    P_REAL(Dropout, p, 0, "probability that an element is dropped", .formerly = "alpha"),
    P_INTEGER(Dropout, seed, 0, 65535, 0, "seed of the kernel", .formerly = "start"),
    P_END};
static const char *const tensors[] = {"x", "y", "mask", NULL};

/* A probability as binary32 has it, and as the elements' type has where that is narrower. */
static void normalise(void *params_of_case)
{
    Dropout *q = params_of_case;
    double p = fabs(q->p.re);
    DType own = dtype_component(nn_dtype(q)), dtype = own == DT_F64 ? DT_F32 : own;
    q->p.re = p <= 1 ? dtype_round(dtype, p) : 0.5;
}

/* PyTorch and PaddlePaddle, dropout, and ONNX, Dropout, have probabilities. */
static const IllegalRule illegal[] = {{ILLEGAL_NUMBER, "p", -1}, {ILLEGAL_NUMBER, "p", 2}, {0}};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Dropout *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->count = 3;
    shapes->tensor[2] = nn_tensor(DT_BOOL, &q->shape, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Dropout *)params_of_case)->shape, 32);
}

/* x / (1 - p): divided, or multiplied by a reciprocal that is rounded, of 1 - p as it is or rounded
 * before, to the type of the elements or the wider one. */
static void put_kept(Ref *ref, size_t i, double x, double p)
{
    DType wide = dtype_component(ref->accumulator), own = dtype_component(ref->dtype);
    double rest = dtype_round(wide, 1 - p), narrow_rest = dtype_round(own, rest);
    const double values[] = {
        dtype_round(own, dtype_round(wide, x / rest)),
        dtype_round(own, dtype_round(wide, x * dtype_round(wide, 1 / rest))),
        dtype_round(own, x * dtype_round(own, 1 / narrow_rest)),
        dtype_round(own, x * dtype_round(own, 1 / (1 - p))),
    };
    double *set = ref->candidates + i * REF_CANDIDATES;
    unsigned classes = 0;
    int count = 0;
    for (size_t k = 0; k < COUNT_OF(values); k++) {
        classes |= value_class(values[k]);
        bool is_new = count == 0 || (values[k] != set[0] && (count < 2 || values[k] != set[1]));
        if (is_new && count < REF_CANDIDATES)
            set[count++] = values[k];
        else if (is_new && values[k] != set[2]) {
            ref_admit_anything(ref, i);
            return;
        }
    }
    for (int k = count; k < REF_CANDIDATES; k++)
        set[k] = set[0];
    ref_set_classes(ref, i, classes);
    ref->high[i] = isfinite(set[0]) ? set[0] : 0;
    ref->match[i] = isfinite(set[0]) ? MATCH_SET : MATCH_BOUND;
}

static bool is_kept(const Dropout *q, const Tensor *mask, size_t i)
{
    if (!q->training)
        return true;
    if (mask)
        return tensor_value(mask, (int64_t)i) != 0;
    return random_unit(random_at((uint64_t)q->seed, i)) >= q->p.re;
}

static void judge_mask(Ref *ref, const Dropout *q, const double *kept, Arena *arena)
{
    const double chance = 1 - q->p.re;
    int64_t columns = q->shape.rank > 0 ? q->shape.extent[q->shape.rank - 1] : 1;
    /* The mask is of bytes, and the chance a number of binary32. */
    const Draws draws = {&law_bernoulli, &chance, kept, (int64_t)ref->count, columns, DT_F32};
    chance_judge(&ref->flaw, &draws, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Dropout *q = input->params;
    const Tensor *x = &input->tensors[0];
    const Tensor *mask = input->computed ? &input->computed[2] : NULL;
    Ref *y = &refs[1];
    ref_allocate_bounded(y, x->dtype, x, arena);
    ref_allocate_exact(&refs[2], &input->tensors[2], arena);
    size_t components = (size_t)dtype_components(x->dtype);
    double *kept = arena_take(arena, y->count + 1, sizeof *kept);
    y->candidates = arena_take_zeroed(arena, y->count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < y->count; i++) {
        size_t element = i / components;
        Scalar z = nn_element(x, (int64_t)element);
        double value = i % components ? z.im : z.re;
        bool keeps = is_kept(q, mask, element);
        kept[element] = keeps;
        bool certain = q->training && (q->p.re == 0 || q->p.re == 1);
        ref_set_exact(&refs[2], element, certain ? q->p.re == 0 : keeps, MATCH_VALUE);
        if (!q->training)
            ref_set_exact(y, i, value, MATCH_BITS);
        else if (keeps)
            put_kept(y, i, value, q->p.re);
        else
            ref_set_exact(y, i, 0, MATCH_VALUE);
        /* A kernel may multiply by 0, and parts of complex numbers by an imaginary one. */
        if (!keeps && !(isfinite(z.re) && isfinite(z.im)))
            ref_set_classes(y, i, CLASS_FINITE | CLASS_NAN);
        else if (q->training && components == 2 && !(isfinite(z.re) && isfinite(z.im)))
            ref_set_classes(y, i, y->classes[i] | CLASS_NAN);
    }
    if (q->training)
        judge_mask(&refs[2], q, kept, arena);
}

const OpDesc op_dropout = {
    NN_OP(Dropout, 2),
    .name = "dropout",
    .summary = "elements that are dropped at random, the others scaled",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT | DTYPES_COMPLEX,
    .fills = nn_moderate_fills,
    .judged_by_residual = true,
    .random = true,
    .normalise = normalise,
    .illegal = illegal,
    .shape = shape,
    .work = work,
    .reference = reference,
    .zeros = ZERO_SIGN("elements, unless it is training",
                       "ONNX, Operators.md, Dropout: the output is a copy of the input"),
};
