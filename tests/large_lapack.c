/* Factorizations and solves of binary64 by blocks, for tests of large cases: right (FAULTY=0), or
 * with a fault behind the first 512 rows (FIRST_WRONG).  1: one multiplier is off by a part in
 * 2^20.  2: a block of the trailing matrix is not updated.  3: rows to the left of a panel are not
 * exchanged.  4: an unknown of the last right side is taken for the one before it.  5: one root is
 * negative.  6: the last row that is exchanged is told from 0.  Inverses have 1, 2 and 4: two
 * columns are exchanged. */
#include <math.h>
#include <stddef.h>

#ifndef FIRST_WRONG
#define FIRST_WRONG 512
#endif
enum { BLOCK = 64 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static void exchange(double *a, ptrdiff_t lda, int columns, int i, int k)
{
    for (int j = 0; j < columns && i != k; j++) {
        double kept = a[i + j * lda];
        a[i + j * lda] = a[k + j * lda];
        a[k + j * lda] = kept;
    }
}

/* c -= a b. */
static void subtract(int m, int n, int k, const double *a, ptrdiff_t lda, const double *b,
                     ptrdiff_t b_row, ptrdiff_t b_column, double *c, ptrdiff_t ldc)
{
    for (int j = 0; j < n; j++)
        for (int l = 0; l < k; l++) {
            double factor = b[l * b_row + j * b_column];
            for (int i = 0; i < m; i++)
                c[i + j * ldc] -= a[i + l * lda] * factor;
        }
}

/* Columns first to end - 1, from their diagonal on; the first pivot that is 0. */
static int factor_panel(int m, double *a, ptrdiff_t lda, int first, int end, int *ipiv)
{
    int info = 0;
    for (int j = first; j < end && j < m; j++) {
        int pivot = j;
        for (int i = j + 1; i < m; i++)
            if (fabs(a[i + j * lda]) > fabs(a[pivot + j * lda]))
                pivot = i;
        ipiv[j] = pivot + 1;
        exchange(a + first * lda, lda, end - first, j, pivot);
        double divisor = a[j + j * lda];
        if (divisor == 0) {
            info = info ? info : j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            a[i + j * lda] /= divisor;
        subtract(m - j - 1, end - j - 1, 1, a + j + 1 + j * lda, lda, a + j + (j + 1) * lda, 1, lda,
                 a + j + 1 + (j + 1) * lda, lda);
    }
    return info;
}

/* Unknowns of a unit lower triangle, or of an upper one, or of the transpose of a lower one. */
static void solve_lower(int n, int columns, const double *t, ptrdiff_t ldt, int unit, double *x,
                        ptrdiff_t ldx)
{
    for (int j = 0; j < columns; j++)
        for (int k = 0; k < n; k++) {
            double *column = x + j * ldx;
            column[k] /= unit ? 1 : t[k + k * ldt];
            for (int i = k + 1; i < n; i++)
                column[i] -= t[i + k * ldt] * column[k];
        }
}

static void solve_upper(int n, int columns, const double *t, ptrdiff_t row, ptrdiff_t step,
                        double *x, ptrdiff_t ldx)
{
    for (int j = 0; j < columns; j++)
        for (int k = n - 1; k >= 0; k--) {
            double *column = x + j * ldx;
            column[k] /= t[k * row + k * step];
            for (int i = 0; i < k; i++)
                column[i] -= t[i * row + k * step] * column[k];
        }
}

void dgetrf_(const int *rows, const int *columns, double *a, const int *leading, int *ipiv,
             int *info)
{
    int m = *rows, n = *columns, steps = least(m, n);
    ptrdiff_t lda = *leading;
    *info = 0;
    for (int j = 0; j < steps; j += BLOCK) {
        int end = least(j + BLOCK, steps), found = factor_panel(m, a, lda, j, end, ipiv);
        *info = *info ? *info : found;
        for (int k = j; k < end; k++) {
            if (!(FAULTY == 3 && j >= FIRST_WRONG))
                exchange(a, lda, j, k, ipiv[k] - 1);
            exchange(a + end * lda, lda, n - end, k, ipiv[k] - 1);
        }
        solve_lower(end - j, n - end, a + j + j * lda, lda, 1, a + j + end * lda, lda);
        int skipped = FAULTY == 2 && end >= FIRST_WRONG && end < n ? least(8, m - end) : 0;
        subtract(m - end - skipped, n - end, end - j, a + end + skipped + j * lda, lda,
                 a + j + end * lda, 1, lda, a + end + skipped + end * lda, lda);
    }
    if (FAULTY == 1 && m > FIRST_WRONG + 1 && n > FIRST_WRONG)
        a[FIRST_WRONG + 1 + FIRST_WRONG * lda] *= 1 + 0x1p-20;
    if (FAULTY == 6 && steps > FIRST_WRONG)
        ipiv[steps - 1]--;
}

void dgetrs_(const char *trans, const int *order, const int *sides, const double *a,
             const int *leading, const int *ipiv, double *b, const int *leading_b, int *info)
{
    int n = *order, columns = *sides, plain = *trans == 'N' || *trans == 'n';
    ptrdiff_t lda = *leading, ldb = *leading_b;
    *info = 0;
    for (int k = 0; k < n && plain; k++)
        exchange(b, ldb, columns, k, ipiv[k] - 1);
    if (plain) {
        solve_lower(n, columns, a, lda, 1, b, ldb);
        solve_upper(n, columns, a, 1, lda, b, ldb);
    } else {
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < n; k++) {
                double sum = b[k + j * ldb];
                for (int i = 0; i < k; i++)
                    sum -= a[i + k * lda] * b[i + j * ldb];
                b[k + j * ldb] = sum / a[k + k * lda];
            }
        for (int j = 0; j < columns; j++)
            for (int k = n - 1; k >= 0; k--)
                for (int i = k + 1; i < n; i++)
                    b[k + j * ldb] -= a[i + k * lda] * b[i + j * ldb];
    }
    for (int k = n - 1; k >= 0 && !plain; k--)
        exchange(b, ldb, columns, k, ipiv[k] - 1);
    if (FAULTY == 4 && n > FIRST_WRONG && columns > 0)
        b[FIRST_WRONG + (columns - 1) * ldb] = b[FIRST_WRONG - 1 + (columns - 1) * ldb];
}

void dgesv_(const int *n, const int *columns, double *a, const int *lda, int *ipiv, double *b,
            const int *ldb, int *info)
{
    dgetrf_(n, n, a, lda, ipiv, info);
    if (*info == 0)
        dgetrs_("N", n, columns, a, lda, ipiv, b, ldb, info);
}

/* Element (i, j) of the lower triangle lies at i row + j column. */
static int factor_definite(int n, double *a, ptrdiff_t row, ptrdiff_t column)
{
    for (int j = 0; j < n; j++) {
        double sum = a[j * row + j * column];
        for (int k = 0; k < j; k++)
            sum -= a[j * row + k * column] * a[j * row + k * column];
        if (!(sum > 0))
            return j + 1;
        double root = sqrt(sum);
        a[j * row + j * column] = root;
        for (int i = j + 1; i < n; i++) {
            double rest = a[i * row + j * column];
            for (int k = 0; k < j && !(FAULTY == 2 && i > FIRST_WRONG && k >= FIRST_WRONG - 8); k++)
                rest -= a[i * row + k * column] * a[j * row + k * column];
            a[i * row + j * column] = rest / root;
        }
    }
    if (FAULTY == 1 && n > FIRST_WRONG + 1)
        a[(FIRST_WRONG + 1) * row + FIRST_WRONG * column] *= 1 + 0x1p-12;
    if (FAULTY == 5 && n > FIRST_WRONG)
        a[FIRST_WRONG * (row + column)] *= -1;
    return 0;
}

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info)
{
    int lower = *uplo == 'L' || *uplo == 'l';
    *info = factor_definite(*n, a, lower ? 1 : *lda, lower ? *lda : 1);
}

