/* The inner loops of the reference product.  REFERENCE_ISA names this compilation. */
#include "product_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __FMA__
#include <immintrin.h>
#endif

#include "base.h"
#include "isa.h"

#define LANES PRODUCT_LANES

#if defined(__AVX512F__)
enum { LEVEL = 2 };
#elif defined(__AVX2__)
enum { LEVEL = 1 };
#else
enum { LEVEL = 0 };
#endif

#define STRING_OF(name)  #name
#define EXPAND_STRING(x) STRING_OF(x)

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

enum { EIGHT = 8, COLUMNS_AT_ONCE = 4 };

/* Written with vectors: what compilers make of loops over their elements is half as fast. */
typedef double Eight __attribute__((ext_vector_type(8), aligned(8), may_alias));
typedef float EightNarrow __attribute__((ext_vector_type(8), aligned(4), may_alias));
typedef uint16_t EightHalves __attribute__((ext_vector_type(8), aligned(2), may_alias));
typedef uint32_t EightBits __attribute__((ext_vector_type(8), aligned(4), may_alias));
typedef int64_t EightMask __attribute__((ext_vector_type(8), aligned(8), may_alias));
typedef int32_t EightInts __attribute__((ext_vector_type(8), aligned(4), may_alias));

/* Eight elements; of binary32 as they are too. */
typedef struct Elements {
    Eight value;
    EightNarrow narrow;
} Elements;

/* Sums of eight elements side by side, and what is noted of them; of binary32 as such. */
typedef struct Projected {
    Eight sum[2], largest;
    EightMask between;
    EightNarrow narrow_largest;
    EightInts narrow_between;
} Projected;

#define IN_EACH __attribute__((always_inline)) static inline

/* x y + z with one rounding. */
IN_EACH void multiply_add(Eight *to, const Eight *x, const Eight *y, const Eight *z)
{
#ifdef __AVX512F__
    *to = (Eight)_mm512_fmadd_pd((__m512d)*x, (__m512d)*y, (__m512d)*z);
#else
    Eight sum = *z;
    for (int lane = 0; lane < EIGHT; lane++)
        sum[lane] = __builtin_fma((*x)[lane], (*y)[lane], (*z)[lane]);
    *to = sum;
#endif
}

enum { STRIP_PARTS = LANES / EIGHT, ROWS_AT_ONCE = 2 };

typedef struct BiasedSums {
    Eight high, low, magnitude;
} BiasedSums;

IN_EACH void add_biased(BiasedSums *sums, double factor, const Eight *right)
{
    Eight x = (Eight){0} + factor, high, rest;
    multiply_add(&high, &x, right, &sums->high);
    Eight taken = sums->high - high;
    multiply_add(&rest, &x, right, &taken);
    sums->high = high;
    sums->low += rest;
    rest = x * *right;
    sums->magnitude += (Eight)((EightMask)rest & INT64_MAX);
}

/* The sum without its bias, as high + low. */
IN_EACH void put_biased(const ProductBiased *p, size_t at, const BiasedSums *sums,
                        const Eight *bias)
{
    Eight exact = sums->high - *bias, high = exact + sums->low, part = high - exact;
    *(Eight *)(p->high + at) = high;
    *(Eight *)(p->low + at) = (exact - (high - part)) + (sums->low - part);
    *(Eight *)(p->magnitude + at) = sums->magnitude;
}

IN_EACH void multiply_biased(const ProductBiased *p, size_t rows)
{
    BiasedSums sums[ROWS_AT_ONCE][STRIP_PARTS];
    const Eight *bias = (const Eight *)p->bias;
    for (size_t i = 0; i < rows; i++)
        for (size_t part = 0; part < STRIP_PARTS; part++)
            sums[i][part] = (BiasedSums){bias[i * STRIP_PARTS + part], {0}, {0}};
    for (size_t l = 0; l < p->depth; l++)
        for (size_t i = 0; i < rows; i++)
            for (size_t part = 0; part < STRIP_PARTS; part++)
                add_biased(&sums[i][part], p->left[i * p->depth + l],
                           (const Eight *)(p->right + l * LANES) + part);
    for (size_t i = 0; i < rows; i++)
        for (size_t part = 0; part < STRIP_PARTS; part++)
            put_biased(p, i * p->stride + part * EIGHT, &sums[i][part],
                       &bias[i * STRIP_PARTS + part]);
}

