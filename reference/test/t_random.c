/* Numbers made by vectors are those that each word makes alone. */
#include <string.h>

#include "reference/base.h"
#include "reference/random_loops.h"
#include "tests/check.h"

enum { COUNT = 67 };

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_from(uint64_t seed, uint64_t first, size_t count)
{
    static const RandomIntegers kinds[] = {
        {.mask = 3, .more = 1}, {.odd = 1}, {.mask = (1ull << 50) - 1, .odd = 1}};
    double values[COUNT];
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        random_integers(kinds[k], seed, first, count, values);
        for (size_t i = 0; i < count; i++)
            CHECK(is_same(values[i], random_integer(kinds[k], random_at(seed, first + i))));
    }
    random_units(seed, first, count, values);
    for (size_t i = 0; i < count; i++)
        CHECK(is_same(values[i], random_unit(random_at(seed, first + i))));
    random_normals(seed, first, count, values);
    for (size_t i = 0; i < count; i++) {
        uint64_t word = random_at(seed, first + i);
        CHECK(is_same(values[i], random_normal(word, random_mix(word))));
    }
}

static void check_slots(uint64_t kind, size_t count)
{
    uint64_t numbers[COUNT];
    uint32_t slots[COUNT];
    for (size_t i = 0; i < count; i++)
        numbers[i] = random_at(kind, i) >> i % 64;
    random_slots(numbers, count, kind, slots);
    for (size_t i = 0; i < count; i++)
        CHECK(slots[i] == 1 + random_mix(numbers[i] * 8 + kind) % (RANDOM_SLOTS - 1));
}

int main(void)
{
    for (size_t count = 0; count <= COUNT; count++) {
        check_from(count, 0, count);
        check_slots(count % 8, count);
        check_from(UINT64_MAX - count, ((uint64_t)1 << 40) + count, count);
    }
    return check_end("reference/t_random");
}
