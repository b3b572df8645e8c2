/* Element types, their formats, and distances between values. */
#ifndef REFERENCE_DTYPE_H
#define REFERENCE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum DType {
    DT_F32,
    DT_F64,
    DT_C64,
    DT_C128,
    DT_F16,  /* binary16 */
    DT_BF16, /* bfloat16: the upper half of binary32 */
    DT_I8,
    DT_U8,
    DT_I32,
    DT_I64,
    DT_BOOL, /* a byte, 0 or 1 */
    /* 8 bits with 4 and 5 bits of exponent (OCP OFP8): e4m3 has no infinities and one NaN. */
    DT_E4M3,
    DT_E5M2,
    DT_I16,
    DT_U16,
    DT_U32,
    DT_U64,
    DT_COUNT
} DType;

/* A binary floating-point format.  precision counts the hidden bit; unit = 2^-precision is the
 * relative error of one rounding to nearest; smallest_normal = 2^minimum_exponent;
 * smallest_subnormal = 2^(minimum_exponent - precision + 1).  Of integers, precision counts the
 * bits of a magnitude and unit is 0; those of 64 bits are limited to what binary64 holds. */
typedef struct Format {
    int precision, minimum_exponent, maximum_exponent;
    double unit, smallest_normal, smallest_subnormal, largest;
} Format;

/* Real and imaginary part; imaginary is 0 for real element types. */
typedef struct Scalar {
    double re, im;
} Scalar;

static inline bool scalar_is_zero(Scalar scalar)
{
    return scalar.re == 0 && scalar.im == 0;
}

/* The type that sums and functions of an element type are computed in: binary32 for those of half
 * precision, unless the calling thread has narrow arithmetic, where every step is rounded to the
 * element type.
 *
 * Narrow arithmetic is a state of the thread, off at first, because every reference of a layer asks
 * for it: one caller sets it around one reference and takes it back.  Setting what is set already
 * is an error that ends the program. */
DType dtype_arithmetic(DType dtype);
void dtype_set_narrow(bool narrow);

const char *dtype_name(DType dtype);
/* The type of a name; false where there is none. */
bool dtype_find(const char *name, DType *dtype);
/* Names of all element types in the order of the enumeration, ended by NULL. */
extern const char *const dtype_names[DT_COUNT + 1];
/* The format of one component. */
const Format *dtype_format(DType dtype);
/* One unit in the last place of a value in a format. */
double format_ulp(const Format *format, double value);
/* The element type of one component. */
DType dtype_component(DType dtype);
bool dtype_is_integer(DType dtype);
/* The least value of the type that is not an infinity. */
double dtype_lowest(DType dtype);
/* 2 for complex types, else 1. */
int dtype_components(DType dtype);
/* Bytes of one component and of one element. */
size_t dtype_component_size(DType dtype);
size_t dtype_size(DType dtype);

/* The cases of dtype_load and dtype_store that are not binary32 or binary64. */
double dtype_load_other(DType dtype, const void *base, int64_t index);
void dtype_store_other(DType dtype, void *base, int64_t index, double value);

/* The lowest 64 bits of an integer in two's complement, and the integer that a type has of them. */
uint64_t dtype_bits_of(long double whole);
long double dtype_whole_of(DType dtype, uint64_t bits);
/* The greatest integer of the type, which of 64 bits is no number of binary64. */
long double dtype_highest(DType dtype);

/* An integer of at most 64 bits as a double: exact where it is a number of binary64, else that
 * neighbour whose last bit is set.  So what a kernel lost by way of binary64 shows where that made
 * the last bit 0: of each integer below 2^54 in magnitude that is no number of binary64, of each
 * halfway between two, and of more than half of the others.  2^54 + 3 and 2^54 + 4 are the same. */
double dtype_whole(long double exact);

/* Component number index (counted in components) of the array at base, as a double: exact, but for
 * integers of 64 bits beyond 2^53, which are as dtype_whole says. */
static inline double dtype_load(DType dtype, const void *base, int64_t index)
{
    double value;
    float narrow;
    if (dtype > DT_C128)
        return dtype_load_other(dtype, base, index);
    if (dtype == DT_F64 || dtype == DT_C128) {
        memcpy(&value, (const char *)base + index * 8, sizeof value);
        return value;
    }
    memcpy(&narrow, (const char *)base + index * 4, sizeof narrow);
    return narrow;
}

/* Rounds value to nearest and stores it; integers saturate, and NaN becomes 0 in them. */
static inline void dtype_store(DType dtype, void *base, int64_t index, double value)
{
    float narrow = (float)value;
    if (dtype > DT_C128)
        dtype_store_other(dtype, base, index, value);
    else if (dtype == DT_F64 || dtype == DT_C128)
        memcpy((char *)base + index * 8, &value, sizeof value);
    else
        memcpy((char *)base + index * 4, &narrow, sizeof narrow);
}

/* value rounded to nearest in the component format. */
double dtype_round(DType dtype, double value);

/* Number of representable values between two values of the format, neither of them NaN: +0 and -0
 * coincide, and an infinity is the neighbour of the largest finite value. */
uint64_t dtype_ulps_between(DType dtype, double x, double y);

/* True when |value| is 0 or a power of two, so that multiplying by it is exact short of underflow
 * and overflow. */
bool is_power_of_two_or_zero(double value);

#endif
