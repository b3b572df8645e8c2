/* exp on onednn
 *
 * exp/1 dtype=f32 shape=32 | x=exponents:a y=ones
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
int dnnl_eltwise_forward_desc_init(void *, int, int, const void *, float, float);

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

static const float x_data[32] = {
    0x1.7cd32ep-16f, -0x1.474966p-5f, -0x1.406238p+6f, -0x1.e73116p+8f, 0x1.586e98p-13f, 0x1.57d27ap+0f,
    -0x1.cf43cp-3f, 0x1.9e742cp-6f, -0x1.789f44p+14f, 0x1.f907p-2f, -0x1.0eff9p-4f, 0x1.5082eap+3f,
    0x1.02f304p-10f, -0x1.a5da94p-11f, -0x1.c70ee2p-11f, -0x1.12aa9ep-7f, 0x1.36f69cp+8f, -0x1.516bf4p-17f,
    0x1.dc282cp+0f, 0x1.4280cp+2f, -0x1.7eb9eep-4f, -0x1.624d52p-6f, 0x1.a30c46p-1f, -0x1.1e83e6p-6f,
    0x1.5205acp-3f, 0x1.6f6bfp-6f, 0x1.857dfp+4f, 0x1.dc3c64p+5f, -0x1.e53f2ap+12f, 0x1.f871d4p+7f,
    0x1.9956f2p-12f, 0x1.d62b52p-20f,
};
static const float y_data[32] = {
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN,
};
static const Expected y_expected[] = {
    {0, 0x1.00017cd449426p+0, -0x1.0ap-54, 0x1.8000000009801p-22, 1, 0},
    {1, 0x1.ebf2a3ae15bf9p-1, -0x1.bp-56, 0x1.8000000010df9p-23, 1, 0},
    {2, 0x1.5cbe1039c758cp-116, -0x1.b8p-171, 0x1.000c010001006p-125, 1, 0},
    {3, 0x1.184fe2492a4c6p-703, 0x1.2fp-757, 0x1.0000040001p-125, 1, 0},
    {4, 0x1.000ac3aeadfcep+0, -0x1.5p-58, 0x1.8000000009805p-22, 1, 0},
    {5, 0x1.ea555bbe2504ap+1, 0x1.5fp-54, 0x1.8000000010d2bp-21, 1, 0},
    {6, 0x1.98593cd585c81p-1, 0x1.5p-59, 0x1.800000000e42dp-23, 1, 0},
    {7, 0x1.068ef61c68bcp+0, -0x1.228p-54, 0x1.8000000009b47p-22, 1, 0},
    {8, 0x0p+0, 0x0p+0, 0x1.0000040001p-125, 1, 0},
    {9, 0x1.a3355ac54ef14p+0, -0x1.d8p-55, 0x1.800000000e99bp-22, 1, 0},
    {10, 0x1.df38b4df6f908p-1, -0x1.88p-57, 0x1.800000001079cp-23, 1, 0},
    {11, 0x1.2049066e9e036p+15, 0x1.d8p-39, 0x1.800000000a825p-7, 1, 0},
    {12, 0x1.0040c4f126836p+0, -0x1.aep-54, 0x1.800000000982p-22, 1, 0},
    {13, 0x1.ff969436e3b39p-1, 0x1.58p-59, 0x1.80000000117cbp-23, 1, 0},
    {14, 0x1.ff8e48ea2808fp-1, -0x1.1cp-57, 0x1.80000000117c7p-23, 1, 0},
    {15, 0x1.fbb9ed054c6d7p-1, 0x1.98p-56, 0x1.80000000115ddp-23, 1, 0},
    {16, INFINITY, 0x0p+0, 0x1.8adee79f82317p+389, 2, 0},
    {17, 0x1.fffeae947b2f4p-1, 0x1.0ep-57, 0x1.80000000117ffp-23, 1, 0},
    {18, 0x1.9b1d3cd2f2d4cp+2, 0x1p-52, 0x1.800000000e58fp-20, 1, 0},
    {19, 0x1.34aa2766c9d83p+7, -0x1.23p-47, 0x1.800000000b255p-15, 1, 0},
    {20, 0x1.d25387f9ed06p-1, 0x1.2ep-56, 0x1.800000001012ap-23, 1, 0},
    {21, 0x1.f50c02cf1c629p-1, 0x1.fcp-57, 0x1.8000000011286p-23, 1, 0},
    {22, 0x1.222cbb779f25fp+1, 0x1.56p-53, 0x1.800000000a916p-21, 1, 0},
    {23, 0x1.f71fcdb89eb45p-1, 0x1.e1p-56, 0x1.800000001139p-23, 1, 0},
    {24, 0x1.2df0901cf28fcp+0, 0x1.54p-54, 0x1.800000000aef8p-22, 1, 0},
    {25, 0x1.05ce4a2bda3bep+0, -0x1.74p-57, 0x1.8000000009ae7p-22, 1, 0},
    {26, 0x1.162e610671b8ep+35, 0x1.bap-19, 0x1.800000000a317p+13, 1, 0},
    {27, 0x1.d8153c0f13ecp+85, 0x1.98p+30, 0x1.800000001040bp+63, 1, 0},
    {28, 0x0p+0, 0x0p+0, 0x1.0000040001p-125, 1, 0},
    {29, INFINITY, 0x0p+0, 0x1.d719bab3a3668p+304, 2, 0},
    {30, 0x1.001996b66e5e9p+0, -0x1.37p-54, 0x1.800000000980dp-22, 1, 0},
    {31, 0x1.00001d62b6cfcp+0, 0x1.9cp-56, 0x1.80000000098p-22, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[129];
    static char gaps[128];
    float *x = (float *)(void *)place(128, 0, 0);
    memcpy(x, x_data, 128);
    float *y = (float *)(void *)place(128, 0, 0);
    memcpy(y, y_data, 128);
    memcpy(y, y_data, 128);
    {
    static _Alignas(64) char blob[1 << 16], memory_blob[2][4096];
    void *engine, *stream, *result = NULL, *primitive, *described[2], *memory[2];
    expect(dnnl_engine_create(&engine, 1, 0));
    expect(dnnl_stream_create(&stream, engine, 1));
    (void)blob;
    described[0] = memory_blob[0];
    expect(dnnl_memory_desc_init_by_strides(described[0], 1, (const long[12]){32}, 3, (const long[12]){1}));
    described[1] = memory_blob[1];
    expect(dnnl_memory_desc_init_by_strides(described[1], 1, (const long[12]){32}, 3, (const long[12]){1}));
    expect(dnnl_eltwise_forward_desc_init(blob, 96, 191 /* eltwise_exp */, described[0], 0x0p+0f, 0x0p+0f));
    expect(dnnl_primitive_desc_create(&result, blob, NULL, engine, NULL));
    expect(dnnl_primitive_create(&primitive, result));
    expect(dnnl_memory_create(&memory[0], described[0], engine, x));
    expect(dnnl_memory_create(&memory[1], described[1], engine, y));
    expect(dnnl_primitive_execute(primitive, stream, 2, (const ExecArgument[]){{1, memory[0]}, {17, memory[1]}}));
    expect(dnnl_stream_wait(stream));
    }
    memcpy(y_first, y, 128);
    if (memcmp(x, x_data, 128) != 0) {
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
