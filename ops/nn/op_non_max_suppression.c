/* Boxes by falling score, without those that overlap one before them by more than a threshold
 * (ONNX, NonMaxSuppression; TensorFlow, non_max_suppression): the places of those that stay, at
 * most max_output of them, and -1 behind them.
 *
 * The overlap of two boxes is the area that they share over the area that either covers, 0 where
 * they cover none; beyond the threshold it suppresses, at it it does not.  Overlaps are balls, with
 * a rounding more for a threshold that is multiplied by the area.
 *
 * Each place is judged given those before it.  It is that of a box that is not there yet, whose
 * overlap with none of them is certainly beyond the threshold, and whose score is no lower than
 * that of any other one of which it certainly is not: of equal scores any, and of boxes within a
 * rounding of the threshold either.  The end may come where no box is left that certainly stays. Of
 * boxes with a score or a side of NaN no text says where they are; they too come once, and with NaN
 * among the scores the order is open. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { BOXES, SCORES, Y, SIDES = 4 };

typedef struct Suppression {
    int64_t dtype, num_boxes, max_output;
    Scalar iou_threshold;
} Suppression;

static const Param params[] = {
    NN_DTYPE(Suppression), P_DIM(Suppression, num_boxes, 0, 256, "boxes"),
    P_DIM(Suppression, max_output, 0, 256, "places that are asked for"),
    P_REAL(Suppression, iou_threshold, 0, "overlap beyond which a box is left out"), P_END};
static const char *const tensors[] = {"boxes", "scores", "y", NULL};

static void normalise(void *params_of_case)
{
    Suppression *q = params_of_case;
    double threshold = (double)(float)fabs(q->iou_threshold.re);
    q->iou_threshold.re = threshold <= 1 ? threshold : 1 / threshold;
    if (isnan(threshold))
        q->iou_threshold.re = 0;
}

/* ONNX, NonMaxSuppression: "Value range [0, 1]"; TensorFlow, non_max_suppression, likewise. */
static const IllegalRule illegal[] = {
    {ILLEGAL_NUMBER, "iou_threshold", -1}, {ILLEGAL_NUMBER, "iou_threshold", 2}, {0}};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Suppression *q = params_of_case;
    Shape boxes = {2, {q->num_boxes, SIDES}}, scores = {1, {q->num_boxes}},
          places = {1, {q->max_output}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &boxes, ROLE_IN);
    shapes->tensor[BOXES].probability = true;
    shapes->tensor[BOXES].ascending = true;
    nn_add_operand(shapes, nn_dtype(q), &scores, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &places, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Suppression *q = params_of_case;
    return 64.0 * (double)q->num_boxes * (double)(q->num_boxes + q->max_output);
}

static Ball side(const Format *f, Ball high, Ball low)
{
    return ball_max(ball_subtract(f, high, low), ball_exact(0));
}

static Ball area(const Format *f, const Ball *box)
{
    return ball_multiply(f, side(f, box[2], box[0]), side(f, box[3], box[1]));
}

static Ball least(Ball a, Ball b)
{
    return ball_negate(ball_max(ball_negate(a), ball_negate(b)));
}

static void read_box(const Tensor *boxes, int64_t i, Ball *box)
{
    for (int k = 0; k < SIDES; k++)
        box[k] = ball_exact(tensor_value(boxes, i * SIDES + k));
}

/* Whether an overlap suppresses: it does, it does not, or a rounding decides. */
typedef enum Overlap { OVERLAPS_LITTLE, OVERLAPS, OVERLAPS_BY_ROUNDING } Overlap;

static Overlap overlap_of(const Format *f, const Tensor *boxes, int64_t i, int64_t j,
                          double threshold)
{
    Ball a[SIDES], b[SIDES], shared[SIDES];
    read_box(boxes, i, a);
    read_box(boxes, j, b);
    for (int k = 0; k < SIDES; k++) {
        if (ball_is_nan(a[k]) || ball_is_nan(b[k]))
            return OVERLAPS_BY_ROUNDING;
        shared[k] = k < 2 ? ball_max(a[k], b[k]) : least(a[k], b[k]);
    }
    Ball common = area(f, shared), first = area(f, a), second = area(f, b);
    if (first.value == 0 || second.value == 0 || common.value == 0)
        return OVERLAPS_LITTLE;
    /* Products that may underflow, and what is divided by them. */
    if (common.value < (long double)f->smallest_normal * 0x1p24)
        return OVERLAPS_BY_ROUNDING;
    Ball covered = ball_subtract(f, ball_add(f, first, second), common);
    Ball share = ball_divide(f, common, covered);
    if (!ball_is_known(share))
        return OVERLAPS_BY_ROUNDING;
    long double reach = share.radius > 0 ? share.radius + 2 * f->unit * (threshold + 1) : 0;
    if (share.value - reach > threshold)
        return OVERLAPS;
    return share.value + reach <= threshold ? OVERLAPS_LITTLE : OVERLAPS_BY_ROUNDING;
}

