/* Weights of mel bins: of num_mel_bins overlapping triangles over the bins of a spectrum (ONNX
 * operator MelWeightMatrix).  Edges lie equally far apart on the mel scale, 2595 log10(1 + f /
 * 700), (high - low) / (num_mel_bins + 2) from one to the next, and belong to the bins
 * floor((dft_length + 1) f / sample_rate).  Triangle i rises from edge i to 1 at edge i + 1, and
 * falls to edge i + 2; one that does not rise is 1 at its own edge.
 *
 * Edges are carried in balls, in the arithmetic of binary32, which is ONNX's for the frequencies:
 * where a ball holds a whole number either bin is right, and nothing is said of what it decides.
 * Weights are quotients of whole numbers, rounded once. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { Y, BINS_MAX = 24, EDGES = BINS_MAX + 2 };

typedef struct MelWeights {
    int64_t dtype, num_mel_bins, dft_length, sample_rate, lower_edge, upper_edge;
} MelWeights;

static const Param params[] = {
    NN_DTYPE(MelWeights),
    P_INTEGER(MelWeights, num_mel_bins, 1, BINS_MAX, 1, "triangles"),
    P_INTEGER(MelWeights, dft_length, 2, 512, 16, "length of the transform"),
    P_INTEGER(MelWeights, sample_rate, 2, 48000, 16000, "samples a second"),
    P_INTEGER_AS("lower_edge_hertz", MelWeights, lower_edge, 0, 24000, 0, "first edge"),
    P_INTEGER_AS("upper_edge_hertz", MelWeights, upper_edge, 1, 24000, 8000, "last edge"),
    P_END};
static const char *const tensors[] = {"y", NULL};

static int64_t rows_of(const MelWeights *q)
{
    return q->dft_length / 2 + 1;
}

/* The greatest edge that lies in a bin that there is. */
static int64_t greatest_edge(const MelWeights *q)
{
    return (rows_of(q) * q->sample_rate - 1) / (q->dft_length + 1);
}

/* Edges in order, the last one in a bin that there is, which ONNX Runtime asks for: of two samples
 * a second and transforms of odd length there is none but 0. */
static void normalise(void *params_of_case)
{
    MelWeights *q = params_of_case;
    q->sample_rate += greatest_edge(q) == 0;
    int64_t most = greatest_edge(q);
    q->upper_edge = q->upper_edge > most ? most : q->upper_edge;
    q->lower_edge = q->lower_edge >= q->upper_edge ? 0 : q->lower_edge;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const MelWeights *q = params_of_case;
    Shape y = {2, {rows_of(q), q->num_mel_bins}};
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[Y] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const MelWeights *q = params_of_case;
    return 64.0 * (double)(rows_of(q) * q->num_mel_bins);
}

/* The bin of an edge; least and most differ where a rounding decides. */
typedef struct Edge {
    int64_t least, most;
} Edge;

static Ball mel_of(const Format *f, int64_t frequency)
{
    Ball inside =
        ball_add(f, ball_exact(1), ball_divide(f, ball_exact((double)frequency), ball_exact(700)));
    return ball_multiply(f, ball_exact(2595),
                         ball_function(f, function_named("log10"), inside, false));
}

static Edge edge_of(const MelWeights *q, const Format *f, int64_t number)
{
    /* The logarithm of 1 is 0, and 10^0 is 1, exactly (C23, F.10.3.8 and F.10.4.4). */
    if (number == 0 && q->lower_edge == 0)
        return (Edge){0, 0};
    Ball low = mel_of(f, q->lower_edge), high = mel_of(f, q->upper_edge);
    Ball step =
        ball_divide(f, ball_subtract(f, high, low), ball_exact((double)q->num_mel_bins + 2));
    Ball mel = ball_add(f, ball_multiply(f, ball_exact((double)number), step), low);
    Ball power = ball_power(f, ball_exact(10), ball_divide(f, mel, ball_exact(2595)));
    Ball hertz = ball_multiply(f, ball_exact(700), ball_subtract(f, power, ball_exact(1)));
    Ball product = ball_multiply(f, ball_exact((double)q->dft_length + 1), hertz);
    Ball place = ball_divide(f, product, ball_exact((double)q->sample_rate));
    return (Edge){(int64_t)floorl(place.value - place.radius),
                  (int64_t)floorl(place.value + place.radius)};
}

static long double weight(int64_t row, int64_t low, int64_t center, int64_t high)
{
    if (row == center || row < low || row >= high)
        return row == center;
    long double over = row < center ? row - low : high - row;
    return over / (row < center ? center - low : high - center);
}

static void put_column(Ref *ref, const MelWeights *q, int64_t column, const Edge *edges)
{
    bool known = true;
    double unit = dtype_format(ref->accumulator)->unit;
    for (int i = 0; i < 3; i++)
        known = known && edges[i].least == edges[i].most;
    for (int64_t row = 0; row < rows_of(q); row++) {
        size_t at = (size_t)(row * q->num_mel_bins + column);
        long double value = weight(row, edges[0].least, edges[1].least, edges[2].most);
        if (known || row < edges[0].least || row > edges[2].most)
            ref_put_bounded(ref, at, value, 0x1p-63L * value, unit * (double)value);
        else
            ref_set_classes(ref, at, CLASS_ANY);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const MelWeights *q = input->params;
    const Tensor *y = &input->tensors[Y];
    Edge edges[EDGES] = {{0}};
    for (int64_t i = 0; i < q->num_mel_bins + 2; i++)
        edges[i] = edge_of(q, dtype_format(DT_F32), i);
    ref_allocate_bounded(&refs[Y], y->dtype, y, arena);
    for (int64_t column = 0; column < q->num_mel_bins; column++)
        put_column(&refs[Y], q, column, edges + column);
}

const OpDesc op_mel_weights = {
    NN_OP(MelWeights, 1),
    .name = "mel_weights",
    .summary = "triangles of mel bins over a spectrum",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT,
    .fills = nn_function_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
