/* Rotary embedding of positions (Su et al., RoFormer, 2021, 3.4.2; ONNX, RotaryEmbedding): each
 * pair of elements of a head is turned by the angle that a table has for its position and its
 * place,
 *
 *     y1 = x1 cos - x2 sin,    y2 = x1 sin + x2 cos
 *
 * of the first rotary_embedding_dim elements, all of them where that is 0; the others are copied.
 * Elements k and k + half are a pair, or 2 k and 2 k + 1 where they are interleaved.  Two products
 * and a sum, in balls. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { X, COSINES, SINES, POSITIONS, Y };

typedef struct Rotary {
    int64_t dtype, batch, num_heads, sequence_length, head_size, max_position;
    int64_t rotary_embedding_dim, interleaved;
} Rotary;

static const Param params[] = {
    NN_DTYPE(Rotary),
    P_DIM(Rotary, batch, 0, 8, "samples"),
    P_DIM(Rotary, num_heads, 0, 8, "heads"),
    P_DIM(Rotary, sequence_length, 0, 64, "positions of a sample"),
    P_DIM(Rotary, head_size, 1, 128, "elements of a head"),
    P_DIM(Rotary, max_position, 1, 64, "rows of the tables"),
    P_INTEGER(Rotary, rotary_embedding_dim, 0, 128, 0, "elements that are turned, 0: all"),
    P_CHOICE(Rotary, interleaved, nn_yes_no, "pairs are neighbours"),
    P_END};
static const char *const tensors[] = {"x", "cosines", "sines", "positions", "y", NULL};

/* Pairs need even numbers; tables have a row for each step, as ONNX Runtime asks for. */
static void normalise(void *params_of_case)
{
    Rotary *q = params_of_case;
    q->head_size += q->head_size % 2;
    q->rotary_embedding_dim -= q->rotary_embedding_dim % 2;
    if (q->rotary_embedding_dim > q->head_size)
        q->rotary_embedding_dim = 0;
    if (q->max_position < q->sequence_length)
        q->max_position = q->sequence_length;
}

static int64_t turned(const Rotary *q)
{
    return q->rotary_embedding_dim > 0 ? q->rotary_embedding_dim : q->head_size;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Rotary *q = params_of_case;
    Shape x = {4, {q->batch, q->num_heads, q->sequence_length, q->head_size}};
    Shape table = {2, {q->max_position, turned(q) / 2}},
          positions = {2, {q->batch, q->sequence_length}};
    *shapes = (Shapes){.depth = 2};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &table, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &table, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &positions, ROLE_IN);
    shapes->tensor[POSITIONS].index_below = q->max_position;
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Rotary *q = params_of_case;
    return 128.0 * (double)(q->batch * q->num_heads) * (double)(q->sequence_length * q->head_size);
}

/* Element `place` of a head that begins at `first`, whose angles are in a row of the tables. */
static Ball turn(const Rotary *q, const Format *f, const Tensor *t, int64_t first, int64_t row,
                 int64_t place)
{
    int64_t half = turned(q) / 2, k = q->interleaved ? place / 2 : place % half;
    bool second = q->interleaved ? place % 2 == 1 : place >= half;
    int64_t other = q->interleaved ? place + (second ? -1 : 1) : place + (second ? -half : half);
    Ball own = ball_exact(tensor_value(&t[X], first + place));
    Ball pair = ball_exact(tensor_value(&t[X], first + other));
    Ball cosine = ball_exact(tensor_value(&t[COSINES], row * half + k));
    Ball sine = ball_exact(tensor_value(&t[SINES], row * half + k));
    Ball crossed = ball_multiply(f, pair, sine);
    return ball_add(f, ball_multiply(f, own, cosine), second ? crossed : ball_negate(crossed));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Rotary *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[Y];
    ref_allocate_bounded(ref, t[Y].dtype, &t[Y], arena);
    const Format *f = dtype_format(ref->accumulator);
    for (int64_t i = 0; i < (int64_t)ref->count; i++) {
        int64_t number = i, place = tensor_take_index(&number, q->head_size);
        int64_t step = tensor_take_index(&number, q->sequence_length);
        int64_t sample = number / q->num_heads;
        int64_t row = (int64_t)tensor_value(&t[POSITIONS], sample * q->sequence_length + step);
        if (place >= turned(q))
            ref_set_exact(ref, (size_t)i, tensor_value(&t[X], i), MATCH_BITS);
        else
            ref_put_ball(ref, (size_t)i, turn(q, f, t, i - place, row, place));
    }
}

const OpDesc op_rotary_embedding = {
    NN_OP(Rotary, 1),
    .name = "rotary_embedding",
    .summary = "heads whose elements are turned by their positions",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .zeros = ZERO_SIGN("elements behind those that are turned", ZEROS_COPIED),
};
