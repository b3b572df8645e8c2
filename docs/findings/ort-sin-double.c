/* sin on ort:1.31.1
 *
 * sin/1 dtype=f64 shape=40 | x=exponents:2 y=ones
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
    8, 8, 58, 41, 10, 11, 10, 1, 120, 18, 1, 121, 34, 3, 83, 105,
    110, 18, 4, 99, 97, 115, 101, 90, 9, 10, 1, 120, 18, 4, 10, 2,
    8, 11, 98, 9, 10, 1, 121, 18, 4, 10, 2, 8, 11, 66, 2, 16,
    21,
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

static const double x_data[40] = {
    0x1.7b8e66204c549p+11, -0x1.4750605c0e7a5p-16, -0x1.1225a977eeaecp-9, -0x1.0d337dffea097p+13, 0x1.685e23f526cf5p-15, -0x1.7d2ee01339971p-7,
    -0x1.4b1e64b77e6ep+12, -0x1.6f76a87be0f35p+15, 0x1.0ebd1c6b638fdp-11, 0x1.20ede3bb6e2d4p-6, 0x1.04a653426e4fdp-17, 0x1.c4b1554e9a34dp-5,
    0x1.0024a00acffa2p+5, 0x1.7a3cc0c13d137p+9, 0x1.0c62190e06276p-10, -0x1.2e0c7465cb82bp+3, -0x1.c54d743ebfaa9p+3, -0x1.223abbfaa136ap-4,
    0x1.218193ecfba93p-1, 0x1.dcc2a72249361p-5, 0x1.2aae8c43c1057p-17, 0x1.7e7070098cec4p-1, -0x1.85b24256555c1p+7, 0x1.e835134ba8414p-17,
    0x1.19f218fae6b9ep-4, 0x1.029e38c5bb49ap-9, -0x1.cf902efc9ede3p-2, 0x1.2a642ba3272e2p-9, 0x1.4e6517e32063ep-11, 0x1.17c84f0067ac4p+7,
    -0x1.43b20fb44bbfcp+8, -0x1.6d9a16661d1c7p+6, -0x1.79a0eb95f4603p-16, 0x1.87354e8996cf5p+11, 0x1.616e1ce506961p+4, -0x1.807d7d57af9dcp+12,
    0x1.c11b1d8759022p-11, -0x1.c9597dc37c9c3p-3, -0x1.81cb583d9bbaap-13, -0x1.1f12f13afcce9p-11,
};
static const double y_data[40] = {
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN,
};
static const Expected y_expected[] = {
    {0, 0x1.fd686e3c2a357p-1, -0x1.87p-56, 0x1.00feb4371f152p-51, 1, 0},
    {1, -0x1.4750605bb54c8p-16, 0x1.c8p-73, 0x1.00a3a8302edaap-66, 1, 0},
    {2, -0x1.12259c5e6bd77p-9, -0x1.26p-65, 0x1.008912ce3035fp-59, 1, 0},
    {3, -0x1.81b616c0e99cap-3, 0x1.a8p-57, 0x1.00c0db0b6174dp-53, 1, 0},
    {4, 0x1.685e23f34abeap-15, -0x1.a7p-69, 0x1.00b42f11faa56p-65, 1, 0},
    {5, -0x1.7d2caca983fd6p-7, 0x1.95p-62, 0x1.00be965655c2p-57, 1, 0},
    {6, -0x1.d84b3351a8a34p-1, -0x1.cp-60, 0x1.00ec2599a9d45p-51, 1, 0},
    {8, 0x1.0ebd1ba183e07p-11, -0x1.bdp-65, 0x1.00875e8dd1c1fp-61, 1, 0},
    {9, 0x1.20ea0e4eecd41p-6, -0x1.0dp-60, 0x1.0090750728767p-56, 1, 0},
    {10, 0x1.04a65342630dap-17, 0x1.74p-72, 0x1.00825329a2318p-67, 1, 0},
    {11, 0x1.c4765c39ec0b7p-5, -0x1.14p-61, 0x1.00e23b2e1df6p-55, 1, 0},
    {12, 0x1.21ec5d65594dcp-1, -0x1.94p-55, 0x1.0090f62eb3acap-51, 1, 0},
    {13, 0x1.3587307e64506p-1, 0x1.378p-55, 0x1.009ac39840323p-51, 1, 0},
    {14, 0x1.0c6215fb6c2fcp-10, 0x1.37p-64, 0x1.0086310afeb62p-60, 1, 0},
    {15, 0x1.d2adc0646dbe6p-7, -0x1.c58p-61, 0x1.00e956e03336ep-57, 1, 0},
    {16, -0x1.ffcaa15ce7013p-1, 0x1.5p-57, 0x1.00ffe550af738p-51, 1, 0},
    {17, -0x1.21fc9400cf2e1p-4, 0x1.a1p-59, 0x1.0090fe4a01679p-54, 1, 0},
    {18, 0x1.1252ea32e8726p-1, 0x1.22p-55, 0x1.008929751a744p-51, 1, 0},
    {19, 0x1.dc7dc4202883ep-5, 0x1.cp-64, 0x1.00ee3ee211144p-55, 1, 0},
    {20, 0x1.2aae8c43b0149p-17, 0x1.18p-71, 0x1.0095574622d81p-67, 1, 0},
    {21, 0x1.5bdafc4d091d1p-1, -0x1.46p-57, 0x1.00aded7e27849p-51, 1, 0},
    {22, -0x1.1c1b6f61b5f1p-4, 0x1.a3p-59, 0x1.008e0db7b1dbp-54, 1, 0},
    {23, 0x1.e835134b5e461p-17, -0x1.dp-72, 0x1.00f41a89a6af2p-67, 1, 0},
    {24, 0x1.19b91cc2ade58p-4, 0x1.218p-58, 0x1.008cdc8e6256fp-54, 1, 0},
    {25, 0x1.029e2dc66d952p-9, -0x1.f2p-63, 0x1.00814f16e436dp-59, 1, 0},
    {26, -0x1.bfe4268899b5fp-2, -0x1.29p-56, 0x1.00dff213454cep-52, 1, 0},
    {27, 0x1.2a641abef0921p-9, -0x1.698p-63, 0x1.0095320d60785p-59, 1, 0},
    {28, 0x1.4e651666c1578p-11, 0x1.afp-65, 0x1.00a7328b3460bp-61, 1, 0},
    {29, 0x1.fde95497d6ea4p-1, -0x1.6ep-57, 0x1.00fef4aa4ceb7p-51, 1, 0},
    {30, 0x1.c7cb4c6019307p-4, 0x1.4cp-58, 0x1.00e3e5a6310cap-54, 1, 0},
    {31, 0x1.29056254d729dp-2, -0x1.b2p-57, 0x1.009482b12b6b9p-52, 1, 0},
    {32, -0x1.79a0eb956b6cep-16, 0x1p-75, 0x1.00bcd075cbb5bp-66, 1, 0},
    {33, 0x1.3194b7634b757p-1, -0x1.cbp-55, 0x1.0098ca5bb2a5cp-51, 1, 0},
    {34, -0x1.91b8b29a6aa3ap-4, -0x1.87p-58, 0x1.00c8dc594e355p-54, 1, 0},
    {35, -0x1.2312def8be6a3p-1, 0x1.a18p-55, 0x1.0091896f7d5f3p-51, 1, 0},
    {36, 0x1.c11b19ede3fc1p-11, -0x1.b1p-66, 0x1.00e08d8cf7f2p-61, 1, 0},
    {37, -0x1.c58ec754a2b11p-3, 0x1.b5p-58, 0x1.00e2c763ab516p-53, 1, 0},
    {38, -0x1.81cb581919ef1p-13, 0x1.fdp-67, 0x1.00c0e5ac0d8cfp-63, 1, 0},
    {39, -0x1.1f12f04a52eedp-11, 0x1.87p-66, 0x1.008f897826297p-61, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[321];
    static char gaps[320];
    double *x = (double *)(void *)place(320, 0, 0);
    memcpy(x, x_data, 320);
    double *y = (double *)(void *)place(320, 0, 0);
    memcpy(y, y_data, 320);
    memcpy(y, y_data, 320);
    {
    void *made = session();
    const char *const input_names[] = {"x", NULL};
    void *inputs[] = {tensor(x, 320, (const long[]){40, 0}, 1, 11), NULL};
    const char *const output_names[] = {"y", NULL};
    void *outputs[] = {tensor(y, 320, (const long[]){40, 0}, 1, 11), NULL};
    run(made, input_names, inputs, 1, output_names, outputs, 1);
    }
    memcpy(y_first, y, 320);
    if (memcmp(x, x_data, 320) != 0) {
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
