/* Chooses kernels, walks strips, and checks what a library computed for us. */
#include "product_kernel.h"

#include <math.h>
#include <string.h>

#include "random.h"

/* Above this many multiplications a library's dgemm is worth its check. */
enum { LIBRARY_WORK = 1 << 18, CHECK_WEIGHT_MAX = 8 };

static const ProductKernels *kernels;
static ProductDgemm *library_dgemm;
static ProductCounts counts;

static int isa_available(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return 2;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return 1;
#endif
    return 0;
}

void product_force_isa(int level)
{
    int available = isa_available();
    if (level > available)
        level = available;
    kernels = &product_kernels_baseline;
#if defined(__x86_64__)
    if (level == 1)
        kernels = &product_kernels_avx2;
    if (level == 2)
        kernels = &product_kernels_avx512;
#endif
}

const ProductKernels *product_kernels(void)
{
    if (!kernels)
        product_force_isa(2);
    return kernels;
}

const char *product_isa(void)
{
    return product_kernels()->isa;
}

void product_use_dgemm(ProductDgemm *dgemm)
{
    library_dgemm = dgemm;
}

ProductCounts product_counts(void)
{
    return counts;
}

/* In eight sums side by side, which are added at last. */
static double dot(const double *x, const double *y, size_t count)
{
    enum { SUMS = 8 };
    double sums[SUMS] = {0}, sum = 0;
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS)
        for (int lane = 0; lane < SUMS; lane++)
            sums[lane] += x[i + (size_t)lane] * y[i + (size_t)lane];
    for (; i < count; i++)
        sum += x[i] * y[i];
    for (int lane = 0; lane < SUMS; lane++)
        sum += sums[lane];
    return sum;
}

static double dot_of_sizes(const double *x, const double *y, size_t count)
{
    enum { SUMS = 8 };
    double sums[SUMS] = {0}, sum = 0;
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS)
        for (int lane = 0; lane < SUMS; lane++)
            sums[lane] += fabs(x[i + (size_t)lane]) * y[i + (size_t)lane];
    for (; i < count; i++)
        sum += fabs(x[i]) * y[i];
    for (int lane = 0; lane < SUMS; lane++)
        sum += sums[lane];
    return sum;
}

/* One product that a library computed, or of the squares of its factors, none of which is negative.
 */
typedef struct LentProduct {
    const double *left, *right, *result;
    bool squares;
} LentProduct;

/* It agrees with A (B w): both sides err by at most (depth + stride + 8) u sum_j S_ij |w_j|, by the
 * lemma in oracle/bound.h for each; the magnitudes are |A| (|B| w), which errs as little. */
static bool lent_product_checked(const ProductInput *in, const LentProduct *p, Arena *arena)
{
    double *weighted = arena_take(arena, in->depth + 1, sizeof *weighted);
    double *sizes = p->squares ? weighted : arena_take(arena, in->depth + 1, sizeof *sizes);
    double *weights = arena_take(arena, in->stride + 1, sizeof *weights);
    double factor = (double)(2 * (in->depth + in->stride) + 16) * 0x1p-53;
    for (size_t j = 0; j < in->stride; j++)
        weights[j] = (double)(1 + random_at(counts.by_library, j) % CHECK_WEIGHT_MAX);
    for (size_t l = 0; l < in->depth; l++) {
        weighted[l] = dot(p->right + l * in->stride, weights, in->stride);
        if (!p->squares)
            sizes[l] = dot_of_sizes(p->right + l * in->stride, weights, in->stride);
    }
    for (size_t i = 0; i < in->rows; i++) {
        double expected = dot(p->left + i * in->depth, weighted, in->depth);
        double got = dot(p->result + i * in->stride, weights, in->stride), magnitude = got;
        if (!p->squares)
            magnitude = dot_of_sizes(p->left + i * in->depth, sizes, in->depth);
        if (!(fabs(got - expected) <= factor * magnitude))
            return false;
    }
    return true;
}

static double *squares_of(const double *values, size_t count, Arena *arena)
{
    double *squares = arena_take(arena, count, sizeof *squares);
    for (size_t i = 0; i < count; i++)
        squares[i] = values[i] * values[i];
    return squares;
}

