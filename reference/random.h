/* Counter-based randomness: any element of any stream alone, the same on every machine. */
#ifndef REFERENCE_RANDOM_H
#define REFERENCE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes all bits. */
static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Folds bytes into a hash. */
static inline uint64_t random_fold(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = random_mix(hash ^ at[i]);
    return hash;
}

/* The index-th 64-bit word of the stream named by seed. */
static inline uint64_t random_at(uint64_t seed, uint64_t index)
{
    return random_mix(random_mix(seed) ^ (index * 0xd1342543de82ef95u));
}

/* The next word of a sequential stream; state is its only memory. */
static inline uint64_t random_next(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    return random_mix(*state);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double random_unit(uint64_t word)
{
    return (double)(int64_t)(word >> 11) * 0x1p-53;
}

/* Near the normal distribution, variance 1; all 53 bits are random. */
static inline double random_normal(uint64_t word, uint64_t more)
{
    double sum = (double)(int64_t)(word & 0xffff) + (double)(int64_t)(word >> 16 & 0xffff) +
                 (double)(int64_t)(word >> 32 & 0xffff) + (double)(int64_t)(word >> 48);
    return ((sum + random_unit(more)) * 0x1p-16 - 2) * 1.7320508075688772;
}

/* Integers of random bits: ((bits & mask) | odd) + more, with a random sign. */
typedef struct RandomIntegers {
    uint64_t mask, odd, more;
} RandomIntegers;

static inline double random_integer(RandomIntegers n, uint64_t word)
{
    double magnitude = (double)(int64_t)(((word >> 1 & n.mask) | n.odd) + n.more);
    return word & 1 ? -magnitude : magnitude;
}

#endif
