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

/* The library's product agrees with A (B w): both sides err by at most
 * (depth + stride + 8) u sum_j S_ij |w_j|, by the lemma in oracle/bound.h for each. */
static bool library_product_checked(const ProductInput *in, const Product *p, Arena *arena)
{
    double *weighted = arena_take(arena, in->depth + 1, sizeof *weighted);
    double *weights = arena_take(arena, in->stride + 1, sizeof *weights);
    double factor = (double)(2 * (in->depth + in->stride) + 16) * 0x1p-53;
    for (size_t j = 0; j < in->stride; j++)
        weights[j] = (double)(1 + random_at(counts.by_library, j) % CHECK_WEIGHT_MAX);
    for (size_t l = 0; l < in->depth; l++) {
        double sum = 0;
        for (size_t j = 0; j < in->stride; j++)
            sum += in->right[l * in->stride + j] * weights[j];
        weighted[l] = sum;
    }
    for (size_t i = 0; i < in->rows; i++) {
        double expected = dot(in->left + i * in->depth, weighted, in->depth);
        double got = dot(p->high + i * in->stride, weights, in->stride);
        double magnitude = dot(p->magnitude + i * in->stride, weights, in->stride);
        if (!(fabs(got - expected) <= factor * magnitude))
            return false;
    }
    return true;
}

static double *magnitudes_of(const double *values, size_t count, Arena *arena)
{
    double *magnitudes = arena_take(arena, count, sizeof *magnitudes);
    for (size_t i = 0; i < count; i++)
        magnitudes[i] = fabs(values[i]);
    return magnitudes;
}

static bool compute_by_library(Product *p, const ProductInput *in, Arena *arena)
{
    if (!library_dgemm || in->precision != PRODUCT_DOUBLE || in->want_square || in->want_terms ||
        in->rows * in->depth * in->stride < LIBRARY_WORK)
        return false;
    size_t left = in->rows * in->depth, right = in->depth * in->stride;
    if (!library_dgemm(in->rows, in->stride, in->depth, in->left, in->right, p->high) ||
        !library_dgemm(in->rows, in->stride, in->depth, magnitudes_of(in->left, left, arena),
                       magnitudes_of(in->right, right, arena), p->magnitude))
        return false;
    counts.by_library++;
    if (library_product_checked(in, p, arena))
        return true;
    counts.rejected++;
    return false;
}

static void compute_by_kernels(Product *p, const ProductInput *in)
{
    ProductKernel *kernel =
        in->precision == PRODUCT_WIDE ? product_kernels()->wide : product_kernels()->plain;
    for (size_t strip = 0; strip < in->stride; strip += PRODUCT_LANES) {
        for (size_t i = 0; i < in->rows; i++) {
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
    }
}

static bool all_finite(const double *values, size_t count)
{
    bool finite = true;
    for (size_t i = 0; i < count; i++)
        finite &= fabs(values[i]) < INFINITY;
    return finite;
}

void product_compute(Product *product, const ProductInput *in, Arena *arena)
{
    REQUIRE(in->stride % PRODUCT_LANES == 0);
    REQUIRE(all_finite(in->left, in->rows * in->depth) &&
            all_finite(in->right, in->depth * in->stride));
    size_t count = in->rows * in->stride;
    double n = (double)in->depth + 8;
    *product = (Product){
        .high = arena_take(arena, count, sizeof(double)),
        .low = arena_take_zeroed(arena, count, sizeof(double)),
        .magnitude = arena_take(arena, count, sizeof(double)),
        .square = in->want_square ? arena_take(arena, count, sizeof(double)) : NULL,
        .terms = in->want_terms ? arena_take(arena, count, sizeof(uint32_t)) : NULL,
        /* Plain: products exact, depth - 1 additions (Higham 2002, section 4.2).  Wide: gamma_n^2
         * of Dot2 without its final rounding (Ogita, Rump, Oishi, theorem 3.4), doubled. */
        .error_factor = in->precision == PRODUCT_WIDE ? 2 * n * n * 0x1p-106 : n * 0x1p-53,
    };
    if (!compute_by_library(product, in, arena))
        compute_by_kernels(product, in);
    double inflation = 1 + n * 0x1p-52;
    for (size_t i = 0; i < count; i++)
        product->magnitude[i] *= inflation;
}
