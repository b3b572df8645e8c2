/* Substitution in double-double, and its magnitudes. */
#include "inverse.h"

#include "reference/equation.h"
#include "reference/function.h"

/* More than the relative error of any sum here, which has fewer than 2^20 terms. */
static const double SLACK = 1 + 0x1p-30;

static size_t place(const TriangleInverse *s, int64_t i, int64_t j)
{
    return (size_t)(i * s->n + j);
}

static double gamma_of(DType dtype, int64_t n)
{
    const Format *format = dtype_format(dtype);
    if (dtype_components(dtype) == 2)
        return 2 * equation_gamma(format, 2 * (double)n + 12);
    return equation_gamma(format, (double)n + 2);
}

static double limit_of(const Format *format)
{
    return ldexp(1, format->maximum_exponent - 4);
}

static WideComplex divide_wide(WideComplex sum, Scalar t)
{
    if (t.im != 0)
        return wide_complex_divide(sum, t);
    WideComplex re = wide_complex_divide((WideComplex){sum.re, {0, 0}}, t);
    WideComplex im = wide_complex_divide((WideComplex){sum.im, {0, 0}}, t);
    return (WideComplex){re.re, im.re};
}

/* Column j of S, and of the substitution with all numbers replaced by their magnitudes, which
 * bounds what any order of it comes by; false where that may leave the format. */
static bool invert_column(const Matrix *l, const Format *format, TriangleInverse *s, double *reach,
                          int64_t j)
{
    for (int64_t i = j; i < s->n; i++) {
        Scalar divisor = *matrix_at(l, i, i);
        double size = scalar_size(divisor), sum = i == j;
        WideComplex rest = {{i == j, 0}, {0, 0}};
        for (int64_t k = j; k < i; k++) {
            wide_complex_add_scaled(&rest, -1, *matrix_at(l, i, k), &s->values[place(s, k, j)]);
            sum += scalar_size(*matrix_at(l, i, k)) * reach[k];
        }
        reach[i] = 2 * sum / size;
        if (!(size >= 4 * format->smallest_normal && size < 1 / (4 * format->smallest_normal) &&
              sum < limit_of(format) && reach[i] < limit_of(format)))
            return false;
        WideComplex value = divide_wide(rest, divisor);
        s->values[place(s, i, j)] = value;
        s->sizes[place(s, i, j)] = fabs(value.re.high) + fabs(value.im.high);
        s->errors[place(s, i, j)] = (double)(4 * s->n + 16) * WIDE_UNIT * reach[i] + 0x1p-1060;
    }
    return true;
}

/* to = x y for lower triangles of magnitudes, rounded up. */
static void multiply_sizes(int64_t n, const double *x, const double *y, double factor, double *to)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = j; k <= i; k++)
                sum += x[i * n + k] * y[k * n + j];
            to[i * n + j] = factor * sum * SLACK;
        }
}

/* What underflow adds to element (i, j): N |S| + |S| N^T, all elements of column k of N alike. */
static double underflow_of(const TriangleInverse *s, const Matrix *l, double step, int64_t i,
                           int64_t j)
{
    double sum = 0;
    for (int64_t k = j; k < s->n; k++)
        sum += (1 + scalar_size(*matrix_at(l, k, k))) * s->sizes[place(s, k, j)];
    for (int64_t k = 0; k <= i; k++)
        sum += (1 + scalar_size(*matrix_at(l, k, k))) * s->sizes[place(s, i, k)];
    return (4 * (double)s->n + 8) * step * sum * SLACK;
}

/* D of (I - K) D = K |S| + underflow. */
static void bound_inverse(TriangleInverse *s, const Matrix *l, DType dtype, Arena *arena)
{
    size_t count = (size_t)(s->n * s->n) + 1;
    double *sizes = arena_take_zeroed(arena, count, sizeof *sizes);
    double *growth = arena_take_zeroed(arena, count, sizeof *growth);
    double step = dtype_format(dtype)->smallest_subnormal;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++)
            sizes[i * s->n + j] = scalar_size(*matrix_at(l, i, j));
    multiply_sizes(s->n, s->sizes, sizes, gamma_of(dtype, s->n), growth);
    multiply_sizes(s->n, growth, s->sizes, 1, s->bounds);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = s->bounds[place(s, i, j)] + underflow_of(s, l, step, i, j);
            for (int64_t k = j; k < i; k++)
                sum += growth[i * s->n + k] * s->bounds[place(s, k, j)];
            double left = 1 - growth[i * s->n + i];
            s->bounds[place(s, i, j)] = left > 0 ? sum / left * SLACK : INFINITY;
        }
}