static void strip_biased(const ProductBiased *p)
{
    if (p->rows == ROWS_AT_ONCE)
        multiply_biased(p, ROWS_AT_ONCE);
    else
        multiply_biased(p, 1);
}

typedef float Narrow __attribute__((ext_vector_type(LANES), aligned(4), may_alias));
typedef double Wider __attribute__((ext_vector_type(LANES), aligned(8), may_alias));
typedef int64_t WiderBits __attribute__((ext_vector_type(LANES), aligned(8), may_alias));

/* to += x y with one rounding. */
IN_EACH void add_narrow(Narrow *to, float x, const Narrow *y)
{
#if defined(__AVX512F__)
    *to = (Narrow)_mm512_fmadd_ps(_mm512_set1_ps(x), (__m512)*y, (__m512)*to);
#elif defined(__FMA__)
    const float *from = (const float *)y;
    float *at = (float *)to;
    for (int part = 0; part < LANES; part += EIGHT)
        _mm256_storeu_ps(at + part, _mm256_fmadd_ps(_mm256_set1_ps(x), _mm256_loadu_ps(from + part),
                                                    _mm256_loadu_ps(at + part)));
#else
    for (int lane = 0; lane < LANES; lane++)
        (*to)[lane] = __builtin_fmaf(x, (*y)[lane], (*to)[lane]);
#endif
}

/* As many rows at once as there are registers for their sums; their factors alternate. */
enum {
    NARROW_ROWS = LEVEL == 2 ? NARROW_ROWS_MAX : 4,
    EXPONENT_OF_ONE = 1023,
    SCALED_EXPONENT = 40
};

static void multiply_narrow(const ProductNarrow *p, size_t i, Wider *sums)
{
    const float *left = p->scaled + i * p->depth;
    for (size_t row = 0; row < NARROW_ROWS; row++)
        sums[row] = (Wider){0};
    for (size_t first = 0, end; first < p->depth; first = end) {
        Narrow part[NARROW_ROWS] = {{0}};
        end = p->depth - first < NARROW_BLOCK ? p->depth : first + NARROW_BLOCK;
        for (size_t l = first; l < end; l++)
            for (size_t row = 0; row < NARROW_ROWS; row++)
                add_narrow(&part[row], left[l * NARROW_ROWS + row],
                           (const Narrow *)(p->packed + l * LANES));
        for (size_t row = 0; row < NARROW_ROWS; row++)
            sums[row] += __builtin_convertvector(part[row], Wider);
    }
}

/* 2^(40 - e) for numbers that are 2^e; 2^1063 stands for that of 0. */
IN_EACH void scale_of(Wider *scale, const Wider *power)
{
    WiderBits top = (WiderBits){0} + (int64_t)(2 * EXPONENT_OF_ONE + SCALED_EXPONENT);
    *scale = (Wider)((top << 52) - (WiderBits)*power);
}

IN_EACH void pack_narrow(const ProductNarrow *p, Wider *power)
{
    Wider largest = {0}, scale;
    for (size_t l = 0; l < p->depth; l++) {
        WiderBits bits = (WiderBits)(*(const Wider *)(p->right + l * p->stride)) & INT64_MAX;
        largest = (Wider)bits > largest ? (Wider)bits : largest;
    }
    *power = (Wider)((WiderBits)largest & (int64_t)0x7ff << 52);
    scale_of(&scale, power);
    scale = largest > 0 ? scale : (Wider){0};
    for (size_t l = 0; l < p->depth; l++) {
        WiderBits bits = (WiderBits)(*(const Wider *)(p->right + l * p->stride)) & INT64_MAX;
        *(Narrow *)(p->packed + l * LANES) = __builtin_convertvector((Wider)bits * scale, Narrow);
    }
}

static void put_narrow(const ProductNarrow *p, size_t i, const Wider *sum, const Wider *power)
{
    const double unit = 0x1p-80;
    double least = (double)p->depth * 0x1p-84;
    Wider both = *power * p->power[i] * unit;
    WiderBits lost = (*sum < least) & (both != 0);
    bool any = false;
    for (int lane = 0; lane < LANES; lane++)
        any |= lost[lane] != 0;
    p->lost[i] = any;
    *(Wider *)(p->magnitude + i * p->stride) = *sum * NARROW_INFLATION * both;
}

