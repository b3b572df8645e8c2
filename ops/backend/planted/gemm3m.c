/* gemm3m by three real products in the element type, and faults of it. */
#include <math.h>

#include "matrices.h"

typedef enum Way {
    SUMS_OF_PARTS,    /* re and im from products of the parts, and of their sums */
    SUMS_OF_ONE_PART, /* both from products of one part with sums */
    ALPHA_FIRST,      /* the first of these, with alpha times A */
    FIRST_SUMS,       /* sums of parts of B are those of its first column */
    WRONG_PART        /* products of real parts are taken from the imaginary part twice */
} Way;

typedef struct Product {
    DType dtype;
    Way way;
} Product;

static double rounded(const Product *p, double value)
{
    return dtype_round(p->dtype, value);
}

static Scalar scaled(const Product *p, Scalar factor, Scalar z)
{
    return (Scalar){
        rounded(p, rounded(p, factor.re * z.re) - rounded(p, factor.im * z.im)),
        rounded(p, rounded(p, factor.re * z.im) + rounded(p, factor.im * z.re)),
    };
}

static void add(const Product *p, double *sum, double x, double w)
{
    *sum = rounded(p, *sum + rounded(p, x * w));
}

/* One element of op(A) op(B). */
static Scalar element_of(const Product *p, const Matrix *a, const Matrix *b, int64_t i, int64_t j)
{
    double of_re = 0, of_im = 0, of_sums = 0;
    for (int64_t l = 0; l < a->columns; l++) {
        Scalar x = *matrix_at(a, i, l), w = *matrix_at(b, l, j);
        Scalar summed = p->way == FIRST_SUMS ? *matrix_at(b, l, 0) : w;
        double both = rounded(p, x.re + x.im), of_w = rounded(p, summed.re + summed.im);
        if (p->way == SUMS_OF_ONE_PART) {
            add(p, &of_sums, both, w.re);
            add(p, &of_im, x.im, of_w);
            add(p, &of_re, x.re, rounded(p, w.im - w.re));
        } else {
            add(p, &of_sums, both, of_w);
            add(p, &of_im, x.im, w.im);
            add(p, &of_re, x.re, w.re);
        }
    }
    if (p->way == SUMS_OF_ONE_PART)
        return (Scalar){rounded(p, of_sums - of_im), rounded(p, of_sums + of_re)};
    double rest = rounded(p, of_sums - of_re);
    return (Scalar){rounded(p, of_re - of_im),
                    rounded(p, rest - (p->way == WRONG_PART ? of_re : of_im))};
}

static Matrix factor_of(const PlantedCall *call, const char *operand, const char *flag)
{
    Matrix m = planted_before_of(call, operand);
    bool conjugates = *case_choice(call->operands->source, flag) == 'c';
    for (int64_t i = 0; conjugates && i < m.rows * m.columns; i++)
        m.values[i].im = -m.values[i].im;
    return m;
}

/* Where parts are not finite, or products leave the range, the reference's way is as good. */
static bool is_moderate(const Scalar *values, int64_t count)
{
    for (int64_t i = 0; i < 2 * count; i++) {
        double size = fabs(i % 2 ? values[i / 2].im : values[i / 2].re);
        if (size != 0 && !(size > 0x1p-20 && size < 0x1p20))
            return false;
    }
    return true;
}

static void multiply(PlantedCall *call, Way way)
{
    const Case *c = &call->altered;
    Scalar alpha = case_scalar(c, "alpha"), beta = case_scalar(c, "beta");
    Matrix a = factor_of(call, "a", "ta"), b = factor_of(call, "b", "tb");
    Matrix out = planted_before_of(call, "c");
    const Product p = {case_dtype(c), way};
    const Scalar one = {1, 0};
    bool is_empty = scalar_is_zero(alpha) || a.columns == 0;
    if (is_empty || !is_moderate(&alpha, 1) || !is_moderate(&beta, 1) ||
        !is_moderate(a.values, a.rows * a.columns) || !is_moderate(b.values, b.rows * b.columns) ||
        (!scalar_is_zero(beta) && !is_moderate(out.values, out.rows * out.columns)))
        return;
    for (int64_t i = 0; way == ALPHA_FIRST && i < a.rows * a.columns; i++)
        a.values[i] = scaled(&p, alpha, a.values[i]);
    for (int64_t i = 0; i < out.rows; i++)
        for (int64_t j = 0; j < out.columns; j++) {
            Scalar *at = matrix_at(&out, i, j);
            Scalar sum = scaled(&p, way == ALPHA_FIRST ? one : alpha, element_of(&p, &a, &b, i, j));
            Scalar addend = scalar_is_zero(beta) ? (Scalar){0, 0} : scaled(&p, beta, *at);
            *at = (Scalar){rounded(&p, sum.re + addend.re), rounded(&p, sum.im + addend.im)};
        }
    planted_store_matrix(planted_view_of(call, "c"), &out);
}

static void finish_sums(PlantedCall *call)
{
    multiply(call, SUMS_OF_PARTS);
}

static void finish_sums_of_one(PlantedCall *call)
{
    multiply(call, SUMS_OF_ONE_PART);
}

static void finish_alpha_first(PlantedCall *call)
{
    multiply(call, ALPHA_FIRST);
}

static void finish_first_sums(PlantedCall *call)
{
    multiply(call, FIRST_SUMS);
}

static void finish_wrong_part(PlantedCall *call)
{
    multiply(call, WRONG_PART);
}

const PlantedFault planted_gemm3m_faults[] = {
    {"gemm3m-first-sums", "gemm3m", "n > 1: sums of parts of B are of its first column", NULL,
     finish_first_sums},
    {"gemm3m-wrong-part", "gemm3m", "products of real parts are taken away twice", NULL,
     finish_wrong_part},
    {"ok-gemm3m-sums", "gemm3m", "right: three products, of parts and of their sums", NULL,
     finish_sums},
    {"ok-gemm3m-sums-of-one", "gemm3m", "right: three products, each with a sum", NULL,
     finish_sums_of_one},
    {"ok-gemm3m-alpha-first", "gemm3m", "right: three products, with alpha times A", NULL,
     finish_alpha_first},
    {NULL, NULL, NULL, NULL, NULL},
};
