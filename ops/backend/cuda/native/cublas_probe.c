/* How the device's matrix unit adds, found out by products of binary16 that are powers of
 * two (after Fasi, Higham, Mikaitis and Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ
 * Computer Science 7, 2021): 1 and terms that are lost beside it unless they are added together.
 */
#include <math.h>
#include <stdlib.h>

#include "cublas.h"

enum { SIDE = 16, DEPTH = 64, TYPE_HALF = 2, TYPE_SINGLE = 0, COMPUTE_SINGLE = 68 };
enum { LAST_BIT = 23, KEPT_MAX = 28 };

typedef int GemmEx(void *handle, int ta, int tb, int m, int n, int k, const void *alpha,
                   const void *a, int a_type, int lda, const void *b, int b_type, int ldb,
                   const void *beta, void *c, int c_type, int ldc, int compute, int algorithm);

typedef struct Probe {
    const CublasLibrary *library;
    void *handle;
    GemmEx *gemm_ex;
    void *a, *b, *c; /* on the device */
    bool failed;
} Probe;

/* The sum of terms, each as a product of two numbers of binary16. */
static double sum(Probe *probe, const double *terms)
{
    uint16_t a[SIDE * DEPTH], b[DEPTH * SIDE];
    float c[SIDE * SIDE], one = 1, zero = 0;
    const CudaRuntime *cuda = &probe->library->cuda;
    for (int k = 0; k < DEPTH; k++) {
        int exponent = terms[k] > 0 ? ilogb(terms[k]) / 2 : 0;
        for (int i = 0; i < SIDE; i++) {
            dtype_store(DT_F16, a, k * SIDE + i, ldexp(terms[k], -exponent));
            dtype_store(DT_F16, b, i * DEPTH + k, ldexp(1, exponent));
        }
    }
    probe->failed = probe->failed || cuda->copy(probe->a, a, sizeof a, COPY_TO_DEVICE) ||
                    cuda->copy(probe->b, b, sizeof b, COPY_TO_DEVICE) ||
                    probe->gemm_ex(probe->handle, 0, 0, SIDE, SIDE, DEPTH, &one, probe->a,
                                   TYPE_HALF, SIDE, probe->b, TYPE_HALF, DEPTH, &zero, probe->c,
                                   TYPE_SINGLE, SIDE, COMPUTE_SINGLE, -1) ||
                    cuda->synchronise() || cuda->copy(c, probe->c, sizeof c, COPY_FROM_DEVICE);
    return probe->failed ? 0 : c[0];
}

/* 1, and one term at each of two places. */
static double beside_one(Probe *probe, double term, int first, int second)
{
    double terms[DEPTH] = {1};
    terms[first] = terms[second] = term;
    return sum(probe, terms);
}

/* Two halves of the last bit count when they are added together, and are lost one after the other:
 * the first place where they are is the first of the next step. */
static int find_step(Probe *probe)
{
    const double half = ldexp(1, -LAST_BIT - 1);
    double before[DEPTH] = {half, half, 1};
    if (!(beside_one(probe, half, 1, 2) > 1) || !(sum(probe, before) > 1))
        return 0;
    for (int place = 2; place < DEPTH; place++)
        if (!(beside_one(probe, half, 1, place) > 1))
            return place;
    return DEPTH;
}

/* 2^n terms of 2^-(LAST_BIT + n) add up to the last bit where they are kept. */
static int find_kept(Probe *probe, int step)
{
    int kept = LAST_BIT;
    for (int bits = LAST_BIT + 1; bits <= KEPT_MAX; bits++) {
        double terms[DEPTH] = {1};
        int count = 1 << (bits - LAST_BIT);
        if (count >= step)
            break;
        for (int i = 1; i <= count; i++)
            terms[i] = ldexp(1, -bits);
        if (sum(probe, terms) > 1)
            kept = bits;
        else
            break;
    }
    return kept;
}

void cublas_probe(const CublasLibrary *library, void *handle, BackendFacts *facts)
{
    Probe probe = {.library = library, .handle = handle};
    double three_quarters[DEPTH] = {1, ldexp(1.5, -LAST_BIT - 1)};
    *(void **)&probe.gemm_ex = library->gemm_ex;
    if (!probe.gemm_ex || library->cuda.allocate(&probe.a, sizeof(uint16_t) * SIDE * DEPTH) ||
        library->cuda.allocate(&probe.b, sizeof(uint16_t) * SIDE * DEPTH) ||
        library->cuda.allocate(&probe.c, sizeof(float) * SIDE * SIDE))
        return;
    int step = find_step(&probe), kept = step ? find_kept(&probe, step) : LAST_BIT;
    /* A unit that keeps no more than the last bit shows by what it cuts off. */
    if (step == 0 && sum(&probe, three_quarters) == 1)
        step = 1;
    if (probe.failed)
        return;
    facts->step = step;
    facts->kept = step ? kept : 0;
    cuda_describe_unit(facts);
}