static void strip_narrow(const ProductNarrow *p)
{
    Wider power, sums[NARROW_ROWS];
    pack_narrow(p, &power);
    for (size_t i = 0; i < p->rows; i += NARROW_ROWS) {
        multiply_narrow(p, i, sums);
        for (size_t row = i; row < i + NARROW_ROWS && row < p->rows; row++)
            put_narrow(p, row, &sums[row - i], &power);
    }
}

static double largest_of(const double *values, size_t count)
{
    Eight most = {0};
    size_t at = 0;
    double largest = 0;
    for (; at + EIGHT <= count; at += EIGHT) {
        Eight size = (Eight)((EightMask)(*(const Eight *)(values + at)) & INT64_MAX);
        most = size > most ? size : most;
    }
    for (int lane = 0; lane < EIGHT; lane++)
        largest = most[lane] > largest ? most[lane] : largest;
    for (; at < count; at++)
        largest = fabs(values[at]) > largest ? fabs(values[at]) : largest;
    return largest;
}

static void scale_narrow(const ProductNarrow *p)
{
    for (size_t i = 0; i < p->rows; i++) {
        const double *row = p->left + i * p->depth;
        float *to = p->scaled + i / NARROW_ROWS * NARROW_ROWS * p->depth + i % NARROW_ROWS;
        double largest = largest_of(row, p->depth);
        uint64_t bits;
        memcpy(&bits, &largest, sizeof bits);
        bits &= (uint64_t)0x7ff << 52;
        memcpy(&p->power[i], &bits, sizeof bits);
        double scale = largest > 0 ? 0x1p40 / p->power[i] : 0;
        for (size_t l = 0; l < p->depth; l++)
            to[l * NARROW_ROWS] = (float)(fabs(row[l]) * scale);
    }
}

static void mark_factors(const ProductTerms *t)
{
    for (size_t i = 0; i < t->rows; i++)
        for (size_t l = 0; l < t->depth; l++)
            t->left_bits[i * t->words + l / TERM_BITS] |= (uint64_t)(t->left[i * t->depth + l] != 0)
                                                          << l % TERM_BITS;
    for (size_t l = 0; l < t->depth; l++) {
        uint64_t *bits = t->right_bits + l / TERM_BITS * t->stride;
        const double *row = t->right + l * t->stride;
        for (size_t j = 0; j < t->stride; j++)
            bits[j] |= (uint64_t)(row[j] != 0) << l % TERM_BITS;
    }
}

static void count_terms(const ProductTerms *t)
{
    mark_factors(t);
    for (size_t i = 0; i < t->rows; i++) {
        uint32_t *terms = t->terms + i * t->stride;
        for (size_t w = 0; w < t->words; w++) {
            uint64_t own = t->left_bits[i * t->words + w];
            const uint64_t *bits = t->right_bits + w * t->stride;
            for (size_t j = 0; j < t->stride; j++)
                terms[j] = (w > 0 ? terms[j] : 0) + (uint32_t)__builtin_popcountll(own & bits[j]);
        }
    }
}

/* Of binary16 the exponent is off by 112, which a product mends, of subnormal numbers too. */
IN_EACH void widen_halves(Eight *to, EightHalves halves, DType dtype)
{
    EightBits bits = __builtin_convertvector(halves, EightBits);
    if (dtype == DT_F16) {
        EightBits sign = (bits & 0x8000u) << 16, size = (bits & 0x7fffu) << 13;
        EightNarrow numbers = (EightNarrow)size * 0x1p112F;
        EightBits infinite = (EightBits)(numbers >= 0x1p16F) & 0x7f800000u;
        bits = (EightBits)numbers | infinite | sign;
    } else {
        bits <<= 16;
    }
    *to = __builtin_convertvector((EightNarrow)bits, Eight);
}

/* Numbers of half precision, 0 behind the first `count` of them. */
IN_EACH void load_halves(Eight *to, const char *at, int64_t step, size_t count, DType dtype)
{
    EightHalves halves = {0};
    if (step == sizeof(uint16_t) && count == EIGHT)
        halves = *(const EightHalves *)(const void *)at;
    for (size_t lane = 0; (step != sizeof(uint16_t) || count < EIGHT) && lane < count; lane++)
        halves[lane] = *(const uint16_t *)(const void *)(at + (int64_t)lane * step);
    widen_halves(to, halves, dtype);
}

