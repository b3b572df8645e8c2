/* Some of LAPACKE over the LAPACK that it is linked to, for tests: matrices by rows are copied by
 * columns, and back.  With FAULTY_LEADING the copy of a right side takes the number of its columns
 * for its leading dimension, with FAULTY_INFO dgetrf says 0 of a matrix that is singular, with
 * FAULTY_NUMBER an illegal leading dimension has the number that Fortran gives it, with FAULTY_NAN
 * right sides are not looked at for NaN, and with CHECKS_NAN nothing turns the search for them off.
 */
#include <stdlib.h>

enum { ROW_MAJOR = 101, COL_MAJOR = 102, NO_MEMORY_TO_TRANSPOSE = -1011 };

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b,
                   const int *ldb, int *info);
extern double dlange_(const char *norm, const int *m, const int *n, const double *a, const int *lda,
                      double *work, size_t length);

static int least(int extent)
{
    return extent > 1 ? extent : 1;
}

static double *take(int rows, int columns)
{
    return malloc((size_t)least(rows) * (size_t)least(columns) * sizeof(double));
}

/* Between rows of `wide` elements and columns of `tall` ones. */
static void turn(int m, int n, double *by_rows, int wide, double *by_columns, int tall, int back)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double *x = &by_rows[(size_t)i * (size_t)wide + (size_t)j];
            double *y = &by_columns[(size_t)j * (size_t)tall + (size_t)i];
            *(back ? x : y) = *(back ? y : x);
        }
}

static int number(int info)
{
    return info < 0 ? info - 1 : info;
}

static int illegal(int argument)
{
#ifdef FAULTY_NUMBER
    return -(argument - 1);
#else
    return -argument;
#endif
}

static int checks;

#ifndef CHECKS_NAN
void LAPACKE_set_nancheck(int flag)
{
    checks = flag;
}
#endif

static int has_nan(int layout, int m, int n, const double *a, int lda)
{
    for (int i = 0; i < m && checks; i++)
        for (int j = 0; j < n; j++) {
            double x = a[layout == ROW_MAJOR ? (size_t)i * (size_t)lda + (size_t)j
                                             : (size_t)j * (size_t)lda + (size_t)i];
            if (x != x)
                return 1;
        }
    return 0;
}

int LAPACKE_dgetrf_work(int layout, int m, int n, double *a, int lda, int *ipiv)
{
    int info = 0, tall = least(m);
    if (layout == COL_MAJOR) {
        dgetrf_(&m, &n, a, &lda, ipiv, &info);
        return number(info);
    }
    if (layout != ROW_MAJOR)
        return -1;
    if (lda < n)
        return illegal(5);
    double *copy = take(m, n);
    if (!copy)
        return NO_MEMORY_TO_TRANSPOSE;
    turn(m, n, a, lda, copy, tall, 0);
    dgetrf_(&m, &n, copy, &tall, ipiv, &info);
    turn(m, n, a, lda, copy, tall, 1);
    free(copy);
    return number(info);
}

int LAPACKE_dgetrf(int layout, int m, int n, double *a, int lda, int *ipiv)
{
    if (has_nan(layout, m, n, a, lda))
        return -4;
    int info = LAPACKE_dgetrf_work(layout, m, n, a, lda, ipiv);
#ifdef FAULTY_INFO
    return info > 0 ? 0 : info;
#else
    return info;
#endif
}

int LAPACKE_dgesv(int layout, int n, int nrhs, double *a, int lda, int *ipiv, double *b, int ldb)
{
    int info = 0, tall = least(n);
    if (has_nan(layout, n, n, a, lda))
        return -4;
#ifndef FAULTY_NAN
    if (has_nan(layout, n, nrhs, b, ldb))
        return -7;
#endif
    if (layout == COL_MAJOR) {
        dgesv_(&n, &nrhs, a, &lda, ipiv, b, &ldb, &info);
        return number(info);
    }
    if (layout != ROW_MAJOR)
        return -1;
    if (lda < n || ldb < nrhs)
        return illegal(lda < n ? 5 : 8);
    double *copy = take(n, n), *right = take(n, nrhs);
    if (!copy || !right)
        return NO_MEMORY_TO_TRANSPOSE;
#ifdef FAULTY_LEADING
    ldb = nrhs;
#endif
    turn(n, n, a, lda, copy, tall, 0);
    turn(n, nrhs, b, ldb, right, tall, 0);
    dgesv_(&n, &nrhs, copy, &tall, ipiv, right, &tall, &info);
    turn(n, n, a, lda, copy, tall, 1);
    turn(n, nrhs, b, ldb, right, tall, 1);
    free(copy);
    free(right);
    return number(info);
}

/* The matrix by rows is its transpose by columns. */
double LAPACKE_dlange(int layout, char norm, int m, int n, const double *a, int lda)
{
    int rows = layout == ROW_MAJOR ? n : m, columns = layout == ROW_MAJOR ? m : n;
    if (layout == ROW_MAJOR && (norm == 'O' || norm == 'I'))
        norm = norm == 'O' ? 'I' : 'O';
    double *work = take(rows, 1), value = 0;
    if (work)
        value = dlange_(&norm, &rows, &columns, a, &lda, work, 1);
    free(work);
    return value;
}
