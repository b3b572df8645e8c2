/* Operations of graphs in binary64, rounded once.  FAKECUDA=second-engine drops the last term of
 * sums on the matrix unit, no-relu does not activate, no-graph-bias adds nothing behind a product,
 * no-maximum lets the exponentials of attention overflow, no-mask hides nothing from it,
 * root-epsilon adds nothing to the variance, and no-second-sum leaves one of two sums out of the
 * gradients of normalisations. */
#include <math.h>
#include <stdlib.h>

#include "dnn_graph.h"

enum {
    CONVOLUTION = 10,
    CONVOLUTION_WEIGHTS = 11,
    CONVOLUTION_DATA = 12,
    POINTWISE = 13,
    MATMUL = 19,
    REDUCTION = 22,
    NORM = 29,
    NORM_GRADIENT = 30,
    ATTENTION = 41
};

static const double root_half = 0.70710678118654752440, root_two_over_pi = 0.79788456080286535588;

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static double normal_share(double x)
{
    return erfc(-x * root_half) / 2;
}

static double softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double gelu_by_tanh(double x)
{
    return x * sigmoid(2 * root_two_over_pi * (x + 0.044715 * x * x * x));
}

static double gelu_by_tanh_slope(double x)
{
    double inner = 2 * root_two_over_pi * (x + 0.044715 * x * x * x), s = sigmoid(inner);
    return s + x * s * sigmoid(-inner) * 2 * root_two_over_pi * (1 + 3 * 0.044715 * x * x);
}

static double relu(Node *function, double x)
{
    double upper = node_real(function, 4, INFINITY), slope = node_real(function, 5, 0);
    if (x < 0 && !fake_fault("no-relu"))
        return slope == 0 ? 0 : slope * x;
    return x > upper ? upper : x;
}

/* One variable; NaN with *known false for a mode that is none. */
static double of_one(Node *function, int mode, double x, bool *known)
{
    double alpha = node_real(function, 6, 1);
    switch (mode) {
    case 4:
        return sqrt(x);
    case 10:
        return fabs(x);
    case 11:
        return ceil(x);
    case 12:
        return cos(x);
    case 13:
        return exp(x);
    case 14:
        return floor(x);
    case 15:
        return log(x);
    case 16:
        return -x;
    case 17:
        return 1 / sqrt(x);
    case 18:
        return sin(x);
    case 19:
        return tan(x);
    case 20:
        return erf(x);
    case 22:
        return 1 / x;
    case 100:
        return relu(function, x);
    case 101:
        return tanh(x);
    case 102:
        return sigmoid(x);
    case 103:
        return x > 0 ? x : alpha * expm1(x);
    case 104:
        return x * normal_share(x);
    case 105:
        return softplus(x);
    case 106:
        return x * sigmoid(x);
    case 107:
        return gelu_by_tanh(x);
    default:
        *known = false;
        return NAN;
    }
}

static double slope_of(Node *function, int mode, double x, bool *known)
{
    double alpha = node_real(function, 6, 1);
    switch (mode) {
    case 200:
        return x > 0 ? 1 : 0;
    case 201:
        return 1 / (cosh(x) * cosh(x));
    case 202:
        return sigmoid(x) * sigmoid(-x);
    case 203:
        return x > 0 ? 1 : alpha * exp(x);
    case 204:
        return normal_share(x) + x * exp(-x * x / 2) * root_two_over_pi / 2;
    case 205:
        return sigmoid(x);
    case 206:
        return sigmoid(x) * (1 + x * sigmoid(-x));
    case 207:
        return gelu_by_tanh_slope(x);
    default:
        *known = false;
        return NAN;
    }
}

static double of_two(int mode, double a, double b, bool *known)
{
    switch (mode) {
    case 0:
        return a + b;
    case 1:
        return a * b;
    case 2:
        return a < b || isnan(a) ? a : b;
    case 3:
        return a > b || isnan(a) ? a : b;
    case 6:
        return a / b;
    case 8:
        return pow(a, b);
    case 9:
        return a - b;
    case 23:
        return atan2(a, b);
    case 303:
        return fake_fault("no-mask") || a >= b;
    default:
        *known = false;
        return NAN;
    }
}

static double value_of(Node *function, double first, double second, bool *known)
{
    int mode = (int)node_integer(function, 0, -1);
    bool unary = true, gradient = true, binary = true;
    double value = of_one(function, mode, first, &unary);
    if (!unary)
        value = slope_of(function, mode, second, &gradient);
    if (!unary && gradient)
        return first == 0 && !isnan(value) ? first * copysign(1, value) : first * value;
    if (!unary)
        value = of_two(mode, first, second, &binary);
    *known = unary || gradient || binary;
    return value;
}

