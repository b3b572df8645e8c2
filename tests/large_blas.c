/* Level 3 in binary32 over a product that packs blocks as fast libraries do, for tests of large
 * cases: right (FAULTY=0), or with a fault that no extent up to 2,048 shows.  1: behind the first
 * block of columns the last strip, where it is not a whole one, holds what was packed before.  2:
 * only where there are more than 1,024 rows and 512 terms too.  3: behind 2,048 rows of a triangle
 * one is taken for the one before it.  4: behind as many its diagonal is twice as large. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { COL_MAJOR = 102, NO_TRANS = 111, UPPER = 121, UNIT = 132, LEFT = 141 };
enum { BLOCK_COLUMNS = 2048, BLOCK_DEPTH = 256, STRIP = 8, FIRST_WRONG = 2048, SOLVED = 32 };

typedef float Lanes __attribute__((vector_size(STRIP * sizeof(float)), aligned(4)));

typedef struct Matrix {
    const float *data;
    ptrdiff_t row, column;
} Matrix;

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Strips of eight rows of (a transposed) matrix, element after element of the depth. */
static void pack(float *to, Matrix m, int rows, int depth, int forgets)
{
    for (int i = 0; i < rows; i += STRIP)
        for (int l = 0; l < depth; l++, to += STRIP) {
            if (forgets && rows - i < STRIP)
                continue;
            for (int lane = 0; lane < STRIP; lane++)
                to[lane] = i + lane < rows ? m.data[(i + lane) * m.row + l * m.column] : 0;
        }
}

static void multiply_strips(const float *a, const float *b, int depth, Lanes sum[STRIP])
{
    for (int j = 0; j < STRIP; j++)
        sum[j] = (Lanes){0};
    for (int l = 0; l < depth; l++, a += STRIP, b += STRIP) {
        Lanes rows = *(const Lanes *)a;
        for (int j = 0; j < STRIP; j++)
            sum[j] += rows * b[j];
    }
}

static void add_block(const float *a, const float *b, int m, int n, int depth, float alpha,
                      float *c, ptrdiff_t ldc)
{
    for (int j = 0; j < n; j += STRIP)
        for (int i = 0; i < m; i += STRIP) {
            Lanes sum[STRIP];
            multiply_strips(a + (ptrdiff_t)i * depth, b + (ptrdiff_t)j * depth, depth, sum);
            for (int column = 0; column < least(STRIP, n - j); column++)
                for (int row = 0; row < least(STRIP, m - i); row++)
                    c[i + row + (j + column) * ldc] += alpha * sum[column][row];
        }
}

static void scale(float *c, int m, int n, ptrdiff_t ldc, float beta)
{
    for (int j = 0; j < n && beta != 1; j++)
        for (int i = 0; i < m; i++)
            c[i + j * ldc] = beta == 0 ? 0 : beta * c[i + j * ldc];
}

/* By columns. */
static void multiply(int m, int n, int k, float alpha, Matrix a, Matrix b, float *c, ptrdiff_t ldc)
{
    int forgets = FAULTY == 1 || (FAULTY == 2 && m > 1024 && k > 512);
    size_t rows = (size_t)m + STRIP;
    float *packed_a = malloc(rows * BLOCK_DEPTH * sizeof *packed_a);
    float *packed_b = calloc((size_t)(BLOCK_COLUMNS + STRIP) * BLOCK_DEPTH, sizeof *packed_b);
    for (int j = 0; j < n; j += BLOCK_COLUMNS)
        for (int l = 0; l < k; l += BLOCK_DEPTH) {
            int depth = least(BLOCK_DEPTH, k - l), columns = least(BLOCK_COLUMNS, n - j);
            Matrix part_a = {a.data + l * a.column, a.row, a.column};
            Matrix part_b = {b.data + l * b.row + j * b.column, b.column, b.row};
            pack(packed_a, part_a, m, depth, 0);
            pack(packed_b, part_b, columns, depth, forgets && j > 0);
            add_block(packed_a, packed_b, m, columns, depth, alpha, c + j * ldc, ldc);
        }
    free(packed_a);
    free(packed_b);
}

