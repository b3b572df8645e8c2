/* Integers of 64 bits that binary64 does not hold, around 2^53, 2^62 and the ends of the range:
 * what they are compared by, what two's complement leaves, and products and powers of them. */
#include <math.h>
#include <string.h>

#include "reference/function.h"
#include "reference/ref.h"
#include "reference/whole.h"
#include "tests/check.h"

static Arena arena;

/* The number of binary64 that is the integer, or else its neighbour with an odd significand. */
static const struct Pair {
    int64_t integer;
    double compared;
} pairs[] = {
    {0, 0},
    {-1, -1},
    {((int64_t)1 << 53) - 1, 0x1.fffffffffffffp+52},
    {(int64_t)1 << 53, 0x1p+53},
    {((int64_t)1 << 53) + 1, 0x1.0000000000001p+53},
    {((int64_t)1 << 53) + 2, 0x1.0000000000001p+53},
    {((int64_t)1 << 53) + 3, 0x1.0000000000001p+53},
    {((int64_t)1 << 53) + 4, 0x1.0000000000002p+53},
    {((int64_t)1 << 53) + 5, 0x1.0000000000003p+53},
    {-((int64_t)1 << 53) - 1, -0x1.0000000000001p+53},
    {-((int64_t)1 << 53) - 3, -0x1.0000000000001p+53},
    {-((int64_t)1 << 53) - 4, -0x1.0000000000002p+53},
    {((int64_t)1 << 54) - 1, 0x1.fffffffffffffp+53},
    {((int64_t)1 << 54) + 1, 0x1.0000000000001p+54},
    {((int64_t)1 << 54) + 7, 0x1.0000000000001p+54},
    {((int64_t)1 << 54) + 8, 0x1.0000000000002p+54},
    {((int64_t)1 << 62) - 1, 0x1.fffffffffffffp+61},
    {(int64_t)1 << 62, 0x1p+62},
    {((int64_t)1 << 62) + 1, 0x1.0000000000001p+62},
    {((int64_t)1 << 62) + 1023, 0x1.0000000000001p+62},
    {((int64_t)1 << 62) + 2047, 0x1.0000000000001p+62},
    {((int64_t)1 << 62) + 2048, 0x1.0000000000002p+62},
    {-((int64_t)1 << 62) - 1, -0x1.0000000000001p+62},
    {-((int64_t)1 << 62) + 1, -0x1.fffffffffffffp+61},
    {INT64_MAX, 0x1.fffffffffffffp+62},
    {INT64_MAX - 1023, 0x1.fffffffffffffp+62},
    {INT64_MAX - 2047, 0x1.ffffffffffffep+62},
    {INT64_MIN, -0x1p+63},
    {INT64_MIN + 1, -0x1.fffffffffffffp+62},
    {INT64_MIN + 2048, -0x1.ffffffffffffep+62},
};

static double compared(int64_t integer)
{
    return dtype_load(DT_I64, &integer, 0);
}

static void test_compared(void)
{
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        CHECK(dtype_whole((long double)pairs[i].integer) == pairs[i].compared);
        CHECK(compared(pairs[i].integer) == pairs[i].compared);
    }
    /* What is halfway between two numbers of binary64, and is rounded to an even one, shows. */
    for (int bits = 53; bits < 63; bits++)
        for (int64_t step = -4; step <= 4; step++) {
            int64_t gap = (int64_t)1 << (bits - 52);
            int64_t halfway = ((int64_t)1 << bits) + (16 + step) * gap + gap / 2;
            CHECK(compared(halfway) != (double)halfway);
            CHECK(compared(-halfway) != (double)-halfway);
            CHECK(compared(halfway) == -compared(-halfway));
        }
    /* Beyond 2^54 a neighbour that is nearest may have an odd significand. */
    long shown = 0, all = 0;
    for (int64_t i = (int64_t)1 << 62; i < ((int64_t)1 << 62) + 4096; i++)
        if ((int64_t)(double)i != i) {
            shown += compared(i) != (double)i;
            all++;
        }
    CHECK(2 * shown > all && shown < all);
}

