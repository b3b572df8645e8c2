/* Layers whose results depend on where an element lies; a part of layers.h, which has the numbers.
 */
#ifndef OPS_TEST_LAYERS_PLACES_H
#define OPS_TEST_LAYERS_PLACES_H

/* Parameters that the functions below leave out. */
static void simplify_places(Case *c)
{
    if (case_has(c, "max_norm")) {
        param_scalar(case_param(c, "max_norm"), c->params)->re = 0;
        put(c, "mode", case_int(c, "mode") % 2);
    }
    if (case_has(c, "ord") && !isfinite(case_scalar(c, "ord").re))
        param_scalar(case_param(c, "ord"), c->params)->re = 2;
    put(c, "coordinate_transformation_mode", 0);
    put(c, "ldb", 0);
    put(c, "ldc", 0);
    put(c, "order", 0);
    if (case_has(c, "coordinate_transformation_mode"))
        put(c, "mode", 1); /* linear */
}

static void of_rotary(Problem *p)
{
    int64_t size = of(p, "head_size"), steps = of(p, "sequence_length");
    int64_t turned = of(p, "rotary_embedding_dim") ? of(p, "rotary_embedding_dim") : size;
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        int64_t place = i % size, step = i / size % steps, half = turned / 2;
        int64_t sample = i / size / steps / of(p, "num_heads"), row;
        memcpy(&row, &p->values[3][sample * steps + step], sizeof row);
        bool neighbours = of(p, "interleaved"), second = neighbours ? place % 2 : place >= half;
        int64_t k = row * half + (neighbours ? place / 2 : place % half);
        int64_t other = i + (second ? -1 : 1) * (neighbours ? 1 : half);
        if (place >= turned) {
            p->results[i] = in(p, 0, i);
            continue;
        }
        Number *own = mul(in(p, 0, i), in(p, 1, k)), *pair = mul(in(p, 0, other), in(p, 2, k));
        p->results[i] = second ? add(own, pair) : sub(own, pair);
    }
}

static int64_t whole_at(const Problem *p, int operand, int64_t i)
{
    int64_t value;
    memcpy(&value, &p->values[operand][i], sizeof value);
    return value;
}

/* Sums and means of rows, none of them scaled. */
static void of_bags(Problem *p)
{
    int64_t columns = of(p, "columns"), bags = of(p, "bags");
    for (int64_t i = 0; i < bags * columns; i++) {
        int64_t bag = i / columns, count = 0;
        bool is_open = bag + 1 == bags && !of(p, "include_last_offset");
        int64_t end = is_open ? of(p, "num_indices") : whole_at(p, 2, bag + 1);
        Number *sum = number(0);
        for (int64_t k = whole_at(p, 2, bag); k < end; k++) {
            int64_t row = whole_at(p, 1, k);
            if (row == of(p, "padding_idx"))
                continue;
            Number *element = in(p, 0, row * columns + i % columns);
            sum = add(sum, of(p, "weighted") ? mul(element, in(p, 3, k)) : element);
            count++;
        }
        p->results[i] = of(p, "mode") && count ? quotient(sum, number((double)count)) : sum;
    }
}

static void of_affine_grid(Problem *p)
{
    const Shape *size = case_shape(&p->c, "output_size");
    int64_t axes = size->rank, places = shape_count(size);
    for (int64_t i = 0; i < count_of(p, 1); i++) {
        int64_t row = i % axes, place = i / axes % places, sample = i / axes / places;
        int64_t first = (sample * axes + row) * (axes + 1);
        Number *sum = in(p, 0, first + axes);
        for (int64_t k = 0; k < axes; k++) {
            int64_t extent = size->extent[axes - 1 - k], index = place % extent;
            bool corners = of(p, "align_corners");
            Number *at = corners
                             ? quotient(number(2.0 * (double)index), number((double)extent - 1))
                             : quotient(number(2.0 * (double)index + 1), number((double)extent));
            place /= extent;
            sum = add(sum, mul(in(p, 0, first + k), sub(at, number(1))));
        }
        p->results[i] = sum;
    }
}