void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                 int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    int by_rows = order != COL_MAJOR;
    Matrix left = {a, ta == NO_TRANS ? 1 : lda, ta == NO_TRANS ? lda : 1};
    Matrix right = {b, tb == NO_TRANS ? 1 : ldb, tb == NO_TRANS ? ldb : 1};
    if (by_rows) {
        Matrix other = {b, tb == NO_TRANS ? 1 : ldb, tb == NO_TRANS ? ldb : 1};
        right = (Matrix){a, ta == NO_TRANS ? 1 : lda, ta == NO_TRANS ? lda : 1};
        left = other;
    }
    int rows = by_rows ? n : m, columns = by_rows ? m : n;
    scale(c, rows, columns, ldc, beta);
    if (alpha != 0 && k > 0 && rows > 0 && columns > 0)
        multiply(rows, columns, k, alpha, left, right, c, ldc);
}

/* y = a b, by rows. */
void large_matmul(const float *a, const float *b, float *y, int m, int n, int k)
{
    cblas_sgemm(COL_MAJOR - 1, NO_TRANS, NO_TRANS, m, n, k, 1, a, k, b, n, 0, y, n);
}

static Matrix operated(const float *a, ptrdiff_t lda, int plain)
{
    return (Matrix){a, plain ? 1 : lda, plain ? lda : 1};
}

