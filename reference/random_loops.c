/* Each loop is compiled for plain vectors and for those of AVX2 and AVX-512, with the same results:
 * no operation is fused. */
#include "random_loops.h"

#include <stdbool.h>

#define INLINE static inline __attribute__((always_inline))

INLINE void integers(RandomIntegers n, uint64_t seed, uint64_t first, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_integer(n, random_at(seed, first + i));
}

INLINE void units(uint64_t seed, uint64_t first, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_unit(random_at(seed, first + i));
}

INLINE void normals(uint64_t seed, uint64_t first, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_at(seed, first + i);
        values[i] = random_normal(word, random_mix(word));
    }
}

/* A number and the sum of its digits to the base 2^b leave the same modulo 2^b - 1, which no
 * instruction for vectors divides by. */
INLINE void slots_of(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots)
{
    const uint64_t most = RANDOM_SLOTS - 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = random_mix(numbers[i] * 8 + kind);
        uint64_t sum = (hash & most) + (hash >> RANDOM_SLOT_BITS & most) +
                       (hash >> 2 * RANDOM_SLOT_BITS & most) + (hash >> 3 * RANDOM_SLOT_BITS);
        sum = (sum & most) + (sum >> RANDOM_SLOT_BITS);
        slots[i] = (uint32_t)(1 + sum - (sum >= most ? most : 0));
    }
}

typedef void IntegerLoop(RandomIntegers n, uint64_t seed, uint64_t first, size_t count,
                         double *values);
typedef void Loop(uint64_t seed, uint64_t first, size_t count, double *values);
typedef void SlotLoop(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots);

static void integers_plain(RandomIntegers n, uint64_t seed, uint64_t first, size_t count,
                           double *values)
{
    integers(n, seed, first, count, values);
}

static void units_plain(uint64_t seed, uint64_t first, size_t count, double *values)
{
    units(seed, first, count, values);
}

static void normals_plain(uint64_t seed, uint64_t first, size_t count, double *values)
{
    normals(seed, first, count, values);
}

static void slots_plain(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots)
{
    slots_of(numbers, count, kind, slots);
}

#ifdef __x86_64__
#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl")))

AVX2 static void integers_avx2(RandomIntegers n, uint64_t seed, uint64_t first, size_t count,
                               double *values)
{
    integers(n, seed, first, count, values);
}

AVX2 static void units_avx2(uint64_t seed, uint64_t first, size_t count, double *values)
{
    units(seed, first, count, values);
}

AVX2 static void normals_avx2(uint64_t seed, uint64_t first, size_t count, double *values)
{
    normals(seed, first, count, values);
}

AVX2 static void slots_avx2(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots)
{
    slots_of(numbers, count, kind, slots);
}

AVX512 static void integers_avx512(RandomIntegers n, uint64_t seed, uint64_t first, size_t count,
                                   double *values)
{
    integers(n, seed, first, count, values);
}

AVX512 static void units_avx512(uint64_t seed, uint64_t first, size_t count, double *values)
{
    units(seed, first, count, values);
}

AVX512 static void normals_avx512(uint64_t seed, uint64_t first, size_t count, double *values)
{
    normals(seed, first, count, values);
}

AVX512 static void slots_avx512(const uint64_t *numbers, size_t count, uint64_t kind,
                                uint32_t *slots)
{
    slots_of(numbers, count, kind, slots);
}

static IntegerLoop *const integer_loops[] = {integers_plain, integers_avx2, integers_avx512};
static Loop *const unit_loops[] = {units_plain, units_avx2, units_avx512};
static Loop *const normal_loops[] = {normals_plain, normals_avx2, normals_avx512};
static SlotLoop *const slot_loops[] = {slots_plain, slots_avx2, slots_avx512};

/* The number of the widest loop that the processor has. */
static int widest(void)
{
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    return avx512 ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0;
}
#else
static IntegerLoop *const integer_loops[] = {integers_plain};
static Loop *const unit_loops[] = {units_plain};
static Loop *const normal_loops[] = {normals_plain};
static SlotLoop *const slot_loops[] = {slots_plain};

static int widest(void)
{
    return 0;
}
#endif

void random_integers(RandomIntegers n, uint64_t seed, uint64_t first, size_t count, double *values)
{
    integer_loops[widest()](n, seed, first, count, values);
}

void random_units(uint64_t seed, uint64_t first, size_t count, double *values)
{
    unit_loops[widest()](seed, first, count, values);
}

void random_normals(uint64_t seed, uint64_t first, size_t count, double *values)
{
    normal_loops[widest()](seed, first, count, values);
}

void random_slots(const uint64_t *numbers, size_t count, uint64_t kind, uint32_t *slots)
{
    slot_loops[widest()](numbers, count, kind, slots);
}