static bool lend(const ProductInput *in, const double *left, const double *right, double *result)
{
    return library_dgemm(in->rows, in->stride, in->depth, left, right, result);
}

static bool is_large(const ProductInput *in)
{
    return in->rows * in->depth * in->stride >= LIBRARY_WORK;
}

/* One row of a strip. */
static void compute_row(Product *p, const ProductInput *in, size_t strip, size_t i)
{
    ProductKernel *kernel =
        in->precision == PRODUCT_WIDE ? product_kernels()->wide : product_kernels()->plain;
    size_t at = i * in->stride + strip;
    kernel(&(ProductStrip){
        .left = in->left + i * in->depth,
        .right = in->right + strip,
        .depth = in->depth,
        .stride = in->stride,
        .high = p->high + at,
        .low = p->low + at,
        .magnitude = p->magnitude + at,
        .square = p->square ? p->square + at : NULL,
        .terms = p->terms ? p->terms + at : NULL,
    });
}

/* Rows of a strip whose terms are too far below the largest factors are computed again. */
static void compute_narrow(Product *p, const ProductInput *in, Arena *arena)
{
    size_t rows = in->rows + NARROW_ROWS_MAX;
    ProductNarrow narrow = {
        .left = in->left,
        .rows = in->rows,
        .depth = in->depth,
        .stride = in->stride,
        .scaled = arena_take_zeroed(arena, rows * in->depth, sizeof *narrow.scaled),
        .power = arena_take(arena, rows, sizeof *narrow.power),
        .packed = arena_take(arena, in->depth * PRODUCT_LANES, sizeof *narrow.packed),
        .lost = arena_take(arena, in->rows, sizeof *narrow.lost),
    };
    product_kernels()->scale_narrow(&narrow);
    for (size_t strip = 0; strip < in->stride; strip += PRODUCT_LANES) {
        narrow.right = in->right + strip;
        narrow.magnitude = p->magnitude + strip;
        product_kernels()->narrow(&narrow);
        for (size_t i = 0; i < in->rows; i++)
            if (narrow.lost[i])
                compute_row(p, in, strip, i);
    }
}

static bool sums_by_library(Product *p, const ProductInput *in, Arena *arena)
{
    if (!library_dgemm || !lend(in, in->left, in->right, p->high))
        return false;
    counts.by_library++;
    if (lent_product_checked(in, &(LentProduct){in->left, in->right, p->high, false}, arena))
        return true;
    counts.rejected++;
    return false;
}

/* Where the largest square of a product is far from the end of the range: what underflows among
 * smaller ones is lost beside the bound below which statistics are left. */
static bool squares_by_library(Product *p, const ProductInput *in, double largest, Arena *arena)
{
    if (!library_dgemm || !p->square || !(largest < 0x1p480))
        return false;
    const double *left = squares_of(in->left, in->rows * in->depth, arena);
    const double *right = squares_of(in->right, in->depth * in->stride, arena);
    LentProduct squares = {left, right, p->square, true};
    return lend(in, left, right, p->square) && lent_product_checked(in, &squares, arena);
}

static void terms_by_bits(Product *p, const ProductInput *in, Arena *arena)
{
    size_t words = (in->depth + TERM_BITS - 1) / TERM_BITS;
    product_kernels()->count_terms(&(ProductTerms){
        .left = in->left,
        .right = in->right,
        .rows = in->rows,
        .depth = in->depth,
        .stride = in->stride,
        .words = words,
        .left_bits = arena_take_zeroed(arena, in->rows * words, sizeof(uint64_t)),
        .right_bits = arena_take_zeroed(arena, words * in->stride, sizeof(uint64_t)),
        .terms = p->terms,
    });
}

static void compute_by_kernels(Product *p, const ProductInput *in)
{
    for (size_t strip = 0; strip < in->stride; strip += PRODUCT_LANES)
        for (size_t i = 0; i < in->rows; i++)
            compute_row(p, in, strip, i);
}

static bool all_finite(const double *values, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++)
        finite &= fabs(values[i]) < INFINITY;
    return finite;
}