TriangleInverse triangle_inverse(const Matrix *lower, DType dtype, Arena *arena)
{
    int64_t n = lower->rows;
    size_t count = (size_t)(n * n) + 1;
    TriangleInverse s = {.n = n,
                         .values = arena_take_zeroed(arena, count, sizeof *s.values),
                         .sizes = arena_take_zeroed(arena, count, sizeof *s.sizes),
                         .errors = arena_take_zeroed(arena, count, sizeof *s.errors),
                         .bounds = arena_take_zeroed(arena, count, sizeof *s.bounds),
                         .known = matrix_is_finite(lower)};
    double *reach = arena_take(arena, (size_t)n + 1, sizeof *reach);
    for (int64_t j = 0; j < n && s.known; j++)
        s.known = invert_column(lower, dtype_format(dtype), &s, reach, j);
    if (s.known)
        bound_inverse(&s, lower, dtype, arena);
    return s;
}

static void put(Ref *ref, size_t at, WideComplex value, double error, double bound)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        Wide v = part == 0 ? value.re : value.im;
        ref_put_bounded(ref, at + (size_t)part, v.high, error, bound);
        ref->low[at + (size_t)part] = v.low;
    }
}

static void admit(Ref *ref, size_t at)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++)
        ref_set_classes(ref, at + (size_t)part, CLASS_ANY);
}

void triangle_inverse_put(const TriangleInverse *s, Ref *ref, size_t at, int64_t i, int64_t j)
{
    size_t from = place(s, i, j);
    if (s->known)
        put(ref, at, s->values[from], s->errors[from], s->bounds[from]);
    else
        admit(ref, at);
}

/* conj(x) y. */
static void add_conjugate_product(WideComplex *sum, WideComplex x, WideComplex y)
{
    const Wide parts[] = {x.re, {-x.im.high, -x.im.low}};
    for (int part = 0; part < 2; part++) {
        WideComplex high = {{0, 0}, {0, 0}};
        Scalar factors[] = {{parts[part].high, 0}, {parts[part].low, 0}};
        for (size_t i = 0; i < COUNT_OF(factors); i++)
            wide_complex_add_scaled(&high, 1, factors[i], &y);
        Wide re = part == 0 ? high.re : (Wide){-high.im.high, -high.im.low};
        Wide im = part == 0 ? high.im : high.re;
        sum->re = wide_add(sum->re, re);
        sum->im = wide_add(sum->im, im);
    }
}

void triangle_gram_put(const TriangleInverse *s, Ref *ref, size_t at, int64_t i, int64_t j)
{
    const Format *format = dtype_format(ref->dtype);
    WideComplex sum = {{0, 0}, {0, 0}};
    double bound = 0, total = 0, error = 0;
    for (int64_t k = i > j ? i : j; k < s->n && s->known; k++) {
        size_t left = place(s, k, i), right = place(s, k, j);
        double x = s->sizes[left], y = s->sizes[right], dx = s->bounds[left], dy = s->bounds[right];
        add_conjugate_product(&sum, s->values[left], s->values[right]);
        bound += dx * y + x * dy + dx * dy;
        total += (x + dx) * (y + dy);
        error += x * s->errors[right] + y * s->errors[left] + 32 * WIDE_UNIT * x * y;
    }
    bound = (bound + gamma_of(ref->dtype, s->n) * total +
             (4 * (double)s->n + 4) * format->smallest_subnormal) *
            SLACK;
    if (s->known && total < limit_of(format))
        put(ref, at, sum, error * (double)(s->n + 1) + 0x1p-1060, bound);
    else
        admit(ref, at);
}

void triangle_reference(Ref *refs, const ReferenceInput *input, const Matrix *lower,
                        TrianglePut *put_element, bool turned, Arena *arena)
{
    enum { A, INFO };
    const Tensor *a = &input->tensors[A];
    int64_t zero = lapack_first_zero(lower);
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    lapack_admit_all(&refs[A], a, arena);
    if (zero)
        return;
    TriangleInverse inverse = triangle_inverse(lower, a->dtype, arena);
    for (int64_t i = 0; i < lower->rows; i++) {
        TensorRow row = tensor_row(a, i);
        for (int64_t j = row.first; j < row.end; j++)
            put_element(&inverse, &refs[A], matrix_element(&refs[A], i, j), turned ? j : i,
                        turned ? i : j);
    }
}
