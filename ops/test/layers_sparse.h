/* Products and sums of matrices that store some of their elements; a part of layers.h, which has
 * the numbers. */
#ifndef OPS_TEST_LAYERS_SPARSE_H
#define OPS_TEST_LAYERS_SPARSE_H

/* Of masks that say which elements of a, or of the result, there are. */
static void of_masked_product(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n"), depth = of(p, "k");
    bool of_results = !strcmp(p->c.op->name, "sampled_matmul");
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            Number *sum = number(0);
            for (int64_t k = 0; k < depth; k++)
                if (p->values[0][of_results ? i * n + j : i * depth + k] != 0)
                    sum = add(sum, mul(in(p, 1, i * depth + k), in(p, 2, k * n + j)));
            p->results[i * n + j] = sum;
        }
}

/* Where element (i, j) of a matrix of so many columns lies, which may be transposed. */
static int64_t place_of(const Problem *p, const char *operation, int64_t i, int64_t j, int64_t rows,
                        int64_t columns)
{
    return of(p, operation) ? j * rows + i : i * columns + j;
}

static void of_masked_pair(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n"), depth = of(p, "k");
    for (int64_t i = 0; i < m * n; i++) {
        Number *sum = number(0);
        for (int64_t k = 0; k < depth; k++) {
            int64_t left = place_of(p, "ta", i / n, k, m, depth);
            int64_t right = place_of(p, "tb", k, i % n, depth, n);
            if (p->values[0][left] != 0 && p->values[2][right] != 0)
                sum = add(sum, mul(in(p, 1, left), in(p, 3, right)));
        }
        p->results[i] = sum;
    }
}

static void of_masked_sum(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n");
    Number *factor = number(dtype_round(dtype, case_scalar(&p->c, "alpha").re));
    for (int64_t i = 0; i < m * n; i++) {
        int64_t at = place_of(p, "ta", i / n, i % n, m, n);
        bool in_a = p->values[0][at] != 0, in_b = p->values[2][i] != 0;
        Number *scaled = in_a ? mul(factor, in(p, 1, at)) : number(0);
        p->results[i] = !in_a  ? in_b ? in(p, 3, i) : number(0)
                         : in_b ? add(scaled, in(p, 3, i))
                               : scaled;
    }
}

static void of_masked_elements(Problem *p)
{
    for (int64_t i = 0; i < count_of(p, 0); i++) {
        bool both = p->values[0][i] != 0 && p->values[2][i] != 0;
        p->results[i] = both ? mul(in(p, 1, i), in(p, 3, i)) : number(0);
    }
}

/* Element (i, k) of the matrix that a triangle, or a diagonal, stands for; NULL where it has none.
 */
static Number *expanded_at(Problem *p, int64_t i, int64_t k, int64_t columns)
{
    enum { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR, DIAGONAL };
    int64_t kind = of(p, "kind");
    bool in_triangle = i == k || (of(p, "uplo") == 0) == (k < i);
    if (kind != GENERAL && i == k && of(p, "diag"))
        return number(1);
    if ((kind == DIAGONAL && i != k) || (kind == TRIANGULAR && !in_triangle))
        return NULL;
    bool mirrored = (kind == SYMMETRIC || kind == HERMITIAN) && !in_triangle;
    int64_t at = mirrored ? k * columns + i : i * columns + k;
    return p->values[0][at] != 0 ? in(p, 1, at) : NULL;
}

static void of_masked_gemm(Problem *p)
{
    int64_t m = of(p, "m"), n = of(p, "n"), depth = of(p, "k");
    bool turned = of(p, "ta") != 0;
    Number *alpha = number(dtype_round(dtype, case_scalar(&p->c, "alpha").re));
    Number *beta = number(dtype_round(dtype, case_scalar(&p->c, "beta").re));
    for (int64_t i = 0; i < m * n; i++) {
        Number *sum = beta->plain == 0 ? number(0) : mul(beta, in(p, 3, i));
        for (int64_t k = 0; k < depth; k++) {
            Number *a = turned ? expanded_at(p, k, i / n, m) : expanded_at(p, i / n, k, depth);
            if (a)
                sum = add(sum, mul(alpha, mul(a, in(p, 2, k * n + i % n))));
        }
        p->results[i] = sum;
    }
}

/* Of a list of entries the matrix, or its product. */
static void of_entries(Problem *p)
{
    bool product = !strcmp(p->c.op->name, "entries_matmul");
    int64_t columns = of(p, product ? "n" : "k");
    for (int64_t i = 0; i < of(p, "m") * columns; i++) {
        Number *sum = number(0);
        for (int64_t e = 0; e < of(p, "num_entries"); e++) {
            int64_t row = whole_at(p, 0, e), column = whole_at(p, 1, e);
            if (row != i / columns || (!product && column != i % columns))
                continue;
            Number *value = in(p, 2, e);
            sum = add(sum, product ? mul(value, in(p, 3, column * columns + i % columns)) : value);
        }
        p->results[i] = sum;
    }
}

#endif
