/* An sgemm that packs blocks as fast libraries do, for tests of large cases: right (FAULTY=0), or
 * with a fault that no extent up to 2,048 shows (FAULTY=1): behind the first block of columns the
 * last strip, where it is not a whole one, holds what was packed before.  FAULTY=2: only where
 * there are more than 1,024 rows and 512 terms too. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { COL_MAJOR = 102, NO_TRANS = 111 };
enum { BLOCK_COLUMNS = 2048, BLOCK_DEPTH = 256, STRIP = 8 };

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
    for (int j = 0; j < n; j++)
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
