/* softmax on onednn
 *
 * softmax/1 dtype=bf16 shape=4x4 axis=0 | x=sparse:8579 y=ones
 *
 * library: oneDNN 2.6.3 isa 0xe7
 * build:   cc -O1 -o reproducer reproducer.c /lib/x86_64-linux-gnu/libdnnl.so.2 -Wl,-rpath,/lib/x86_64-linux-gnu -lm
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

int dnnl_engine_create(void **engine, int kind, size_t index);
int dnnl_stream_create(void **stream, void *engine, unsigned flags);
int dnnl_stream_wait(void *stream);
int dnnl_primitive_create(void **primitive, const void *descriptor);
int dnnl_memory_create(void **memory, const void *descriptor, void *engine, void *data);
typedef struct ExecArgument {
    int argument;
    void *memory;
} ExecArgument;
int dnnl_primitive_execute(const void *primitive, void *stream, int count,
                           const ExecArgument *arguments);
int dnnl_memory_desc_init_by_strides(void *blob, int rank, const long *dims, int type,
                                     const long *strides);
int dnnl_primitive_desc_create(void **result, const void *blob, const void *attributes,
                               void *engine, const void *hint);
int dnnl_softmax_forward_desc_init(void *, int, const void *, int);

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

static const unsigned short x_data[16] = {
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0xbf62,
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000,
    0xbf9b, 0x0000, 0x0000, 0x0000,
};
static const unsigned short y_data[16] = {
    0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0,
    0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0,
    0x7fc0, 0x7fc0, 0x7fc0, 0x7fc0,
};
static const Expected y_expected[] = {
    {0, 0x1.367fba988567ep-2, -0x1.57p-57, 0x1.36948fcc31b79p-10, 1, 0},
    {1, 0x1.2bf9989bb1347p-2, 0x1.84p-57, 0x1.2c0db8518ff0dp-10, 1, 0},
    {2, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {3, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {4, 0x1.367fba988567ep-2, -0x1.57p-57, 0x1.36948fcc31b79p-10, 1, 0},
    {5, 0x1.f04cd8b3b18aap-4, -0x1.158p-58, 0x1.f06fdbea28da6p-12, 1, 0},
    {6, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {7, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {8, 0x1.367fba988567ep-2, -0x1.57p-57, 0x1.36948fcc31b79p-10, 1, 0},
    {9, 0x1.2bf9989bb1347p-2, 0x1.84p-57, 0x1.2c0db8518ff0dp-10, 1, 0},
    {10, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {11, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {12, 0x1.720340d9bf21ap-4, 0x1.4p-63, 0x1.721dd616a15d3p-12, 1, 0},
    {13, 0x1.2bf9989bb1347p-2, 0x1.84p-57, 0x1.2c0db8518ff0dp-10, 1, 0},
    {14, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {15, 0x1p-2, 0x0p+0, 0x1.0011110089889p-10, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[33];
    static char gaps[32];
    unsigned short *x = (unsigned short *)(void *)place(32, 0, 0);
    memcpy(x, x_data, 32);
    unsigned short *y = (unsigned short *)(void *)place(32, 0, 0);
    memcpy(y, y_data, 32);
    memcpy(y, y_data, 32);
    {
    static _Alignas(64) char blob[1 << 16], memory_blob[2][4096];
    void *engine, *stream, *result = NULL, *primitive, *described[2], *memory[2];
    expect(dnnl_engine_create(&engine, 1, 0));
    expect(dnnl_stream_create(&stream, engine, 1));
    (void)blob;
    described[0] = memory_blob[0];
    expect(dnnl_memory_desc_init_by_strides(described[0], 2, (const long[12]){4, 4}, 2, (const long[12]){4, 1}));
    described[1] = memory_blob[1];
    expect(dnnl_memory_desc_init_by_strides(described[1], 2, (const long[12]){4, 4}, 2, (const long[12]){4, 1}));
    expect(dnnl_softmax_forward_desc_init(blob, 96, described[0], 0));
    expect(dnnl_primitive_desc_create(&result, blob, NULL, engine, NULL));
    expect(dnnl_primitive_create(&primitive, result));
    expect(dnnl_memory_create(&memory[0], described[0], engine, x));
    expect(dnnl_memory_create(&memory[1], described[1], engine, y));
    expect(dnnl_primitive_execute(primitive, stream, 2, (const ExecArgument[]){{1, memory[0]}, {17, memory[1]}}));
    expect(dnnl_stream_wait(stream));
    }
    memcpy(y_first, y, 32);
    if (memcmp(x, x_data, 32) != 0) {
        printf("x was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)x - 64)) {
        printf("bytes before x were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)y - 64)) {
        printf("bytes before y were written\n");
        bad++;
    }
    for (const Expected *e = y_expected; e->at >= 0; e++) {
        double got = from_bfloat(y[e->at]);
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
