/* conv_transpose2d on xnnpack
 *
 * conv_transpose2d/1 dtype=f32 batch=1 channels=1 outputs=1 groups=1 size=1x1 kernel=1x3 stride=1x3 dilation=1x1 before=0x2 after=0x0 with_bias=no activation=none extra=0x0 | x=ones w=ones bias=ones y=ones
 *
 * library: XNNPACK 0 
 * build:   cc -O1 -o reproducer reproducer.c /lib/x86_64-linux-gnu/libXNNPACK.so.0 -Wl,-rpath,/lib/x86_64-linux-gnu -lm
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

int xnn_initialize(const void *allocator);
int xnn_run_operator(void *instance, void *threads);
int xnn_create_deconvolution2d_nhwc_f32(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, size_t, size_t, size_t, size_t, void *, void *, float, float, unsigned, void **);
int xnn_setup_deconvolution2d_nhwc_f32(void *, size_t, size_t, size_t, unsigned, unsigned, void *, void *, void *);

/* Between a dense array and an operand whose axes have other strides. */
static void arrange(char *dense, char *operand, int rank, const long *extent,
                    const long *stride, size_t size, int back)
{
    long count = 1;
    for (int axis = 0; axis < rank; axis++)
        count *= extent[axis];
    for (long i = 0; i < count; i++) {
        long number = i, offset = 0;
        for (int axis = rank - 1; axis >= 0; axis--) {
            offset += number % extent[axis] * stride[axis];
            number /= extent[axis];
        }
        char *here = operand + offset * (long)size, *there = dense + i * (long)size;
        memcpy(back ? here : there, back ? there : here, size);
    }
}

static void expect(int status)
{
    if (status == 0)
        return;
    printf("status %d\n", status);
    exit(2);
}

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

static const float x_data[1] = {
    0x1p+0f,
};
static const float w_data[3] = {
    0x1p+0f, 0x1p+0f, 0x1p+0f,
};
static const float bias_data[1] = {
    NAN,
};
static const float y_data[1] = {
    NAN,
};
static const Expected y_expected[] = {
    {0, 0x1p+0, 0x0p+0, 0x0p+0, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[5];
    static char gaps[4];
    float *x = (float *)(void *)place(4, 0, 0);
    memcpy(x, x_data, 4);
    float *w = (float *)(void *)place(12, 0, 0);
    memcpy(w, w_data, 12);
    float *bias = (float *)(void *)place(4, 0, 0);
    memcpy(bias, bias_data, 4);
    float *y = (float *)(void *)place(4, 0, 0);
    memcpy(y, y_data, 4);
    memcpy(y, y_data, 4);
    {
    void *instance = NULL;
    static _Alignas(64) char buffer0[28];
    arrange(buffer0, (char *)w, 5, (const long[]){1, 1, 1, 3, 1, 0}, (const long[]){3, 3, 3, 1, 3, 0}, 4, 0);
    static _Alignas(64) char buffer1[20];
    arrange(buffer1, (char *)x, 4, (const long[]){1, 1, 1, 1, 0}, (const long[]){1, 1, 1, 1, 0}, 4, 0);
    static _Alignas(64) char buffer2[20];
    expect(xnn_initialize(NULL));
    expect(xnn_create_deconvolution2d_nhwc_f32(0, 0, 0, 2, 1, 3, 1, 3, 1, 1, 1, 1, 1, 1, 1, buffer0, NULL, -INFINITY, INFINITY, 0, &instance));
    expect(xnn_setup_deconvolution2d_nhwc_f32(instance, 1, 1, 1, 0, 0, buffer1, buffer2, NULL));
    expect(xnn_run_operator(instance, NULL));
    arrange(buffer2, (char *)y, 4, (const long[]){1, 1, 1, 1, 0}, (const long[]){1, 1, 1, 1, 0}, 4, 1);
    }
    memcpy(y_first, y, 4);
    if (memcmp(x, x_data, 4) != 0) {
        printf("x was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)x - 64)) {
        printf("bytes before x were written\n");
        bad++;
    }
    if (memcmp(w, w_data, 12) != 0) {
        printf("w was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)w - 64)) {
        printf("bytes before w were written\n");
        bad++;
    }
    if (memcmp(bias, bias_data, 4) != 0) {
        printf("bias was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)bias - 64)) {
        printf("bytes before bias were written\n");
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
