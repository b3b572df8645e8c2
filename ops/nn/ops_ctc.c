/* Connectionist temporal classification: the negative logarithm of the probability that a sequence
 * of scores, with softmax taken at each step, is read as given labels, where repeated classes are
 * one label and class 0 is none (Graves et al., ICML 2006, 4.1; PyTorch, CTCLoss), and its
 * gradients, which are the softmax less the shares of paths through each class (eq. 16).  Labels
 * that no path leads to have probability 0, whose negative logarithm is infinity; implementations
 * that keep logarithms finite make a number of it that is not negative.  NaN among the scores of a
 * step is NaN in its softmax, which every path goes through.
 *
 * Paths are summed in logarithms: a(t, s) = p(t, class of s) + log sum of exp a(t - 1, r) over the
 * states r of which s may follow.  The logarithm of a sum of exponentials moves no more than its
 * arguments do.  Evaluated as m + log sum of exp (a - m), m the greatest, differences and
 * exponentials are off by 6 u relative to their sum, since |d| exp d stays below 1/2, the sum of
 * three by 3 u more and the logarithm by 4 u of less than 2: less than 17 u and a rounding of the
 * result; as sums of two, one after the other, twice that.  Shares are exponentials of sums of such
 * balls. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

typedef struct Ctc {
    int64_t dtype, steps, batch, classes, labels;
} Ctc;

static const Param params[] = {NN_DTYPE(Ctc),
                               P_DIM(Ctc, steps, 1, 24, "steps"),
                               P_DIM(Ctc, batch, 0, 8, "samples"),
                               P_DIM(Ctc, classes, 1, 16, "classes, of which the first is blank"),
                               P_DIM(Ctc, labels, 1, 8, "labels of a sample at most"),
                               P_END};
static const char *const tensors[] = {"x", "targets", "input_lengths", "target_lengths", "y", NULL};
static const char *const gradient_tensors[] = {
    "dy", "x", "targets", "input_lengths", "target_lengths", "dx", NULL};

/* A label is a class beside the blank one. */
static void normalise(void *params_of_case)
{
    Ctc *q = params_of_case;
    q->classes = q->classes > 2 ? q->classes : 2;
}

/* x and what tells its labels, from operand `first` on. */
static void add_inputs(const Ctc *q, Shapes *shapes)
{
    Shape x = {3, {q->steps, q->batch, q->classes}}, targets = {2, {q->batch, q->labels}},
          line = {1, {q->batch}};
    int first = shapes->count;
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &targets, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
    const int64_t below[] = {q->classes - 1, q->steps, q->labels + 1};
    for (int i = 0; i < 3; i++) {
        shapes->tensor[first + 1 + i].index_below = below[i];
        shapes->tensor[first + 1 + i].index_first = i < 2;
    }
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Ctc *q = params_of_case;
    Shape line = {1, {q->batch}};
    *shapes = (Shapes){.depth = q->steps};
    add_inputs(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_OUT);
}

static void gradient_shape(const void *params_of_case, Shapes *shapes)
{
    const Ctc *q = params_of_case;
    Shape line = {1, {q->batch}}, x = {3, {q->steps, q->batch, q->classes}};
    *shapes = (Shapes){.depth = q->steps};
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_IN);
    add_inputs(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Ctc *q = params_of_case;
    return 512.0 * (double)(q->steps * q->batch) * (double)(q->classes + 4 * q->labels + 2);
}

/* One sample: logarithms of probabilities, steps by classes, and its states, labels with blanks
 * between and around them. */
typedef struct Sample {
    const Format *format;
    Ball *logs;
    int64_t *states;
    int64_t steps, classes, count;
} Sample;

/* The logarithm of a sum of exponentials. */
static Ball log_sum(const Format *f, const Ball *a, size_t count)
{
    long double greatest = -(long double)INFINITY, sum = 0;
    double radius = 0;
    for (size_t i = 0; i < count; i++)
        if (ball_is_nan(a[i]))
            return a[i];
    for (size_t i = 0; i < count; i++) {
        if (!ball_is_known(a[i]) && ball_number(a[i]) != -(long double)INFINITY)
            return ball_unknown();
        if (ball_is_known(a[i])) {
            greatest = fmaxl(greatest, a[i].value);
            radius = fmax(radius, a[i].radius);
        }
    }
    if (isinf(greatest))
        return ball_exact(-INFINITY);
    for (size_t i = 0; i < count; i++)
        sum += ball_is_known(a[i]) ? expl(a[i].value - greatest) : 0;
    long double value = greatest + logl(sum);
    double size = (double)fabsl(value) + radius;
    return (Ball){value, radius + 2 * f->unit * (17 + size) * (1 + 0x1p-10), CLASS_FINITE};
}