/* Elements that lie `step` bytes apart, 0 behind the first `count` of them. */
IN_EACH void load_elements(Elements *to, const char *at, int64_t step, size_t count, DType dtype)
{
    if (dtype == DT_F16 || dtype == DT_BF16) {
        load_halves(&to->value, at, step, count, dtype);
    } else if (dtype == DT_F32) {
        EightNarrow narrow = {0};
        if (step == sizeof(float) && count == EIGHT)
            narrow = *(const EightNarrow *)(const void *)at;
        for (size_t lane = 0; (step != sizeof(float) || count < EIGHT) && lane < count; lane++)
            narrow[lane] = *(const float *)(const void *)(at + (int64_t)lane * step);
        to->narrow = narrow;
        to->value = __builtin_convertvector(narrow, Eight);
    } else if (step == sizeof(double) && count == EIGHT) {
        to->value = *(const Eight *)(const void *)at;
    } else {
        to->value = (Eight){0};
        for (size_t lane = 0; lane < count; lane++)
            to->value[lane] = *(const double *)(const void *)(at + (int64_t)lane * step);
    }
}

IN_EACH void load_numbers(Eight *to, const double *from, size_t count)
{
    Elements of = {.value = {0}};
    load_elements(&of, (const char *)from, sizeof(double), count, DT_F64);
    *to = of.value;
}

/* How a matrix is read and compared with its unit: by an addition that rounds to multiples of it,
 * and numbers beyond 2^51 of it to those of 2 units; or of binary32 `narrow`, by what a number is
 * of the unit, which is exact where it does not underflow. */
typedef struct Way {
    DType dtype;
    bool narrow, sizes;
    float units; /* in 1 */
    double rounder;
    int64_t step, next; /* bytes from one element to the next, and to the next row or column */
} Way;

/* Rounding to integers is an instruction there. */
static bool is_narrow(const Projection *p)
{
#ifdef __AVX__
    return p->dtype == DT_F32 && p->rounder >= 0x1.8p-48 && p->rounder <= 0x1.8p52;
#else
    (void)p;
    return false;
#endif
}

IN_EACH void note_narrow(Projected *to, const EightNarrow *value, float units)
{
    EightNarrow size = (EightNarrow)((EightInts)*value & INT32_MAX), of_units = *value * units;
    to->narrow_largest = size > to->narrow_largest ? size : to->narrow_largest;
    to->narrow_between -= __builtin_elementwise_trunc(of_units) != of_units;
}

IN_EACH void note_value(Projected *to, const Eight *value, double rounder)
{
    Eight rounded = (*value + rounder) - rounder;
    Eight size = (Eight)((EightMask)*value & INT64_MAX);
    to->largest = size > to->largest ? size : to->largest;
    to->between -= rounded != *value;
}

IN_EACH void project_eight(Projected *to, const Elements *of, const Eight x[2], const Way *way)
{
    Eight second = way->sizes ? (Eight)((EightMask)of->value & INT64_MAX) : of->value;
    to->sum[0] += of->value * x[0];
    to->sum[1] += second * x[1];
    if (way->narrow)
        note_narrow(to, &of->narrow, way->units);
    else
        note_value(to, &of->value, way->rounder);
}

static void note_projected(Projection *p, const Projected *of)
{
    for (int lane = 0; lane < EIGHT; lane++) {
        double narrow = of->narrow_largest[lane], wide = of->largest[lane];
        double size = narrow > wide ? narrow : wide;
        p->largest = size > p->largest ? size : p->largest;
        p->between += (double)of->between[lane] + (double)of->narrow_between[lane];
    }
}

/* One row. */
IN_EACH void project_row(Projection *p, size_t i, const Way *way)
{
    const char *row = (const char *)p->origin + (int64_t)i * way->next;
    Projected of = {.sum = {{0}}};
    Elements value;
    Eight x[2];
    size_t j = 0, left = p->columns % EIGHT;
    for (; j + EIGHT <= p->columns; j += EIGHT, row += EIGHT * way->step) {
        load_elements(&value, row, way->step, EIGHT, way->dtype);
        x[0] = *(const Eight *)(p->x[0] + j);
        x[1] = *(const Eight *)(p->x[1] + j);
        project_eight(&of, &value, x, way);
    }
    if (left > 0) {
        load_elements(&value, row, way->step, left, way->dtype);
        for (int k = 0; k < 2; k++)
            load_numbers(&x[k], p->x[k] + j, left);
        project_eight(&of, &value, x, way);
    }
    for (int lane = 0; lane < EIGHT; lane++) {
        p->y[0][i] += of.sum[0][lane];
        p->y[1][i] += of.sum[1][lane];
    }
    note_projected(p, &of);
}

