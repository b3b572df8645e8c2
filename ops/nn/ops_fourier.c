/* Discrete Fourier transforms: y_k = s sum of x_j exp(-+ 2 pi i j k / n), along one axis, whose
 * length is made n by cutting it or by zeros behind it, or along several.  Complex operands have
 * their real and imaginary parts as a last axis of two, as ONNX's DFT has them.  Of transforms of
 * real data one half is kept, k up to n / 2; those back to real data read that half, and no
 * imaginary part where it must be 0 (NumPy, numpy.fft; PyTorch, torch.fft).
 *
 * The bound is normwise: of a transform of length n = p1 p2 ..., each stage multiplies by sparse
 * unitary matrices of order p, and is off by eta_p = mu + sqrt(p) gamma_{p+4} of the norm (Higham,
 * Accuracy and Stability, 2nd edition, 24.1, whose theorem 24.2 is p = 2), mu = 2 u of the roots of
 * unity; lengths beyond 13, as a whole or their prime factors, may be convolutions of length m >= 2
 * p - 1 by three transforms (Bluestein), which the sum of the chirp's magnitudes, 2 p, over sqrt(p)
 * multiplies: FFTs of ONNX Runtime are, of all lengths but powers of 2.  Every
 * element is off by at most the norm of all. */
#include <math.h>

#include "nn_fourier.h"

enum { X, Y };
enum { LENGTH_MAX = 200, PARTS = 2 };
enum { BACKWARD, ORTHO, FORWARD };

static const char *const norms[] = {"backward", "ortho", "forward", NULL};

typedef struct Fourier {
    int64_t dtype;
    Shape shape;
    int64_t axis, length, axes, norm;
} Fourier;

#define FOURIER                                                                                    \
    NN_DTYPE(Fourier), P_SHAPE(Fourier, shape, 1, TENSOR_RANK_MAX - 1,                             \
                               "extents of the input, without the parts of complex numbers")
#define NORM P_CHOICE(Fourier, norm, norms, "which direction divides by the number of elements")

static const Param line_params[] = {FOURIER, NN_AXIS(Fourier),
                                    P_INTEGER(Fourier, length, 0, LENGTH_MAX, 0,
                                              "length of the transform, or 0 for that of the data"),
                                    NORM, P_END};
static const Param volume_params[] = {
    FOURIER,
    P_INTEGER(Fourier, axes, 0, 15, 0, "axes that are transformed, as bits, the innermost first"),
    NORM, P_END};
static const char *const tensors[] = {"x", "y", NULL};

typedef enum Kind { COMPLEX, FROM_REAL, TO_REAL } Kind;

typedef struct Row {
    const char *name, *summary;
    Kind kind;
    bool inverse; /* by its name, which says where the division is */
    int sign;     /* of the exponent */
    bool volume;
} Row;

static const Row rows[] = {
    {"fft", "Fourier transform", COMPLEX, false, -1, false},
    {"ifft", "inverse Fourier transform", COMPLEX, true, 1, false},
    {"rfft", "Fourier transform of real data", FROM_REAL, false, -1, false},
    {"irfft", "inverse of rfft", TO_REAL, true, 1, false},
    {"hfft", "Fourier transform of half of Hermitian data", TO_REAL, false, -1, false},
    {"ihfft", "inverse of hfft", FROM_REAL, true, 1, false},
    {"fftn", "fft along several axes", COMPLEX, false, -1, true},
    {"ifftn", "ifft along several axes", COMPLEX, true, 1, true},
    {"rfftn", "rfft along the last of several axes, fft along the others", FROM_REAL, false, -1,
     true},
    {"irfftn", "inverse of rfftn", TO_REAL, true, 1, true},
    {"hfftn", "hfft along the last of several axes, fft along the others", TO_REAL, false, -1,
     true},
    {"ihfftn", "inverse of hfftn", FROM_REAL, true, 1, true},
};