/* log softmax of the classes of a step. */
static void put_logs(const Format *f, const Tensor *x, int64_t first, int64_t classes, Ball *logs,
                     Ball *room)
{
    for (int64_t c = 0; c < classes; c++)
        room[c] = ball_exact(tensor_value(x, first + c));
    Ball greatest = ball_exponentials(f, room, (size_t)classes);
    Ball log = ball_function(f, function_named("log"), ball_sum(f, room, (size_t)classes), false);
    for (int64_t c = 0; c < classes; c++)
        logs[c] = ball_subtract(
            f, ball_subtract(f, ball_exact(tensor_value(x, first + c)), greatest), log);
}

/* t: x and what tells its labels. */
static Sample read_sample(const Ctc *q, const Format *f, const Tensor *t, int64_t sample,
                          Arena *arena)
{
    Sample s = {.format = f,
                .steps = (int64_t)tensor_value(&t[2], sample),
                .classes = q->classes,
                .count = 2 * (int64_t)tensor_value(&t[3], sample) + 1};
    s.logs = arena_take(arena, (size_t)(s.steps * q->classes) + 1, sizeof *s.logs);
    s.states = arena_take_zeroed(arena, (size_t)s.count + 1, sizeof *s.states);
    Ball *room = arena_take(arena, (size_t)q->classes + 1, sizeof *room);
    for (int64_t step = 0; step < s.steps; step++)
        put_logs(f, &t[0], (step * q->batch + sample) * q->classes, q->classes,
                 s.logs + step * q->classes, room);
    for (int64_t i = 1; i < s.count; i += 2)
        s.states[i] = (int64_t)tensor_value(&t[1], sample * q->labels + i / 2);
    return s;
}

/* The state with a number, and the logarithms of a step, counted from the end where backwards. */
static int64_t state_at(const Sample *s, int64_t number, bool backwards)
{
    return s->states[backwards ? s->count - 1 - number : number];
}

static Ball log_at(const Sample *s, int64_t step, int64_t number, bool backwards)
{
    int64_t at = backwards ? s->steps - 1 - step : step;
    return s->logs[at * s->classes + state_at(s, number, backwards)];
}

/* Sums over the paths that lead to each state, steps by states, the state's own step included; from
 * the end where backwards. */
static Ball *sum_paths(const Sample *s, bool backwards, Arena *arena)
{
    Ball *paths = arena_take(arena, (size_t)(s->steps * s->count) + 1, sizeof *paths);
    for (int64_t step = 0; step < s->steps; step++)
        for (int64_t i = 0; i < s->count; i++) {
            const Ball *before = paths + (step - 1) * s->count + i;
            int64_t state = state_at(s, i, backwards);
            bool skips = i >= 2 && state != 0 && state != state_at(s, i - 2, backwards);
            Ball sum = ball_exact(i < 2 ? 0 : -INFINITY), from[3];
            size_t count = 0;
            if (step > 0) {
                for (int64_t back = 0; back <= (skips ? 2 : 1) && back <= i; back++)
                    from[count++] = before[-back];
                sum = log_sum(s->format, from, count);
            }
            /* What no path leads to stays so, also at a step of NaN. */
            if (ball_number(sum) != -(long double)INFINITY)
                sum = ball_add(s->format, sum, log_at(s, step, i, backwards));
            paths[step * s->count + i] = sum;
        }
    return paths;
}

static Ball all_paths(const Sample *s, const Ball *paths)
{
    const Ball *last = paths + (s->steps - 1) * s->count + s->count;
    return log_sum(s->format, s->count > 1 ? last - 2 : last - 1, s->count > 1 ? 2 : 1);
}

/* Whether some path reads as the labels: a blank lies between equal ones. */
static bool has_path(const Sample *s)
{
    int64_t needed = s->count / 2;
    for (int64_t i = 3; i < s->count; i += 2)
        needed += s->states[i] == s->states[i - 2];
    return needed <= s->steps;
}

static bool has_nan(const Sample *s)
{
    for (int64_t i = 0; i < s->steps * s->classes; i++)
        if (ball_is_nan(s->logs[i]))
            return true;
    return false;
}

