/* dgemm on openblas where address space is short
 *
 * build:   cc -O1 -o reproducer docs/openblas-memory-hang.c /lib/x86_64-linux-gnu/libopenblas.so.0
 * run:     OPENBLAS_NUM_THREADS=1 ./reproducer
 * status:  3 while the bug is there; else 0, or what the library ends with after its message */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXTENT = 200, SPARE = 8 << 20, SECONDS = 10, COLUMN_MAJOR = 102, NO_TRANS = 111 };

void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a,
                 int lda, const double *b, int ldb, double beta, double *c, int ldc);

static void late(int number)
{
    static const char text[] = "dgemm did not return within 10 s\nthe bug is there\n";
    (void)number;
    _exit(write(1, text, sizeof text - 1) < 0 ? 2 : 3);
}

int main(void)
{
    static double a[EXTENT * EXTENT], b[EXTENT * EXTENT], c[EXTENT * EXTENT];
    long pages = 0;
    FILE *sizes = fopen("/proc/self/statm", "r");
    if (!sizes || fscanf(sizes, "%ld", &pages) != 1)
        return 2;
    (void)fclose(sizes);
    rlim_t mapped = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
    struct rlimit limit = {mapped + SPARE, RLIM_INFINITY};
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return 2;
    (void)signal(SIGALRM, late);
    (void)alarm(SECONDS);
    cblas_dgemm(COLUMN_MAJOR, NO_TRANS, NO_TRANS, EXTENT, EXTENT, EXTENT, 1, a, EXTENT, b, EXTENT,
                0, c, EXTENT);
    printf("dgemm returned\nthe bug is gone\n");
    return 0;
}