static bool is_transformed(const Fourier *q, const Row *row, int64_t axis)
{
    return row->volume ? q->axes >> (q->shape.rank - 1 - axis) & 1 : axis == q->axis;
}

static int64_t last_transformed(const Fourier *q, const Row *row)
{
    int64_t axis = q->shape.rank - 1;
    while (axis > 0 && !is_transformed(q, row, axis))
        axis--;
    return axis;
}

/* The n of an axis. */
static int64_t length_of(const Fourier *q, const Row *row, int64_t axis)
{
    int64_t extent = q->shape.extent[axis];
    if (!row->volume)
        return q->length;
    return row->kind == TO_REAL && axis == last_transformed(q, row) ? 2 * (extent - 1) : extent;
}

static void normalise(const OpDesc *op, void *params_of_case)
{
    Fourier *q = params_of_case;
    const Row *row = op->detail;
    if (row->volume) {
        int64_t all = (1 << q->shape.rank) - 1;
        q->axes = (q->axes & all) ? q->axes & all : all;
        for (int64_t axis = 0; axis < q->shape.rank; axis++)
            if (is_transformed(q, row, axis))
                nn_fill_axis(&q->shape, axis);
        int64_t *last = &q->shape.extent[last_transformed(q, row)];
        *last = row->kind == TO_REAL && *last < 2 ? 2 : *last;
        return;
    }
    nn_fit_axis(&q->shape, &q->axis);
    nn_fill_axis(&q->shape, q->axis);
    int64_t extent = q->shape.extent[q->axis];
    if (q->length < 1)
        q->length = row->kind != TO_REAL ? extent : extent > 1 ? 2 * (extent - 1) : 1;
    q->length = q->length > LENGTH_MAX ? LENGTH_MAX : q->length;
}

static Shape result_of(const Fourier *q, const Row *row)
{
    Shape result = q->shape;
    for (int64_t axis = 0; axis < q->shape.rank; axis++)
        if (is_transformed(q, row, axis))
            result.extent[axis] = length_of(q, row, axis);
    int64_t *last = &result.extent[last_transformed(q, row)];
    if (row->kind == FROM_REAL)
        *last = *last / 2 + 1;
    return result;
}

static Shape with_parts(Shape shape, bool has_parts)
{
    if (has_parts)
        shape.extent[shape.rank++] = PARTS;
    return shape;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Fourier *q = params_of_case;
    const Row *row = op->detail;
    Shape x = with_parts(q->shape, row->kind != FROM_REAL);
    Shape y = with_parts(result_of(q, row), row->kind != TO_REAL);
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[X] = nn_tensor(nn_dtype(q), &x, ROLE_IN);
    shapes->tensor[Y] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
    for (int64_t axis = 0; axis < q->shape.rank; axis++)
        if (is_transformed(q, row, axis))
            shapes->depth *= length_of(q, row, axis);
}

static double work(const OpDesc *op, const void *params_of_case)
{
    enum { COST = 32 };
    const Fourier *q = params_of_case;
    const Row *row = op->detail;
    double sum = 0, count = 1;
    for (int64_t axis = 0; axis < q->shape.rank; axis++) {
        bool done = is_transformed(q, row, axis);
        double length = done ? (double)length_of(q, row, axis) : 1;
        count *= fmax(length, (double)q->shape.extent[axis]);
        sum += done ? length : 0;
    }
    return COST * count * (sum + 4);
}

/* Complex numbers in the order of a shape. */
typedef struct Volume {
    Shape shape;
    long double *re, *im;
} Volume;

static Volume volume_of(Shape shape, Arena *arena)
{
    size_t count = (size_t)shape_count(&shape) + 1;
    return (Volume){shape, arena_take_zeroed(arena, count, sizeof(long double)),
                    arena_take_zeroed(arena, count, sizeof(long double))};
}

static Volume read_volume(const Tensor *x, const Shape *shape, bool has_parts, Arena *arena)
{
    Volume v = volume_of(*shape, arena);
    for (int64_t i = 0, count = shape_count(shape); i < count; i++) {
        v.re[i] = tensor_value(x, has_parts ? PARTS * i : i);
        v.im[i] = has_parts ? tensor_value(x, PARTS * i + 1) : 0;
    }
    return v;
}

