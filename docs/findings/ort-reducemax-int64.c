/* amax on ort:1.31.1
 *
 * amax/1 dtype=i64 shape=3x2x21 axes=2 keepdims=no | x=wide:8108 y=ones
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
    8, 8, 58, 98, 10, 43, 10, 1, 120, 18, 1, 121, 34, 9, 82, 101,
    100, 117, 99, 101, 77, 97, 120, 42, 15, 24, 0, 10, 8, 107, 101, 101,
    112, 100, 105, 109, 115, 160, 1, 2, 10, 7, 114, 101, 100, 117, 99, 101,
    100, 18, 4, 99, 97, 115, 101, 42, 23, 8, 1, 16, 7, 66, 7, 114,
    101, 100, 117, 99, 101, 100, 74, 8, 1, 0, 0, 0, 0, 0, 0, 0,
    90, 9, 10, 1, 120, 18, 4, 10, 2, 8, 7, 98, 9, 10, 1, 121,
    18, 4, 10, 2, 8, 7, 66, 2, 16, 21,
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

static const long x_data[126] = {
    -12513546306449, -6305302340227, -12962048640331, 16336445775517, 1618180797205, 5471714913971,
    -8911145381281, -1679212839795, 10784641422153, -8749101971101, -16413695143101, 16730934977669,
    10325912869955, 17116382111249, -5657317645499, -4181979162907, -8647353486445, 839012470357,
    4301374189129, 16253415154115, 12719939841251, -13598840242805, -11098312359209, 8825781706987,
    2756380587041, -1393795645703, -11455926095819, 9943247479481, -4776280847229, -8706738667965,
    8618426111197, -6432635400519, -472433122995, 14782816230715, -3822124654427, -16523360436459,
    -11904172309125, -13992827138433, -395246486923, -16527640493165, 7777019177409, -1826057420817,
    -11604091644595, -15295297741797, 2167527855869, -12970931006079, -17352436532987, 3040982216967,
    -12921691878559, -801389700759, 1958600835291, 4096567468465, -805074194989, -5366717736199,
    -2202801333169, -920543806891, 14502961933929, -14872985755225, -11177978677101, 4890946448559,
    13676657519293, 11645659587475, 1782453991683, 8000176000657, 16477308776529, 2285876575763,
    1887867395465, -15555872858331, 17195725375565, -3055403304485, 16847312971689, 1266227115747,
    3341716134253, 11123526237929, -3580283335397, -16170157486055, -11396441628265, 10123844616665,
    -6655535443275, -3307791890683, -2113789636179, 2282639795451, 1821564864025, -4622566472605,
    -13347992287787, -6189547473039, 12051179130145, 12909386875297, -4606980168187, 7113659477125,
    14619818177459, -589980252095, 11438443753979, 3876343376589, 7836460169763, -3741999034707,
    7974429962075, -11972653881917, 4679526913935, -1634664240947, -1846736411675, -3131217396005,
    10396719449033, 5406400313713, 1119077166069, 4921282450177, 15041118811827, 397307959025,
    -16879325865459, 12346181697397, -2544667639159, -12003668725283, -9109276133083, -14000341992059,
    -13411221547171, 7777260793213, -13947054646083, -1362628559679, -6679097974189, -8402926829087,
    -3642347204429, -8594050423325, 11367807809223, -1349706719677, 5403139751023, 25319380517,
};
static const long y_data[63] = {
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880, 9220176468001530880,
    9220176468001530880, 9220176468001530880, 9220176468001530880,
};
static const Expected y_expected[] = {
    {0, -0x1.6c312f70722p+43, 0x0p+0, 0x0p+0, 1, 0},
    {1, -0x1.6f045398a0cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {2, 0x1.00dd32ac1d6p+43, 0x0p+0, 0x0p+0, 1, 0},
    {3, 0x1.db740183d3ap+43, 0x0p+0, 0x0p+0, 1, 0},
    {4, 0x1.78c3177315p+40, 0x0p+0, 0x0p+0, 1, 0},
    {5, 0x1.3e7ee7ebaccp+42, 0x0p+0, 0x0p+0, 1, 0},
    {6, 0x1.2162f77c572p+43, 0x0p+0, 0x0p+0, 1, 0},
    {7, -0x1.86f8e28373p+40, 0x0p+0, 0x0p+0, 1, 0},
    {8, 0x1.39dfd712692p+43, 0x0p+0, 0x0p+0, 1, 0},
    {9, 0x1.f5a88e85374p+42, 0x0p+0, 0x0p+0, 1, 0},
    {10, -0x1.766dbcac51cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {11, 0x1.e6ef2df490ap+43, 0x0p+0, 0x0p+0, 1, 0},
    {12, 0x1.ae3c9053a76p+43, 0x0p+0, 0x0p+0, 1, 0},
    {13, 0x1.f226fc04c22p+43, 0x0p+0, 0x0p+0, 1, 0},
    {14, -0x1.494c9a272ecp+42, 0x0p+0, 0x0p+0, 1, 0},
    {15, -0x1.e6d8b0f48d8p+41, 0x0p+0, 0x0p+0, 1, 0},
    {16, -0x1.f7579bb31b4p+42, 0x0p+0, 0x0p+0, 1, 0},
    {17, 0x1.86b2149caap+39, 0x0p+0, 0x0p+0, 1, 0},
    {18, 0x1.f4bef0b7248p+41, 0x0p+0, 0x0p+0, 1, 0},
    {19, 0x1.d909612c386p+43, 0x0p+0, 0x0p+0, 1, 0},
    {20, 0x1.7232efdd9c6p+43, 0x0p+0, 0x0p+0, 1, 0},
    {21, 0x1.d1abe983a44p+42, 0x0p+0, 0x0p+0, 1, 0},
    {22, 0x1.df8d845e0a2p+43, 0x0p+0, 0x0p+0, 1, 0},
    {23, 0x1.0a1c6e3f098p+41, 0x0p+0, 0x0p+0, 1, 0},
    {24, 0x1.b78daa5d89p+40, 0x0p+0, 0x0p+0, 1, 0},
    {25, -0x1.c4bc48d41b6p+43, 0x0p+0, 0x0p+0, 1, 0},
    {26, 0x1.f476234909ap+43, 0x0p+0, 0x0p+0, 1, 0},
    {27, -0x1.63b21d43128p+41, 0x0p+0, 0x0p+0, 1, 0},
    {28, 0x1.ea52435cf52p+43, 0x0p+0, 0x0p+0, 1, 0},
    {29, 0x1.c805b500dbp+40, 0x0p+0, 0x0p+0, 1, 0},
    {30, 0x1.dce73970d88p+41, 0x0p+0, 0x0p+0, 1, 0},
    {31, 0x1.43bcba8fdd2p+43, 0x0p+0, 0x0p+0, 1, 0},
    {32, -0x1.a0ccc219728p+41, 0x0p+0, 0x0p+0, 1, 0},
    {33, -0x1.00709871d88p+41, 0x0p+0, 0x0p+0, 1, 0},
    {34, -0x1.aca95f8b56p+39, 0x0p+0, 0x0p+0, 1, 0},
    {35, 0x1.a6177c9dcd2p+43, 0x0p+0, 0x0p+0, 1, 0},
    {36, -0x1.836734db52cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {37, -0x1.8113e15c7d8p+41, 0x0p+0, 0x0p+0, 1, 0},
    {38, 0x1.1cb0c80b2bcp+42, 0x0p+0, 0x0p+0, 1, 0},
    {39, 0x1.8e0b0a0557ap+43, 0x0p+0, 0x0p+0, 1, 0},
    {40, 0x1.52eeece4726p+43, 0x0p+0, 0x0p+0, 1, 0},
    {41, 0x1.9f02897903p+40, 0x0p+0, 0x0p+0, 1, 0},
    {42, 0x1.1e74d2b4c04p+42, 0x0p+0, 0x0p+0, 1, 0},
    {43, 0x1.b5c11166d66p+43, 0x0p+0, 0x0p+0, 1, 0},
    {44, 0x1.5ebc4809a42p+43, 0x0p+0, 0x0p+0, 1, 0},
    {45, 0x1.77b66d68342p+43, 0x0p+0, 0x0p+0, 1, 0},
    {46, 0x1.675238c7eeap+43, 0x0p+0, 0x0p+0, 1, 0},
    {47, 0x1.9e11c95b214p+42, 0x0p+0, 0x0p+0, 1, 0},
    {48, 0x1.a97e2236766p+43, 0x0p+0, 0x0p+0, 1, 0},
    {49, -0x1.12bb206f7ep+39, 0x0p+0, 0x0p+0, 1, 0},
    {50, 0x1.4ce70c0e3f6p+43, 0x0p+0, 0x0p+0, 1, 0},
    {51, 0x1.c34408f5668p+41, 0x0p+0, 0x0p+0, 1, 0},
    {52, 0x1.c8245b2e88cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {53, -0x1.b3a042f8a98p+41, 0x0p+0, 0x0p+0, 1, 0},
    {54, 0x1.d02c442bd6cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {55, -0x1.84c650c76b4p+42, 0x0p+0, 0x0p+0, 1, 0},
    {56, 0x1.10626285e3cp+42, 0x0p+0, 0x0p+0, 1, 0},
    {57, -0x1.7c9994d733p+40, 0x0p+0, 0x0p+0, 1, 0},
    {58, -0x1.adfa115c1bp+40, 0x0p+0, 0x0p+0, 1, 0},
    {59, 0x1.4ad8c4aed8ep+43, 0x0p+0, 0x0p+0, 1, 0},
    {60, 0x1.2e9598a0792p+43, 0x0p+0, 0x0p+0, 1, 0},
    {61, 0x1.3ab1a47e5c4p+42, 0x0p+0, 0x0p+0, 1, 0},
    {62, 0x1.048e326bf5p+40, 0x0p+0, 0x0p+0, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[505];
    static char gaps[504];
    long *x = (long *)(void *)place(1008, 0, 0);
    memcpy(x, x_data, 1008);
    long *y = (long *)(void *)place(504, 0, 0);
    memcpy(y, y_data, 504);
    memcpy(y, y_data, 504);
    {
    void *made = session();
    const char *const input_names[] = {"x", NULL};
    void *inputs[] = {tensor(x, 1008, (const long[]){3, 2, 21, 0}, 3, 7), NULL};
    const char *const output_names[] = {"y", NULL};
    void *outputs[] = {tensor(y, 504, (const long[]){3, 21, 0}, 2, 7), NULL};
    run(made, input_names, inputs, 1, output_names, outputs, 1);
    }
    memcpy(y_first, y, 504);
    if (memcmp(x, x_data, 1008) != 0) {
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