/* Infinity, or a number that is not negative. */
static Ball loss_of_none(const Format *f)
{
    double half = ldexp(1, f->precision > dtype_format(DT_F32)->precision ? 960 : 127);
    return (Ball){half, half, CLASS_FINITE | CLASS_POSITIVE_INFINITY};
}

static Ball loss_of(const Sample *s, Arena *arena)
{
    Ball all = all_paths(s, sum_paths(s, false, arena)), none = loss_of_none(s->format);
    if (!has_path(s))
        return has_nan(s) ? ball_or(none, CLASS_NAN) : none;
    if (ball_number(all) == -(long double)INFINITY)
        return none;
    return ball_is_known(all) || ball_is_nan(all) ? ball_negate(all) : ball_unknown();
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Ctc *q = input->params;
    Ref *ref = &refs[4];
    ref_allocate_bounded(ref, nn_dtype(q), &input->tensors[4], arena);
    const Format *f = dtype_format(ref->accumulator);
    /* No loss is negative but for its bound. */
    long double least = 0;
    for (int64_t i = 0; i < q->batch; i++) {
        Sample s = read_sample(q, f, input->tensors, i, arena);
        Ball loss = loss_of(&s, arena);
        ref_put_ball(ref, (size_t)i, loss);
        if (ball_is_known(loss))
            least = fminl(least, loss.value - loss.radius);
        else
            ref->magnitude[i] = INFINITY;
    }
    ref->least = dtype_round(ref->dtype, (double)least);
}

/* The exponential of a ball whose value is 0 at most but for its radius; an exponential is off by
 * 4 ulp. */
static Ball share_of(const Format *f, Ball log)
{
    if (ball_number(log) == -(long double)INFINITY)
        return ball_exact(0);
    if (ball_is_nan(log))
        return log;
    if (!ball_is_known(log) || log.radius > 1)
        return ball_unknown();
    long double value = expl(log.value);
    double radius = (double)(value * (expm1l(log.radius + 8 * f->unit))) + f->smallest_normal;
    return (Ball){value, radius, CLASS_FINITE};
}

/* The gradient of a class at a step: its probability less the shares of the paths through it. */
static Ball slope(const Sample *s, const Ball *forward, const Ball *backward, Ball all,
                  int64_t step, int64_t class, Ball *terms)
{
    const Format *f = s->format;
    Ball own = s->logs[step * s->classes + class];
    size_t count = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (s->states[i] != class)
            continue;
        int64_t mirrored = (s->steps - 1 - step) * s->count + s->count - 1 - i;
        Ball both = ball_add(f, forward[step * s->count + i], backward[mirrored]);
        /* What has no probability has no share, whatever probability of its own is taken out. */
        bool is_none = ball_number(both) == -(long double)INFINITY;
        terms[count++] =
            share_of(f, is_none ? both : ball_subtract(f, ball_subtract(f, both, own), all));
    }
    Ball shares = count > 0 ? ball_sum(f, terms, count) : ball_exact(0);
    return ball_subtract(f, share_of(f, own), shares);
}

/* The gradients of a step: dy times the slopes; or those through log softmax, of which their sum,
 * 0 but for errors, times each probability is subtracted. */
static void put_step(const Ctc *q, Ref *ref, const Sample *s, size_t first, Ball dy, int64_t step,
                     const Ball *forward, const Ball *backward, Ball all, Ball *room)
{
    const Format *f = s->format;
    Ball *slopes = room, *terms = room + q->classes;
    for (int64_t c = 0; c < q->classes; c++)
        slopes[c] = ball_multiply(f, dy, slope(s, forward, backward, all, step, c, terms));
    Ball sum = ball_sum(f, slopes, (size_t)q->classes);
    for (int64_t c = 0; c < q->classes; c++) {
        Ball share = share_of(f, s->logs[step * q->classes + c]);
        Ball through = ball_subtract(f, slopes[c], ball_multiply(f, share, sum));
        ref_put_ball(ref, first + (size_t)c, ball_either(slopes[c], through));
    }
}

/* A step behind the last one: 0, or NaN where a mask of 0 multiplies what is not finite, as the
 * loss, its gradient, or the probabilities of the step. */