static bool run_pointwise(const Execution *e, Node *operation)
{
    enum { GENERATE_INDEX = 501, BINARY_SELECT = 601 };
    Node *function = node_part(operation, 750);
    Node *gradient = node_part(operation, 757), *other = node_part(operation, 752);
    View y = execution_view(e, node_part(operation, gradient ? 756 : 753));
    View x = execution_view(e, node_part(operation, 751));
    View first = gradient ? execution_view(e, gradient) : x;
    View second = gradient ? x : other ? execution_view(e, other) : x;
    int mode = (int)node_integer(function, 0, -1);
    Node *chooser = node_part(operation, 758);
    View choice = chooser ? execution_view(e, chooser) : x;
    bool known = true, added = mode == 0;
    for (int64_t i = 0; i < view_count(&y) && known; i++) {
        int64_t at[TENSOR_AXES];
        view_indices(&y, i, at);
        double a = view_read(&first, at), b = view_read(&second, at);
        if (added && fake_fault("no-graph-bias"))
            b = 0;
        if (mode == GENERATE_INDEX)
            view_write(&y, at, (double)at[node_integer(function, 9, 0)]);
        else if (mode == BINARY_SELECT)
            view_write(&y, at, view_read(&choice, at) != 0 ? a : b);
        else
            view_write(&y, at, value_of(function, a, b, &known));
    }
    return known;
}

/* The last term of a sum is lost. */
static int64_t depth_of(int64_t terms, int engine)
{
    return engine == 1 && fake_fault("second-engine") && terms > 4 ? terms - 1 : terms;
}

static bool run_matmul(const Execution *e, Node *operation, int engine)
{
    View a = execution_view(e, node_part(operation, 1520)),
         b = execution_view(e, node_part(operation, 1521)),
         c = execution_view(e, node_part(operation, 1522));
    int row = c.rank - 2, column = c.rank - 1;
    for (int64_t i = 0; i < view_count(&c); i++) {
        int64_t at[TENSOR_AXES], at_a[TENSOR_AXES], at_b[TENSOR_AXES];
        double sum = 0;
        view_indices(&c, i, at);
        for (int axis = 0; axis < c.rank; axis++)
            at_a[axis] = at_b[axis] = at[axis];
        /* Several heads of a share one of b. */
        if (c.rank == 4 && b.extent[1] > 1)
            at_b[1] /= c.extent[1] / b.extent[1];
        for (int64_t k = 0; k < depth_of(a.extent[column], engine); k++) {
            at_a[column] = at_b[row] = k;
            sum += view_read(&a, at_a) * view_read(&b, at_b);
        }
        view_write(&c, at, sum);
    }
    return true;
}

static bool run_reduction(const Execution *e, Node *operation)
{
    int mode = (int)node_integer(node_part(operation, 1612), 1600, -1);
    View x = execution_view(e, node_part(operation, 1610)),
         y = execution_view(e, node_part(operation, 1611));
    if (mode != 0 && mode != 2 && mode != 3)
        return false;
    for (int64_t i = 0; i < view_count(&y); i++) {
        int64_t at[TENSOR_AXES], from[TENSOR_AXES];
        double result = mode == 0 ? 0 : mode == 2 ? INFINITY : -INFINITY;
        View window = x;
        view_indices(&y, i, at);
        for (int axis = 0; axis < x.rank; axis++)
            window.extent[axis] = y.extent[axis] == 1 ? x.extent[axis] : 1;
        for (int64_t k = 0; k < view_count(&window); k++) {
            view_indices(&window, k, from);
            for (int axis = 0; axis < x.rank; axis++)
                from[axis] += y.extent[axis] == 1 ? 0 : at[axis];
            double value = view_read(&x, from);
            bool taken = isnan(value) || (mode == 2 ? value < result : value > result);
            result = mode == 0 ? result + value : taken ? value : result;
        }
        view_write(&y, at, result);
    }
    return true;
}

/* The places of x, w and y that one product joins: false where that is padding. */
static bool join(Node *convolution, const View *x, const View *w, const View *y, int64_t tap,
                 const int64_t *out, int64_t *at_x, int64_t *at_w)
{
    const int64_t *step = node_find(convolution, 103)->as.integers,
                  *distance = node_find(convolution, 102)->as.integers,
                  *before = node_find(convolution, 105)->as.integers;
    int64_t outputs = y->extent[1] / (x->extent[1] / w->extent[1]);
    view_indices(w, tap + out[1] * (view_count(w) / w->extent[0]), at_w);
    at_x[0] = out[0];
    at_x[1] = at_w[1] + out[1] / outputs * w->extent[1];
    for (int axis = 2; axis < x->rank; axis++) {
        at_x[axis] =
            out[axis] * step[axis - 2] - before[axis - 2] + at_w[axis] * distance[axis - 2];
        if (at_x[axis] < 0 || at_x[axis] >= x->extent[axis])
            return false;
    }
    return true;
}