static void test_wrapped(void)
{
    CHECK(ref_wrapped(DT_I64, 0x1p63L) == -0x1p63);
    CHECK(ref_wrapped(DT_I64, 0x1p63L - 1) == 0x1.fffffffffffffp+62);
    CHECK(ref_wrapped(DT_I64, 0x1p63L + 1) == -0x1.fffffffffffffp+62);
    CHECK(ref_wrapped(DT_I64, -0x1p63L) == -0x1p63);
    CHECK(ref_wrapped(DT_I64, -0x1p63L - 1) == 0x1.fffffffffffffp+62);
    CHECK(ref_wrapped(DT_I64, 0x1p64L - 1) == -1);
    CHECK(ref_wrapped(DT_I64, 0x1p63L + 0x1p62L + 1) == -0x1.fffffffffffffp+61);
    CHECK(ref_wrapped(DT_I32, 0x1p31L) == -0x1p31);
    CHECK(ref_wrapped(DT_I32, -0x1p31L - 1) == 0x1p31 - 1);
    CHECK(ref_wrapped(DT_I16, 0x1p15L) == -0x1p15 && ref_wrapped(DT_I16, -0x1p15L) == -0x1p15);
    CHECK(ref_wrapped(DT_U16, 0x1p16L + 3) == 3 && ref_wrapped(DT_U16, -1) == 0x1p16 - 1);
    CHECK(ref_wrapped(DT_U32, -1) == 0x1p32 - 1 && ref_wrapped(DT_U32, 0x1p63L + 5) == 5);
    CHECK(ref_wrapped(DT_U64, 0x1p63L) == 0x1p63 && ref_wrapped(DT_U64, 0x1p70L) == 0);
    CHECK(ref_wrapped(DT_U64, -1) == 0x1.fffffffffffffp+63);
    CHECK(ref_wrapped(DT_U8, 256) == 0 && ref_wrapped(DT_U8, -1) == 255);
    CHECK(ref_wrapped(DT_I8, 128) == -128 && ref_wrapped(DT_I8, 127) == 127);
}

static Ref reference_of(DType dtype)
{
    Ref ref;
    ref_allocate(&ref, dtype, 1, 1, &arena);
    ref.candidates = arena_take_zeroed(&arena, REF_CANDIDATES, sizeof *ref.candidates);
    return ref;
}

/* Whether the element must be that number, or one of two. */
static bool is_one(const Ref *ref, double value)
{
    return ref->match[0] == MATCH_VALUE && ref->classes[0] == CLASS_FINITE && ref->high[0] == value;
}

static bool is_either(const Ref *ref, double wrapped, double end)
{
    return ref->match[0] == MATCH_SET && ref->candidates[0] == wrapped &&
           ref->candidates[1] == end && ref->candidates[2] == end;
}

static void test_integers(void)
{
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        long double exact = (long double)pairs[i].integer;
        Ref ref = reference_of(DT_I64);
        ref_put_integer(&ref, 0, exact);
        CHECK(is_one(&ref, pairs[i].compared));
        CHECK((long double)ref.high[0] + (long double)ref.low[0] == exact);
    }
    Ref ref = reference_of(DT_I64);
    ref_put_integer(&ref, 0, 0x1p63L);
    CHECK(is_either(&ref, -0x1p63, 0x1.fffffffffffffp+62));
    ref_put_integer(&ref, 0, -0x1p63L - 3);
    CHECK(is_either(&ref, 0x1.fffffffffffffp+62, -0x1p63));
    ref_put_integer(&ref, 0, 0x1p64L);
    CHECK(ref.classes[0] == CLASS_ANY);
    ref = reference_of(DT_I8);
    ref_put_integer(&ref, 0, 130);
    CHECK(is_either(&ref, -126, 127));
    ref = reference_of(DT_U64);
    ref_put_integer(&ref, 0, 0x1p63L + 1);
    CHECK(is_one(&ref, 0x1.0000000000001p+63) && ref.low[0] == 1 - 0x1p11);
    ref_put_integer(&ref, 0, -1);
    CHECK(is_either(&ref, 0x1.fffffffffffffp+63, 0));
}

