/* Products and convolutions of integers of 8 bits with zero points: sums in 32 bits, which are
 * exact, or their quantisation to 8 bits by the scales of both factors and of the result.  The
 * second factor may have a scale, and in products a zero point, of its own for each channel of the
 * result (ONNX, QLinearMatMul, QLinearConv and MatMulInteger; PyTorch, per-channel affine weights).
 *
 * A quantised result is the nearest integer, ties to even, to the sum times the factor of the three
 * scales, plus the zero point, between the ends of the type.  The factor takes two roundings, the
 * sum may be rounded to binary32, and the product once more: integers that are nearest to a number
 * within 5 u of it are right, u = 2^-24.  Where the scales are powers of two nothing rounds, and
 * halves are halves.
 *
 * Alternative "saturated-pairs": VPMADDUBSW and its like multiply numbers without a
 * sign by numbers with one and add pairs of products in 16 bits, with saturation.  A factor of the
 * wrong signedness is moved by 128 before, and the sums are put right afterwards, so that the error
 * is what the pairs have lost.  Pairs are of neighbours, counted from the first, or from the middle
 * as well where a long sum is made in two parts.
 *
 * Alternative "zero-point-first": the zero point is added to the scaled sum, in binary32, before
 * the integer is taken, so that a half and an odd zero point go to the other neighbour. */
#include <math.h>

#include "nn_quantize.h"
#include "nn_spatial.h"

typedef struct IntegerRow {
    const char *name, *summary;
    bool convolves, quantises, by_channels;
} IntegerRow;

static const IntegerRow rows[] = {
    {"matmul_integer", "product of integers of 8 bits", false, false, false},
    {"matmul_quantized", "product of integers of 8 bits, quantised", false, true, false},
    {"conv2d_integer", "convolution of integers of 8 bits", true, false, false},
    {"conv2d_quantized", "convolution of integers of 8 bits, quantised", true, true, false},
    {"matmul_channels_integer", "product of integers of 8 bits, a zero point for each column",
     false, false, true},
    {"matmul_channels_quantized",
     "product of integers of 8 bits, quantised by a scale and a zero point for each column", false,
     true, true},
    {"conv2d_channels_quantized",
     "convolution of integers of 8 bits, quantised by a scale for each filter", true, true, true},
};

static const char *const signs[] = {"i8", "u8", NULL};

/* Products have m, n and k, convolutions the rest. */
typedef struct Quantized {
    int64_t dtype, dtype_b, zero_point_a, zero_point_b, zero_point_y;
    Scalar scale_a, scale_b, scale_y;
    int64_t m, n, k;
    int64_t batch, in_channels_per_group, out_channels_per_group, groups;
    Window window;
} Quantized;

#define ZERO_POINT(field, text, before)                                                            \
    P_INTEGER(Quantized, field, -128, 255, 0, "zero point of " text, .formerly = (before))
#define SCALE(field, text, before)                                                                 \
    P_REAL(Quantized, field, 1, "scale of " text, .formerly = (before))
#define FIRST_PARAMS                                                                               \
    NN_DTYPE(Quantized),                                                                           \
        P_CHOICE(Quantized, dtype_b, signs, "element type of the second factor",                   \
                 .formerly = "other"),                                                             \
        ZERO_POINT(zero_point_a, "the first factor", "zero_a")
#define INTEGER_PARAMS FIRST_PARAMS, ZERO_POINT(zero_point_b, "the second factor", "zero_b")
#define SCALE_A_PARAMS SCALE(scale_a, "the first factor", "alpha")
#define SCALE_Y_PARAMS SCALE(scale_y, "y", "epsilon"), ZERO_POINT(zero_point_y, "y", "zero_y")
#define SCALE_PARAMS   SCALE_A_PARAMS, SCALE(scale_b, "the second factor", "beta"), SCALE_Y_PARAMS
#define PRODUCT_PARAMS                                                                             \
    P_DIM(Quantized, m, 0, 128, "rows of a and y"),                                                \
        P_DIM(Quantized, n, 0, 128, "columns of b and y"),                                         \
        P_DIM(Quantized, k, 0, 512, "columns of a, rows of b")
#define CONVOLUTION_PARAMS NN_CONVOLUTION(Quantized, 2)

