/* Sums of products by labels: a and b have an axis for each of their labels, y
 * for those that it keeps; the products are summed over all other labels.  The
 * axes of each are in the order of the labels, rotated by some places; a may
 * have one label twice, which takes its diagonal.  Bound: the lemma of
 * oracle/bound.h with a rounding for each product; each part of a complex sum
 * is one of twice as many products.  Of complex numbers that are not finite
 * nothing is said: texts leave open which of infinity and NaN products have. */
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

/* True when a label that is summed over belongs to one factor only: that may be
 * summed first, so that an infinity of the other meets a sum and not its terms.
 */
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

/* The parts of an operand in row-major order, and the lattice that they lie on.
 */
typedef struct Factor {
    const double *parts[2];
    int lattice;
    bool may_overflow; /* a sum of elements of the operand alone */
    bool is_finite;
} Factor;

static Factor read_factor(const Tensor *x, Arena *arena)
{
    Factor f = {.is_finite = true};
    double greatest = 0, count = (double)tensor_count(x);
    int components = dtype_components(x->dtype);
    REQUIRE(components == 1 || components == 2);
    for (int part = 0; part < components; part++) {
        Tensor view = components == 2 ? tensor_part(*x, part) : *x;
        int lattice = 0;
        f.parts[part] = tensor_read(&view, &lattice, arena);
        f.lattice = part && f.lattice < lattice ? f.lattice : lattice;
        for (int64_t i = 0; i < tensor_count(x); i++)
            if (isfinite(f.parts[part][i]))
                greatest = fmax(greatest, fabs(f.parts[part][i]));
            else
                f.is_finite = false;
    }
    f.may_overflow = greatest > dtype_format(x->dtype)->largest / (2 * components * count + 1);
    return f;
}

/* Adds element i of a times element j of b, its conjugate where sign is -1, to
 * the sums of the parts. */
static void add_product(Sum *sums, const Factor *a, int64_t i, const Factor *b, int64_t j, int sign)
{
    sum_add_product(&sums[0], a->parts[0][i], b->parts[0][j]);
    if (!a->parts[1] || !b->parts[1])
        return;
    double re = b->parts[0][j], im = sign * b->parts[1][j];
    sum_add_product(&sums[0], -a->parts[1][i], im);
    sum_add_product(&sums[1], a->parts[0][i], im);
    sum_add_product(&sums[1], a->parts[1][i], re);
}

/* What else than its value a sum may be that is made of sums over labels of one operand alone: 0
 * where it need be nothing else. */
static unsigned classes_apart(const Einsum *q, int to, const Factor *first, const Factor *second,
                              const Sum *sum)
{
    if (!sums_apart(q, to))
        return 0;
    if (sum->classes)
        return CLASS_NAN | CLASS_INFINITE;
    if (first->may_overflow || second->may_overflow)
        return CLASS_ANY;
    /* A sum of nothing, made first, is 0, which makes NaN of what is not finite. */
    bool meets = shape_count(&q->label_extents) == 0 && !(first->is_finite && second->is_finite);
    return meets ? CLASS_FINITE | CLASS_NAN : 0;
}

/* A part of a factor that is not finite takes part in both parts of its product, and makes neither
 * finite, by C23, Annex G, either.  Where one part of a sum may leave the range otherwise, a factor
 * of 1 + 0 j behind it makes NaN of the other one. */
static void judge_pairs(Ref *ref, const Sum *sums)
{
    for (size_t i = 0; i + 1 < ref->count; i += 2) {
        unsigned classes = ref->classes[i] | ref->classes[i + 1];
        if (sums[i].classes || sums[i + 1].classes)
            classes = CLASS_NAN | CLASS_INFINITE;
        else if (classes & CLASS_INFINITE)
            classes = CLASS_ANY;
        if (classes == CLASS_FINITE)
            continue;
        ref_set_classes(ref, i, classes);
        ref_set_classes(ref, i + 1, classes);
    }
}

/* Sums over all labels of products of operands in[0] and in[1] into operand
 * `to`, each at its place in the list a, b, y; of the conjugate of the second
 * one where sign is -1. */
static void put_sums(Ref *ref, const Einsum *q, const Tensor *const t[3], const int in[2], int to,
                     int sign, Arena *arena)
{
    Factor first = read_factor(t[in[0]], arena), second = read_factor(t[in[1]], arena);
    size_t components = (size_t)dtype_components(t[to]->dtype);
    int64_t strides[3][TENSOR_RANK_MAX];
    for (int operand = 0; operand < 3; operand++)
        strides_of(q, operand, t[operand], strides[operand]);
    ref_allocate_bounded(ref, t[to]->dtype, t[to], arena);
    Sum *sums = arena_take(arena, ref->count + 1, sizeof *sums);
    for (size_t i = 0; i < ref->count; i++)
        sums[i] = sum_begin();
    for (int64_t number = 0; number < shape_count(&q->label_extents); number++) {
        int64_t left = number, at[3] = {0, 0, 0};
        for (int label = (int)q->label_extents.rank - 1; label >= 0; label--) {
            int64_t index = tensor_take_index(&left, q->label_extents.extent[label]);
            for (int operand = 0; operand < 3; operand++)
                at[operand] += index * strides[operand][label];
        }
        add_product(&sums[components * (size_t)at[to]], &first, at[in[0]], &second, at[in[1]],
                    sign);
    }
    for (size_t i = 0; i < ref->count; i++) {
        sums[i].lattice = first.lattice + second.lattice;
        ref_put_products(ref, i, &sums[i], (double)sums[i].terms);
        unsigned classes = classes_apart(q, to, &first, &second, &sums[i]);
        if (classes)
            ref_set_classes(ref, i, classes);
    }
    if (components == 2)
        judge_pairs(ref, sums);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *const operands[] = {&input->tensors[0], &input->tensors[1], &input->tensors[2]};
    put_sums(&refs[2], input->params, operands, (const int[]){0, 1}, 2, 1, arena);
}

/* The gradient of one operand is einsum again, of dy and the conjugate of the
 * other one; off its diagonal it is 0. The operands are dy, the other one, and
 * the result. */
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
    put_sums(&refs[2], input->params, operands, (const int[]){2, 1 - to}, to, -1, arena);
}

#define EINSUM_OP                                                                                  \
    NN_OP(Einsum, 2), .params = params, .dtypes = DTYPES_BLAS, .normalise = normalise, .work = work
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
