/* gemm_half f16 mkl:2026.2 DIVERGE whole | beta=0 a has subnormal
 *
 * gemm_half/1 dtype=f16 order=col ta=n tb=n m=1 n=1 k=1 lda=0 ldb=0 ldc=0 alpha=0x1p+0 beta=0x0p+0 | a=ones,special:subnormal b=ones c=ones
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

void cblas_hgemm(int order, int ta, int tb, int m, int n, int k, unsigned short alpha, void *a, int lda, void *b, int ldb, unsigned short beta, void *c, int ldc);

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

static double from_half(unsigned short bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 0 ? fraction * 0x1p-24 : ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31)
        size = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -size : size;
}

static double from_bfloat(unsigned short bits)
{
    unsigned wide = (unsigned)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static double from_e5m2(unsigned char bits)
{
    return from_half((unsigned short)(bits << 8));
}

static double from_e4m3(unsigned char bits)
{
    int exponent = bits >> 3 & 15, fraction = bits & 7;
    double size = exponent == 0 ? fraction * 0x1p-9 : ldexp(8 + fraction, exponent - 10);
    if ((bits & 127) == 127)
        size = NAN;
    return bits & 128 ? -size : size;
}

static const unsigned short a_data[1] = {
    0x0003,
};
static const unsigned short b_data[1] = {
    0x3c00,
};
static const unsigned short c_data[1] = {
    0x7e00,
};
static const Expected c_expected[] = {
    {0, 0x1.8p-23, 0x0p+0, 0x0p+0, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char c_first[3];
    static char gaps[2];
    unsigned short *a = (unsigned short *)(void *)place(2, 0, 0);
    memcpy(a, a_data, 2);
    unsigned short *b = (unsigned short *)(void *)place(2, 0, 0);
    memcpy(b, b_data, 2);
    unsigned short *c = (unsigned short *)(void *)place(2, 0, 0);
    memcpy(c, c_data, 2);
    memcpy(c, c_data, 2);
    cblas_hgemm(102, 111, 111, 1, 1, 1, 0x3c00, a, 1, b, 1, 0x0000, c, 1);
    memcpy(c_first, c, 2);
    if (memcmp(a, a_data, 2) != 0) {
        printf("a was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)a - 64)) {
        printf("bytes before a were written\n");
        bad++;
    }
    if (memcmp(b, b_data, 2) != 0) {
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
        double got = from_half(c[e->at]);
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