/* Gradients add to sums in binary64, which are rounded at the end. */
static bool run_convolution(const Execution *e, Node *operation, int engine)
{
    static const struct {
        int convolution, x, w, y;
    } keys[] = {{702, 704, 703, 705}, {714, 716, 715, 717}, {708, 710, 709, 711}};
    const int kind = operation->kind - CONVOLUTION;
    Node *convolution = node_part(operation, keys[kind].convolution);
    View x = execution_view(e, node_part(operation, keys[kind].x)),
         w = execution_view(e, node_part(operation, keys[kind].w)),
         y = execution_view(e, node_part(operation, keys[kind].y));
    const View *result = kind == 0 ? &y : kind == 1 ? &w : &x;
    int64_t taps = view_count(&w) / w.extent[0];
    double *sums = calloc((size_t)view_count(result), sizeof *sums);
    View dense = *result;
    int64_t stride = 1;
    for (int axis = dense.rank - 1; axis >= 0; axis--) {
        dense.stride[axis] = stride;
        stride *= dense.extent[axis];
    }
    dense.type = 1;
    dense.data = sums;
    for (int64_t i = 0; i < view_count(&y); i++) {
        int64_t out[TENSOR_AXES], at_x[TENSOR_AXES], at_w[TENSOR_AXES];
        view_indices(&y, i, out);
        for (int64_t tap = 0; tap < depth_of(taps, engine); tap++) {
            if (!join(convolution, &x, &w, &y, tap, out, at_x, at_w))
                continue;
            const int64_t *to = kind == 0 ? out : kind == 1 ? at_w : at_x;
            double left = kind == 0 ? view_read(&x, at_x) : view_read(&y, out);
            double right = kind == 1 ? view_read(&x, at_x) : view_read(&w, at_w);
            view_write(&dense, to, view_read(&dense, to) + left * right);
        }
    }
    for (int64_t i = 0; i < view_count(result); i++) {
        int64_t at[TENSOR_AXES];
        view_indices(result, i, at);
        view_write(result, at, sums[i]);
    }
    free(sums);
    return true;
}

/* Layers are all axes but the first, instances those behind the first two. */
static bool run_norm(const Execution *e, Node *operation)
{
    enum { INSTANCE = 1, ROOT = 4 };
    int mode = (int)node_integer(operation, 2000, -1);
    View x = execution_view(e, node_part(operation, 2002)),
         scale = execution_view(e, node_part(operation, 2005)),
         y = execution_view(e, node_part(operation, 2013)),
         epsilon = execution_view(e, node_part(operation, 2007));
    Node *shift = node_part(operation, 2006);
    int64_t kept = mode == INSTANCE ? x.extent[0] * x.extent[1] : x.extent[0];
    int64_t count = view_count(&x) / kept, at[TENSOR_AXES] = {0};
    double added = fake_fault("root-epsilon") ? 0 : view_read(&epsilon, at);
    for (int64_t group = 0; group < kept; group++) {
        double mean = 0, square = 0;
        for (int64_t i = 0; i < count && mode != ROOT; i++) {
            view_indices(&x, group * count + i, at);
            mean += view_read(&x, at) / (double)count;
        }
        for (int64_t i = 0; i < count; i++) {
            view_indices(&x, group * count + i, at);
            double d = view_read(&x, at) - mean;
            square += d * d / (double)count;
        }
        for (int64_t i = 0; i < count; i++) {
            view_indices(&x, group * count + i, at);
            double bias = 0, value = (view_read(&x, at) - mean) / sqrt(square + added);
            if (shift) {
                View b = execution_view(e, shift);
                bias = view_read(&b, at);
            }
            view_write(&y, at, value * view_read(&scale, at) + bias);
        }
    }
    return true;
}

/* The element of a view that broadcasts at these indices, as its number. */
static int64_t number_in(const View *view, const int64_t *at)
{
    int64_t number = 0;
    for (int axis = 0; axis < view->rank; axis++)
        number = number * view->extent[axis] + (view->extent[axis] == 1 ? 0 : at[axis]);
    return number;
}

static void write_all(const View *view, const double *values)
{
    int64_t at[TENSOR_AXES];
    for (int64_t i = 0; i < view_count(view); i++) {
        view_indices(view, i, at);
        view_write(view, at, values[i]);
    }
}

static double *zeros(const View *view)
{
    return calloc((size_t)view_count(view), sizeof(double));
}