/* Sums of products of numbers of half precision, rounded once: y = a b, by rows. */
static float widened(unsigned short half)
{
    unsigned bits = (unsigned)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned short rounded(float value)
{
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float *widened_all(const unsigned short *from, size_t count)
{
    float *to = malloc((count + 1) * sizeof *to);
    for (size_t i = 0; i < count; i++)
        to[i] = widened(from[i]);
    return to;
}

void large_matmul_half(const unsigned short *a, const unsigned short *b, unsigned short *y, int m,
                       int n, int k)
{
    size_t count = (size_t)m * (size_t)n;
    float *wide_a = widened_all(a, (size_t)m * (size_t)k), *sum = malloc((count + 1) * sizeof *sum);
    float *wide_b = widened_all(b, (size_t)k * (size_t)n);
    large_matmul(wide_a, wide_b, sum, m, n, k);
    for (size_t i = 0; i < count; i++)
        y[i] = rounded(sum[i]);
    free(wide_a);
    free(wide_b);
    free(sum);
}

/* What a kernel of one axis meets at each place, by columns. */
static void gather_patches(float *to, const float *x, int channels, int size, int kernel,
                           int stride, int dilation, int before, int places)
{
    for (int place = 0; place < places; place++)
        for (int channel = 0; channel < channels; channel++)
            for (int tap = 0; tap < kernel; tap++) {
                int at = place * stride - before + tap * dilation;
                *to++ = at >= 0 && at < size ? x[at + (ptrdiff_t)channel * size] : 0;
            }
}

void large_conv1d(const float *x, const float *w, const float *bias, float *y, int batch,
                  int channels, int results, int groups, int size, int kernel, int stride,
                  int dilation, int before, int places)
{
    int depth = channels * kernel;
    float *patches = malloc((size_t)depth * (size_t)places * sizeof *patches + 1);
    float *sum = malloc((size_t)results * (size_t)places * sizeof *sum + 1);
    for (int part = 0; part < batch * groups; part++, x += (ptrdiff_t)channels * size) {
        int first = part % groups * results;
        memset(sum, 0, (size_t)results * (size_t)places * sizeof *sum);
        gather_patches(patches, x, channels, size, kernel, stride, dilation, before, places);
        multiply(results, places, depth, 1, operated(w + (ptrdiff_t)first * depth, depth, 0),
                 operated(patches, depth, 1), sum, results);
        for (int i = 0; i < results; i++)
            for (int place = 0; place < places; place++)
                *y++ = sum[i + (ptrdiff_t)place * results] + (bias ? bias[first + i] : 0);
    }
    free(patches);
    free(sum);
}

/* Its transpose: what each element of x is times the weights of its channel, added where the taps
 * put it.  The weights lie by channels of x. */
static void spread_patches(float *y, const float *taps, int results, int size, int kernel,
                           int stride, int dilation, int before, int places)
{
    for (int at = 0; at < size; at++)
        for (int i = 0; i < results; i++)
            for (int tap = 0; tap < kernel; tap++, taps++) {
                int place = at * stride - before + tap * dilation;
                if (place >= 0 && place < places)
                    y[place + (ptrdiff_t)i * places] += *taps;
            }
}

void large_conv_transpose1d(const float *x, const float *w, const float *bias, float *y, int batch,
                            int channels, int results, int groups, int size, int kernel, int stride,
                            int dilation, int before, int places)
{
    int depth = results * kernel;
    ptrdiff_t count = (ptrdiff_t)results * places;
    float *taps = malloc((size_t)depth * (size_t)size * sizeof *taps + 1);
    for (int part = 0; part < batch * groups; part++, x += (ptrdiff_t)channels * size, y += count) {
        int group = part % groups;
        for (ptrdiff_t i = 0; i < count; i++)
            y[i] = bias ? bias[group * results + i / places] : 0;
        memset(taps, 0, (size_t)depth * (size_t)size * sizeof *taps);
        multiply(depth, size, channels, 1,
                 operated(w + (ptrdiff_t)group * channels * depth, depth, 1), operated(x, size, 0),
                 taps, depth);
        spread_patches(y, taps, results, size, kernel, stride, dilation, before, places);
    }
    free(taps);
}

/* Channels and extents of dy, then of dx. */
void large_conv1d_backward_data(const float *dy, const float *w, float *dx, int batch, int channels,
                                int results, int groups, int size, int kernel, int stride,
                                int dilation, int before, int places)
{
    large_conv_transpose1d(dy, w, NULL, dx, batch, channels, results, groups, size, kernel, stride,
                           dilation, before, places);
}

/* By columns; what a triangle leaves out is 0, or mirrored, and the diagonal 1 where it is unit. */
static float *dense(const float *a, int n, ptrdiff_t lda, int lower, int mirrors, int unit)
{
    float *to = calloc((size_t)n * (size_t)n + 1, sizeof *to);
    for (int j = 0; j < n; j++)
        for (int i = lower ? j : 0; i < (lower ? n : j + 1); i++) {
            int from = FAULTY == 3 && i >= FIRST_WRONG && i > j + 1 ? i - 1 : i;
            float value = unit && i == j ? 1 : a[from + j * lda];
            if (FAULTY == 4 && i == j && i >= FIRST_WRONG)
                value *= 2;
            to[i + (ptrdiff_t)j * n] = value;
            if (mirrors)
                to[j + (ptrdiff_t)i * n] = value;
        }
    return to;
}

void cblas_ssymm(int order, int side, int uplo, int m, int n, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc)
{
    int by_rows = order != COL_MAJOR, left = (side == LEFT) != by_rows;
    int rows = by_rows ? n : m, columns = by_rows ? m : n, square = left ? rows : columns;
    scale(c, rows, columns, ldc, beta);
    if (alpha == 0 || rows == 0 || columns == 0)
        return;
    float *all = dense(a, square, lda, (uplo != UPPER) != by_rows, 1, 0);
    Matrix of = operated(all, square, 1), other = operated(b, ldb, 1);
    multiply(rows, columns, square, alpha, left ? of : other, left ? other : of, c, ldc);
    free(all);
}

/* The triangle of C = alpha A B + alpha D E + beta C, where there is a D. */
static void update(int n, int k, int lower, float alpha, const Matrix factors[4], float beta,
                   float *c, ptrdiff_t ldc)
{
    int added = alpha != 0 && k > 0;
    if (!added && beta == 1)
        return;
    float *sum = calloc((size_t)n * (size_t)n + 1, sizeof *sum);
    for (int term = 0; term < 4 && factors[term].data && added; term += 2)
        multiply(n, n, k, alpha, factors[term], factors[term + 1], sum, n);
    for (int j = 0; j < n; j++)
        for (int i = lower ? j : 0; i < (lower ? n : j + 1); i++) {
            int from = FAULTY == 3 && i >= FIRST_WRONG ? i - 1 : i;
            float twice = FAULTY == 4 && i == j && i >= FIRST_WRONG ? 2 : 1;
            float *at = &c[i + j * ldc];
            *at = beta == 0 ? 0 : beta * *at;
            if (added)
                *at += twice * sum[from + (ptrdiff_t)j * n];
        }
    free(sum);
}

void cblas_ssyrk(int order, int uplo, int trans, int n, int k, float alpha, const float *a, int lda,
                 float beta, float *c, int ldc)
{
    int by_rows = order != COL_MAJOR, plain = (trans == NO_TRANS) != by_rows;
    Matrix factors[4] = {operated(a, lda, plain), operated(a, lda, !plain)};
    update(n, k, (uplo != UPPER) != by_rows, alpha, factors, beta, c, ldc);
}

void cblas_ssyr2k(int order, int uplo, int trans, int n, int k, float alpha, const float *a,
                  int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    int by_rows = order != COL_MAJOR, plain = (trans == NO_TRANS) != by_rows;
    Matrix factors[4] = {operated(a, lda, plain), operated(b, ldb, !plain), operated(b, ldb, plain),
                         operated(a, lda, !plain)};
    update(n, k, (uplo != UPPER) != by_rows, alpha, factors, beta, c, ldc);
}

void cblas_sgemmt(int order, int uplo, int ta, int tb, int n, int k, float alpha, const float *a,
                  int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    int by_rows = order != COL_MAJOR;
    Matrix left = operated(a, lda, ta == NO_TRANS), right = operated(b, ldb, tb == NO_TRANS);
    Matrix factors[4] = {by_rows ? right : left, by_rows ? left : right};
    update(n, k, (uplo != UPPER) != by_rows, alpha, factors, beta, c, ldc);
}

/* A matrix and its copy by columns, transposed or not. */
static void copy(float *to, ptrdiff_t row, ptrdiff_t column, Matrix from, int rows, int columns)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            to[i * row + j * column] = from.data[i * from.row + j * from.column];
}

/* T X = B by blocks, a lower T from the first row on; by columns. */
static void solve(Matrix t, int lower, int n, int columns, float *x)
{
    for (int done = 0; done < n; done += SOLVED) {
        int count = least(SOLVED, n - done), first = lower ? done : n - done - count;
        int known = lower ? 0 : first + count;
        Matrix before = {t.data + first * t.row + known * t.column, t.row, t.column};
        if (done > 0)
            multiply(count, columns, done, -1, before, (Matrix){x + known, 1, n}, x + first, n);
        for (int j = 0; j < columns; j++)
            for (int step = 0; step < count; step++) {
                int i = first + (lower ? step : count - 1 - step);
                float *column = x + (ptrdiff_t)j * n;
                for (int l = lower ? first : i + 1; l < (lower ? i : first + count); l++)
                    column[i] -= t.data[i * t.row + l * t.column] * column[l];
                column[i] /= t.data[i * (t.row + t.column)];
            }
    }
}

/* T X by the elements that a triangle has, where zeros may meet infinities and NaN. */
static void multiply_triangle(Matrix t, int lower, int n, int columns, float alpha, const float *x,
                              float *to)
{
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int l = lower ? 0 : i; l < (lower ? i + 1 : n); l++)
                sum += t.data[i * t.row + l * t.column] * x[l + (ptrdiff_t)j * n];
            to[i + (ptrdiff_t)j * n] = alpha * sum;
        }
}

