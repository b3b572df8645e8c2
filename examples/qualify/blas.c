/* Two releases of a small BLAS, VERSION 1 and 2, for docs/qualify.md.  The second one has mended
 * asum, broken scal, sums dot in another order, has rot as well, and overflows in nrm2 as the first
 * one does. */
#include <math.h>

static int first(int n, int inc)
{
    return inc < 0 ? (1 - n) * inc : 0;
}

double cblas_dasum(int n, const double *x, int incx)
{
    double sum = 0;
    if (incx <= 0)
        return 0;
#if VERSION == 1
    n = n > 4 ? n - n % 4 : n; /* the rest is forgotten */
#endif
    for (int i = 0; i < n; i++)
        sum += fabs(x[i * incx]);
    return sum;
}

void cblas_dscal(int n, double alpha, double *x, int incx)
{
    int i = 0;
    if (incx <= 0)
        return;
#if VERSION == 2
    for (; i + 2 <= n; i += 2) {
        x[i * incx] *= alpha;
        x[(i + 1) * incx] *= alpha;
    }
    n -= n > 2; /* the last of an odd number is forgotten */
#endif
    for (; i < n; i++)
        x[i * incx] *= alpha;
}

double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double even = 0, odd = 0;
    x += first(n, incx);
    y += first(n, incy);
    for (int i = 0; i < n; i++) {
#if VERSION == 2
        if (i % 2) {
            odd += x[i * incx] * y[i * incy];
            continue;
        }
#endif
        even += x[i * incx] * y[i * incy];
    }
    return even + odd;
}

double cblas_dnrm2(int n, const double *x, int incx)
{
    double sum = 0;
    x += first(n, incx);
    for (int i = 0; i < n; i++)
        sum += x[i * incx] * x[i * incx]; /* overflows, and underflows */
    return sqrt(sum);
}

void cblas_daxpy(int n, double alpha, const double *x, int incx, double *y, int incy)
{
    x += first(n, incx);
    y += first(n, incy);
    if (alpha == 0)
        return;
    for (int i = 0; i < n; i++)
        y[i * incy] += alpha * x[i * incx];
}

#if VERSION == 2
void cblas_drot(int n, double *x, int incx, double *y, int incy, double c, double s)
{
    x += first(n, incx);
    y += first(n, incy);
    for (int i = 0; i < n; i++) {
        double a = x[i * incx], b = y[i * incy];
        x[i * incx] = c * a + s * b;
        y[i * incy] = c * b - s * a;
    }
}
#endif