static void put_rest(const Ctc *q, Ref *ref, const Tensor *x, size_t first, Ball dy, Ball all)
{
    bool known = ball_is_known(dy) && ball_is_known(all);
    for (int64_t c = 0; c < q->classes; c++)
        known = known && isfinite(tensor_value(x, (int64_t)first + c));
    for (int64_t c = 0; c < q->classes; c++)
        ref_put_ball(ref, first + (size_t)c, known ? ball_exact(0) : ball_masked(ball_exact(NAN)));
}

/* Whether some path goes through a state of the class at a step. */
static bool is_passed(const Sample *s, const Ball *forward, const Ball *backward, int64_t step,
                      int64_t class)
{
    for (int64_t i = 0; i < s->count; i++) {
        int64_t mirrored = (s->steps - 1 - step) * s->count + s->count - 1 - i;
        if (s->states[i] == class &&
            ball_number(forward[step * s->count + i]) != -(long double)INFINITY &&
            ball_number(backward[mirrored]) != -(long double)INFINITY)
            return true;
    }
    return false;
}

/* Where the loss is infinite all shares are 0 over 0: kernels leave them out, or have none where
 * there is no gradient; those that keep logarithms finite have any probabilities; others NaN. */
static Ball slope_of_none(const Sample *s, Ball own, Ball dy)
{
    const double half = 0.5;
    Ball share = {half, half * (1 + 0x1p-10), CLASS_FINITE};
    if (ball_is_nan(own))
        return ball_or(ball_exact(0), CLASS_NAN);
    Ball apart = ball_subtract(s->format, share_of(s->format, own), share);
    return ball_or(ball_multiply(s->format, dy, apart), CLASS_NAN);
}

/* The gradient where the loss is NaN: so is the share of a class that some path goes through, and
 * the softmax of a step with NaN among its scores.  A class without a path has no share, whose
 * logarithm of negative infinity less NaN is NaN. */
static Ball slope_of_nan(const Sample *s, Ball own, Ball dy, bool passed)
{
    if (ball_is_nan(own) || passed)
        return ball_exact(NAN);
    return ball_or(ball_multiply(s->format, dy, share_of(s->format, own)), CLASS_NAN);
}

/* The gradients of a step where the loss is no number. */
static void put_undefined(const Ctc *q, Ref *ref, const Sample *s, size_t first, Ball dy,
                          int64_t step, const Ball *forward, const Ball *backward, Ball all)
{
    bool is_none = !has_path(s) || ball_number(all) == -(long double)INFINITY;
    for (int64_t c = 0; c < q->classes; c++) {
        Ball own = s->logs[step * q->classes + c], slope = ball_unknown();
        if (is_none)
            slope = slope_of_none(s, own, dy);
        else if (ball_is_nan(all))
            slope = slope_of_nan(s, own, dy, is_passed(s, forward, backward, step, c));
        ref_put_ball(ref, first + (size_t)c, slope);
    }
}

static void gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Ctc *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[5];
    ref_allocate_bounded(ref, nn_dtype(q), &t[5], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *room = arena_take(arena, (size_t)(q->classes + 2 * q->labels) + 2, sizeof *room);
    for (int64_t i = 0; i < q->batch; i++) {
        Sample s = read_sample(q, f, t + 1, i, arena);
        const Ball *forward = sum_paths(&s, false, arena), *backward = sum_paths(&s, true, arena);
        Ball all = all_paths(&s, forward), dy = ball_exact(tensor_value(&t[0], i));
        for (int64_t step = 0; step < q->steps; step++) {
            size_t first = (size_t)((step * q->batch + i) * q->classes);
            if (step >= s.steps)
                put_rest(q, ref, &t[1], first, dy, all);
            else if (ball_is_known(all))
                put_step(q, ref, &s, first, dy, step, forward, backward, all, room);
            else
                put_undefined(q, ref, &s, first, dy, step, forward, backward, all);
        }
    }
}

#define CTC_OP                                                                                     \
    NN_OP(Ctc, 1), .params = params, .dtypes = DTYPES_REAL, .fills = nn_moderate_fills,            \
                   .normalise = normalise, .work = work

static const OpDesc losses[] = {
    {CTC_OP, .name = "ctc_loss", .summary = "losses of sequences of scores against labels",
     .tensors = tensors, .shape = shape, .reference = reference},
    {CTC_OP, .name = "ctc_loss_backward", .summary = "gradients of ctc_loss",
     .tensors = gradient_tensors, .shape = gradient_shape, .reference = gradient_reference},
    {.name = NULL},
};

OP_TABLE(ops_ctc)
{
    return losses;
}