/* Up to eight rows of some columns, the first of which begins there. */
IN_EACH void project_rows(Projection *p, Projected *of, const char *from, size_t i, size_t rows,
                          Eight x[][2], size_t columns, const Way *way)
{
    Elements value;
    for (int k = 0; k < 2; k++)
        load_numbers(&of->sum[k], p->y[k] + i, rows);
    for (size_t l = 0; l < columns; l++) {
        const char *at = from + (int64_t)i * way->step + (int64_t)l * way->next;
        load_elements(&value, at, way->step, rows, way->dtype);
        project_eight(of, &value, x[l], way);
    }
    for (int k = 0; k < 2 && rows == EIGHT; k++)
        *(Eight *)(p->y[k] + i) = of->sum[k];
    for (int k = 0; k < 2 && rows < EIGHT; k++)
        memcpy(p->y[k] + i, &of->sum[k], rows * sizeof(double));
}

/* Some columns. */
IN_EACH void project_some(Projection *p, Projected *of, size_t j, size_t columns, const Way *way)
{
    const char *from = (const char *)p->origin + (int64_t)j * way->next;
    Eight x[COLUMNS_AT_ONCE][2];
    size_t i = 0;
    for (size_t l = 0; l < columns; l++)
        for (int k = 0; k < 2; k++)
            x[l][k] = (Eight){0} + p->x[k][j + l];
    for (; i + EIGHT <= p->rows; i += EIGHT)
        project_rows(p, of, from, i, EIGHT, x, columns, way);
    if (i < p->rows)
        project_rows(p, of, from, i, p->rows - i, x, columns, way);
}

IN_EACH void project_columns(Projection *p, const Way *way)
{
    Projected of = {.sum = {{0}}};
    size_t j = 0;
    for (; j + COLUMNS_AT_ONCE <= p->columns; j += COLUMNS_AT_ONCE)
        project_some(p, &of, j, COLUMNS_AT_ONCE, way);
    for (; j < p->columns; j++)
        project_some(p, &of, j, 1, way);
    note_projected(p, &of);
}

/* Along the axis whose elements lie closer. */
IN_EACH void project_typed(Projection *p, DType dtype, bool narrow, bool sizes)
{
    int64_t size = dtype == DT_F64 ? 8 : dtype == DT_F32 ? 4 : 2;
    int64_t down = p->row_stride * size, along = p->column_stride * size;
    bool by_columns = llabs(down) < llabs(along);
    float units = narrow ? (float)(0x1.8p52 / p->rounder) : 1;
    int64_t step = by_columns ? down : along, next = by_columns ? along : down;
    const Way far = {dtype, narrow, sizes, units, p->rounder, step, next};
    const Way near = {dtype, narrow, sizes, units, p->rounder, size, next};
    for (size_t i = 0; i < p->rows && !by_columns; i++)
        if (step == size)
            project_row(p, i, &near);
        else
            project_row(p, i, &far);
    if (by_columns && step == size)
        project_columns(p, &near);
    else if (by_columns)
        project_columns(p, &far);
}

IN_EACH void project_as(Projection *p, DType dtype, bool narrow)
{
    if (p->sizes)
        project_typed(p, dtype, narrow, true);
    else
        project_typed(p, dtype, narrow, false);
}

static void project(Projection *p)
{
    REQUIRE(p->dtype == DT_F64 || p->dtype == DT_F32 || p->dtype == DT_F16 || p->dtype == DT_BF16);
    if (p->dtype == DT_F64)
        project_as(p, DT_F64, false);
    else if (p->dtype == DT_F32 && is_narrow(p))
        project_as(p, DT_F32, true);
    else if (p->dtype == DT_F32)
        project_as(p, DT_F32, false);
    else if (p->dtype == DT_F16)
        project_as(p, DT_F16, false);
    else
        project_as(p, DT_BF16, false);
}

const ProductKernels REFERENCE_ISA_NAME(product_kernels_) = {
    .isa = EXPAND_STRING(REFERENCE_ISA),
    .level = LEVEL,
    .plain = strip_plain,
    .wide = strip_wide,
    .biased = strip_biased,
    .scale_narrow = scale_narrow,
    .narrow = strip_narrow,
    .count_terms = count_terms,
    .project = project,
    .affine_row = REFERENCE_ISA_NAME(affine_row_),
    .unread_row = REFERENCE_ISA_NAME(unread_row_),
    .note = REFERENCE_ISA_NAME(values_note_),
};
