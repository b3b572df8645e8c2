/* gemm3m on blis
 *
 * gemm3m/1 dtype=c64 order=col ta=n tb=n m=1 n=1 k=1 lda=0 ldb=0 ldc=0 alpha=inf beta=(0x1p+0,0x1p+0) | a=ones b=ones c=ones
 *
 * library: BLIS 0.9.0 0.9.0 zen3
 * build:   cc -O1 -o reproducer reproducer.c /lib/x86_64-linux-gnu/libblis.so.4 -Wl,-rpath,/lib/x86_64-linux-gnu -lm
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

void cblas_cgemm3m(int order, int ta, int tb, int m, int n, int k, const void *alpha, void *a, int lda, void *b, int ldb, const void *beta, void *c, int ldc);

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

static const float a_data[2] = {
    0x1p+0f, 0x0p+0f,
};
static const float b_data[2] = {
    0x1p+0f, 0x0p+0f,
};
static const float c_data[2] = {
    0x1p+0f, 0x0p+0f,
};
static const Expected c_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char c_first[9];
    static char gaps[8];
    float *a = (float *)(void *)place(8, 0, 0);
    memcpy(a, a_data, 8);
    float *b = (float *)(void *)place(8, 0, 0);
    memcpy(b, b_data, 8);
    float *c = (float *)(void *)place(8, 0, 0);
    memcpy(c, c_data, 8);
    memcpy(c, c_data, 8);
    cblas_cgemm3m(102, 111, 111, 1, 1, 1, (const float[2]){INFINITY, 0x0p+0f}, a, 1, b, 1, (const float[2]){0x1p+0f, 0x1p+0f}, c, 1);
    memcpy(c_first, c, 8);
    if (memcmp(a, a_data, 8) != 0) {
        printf("a was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)a - 64)) {
        printf("bytes before a were written\n");
        bad++;
    }
    if (memcmp(b, b_data, 8) != 0) {
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
