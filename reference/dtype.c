/* Element types as one table of formats. */
#include "dtype.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base.h"

static const Format binary16 = {11, -14, 15, 0x1p-11, 0x1p-14, 0x1p-24, 0x1.ffcp15};
static const Format bfloat16 = {8, -126, 127, 0x1p-8, 0x1p-126, 0x1p-133, 0x1.fep127};
static const Format binary32 = {24, -126, 127, 0x1p-24, 0x1p-126, 0x1p-149, FLT_MAX};
static const Format binary64 = {53, -1022, 1023, 0x1p-53, 0x1p-1022, 0x1p-1074, DBL_MAX};
static const Format e4m3 = {4, -6, 8, 0x1p-4, 0x1p-6, 0x1p-9, 448};
static const Format e5m2 = {3, -14, 15, 0x1p-3, 0x1p-14, 0x1p-16, 57344};
static const Format whole1 = {1, 0, 0, 0, 1, 1, 1};
static const Format whole7 = {7, 0, 6, 0, 1, 1, 0x1p7 - 1};
static const Format whole8 = {8, 0, 7, 0, 1, 1, 0x1p8 - 1};
static const Format whole15 = {15, 0, 14, 0, 1, 1, 0x1p15 - 1};
static const Format whole16 = {16, 0, 15, 0, 1, 1, 0x1p16 - 1};
static const Format whole31 = {31, 0, 30, 0, 1, 1, 0x1p31 - 1};
static const Format whole32 = {32, 0, 31, 0, 1, 1, 0x1p32 - 1};
static const Format whole63 = {53, 0, 62, 0, 1, 1, 0x1p63 - 0x1p10};
static const Format whole64 = {53, 0, 63, 0, 1, 1, 0x1p64 - 0x1p11};

static const struct {
    const Format *format;
    int components;
    size_t component_size;
    double lowest;
} dtypes[DT_COUNT] = {
    [DT_F32] = {&binary32, 1, 4, -FLT_MAX},
    [DT_F64] = {&binary64, 1, 8, -DBL_MAX},
    [DT_C64] = {&binary32, 2, 4, -FLT_MAX},
    [DT_C128] = {&binary64, 2, 8, -DBL_MAX},
    [DT_F16] = {&binary16, 1, 2, -0x1.ffcp15},
    [DT_BF16] = {&bfloat16, 1, 2, -0x1.fep127},
    [DT_I8] = {&whole7, 1, 1, -0x1p7},
    [DT_U8] = {&whole8, 1, 1, 0},
    [DT_I32] = {&whole31, 1, 4, -0x1p31},
    [DT_I64] = {&whole63, 1, 8, -0x1p63},
    [DT_BOOL] = {&whole1, 1, 1, 0},
    [DT_E4M3] = {&e4m3, 1, 1, -448},
    [DT_E5M2] = {&e5m2, 1, 1, -57344},
    [DT_I16] = {&whole15, 1, 2, -0x1p15},
    [DT_U16] = {&whole16, 1, 2, 0},
    [DT_U32] = {&whole32, 1, 4, 0},
    [DT_U64] = {&whole64, 1, 8, 0},
};

const char *const dtype_names[DT_COUNT + 1] = {"f32",  "f64", "c64", "c128", "f16",  "bf16",
                                               "i8",   "u8",  "i32", "i64",  "bool", "e4m3",
                                               "e5m2", "i16", "u16", "u32",  "u64",  NULL};

static _Thread_local bool narrow_arithmetic;

void dtype_set_narrow(bool narrow)
{
    REQUIRE(narrow_arithmetic != narrow);
    narrow_arithmetic = narrow;
}

DType dtype_arithmetic(DType dtype)
{
    bool is_half = dtype_component_size(dtype) == 2 && !dtype_is_integer(dtype);
    return is_half && !narrow_arithmetic ? DT_F32 : dtype;
}

const char *dtype_name(DType dtype)
{
    REQUIRE(dtype < DT_COUNT);
    return dtype_names[dtype];
}

bool dtype_find(const char *name, DType *dtype)
{
    for (int i = 0; i < DT_COUNT; i++) {
        *dtype = (DType)i;
        if (!strcmp(dtype_names[i], name))
            return true;
    }
    return false;
}

const Format *dtype_format(DType dtype)
{
    REQUIRE(dtype < DT_COUNT);
    return dtypes[dtype].format;
}