static bool run_norm_gradient(const Execution *e, Node *operation)
{
    View x = execution_view(e, node_part(operation, 2101)),
         mean = execution_view(e, node_part(operation, 2102)),
         inverse = execution_view(e, node_part(operation, 2103)),
         dy = execution_view(e, node_part(operation, 2104)),
         scale = execution_view(e, node_part(operation, 2105)),
         dscale = execution_view(e, node_part(operation, 2107)),
         dbias = execution_view(e, node_part(operation, 2108)),
         dx = execution_view(e, node_part(operation, 2109));
    double *of_g = zeros(&mean), *of_gh = zeros(&mean), *of_dy = zeros(&scale),
           *of_dyh = zeros(&scale), count = (double)(view_count(&x) / view_count(&mean));
    int64_t at[TENSOR_AXES];
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < view_count(&x); i++) {
            view_indices(&x, i, at);
            int64_t group = number_in(&mean, at), channel = number_in(&scale, at);
            double r = view_read(&inverse, at), h = (view_read(&x, at) - view_read(&mean, at)) * r;
            double gradient = view_read(&dy, at), g = gradient * view_read(&scale, at);
            if (pass == 1) {
                double second = fake_fault("no-second-sum") ? 0 : h * of_gh[group];
                view_write(&dx, at, r * (g - (of_g[group] + second) / count));
                continue;
            }
            of_g[group] += g;
            of_gh[group] += g * h;
            of_dy[channel] += gradient;
            of_dyh[channel] += gradient * h;
        }
    write_all(&dscale, of_dyh);
    write_all(&dbias, of_dy);
    double *all[] = {of_g, of_gh, of_dy, of_dyh};
    for (int i = 0; i < 4; i++)
        free(all[i]);
    return true;
}

/* Scores of one row of q into weights, which are divided by their sum. */
static void weigh(const View *q, const View *k, double scale, const int64_t *row, double *weights)
{
    int64_t at[] = {row[0], row[1] / (q->extent[1] / k->extent[1]), 0, 0};
    int64_t at_q[] = {row[0], row[1], row[2], 0};
    double greatest = -INFINITY, sum = 0;
    for (int64_t j = 0; j < k->extent[2]; j++) {
        weights[j] = 0;
        at[2] = j;
        for (int64_t d = 0; d < k->extent[3]; d++) {
            at[3] = at_q[3] = d;
            weights[j] += view_read(q, at_q) * view_read(k, at) * scale;
        }
        if (weights[j] > greatest || isnan(weights[j]))
            greatest = weights[j];
    }
    for (int64_t j = 0; j < k->extent[2]; j++) {
        weights[j] = (float)exp(weights[j] - (fake_fault("no-maximum") ? 0 : greatest));
        sum = (float)(sum + weights[j]);
    }
    for (int64_t j = 0; j < k->extent[2]; j++)
        weights[j] /= sum;
}

static bool run_attention(const Execution *e, Node *operation)
{
    View q = execution_view(e, node_part(operation, 2800)),
         k = execution_view(e, node_part(operation, 2801)),
         v = execution_view(e, node_part(operation, 2802)),
         y = execution_view(e, node_part(operation, 2803)),
         scale = execution_view(e, node_part(operation, 2805));
    int64_t row[] = {0, 0, 0, 0};
    double factor = view_read(&scale, row), *weights = calloc((size_t)k.extent[2], sizeof *weights);
    View rows = y;
    rows.extent[3] = 1;
    for (int64_t i = 0; i < view_count(&rows); i++) {
        view_indices(&rows, i, row);
        weigh(&q, &k, factor, row, weights);
        int64_t at[] = {row[0], row[1] / (q.extent[1] / k.extent[1]), 0, 0};
        for (row[3] = 0; row[3] < y.extent[3]; row[3]++) {
            double sum = 0;
            at[3] = row[3];
            for (at[2] = 0; at[2] < k.extent[2]; at[2]++)
                sum += weights[at[2]] * view_read(&v, at);
            view_write(&y, row, sum);
        }
    }
    free(weights);
    return true;
}

bool graph_has(Node *operation)
{
    static const int kinds[] = {
        CONVOLUTION, CONVOLUTION_WEIGHTS, CONVOLUTION_DATA, POINTWISE, MATMUL, REDUCTION,
        NORM,        NORM_GRADIENT,       ATTENTION};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == operation->kind)
            return true;
    return false;
}

bool graph_run(const Execution *e, Node *operation, int engine)
{
    switch (operation->kind) {
    case POINTWISE:
        return run_pointwise(e, operation);
    case MATMUL:
        return run_matmul(e, operation, engine);
    case REDUCTION:
        return run_reduction(e, operation);
    case NORM:
        return run_norm(e, operation);
    case NORM_GRADIENT:
        return run_norm_gradient(e, operation);
    case ATTENTION:
        return run_attention(e, operation);
    default:
        return run_convolution(e, operation, engine);
    }
}
