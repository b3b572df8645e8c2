/* Sums of products by labels: a and b have an axis for each of their labels, y for those that it
 * keeps; the products are summed over all other labels.  The axes of each are in the order of the
 * labels, rotated by some places; a may have one label twice, which takes its diagonal.  Bound: the
 * lemma of oracle/bound.h with a rounding for each product. */
#include <math.h>

#include "nn_einsum.h"
#include "reference/reduce.h"

#define LABELS(field, text)                                                                        \
    P_INTEGER(Einsum, field, 0, 31, 0, text ", as bits, the first label first")
#define ROTATION(field, text) P_INTEGER(Einsum, field, 0, 4, 0, "places by which " text " rotates")

static const Param params[] = {
    NN_DTYPE(Einsum),
    P_SHAPE(Einsum, label_extents, 1, 5, "extents of the labels", .formerly = "shape"),
    LABELS(labels_a, "labels of a"),
    LABELS(labels_b, "labels of b"),
    LABELS(labels_y, "labels of y"),
    ROTATION(rotate_a, "a"),
    ROTATION(rotate_b, "b"),
    ROTATION(rotate_y, "y"),
    P_INTEGER(Einsum, diagonal_label, 0, 5, 0, "label that a has twice, from 1; 0: none",
              .formerly = "diagonal"),
    P_END,
};
static const char *const tensors[] = {"a", "b", "y", NULL};

/* Every label belongs to a or b, and a has at least one. */
static void normalise(void *params_of_case)
{
    Einsum *q = params_of_case;
    int64_t all = (1 << q->label_extents.rank) - 1;
    q->labels_a &= all;
    q->labels_b &= all;
    q->labels_a |= all & ~(q->labels_a | q->labels_b);
    if (q->labels_a == 0)
        q->labels_a = 1;
    q->labels_y &= all;
    if (q->diagonal_label > q->label_extents.rank || q->label_extents.rank == TENSOR_RANK_MAX ||
        (q->diagonal_label > 0 && !(q->labels_a >> (q->diagonal_label - 1) & 1)))
        q->diagonal_label = 0;
}

int einsum_labels(const Einsum *q, int operand, int labels[TENSOR_RANK_MAX + 1])
{
    const int64_t masks[] = {q->labels_a, q->labels_b, q->labels_y};
    const int64_t rotations[] = {q->rotate_a, q->rotate_b, q->rotate_y};
    int plain[TENSOR_RANK_MAX + 1], count = 0;
    for (int label = 0; label < (int)q->label_extents.rank; label++)
        if (masks[operand] >> label & 1)
            plain[count++] = label;
    if (operand == 0 && q->diagonal_label > 0)
        plain[count++] = (int)q->diagonal_label - 1;
    for (int i = 0; i < count; i++)
        labels[i] = plain[(i + (int)rotations[operand]) % count];
    return count;
}

static TensorSpec operand_of(const Einsum *q, int operand)
{
    int labels[TENSOR_RANK_MAX + 1];
    Shape shape = {.rank = einsum_labels(q, operand, labels)};
    for (int i = 0; i < (int)shape.rank; i++)
        shape.extent[i] = q->label_extents.extent[labels[i]];
    return nn_tensor(nn_dtype(q), &shape, operand == 2 ? ROLE_OUT : ROLE_IN);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Einsum *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = shape_count(&q->label_extents)};
    for (int operand = 0; operand < 3; operand++)
        shapes->tensor[operand] = operand_of(q, operand);
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Einsum *q = params_of_case;
    int64_t doubled = q->diagonal_label > 0 ? q->label_extents.extent[q->diagonal_label - 1] : 1;
    return 32.0 * (double)(shape_count(&q->label_extents) + 1) * (double)doubled;
}

/* True when a label that is summed over belongs to one factor only: that may be summed first, so
 * that an infinity of the other meets a sum and not its terms. */
static bool sums_apart(const Einsum *q, int to)
{
    const int64_t labels[] = {q->labels_a, q->labels_b, q->labels_y};
    int64_t summed = ((1 << q->label_extents.rank) - 1) & ~labels[to];
    return (summed & (labels[(to + 1) % 3] ^ labels[(to + 2) % 3])) != 0;
}

/* Elements to step by for each label. */
static void strides_of(const Einsum *q, int operand, const Tensor *t,
                       int64_t strides[TENSOR_RANK_MAX])
{
    int labels[TENSOR_RANK_MAX + 1], count = einsum_labels(q, operand, labels);
    for (int i = 0; i < TENSOR_RANK_MAX; i++)
        strides[i] = 0;
    for (int i = 0; i < count; i++)
        strides[labels[i]] += t->stride[i];
}