double format_ulp(const Format *format, double value)
{
    int exponent;
    if (!isfinite(value) || value == 0)
        return format->smallest_subnormal;
    (void)frexp(value, &exponent);
    int lowest = format->minimum_exponent + 1;
    return ldexp(1, (exponent > lowest ? exponent : lowest) - format->precision);
}

bool dtype_is_integer(DType dtype)
{
    return dtypes[dtype].format->unit == 0;
}

double dtype_lowest(DType dtype)
{
    return dtypes[dtype].lowest;
}

DType dtype_component(DType dtype)
{
    if (dtypes[dtype].components == 1)
        return dtype;
    return dtype_component_size(dtype) == 4 ? DT_F32 : DT_F64;
}

int dtype_components(DType dtype)
{
    REQUIRE(dtype < DT_COUNT);
    return dtypes[dtype].components;
}

size_t dtype_component_size(DType dtype)
{
    REQUIRE(dtype < DT_COUNT);
    return dtypes[dtype].component_size;
}

size_t dtype_size(DType dtype)
{
    return dtypes[dtype].component_size * (size_t)dtypes[dtype].components;
}

/* Rounding by a quantum is exact: dividing by a power of two loses nothing, and nearbyint takes the
 * even neighbour of a tie. */
static double round_narrow(const Format *format, double value)
{
    int exponent;
    if (!isfinite(value) || value == 0)
        return value;
    (void)frexp(value, &exponent);
    int lowest = format->minimum_exponent + 1;
    double quantum = ldexp(1, (exponent > lowest ? exponent : lowest) - format->precision);
    double rounded = nearbyint(value / quantum) * quantum;
    return fabs(rounded) > format->largest ? copysign(INFINITY, value) : rounded;
}

static double round_integer(DType dtype, double value)
{
    double low = dtypes[dtype].lowest, high = dtypes[dtype].format->largest;
    if (isnan(value))
        return 0;
    return value < low ? low : value > high ? high : nearbyint(value) + 0.0;
}

double dtype_round(DType dtype, double value)
{
    const Format *format = dtypes[dtype].format;
    if (format == &binary64)
        return value;
    if (format == &binary32)
        return (double)(float)value;
    return format->unit == 0 ? round_integer(dtype, value) : round_narrow(format, value);
}

/* The encoding of a format of up to 16 bits: sign, biased exponent, fraction.  A format without
 * infinities has one NaN, whose exponent and fraction are all ones. */
typedef struct Layout {
    const Format *format;
    int bits;
    bool has_infinity;
} Layout;

static const Layout layouts[DT_COUNT] = {
    [DT_F16] = {&binary16, 16, true}, [DT_E4M3] = {&e4m3, 8, false}, [DT_E5M2] = {&e5m2, 8, true}};

static unsigned encode_small(const Layout *layout, double value)
{
    const Format *f = layout->format;
    int fraction_bits = f->precision - 1, exponent;
    double rounded = round_narrow(f, value), size = fabs(rounded);
    unsigned sign_bit = 1u << (layout->bits - 1), sign = signbit(value) ? sign_bit : 0;
    unsigned infinity = sign_bit - (1u << fraction_bits);
    if (isnan(rounded) || (isinf(rounded) && !layout->has_infinity))
        return sign | (layout->has_infinity ? infinity | 1u << (fraction_bits - 1) : sign_bit - 1);
    if (isinf(rounded))
        return sign | infinity;
    if (size < f->smallest_normal)
        return sign | (unsigned)(size / f->smallest_subnormal);
    double fraction = ldexp(frexp(size, &exponent), f->precision) - ldexp(1, fraction_bits);
    return sign | (unsigned)(exponent - f->minimum_exponent) << fraction_bits | (unsigned)fraction;
}

static double decode_small(const Layout *layout, unsigned bits)
{
    const Format *f = layout->format;
    int fraction_bits = f->precision - 1, lowest = f->minimum_exponent - fraction_bits;
    unsigned sign_bit = 1u << (layout->bits - 1), magnitude = bits & (sign_bit - 1);
    unsigned fraction = magnitude & ((1u << fraction_bits) - 1);
    int exponent = (int)(magnitude >> fraction_bits);
    double size = ldexp(fraction, lowest);
    if (exponent > 0)
        size = ldexp((1u << fraction_bits) + fraction, exponent - 1 + lowest);
    if (layout->has_infinity && magnitude - fraction == sign_bit - (1u << fraction_bits))
        size = fraction ? (double)NAN : (double)INFINITY;
    if (!layout->has_infinity && magnitude == sign_bit - 1)
        size = NAN;
    return bits & sign_bit ? -size : size;
}