void dpotrs_(const char *uplo, const int *n, const int *columns, const double *a, const int *lda,
             double *b, const int *ldb, int *info)
{
    int lower = *uplo == 'L' || *uplo == 'l';
    ptrdiff_t row = lower ? 1 : *lda, column = lower ? *lda : 1;
    *info = 0;
    for (int j = 0; j < *columns; j++)
        for (int k = 0; k < *n; k++) {
            double *x = b + (ptrdiff_t)j * *ldb;
            for (int i = 0; i < k; i++)
                x[k] -= a[k * row + i * column] * x[i];
            x[k] /= a[k * (row + column)];
        }
    solve_upper(*n, *columns, a, column, row, b, *ldb);
    if (FAULTY == 4 && *n > FIRST_WRONG && *columns > 0)
        b[FIRST_WRONG + (ptrdiff_t)(*columns - 1) * *ldb] *= 2;
}

void dposv_(const char *uplo, const int *n, const int *columns, double *a, const int *lda,
            double *b, const int *ldb, int *info)
{
    dpotrf_(uplo, n, a, lda, info);
    if (*info == 0)
        dpotrs_(uplo, n, columns, a, lda, b, ldb, info);
}

void dtrtrs_(const char *uplo, const char *trans, const char *diag, const int *order,
             const int *columns, const double *a, const int *leading, double *b,
             const int *leading_b, int *info)
{
    int n = *order, plain = *trans == 'N' || *trans == 'n';
    int lower = (*uplo == 'L' || *uplo == 'l') == plain, unit = *diag == 'U' || *diag == 'u';
    ptrdiff_t row = plain ? 1 : *leading, column = plain ? *leading : 1;
    *info = 0;
    for (int j = 0; j < *columns; j++)
        for (int step = 0; step < n; step++) {
            double *x = b + (ptrdiff_t)j * *leading_b;
            int k = lower ? step : n - 1 - step;
            for (int i = lower ? 0 : k + 1; i < (lower ? k : n); i++)
                x[k] -= a[k * row + i * column] * x[i];
            x[k] /= unit ? 1 : a[k * (row + column)];
        }
    if (FAULTY == 4 && n > FIRST_WRONG && *columns > 0)
        b[FIRST_WRONG + (ptrdiff_t)(*columns - 1) * *leading_b] *= 2;
}

