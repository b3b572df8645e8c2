/* ssyev on openblas 0.3.21, core type Prescott, behind a call of ssymv with NaN
 *
 * build:   cc -O1 -o reproducer docs/findings/openblas-symv-memory.c
 *          /lib/x86_64-linux-gnu/libopenblas.so.0
 * run:     OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=Prescott ./reproducer
 * status:  1 while the bug is there, 0 when it is gone */
#include <math.h>
#include <stdio.h>

enum { BIG = 40 };

void ssymv_(const char *uplo, const int *n, const float *alpha, const float *a, const int *lda,
            const float *x, const int *incx, const float *beta, float *y, const int *incy);
void ssyev_(const char *jobz, const char *uplo, const int *n, float *a, const int *lda, float *w,
            float *work, const int *lwork, int *info);

int main(void)
{
    static float before[BIG * BIG], x[BIG], y[BIG];
    float a[9] = {2, 1, 1, 1, 2, 1, 1, 1, 2}, w[3], work[128];
    int info = 0;
    for (int i = 0; i < BIG; i++)
        x[i] = NAN;
    ssymv_("L", &(int){BIG}, &(float){1}, before, &(int){BIG}, x, &(int){1}, &(float){0}, y,
           &(int){1});
    ssyev_("N", "L", &(int){3}, a, &(int){3}, w, work, &(int){128}, &info);
    printf("got info %d and %g %g %g, expected 0 and 1 1 4\n", info, (double)w[0], (double)w[1],
           (double)w[2]);
    return info != 0;
}
