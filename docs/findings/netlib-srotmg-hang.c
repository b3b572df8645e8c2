/* rotmg on netlib
 *
 * rotmg/1 dtype=f32 y1=0x1p+0 | d1=ones,special:inf d2=ones x1=ones param=ones
 *
 * library:  3.11.0 
 * build:   cc -O1 -o reproducer reproducer.c /usr/lib/x86_64-linux-gnu/blas/libblas.so.3 -Wl,-rpath,/usr/lib/x86_64-linux-gnu/blas -lm
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

void cblas_srotmg(void *d1, void *d2, void *x1, float y1, void *param);

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

static const float d1_data[1] = {
    INFINITY,
};
static const float d2_data[1] = {
    0x1p+0f,
};
static const float x1_data[1] = {
    0x1p+0f,
};
static const float param_data[5] = {
    0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f, 0x1p+0f,
};
static const Expected d1_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected d2_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected x1_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};
static const Expected param_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char d1_first[5];
    static char d2_first[5];
    static char x1_first[5];
    static char param_first[21];
    static char gaps[20];
    float *d1 = (float *)(void *)place(4, 0, 0);
    memcpy(d1, d1_data, 4);
    float *d2 = (float *)(void *)place(4, 0, 0);
    memcpy(d2, d2_data, 4);
    float *x1 = (float *)(void *)place(4, 0, 0);
    memcpy(x1, x1_data, 4);
    float *param = (float *)(void *)place(20, 0, 0);
    memcpy(param, param_data, 20);
    memcpy(d1, d1_data, 4);
    memcpy(d2, d2_data, 4);
    memcpy(x1, x1_data, 4);
    memcpy(param, param_data, 20);
    cblas_srotmg(d1, d2, x1, 0x1p+0f, param);
    memcpy(d1_first, d1, 4);
    memcpy(d2_first, d2, 4);
    memcpy(x1_first, x1, 4);
    memcpy(param_first, param, 20);
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
        double got = (double)(d1[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("d1[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, got, got, e->high, e->high, e->bound, e->classes);
    }
    for (const Expected *e = d2_expected; e->at >= 0; e++) {
        double got = (double)(d2[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("d2[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, got, got, e->high, e->high, e->bound, e->classes);
    }
    for (const Expected *e = x1_expected; e->at >= 0; e++) {
        double got = (double)(x1[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("x1[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
                   e->at, got, got, e->high, e->high, e->bound, e->classes);
    }
    for (const Expected *e = param_expected; e->at >= 0; e++) {
        double got = (double)(param[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("param[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
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