/* The inverse of an upper triangle, column by column; element (i, j) lies at i row + j column. */
static void invert_upper(int n, double *a, ptrdiff_t row, ptrdiff_t column, int unit)
{
    for (int j = 0; j < n; j++) {
        double *x = a + j * column, factor = -1;
        if (!unit) {
            x[j * row] = 1 / x[j * row];
            factor = -x[j * row];
        }
        for (int k = 0; k < j; k++) {
            double times = x[k * row];
            int skipped = FAULTY == 2 && j == FIRST_WRONG && k >= FIRST_WRONG - 8;
            for (int i = 0; i < k && !skipped; i++)
                x[i * row] += times * a[i * row + k * column];
            x[k * row] = unit ? times : times * a[k * (row + column)];
        }
        for (int i = 0; i < j; i++)
            x[i * row] *= factor;
    }
}

static void exchange_columns(double *a, ptrdiff_t lda, int rows, int j, int k)
{
    for (int i = 0; i < rows && j != k; i++) {
        double kept = a[i + j * lda];
        a[i + j * lda] = a[i + k * lda];
        a[i + k * lda] = kept;
    }
}

void dtrtri_(const char *uplo, const char *diag, const int *order, double *a, const int *leading,
             int *info)
{
    int n = *order, upper = *uplo == 'U' || *uplo == 'u';
    ptrdiff_t lda = *leading, row = upper ? 1 : lda, column = upper ? lda : 1;
    *info = 0;
    invert_upper(n, a, row, column, *diag == 'U' || *diag == 'u');
    if (FAULTY == 1 && n > FIRST_WRONG)
        a[(FIRST_WRONG - 1) * row + FIRST_WRONG * column] *= 1 + 0x1p-12;
    for (int i = 0; FAULTY == 4 && i < FIRST_WRONG - 1 && n > FIRST_WRONG; i++)
        a[i * row + FIRST_WRONG * column] = a[i * row + (FIRST_WRONG - 1) * column];
}

/* X L = U^-1, from the last column on. */
void dgetri_(const int *order, double *a, const int *leading, const int *ipiv, double *work,
             const int *lwork, int *info)
{
    int n = *order;
    ptrdiff_t lda = *leading;
    *info = 0;
    work[0] = n;
    if (*lwork < 0)
        return;
    invert_upper(n, a, 1, lda, 0);
    for (int j = n - 1; j >= 0; j--) {
        for (int i = j + 1; i < n; i++) {
            work[i] = a[i + j * lda];
            a[i + j * lda] = 0;
        }
        subtract(n, 1, n - j - 1, a + (j + 1) * lda, lda, work + j + 1, 1, 0, a + j * lda, lda);
    }
    for (int j = n - 1; j >= 0; j--)
        exchange_columns(a, lda, n, j, ipiv[j] - 1);
    if (FAULTY == 1 && n > FIRST_WRONG)
        a[FIRST_WRONG * (lda + 1)] *= 1 + 0x1p-12;
    if (FAULTY == 4 && n > FIRST_WRONG)
        exchange_columns(a, lda, n, FIRST_WRONG, FIRST_WRONG - 1);
}

/* One reflection after the other. */
void dgeqrf_(const int *rows, const int *columns, double *a, const int *leading, double *tau,
             double *work, const int *lwork, int *info)
{
    int m = *rows, n = *columns;
    ptrdiff_t lda = *leading;
    *info = 0;
    work[0] = n > 1 ? n : 1;
    for (int k = 0; k < least(m, n) && *lwork >= 0; k++) {
        double *v = a + k + k * lda, squares = 0;
        for (int i = 1; i < m - k; i++)
            squares += v[i] * v[i];
        double beta = -copysign(sqrt(v[0] * v[0] + squares), v[0]), shift = v[0] - beta;
        tau[k] = squares > 0 ? -shift / beta : 0;
        for (int i = 1; i < m - k && squares > 0; i++)
            v[i] /= shift;
        int skipped = FAULTY == 2 && k == FIRST_WRONG ? least(8, n - k - 1) : 0;
        for (int j = k + 1; j < n - skipped; j++) {
            double *x = a + k + j * lda, sum = x[0];
            for (int i = 1; i < m - k; i++)
                sum += v[i] * x[i];
            x[0] -= tau[k] * sum;
            for (int i = 1; i < m - k; i++)
                x[i] -= tau[k] * sum * v[i];
        }
        v[0] = squares > 0 ? beta : v[0];
    }
    if (FAULTY == 1 && least(m, n) > FIRST_WRONG && *lwork >= 0)
        tau[FIRST_WRONG] *= 1 + 0x1p-16;
    if (FAULTY == 4 && least(m, n) > FIRST_WRONG && *lwork >= 0)
        a[(FIRST_WRONG - 1) + FIRST_WRONG * lda] *= -1;
}