/* Sums, means or products of the slices of each segment; of a mean of none nothing is known. */
static void of_nbits(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n"), depth = of(p, "k"), block = of(p, "block_size");
    int64_t blocks = (depth + block - 1) / block;
    double middle = of(p, "bits") == 8 ? 128 : 8;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            Number *sum = number(0);
            for (int64_t k = 0; k < depth; k++) {
                int64_t at = j * blocks + k / block;
                double zero = of(p, "zero_points") ? p->values[3][at] : middle;
                Number *weight = number(p->values[1][j * depth + k] - zero);
                sum = add(sum, mul(in(p, 0, i * depth + k), mul(weight, in(p, 2, at))));
            }
            p->results[i * n + j] = sum;
        }
}

static Number *covariance(Problem *p, int64_t i, int64_t j, int64_t n)
{
    Number *first = number(0), *second = number(0), *sum = number(0), *count = number((double)n);
    for (int64_t k = 0; k < n; k++) {
        first = add(first, in(p, 0, i * n + k));
        second = add(second, in(p, 0, j * n + k));
    }
    for (int64_t k = 0; k < n; k++)
        sum = add(sum, mul(sub(in(p, 0, i * n + k), quotient(first, count)),
                           sub(in(p, 0, j * n + k), quotient(second, count))));
    return sum;
}

static void of_correlations(Problem *p)
{
    int64_t rows = of(p, "rows"), n = of(p, "steps");
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < rows; j++) {
            Number *sizes = mul(covariance(p, i, i, n), covariance(p, j, j, n));
            p->results[i * rows + j] = quotient(covariance(p, i, j, n), root(sizes));
        }
}

static void of_segments(Problem *p)
{
    const Tensor *x = &p->shapes.tensor[0].layout;
    const char *name = p->c.op->name;
    int64_t slices = x->extent[0], inner = tensor_count(x) / slices;
    bool product = !strcmp(name, "segment_prod"), mean = !strcmp(name, "segment_mean");
    for (int64_t i = 0; i < count_of(p, 2); i++) {
        Number *y = number(product);
        int64_t members = 0;
        for (int64_t k = 0; k < slices; k++) {
            int64_t segment;
            memcpy(&segment, &p->values[1][k], sizeof segment);
            if (segment != i / inner)
                continue;
            Number *element = in(p, 0, k * inner + i % inner);
            y = product ? mul(y, element) : add(y, element);
            members++;
        }
        p->results[i] = mean && members > 0 ? quotient(y, number((double)members)) : y;
    }
}

/* tanh(k (x + 0.044715 x^3)), k = sqrt(2 / pi). */
static Number *gelu_tanh(Number *x, Number *k)
{
    Number *cubic = mul(number(0.044715), mul(x, mul(x, x)));
    return hyperbolic(mul(k, add(x, cubic)));
}

static Number *gelu_slope(Number *x)
{
    Number *k = number(0.7978845608028654), *t = gelu_tanh(x, k), *one = number(1);
    Number *inner = mul(k, add(one, mul(number(3 * 0.044715), mul(x, x))));
    Number *rest = mul(mul(number(0.5), x), mul(sub(one, mul(t, t)), inner));
    return add(mul(number(0.5), add(one, t)), rest);
}

static void of_activated(Problem *p)
{
    enum { DY, W, Z };
    int64_t rows = of(p, "batch"), columns = of(p, "in_features"), depth = of(p, "out_features");
    bool gelu = strcmp(p->c.op->name, "gelu_linear_backward") == 0;
    for (int64_t j = 0; j < columns; j++)
        p->next[j] = number(0);
    for (int64_t i = 0; i < rows * columns; i++) {
        Number *z = in(p, Z, i), *sum = number(0);
        int64_t row = i / columns, column = i % columns;
        for (int64_t l = 0; l < depth; l++)
            sum = add(sum, mul(in(p, DY, row * depth + l), in(p, W, l * columns + column)));
        Number *slope = gelu ? gelu_slope(z) : number(z->plain > 0 ? 1 : 0);
        p->results[i] = mul(sum, slope);
        p->next[column] = add(p->next[column], p->results[i]);
    }
}

#endif
