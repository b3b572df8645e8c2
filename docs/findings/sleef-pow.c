/* pow on sleef
 *
 * pow/1 dtype=f64 shape=4 expand_a=0 expand_b=0 | a=ones,special:max,place:last b=near y=ones
 *
 * library: SLEEF 3.5.1 
 * build:   cc -O1 -o reproducer reproducer.c /lib/x86_64-linux-gnu/libsleef.so.3 -Wl,-rpath,/lib/x86_64-linux-gnu -lm
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

double Sleef_powd1_u10purec(double, double);

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

static const double a_data[4] = {
    0x1p+0, 0x1p+0, 0x1p+0, 0x1.fffffffffffffp+1023,
};
static const double b_data[4] = {
    -0x1.0000000000007p+0, 0x1.0000000000003p+0, 0x1.0000000000005p+0, 0x1.ffffffffffff4p-1,
};
static const double y_data[4] = {
    NAN, NAN, NAN, NAN,
};
static const Expected y_expected[] = {
    {0, 0x1p+0, 0x0p+0, 0x1.0020000001p-48, 1, 0},
    {1, 0x1p+0, 0x0p+0, 0x1.0020000001p-48, 1, 0},
    {2, 0x1p+0, 0x0p+0, 0x1.0020000001p-48, 1, 0},
    {3, 0x1.fffffffffdebap+1023, -0x1.92p+969, INFINITY, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[33];
    static char gaps[32];
    double *a = (double *)(void *)place(32, 0, 0);
    memcpy(a, a_data, 32);
    double *b = (double *)(void *)place(32, 0, 0);
    memcpy(b, b_data, 32);
    double *y = (double *)(void *)place(32, 0, 0);
    memcpy(y, y_data, 32);
    memcpy(y, y_data, 32);
    for (int i = 0; i < 4; i++)
        y[i] = Sleef_powd1_u10purec(a[i], b[i]);
    memcpy(y_first, y, 32);
    if (memcmp(a, a_data, 32) != 0) {
        printf("a was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)a - 64)) {
        printf("bytes before a were written\n");
        bad++;
    }
    if (memcmp(b, b_data, 32) != 0) {
        printf("b was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)b - 64)) {
        printf("bytes before b were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)y - 64)) {
        printf("bytes before y were written\n");
        bad++;
    }
    for (const Expected *e = y_expected; e->at >= 0; e++) {
        double got = (double)(y[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("y[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
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
