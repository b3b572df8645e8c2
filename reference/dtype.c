/* Element types as one table of formats. */
#include "dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const Format binary32 = {24, -126, 127, 0x1p-24, 0x1p-126, 0x1p-149, FLT_MAX};
static const Format binary64 = {53, -1022, 1023, 0x1p-53, 0x1p-1022, 0x1p-1074, DBL_MAX};

static const struct {
    const Format *format;
    int components;
    size_t component_size;
} dtypes[DT_COUNT] = {
    [DT_F32] = {&binary32, 1, 4},
    [DT_F64] = {&binary64, 1, 8},
    [DT_C64] = {&binary32, 2, 4},
    [DT_C128] = {&binary64, 2, 8},
};

const char *const dtype_names[DT_COUNT + 1] = {"f32", "f64", "c64", "c128", NULL};

const char *dtype_name(DType dtype)
{
    return dtype_names[dtype];
}

const Format *dtype_format(DType dtype)
{
    return dtypes[dtype].format;
}

DType dtype_component(DType dtype)
{
    return dtype_component_size(dtype) == 4 ? DT_F32 : DT_F64;
}

int dtype_components(DType dtype)
{
    return dtypes[dtype].components;
}

size_t dtype_component_size(DType dtype)
{
    return dtypes[dtype].component_size;
}

size_t dtype_size(DType dtype)
{
    return dtypes[dtype].component_size * (size_t)dtypes[dtype].components;
}

double dtype_round(DType dtype, double value)
{
    return dtypes[dtype].format == &binary32 ? (double)(float)value : value;
}

/* Maps a value to an integer so that neighbours in the format are neighbours in the integers. */
static int64_t value_order(DType dtype, double value)
{
    int64_t bits;
    if (dtypes[dtype].format == &binary32) {
        float narrow = (float)value;
        int32_t bits32;
        memcpy(&bits32, &narrow, sizeof bits32);
        return bits32 < 0 ? (int64_t)INT32_MIN - bits32 : bits32;
    }
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

uint64_t dtype_ulps_between(DType dtype, double x, double y)
{
    int64_t a = value_order(dtype, x), b = value_order(dtype, y);
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

bool is_power_of_two_or_zero(double value)
{
    int exponent;
    return isfinite(value) && (value == 0 || fabs(frexp(value, &exponent)) == 0.5);
}