/* Within the range the lowest 64 bits are the integer, whatever is known of the value beside. */
static void test_whole(void)
{
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        Ref ref = reference_of(DT_I64);
        long double near = (long double)pairs[i].integer;
        long double error = fabsl(near) > 0x1p62L ? 0 : 0x1p10L;
        ref_put_whole(&ref, 0, (uint64_t)pairs[i].integer, near + error, error);
        CHECK(pairs[i].integer == INT64_MIN ? ref.match[0] == MATCH_SET
                                            : is_one(&ref, pairs[i].compared));
    }
    Ref ref = reference_of(DT_I64);
    /* 2^64 + 5, and the same below 0. */
    ref_put_whole(&ref, 0, 5, 0x1p64L, 0x1p10L);
    CHECK(is_either(&ref, 5, 0x1.fffffffffffffp+62));
    ref_put_whole(&ref, 0, (uint64_t)-5, -0x1p64L, 0x1p10L);
    CHECK(is_either(&ref, -5, -0x1p63));
    /* Its last 64 bits are 2^53 + 1. */
    ref_put_whole(&ref, 0, ((uint64_t)1 << 53) + 1, 0x1p70L, 0);
    CHECK(is_either(&ref, 0x1.0000000000001p+53, 0x1.fffffffffffffp+62));
    ref_put_whole(&ref, 0, 5, 0x1p64L, 0x1p65L);
    CHECK(ref.classes[0] == CLASS_ANY);
    ref = reference_of(DT_I32);
    ref_put_whole(&ref, 0, (uint64_t)1 << 31, 0x1p31L, 0);
    CHECK(is_either(&ref, -0x1p31, 0x1p31 - 1));
    ref = reference_of(DT_U64);
    ref_put_whole(&ref, 0, (uint64_t)5 << 61, 5 * 0x1p61L, 0x1p3L);
    CHECK(is_one(&ref, 5 * 0x1p61));
    ref_put_whole(&ref, 0, 7, 0x1p64L, 0x1p3L);
    CHECK(is_either(&ref, 7, 0x1.fffffffffffffp+63));
    ref_put_whole(&ref, 0, (uint64_t)-7, -7, 0.5L);
    CHECK(is_either(&ref, 0x1.fffffffffffffp+63, 0));
}

static const Function *named(const char *name)
{
    const Function *f = functions_of_pairs;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    CHECK(f->name && f->evaluate_whole);
    return f;
}

/* beyond: on which side of the type the exact number is, and the wrapped one. */
static void check_pair(const char *name, int64_t a, int64_t b, int64_t value, int beyond)
{
    FunctionValue v = named(name)->evaluate_whole((long double)a, (long double)b);
    CHECK(v.known == BITS_OF_VALUE && v.bits == (uint64_t)value);
    CHECK(beyond != 0 ? fabsl(v.value) + v.error >= 0x1p63L && (v.value > 0) == (beyond > 0)
                      : fabsl(v.value - (long double)value) <= v.error);
}

