/* Sums of products by labels: a and b each have an axis for some labels, y for those that it keeps,
 * and what y does not keep is summed over.  The axes of each are in the order of the labels,
 * rotated by some places; a may have one label twice, which takes its diagonal.  Bound: the lemma
 * of oracle/bound.h with a rounding for each product. */
#include "nn.h"
#include "reference/reduce.h"

#define LABELS(field, text)   P_INTEGER(Nn, field, 0, 31, 0, text ", as bits, the first label first")
#define ROTATION(field, text) P_INTEGER(Nn, field, 0, 4, 0, "places by which " text " rotates")

static const Param params[] = {
    NN_DTYPE,
    P_SHAPE(Nn, shape, 1, 5, "extents of the labels"),
    LABELS(labels_a, "labels of a"),
    LABELS(labels_b, "labels of b"),
    LABELS(labels_y, "labels of y"),
    ROTATION(rotate_a, "a"),
    ROTATION(rotate_b, "b"),
    ROTATION(rotate_y, "y"),
    P_INTEGER(Nn, diagonal, 0, 5, 0, "label that a has twice, from 1; 0: none"),
    P_END,
};
static const char *const tensors[] = {"a", "b", "y", NULL};

/* Every label belongs to a or b, and a has at least one. */
static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    int64_t all = (1 << q->shape.rank) - 1;
    q->labels_a &= all;
    q->labels_b &= all;
    q->labels_a |= all & ~(q->labels_a | q->labels_b);
    if (q->labels_a == 0)
        q->labels_a = 1;
    q->labels_y &= all;
    if (q->diagonal > q->shape.rank || q->shape.rank == TENSOR_RANK_MAX ||
        (q->diagonal > 0 && !(q->labels_a >> (q->diagonal - 1) & 1)))
        q->diagonal = 0;
}

int einsum_labels(const Nn *q, int operand, int labels[TENSOR_RANK_MAX + 1])
{
    const int64_t masks[] = {q->labels_a, q->labels_b, q->labels_y};
    const int64_t rotations[] = {q->rotate_a, q->rotate_b, q->rotate_y};
    int plain[TENSOR_RANK_MAX + 1], count = 0;
    for (int label = 0; label < (int)q->shape.rank; label++)
        if (masks[operand] >> label & 1)
            plain[count++] = label;
    if (operand == 0 && q->diagonal > 0)
        plain[count++] = (int)q->diagonal - 1;
    for (int i = 0; i < count; i++)
        labels[i] = plain[(i + (int)rotations[operand]) % count];
    return count;
}

static TensorSpec operand_of(const Nn *q, int operand)
{
    int labels[TENSOR_RANK_MAX + 1];
    Shape shape = {.rank = einsum_labels(q, operand, labels)};
    for (int i = 0; i < (int)shape.rank; i++)
        shape.extent[i] = q->shape.extent[labels[i]];
    return nn_tensor(nn_dtype(q), &shape, operand == 2 ? ROLE_OUT : ROLE_IN);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = shape_count(&q->shape)};
    for (int operand = 0; operand < 3; operand++)
        shapes->tensor[operand] = operand_of(q, operand);
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    int64_t doubled = q->diagonal > 0 ? q->shape.extent[q->diagonal - 1] : 1;
    return 32.0 * (double)(shape_count(&q->shape) + 1) * (double)doubled;
}

/* True when a label that is summed over belongs to one operand only: that may be summed first, so
 * that an infinity of the other meets a sum and not its terms. */
static bool sums_apart(const Nn *q)
{
    int64_t summed = ((1 << q->shape.rank) - 1) & ~q->labels_y;
    return (summed & (q->labels_a ^ q->labels_b)) != 0;
}

/* Elements to step by for each label. */
static void strides_of(const Nn *q, int operand, const Tensor *t, int64_t strides[TENSOR_RANK_MAX])
{
    int labels[TENSOR_RANK_MAX + 1], count = einsum_labels(q, operand, labels);
    for (int i = 0; i < TENSOR_RANK_MAX; i++)
        strides[i] = 0;
    for (int i = 0; i < count; i++)
        strides[labels[i]] += t->stride[i];
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *y = &input->tensors[2];
    int of_a = 0, of_b = 0;
    const double *a = tensor_read(&input->tensors[0], &of_a, arena);
    const double *b = tensor_read(&input->tensors[1], &of_b, arena);
    int64_t strides[3][TENSOR_RANK_MAX];
    for (int operand = 0; operand < 3; operand++)
        strides_of(q, operand, &input->tensors[operand], strides[operand]);
    ref_allocate_bounded(&refs[2], y->dtype, y, arena);
    Sum *sums = arena_take(arena, refs[2].count + 1, sizeof *sums);
    for (size_t i = 0; i < refs[2].count; i++)
        sums[i] = sum_begin();
    for (int64_t number = 0; number < shape_count(&q->shape); number++) {
        int64_t left = number, at[3] = {0, 0, 0};
        for (int label = (int)q->shape.rank - 1; label >= 0; label--) {
            int64_t index = tensor_take_index(&left, q->shape.extent[label]);
            for (int operand = 0; operand < 3; operand++)
                at[operand] += index * strides[operand][label];
        }
        sum_add_product(&sums[at[2]], a[at[0]], b[at[1]]);
    }
    for (size_t i = 0; i < refs[2].count; i++) {
        sums[i].lattice = of_a + of_b;
        ref_put_products(&refs[2], i, &sums[i], (double)sums[i].terms);
        if (sums[i].classes && sums_apart(q))
            ref_set_classes(&refs[2], i, CLASS_NAN | CLASS_INFINITE);
    }
}

const OpDesc op_einsum = {
    NN_OP_TABLES,           .name = "einsum",   .summary = "sums of products by labels",
    .params = params,       .tensors = tensors, .dtypes = DTYPES_REAL,
    .normalise = normalise, .shape = shape,     .work = work,
    .reference = reference,
};
