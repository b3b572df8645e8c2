/* The input of the decoder: bytes read as choices.  Reading never fails; missing bytes are 0. */
#ifndef OPS_CHOICES_H
#define OPS_CHOICES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Choices {
    const uint8_t *data;
    size_t size, position;
} Choices;

/* The next width bytes, 1 to 8, as a little-endian number. */
static inline uint64_t choice_bytes(Choices *choices, int width)
{
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        if (choices->position < choices->size)
            value |= (uint64_t)choices->data[choices->position++] << (8 * i);
    return value;
}

/* A number in 0..count-1, count at most 2^16; 0 when the bytes are missing. */
static inline int64_t choice_below(Choices *choices, int64_t count)
{
    int width = count <= 256 ? 1 : 2;
    return (int64_t)(choice_bytes(choices, width) * (uint64_t)count >> (8 * width));
}

/* A number in low..high. */
static inline int64_t choice_between(Choices *choices, int64_t low, int64_t high)
{
    return low + choice_below(choices, high - low + 1);
}

/* A number in low..high, 1 at least, evenly on the logarithm; half of them beside multiples of a
 * block. */
static inline int64_t choice_even(Choices *choices, int64_t low, int64_t high, int64_t block)
{
    double position = (double)choice_bytes(choices, 2) / 65536;
    int64_t value = (int64_t)((double)low * pow((double)high / (double)low, position));
    if (choice_below(choices, 2))
        value = (value + block / 2) / block * block + choice_between(choices, -2, 2);
    return value < 1 ? 1 : value > high ? high : value;
}

#endif
