/* attention on ort:1.31.1
 *
 * attention/1 dtype=f16 batch=1 channels=1 groups=1 m=2 n=2 k=1 outputs=1 causal=yes | q=ones k=list,values:-0x1.388p+13;0x1.d4cp+15 v=int y=ones
 *
 * library: ONNX Runtime 1.31.1 
 * build:   cc -O1 -o reproducer reproducer.c .deps/ort-1.31.1/libonnxruntime.so.1.31.1 -Wl,-rpath,.deps/ort-1.31.1 -lm
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

static const unsigned char model[] = {
    8, 8, 58, 93, 10, 41, 10, 1, 113, 10, 1, 107, 10, 1, 118, 18,
    1, 121, 34, 9, 65, 116, 116, 101, 110, 116, 105, 111, 110, 42, 16, 24,
    1, 10, 9, 105, 115, 95, 99, 97, 117, 115, 97, 108, 160, 1, 2, 18,
    4, 99, 97, 115, 101, 90, 9, 10, 1, 113, 18, 4, 10, 2, 8, 10,
    90, 9, 10, 1, 107, 18, 4, 10, 2, 8, 10, 90, 9, 10, 1, 118,
    18, 4, 10, 2, 8, 10, 98, 9, 10, 1, 121, 18, 4, 10, 2, 8,
    10, 66, 2, 16, 23,
};

/* ONNX Runtime's functions are called by their numbers in its table. */
typedef struct OrtApiBase {
    void *const *(*api)(unsigned version);
    const char *(*version)(void);
} OrtApiBase;
const OrtApiBase *OrtGetApiBase(void);

static void *const *api;

static void expect(void *status)
{
    if (!status)
        return;
    printf("%s\n", ((const char *(*)(void *))api[2])(status));
    exit(2);
}

static void *session(void)
{
    void *environment, *options, *session;
    api = OrtGetApiBase()->api(17);
    expect(((void *(*)(int, const char *, void **))api[3])(4, "case", &environment));
    expect(((void *(*)(void **))api[10])(&options));
    expect(((void *(*)(void *, int))api[23])(options, 99));
    expect(((void *(*)(void *, int))api[24])(options, 1));
    expect(((void *(*)(void *, const void *, size_t, void *, void **))api[8])(
        environment, model, sizeof model, options, &session));
    return session;
}

static void *tensor(void *data, size_t bytes, const long *shape, size_t rank, int type)
{
    static void *memory;
    void *value = NULL;
    if (!memory)
        expect(((void *(*)(int, int, void **))api[69])(1, 0, &memory));
    expect(((void *(*)(void *, void *, size_t, const long *, size_t, int, void **))api[49])(
        memory, data, bytes, shape, rank, type, &value));
    return value;
}

static void run(void *session, const char *const *in, void **inputs, size_t input_count,
                const char *const *out, void **outputs, size_t output_count)
{
    expect(((void *(*)(void *, void *, const char *const *, void **, size_t,
                       const char *const *, size_t, void **))api[9])(
        session, NULL, in, inputs, input_count, out, output_count, outputs));
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

static const unsigned short q_data[2] = {
    0x3c00, 0x3c00,
};
static const unsigned short k_data[2] = {
    0xf0e2, 0x7b53,
};
static const unsigned short v_data[2] = {
    0xbc00, 0x4200,
};
static const unsigned short y_data[2] = {
    0x7e00, 0x7e00,
};
static const Expected y_expected[] = {
    {0, -0x1p+0, 0x0p+0, 0x1.0be8c86e2cd5ap-7, 1, 0},
    {1, 0x1.8p+1, 0x0p+0, 0x1.16b4672677bf4p-3, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[5];
    static char gaps[4];
    unsigned short *q = (unsigned short *)(void *)place(4, 0, 0);
    memcpy(q, q_data, 4);
    unsigned short *k = (unsigned short *)(void *)place(4, 0, 0);
    memcpy(k, k_data, 4);
    unsigned short *v = (unsigned short *)(void *)place(4, 0, 0);
    memcpy(v, v_data, 4);
    unsigned short *y = (unsigned short *)(void *)place(4, 0, 0);
    memcpy(y, y_data, 4);
    memcpy(y, y_data, 4);
    {
    void *made = session();
    const char *const input_names[] = {"q", "k", "v", NULL};
    void *inputs[] = {tensor(q, 4, (const long[]){1, 1, 2, 1, 0}, 4, 10),
        tensor(k, 4, (const long[]){1, 1, 2, 1, 0}, 4, 10),
        tensor(v, 4, (const long[]){1, 1, 2, 1, 0}, 4, 10), NULL};
    const char *const output_names[] = {"y", NULL};
    void *outputs[] = {tensor(y, 4, (const long[]){1, 1, 2, 1, 0}, 4, 10), NULL};
    run(made, input_names, inputs, 3, output_names, outputs, 1);
    }
    memcpy(y_first, y, 4);
    if (memcmp(q, q_data, 4) != 0) {
        printf("q was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)q - 64)) {
        printf("bytes before q were written\n");
        bad++;
    }
    if (memcmp(k, k_data, 4) != 0) {
        printf("k was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)k - 64)) {
        printf("bytes before k were written\n");
        bad++;
    }
    if (memcmp(v, v_data, 4) != 0) {
        printf("v was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)v - 64)) {
        printf("bytes before v were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)y - 64)) {
        printf("bytes before y were written\n");
        bad++;
    }
    for (const Expected *e = y_expected; e->at >= 0; e++) {
        double got = from_half(y[e->at]);
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