/* By whether it convolves, quantises and has channels of its own. */
static const Param params[2][2][2][24] = {
    {{{INTEGER_PARAMS, PRODUCT_PARAMS, P_END}, {FIRST_PARAMS, PRODUCT_PARAMS, P_END}},
     {{INTEGER_PARAMS, SCALE_PARAMS, PRODUCT_PARAMS, P_END},
      {FIRST_PARAMS, SCALE_A_PARAMS, SCALE_Y_PARAMS, PRODUCT_PARAMS, P_END}}},
    {{{INTEGER_PARAMS, CONVOLUTION_PARAMS, P_END}, {P_END}},
     {{INTEGER_PARAMS, SCALE_PARAMS, CONVOLUTION_PARAMS, P_END},
      {INTEGER_PARAMS, SCALE_A_PARAMS, SCALE_Y_PARAMS, CONVOLUTION_PARAMS, P_END}}}};
static const char *const plain_tensors[] = {"a", "b", "y", NULL};
static const char *const zeros_tensors[] = {"a", "b", "zero_point_b", "y", NULL};
static const char *const scales_tensors[] = {"a", "b", "scale_b", "y", NULL};
static const char *const both_tensors[] = {"a", "b", "scale_b", "zero_point_b", "y", NULL};

static const char *const *tensors_of(const IntegerRow *row)
{
    return !row->by_channels ? plain_tensors
           : row->convolves  ? scales_tensors
           : row->quantises  ? both_tensors
                             : zeros_tensors;
}

/* Places of the operands. */
static int scales_place(const IntegerRow *row)
{
    return row->by_channels && row->quantises ? 2 : -1;
}

static int zeros_place(const IntegerRow *row)
{
    return row->by_channels && !row->convolves ? (row->quantises ? 3 : 2) : -1;
}

static int result_place(const IntegerRow *row)
{
    return 2 + (scales_place(row) >= 0) + (zeros_place(row) >= 0);
}

static DType other_dtype(const Quantized *q)
{
    return q->dtype_b ? DT_U8 : DT_I8;
}

/* The scales are positive and, as their products and quotients in whatever order, numbers whose
 * reciprocals are normal; a sum times the factor saturates where it leaves the range of binary32.
 */
static bool stay_in_range(double a, double b, double y)
{
    const double sizes[] = {a, b, y, a * b, a / y, b / y, a * b / y};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (!(sizes[i] >= 0x1p-120 && sizes[i] <= 0x1p120))
            return false;
    return true;
}

static void normalise(void *params_of_case)
{
    Quantized *q = params_of_case;
    nn_fit_zero_point(&q->zero_point_a, nn_dtype(q));
    nn_fit_zero_point(&q->zero_point_b, other_dtype(q));
    nn_fit_zero_point(&q->zero_point_y, nn_dtype(q));
}

static void normalise_windows(void *params_of_case)
{
    normalise(params_of_case);
    nn_fit_kernel(&((Quantized *)params_of_case)->window);
}

/* Terms of a sum. */
static int64_t depth_of(const Quantized *q, const IntegerRow *row)
{
    return row->convolves ? q->in_channels_per_group * shape_count(&q->window.kernel_size) : q->k;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Quantized *q = params_of_case;
    const IntegerRow *row = op->detail;
    Shape a = {2, {q->m, q->k}}, b = {2, {q->k, q->n}}, y = {2, {q->m, q->n}};
    *shapes = (Shapes){.depth = q->k};
    if (row->convolves) {
        Shape outputs = nn_outputs(&q->window);
        a = nn_image(q->batch, q->in_channels_per_group * q->groups, &q->window.input_size);
        b = nn_image(q->out_channels_per_group * q->groups, q->in_channels_per_group,
                     &q->window.kernel_size);
        y = nn_image(q->batch, q->out_channels_per_group * q->groups, &outputs);
        shapes->depth = depth_of(q, row);
    }
    Shape line = {1, {y.extent[1]}};
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, other_dtype(q), &b, ROLE_IN);
    shapes->tensor[1].part = PART_RIGHT;
    if (scales_place(row) >= 0) {
        nn_add_operand(shapes, DT_F32, &line, ROLE_IN);
        shapes->tensor[scales_place(row)].positive = true;
    }
    if (zeros_place(row) >= 0)
        nn_add_operand(shapes, other_dtype(q), &line, ROLE_IN);
    nn_add_operand(shapes, row->quantises ? nn_dtype(q) : DT_I32, &y, ROLE_OUT);
}

