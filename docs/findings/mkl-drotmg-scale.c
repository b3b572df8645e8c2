/* rotmg on mkl:2026.2
 *
 * rotmg/1 dtype=f64 y1=0x1p+0 | d1=list,values:0x1p+60 d2=list,values:0x1p+59 x1=ones param=ones
 *
 * library: Intel(R) oneAPI Math Kernel Library Version 2026.2-Product Build 20260915 for Intel(R) 64 architecture applications 2026.2 
 * build:   cc -O1 -o reproducer reproducer.c .deps/mkl-2026.2/libmkl_rt.so.3 -Wl,-rpath,.deps/mkl-2026.2 -lm
 * run:     OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 ./reproducer
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

void cblas_drotmg(void *d1, void *d2, void *x1, double y1, void *param);

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

static const double d1_data[1] = {
    0x1p+60,
};
static const double d2_data[1] = {
    0x1p+59,
};
static const double x1_data[1] = {
    0x1p+0,
};
static const double param_data[5] = {
    0x1p+0, 0x1p+0, 0x1p+0, 0x1p+0, 0x1p+0,
};
static const Expected d1_expected[] = {
    {0, 0x1.5555555555555p+11, 0x1.558p-43, 0x1.d5555555571c7p-38, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected d2_expected[] = {
    {0, 0x1.5555555555555p+10, 0x1.558p-44, 0x1.d5555555571c7p-39, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected x1_expected[] = {
    {0, 0x1.8p+24, 0x0p+0, 0x1.0800000001p-24, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected param_expected[] = {
    {0, -0x1p+0, 0x0p+0, 0x0p+0, 1, 1},
    {1, 0x1p+24, 0x0p+0, 0x1.6000000001555p-25, 1, 0},
    {2, -0x1p+24, 0x0p+0, 0x1.6000000001555p-25, 1, 0},
    {3, 0x1p+23, 0x0p+0, 0x1.6000000001555p-26, 1, 0},
    {4, 0x1p+24, 0x0p+0, 0x1.6000000001555p-25, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char d1_first[9];
    static char d2_first[9];
    static char x1_first[9];
    static char param_first[41];
    static char gaps[40];
    double *d1 = (double *)(void *)place(8, 0, 0);
    memcpy(d1, d1_data, 8);
    double *d2 = (double *)(void *)place(8, 0, 0);
    memcpy(d2, d2_data, 8);
    double *x1 = (double *)(void *)place(8, 0, 0);
    memcpy(x1, x1_data, 8);
    double *param = (double *)(void *)place(40, 0, 0);
    memcpy(param, param_data, 40);
    memcpy(d1, d1_data, 8);
    memcpy(d2, d2_data, 8);
    memcpy(x1, x1_data, 8);
    memcpy(param, param_data, 40);
    cblas_drotmg(d1, d2, x1, 0x1p+0, param);
    memcpy(d1_first, d1, 8);
    memcpy(d2_first, d2, 8);
    memcpy(x1_first, x1, 8);
    memcpy(param_first, param, 40);
    if (!untouched((const unsigned char *)d1 - 64)) {
        printf("bytes before d1 were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)d2 - 64)) {
        printf("bytes before d2 were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)x1 - 64)) {
        printf("bytes before x1 were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)param - 64)) {
        printf("bytes before param were written\n");
        bad++;
    }
    for (const Expected *e = d1_expected; e->at >= 0; e++) {
        if (admitted(e, d1[e->at]))
            continue;
        if (bad++ < 8)
            printf("d1[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, (double)d1[e->at], (double)d1[e->at], e->high, e->high, e->bound,
                   e->classes);
    }
    for (const Expected *e = d2_expected; e->at >= 0; e++) {
        if (admitted(e, d2[e->at]))
            continue;
        if (bad++ < 8)
            printf("d2[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, (double)d2[e->at], (double)d2[e->at], e->high, e->high, e->bound,
                   e->classes);
    }
    for (const Expected *e = x1_expected; e->at >= 0; e++) {
        if (admitted(e, x1[e->at]))
            continue;
        if (bad++ < 8)
            printf("x1[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, (double)x1[e->at], (double)x1[e->at], e->high, e->high, e->bound,
                   e->classes);
    }
    for (const Expected *e = param_expected; e->at >= 0; e++) {
        if (admitted(e, param[e->at]))
            continue;
        if (bad++ < 8)
            printf("param[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, (double)param[e->at], (double)param[e->at], e->high, e->high, e->bound,
                   e->classes);
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
