/* Each check feeds values through volatile variables, so that the compiler cannot decide it. */
#include "selftest.h"

#include <math.h>
#include <string.h>

#include "product_kernel.h"
#include "random.h"
#include "wide.h"

/* gcc 12 deletes paired double -> float -> double conversions when it vectorises straight lines. */
__attribute__((noinline)) static void round_pair(double *pair)
{
    pair[0] = (float)pair[0];
    pair[1] = (float)pair[1];
}

static bool rounding_is_kept(void)
{
    volatile double fine = 1 + 0x1p-40;
    double pair[2] = {fine, -fine};
    round_pair(pair);
    return pair[0] == 1 && pair[1] == -1;
}

static bool transformations_are_exact(void)
{
    volatile double large = 0x1p60, small = 0x1.8p-3, odd = 1 + 0x1p-52;
    Wide sum = wide_two_sum(large, small), product = wide_two_product(odd, odd);
    return sum.high == 0x1p60 && sum.low == 0x1.8p-3 && product.high == 1 + 0x1p-51 &&
           product.low == 0x1p-104;
}

static bool rounding_is_to_nearest(void)
{
    volatile double one = 1, up = 0x1.8p-53, tie = 0x1p-53;
    return one + up == 1 + 0x1p-52 && one + tie == 1 && -one - up == -1 - 0x1p-52 &&
           nearbyint(one + one / 2) == 2 && nearbyint(one / 2) == 0;
}

static bool subnormals_survive(void)
{
    volatile double tiny = 0x1p-1074, normal = 0x1p-1022;
    volatile float tiny32 = 0x1p-149f;
    return tiny != 0 && tiny + tiny == 0x1p-1073 && normal / 2 != 0 && tiny32 + tiny32 == 0x1p-148f;
}

/* The compiler contracts no product and sum: a * b - a * b is 0 with separate roundings, but not
 * with a fused multiply-add. */
static bool nothing_is_contracted(void)
{
    volatile double x = 1 + 0x1p-30, y = 1 + 0x1p-31;
    double product = x * y;
    return x * y - product == 0;
}

static bool kernels_agree(void)
{
    enum { DEPTH = 37 };
    double left[DEPTH], right[DEPTH * PRODUCT_LANES], results[3][3 * PRODUCT_LANES];
    for (int i = 0; i < DEPTH; i++)
        left[i] = random_unit(random_at(1, (uint64_t)i)) - 0.5;
    for (int i = 0; i < DEPTH * PRODUCT_LANES; i++)
        right[i] = random_unit(random_at(2, (uint64_t)i)) - 0.5;
    Arena arena;
    if (!arena_init(&arena, 1 << 16))
        return false;
    for (int level = 0; level < 3; level++) {
        ProductInput input = {.rows = 1,
                              .depth = DEPTH,
                              .stride = PRODUCT_LANES,
                              .left = left,
                              .right = right,
                              .precision = PRODUCT_WIDE};
        Product product;
        arena_reset(&arena);
        product_force_isa(level);
        product_compute(&product, &input, &arena);
        memcpy(results[level], product.high, sizeof results[0] / 3);
        memcpy(results[level] + PRODUCT_LANES, product.low, sizeof results[0] / 3);
        memcpy(results[level] + 2 * PRODUCT_LANES, product.magnitude, sizeof results[0] / 3);
    }
    arena_release(&arena);
    return memcmp(results[0], results[1], sizeof results[0]) == 0 &&
           memcmp(results[0], results[2], sizeof results[0]) == 0;
}

const char *selftest_run(void)
{
    if (!rounding_is_kept())
        return "roundings to binary32 are removed by this compiler";
    if (!transformations_are_exact())
        return "error-free transformations are not error free";
    if (!rounding_is_to_nearest())
        return "the rounding mode is not to nearest";
    if (!subnormals_survive())
        return "subnormal numbers are flushed to zero";
    if (!nothing_is_contracted())
        return "multiplications and additions are contracted";
    if (!kernels_agree())
        return "the instruction sets of this machine give different reference products";
    return NULL;
}
