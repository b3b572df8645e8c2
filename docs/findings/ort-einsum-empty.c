/* einsum on ort:1.31.1
 *
 * einsum/1 dtype=f32 shape=0x2 labels_a=3 labels_b=0 labels_y=0 rotate_a=0 rotate_b=0 rotate_y=0 diagonal=1 | a=ones b=ones y=ones
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
    8, 8, 58, 81, 10, 40, 10, 1, 97, 10, 1, 98, 18, 1, 121, 34,
    6, 69, 105, 110, 115, 117, 109, 42, 21, 34, 6, 105, 106, 105, 44, 45,
    62, 10, 8, 101, 113, 117, 97, 116, 105, 111, 110, 160, 1, 3, 18, 4,
    99, 97, 115, 101, 90, 9, 10, 1, 97, 18, 4, 10, 2, 8, 1, 90,
    9, 10, 1, 98, 18, 4, 10, 2, 8, 1, 98, 9, 10, 1, 121, 18,
    4, 10, 2, 8, 1, 66, 2, 16, 21,
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

static const float a_data[1] = {0};
static const float b_data[1] = {
    0x1p+0f,
};
static const float y_data[1] = {
    NAN,
};
static const Expected y_expected[] = {
    {0, 0x0p+0, 0x0p+0, 0x0p+0, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[5];
    static char gaps[4];
    float *a = (float *)(void *)place(0, 0, 0);
    memcpy(a, a_data, 0);
    float *b = (float *)(void *)place(4, 0, 0);
    memcpy(b, b_data, 4);
    float *y = (float *)(void *)place(4, 0, 0);
    memcpy(y, y_data, 4);
    memcpy(y, y_data, 4);
    {
    void *made = session();
    const char *const input_names[] = {"a", "b", NULL};
    void *inputs[] = {tensor(a, 0, (const long[]){0, 2, 0, 0}, 3, 1),
        tensor(b, 4, (const long[]){0}, 0, 1), NULL};
    const char *const output_names[] = {"y", NULL};
    void *outputs[] = {tensor(y, 4, (const long[]){0}, 0, 1), NULL};
    run(made, input_names, inputs, 2, output_names, outputs, 1);
    }
    memcpy(y_first, y, 4);
    if (memcmp(a, a_data, 0) != 0) {
        printf("a was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)a - 64)) {
        printf("bytes before a were written\n");
        bad++;
    }
    if (memcmp(b, b_data, 4) != 0) {
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
