/* Windows: w_k = a0 - a1 cos(t) + a2 cos(2 t) - a3 cos(3 t) with t = 2 pi k / d, where d is the
 * number of elements less one, or, where the window is one period, their number (PyTorch,
 * torch.signal.windows; NumPy, hanning, hamming and blackman); Bartlett's is 1 - |2 k / d - 1|.
 *
 * An evaluation rounds the angle, up to 2 pi, four times, and each term and sum once: with a1 + 2
 * a2 + 3 a3 below 1, w is off by at most (8 pi + 8) u, without regard to its size.
 *
 * With t = k - c, c the middle, d / 2, of Gauss's window w = exp(-(t / shape)^2 / 2), of the
 * exponential one exp(-|t| / shape), of the cosine sin(pi (k + 1/2) / elements), one more of
 * elements where it is a period, and of Kaiser's I0(shape sqrt(1 - (t / c)^2)) / I0(shape)
 * (torch.signal.windows; numpy.kaiser).  An argument x, up to X, comes of linspace within 6 u X.
 * w moves by at most 0.86 of an error in t / (shape sqrt 2) of Gauss's, 1 in that of the
 * exponential and of the cosine; of Kaiser's I1(s) / (2 s I0(s)) <= 1/4 of the error in s^2, 12 u
 * shape^2, relative to w; exp and sin add 4 u, two Bessel functions and their quotient 66 u. */
#include <math.h>

#include "nn.h"

enum { TERMS = 4, ELEMENTS_MAX = 512 };

typedef struct WindowCase {
    int64_t dtype, elements, sym;
    Scalar window_shape;
} WindowCase;

static const Param params[] = {
    NN_DTYPE(WindowCase), P_DIM(WindowCase, elements, 0, ELEMENTS_MAX, "elements"),
    P_CHOICE(WindowCase, sym, nn_yes_no, "the last one is like the first"), P_END};
static const Param shaped_params[] = {
    NN_DTYPE(WindowCase), P_DIM(WindowCase, elements, 0, ELEMENTS_MAX, "elements"),
    P_CHOICE(WindowCase, sym, nn_yes_no, "the last one is like the first"),
    P_REAL(WindowCase, window_shape, 1, "std, tau or beta of the window"), P_END};
static const char *const tensors[] = {"y", NULL};

typedef struct Row {
    const char *name, *summary;
    long double terms[TERMS]; /* all 0: Bartlett's, or what value gives */
    long double (*value)(const WindowCase *q, int64_t k);
    double (*roundings)(const WindowCase *q); /* its error in units */
    bool has_shape;
} Row;

/* The extent of the window, from its first element to the one that is like it. */
static int64_t span(const WindowCase *q)
{
    return q->elements - (q->sym ? 1 : 0);
}

static long double from_middle(const WindowCase *q, int64_t k)
{
    return (long double)k - (long double)span(q) / 2;
}

static double reach(const WindowCase *q)
{
    return (double)q->elements / q->window_shape.re;
}

static long double gaussian(const WindowCase *q, int64_t k)
{
    long double t = from_middle(q, k) / q->window_shape.re;
    return expl(-t * t / 2);
}

static double gaussian_roundings(const WindowCase *q)
{
    return 4 + 6 * reach(q);
}

static long double exponential(const WindowCase *q, int64_t k)
{
    return expl(-fabsl(from_middle(q, k)) / q->window_shape.re);
}

static double exponential_roundings(const WindowCase *q)
{
    return 4 + 6 * reach(q);
}

static long double cosine(const WindowCase *q, int64_t k)
{
    const long double half_turn = 3.14159265358979323846264338327950288L;
    return sinl(half_turn * ((long double)k + 0.5L) /
                (long double)(q->elements + (q->sym ? 0 : 1)));
}

static double cosine_roundings(const WindowCase *q)
{
    enum { ROUNDINGS = 24 };
    (void)q;
    return ROUNDINGS;
}

