/* Short-time Fourier transforms of real signals: y_{t, k} = sum of x_{t step + j} w_j
 * exp(-2 pi i j k / n) for each of 1 + floor((length - n) / step) frames, k up to n / 2 where one
 * side is kept and below n else (ONNX, STFT; PyTorch, torch.stft with center=False).  Complex
 * results have their parts as a last axis of two.
 *
 * The product with the window is rounded once, which is u of the frame's norm more than
 * ops_fourier.c has; what underflows there is within what it adds for subnormal numbers. */
#include <math.h>

#include "nn_fourier.h"

enum { X, WINDOW, Y };
enum { FRAME_MAX = 128, FRAMES_MAX = 64, STEP_MAX = 64, PARTS = 2 };

typedef struct Stft {
    int64_t dtype, batch, length, frame, step, one_sided;
} Stft;

static const Param params[] = {
    NN_DTYPE(Stft),
    P_DIM_AS("batch_size", Stft, batch, 0, 8, "signals"),
    P_INTEGER_AS("signal_length", Stft, length, 1, 512, 1, "numbers of a signal"),
    P_INTEGER_AS("frame_length", Stft, frame, 1, FRAME_MAX, 1, "numbers of a frame"),
    P_INTEGER_AS("frame_step", Stft, step, 1, STEP_MAX, 1, "from one frame to the next"),
    P_CHOICE_AS("onesided", Stft, one_sided, nn_yes_no, "keeps the half that is not a conjugate"),
    P_END};
static const char *const tensors[] = {"x", "window", "y", NULL};

static int64_t frames_of(const Stft *q)
{
    return 1 + (q->length - q->frame) / q->step;
}

static int64_t bins_of(const Stft *q)
{
    return q->one_sided ? q->frame / 2 + 1 : q->frame;
}

/* A frame fits into the signal. */
static void normalise(void *params_of_case)
{
    Stft *q = params_of_case;
    q->frame = q->frame > q->length ? q->length : q->frame;
    if (frames_of(q) > FRAMES_MAX)
        q->length = q->frame + (FRAMES_MAX - 1) * q->step;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Stft *q = params_of_case;
    DType dtype = nn_dtype(q);
    Shape x = {2, {q->batch, q->length}}, window = {1, {q->frame}};
    Shape y = {4, {q->batch, frames_of(q), bins_of(q), PARTS}};
    *shapes = (Shapes){.count = 3, .depth = q->frame};
    shapes->tensor[X] = nn_tensor(dtype, &x, ROLE_IN);
    shapes->tensor[WINDOW] = nn_tensor(dtype, &window, ROLE_IN);
    shapes->tensor[Y] = nn_tensor(dtype, &y, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    enum { COST = 64 };
    const Stft *q = params_of_case;
    return COST * (double)q->batch * (double)frames_of(q) * (double)q->frame * (double)bins_of(q);
}

/* Reads a frame times the window; its norm is returned. */
static long double read_frame(FourierLine *line, const Tensor *t, int64_t first)
{
    long double squares = 0;
    for (int64_t j = 0; j < line->length; j++) {
        line->re[j] = (long double)tensor_value(&t[X], first + j) * tensor_value(&t[WINDOW], j);
        line->im[j] = 0;
        squares += line->re[j] * line->re[j];
    }
    return sqrtl(squares);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Stft *q = input->params;
    const Tensor *t = input->tensors;
    FourierLine line = fourier_line(q->frame, -1, arena);
    FourierScales scales = fourier_scales();
    fourier_add_axis(&scales, q->frame);
    scales.error += 1;
    ref_allocate_bounded(&refs[Y], t[Y].dtype, &t[Y], arena);
    size_t at = 0;
    for (int64_t i = 0; i < q->batch * frames_of(q); i++) {
        int64_t signal = i / frames_of(q), frame = i % frames_of(q);
        long double norm = read_frame(&line, t, signal * q->length + frame * q->step);
        for (int64_t k = 0; k < bins_of(q); k++, at += PARTS) {
            long double re, im;
            FourierReach reach = fourier_line_reach(&line, k);
            fourier_sum(&line, k, &re, &im);
            fourier_put(&refs[Y], at, &scales, re, norm, &reach, 0);
            fourier_put(&refs[Y], at + 1, &scales, im, norm, &reach, 1);
        }
    }
}

/* Frames of nothing, and frames that do not move. */
static const IllegalRule illegal[] = {
    {ILLEGAL_INTEGER, "frame_step", 0}, {ILLEGAL_INTEGER, "frame_length", 0}, {0}};

const OpDesc op_stft = {
    NN_OP(Stft, 1),
    .name = "stft",
    .summary = "Fourier transforms of the frames of signals",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .illegal = illegal,
};