/* Largest magnitudes of the rows of left and of the columns of right, as powers of two above them;
 * 0 where all are 0. */
typedef struct Tops {
    double *left, *right, largest;
} Tops;

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static double power_above(double size)
{
    int exponent = 0;
    if (size > 0)
        (void)frexp(size, &exponent);
    return size > 0 ? ldexp(1, exponent) : 0;
}

static Tops tops_of(const ProductInput *in, Arena *arena)
{
    Tops tops = {arena_take_zeroed(arena, in->rows, sizeof(double)),
                 arena_take_zeroed(arena, in->stride, sizeof(double)), 0};
    double left = 0, right = 0;
    for (size_t i = 0; i < in->rows; i++) {
        double top = 0;
        for (size_t l = 0; l < in->depth; l++)
            top = larger(top, fabs(in->left[i * in->depth + l]));
        left = larger(left, top);
        tops.left[i] = power_above(top);
    }
    for (size_t l = 0; l < in->depth; l++)
        for (size_t j = 0; j < in->stride; j++)
            tops.right[j] = larger(tops.right[j], fabs(in->right[l * in->stride + j]));
    for (size_t j = 0; j < in->stride; j++) {
        right = larger(right, tops.right[j]);
        tops.right[j] = power_above(tops.right[j]);
    }
    tops.largest = left * right;
    return tops;
}

/* The least part of 2^e that magnitudes may be of for error_factor to hold. */
static const double BIASED_SHARE = 0x1p-12, LEAST_POWER = 0x1p-900, GREATEST_POWER = 0x1p1000;

enum { ROWS_AT_ONCE = 2, BIASED_DEPTH_MAX = 1 << 12 };

static bool is_biased(const ProductInput *in)
{
    return is_large(in) && in->precision == PRODUCT_WIDE && in->depth <= BIASED_DEPTH_MAX;
}

/* A strip of two rows at most with its biases, of which `power` is 2^e, 0 where no factor counts,
 * and NaN where sums beside a bias may leave the range. */
typedef struct BiasedTile {
    double power[ROWS_AT_ONCE * PRODUCT_LANES], bias[ROWS_AT_ONCE * PRODUCT_LANES];
} BiasedTile;

static void choose_biases(BiasedTile *tile, const Tops *tops, double depth, size_t strip, size_t i,
                          size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t lane = 0; lane < PRODUCT_LANES; lane++) {
            size_t at = row * PRODUCT_LANES + lane;
            double left = tops->left[i + row], right = tops->right[strip + lane];
            double power = left * right * depth;
            bool usual = power > LEAST_POWER && power < GREATEST_POWER;
            tile->power[at] = usual || left == 0 || right == 0 ? power : NAN;
            tile->bias[at] = usual ? 1.5 * power : 1.5;
        }
}

/* The theorem in product_kernel.h keeps Product.error_factor, as it does where all factors of a row
 * or column are 0. */
static bool is_within(const Product *p, const BiasedTile *tile, size_t at, size_t row)
{
    bool within = true;
    for (size_t lane = 0; lane < PRODUCT_LANES; lane++) {
        double power = tile->power[row * PRODUCT_LANES + lane];
        within &= power * BIASED_SHARE <= p->magnitude[at + lane];
    }
    return within;
}

static void compute_biased(Product *p, const ProductInput *in, const Tops *tops, Arena *arena)
{
    double depth = 4 * power_above((double)in->depth);
    double *packed = arena_take(arena, in->depth * PRODUCT_LANES, sizeof *packed);
    BiasedTile tile;
    for (size_t strip = 0; strip < in->stride; strip += PRODUCT_LANES) {
        for (size_t l = 0; l < in->depth; l++)
            memcpy(packed + l * PRODUCT_LANES, in->right + l * in->stride + strip,
                   PRODUCT_LANES * sizeof *packed);
        for (size_t i = 0, rows; i < in->rows; i += rows) {
            size_t at = i * in->stride + strip;
            rows = in->rows - i < ROWS_AT_ONCE ? 1 : ROWS_AT_ONCE;
            choose_biases(&tile, tops, depth, strip, i, rows);
            product_kernels()->biased(&(ProductBiased){in->left + i * in->depth, packed, tile.bias,
                                                       rows, in->depth, in->stride, p->high + at,
                                                       p->low + at, p->magnitude + at});
            for (size_t row = 0; row < rows; row++)
                if (!is_within(p, &tile, at + row * in->stride, row))
                    compute_row(p, in, strip, i + row);
        }
    }
}