static uint16_t encode_bfloat16(double value)
{
    float rounded = (float)round_narrow(&bfloat16, value);
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (uint16_t)(isnan(value) ? 0x7fc0u : bits >> 16);
}

static double decode_bfloat16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double dtype_whole(long double exact)
{
    double near = (double)exact;
    uint64_t bits;
    memcpy(&bits, &near, sizeof bits);
    if ((long double)near == exact || bits & 1)
        return near;
    return nextafter(near, exact > (long double)near ? (double)INFINITY : -(double)INFINITY);
}

static uint16_t encode_float(DType dtype, double value)
{
    if (dtype == DT_BF16)
        return encode_bfloat16(value);
    return (uint16_t)encode_small(&layouts[dtype], value);
}

uint64_t dtype_bits_of(long double whole)
{
    long double size = fabsl(whole);
    REQUIRE(isfinite(whole));
    uint64_t bits = (uint64_t)(size < 0x1p64L ? size : fmodl(size, 0x1p64L));
    return whole < 0 ? 0 - bits : bits;
}

static bool is_signed(DType dtype)
{
    return dtypes[dtype].lowest < 0;
}

static int bits_of(DType dtype)
{
    return 8 * (int)dtypes[dtype].component_size;
}

long double dtype_whole_of(DType dtype, uint64_t bits)
{
    int others = 64 - bits_of(dtype);
    if (is_signed(dtype))
        return (long double)((int64_t)(bits << others) >> others);
    return (long double)(bits << others >> others);
}

long double dtype_highest(DType dtype)
{
    if (dtype == DT_BOOL)
        return 1;
    return (long double)(UINT64_MAX >> (64 - bits_of(dtype) + is_signed(dtype)));
}

static uint64_t load_bits(const char *at, size_t size)
{
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    switch (size) {
    case 1:
        return *(const uint8_t *)at;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    default:
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
}

double dtype_load_other(DType dtype, const void *base, int64_t index)
{
    size_t size = dtypes[dtype].component_size;
    uint64_t bits = load_bits((const char *)base + index * (int64_t)size, size);
    if (dtype == DT_BF16)
        return decode_bfloat16((uint16_t)bits);
    if (!dtype_is_integer(dtype))
        return decode_small(&layouts[dtype], (unsigned)bits);
    return dtype_whole(dtype_whole_of(dtype, bits));
}

void dtype_store_other(DType dtype, void *base, int64_t index, double value)
{
    size_t size = dtypes[dtype].component_size;
    uint64_t bits = dtype_is_integer(dtype) ? dtype_bits_of(round_integer(dtype, value))
                                            : encode_float(dtype, value);
    memcpy((char *)base + index * (int64_t)size, &bits, size);
}

/* Maps a value to an integer so that neighbours in the format are neighbours in the integers. */
static int64_t value_order(DType dtype, double value)
{
    int64_t bits;
    float narrow = (float)value;
    int32_t bits32;
    uint16_t half;
    if (dtype_is_integer(dtype))
        return (int64_t)(dtype_bits_of(round_integer(dtype, value)) -
                         (dtype == DT_U64 ? (uint64_t)1 << 63 : 0));
    switch (dtypes[dtype].component_size) {
    case 1:
        half = encode_float(dtype, value);
        return half & 0x80 ? -(int64_t)(half & 0x7f) : half;
    case 2:
        half = encode_float(dtype, value);
        return half & 0x8000 ? -(int64_t)(half & 0x7fff) : half;
    case 4:
        memcpy(&bits32, &narrow, sizeof bits32);
        return bits32 < 0 ? (int64_t)INT32_MIN - bits32 : bits32;
    default:
        memcpy(&bits, &value, sizeof bits);
        return bits < 0 ? INT64_MIN - bits : bits;
    }
}

uint64_t dtype_ulps_between(DType dtype, double x, double y)
{
    REQUIRE(!isnan(x) && !isnan(y));
    int64_t a = value_order(dtype, x), b = value_order(dtype, y);
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

bool is_power_of_two_or_zero(double value)
{
    int exponent;
    return isfinite(value) && (value == 0 || fabs(frexp(value, &exponent)) == 0.5);
}
