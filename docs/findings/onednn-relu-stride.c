/* relu on onednn:3.2.0
 *
 * relu/1 dtype=f32 shape=2 | x=ones,special:-inf y=ones | exec=layout:strided
 *
 * library: oneDNN 3.2.0 isa 0xe7
 * build:   cc -O1 -o reproducer reproducer.c .deps/onednn-3.2.0/libdnnl.so.3.2 -Wl,-rpath,.deps/onednn-3.2.0 -lm
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
int dnnl_memory_desc_create_with_strides(void **memory, int rank, const long *dims, int type,
                                         const long *strides);
int dnnl_eltwise_forward_primitive_desc_create(void **, const void *, int, int, const void *, const void *, float, float, const void *);

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

static const float x_data[3] = {
    -INFINITY, NAN, 0x1p+0f,
};
static const float y_data[3] = {
    NAN, NAN, NAN,
};
static const Expected y_expected[] = {
    {0, 0x0p+0, 0x0p+0, 0x0p+0, 1, 0},
    {2, 0x1p+0, 0x0p+0, 0x0p+0, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[13];
    static char gaps[12];
    float *x = (float *)(void *)place(12, 0, 0);
    memcpy(x, x_data, 12);
    float *y = (float *)(void *)place(12, 0, 0);
    memcpy(y, y_data, 12);
    memcpy(y, y_data, 12);
    {
    static _Alignas(64) char blob[1 << 16], memory_blob[2][4096], any_blob[2][4096];
    void *engine, *stream, *result = NULL, *primitive, *plain[2], *described[2], *memory[2], *used[2];
    const void *chosen[2];
    expect(dnnl_engine_create(&engine, 1, 0));
    expect(dnnl_stream_create(&stream, engine, 1));
    (void)blob, (void)any_blob, (void)chosen;
    void *attributes = NULL;
    (void)attributes;
    plain[0] = memory_blob[0];
    expect(dnnl_memory_desc_create_with_strides(&plain[0], 1, (const long[12]){2}, 3, (const long[12]){2}));
    described[0] = plain[0];
    plain[1] = memory_blob[1];
    expect(dnnl_memory_desc_create_with_strides(&plain[1], 1, (const long[12]){2}, 3, (const long[12]){2}));
    described[1] = plain[1];
    expect(dnnl_eltwise_forward_primitive_desc_create(&result, engine, 96, 32 /* eltwise_relu */, described[0], described[1], 0x0p+0f, 0x0p+0f, attributes));
    expect(dnnl_primitive_create(&primitive, result));
    expect(dnnl_memory_create(&memory[0], plain[0], engine, x));
    used[0] = memory[0];
    expect(dnnl_memory_create(&memory[1], plain[1], engine, y));
    used[1] = memory[1];
    expect(dnnl_primitive_execute(primitive, stream, 2, (const ExecArgument[]){{1, used[0]}, {17, used[1]}}));
    expect(dnnl_stream_wait(stream));
    }
    memcpy(y_first, y, 12);
    if (memcmp(x, x_data, 12) != 0) {
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
    memcpy(gaps, y, 12);
    for (const Expected *e = y_expected; e->at >= 0; e++)
        memcpy(gaps + 4 * e->at, (const char *)y_data + 4 * e->at, 4);
    if (memcmp(gaps, y_data, 12) != 0) {
        printf("bytes between the elements of y were written\n");
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