/* Plain: products exact, depth - 1 additions (Higham 2002, section 4.2).  Wide: gamma_n^2 of Dot2
 * without its final rounding (Ogita, Rump, Oishi, theorem 3.4), doubled; of large products more,
 * for biased sums. */
static double error_factor(const ProductInput *in)
{
    double n = (double)in->depth + 8;
    if (in->precision == PRODUCT_DOUBLE)
        return n * 0x1p-53;
    return (is_biased(in) ? 1 / BIASED_SHARE : 2) * n * n * 0x1p-106;
}

/* Terms, and squares where a library gives them, cost less than beside the sums. */
static void compute_large(Product *p, const ProductInput *in, Arena *arena)
{
    Product rest = *p;
    Tops tops = {NULL, NULL, 0};
    bool wide = in->precision == PRODUCT_WIDE;
    if (wide)
        tops = tops_of(in, arena);
    if (p->terms)
        terms_by_bits(&rest, in, arena);
    rest.terms = NULL;
    if (squares_by_library(&rest, in, tops.largest, arena))
        rest.square = NULL;
    if (is_biased(in) && !rest.square)
        compute_biased(&rest, in, &tops, arena);
    else if (wide || rest.square || !sums_by_library(&rest, in, arena))
        compute_by_kernels(&rest, in);
    else
        compute_narrow(&rest, in, arena);
}

static void check_factors(const ProductInput *in)
{
    REQUIRE(in->stride % PRODUCT_LANES == 0);
    REQUIRE(all_finite(in->left, in->rows * in->depth) &&
            all_finite(in->right, in->depth * in->stride));
}

static Product room_for(const ProductInput *in, Arena *arena)
{
    size_t count = in->rows * in->stride;
    return (Product){
        .high = arena_take(arena, count, sizeof(double)),
        .low = arena_take(arena, count, sizeof(double)),
        .magnitude = arena_take(arena, count, sizeof(double)),
        .square = in->want_square ? arena_take(arena, count, sizeof(double)) : NULL,
        .terms = in->want_terms ? arena_take(arena, count, sizeof(uint32_t)) : NULL,
        .error_factor = error_factor(in),
    };
}

/* Magnitudes were summed to nearest. */
static void inflate_magnitudes(Product *p, const ProductInput *in)
{
    double inflation = product_inflation(in);
    for (size_t i = 0; i < in->rows * in->stride; i++)
        p->magnitude[i] *= inflation;
}

double product_inflation(const ProductInput *in)
{
    return 1 + ((double)in->depth + 8) * 0x1p-52;
}

void product_compute(Product *product, const ProductInput *in, Arena *arena)
{
    check_factors(in);
    *product = room_for(in, arena);
    if (in->precision == PRODUCT_DOUBLE)
        memset(product->low, 0, in->rows * in->stride * sizeof(double));
    if (is_large(in))
        compute_large(product, in, arena);
    else
        compute_by_kernels(product, in);
    inflate_magnitudes(product, in);
}

bool product_sums(Product *product, const ProductInput *in, Arena *arena)
{
    check_factors(in);
    if (in->precision != PRODUCT_DOUBLE || !is_large(in) || !library_dgemm)
        return false;
    *product = room_for(in, arena);
    return sums_by_library(product, in, arena);
}

void product_companions(Product *product, const ProductInput *in, Arena *arena)
{
    Product rest = *product;
    memset(product->low, 0, in->rows * in->stride * sizeof(double));
    if (product->terms)
        terms_by_bits(&rest, in, arena);
    rest.terms = NULL;
    if (squares_by_library(&rest, in, 0, arena))
        rest.square = NULL;
    if (rest.square)
        compute_by_kernels(&rest, in);
    else
        compute_narrow(&rest, in, arena);
    inflate_magnitudes(product, in);
}