/* I0 by its series (DLMF 10.25.2). */
static long double bessel_i0(long double x)
{
    enum { SERIES = 200 };
    long double term = 1, sum = 1;
    for (int k = 1; k < SERIES && term > sum * 0x1p-70L; k++) {
        term *= x / 2 / k * (x / 2 / k);
        sum += term;
    }
    return sum;
}

static long double kaiser(const WindowCase *q, int64_t k)
{
    long double middle = (long double)span(q) / 2, t = from_middle(q, k) / middle;
    return bessel_i0(q->window_shape.re * sqrtl(fmaxl(0, 1 - t * t))) /
           bessel_i0(q->window_shape.re);
}

static double kaiser_roundings(const WindowCase *q)
{
    enum { BESSEL = 66 };
    return BESSEL + 3 * q->window_shape.re * q->window_shape.re;
}

static const Row rows[] = {
    {"hann_window", "window of Hann", {0.5L, 0.5L, 0, 0}, NULL, NULL, false},
    {"hamming_window", "window of Hamming", {0.54L, 0.46L, 0, 0}, NULL, NULL, false},
    {"hamming_window_exact",
     "window of Hamming, zero at its first side lobe",
     {25 / 46.0L, 21 / 46.0L, 0, 0},
     NULL,
     NULL,
     false},
    {"blackman_window", "window of Blackman", {0.42L, 0.5L, 0.08L, 0}, NULL, NULL, false},
    {"nuttall_window",
     "window of Nuttall",
     {0.3635819L, 0.4891775L, 0.1365995L, 0.0106411L},
     NULL,
     NULL,
     false},
    {"bartlett_window", "triangular window", {0}, NULL, NULL, false},
    {"gaussian_window", "window of Gauss", {0}, gaussian, gaussian_roundings, true},
    {"exponential_window", "exponential window", {0}, exponential, exponential_roundings, true},
    {"cosine_window", "window of a half sine", {0}, cosine, cosine_roundings, false},
    {"kaiser_window", "window of Kaiser", {0}, kaiser, kaiser_roundings, true},
};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const WindowCase *q = params_of_case;
    Shape line = {1, {q->elements}};
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &line, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    enum { COST = 256 };
    return COST * (double)((const WindowCase *)params_of_case)->elements;
}

static long double value_of(const Row *row, int64_t k, int64_t divisor)
{
    const long double turn = 6.28318530717958647692528676655900577L;
    long double sum = 0;
    if (row->terms[0] == 0)
        return 1 - fabsl(2.0L * k / divisor - 1);
    for (int i = 0; i < TERMS; i++)
        sum += (i % 2 ? -1 : 1) * row->terms[i] * cosl(turn * (i * k % divisor) / divisor);
    return sum;
}

/* A shape as bf16 has it, which decides for all types. */
static void normalise(void *params_of_case)
{
    enum { LEAST = 1, MOST = 20 };
    WindowCase *q = params_of_case;
    double size = fabs(q->window_shape.re);
    q->window_shape.re = dtype_round(DT_BF16, size >= LEAST && size <= MOST ? size : 1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { ROUNDINGS = 34 };
    const WindowCase *q = input->params;
    const Row *row = input->op->detail;
    const Tensor *y = &input->tensors[0];
    ref_allocate_bounded(&refs[0], y->dtype, y, arena);
    double roundings = row->roundings ? row->roundings(q) : ROUNDINGS;
    double bound = roundings * dtype_format(refs[0].accumulator)->unit;
    for (int64_t k = 0; k < q->elements; k++) {
        long double value = q->elements == 1 ? 1
                            : row->value     ? row->value(q, k)
                                             : value_of(row, k, span(q));
        ref_put_bounded(&refs[0], (size_t)k, value, 0x1p-60L, bound);
    }
}

static const IllegalRule illegal[] = {{ILLEGAL_INTEGER, "elements", -1}, {0}};

OP_TABLE(ops_window)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(WindowCase, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].has_shape ? shaped_params : params,
            .normalise = normalise,
            .tensors = tensors,
            .dtypes = DTYPES_REAL,
            .fills = nn_function_fills,
            .shape = shape,
            .work = work,
            .reference = reference,
            .illegal = illegal,
            .detail = &rows[i],
        };
    return table;
}