/* True when a sum of elements of the operand alone may be out of range. */
static bool sum_overflows(const Tensor *x)
{
    double greatest = 0, count = (double)tensor_count(x);
    for (int64_t i = 0; i < tensor_count(x); i++)
        greatest = fmax(greatest, fabs(tensor_value(x, i)));
    return isfinite(greatest) && greatest > dtype_format(x->dtype)->largest / (2 * count + 1);
}

/* Sums over all labels of products of operands in[0] and in[1] into operand `to`, each at its place
 * in the list a, b, y. */
static void put_sums(Ref *ref, const Einsum *q, const Tensor *const t[3], const int in[2], int to,
                     Arena *arena)
{
    int of_first = 0, of_second = 0;
    const double *first = tensor_read(t[in[0]], &of_first, arena);
    const double *second = tensor_read(t[in[1]], &of_second, arena);
    int64_t strides[3][TENSOR_RANK_MAX];
    for (int operand = 0; operand < 3; operand++)
        strides_of(q, operand, t[operand], strides[operand]);
    ref_allocate_bounded(ref, t[to]->dtype, t[to], arena);
    Sum *sums = arena_take(arena, ref->count + 1, sizeof *sums);
    bool may_overflow = sum_overflows(t[in[0]]) || sum_overflows(t[in[1]]);
    for (size_t i = 0; i < ref->count; i++)
        sums[i] = sum_begin();
    for (int64_t number = 0; number < shape_count(&q->label_extents); number++) {
        int64_t left = number, at[3] = {0, 0, 0};
        for (int label = (int)q->label_extents.rank - 1; label >= 0; label--) {
            int64_t index = tensor_take_index(&left, q->label_extents.extent[label]);
            for (int operand = 0; operand < 3; operand++)
                at[operand] += index * strides[operand][label];
        }
        sum_add_product(&sums[at[to]], first[at[in[0]]], second[at[in[1]]]);
    }
    for (size_t i = 0; i < ref->count; i++) {
        sums[i].lattice = of_first + of_second;
        ref_put_products(ref, i, &sums[i], (double)sums[i].terms);
        if (sums_apart(q, to) && (sums[i].classes || may_overflow))
            ref_set_classes(ref, i, sums[i].classes ? CLASS_NAN | CLASS_INFINITE : CLASS_ANY);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *const operands[] = {&input->tensors[0], &input->tensors[1], &input->tensors[2]};
    put_sums(&refs[2], input->params, operands, (const int[]){0, 1}, 2, arena);
}

/* The gradient of one operand is einsum again, of dy and the other one; off its diagonal it is 0.
 * The operands are dy, the other one, and the result. */
static int gradient_of(const OpDesc *op)
{
    return *(const int *)op->detail;
}

static void backward_shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    int to = gradient_of(op);
    shape(params_of_case, &forward);
    *shapes = (Shapes){.count = 3, .depth = forward.depth};
    shapes->tensor[0] = forward.tensor[2];
    shapes->tensor[0].role = ROLE_IN;
    shapes->tensor[1] = forward.tensor[1 - to];
    shapes->tensor[1].part = PART_RIGHT;
    shapes->tensor[2] = forward.tensor[to];
    shapes->tensor[2].role = ROLE_OUT;
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *operands[3];
    int to = gradient_of(input->op);
    operands[2] = &input->tensors[0];
    operands[1 - to] = &input->tensors[1];
    operands[to] = &input->tensors[2];
    put_sums(&refs[2], input->params, operands, (const int[]){2, 1 - to}, to, arena);
}

#define EINSUM_OP                                                                                  \
    NN_OP(Einsum, 2), .params = params, .dtypes = DTYPES_REAL, .normalise = normalise, .work = work
#define EINSUM_BACKWARD_OP                                                                         \
    EINSUM_OP, .shape_of_row = backward_shape, .reference = backward_reference

static const char *const a_tensors[] = {"dy", "b", "da", NULL};
static const char *const b_tensors[] = {"dy", "a", "db", NULL};
static const int of_a = 0, of_b = 1;

static const OpDesc table[] = {
    {EINSUM_OP, .name = "einsum", .summary = "sums of products by labels", .tensors = tensors,
     .shape = shape, .reference = reference},
    {EINSUM_BACKWARD_OP, .name = "einsum_backward_a", .summary = "gradient of a of einsum",
     .tensors = a_tensors, .detail = &of_a},
    {EINSUM_BACKWARD_OP, .name = "einsum_backward_b", .summary = "gradient of b of einsum",
     .tensors = b_tensors, .detail = &of_b},
    {.name = NULL},
};

OP_TABLE(ops_einsum)
{
    return table;
}