/* Whether box i stays, given those that were kept. */
static Overlap greatest_overlap(const Suppression *q, const Tensor *boxes, int64_t i,
                                const double *kept, int64_t count)
{
    const Format *f = dtype_format(boxes->dtype);
    Overlap found = OVERLAPS_LITTLE;
    for (int64_t k = 0; k < count; k++) {
        Overlap overlap = overlap_of(f, boxes, i, (int64_t)kept[k], q->iou_threshold.re);
        if (overlap == OVERLAPS)
            return OVERLAPS;
        found = overlap == OVERLAPS_BY_ROUNDING ? overlap : found;
    }
    return found;
}

/* What may come behind the places so far. */
typedef struct Choice {
    const Suppression *q;
    const Tensor *boxes, *scores;
    double *kept; /* the places so far */
    int64_t count;
    bool *taken;
    Overlap *overlaps; /* the greatest one of each box with those that were kept */
    bool unordered;    /* a score is NaN */
} Choice;

static bool any_nan(const Tensor *scores)
{
    for (int64_t i = 0, count = tensor_count(scores); i < count; i++)
        if (isnan(tensor_value(scores, i)))
            return true;
    return false;
}

static void keep(Choice *c, int64_t box)
{
    c->kept[c->count++] = (double)box;
    c->taken[box] = true;
    for (int64_t i = 0; i < c->q->num_boxes; i++) {
        Overlap with = greatest_overlap(c->q, c->boxes, i, c->kept + c->count - 1, 1);
        if (c->overlaps[i] != OVERLAPS && with != OVERLAPS_LITTLE)
            c->overlaps[i] = with;
    }
}

/* The box of the greatest score that certainly stays, the first one of equal ones; -1 for none. */
static int64_t best_of(const Choice *c)
{
    int64_t best = -1;
    for (int64_t i = 0; i < c->q->num_boxes; i++) {
        double score = tensor_value(c->scores, i);
        if (c->taken[i] || c->overlaps[i] != OVERLAPS_LITTLE || isnan(score))
            continue;
        if (best < 0 || score > tensor_value(c->scores, best))
            best = i;
    }
    return best;
}

/* Whether a place may come next, -1 for the end. */
static bool may_follow(const Choice *c, double place, int64_t best)
{
    if (place == -1)
        return best < 0;
    if (!(place >= 0 && place < (double)c->q->num_boxes))
        return false;
    int64_t box = (int64_t)place;
    if (c->taken[box] || c->overlaps[box] == OVERLAPS)
        return false;
    return c->unordered || best < 0 ||
           tensor_value(c->scores, box) >= tensor_value(c->scores, best);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Suppression *q = input->params;
    size_t boxes = (size_t)q->num_boxes + 1;
    Choice c = {.q = q,
                .boxes = &input->tensors[BOXES],
                .scores = &input->tensors[SCORES],
                .kept = arena_take(arena, (size_t)q->max_output + 1, sizeof(double)),
                .taken = arena_take_zeroed(arena, boxes, sizeof(bool)),
                .overlaps = arena_take_zeroed(arena, boxes, sizeof(Overlap)),
                .unordered = any_nan(&input->tensors[SCORES])};
    bool ended = false;
    ref_allocate_exact(&refs[Y], &input->tensors[Y], arena);
    for (int64_t i = 0; i < q->max_output; i++) {
        int64_t best = ended ? -1 : best_of(&c);
        double place = input->computed ? tensor_value(&input->computed[Y], i) : (double)best;
        bool follows = ended ? place == -1 : may_follow(&c, place, best);
        double expected = follows ? place : (double)best;
        ref_set_exact(&refs[Y], (size_t)i, expected, MATCH_VALUE);
        ended = expected == -1;
        if (!ended)
            keep(&c, (int64_t)expected);
    }
}

const OpDesc op_non_max_suppression = {
    NN_OP(Suppression, 1),
    .name = "non_max_suppression",
    .summary = "boxes by falling score, without those that overlap one before them",
    .params = params,
    .tensors = tensors,
    .dtypes = 1u << DT_F32,
    .judged_by_residual = true,
    .only_by_residual = true,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .illegal = illegal,
    .shape = shape,
    .work = work,
    .reference = reference,
};