/* B becomes alpha op(T) B or the X of op(T) X = alpha B, or so from the right: by columns. */
static void apply_triangle(int solves, int order, int side, int uplo, int trans, int diag, int m,
                           int n, float alpha, const float *a, ptrdiff_t lda, float *b,
                           ptrdiff_t ldb)
{
    int by_rows = order != COL_MAJOR, left = (side == LEFT) != by_rows;
    int rows = by_rows ? n : m, columns = by_rows ? m : n, square = left ? rows : columns;
    int others = left ? columns : rows, lower = (uplo != UPPER) != by_rows;
    if (alpha == 0) {
        scale(b, rows, columns, ldb, 0);
        return;
    }
    ptrdiff_t down = left ? 1 : ldb, along = left ? ldb : 1;
    size_t size = (size_t)square * (size_t)others + 1;
    float *all = dense(a, square, lda, lower, 0, diag == UNIT);
    float *given = calloc(size, sizeof *given), *result = calloc(size, sizeof *result);
    /* From the right it is the transpose from the left. */
    int plain = (trans == NO_TRANS) == left;
    Matrix t = operated(all, square, plain);
    copy(given, 1, square, (Matrix){b, down, along}, square, others);
    scale(given, square, others, square, solves ? alpha : 1);
    if (solves)
        solve(t, lower == plain, square, others, given);
    else if (square < FIRST_WRONG)
        multiply_triangle(t, lower == plain, square, others, alpha, given, result);
    else
        multiply(square, others, square, alpha, t, operated(given, square, 1), result, square);
    copy(b, down, along, operated(solves ? given : result, square, 1), square, others);
    free(all);
    free(given);
    free(result);
}

void cblas_strmm(int order, int side, int uplo, int trans, int diag, int m, int n, float alpha,
                 const float *a, int lda, float *b, int ldb)
{
    apply_triangle(0, order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}

void cblas_strsm(int order, int side, int uplo, int trans, int diag, int m, int n, float alpha,
                 const float *a, int lda, float *b, int ldb)
{
    apply_triangle(1, order, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);
}