static double product_work(const void *params_of_case)
{
    const Quantized *q = params_of_case;
    return 8.0 * (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

static double window_work(const void *params_of_case)
{
    const Quantized *q = params_of_case;
    Shape outputs = nn_outputs(&q->window);
    double results =
        (double)(q->batch * q->out_channels_per_group * q->groups) * (double)shape_count(&outputs);
    return 8.0 * results *
               (double)(q->in_channels_per_group * shape_count(&q->window.kernel_size) + 4) +
           8.0 * (double)(q->batch * q->in_channels_per_group * q->groups) *
               (double)shape_count(&q->window.input_size);
}

/* The operand without its zero point, in binary64. */
static Tensor shifted(const Tensor *t, int64_t zero, Arena *arena)
{
    Tensor copy = tensor_converted(t, DT_F64, arena);
    double *values = copy.origin;
    for (int64_t i = 0, count = tensor_count(t); i < count; i++)
        values[i] -= (double)zero;
    return copy;
}

/* The second factor without its zero point, or without those of its columns. */
static Tensor shifted_second(const ReferenceInput *input, Arena *arena)
{
    const Quantized *q = input->params;
    const Tensor *b = &input->tensors[1];
    int place = zeros_place(input->op->detail);
    Tensor copy = shifted(b, place < 0 ? q->zero_point_b : 0, arena);
    double *values = copy.origin;
    for (int64_t i = 0, count = tensor_count(b); place >= 0 && i < count; i++)
        values[i] -= tensor_value(&input->tensors[place], i % b->extent[1]);
    return copy;
}

/* The scale of the second factor for an element of y. */
static double second_scale(const ReferenceInput *input, size_t element)
{
    const Quantized *q = input->params;
    int place = scales_place(input->op->detail);
    const Tensor *y = &input->tensors[result_place(input->op->detail)];
    if (place < 0)
        return q->scale_b.re;
    int64_t area = 1;
    for (int axis = 2; axis < y->rank; axis++)
        area *= y->extent[axis];
    return tensor_value(&input->tensors[place], (int64_t)element / area % y->extent[1]);
}

static bool scales_are_powers(const Quantized *q, double scale_b)
{
    return is_power_of_two_or_zero(q->scale_a.re) && is_power_of_two_or_zero(scale_b) &&
           is_power_of_two_or_zero(q->scale_y.re);
}

/* Element i: v, the scaled sum, within `reach`, or exactly where that is 0, rounded to an integer
 * before the zero point is added, or after. */
static void put_quantised(Ref *ref, size_t i, long double v, long double reach, double zero,
                          bool zero_first)
{
    const double low = dtype_lowest(ref->dtype), high = dtype_format(ref->dtype)->largest;
    if (zero_first) {
        double sum = dtype_round(DT_F32, (double)(v + zero));
        reach = reach == 0 && sum == v + zero ? 0 : reach + 0x1p-23L * fabsl(v + zero);
        v += zero;
        zero = 0;
    }
    const long double values[REF_CANDIDATES] = {v, v - reach, v + reach};
    for (int k = 0; k < REF_CANDIDATES; k++)
        ref->candidates[i * REF_CANDIDATES + (size_t)k] =
            fmin(fmax((double)rintl(values[k]) + zero, low), high);
    ref->high[i] = ref->candidates[i * REF_CANDIDATES];
    ref->match[i] = MATCH_SET;
}

/* The sums of a reference, quantised. */
static void quantise(Ref *ref, const Ref *sums, const ReferenceInput *input, bool zero_first,
                     Arena *arena)
{
    const Quantized *q = input->params;
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < ref->count; i++) {
        double scale_b = second_scale(input, i);
        long double factor = (long double)q->scale_a.re * scale_b / q->scale_y.re;
        bool exact = scales_are_powers(q, scale_b) && fabs(sums->high[i]) <= 0x1p24;
        long double v = sums->high[i] * factor;
        put_quantised(ref, i, v, exact ? 0 : 5 * 0x1p-24L * fabsl(v), (double)q->zero_point_y,
                      zero_first);
        if (!stay_in_range(q->scale_a.re, scale_b, q->scale_y.re))
            ref_admit_anything(ref, i);
    }
}

/* What moves an operand to the range of the other signedness, where it is not of this one. */
static int64_t sign_offset(const Tensor *t, bool sign)
{
    enum { HALF = 128 };
    bool has_sign = t->dtype == DT_I8;
    return has_sign == sign ? 0 : sign ? -HALF : HALF;
}

static Tensor with_sign(const Tensor *t, bool sign, Arena *arena)
{
    return shifted(t, -sign_offset(t, sign), arena);
}

/* How the factors of sums in 16 bits are taken. */
typedef struct Pairing {
    bool a_has_sign;
    bool channels_inside; /* of convolutions: channels are the inner loop, not the places of taps */
    int64_t part;         /* number of terms after which pairs begin anew */
} Pairing;

/* The raw factors of one sum, in the order of its terms. */
typedef struct Factors {
    double *a, *b;
    int64_t count;
} Factors;

static void put_product_factors(Factors *f, const Tensor *a, const Tensor *b, int64_t element)
{
    int64_t depth = a->extent[1], columns = b->extent[1];
    int64_t row = element / columns, column = element % columns;
    for (f->count = 0; f->count < depth; f->count++) {
        f->a[f->count] = dtype_load(DT_F64, a->origin, row * depth + f->count);
        f->b[f->count] = dtype_load(DT_F64, b->origin, f->count * columns + column);
    }
}

/* The place in a plane of x that a tap meets, or -1 in the padding. */
static int64_t place_of_tap(const Window *w, const int64_t output[2], const int64_t tap[2])
{
    int64_t place = 0;
    for (int axis = 0; axis < 2; axis++) {
        int64_t at = output[axis] * w->stride.extent[axis] + tap[axis] * w->dilation.extent[axis] -
                     w->pads_begin.extent[axis];
        if (at < 0 || at >= w->input_size.extent[axis])
            return -1;
        place = place * w->input_size.extent[axis] + at;
    }
    return place;
}

/* The padding holds the zero point, `padding` as the factors have it. */
static void put_window_factors(Factors *f, const Quantized *q, const Tensor *t, const Tensor *y,
                               int64_t element, bool channels_inside, double padding)
{
    const Window *w = &q->window;
    int64_t taps = shape_count(&w->kernel_size), channels = q->in_channels_per_group;
    int64_t output[2] = {element / y->extent[3] % y->extent[2], element % y->extent[3]};
    int64_t plane = element / (y->extent[2] * y->extent[3]), filter = plane % y->extent[1];
    int64_t sample = plane / y->extent[1], group = filter / q->out_channels_per_group;
    int64_t area = shape_count(&w->input_size);
    for (f->count = 0; f->count < taps * channels; f->count++) {
        int64_t number = channels_inside ? f->count / channels : f->count % taps;
        int64_t channel = channels_inside ? f->count % channels : f->count / taps;
        int64_t columns = w->kernel_size.extent[1];
        int64_t place = place_of_tap(w, output, (int64_t[2]){number / columns, number % columns});
        int64_t image = (sample * q->groups + group) * channels + channel;
        f->a[f->count] =
            place < 0 ? padding : dtype_load(DT_F64, t[0].origin, image * area + place);
        f->b[f->count] =
            dtype_load(DT_F64, t[1].origin, (filter * channels + channel) * taps + number);
    }
}

/* What sums of pairs of neighbours lose in 16 bits. */
static double lost_by_pairs(const Factors *f, int64_t part)
{
    double lost = 0;
    for (int64_t first = 0; first < f->count; first += part)
        for (int64_t k = first; k < f->count && k < first + part; k += 2) {
            bool lone = k + 1 == f->count || k + 1 == first + part;
            double pair = f->a[k] * f->b[k] + (lone ? 0 : f->a[k + 1] * f->b[k + 1]);
            lost += pair - fmin(fmax(pair, INT16_MIN), INT16_MAX);
        }
    return lost;
}

/* The sums without what pairs lose. */
static Ref sums_of_pairs(const Ref *sums, const ReferenceInput *input, Pairing pairing,
                         Arena *arena)
{
    const Quantized *q = input->params;
    const IntegerRow *row = input->op->detail;
    const Tensor *y = &input->tensors[result_place(row)];
    const Tensor raw[] = {with_sign(&input->tensors[0], pairing.a_has_sign, arena),
                          with_sign(&input->tensors[1], !pairing.a_has_sign, arena)};
    double padding = (double)q->zero_point_a + sign_offset(&input->tensors[0], pairing.a_has_sign);
    size_t room = (size_t)depth_of(q, row) + 1;
    Factors f = {arena_take(arena, room, sizeof(double)), arena_take(arena, room, sizeof(double)),
                 0};
    Ref lossy = *sums;
    lossy.high = arena_take(arena, sums->count + 1, sizeof(double));
    for (size_t i = 0; i < sums->count; i++) {
        if (row->convolves)
            put_window_factors(&f, q, raw, y, (int64_t)i, pairing.channels_inside, padding);
        else
            put_product_factors(&f, &raw[0], &raw[1], (int64_t)i);
        lossy.high[i] = sums->high[i] - lost_by_pairs(&f, pairing.part);
    }
    return lossy;
}

/* Elements may have lost it or not: kernels for the edges may be others. */
static void add_saturated(Ref *ref, const Ref *sums, const ReferenceInput *input, Pairing pairing,
                          Arena *arena)
{
    const IntegerRow *row = input->op->detail;
    Ref lossy = sums_of_pairs(sums, input, pairing, arena), other;
    ref_allocate_exact(&other, &input->tensors[result_place(row)], arena);
    other.candidates = arena_take_zeroed(arena, other.count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < other.count; i++) {
        ref_set_exact(&other, i, lossy.high[i], MATCH_VALUE);
        other.match[i] = MATCH_SET;
        other.candidates[i * REF_CANDIDATES] = lossy.high[i];
        other.candidates[i * REF_CANDIDATES + 1] = sums->high[i];
        other.candidates[i * REF_CANDIDATES + 2] = lossy.high[i];
    }
    if (row->quantises)
        quantise(&other, &lossy, input, false, arena);
    ref_add_alternative(ref, &other, input->op->policy, arena);
}

static void add_zero_first(Ref *ref, const Ref *sums, const ReferenceInput *input, Arena *arena)
{
    Ref other;
    ref_allocate_exact(&other, &input->tensors[result_place(input->op->detail)], arena);
    quantise(&other, sums, input, true, arena);
    ref_add_alternative(ref, &other, "zero-point-first", arena);
}

static void add_pairings(Ref *ref, const Ref *sums, const ReferenceInput *input, Arena *arena)
{
    enum { LONG = 128 };
    const IntegerRow *row = input->op->detail;
    int64_t depth = depth_of(input->params, row), half = (depth + 1) / 2;
    for (int i = 0; i < 2 * (row->convolves ? 2 : 1); i++) {
        Pairing pairing = {i % 2, i / 2, depth + 1};
        add_saturated(ref, sums, input, pairing, arena);
        pairing.part = half;
        if (depth > LONG && half % 2 == 1)
            add_saturated(ref, sums, input, pairing, arena);
    }
}

static void multiply(Ref *ref, const Tensor *a, const Tensor *b, const Tensor *y, Arena *arena)
{
    int64_t depth = a->extent[1], columns = b->extent[1];
    ref_allocate_exact(ref, y, arena);
    for (int64_t i = 0; i < y->extent[0]; i++)
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t k = 0; k < depth; k++)
                sum += dtype_load(DT_F64, a->origin, i * depth + k) *
                       dtype_load(DT_F64, b->origin, k * columns + j);
            ref_set_exact(ref, (size_t)(i * columns + j), sum, MATCH_VALUE);
        }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Quantized *q = input->params;
    const IntegerRow *row = input->op->detail;
    const Tensor *t = input->tensors, *result = &t[result_place(row)];
    Ref sums, *ref = &refs[result_place(row)];
    Tensor a = shifted(&t[0], q->zero_point_a, arena), b = shifted_second(input, arena),
           y = *result;
    /* Exact: sums stay below 2^53. */
    y.dtype = DT_F64;
    if (row->convolves) {
        ConvInput in = nn_conv_input(&q->window, q->groups);
        in.x = a;
        in.w = b;
        in.y = y;
        conv_reference(&sums, &in, arena);
    } else {
        multiply(&sums, &a, &b, &y, arena);
    }
    ref_allocate_exact(ref, result, arena);
    if (row->quantises)
        quantise(ref, &sums, input, false, arena);
    for (size_t i = 0; i < sums.count && !row->quantises; i++)
        ref_set_exact(ref, i, sums.high[i], MATCH_VALUE);
    if (row->quantises && q->zero_point_y != 0)
        add_zero_first(ref, &sums, input, arena);
    add_pairings(ref, &sums, input, arena);
}

OP_TABLE(ops_integer)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Quantized, 2),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params[rows[i].convolves][rows[i].quantises][rows[i].by_channels],
            .tensors = tensors_of(&rows[i]),
            .dtypes = 1u << DT_I8 | 1u << DT_U8,
            .fills = 1 << FILL_INT | 1 << FILL_BITS | 1 << FILL_ONES,
            .normalise = rows[i].convolves ? normalise_windows : normalise,
            .shape_of_row = shape,
            .work = rows[i].convolves ? window_work : product_work,
            .reference = reference,
            .policy = "saturated-pairs",
            .detail = &rows[i],
        };
    return table;
}
