/* The inner loops of the reference product.  PRODUCT_ISA names this compilation. */
#include "product_kernel.h"

#include <math.h>
#include <string.h>

#define LANES PRODUCT_LANES

#define JOIN_NAMES(a, b)   a##b
#define EXPAND_NAMES(a, b) JOIN_NAMES(a, b)
#define STRING_OF(name)    #name
#define EXPAND_STRING(x)   STRING_OF(x)

static void add_companions(const ProductStrip *s)
{
    double square[LANES] = {0}, terms[LANES] = {0};
    for (size_t l = 0; l < s->depth; l++) {
        double factor = s->left[l];
        const double *row = s->right + l * s->stride;
        for (int j = 0; j < LANES; j++) {
            double product = factor * row[j];
            square[j] += product * product;
            terms[j] += ((factor != 0) & (row[j] != 0)) ? 1.0 : 0.0;
        }
    }
    for (int j = 0; s->square && j < LANES; j++)
        s->square[j] = square[j];
    for (int j = 0; s->terms && j < LANES; j++)
        s->terms[j] = (uint32_t)terms[j];
}

static void strip_plain(const ProductStrip *s)
{
    double sum[LANES] = {0}, magnitude[LANES] = {0};
    for (size_t l = 0; l < s->depth; l++) {
        double factor = s->left[l];
        const double *row = s->right + l * s->stride;
        for (int j = 0; j < LANES; j++) {
            double product = factor * row[j];
            sum[j] += product;
            magnitude[j] += fabs(product);
        }
    }
    memcpy(s->high, sum, sizeof sum);
    memcpy(s->magnitude, magnitude, sizeof magnitude);
    if (s->square || s->terms)
        add_companions(s);
}

/* x * y - product exactly: by FMA where the instruction set has it, else by Dekker's splitting. */
static inline double product_error(double x, double y, double product)
{
#ifdef __FMA__
    return __builtin_fma(x, y, -product);
#else
    double xs = x * 0x1.0000002p+27, ys = y * 0x1.0000002p+27;
    double xh = xs - (xs - x), yh = ys - (ys - y), xl = x - xh, yl = y - yh;
    return ((xh * yh - product) + xh * yl + xl * yh) + xl * yl;
#endif
}

static void strip_wide(const ProductStrip *s)
{
    double high[LANES] = {0}, low[LANES] = {0}, magnitude[LANES] = {0};
    for (size_t l = 0; l < s->depth; l++) {
        double factor = s->left[l];
        const double *row = s->right + l * s->stride;
        for (int j = 0; j < LANES; j++) {
            double product = factor * row[j];
            double error = product_error(factor, row[j], product);
            double sum = high[j] + product, part = sum - high[j];
            double lost = (high[j] - (sum - part)) + (product - part);
            high[j] = sum;
            low[j] += error + lost;
            magnitude[j] += fabs(product);
        }
    }
    for (int j = 0; j < LANES; j++) {
        double sum = high[j] + low[j], part = sum - high[j];
        s->low[j] = (high[j] - (sum - part)) + (low[j] - part);
        s->high[j] = sum;
    }
    memcpy(s->magnitude, magnitude, sizeof magnitude);
    if (s->square || s->terms)
        add_companions(s);
}

const ProductKernels EXPAND_NAMES(product_kernels_, PRODUCT_ISA) = {
    .isa = EXPAND_STRING(PRODUCT_ISA),
    .plain = strip_plain,
    .wide = strip_wide,
};
