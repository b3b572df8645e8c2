/* The inner loops of the reference product.  PRODUCT_ISA names this compilation. */
#include "product_kernel.h"

#include <math.h>
#include <stdlib.h>
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

enum { PROJECTED = 8, COLUMNS_AT_ONCE = 4 };

/* Sums of eight elements side by side, and what is noted of them. */
typedef struct Projected {
    double sum[2][PROJECTED], largest[PROJECTED], between[PROJECTED];
} Projected;

#define IN_EACH __attribute__((always_inline)) static inline

/* The addition rounds to multiples of the unit, and numbers beyond 2^51 of it to those of 2 units.
 */
IN_EACH void project_one(Projected *to, int lane, double value, double x0, double x1,
                         double rounder, bool sizes)
{
    double size = fabs(value);
    to->sum[0][lane] += value * x0;
    to->sum[1][lane] += (sizes ? size : value) * x1;
    to->largest[lane] = size > to->largest[lane] ? size : to->largest[lane];
    to->between[lane] += (value + rounder) - rounder == value ? 0.0 : 1.0;
}

static void note_projected(Projection *p, const Projected *of)
{
    for (int lane = 0; lane < PROJECTED; lane++) {
        p->largest = of->largest[lane] > p->largest ? of->largest[lane] : p->largest;
        p->between += of->between[lane];
    }
}

#define LOAD(at, narrow) ((narrow) ? (double)((const float *)(at))[0] : ((const double *)(at))[0])

/* One row, whose elements lie `step` bytes apart. */
IN_EACH void project_row(Projection *p, size_t i, const char *row, int64_t step, bool narrow,
                         bool sizes)
{
    Projected of = {{{0}}, {0}, {0}};
    const double *x0 = p->x[0], *x1 = p->x[1], rounder = p->rounder;
    size_t j = 0;
    for (; j + PROJECTED <= p->columns; j += PROJECTED, row += PROJECTED * step)
        for (int lane = 0; lane < PROJECTED; lane++)
            project_one(&of, lane, LOAD(row + lane * step, narrow), x0[j + (size_t)lane],
                        x1[j + (size_t)lane], rounder, sizes);
    for (; j < p->columns; j++, row += step)
        project_one(&of, 0, LOAD(row, narrow), x0[j], x1[j], rounder, sizes);
    for (int lane = 0; lane < PROJECTED; lane++) {
        p->y[0][i] += of.sum[0][lane];
        p->y[1][i] += of.sum[1][lane];
    }
    note_projected(p, &of);
}

/* Eight rows or fewer times some columns: elements of a column lie `step` bytes apart, columns
 * `next`. */
IN_EACH void project_block(Projection *p, Projected *of, const char *at, int64_t step, int64_t next,
                           size_t i, int rows, size_t j, size_t columns, bool narrow, bool sizes)
{
    for (int lane = 0; lane < rows; lane++) {
        of->sum[0][lane] = p->y[0][i + (size_t)lane];
        of->sum[1][lane] = p->y[1][i + (size_t)lane];
    }
    for (size_t l = 0; l < columns; l++)
        for (int lane = 0; lane < rows; lane++)
            project_one(of, lane, LOAD(at + (int64_t)l * next + lane * step, narrow),
                        p->x[0][j + l], p->x[1][j + l], p->rounder, sizes);
    for (int lane = 0; lane < rows; lane++) {
        p->y[0][i + (size_t)lane] = of->sum[0][lane];
        p->y[1][i + (size_t)lane] = of->sum[1][lane];
    }
}

IN_EACH void project_columns(Projection *p, int64_t step, int64_t next, bool narrow, bool sizes)
{
    Projected of = {{{0}}, {0}, {0}};
    const char *origin = p->origin;
    for (size_t j = 0; j < p->columns; j += COLUMNS_AT_ONCE) {
        size_t left = p->columns - j, i = 0;
        const char *column = origin + (int64_t)j * next;
        for (; left >= COLUMNS_AT_ONCE && i + PROJECTED <= p->rows; i += PROJECTED)
            project_block(p, &of, column + (int64_t)i * step, step, next, i, PROJECTED, j,
                          COLUMNS_AT_ONCE, narrow, sizes);
        for (; i < p->rows; i++)
            project_block(p, &of, column + (int64_t)i * step, step, next, i, 1, j,
                          left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE, narrow, sizes);
    }
    note_projected(p, &of);
}

/* Along the axis whose elements lie closer. */
IN_EACH void project_typed(Projection *p, bool narrow, bool sizes)
{
    int64_t size = narrow ? 4 : 8, down = p->row_stride * size, along = p->column_stride * size;
    bool by_columns = llabs(down) < llabs(along);
    const char *origin = p->origin;
    for (size_t i = 0; i < p->rows && !by_columns; i++)
        if (along == size)
            project_row(p, i, origin + (int64_t)i * down, size, narrow, sizes);
        else
            project_row(p, i, origin + (int64_t)i * down, along, narrow, sizes);
    if (by_columns && down == size)
        project_columns(p, size, along, narrow, sizes);
    else if (by_columns)
        project_columns(p, down, along, narrow, sizes);
}

static void project(Projection *p)
{
    if (p->narrow && p->sizes)
        project_typed(p, true, true);
    else if (p->narrow)
        project_typed(p, true, false);
    else if (p->sizes)
        project_typed(p, false, true);
    else
        project_typed(p, false, false);
}

const ProductKernels EXPAND_NAMES(product_kernels_, PRODUCT_ISA) = {
    .isa = EXPAND_STRING(PRODUCT_ISA),
    .plain = strip_plain,
    .wide = strip_wide,
    .project = project,
};
