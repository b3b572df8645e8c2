/* searchsorted on ort:1.31.1
 *
 * searchsorted/1 dtype=f32 n=1 shape=0 mode=left | sorted=ones x=ones places=ones
 *
 * library: ONNX Runtime 1.31.1 
 * build:   cc -O1 -o reproducer reproducer.c .deps/ort-1.31.1/libonnxruntime.so.1.31.1 -Wl,-rpath,.deps/ort-1.31.1 -lm
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

static const unsigned char model[] = {
    8, 8, 58, 214, 1, 10, 28, 10, 1, 120, 10, 4, 108, 97, 115, 116,
    18, 6, 99, 111, 108, 117, 109, 110, 34, 9, 85, 110, 115, 113, 117, 101,
    101, 122, 101, 10, 29, 10, 6, 115, 111, 114, 116, 101, 100, 10, 6, 99,
    111, 108, 117, 109, 110, 18, 5, 98, 101, 108, 111, 119, 34, 4, 76, 101,
    115, 115, 10, 30, 10, 5, 98, 101, 108, 111, 119, 18, 4, 111, 110, 101,
    115, 34, 4, 67, 97, 115, 116, 42, 9, 24, 7, 10, 2, 116, 111, 160,
    1, 2, 10, 48, 10, 4, 111, 110, 101, 115, 10, 4, 108, 97, 115, 116,
    18, 6, 112, 108, 97, 99, 101, 115, 34, 9, 82, 101, 100, 117, 99, 101,
    83, 117, 109, 42, 15, 24, 0, 10, 8, 107, 101, 101, 112, 100, 105, 109,
    115, 160, 1, 2, 18, 4, 99, 97, 115, 101, 42, 20, 8, 1, 16, 7,
    66, 4, 108, 97, 115, 116, 74, 8, 255, 255, 255, 255, 255, 255, 255, 255,
    90, 14, 10, 6, 115, 111, 114, 116, 101, 100, 18, 4, 10, 2, 8, 1,
    90, 9, 10, 1, 120, 18, 4, 10, 2, 8, 1, 98, 14, 10, 6, 112,
    108, 97, 99, 101, 115, 18, 4, 10, 2, 8, 7, 66, 2, 16, 21,
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

static const float sorted_data[1] = {
    0x1p+0f,
};
static const float x_data[1] = {0};
static const long places_data[1] = {0};
static const Expected places_expected[] = {
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char places_first[1];
    static char gaps[1];
    float *sorted = (float *)(void *)place(4, 0, 0);
    memcpy(sorted, sorted_data, 4);
    float *x = (float *)(void *)place(0, 0, 0);
    memcpy(x, x_data, 0);
    long *places = (long *)(void *)place(0, 0, 0);
    memcpy(places, places_data, 0);
    memcpy(places, places_data, 0);
    {
    void *made = session();
    const char *const input_names[] = {"sorted", "x", NULL};
    void *inputs[] = {tensor(sorted, 4, (const long[]){1, 0}, 1, 1),
        tensor(x, 0, (const long[]){0, 0}, 1, 1), NULL};
    const char *const output_names[] = {"places", NULL};
    void *outputs[] = {tensor(places, 0, (const long[]){0, 0}, 1, 7), NULL};
    run(made, input_names, inputs, 2, output_names, outputs, 1);
    }
    memcpy(places_first, places, 0);
    if (memcmp(sorted, sorted_data, 4) != 0) {
        printf("sorted was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)sorted - 64)) {
        printf("bytes before sorted were written\n");
        bad++;
    }
    if (memcmp(x, x_data, 0) != 0) {
        printf("x was modified\n");
        bad++;
    }
    if (!untouched((const unsigned char *)x - 64)) {
        printf("bytes before x were written\n");
        bad++;
    }
    if (!untouched((const unsigned char *)places - 64)) {
        printf("bytes before places were written\n");
        bad++;
    }
    for (const Expected *e = places_expected; e->at >= 0; e++) {
        double got = (double)(places[e->at]);
        if (admitted(e, got))
            continue;
        if (bad++ < 8)
            printf("places[%ld]: got %a (%.9g), expected %a (%.9g), bound %a, classes %d\n",
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