/* What takes part of one line of `extent` numbers that are `stride` apart, made `length` long.  Of
 * a half the other one is its conjugate, and the middle ones are real. */
static void read_line(FourierLine *line, const Volume *v, int64_t first, int64_t stride,
                      int64_t extent, bool is_half)
{
    int64_t n = line->length;
    for (int64_t j = 0; j < n; j++) {
        int64_t from = is_half && j > n / 2 ? n - j : j;
        bool there = from < extent, real = is_half && (from == 0 || 2 * from == n);
        line->re[j] = there ? v->re[first + from * stride] : 0;
        line->im[j] = there && !real ? v->im[first + from * stride] * (from == j ? 1 : -1) : 0;
    }
}

static void put_line(const FourierLine *line, Volume *y, int64_t first, int64_t stride,
                     int64_t extent)
{
    for (int64_t k = 0; k < extent; k++)
        fourier_sum(line, k, &y->re[first + k * stride], &y->im[first + k * stride]);
}

/* Transforms one axis, of which `kept` results stay. */
static Volume transform(const Volume *x, int64_t axis, int64_t kept, FourierLine *line,
                        bool is_half, Arena *arena)
{
    Shape shape = x->shape;
    int64_t extent = shape.extent[axis], inner = 1;
    for (int64_t i = axis + 1; i < shape.rank; i++)
        inner *= shape.extent[i];
    shape.extent[axis] = kept;
    Volume y = volume_of(shape, arena);
    int64_t outer = inner > 0 ? shape_count(&x->shape) / (extent * inner) : 0;
    for (int64_t i = 0; i < outer * inner; i++) {
        int64_t before = i / inner, at = i % inner;
        read_line(line, x, before * extent * inner + at, inner, extent, is_half);
        put_line(line, &y, before * kept * inner + at, inner, kept);
    }
    return y;
}

/* The transforms of the other axes come first where the half of the last one is what is left of
 * Hermitian data, and in any order elsewhere. */
static Volume transform_all(const Fourier *q, const Row *row, Volume v, Arena *arena)
{
    int64_t last = last_transformed(q, row);
    for (int64_t axis = 0; axis <= last; axis++) {
        int64_t length = length_of(q, row, axis);
        bool half = row->kind == TO_REAL && axis == last;
        if (!is_transformed(q, row, axis))
            continue;
        FourierLine line = fourier_line(length, row->sign, arena);
        int64_t kept = row->kind == FROM_REAL && axis == last ? length / 2 + 1 : length;
        v = transform(&v, axis, kept, &line, half, arena);
    }
    return v;
}

/* The number of the element of the batch that an element belongs to. */
static int64_t batch_of(const Fourier *q, const Row *row, const Shape *shape, int64_t number)
{
    int64_t place = 0, factor = 1;
    for (int64_t axis = shape->rank - 1; axis >= 0; axis--) {
        int64_t at = number % shape->extent[axis];
        number /= shape->extent[axis];
        if (is_transformed(q, row, axis))
            continue;
        place += at * factor;
        factor *= shape->extent[axis];
    }
    return place;
}

static FourierScales scales_of(const Fourier *q, const Row *row)
{
    FourierScales s = fourier_scales();
    for (int64_t axis = 0; axis < q->shape.rank; axis++)
        if (is_transformed(q, row, axis))
            fourier_add_axis(&s, length_of(q, row, axis));
    bool divides = row->inverse ? q->norm == BACKWARD : q->norm == FORWARD;
    long double n = s.elements;
    s.factor = divides ? 1 / n : q->norm == ORTHO ? 1 / sqrtl(n) : 1;
    return s;
}