/* What 64 bits hold, and on which side of them the exact number may be. */
static void test_pairs(void)
{
    const int64_t one = 1;
    check_pair("mul", (one << 27) + 1, (one << 27) + 1, (one << 54) + (one << 28) + 1, 0);
    check_pair("mul", (one << 53) + 1, 3, 3 * (one << 53) + 3, 0);
    check_pair("mul", -(one << 53) - 1, 255, -255 * (one << 53) - 255, 0);
    check_pair("mul", (one << 31) + 1, (one << 31) + 1, (one << 62) + (one << 32) + 1, 0);
    check_pair("mul", INT64_MAX, 1, INT64_MAX, 0);
    check_pair("mul", INT64_MIN, 1, INT64_MIN, -1);
    check_pair("mul", INT64_MIN, -1, INT64_MIN, 1);
    check_pair("mul", one << 32, one << 31, INT64_MIN, 1);
    check_pair("mul", 3037000500, 3037000500, -9223372036709301616, 1);
    check_pair("mul", -3037000500, 3037000500, 9223372036709301616, -1);
    check_pair("pow", 3, 39, 4052555153018976267, 0);
    check_pair("pow", -3, 39, -4052555153018976267, 0);
    check_pair("pow", 3, 40, -6289078614652622815, 1);
    check_pair("pow", 7, 22, 3909821048582988049, 0);
    check_pair("pow", -2, 63, INT64_MIN, -1);
    check_pair("pow", 2, 64, 0, 1);
    check_pair("pow", 0, 0, 1, 0);
}

/* Formulas of integers beyond 2^53, whose last bits are kept beside a value that is rounded. */
static void test_formulas(void)
{
    volatile double beyond = 0x1p63;
    const Whole large = whole_of(0x1p53), one = whole_of(1), three = whole_of(3);
    Whole sum = whole_add(whole_multiply(large, three), one);
    CHECK(sum.bits == 3 * ((uint64_t)1 << 53) + 1);
    CHECK(fabsl(sum.value - (3 * 0x1p53L + 1)) <= sum.error);
    Whole power = whole_multiply(sum, sum);
    CHECK(power.bits == sum.bits * sum.bits && power.value > 0x1p108L && power.error > 0);
    CHECK(whole_subtract(one, three).bits == (uint64_t)-2);
    CHECK(whole_of(beyond).bits == (uint64_t)1 << 63 && whole_of(-beyond).value == -0x1p63L);
}

/* Every pattern of 16 bits is loaded as the integer that it is, and stored as it was. */
static void test_storage(void)
{
    for (unsigned bits = 0; bits <= UINT16_MAX; bits++) {
        uint16_t word = (uint16_t)bits, stored = 0;
        CHECK(dtype_load(DT_I16, &word, 0) == (int16_t)word);
        CHECK(dtype_load(DT_U16, &word, 0) == word);
        dtype_store(DT_I16, &stored, 0, (int16_t)word);
        CHECK(stored == word);
        dtype_store(DT_U16, &stored, 0, word);
        CHECK(stored == word);
    }
    const struct {
        DType dtype;
        double value, kept;
    } stored[] = {{DT_I16, 0x1p15, 0x1p15 - 1},
                  {DT_U16, -1, 0},
                  {DT_U32, 0x1p32, 0x1p32 - 1},
                  {DT_U32, 0x1p31, 0x1p31},
                  {DT_U64, 0x1p63, 0x1p63},
                  {DT_U64, INFINITY, 0x1p64 - 0x1p11},
                  {DT_U64, NAN, 0}};
    for (size_t i = 0; i < COUNT_OF(stored); i++) {
        uint64_t memory = 0;
        dtype_store(stored[i].dtype, &memory, 0, stored[i].value);
        CHECK(dtype_load(stored[i].dtype, &memory, 0) == stored[i].kept);
    }
    CHECK(dtype_highest(DT_U64) == 0x1p64L - 1 && dtype_highest(DT_I64) == 0x1p63L - 1);
    CHECK(dtype_ulps_between(DT_U64, 0, 0x1p63) == (uint64_t)1 << 63);
    CHECK(dtype_arithmetic(DT_I16) == DT_I16 && dtype_arithmetic(DT_U16) == DT_U16);
}

int main(void)
{
    CHECK(arena_init(&arena, (size_t)1 << 20));
    test_storage();
    test_compared();
    test_wrapped();
    test_integers();
    test_whole();
    test_pairs();
    test_formulas();
    arena_release(&arena);
    return check_end("whole");
}
