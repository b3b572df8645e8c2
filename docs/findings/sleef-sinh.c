/* sinh on sleef
 *
 * sinh/1 dtype=f32 shape=294 | x=exponents:2f46 y=ones
 *
 * library: SLEEF 3.5.1 
 * build:   cc -O1 -o reproducer reproducer.c /lib/x86_64-linux-gnu/libsleef.so.3 -Wl,-rpath,/lib/x86_64-linux-gnu -lm
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

float Sleef_sinhf1_u10purec(float);

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

static const float x_data[294] = {
    0x1.93f5a2p+16f, 0x1.7a1422p+10f, -0x1.19cb08p+0f, 0x1.573b56p-2f, -0x1.d875a2p+11f, -0x1.9483a6p-9f,
    -0x1.580152p-2f, -0x1.08ee6cp+11f, -0x1.c283dcp-8f, 0x1.12909ap+8f, 0x1.894f5ap-2f, 0x1.819c92p+0f,
    0x1.27cebep-16f, -0x1.9d73fcp+15f, 0x1.85dd08p+0f, 0x1.202502p-2f, 0x1.6676fcp-17f, 0x1.5e19eap+3f,
    -0x1.e8c754p-7f, -0x1.1dd4b8p+4f, -0x1.8e6d3ep+8f, -0x1.a2a9c8p+2f, 0x1.1bed9ep+4f, 0x1.e0035cp-15f,
    0x1.44b6aap+15f, -0x1.7f4dbep-17f, -0x1.29cacap-2f, 0x1.95b47ap+15f, 0x1.de87d6p+9f, -0x1.ed79c6p-16f,
    0x1.cf04fap-13f, -0x1.486e9ap+0f, 0x1.c010b4p+8f, 0x1.287448p-11f, 0x1.486e7p-10f, -0x1.d8d18cp-4f,
    -0x1.a3610ep-17f, -0x1.04ec1ep+6f, -0x1.0e934cp-10f, 0x1.8575e8p+1f, 0x1.ee214ep+14f, -0x1.bb884cp+13f,
    0x1.72ce44p+0f, -0x1.266f1p-14f, -0x1.9bb3cap+0f, 0x1.a1efbp+12f, 0x1.74406cp-2f, 0x1.4f0858p-4f,
    0x1.4963f2p-1f, 0x1.1eb7fcp-2f, -0x1.249646p-5f, -0x1.f76272p+13f, -0x1.625fdap+6f, 0x1.3a7d2p-5f,
    -0x1.bb0f5ep-5f, 0x1.cf25dep-15f, -0x1.12c7c6p-2f, -0x1.26c2e4p-8f, -0x1.3946bap+4f, 0x1.7e16ap-13f,
    -0x1.fc136cp+5f, -0x1.ebb7bcp-6f, 0x1.15c4fcp+1f, 0x1.3035bcp-4f, -0x1.0c52bep-11f, 0x1.ff2d36p-2f,
    0x1.536b5ep+3f, 0x1.191b5p+5f, 0x1.37869cp+15f, 0x1.4fcc28p+6f, -0x1.af5dbep-17f, -0x1.b676aap-13f,
    -0x1.350b9cp+4f, 0x1.a18da6p+8f, 0x1.9cb506p-9f, 0x1.91bf46p+1f, -0x1.114ee8p+11f, 0x1.926d82p-3f,
    -0x1.1b5ff2p+16f, 0x1.642156p-12f, -0x1.e5755ap+4f, -0x1.53a78cp-1f, 0x1.b7f15p+0f, -0x1.4368c4p+0f,
    0x1.33eb22p-3f, 0x1.20d4e8p+4f, 0x1.848ff6p+10f, -0x1.6a7a7ep-10f, -0x1.8093e6p-6f, -0x1.6062d4p+6f,
    0x1.7c2a92p-15f, 0x1.f40558p+0f, 0x1.521648p-8f, -0x1.b899c6p-1f, -0x1.138868p+8f, 0x1.c6be38p+8f,
    -0x1.08a3d8p+8f, 0x1.887b3ap-13f, 0x1.8b79dcp+14f, -0x1.52eefap+17f, -0x1.0e9fc2p-3f, -0x1.5aaaa4p-14f,
    -0x1.0e2d36p+5f, 0x1.f89414p+15f, -0x1.9a77eap-16f, 0x1.15cc24p+7f, 0x1.6bdbp-8f, -0x1.71238ep-6f,
    0x1.2e5a7p+13f, 0x1.03c258p+3f, 0x1.520136p+7f, -0x1.61cc14p+1f, 0x1.62e74p-14f, -0x1.0805f8p-19f,
    0x1.397c06p-4f, 0x1.7102c2p+4f, 0x1.a67c54p-5f, 0x1.f0a006p+3f, -0x1.08d9a8p-5f, -0x1.27e8bcp+14f,
    -0x1.f1d72cp+6f, 0x1.009646p-8f, -0x1.8139p-6f, 0x1.1319aap-12f, 0x1.9f4a6ep-1f, -0x1.411f96p-1f,
    0x1.2d3f5p-7f, 0x1.06bp+10f, 0x1.66de9ep+15f, -0x1.e79d0ep+3f, 0x1.edf658p+5f, -0x1.68dfc8p-3f,
    -0x1.29790cp-8f, 0x1.628164p+2f, 0x1.971958p-15f, -0x1.350ebep+12f, -0x1.8202a2p+14f, 0x1.5e091p-14f,
    -0x1.80546ap+2f, -0x1.77deb8p-13f, -0x1.16e54ep-10f, -0x1.721dcap-8f, 0x1.44bf1p+10f, 0x1.4adc72p-12f,
    -0x1.c6a4a8p-2f, 0x1.170e24p-11f, 0x1.89c162p-10f, -0x1.55c256p-2f, -0x1.99bd68p+13f, 0x1.e9ade6p+0f,
    -0x1.e68cbep-7f, 0x1.44b206p+15f, -0x1.c23a38p-16f, -0x1.080404p+5f, -0x1.3954fp+0f, 0x1.2bd56cp-12f,
    -0x1.283ee2p-1f, -0x1.1347fp-4f, -0x1.3fa352p-5f, 0x1.192c64p-11f, -0x1.d8b556p+9f, -0x1.79f5ep-11f,
    0x1.3cdd24p-1f, -0x1.21a38ep+7f, 0x1.f9a092p-5f, 0x1.51c3eap-17f, -0x1.baec5cp+8f, 0x1.2d816p-11f,
    -0x1.e87c06p+15f, -0x1.9937ep+6f, 0x1.35f0f8p+14f, -0x1.42df6ep+2f, -0x1.6f638cp-5f, 0x1.548c5cp-7f,
    0x1.7caf7p+7f, 0x1.deb75cp+1f, -0x1.deba58p+1f, 0x1.b886eep-17f, 0x1.ce1bd2p-2f, 0x1.81310ep-3f,
    0x1.8dadb2p-14f, 0x1.17038ep+9f, -0x1.b909fep+0f, 0x1.3a481cp+5f, 0x1.d40e4p+4f, 0x1.c22e3ep+7f,
    0x1.061202p+12f, -0x1.7dc9aep+7f, 0x1.26d606p-7f, -0x1.f931bep+13f, 0x1.40199p+4f, 0x1.6eda9ep+5f,
    -0x1.34492ep-13f, 0x1.811976p-14f, -0x1.5b5aa8p-10f, 0x1.6e11f6p+14f, 0x1.19c53ap+14f, 0x1.0e9e1cp+9f,
    0x1.0561c6p+9f, 0x1.410816p+11f, -0x1.3dd122p+4f, -0x1.6fcad4p-11f, 0x1.4485aap-21f, 0x1.a30c4p-16f,
    0x1.6f9bbp-10f, 0x1.fd399cp+9f, 0x1.8f04d2p+9f, 0x1.6debf4p-8f, 0x1.2d09bep-11f, 0x1.44669ep-6f,
    0x1.5d546ep+13f, -0x1.9bbd8cp-3f, 0x1.5a8fd4p+10f, -0x1.762788p+9f, -0x1.070c4p+11f, 0x1.a61d58p+5f,
    -0x1.67799p-9f, -0x1.2015f4p+3f, -0x1.3e2f9cp+9f, -0x1.05c6dcp+2f, -0x1.f1a2cp-4f, -0x1.b2fe68p-15f,
    0x1.3e47c8p-9f, -0x1.73511cp+15f, 0x1.47c4cp+10f, -0x1.5aa744p+13f, -0x1.5ea63cp+6f, -0x1.c439e6p-6f,
    -0x1.733e7cp-6f, 0x1.3a3a46p+14f, -0x1.1221e8p+6f, 0x1.13282ap+16f, -0x1.d2b7a4p-14f, -0x1.552304p+7f,
    0x1.d705e4p-7f, 0x1.001a24p-8f, -0x1.9a0b34p+0f, 0x1.11cd04p-12f, 0x1.7ef784p-14f, -0x1.460dfcp+13f,
    0x1.35e2d4p-6f, -0x1.58dd54p+14f, -0x1.dfea2ap-6f, -0x1.b90092p+10f, 0x1.b802d6p-20f, 0x1.55d4bcp-10f,
    -0x1.dd0e4ep-4f, -0x1.43f53cp-7f, -0x1.bc90c2p+3f, 0x1.1ba69cp-3f, -0x1.36c19cp-14f, 0x1.e696e6p-5f,
    0x1.84af24p+6f, 0x1.20df8p-12f, -0x1.ee8a6p-13f, 0x1.4de42ep+12f, -0x1.12005ep+0f, 0x1.a7842ep-16f,
    0x1.a5ecacp-12f, 0x1.407904p+5f, 0x1.06089p-13f, -0x1.67167cp+6f, -0x1.8a2e1cp-14f, 0x1.5f094ap-6f,
    0x1.2f07b4p+9f, 0x1.92cdep+9f, -0x1.aedc2ap-13f, 0x1.49fa22p-10f, 0x1.80e3e8p+15f, 0x1.9aae04p-7f,
    -0x1.244126p-16f, 0x1.4e9842p+11f, -0x1.44643cp+8f, 0x1.561a08p-14f, -0x1.886976p-5f, 0x1.d9080cp+3f,
    -0x1.315906p-7f, -0x1.4a2302p-12f, 0x1.1edaaep-2f, -0x1.05727ap+9f, -0x1.d27638p+4f, 0x1.ab89c6p+2f,
    0x1.a6db92p-9f, 0x1.943abep-1f, 0x1.12629p-17f, -0x1.ff68p-14f, -0x1.80fd92p+8f, -0x1.49e838p-2f,
    -0x1.88366cp-13f, -0x1.c74304p+4f, -0x1.196804p+1f, -0x1.89b994p-10f, 0x1.3ada24p-14f, 0x1.6513aap+6f,
};
static const float y_data[294] = {
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
    NAN, NAN, NAN, NAN, NAN, NAN,
};
static const Expected y_expected[] = {
    {0, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {1, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {2, -0x1.563f7e9560c17p+0, 0x1.3p-55, 0x1.000000000659p-21, 1, 0},
    {3, 0x1.5db1ed41818p-2, 0x1.f2p-58, 0x1.000000000676cp-23, 1, 0},
    {4, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {5, -0x1.9483d01557c55p-9, -0x1.18p-65, 0x1.0000000007521p-30, 1, 0},
    {6, -0x1.5e8329bda86ep-2, 0x1.0d8p-56, 0x1.00000000067a1p-23, 1, 0},
    {7, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {8, -0x1.c284c48a43233p-8, -0x1.2fp-63, 0x1.00000000080a1p-29, 1, 0},
    {9, INFINITY, 0x0p+0, 0x1.14ec97e4f6319p+336, 2, 0},
    {10, 0x1.930d5a3543a84p-2, -0x1.128p-56, 0x1.00000000074c3p-23, 1, 0},
    {11, 0x1.1272e1d4df1a3p+1, 0x1.e8p-55, 0x1.000000000549dp-20, 1, 0},
    {12, 0x1.27cebe0041d37p-16, -0x1.37p-71, 0x1.00000000059f4p-37, 1, 0},
    {13, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {14, 0x1.17843495fa353p+1, 0x1.3cp-53, 0x1.00000000055e1p-20, 1, 0},
    {15, 0x1.23f655607342bp-2, -0x1.5c8p-56, 0x1.00000000058fep-23, 1, 0},
    {16, 0x1.6676fc001d49p-17, 0x1.b3p-72, 0x1.000000000699ep-38, 1, 0},
    {17, 0x1.b8d184ce7af21p+14, 0x1.b8p-40, 0x1.0000000007e34p-7, 1, 0},
    {18, -0x1.e8cbf7dfa9617p-7, 0x1.2cp-61, 0x1.0000000008a33p-28, 1, 0},
    {19, -0x1.b56fb4e854e09p+24, -0x1.b4p-31, 0x1.0000000007d5cp+3, 1, 0},
    {20, -INFINITY, 0x0p+0, 0x1.c04842c25db9p+514, 4, 0},
    {21, -0x1.5ab382ff95eb5p+8, -0x1.67p-46, 0x1.00000000066adp-13, 1, 0},
    {22, 0x1.8463d5c29423bp+24, -0x1.5bp-30, 0x1.0000000007119p+3, 1, 0},
    {23, 0x1.e0035c046517ap-15, -0x1.e8p-72, 0x1.0000000008801p-36, 1, 0},
    {24, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {25, -0x1.7f4dbe0023cdfp-17, -0x1.2c8p-71, 0x1.0000000006fd3p-38, 1, 0},
    {26, -0x1.2e01e59179aedp-2, -0x1.ca8p-56, 0x1.0000000005b8p-23, 1, 0},
    {27, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {28, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {29, -0x1.ed79c601319bep-16, -0x1.1b8p-70, 0x1.0000000008b5ep-37, 1, 0},
    {30, 0x1.cf04fa3f1c784p-13, -0x1.248p-67, 0x1.00000000083c1p-34, 1, 0},
    {31, -0x1.aa3d69d8617cdp+0, 0x1.c4p-56, 0x1.0000000007a8fp-21, 1, 0},
    {32, INFINITY, 0x0p+0, 0x1.56de31e857676p+586, 2, 0},
    {33, 0x1.2874490908ba5p-11, 0x1.1fp-65, 0x1.0000000005a1dp-32, 1, 0},
    {34, 0x1.486e75a186f58p-10, 0x1.1cp-66, 0x1.000000000621cp-31, 1, 0},
    {35, -0x1.d9de8a511316ep-4, 0x1.adp-58, 0x1.0000000008678p-25, 1, 0},
    {36, -0x1.a3610e002ee53p-17, -0x1.dp-73, 0x1.00000000078d8p-38, 1, 0},
    {37, -0x1.13de6e99f14efp+93, 0x1.58p+39, 0x1.00000000054f8p+72, 1, 0},
    {38, -0x1.0e934f2608d72p-10, 0x1.4p-64, 0x1.00000000053a5p-31, 1, 0},
    {39, 0x1.4e9c998c28078p+3, 0x1.df8p-51, 0x1.00000000063a7p-18, 1, 0},
    {40, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {41, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {42, 0x1.0162410cca491p+1, 0x1.98p-55, 0x1.0000000005059p-20, 1, 0},
    {43, -0x1.266f10040e9bdp-14, -0x1.27p-68, 0x1.000000000599cp-35, 1, 0},
    {44, -0x1.32cad32cb6915p+1, -0x1.f8p-53, 0x1.0000000005cb3p-20, 1, 0},
    {45, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {46, 0x1.7c81449e4cad3p-2, -0x1.6ep-56, 0x1.0000000006f2p-23, 1, 0},
    {47, 0x1.4f68037de59dcp-4, 0x1.9cp-60, 0x1.00000000063dap-25, 1, 0},
    {48, 0x1.60964787c23dfp-1, 0x1.1cp-56, 0x1.0000000006826p-22, 1, 0},
    {49, 0x1.227ad5d883863p-2, -0x1.4fp-57, 0x1.000000000589fp-23, 1, 0},
    {50, -0x1.24a63302204fbp-5, 0x1.acp-60, 0x1.000000000592ap-26, 1, 0},
    {51, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {52, -0x1.c1ede96c2c20cp+126, -0x1.55p+71, 0x1.000000000807bp+105, 1, 0},
    {53, 0x1.3a90e6dd0efdbp-5, -0x1.408p-59, 0x1.0000000005ea4p-26, 1, 0},
    {54, -0x1.bb46abf045383p-5, -0x1.18p-61, 0x1.0000000007ed2p-26, 1, 0},
    {55, 0x1.cf25de03f29ecp-15, 0x1.a7p-70, 0x1.00000000083c9p-36, 1, 0},
    {56, -0x1.161704e3fcc6ep-2, 0x1.ae8p-56, 0x1.0000000005586p-23, 1, 0},
    {57, -0x1.26c3252143154p-8, -0x1.c9p-63, 0x1.00000000059b1p-29, 1, 0},
    {58, -0x1.2ff01e6ea7196p+27, -0x1.008p-27, 0x1.0000000005bfcp+6, 1, 0},
    {59, 0x1.7e16a023770c2p-13, -0x1.8ap-69, 0x1.0000000006f86p-34, 1, 0},
    {60, -0x1.8ac17c3d55ba9p+90, 0x1.66p+35, 0x1.00000000072bp+69, 1, 0},
    {61, -0x1.ebcaa1e3a2ecap-6, -0x1.62p-62, 0x1.0000000008af3p-27, 1, 0},
    {62, 0x1.14a1e5c6954edp+2, -0x1.8bp-52, 0x1.0000000005528p-19, 1, 0},
    {63, 0x1.307d59a2aed4dp-4, -0x1.58p-58, 0x1.0000000005c1fp-25, 1, 0},
    {64, -0x1.0c52bec484bf9p-11, 0x1.1p-69, 0x1.0000000005315p-32, 1, 0},
    {65, 0x1.0a562e2abbedcp-1, 0x1.46p-55, 0x1.0000000005296p-22, 1, 0},
    {66, 0x1.3bb5ec2a8bf48p+14, -0x1.3p-41, 0x1.0000000005eedp-7, 1, 0},
    {67, 0x1.9e1e980e93b56p+49, 0x1.5bp-5, 0x1.0000000007788p+28, 1, 0},
    {68, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {69, 0x1.14ec51cfc0462p+120, -0x1.808p+66, 0x1.000000000553bp+99, 1, 0},
    {70, -0x1.af5dbe0033085p-17, -0x1.f8p-72, 0x1.0000000007bd7p-38, 1, 0},
    {71, -0x1.b676aa3597d88p-13, 0x1.ecp-69, 0x1.0000000007d9ep-34, 1, 0},
    {72, -0x1.d2a16d8253f45p+26, -0x1.998p-28, 0x1.00000000084a8p+5, 1, 0},
    {73, INFINITY, 0x0p+0, 0x1.5248faa85ec7ep+542, 2, 0},
    {74, 0x1.9cb532b1499dcp-9, -0x1.3fp-63, 0x1.000000000772dp-30, 1, 0},
    {75, 0x1.707837357ca32p+3, 0x1.fdp-51, 0x1.0000000006c1ep-18, 1, 0},
    {76, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {77, 0x1.9505c1c9611cep-3, -0x1.a8p-58, 0x1.0000000007541p-24, 1, 0},
    {78, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {79, 0x1.64215672ddf41p-12, 0x1.3b8p-66, 0x1.0000000006908p-33, 1, 0},
    {80, -0x1.b5774b147a7b5p+42, 0x1.ab8p-12, 0x1.0000000007d5ep+21, 1, 0},
    {81, -0x1.6d1f0372ceaa9p-1, 0x1.4p-62, 0x1.0000000006b48p-22, 1, 0},
    {82, 0x1.5967fd38d719ep+1, 0x1.5p-54, 0x1.000000000665ap-20, 1, 0},
    {83, -0x1.a090e0ee65196p+0, 0x1.bcp-54, 0x1.0000000007824p-21, 1, 0},
    {84, 0x1.3514746aceeb6p-3, -0x1.bp-59, 0x1.0000000005d45p-24, 1, 0},
    {85, 0x1.07d628b2c49e5p+25, -0x1.5fp-30, 0x1.00000000051f6p+4, 1, 0},
    {86, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {87, -0x1.6a7a8591eb2dap-10, 0x1.5ep-66, 0x1.0000000006a9fp-31, 1, 0},
    {88, -0x1.809cf07a8066dp-6, -0x1.e2p-61, 0x1.0000000007027p-27, 1, 0},
    {89, -0x1.11b0bab64613p+126, 0x1.588p+72, 0x1.000000000546cp+105, 1, 0},
    {90, 0x1.7c2a92022eeb8p-15, 0x1.7ep-70, 0x1.0000000006f0bp-36, 1, 0},
    {91, 0x1.ba345014352ebp+1, 0x1.bp-58, 0x1.0000000007e8dp-20, 1, 0},
    {92, 0x1.5216aa4716dcbp-8, -0x1.1p-67, 0x1.0000000006486p-29, 1, 0},
    {93, -0x1.f107df1d3adb8p-1, -0x1.6ap-56, 0x1.0000000008c42p-22, 1, 0},
    {94, -INFINITY, 0x0p+0, 0x1.6c8554a0f7046p+337, 4, 0},
    {95, INFINITY, 0x0p+0, 0x1.0a0bc286e4df7p+596, 2, 0},
    {96, -INFINITY, 0x0p+0, 0x1.bc212a338136bp+321, 4, 0},
    {97, 0x1.887b3a26703e9p-13, -0x1.848p-67, 0x1.000000000721fp-34, 1, 0},
    {98, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {99, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {100, -0x1.0f698d2235211p-3, 0x1.66p-58, 0x1.00000000053dap-24, 1, 0},
    {101, -0x1.5aaaa4069f36fp-14, 0x1.6p-69, 0x1.00000000066abp-35, 1, 0},
    {102, -0x1.a67fe3dd5f92ap+47, 0x1.78p-10, 0x1.00000000079ap+26, 1, 0},
    {103, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {104, -0x1.9a77ea00afe07p-16, 0x1.dc8p-70, 0x1.000000000769ep-37, 1, 0},
    {105, INFINITY, 0x0p+0, 0x1.4f1bb390dfbffp+140, 2, 0},
    {106, 0x1.6bdb7a8173ef8p-8, 0x1.23p-63, 0x1.0000000006af7p-29, 1, 0},
    {107, -0x1.712b8cc553c0dp-6, -0x1.65p-60, 0x1.0000000006c4bp-27, 1, 0},
    {108, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {109, 0x1.a31146c4f7b82p+10, -0x1.cbp-44, 0x1.00000000078c4p-11, 1, 0},
    {110, INFINITY, 0x0p+0, 0x1.c39762cb78fd9p+183, 2, 0},
    {111, -0x1.f99ff17c5d9a6p+2, -0x1.d28p-52, 0x1.0000000008e68p-19, 1, 0},
    {112, 0x1.62e740071af15p-14, -0x1.9ap-69, 0x1.00000000068bap-35, 1, 0},
    {113, -0x1.0805f80000bb4p-19, 0x1.d38p-73, 0x1.0000000005201p-40, 1, 0},
    {114, 0x1.39ca64743d967p-4, 0x1.0bp-58, 0x1.0000000005e73p-25, 1, 0},
    {115, 0x1.355b385cd50e4p+32, -0x1.fp-22, 0x1.0000000005d57p+11, 1, 0},
    {116, 0x1.a6ac4797a2c13p-5, -0x1.2b8p-59, 0x1.00000000079abp-26, 1, 0},
    {117, 0x1.4f7341e942f04p+21, 0x1.4f8p-33, 0x1.00000000063ddp+0, 1, 0},
    {118, -0x1.08e577ef73943p-5, 0x1.6p-61, 0x1.0000000005239p-26, 1, 0},
    {119, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {120, -INFINITY, 0x0p+0, 0x1.78ec914bcaaacp+119, 4, 0},
    {121, 0x1.009670f5fbf6cp-8, 0x1.808p-62, 0x1.0000000005026p-29, 1, 0},
    {122, -0x1.814216246adf2p-6, 0x1.288p-60, 0x1.0000000007051p-27, 1, 0},
    {123, 0x1.1319aa34f271fp-12, 0x1.2p-69, 0x1.00000000054c6p-33, 1, 0},
    {124, 0x1.ce5978ff70b8dp-1, -0x1.64p-57, 0x1.0000000008396p-22, 1, 0},
    {125, -0x1.56984ac7440a9p-1, -0x1.aap-56, 0x1.00000000065a6p-22, 1, 0},
    {126, 0x1.2d4066197863dp-7, -0x1.68p-65, 0x1.0000000005b5p-28, 1, 0},
    {127, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {128, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {129, -0x1.fa3d1dc6b3828p+20, -0x1.64p-36, 0x1.0000000008e8fp-1, 1, 0},
    {130, 0x1.0e8652c7c5eefp+88, -0x1.52p+33, 0x1.00000000053a2p+67, 1, 0},
    {131, -0x1.6abe995d91de3p-3, 0x1.de8p-57, 0x1.0000000006abp-24, 1, 0},
    {132, -0x1.29794ef1a594fp-8, 0x1.168p-62, 0x1.0000000005a5ep-29, 1, 0},
    {133, 0x1.fce9fe3d0f435p+6, 0x1.a18p-48, 0x1.0000000008f3ap-15, 1, 0},
    {134, 0x1.97195802ae52dp-15, 0x1.6p-69, 0x1.00000000075c6p-36, 1, 0},
    {135, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {136, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {137, 0x1.5e091006d11e2p-14, -0x1.5dp-69, 0x1.0000000006782p-35, 1, 0},
    {138, -0x1.95829f92c93ebp+7, -0x1.92p-49, 0x1.0000000007561p-14, 1, 0},
    {139, -0x1.77deb821c2f2p-13, -0x1.2ap-67, 0x1.0000000006df8p-34, 1, 0},
    {140, -0x1.16e55172b3da6p-10, 0x1.f1p-65, 0x1.00000000055b9p-31, 1, 0},
    {141, -0x1.721e4af063bb2p-8, 0x1.9bp-63, 0x1.0000000006c88p-29, 1, 0},
    {142, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {143, 0x1.4adc725c1c1e3p-12, -0x1.04p-66, 0x1.00000000062b7p-33, 1, 0},
    {144, -0x1.d5ba5f633bc15p-2, 0x1.fap-56, 0x1.000000000856fp-23, 1, 0},
    {145, 0x1.170e24dd0df35p-11, -0x1.b48p-65, 0x1.00000000055c4p-32, 1, 0},
    {146, 0x1.89c16bb418a5cp-10, 0x1.268p-64, 0x1.000000000727p-31, 1, 0},
    {147, -0x1.5c23a4622ffbep-2, -0x1.52p-56, 0x1.0000000006709p-23, 1, 0},
    {148, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {149, 0x1.a7f693f9b33c1p+1, -0x1.d7p-53, 0x1.00000000079fep-20, 1, 0},
    {150, -0x1.e69151b2814dp-7, 0x1.dap-61, 0x1.00000000089a4p-28, 1, 0},
    {151, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {152, -0x1.c23a3800e8183p-16, 0x1.99p-70, 0x1.000000000808fp-37, 1, 0},
    {153, -0x1.873360b102676p+46, 0x1.f4p-9, 0x1.00000000071cdp+25, 1, 0},
    {154, -0x1.8da2f6a473df2p+0, 0x1.bfp-54, 0x1.0000000007369p-21, 1, 0},
    {155, 0x1.2bd56c448ce7cp-12, -0x1.38p-66, 0x1.0000000005af5p-33, 1, 0},
    {156, -0x1.390de25ce40eep-1, 0x1.88p-59, 0x1.0000000005e43p-22, 1, 0},
    {157, -0x1.137d003f83449p-4, -0x1.e9p-58, 0x1.00000000054dfp-25, 1, 0},
    {158, -0x1.3fb815a82c103p-5, -0x1.c4p-59, 0x1.0000000005feep-26, 1, 0},
    {159, 0x1.192c64e220644p-11, 0x1.7fp-66, 0x1.000000000564bp-32, 1, 0},
    {160, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {161, -0x1.79f5e2253f4bcp-11, -0x1.4bp-65, 0x1.0000000006e7dp-32, 1, 0},
    {162, 0x1.517b4486108e8p-1, 0x1.5ap-57, 0x1.000000000645fp-22, 1, 0},
    {163, -INFINITY, 0x0p+0, 0x1.e7d96e9d08235p+148, 4, 0},
    {164, 0x1.f9f2c5bcc963p-5, -0x1.f9p-59, 0x1.0000000008e7dp-26, 1, 0},
    {165, 0x1.51c3ea00187fdp-17, 0x1.6fp-72, 0x1.0000000006471p-38, 1, 0},
    {166, -INFINITY, 0x0p+0, 0x1.0092562e96aa2p+579, 4, 0},
    {167, 0x1.2d816116d0491p-11, -0x1.02p-67, 0x1.0000000005b6p-32, 1, 0},
    {168, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {169, -INFINITY, 0x0p+0, 0x1.0000304fb3507p+106, 4, 0},
    {170, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {171, -0x1.3670ce8525187p+6, -0x1.c5p-48, 0x1.0000000005d9cp-15, 1, 0},
    {172, -0x1.6f8313ccd58e6p-5, 0x1.b98p-59, 0x1.0000000006be1p-26, 1, 0},
    {173, 0x1.548dedc2af717p-7, -0x1.8ep-63, 0x1.0000000006523p-28, 1, 0},
    {174, INFINITY, 0x0p+0, 0x1.85bf957ebfe63p+214, 2, 0},
    {175, 0x1.509581acb75d7p+4, 0x1.798p-50, 0x1.0000000006425p-17, 1, 0},
    {176, -0x1.509d5d0542fd2p+4, 0x1.0ap-50, 0x1.0000000006427p-17, 1, 0},
    {177, 0x1.b886ee00365a7p-17, 0x1.ecp-71, 0x1.0000000007e22p-38, 1, 0},
    {178, 0x1.ddf43c1d06cbbp-2, 0x1.96p-56, 0x1.000000000877dp-23, 1, 0},
    {179, 0x1.8377767a9d0f7p-3, 0x1.a8p-60, 0x1.00000000070dep-24, 1, 0},
    {180, 0x1.8dadb209ff166p-14, 0x1.f9p-69, 0x1.000000000736bp-35, 1, 0},
    {181, INFINITY, 0x0p+0, 0x1.0b97defcf92bcp+745, 2, 0},
    {182, -0x1.5afcac73ac586p+1, 0x1.fp-57, 0x1.00000000066bfp-20, 1, 0},
    {183, 0x1.992d03cfef5fcp+55, 0x1.a3p+1, 0x1.000000000764bp+34, 1, 0},
    {184, 0x1.26da365bfb971p+41, 0x1.4ep-13, 0x1.00000000059b7p+20, 1, 0},
    {185, INFINITY, 0x0p+0, 0x1.aa9554bdf49f7p+264, 2, 0},
    {186, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {187, -INFINITY, 0x0p+0, 0x1.5230b04e23c23p+215, 4, 0},
    {188, 0x1.26d70ab7fe8c4p-7, -0x1.9e8p-61, 0x1.00000000059b6p-28, 1, 0},
    {189, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {190, 0x1.d196107e364acp+27, -0x1.6ap-27, 0x1.0000000008466p+6, 1, 0},
    {191, 0x1.1d7dac7db221bp+65, -0x1.068p+11, 0x1.000000000575fp+44, 1, 0},
    {192, -0x1.34492e12a0ce3p-13, -0x1.4p-74, 0x1.0000000005d12p-34, 1, 0},
    {193, 0x1.8119760913d8dp-14, 0x1.1p-70, 0x1.0000000007046p-35, 1, 0},
    {194, -0x1.5b5aaea95243p-10, -0x1.a18p-64, 0x1.00000000066d7p-31, 1, 0},
    {195, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {196, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {197, INFINITY, 0x0p+0, 0x1.c96bffd81ed8ap+720, 2, 0},
    {198, INFINITY, 0x0p+0, 0x1.23cc06cf578c2p+694, 2, 0},
    {199, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {200, -0x1.93ad396a1b98ep+27, -0x1.98p-30, 0x1.00000000074ebp+6, 1, 0},
    {201, -0x1.6fcad5fa19b61p-11, 0x1.78p-66, 0x1.0000000006bf3p-32, 1, 0},
    {202, 0x1.4485aa000015cp-21, -0x1.568p-75, 0x1.0000000006121p-42, 1, 0},
    {203, 0x1.a30c4000bb231p-16, 0x1.6p-71, 0x1.00000000078c3p-37, 1, 0},
    {204, 0x1.6f9bb7e55cdbcp-10, -0x1.5a8p-64, 0x1.0000000006be7p-31, 1, 0},
    {205, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {206, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {207, 0x1.6dec709ac4ee5p-8, 0x1.3fp-62, 0x1.0000000006b7bp-29, 1, 0},
    {208, 0x1.2d09bf1584e99p-11, -0x1.88p-67, 0x1.0000000005b42p-32, 1, 0},
    {209, 0x1.446c0b2194d23p-6, 0x1.81p-61, 0x1.000000000611bp-27, 1, 0},
    {210, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {211, -0x1.9e850cdcb8ae6p-3, 0x1.68p-60, 0x1.00000000077a1p-24, 1, 0},
    {212, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {213, -INFINITY, 0x0p+0, 0x1.7f10eab810081p+1019, 4, 0},
    {214, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {215, 0x1.16c0506b061b5p+75, 0x1.27p+21, 0x1.00000000055bp+54, 1, 0},
    {216, -0x1.6779ad8891c24p-9, -0x1.888p-63, 0x1.00000000069dep-30, 1, 0},
    {217, -0x1.fbcd3e8dd9566p+11, 0x1.038p-43, 0x1.0000000008ef3p-10, 1, 0},
    {218, -INFINITY, 0x0p+0, 0x1.109a2fe812518p+858, 4, 0},
    {219, -0x1.dde9228ed6b5fp+4, -0x1.f8p-53, 0x1.000000000877ap-17, 1, 0},
    {220, -0x1.f2dc62782d66ap-4, 0x1.73p-59, 0x1.0000000008cb7p-25, 1, 0},
    {221, -0x1.b2fe6803454b4p-15, 0x1.04p-70, 0x1.0000000007ccp-36, 1, 0},
    {222, 0x1.3e47dc7fd0dc9p-9, 0x1.e7p-64, 0x1.0000000005f92p-30, 1, 0},
    {223, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {224, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {225, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {226, -0x1.6297d5c52413cp+125, -0x1.d8p+69, 0x1.00000000068a6p+104, 1, 0},
    {227, -0x1.c4489954b5a62p-6, -0x1.a7p-60, 0x1.0000000008112p-27, 1, 0},
    {228, -0x1.73469dfd57c08p-6, -0x1.7a8p-60, 0x1.0000000006cd2p-27, 1, 0},
    {229, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {230, -0x1.d4a77dea1a03bp+97, 0x1.6fp+42, 0x1.000000000852ap+76, 1, 0},
    {231, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {232, -0x1.d2b7a41028aafp-14, 0x1.648p-68, 0x1.00000000084aep-35, 1, 0},
    {233, -INFINITY, 0x0p+0, 0x1.0e40ee714869bp+186, 4, 0},
    {234, 0x1.d70a0b108b803p-7, 0x1.bp-64, 0x1.00000000085c3p-28, 1, 0},
    {235, 0x1.001a4eb7c023ap-8, -0x1.7b8p-62, 0x1.0000000005007p-29, 1, 0},
    {236, -0x1.30a521b8bde0bp+1, -0x1.3bp-53, 0x1.0000000005c29p-20, 1, 0},
    {237, 0x1.11cd043433482p-12, 0x1.dcp-69, 0x1.0000000005473p-33, 1, 0},
    {238, 0x1.7ef78408ed741p-14, 0x1.08p-68, 0x1.0000000006fbep-35, 1, 0},
    {239, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {240, 0x1.35e78ee25f813p-6, -0x1.28p-64, 0x1.0000000005d7ap-27, 1, 0},
    {241, -INFINITY, 0x0p+0, 0x1.0000000001p+106, 4, 0},
    {242, -0x1.dffbbbcb5e741p-6, -0x1.d68p-60, 0x1.00000000087ffp-27, 1, 0},
    {243, -0x1.fffffep+127, 0x0p+0, INFINITY, 5, 0},
    {244, 0x1.b802d60000d8ap-20, 0x1.a18p-74, 0x1.0000000007e01p-41, 1, 0},
    {245, 0x1.55d4c25942d9fp-10, -0x1.bep-65, 0x1.0000000006575p-31, 1, 0},
    {246, -0x1.de229935f287ep-4, 0x1.5ep-58, 0x1.0000000008789p-25, 1, 0},
    {247, -0x1.43f695db72c21p-7, 0x1.b48p-61, 0x1.00000000060fep-28, 1, 0},
    {248, -0x1.07b96f9edcf25p+19, -0x1.b88p-35, 0x1.00000000051eep-2, 1, 0},
    {249, 0x1.1c8efd1ac5eb2p-3, -0x1.a2p-57, 0x1.0000000005724p-24, 1, 0},
    {250, -0x1.36c19c04c517bp-14, 0x1.0cp-71, 0x1.0000000005dbp-35, 1, 0},
    {251, 0x1.e6e028d823572p-5, 0x1.04p-62, 0x1.00000000089b8p-26, 1, 0},
    {252, INFINITY, 0x0p+0, 0x1.00000048eb992p+106, 2, 0},
    {253, 0x1.20df803d4ddcep-12, 0x1.38p-67, 0x1.0000000005838p-33, 1, 0},
    {254, -0x1.ee8a604ce5dcfp-13, 0x1.a5p-67, 0x1.0000000008ba3p-34, 1, 0},
    {255, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {256, -0x1.49656bb5453bcp+0, 0x1.62p-54, 0x1.0000000006259p-21, 1, 0},
    {257, 0x1.a7842e00c13p-16, 0x1.f58p-70, 0x1.00000000079e1p-37, 1, 0},
    {258, 0x1.a5ecacbf0477fp-12, -0x1.dfp-67, 0x1.000000000797bp-33, 1, 0},
    {259, 0x1.bb94708af7abap+56, -0x1.73p+1, 0x1.0000000007ee5p+35, 1, 0},
    {260, 0x1.0608900b7052bp-13, 0x1.5dp-68, 0x1.0000000005182p-34, 1, 0},
    {261, -INFINITY, 0x0p+0, 0x1.000000000c6bap+106, 4, 0},
    {262, -0x1.8a2e1c09bc249p-14, -0x1.acp-69, 0x1.000000000728cp-35, 1, 0},
    {263, 0x1.5f102a2bb68cp-6, 0x1.9fp-61, 0x1.00000000067c4p-27, 1, 0},
    {264, INFINITY, 0x0p+0, 0x1.488f99161b23cp+814, 2, 0},
    {265, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {266, -0x1.aedc2a32da649p-13, -0x1.35p-68, 0x1.0000000007bb7p-34, 1, 0},
    {267, 0x1.49fa27b5f9ca3p-10, 0x1.1cp-64, 0x1.000000000627fp-31, 1, 0},
    {268, INFINITY, 0x0p+0, 0x1.0000000001p+106, 2, 0},
    {269, 0x1.9ab0c4995e8bbp-7, -0x1.158p-61, 0x1.00000000076acp-28, 1, 0},
    {270, -0x1.244126003f7b7p-16, -0x1.58p-70, 0x1.000000000591p-37, 1, 0},
    {271, 0x1.fffffep+127, 0x0p+0, INFINITY, 3, 0},
    {272, -INFINITY, 0x0p+0, 0x1.ff507c05307aap+407, 4, 0},
    {273, 0x1.561a08065d2p-14, 0x1.f38p-68, 0x1.0000000006587p-35, 1, 0},
    {274, -0x1.888fe227653c8p-5, 0x1.13p-59, 0x1.0000000007224p-26, 1, 0},
    {275, 0x1.40f5f5b9e697fp+20, 0x1.72p-35, 0x1.000000000603dp-1, 1, 0},
    {276, -0x1.315a279c6202fp-7, 0x1.33p-62, 0x1.0000000005c57p-28, 1, 0},
    {277, -0x1.4a23025b81952p-12, 0x1.7ep-67, 0x1.0000000006289p-33, 1, 0},
    {278, 0x1.229ee676e1fc3p-2, -0x1.b8p-59, 0x1.00000000058a8p-23, 1, 0},
    {279, -INFINITY, 0x0p+0, 0x1.4c78797efd4efp+694, 4, 0},
    {280, -0x1.0ae54b1c30b09p+41, 0x1.6p-17, 0x1.00000000052b9p+20, 1, 0},
    {281, 0x1.8e45a3d1e582bp+8, -0x1.63p-47, 0x1.0000000007391p-13, 1, 0},
    {282, 0x1.a6dbc2126b8edp-9, 0x1.fcp-63, 0x1.00000000079b7p-30, 1, 0},
    {283, 0x1.bf8d6a22afa18p-1, 0x1.fc8p-55, 0x1.0000000007fe3p-22, 1, 0},
    {284, 0x1.126290000d224p-17, -0x1p-76, 0x1.0000000005499p-38, 1, 0},
    {285, -0x1.ff680015425bp-14, 0x1.bd8p-68, 0x1.0000000008fdap-35, 1, 0},
    {286, -INFINITY, 0x0p+0, 0x1.576fa8b91d00cp+495, 4, 0},
    {287, -0x1.4fa4dda64eac7p-2, -0x1.d78p-56, 0x1.00000000063e9p-23, 1, 0},
    {288, -0x1.88366c265c0aep-13, -0x1.358p-67, 0x1.000000000720ep-34, 1, 0},
    {289, -0x1.09129f132ad05p+40, 0x1.edp-15, 0x1.0000000005245p+19, 1, 0},
    {290, -0x1.1cd00bd6220a9p+2, 0x1.1cp-53, 0x1.0000000005734p-19, 1, 0},
    {291, -0x1.89b99db384f23p-10, 0x1.31p-64, 0x1.000000000726ep-31, 1, 0},
    {292, 0x1.3ada2404f603bp-14, -0x1.41p-69, 0x1.0000000005eb7p-35, 1, 0},
    {293, 0x1.ba1a36943543bp+127, 0x1.1ap+72, 0x1.0000000007e87p+106, 1, 0},
    {-1, 0, 0, 0, FINITE, 0},
};

/* Returns the number of things that are wrong. */
static int check(void)
{
    int bad = 0;
    static char y_first[1177];
    static char gaps[1176];
    float *x = (float *)(void *)place(1176, 0, 0);
    memcpy(x, x_data, 1176);
    float *y = (float *)(void *)place(1176, 0, 0);
    memcpy(y, y_data, 1176);
    memcpy(y, y_data, 1176);
    for (int i = 0; i < 294; i++)
        y[i] = Sleef_sinhf1_u10purec(x[i]);
    memcpy(y_first, y, 1176);
    if (memcmp(x, x_data, 1176) != 0) {
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