/* Norms of the elements of the batch.  A half stands for both. */
static long double *norms_of(const Fourier *q, const Row *row, const Volume *v, Arena *arena)
{
    int64_t count = shape_count(&v->shape);
    long double *sums = arena_take_zeroed(arena, (size_t)count + 1, sizeof *sums);
    for (int64_t i = 0; i < count; i++)
        sums[batch_of(q, row, &v->shape, i)] +=
            (row->kind == TO_REAL ? 2 : 1) * (v->re[i] * v->re[i] + v->im[i] * v->im[i]);
    for (int64_t i = 0; i < count; i++)
        sums[i] = sqrtl(sums[i]);
    return sums;
}

/* The operands that are not finite, by their numbers. */
typedef struct Flawed {
    int64_t *number, count;
} Flawed;

static Flawed flawed_of(const Volume *x, Arena *arena)
{
    int64_t all = shape_count(&x->shape);
    Flawed flawed = {arena_take(arena, (size_t)all + 1, sizeof(int64_t)), 0};
    for (int64_t i = 0; i < all; i++)
        if (!isfinite(x->re[i]) || !isfinite(x->im[i]))
            flawed.number[flawed.count++] = i;
    return flawed;
}

/* The angle between an operand and a result in turns; false where the one takes no part in the
 * other: in another line, or cut off. */
static bool find_turns(const Fourier *q, const Row *row, const Shape *result, int64_t from,
                       int64_t to, long double *turns)
{
    int64_t last = last_transformed(q, row);
    *turns = 0;
    for (int64_t axis = q->shape.rank - 1; axis >= 0; axis--) {
        int64_t j = from % q->shape.extent[axis], k = to % result->extent[axis];
        from /= q->shape.extent[axis];
        to /= result->extent[axis];
        if (!is_transformed(q, row, axis)) {
            if (j != k)
                return false;
            continue;
        }
        int64_t n = length_of(q, row, axis);
        if (j >= n || (row->kind == TO_REAL && axis == last && 2 * j > n))
            return false;
        *turns += (long double)(j * k % n) / n;
    }
    return true;
}

static FourierReach reach_of(const Fourier *q, const Row *row, const Volume *x,
                             const Flawed *flawed, const Shape *result, int64_t to)
{
    FourierReach reach = {{false}, {false}};
    for (int64_t i = 0; i < flawed->count && !(reach.nan[0] && reach.nan[1]); i++) {
        int64_t from = flawed->number[i];
        long double turns;
        if (find_turns(q, row, result, from, to, &turns))
            fourier_reach(&reach, x->re[from], x->im[from], turns);
    }
    return reach;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Fourier *q = input->params;
    const Row *row = input->op->detail;
    Volume x = read_volume(&input->tensors[X], &q->shape, row->kind != FROM_REAL, arena);
    long double *norms_in = norms_of(q, row, &x, arena);
    Volume y = transform_all(q, row, x, arena);
    FourierScales s = scales_of(q, row);
    Flawed flawed = flawed_of(&x, arena);
    ref_allocate_bounded(&refs[Y], input->tensors[Y].dtype, &input->tensors[Y], arena);
    for (int64_t i = 0, count = shape_count(&y.shape); i < count; i++) {
        long double norm = norms_in[batch_of(q, row, &y.shape, i)];
        size_t at = (size_t)(row->kind == TO_REAL ? i : PARTS * i);
        FourierReach reach = reach_of(q, row, &x, &flawed, &y.shape, i);
        fourier_put(&refs[Y], at, &s, y.re[i], norm, &reach, 0);
        if (row->kind != TO_REAL)
            fourier_put(&refs[Y], at + 1, &s, y.im[i], norm, &reach, 1);
    }
}

OP_TABLE(ops_fourier)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Fourier, 1),          .name = rows[i].name,
            .summary = rows[i].summary, .params = rows[i].volume ? volume_params : line_params,
            .tensors = tensors,         .dtypes = DTYPES_REAL,
            .fills = nn_moderate_fills, .normalise_of_row = normalise,
            .shape_of_row = shape,      .work_of_row = work,
            .reference = reference,     .detail = &rows[i],
        };
    return table;
}
