/* A few routines of the BLAS with their interfaces for C and for Fortran, for tests.  INTEGER is
 * their type of integers.  With HIDDEN the complex function of Fortran puts its value where a first
 * argument says; with FAULTY that for sgemm forgets beta = 1 where A is transposed.
 * cblas_sgemm_new is a routine that nobody knows. */
#include <stddef.h>

#ifndef INTEGER
#define INTEGER int
#endif

enum { COLUMNS = 102, NO_TRANS = 111 };

/* The program's own is found first. */
__attribute__((weak)) void xerbla_(const char *routine, const INTEGER *argument, size_t length)
{
    (void)routine;
    (void)argument;
    (void)length;
}

static int is_transposition(int t)
{
    return t >= 111 && t <= 113;
}

static INTEGER least(INTEGER extent)
{
    return extent > 1 ? extent : 1;
}

/* The number of the first argument of C that is illegal, or 0. */
static INTEGER illegal(int order, int ta, int tb, INTEGER m, INTEGER n, INTEGER k, INTEGER lda,
                       INTEGER ldb, INTEGER ldc)
{
    int columns = order == COLUMNS;
    if (order != COLUMNS && order != COLUMNS - 1)
        return 1;
    if (!is_transposition(ta) || !is_transposition(tb))
        return is_transposition(ta) ? 3 : 2;
    if (m < 0 || n < 0 || k < 0)
        return m < 0 ? 4 : n < 0 ? 5 : 6;
    if (lda < least(columns == (ta == NO_TRANS) ? m : k))
        return 9;
    if (ldb < least(columns == (tb == NO_TRANS) ? k : n))
        return 11;
    return ldc < least(columns ? m : n) ? 14 : 0;
}

static void multiply(int order, int ta, int tb, INTEGER m, INTEGER n, INTEGER k, float alpha,
                     const float *a, INTEGER lda, const float *b, INTEGER ldb, float beta, float *c,
                     INTEGER ldc)
{
    int a_by_rows = (order != COLUMNS) != (ta != NO_TRANS);
    int b_by_rows = (order != COLUMNS) != (tb != NO_TRANS);
    for (INTEGER i = 0; i < m; i++)
        for (INTEGER j = 0; j < n; j++) {
            float *at = order == COLUMNS ? &c[i + j * ldc] : &c[i * ldc + j];
            float old = beta != 0 ? beta * *at : 0;
            double sum = 0;
            for (INTEGER l = 0; l < k && alpha != 0; l++)
                sum += (double)a[a_by_rows ? i * lda + l : i + l * lda] *
                       b[b_by_rows ? l * ldb + j : l + j * ldb];
            *at = alpha == 0 || k == 0 ? old : (float)(alpha * sum + old);
        }
}

void cblas_sgemm(int order, int ta, int tb, INTEGER m, INTEGER n, INTEGER k, float alpha,
                 const float *a, INTEGER lda, const float *b, INTEGER ldb, float beta, float *c,
                 INTEGER ldc)
{
    INTEGER number = illegal(order, ta, tb, m, n, k, lda, ldb, ldc);
    if (number)
        xerbla_("SGEMM ", &number, 6);
    else
        multiply(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

static int enumerator(char letter)
{
    return letter == 'N' ? 111 : letter == 'T' ? 112 : letter == 'C' ? 113 : 0;
}

void sgemm_(const char *ta, const char *tb, const INTEGER *m, const INTEGER *n, const INTEGER *k,
            const float *alpha, const float *a, const INTEGER *lda, const float *b,
            const INTEGER *ldb, const float *beta, float *c, const INTEGER *ldc, size_t length_ta,
            size_t length_tb)
{
    INTEGER number = length_ta != 1   ? 2
                     : length_tb != 1 ? 3
                                      : illegal(COLUMNS, enumerator(*ta), enumerator(*tb), *m, *n,
                                                *k, *lda, *ldb, *ldc);
    float scale = *beta;
#ifdef FAULTY
    if (*ta == 'T' && scale == 1)
        scale = 0;
#endif
    number -= number > 0;
    if (number)
        xerbla_("SGEMM ", &number, 6);
    else
        multiply(COLUMNS, enumerator(*ta), enumerator(*tb), *m, *n, *k, *alpha, a, *lda, b, *ldb,
                 scale, c, *ldc);
}

static float _Complex dot(INTEGER n, const float _Complex *x, INTEGER incx, const float _Complex *y,
                          INTEGER incy)
{
    double _Complex sum = 0;
    const float _Complex *at_x = incx < 0 ? x - (n - 1) * incx : x;
    const float _Complex *at_y = incy < 0 ? y - (n - 1) * incy : y;
    for (INTEGER i = 0; i < n; i++)
        sum += (double _Complex)at_x[i * incx] * at_y[i * incy];
    return (float _Complex)sum;
}

void cblas_cdotu_sub(INTEGER n, const void *x, INTEGER incx, const void *y, INTEGER incy, void *to)
{
    *(float _Complex *)to = dot(n, x, incx, y, incy);
}

#ifdef HIDDEN
void cdotu_(float _Complex *to, const INTEGER *n, const float _Complex *x, const INTEGER *incx,
            const float _Complex *y, const INTEGER *incy)
{
    *to = dot(*n, x, *incx, y, *incy);
}
#else
float _Complex cdotu_(const INTEGER *n, const float _Complex *x, const INTEGER *incx,
                      const float _Complex *y, const INTEGER *incy)
{
    return dot(*n, x, *incx, y, *incy);
}
#endif

INTEGER isamax_(const INTEGER *n, const float *x, const INTEGER *incx)
{
    INTEGER best = 0;
    if (*n < 1 || *incx < 1)
        return 0;
    for (INTEGER i = 1; i < *n; i++) {
        float value = x[i * *incx], held = x[best * *incx];
        if ((value < 0 ? -value : value) > (held < 0 ? -held : held))
            best = i;
    }
    return best + 1;
}

INTEGER cblas_isamax(INTEGER n, const float *x, INTEGER incx)
{
    INTEGER number = isamax_(&n, x, &incx);
    return number > 0 ? number - 1 : 0;
}

void cblas_sgemm_new(void)
{
}
