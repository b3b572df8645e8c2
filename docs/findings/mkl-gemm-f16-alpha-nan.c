/* gemm_wide f16 mkl:2026.2 DIVERGE whole | m>4 n>1 k>1 alpha=nan
 *
 * gemm_wide/1 dtype=f16 order=col ta=n tb=n m=12 n=4 k=2 lda=0 ldb=0 ldc=0 alpha=nan beta=0x0p+0 | a=ones b=ones c=ones
 *
 * library: Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build 20260915 for Intel(R) 64 architecture applications 2026.2
 * build:   cc -O1 -o reproducer reproducer.c .deps/mkl-2026.2/libmkl_rt.so.3 -Wl,-rpath,.deps/mkl-2026.2 -lm
 * run:     OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 OMP_NUM_THREADS=1 ./reproducer
 * status:  1 while the bug is there, 0 when it is gone */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MARGIN = 64, SECONDS = 10 };

void cblas_gemm_f16f16f32(int order, int ta, int tb, int m, int n, int k, float alpha, void *a, int lda, void *b, int ldb, float beta, void *c, int ldc);

enum { FINITE = 1, PLUS_INFINITY = 2, MINUS_INFINITY = 4, NOT_A_NUMBER = 8 };

/* What a correct kernel may put into component `at` of the output: a finite value within
 * bound of high + low, or any class in the set; exact also asks for the sign of zero. */
typedef struct Expected {
    long at;
    double high, low, bound;
    int classes, exact;
} Expected;

/* Memory that ends at (or begins after) a page that must not be touched. */
static unsigned char *place(size_t bytes, size_t offset, int at_start)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), usable = (bytes + offset + 2 * MARGIN) / page * page + page;
    unsigned char *base = mmap(NULL, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + page, usable, PROT_READ | PROT_WRITE) != 0)
        exit(2);
    memset(base + page, 0xA5, usable);
    return at_start ? base + page + offset : base + page + usable - bytes - offset;
}

/* The MARGIN bytes at `at` hold what place wrote. */
static int untouched(const unsigned char *at)
{
    for (int i = 0; i < MARGIN; i++)
        if (at[i] != 0xA5)
            return 0;
    return 1;
}

static int admitted(const Expected *e, double got)
{
    if (isnan(got))
        return (e->classes & NOT_A_NUMBER) != 0;
    if (isinf(got))
        return (e->classes & (got > 0 ? PLUS_INFINITY : MINUS_INFINITY)) != 0;
    if (!(e->classes & FINITE) || (e->exact && signbit(got) != signbit(e->high)))
        return 0;
    return fabs((got - e->high) - e->low) <= e->bound;
}

static const unsigned short a_data[24] = {
    0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00,
    0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00,
    0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00,
    0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00,
};
static const unsigned short b_data[8] = {
    0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00,
    0x3c00, 0x3c00,
};
static const float c_data[48] = {
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
};
static const Expected c_expected[] = {
    {0, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {12, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {24, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {36, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {1, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {13, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {25, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {37, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {2, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {14, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {26, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {38, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {3, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {15, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {27, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {39, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {4, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {16, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {28, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {40, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {5, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {17, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {29, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {41, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {6, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {18, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {30, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {42, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {7, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {19, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {31, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {43, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {8, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {20, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {32, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {44, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {9, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {21, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {33, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {45, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {10, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {22, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {34, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {46, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {11, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {23, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {35, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {47, NAN, 0x0p+0, 0x1.8p-148, 8, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char c_first[193];
    static char gaps[192];
    unsigned short *a = (unsigned short *)(void *)place(48, 0, 0);
    memcpy(a, a_data, 48);
    unsigned short *b = (unsigned short *)(void *)place(16, 0, 0);
    memcpy(b, b_data, 16);
    float *c = (float *)(void *)place(192, 0, 0);
    memcpy(c, c_data, 192);
    memcpy(c, c_data, 192);
    cblas_gemm_f16f16f32(102, 111, 111, 12, 4, 2, NAN, a, 12, b, 2, 0x0p+0f, c, 12);
    memcpy(c_first, c, 192);
    if (memcmp(a, a_data, 48) != 0) {
        printf("a was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)a - 64)) {
        printf("bytes before a were written\n");
        bad++;
    }
    if (memcmp(b, b_data, 16) != 0) {
        printf("b was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)b - 64)) {
        printf("bytes before b were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)c - 64)) {
        printf("bytes before c were written\n");
        bad++;
    }
    for (const Expected *e = c_expected; e->at >= 0; e++) {
        double got = (double)(c[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("c[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, got, got, e->high, e->high, e->bound, e->classes);
    }
    (void)gaps;
    return bad;
}

int main(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        int bad = check();
        fflush(stdout);
        _exit(bad ? 1 : 0);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("%s\n", WTERMSIG(status) == SIGALRM ? "the call hangs" : strsignal(WTERMSIG(status)));
    int failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    printf(failed ? "the bug is there\n" : "the bug is gone\n");
    return failed;
}
