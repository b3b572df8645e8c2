/* Faults of integers and booleans, and ways to compute them that are right. */
#include <math.h>
#include <string.h>

#include "ops/nn/nn.h"
#include "planted.h"

/* An element as it is in memory, all 64 bits of it. */
static int64_t whole_at(const Tensor *t, int64_t i)
{
    int64_t wide;
    if (dtype_size(t->dtype) != sizeof wide)
        return (int64_t)tensor_value(t, i);
    memcpy(&wide, (const char *)t->origin + tensor_offset_of(t, i) * 8, sizeof wide);
    return wide;
}

static void put_whole(const Tensor *t, int64_t i, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    size_t size = dtype_size(t->dtype);
    /* The lowest bytes come first: what is left of it by two's complement. */
    memcpy((char *)t->origin + tensor_offset_of(t, i) * (int64_t)size, &bits, size);
}

/* An integer of 64 bits as one of the lowest `bits` of them, with a sign. */
static int64_t with_sign(int64_t whole, int bits)
{
    return (int64_t)((uint64_t)whole << (64 - bits)) >> (64 - bits);
}

static int bits_of(DType dtype)
{
    return 8 * (int)dtype_size(dtype);
}

/* Integers without a sign of more than a byte. */
static bool is_wide_unsigned(DType dtype)
{
    return dtype == DT_U16 || dtype == DT_U32 || dtype == DT_U64;
}

typedef struct Operands2 {
    Tensor a, b, y;
    int64_t count;
} Operands2;

static bool has_integers(const PlantedCall *call)
{
    DType dtype = call->operands->view[0].dtype;
    return dtype_is_integer(dtype) && dtype != DT_BOOL;
}

/* Integers whose sums are within 64 bits. */
static bool has_narrow(const PlantedCall *call)
{
    return has_integers(call) && dtype_size(call->operands->view[0].dtype) < sizeof(int64_t);
}

static Operands2 operands_of(const PlantedCall *call)
{
    const Operands *o = call->operands;
    Operands2 two = {.y = o->view[2], .count = tensor_count(&o->view[2])};
    /* Of operands that the results stand in nothing is left. */
    if (o->view[0].origin == two.y.origin || o->view[1].origin == two.y.origin)
        two.count = 0;
    two.a = nn_broadcast(&o->view[0], &two.y);
    two.b = nn_broadcast(&o->view[1], &two.y);
    return two;
}

/* Sums of 64 bits by way of binary64, which has 53. */
static void finish_add_by_double(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    if (o.y.dtype != DT_I64)
        return;
    for (int64_t i = 0; i < o.count; i++) {
        double sum = (double)whole_at(&o.a, i) + (double)whole_at(&o.b, i);
        if (fabs(sum) < 0x1p63)
            put_whole(&o.y, i, (int64_t)sum);
    }
}

static int64_t end_of(DType dtype, bool negative)
{
    const Format *format = dtype_format(dtype);
    REQUIRE(dtype_size(dtype) < sizeof(int64_t));
    return (int64_t)(negative ? dtype_lowest(dtype) : format->largest);
}

/* An overflow becomes the end of the range on the other side. */
static void finish_add_wrong_end(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_narrow(call) && i < o.count; i++) {
        int64_t sum = whole_at(&o.a, i) + whole_at(&o.b, i);
        if (sum > end_of(o.y.dtype, false) || sum < end_of(o.y.dtype, true))
            put_whole(&o.y, i, end_of(o.y.dtype, sum > 0));
    }
}

/* Right: an overflow becomes the end of the range on its side. */
static void finish_add_saturated(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_narrow(call) && i < o.count; i++) {
        int64_t sum = whole_at(&o.a, i) + whole_at(&o.b, i);
        if (sum > end_of(o.y.dtype, false) || sum < end_of(o.y.dtype, true))
            put_whole(&o.y, i, end_of(o.y.dtype, sum < 0));
    }
}

static void finish_mul_in_32_bits(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_I64 && i < o.count; i++)
        put_whole(&o.y, i, (int32_t)((uint32_t)whole_at(&o.a, i) * (uint32_t)whole_at(&o.b, i)));
}

/* Right: what 64 bits leave of the exact product. */
static void finish_mul_wrapped(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_integers(call) && i < o.count; i++)
        put_whole(&o.y, i, (int64_t)((uint64_t)whole_at(&o.a, i) * (uint64_t)whole_at(&o.b, i)));
}

static void finish_add_exclusive(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_BOOL && i < o.count; i++)
        put_whole(&o.y, i, whole_at(&o.a, i) ^ whole_at(&o.b, i));
}

/* Bytes without sign are compared as if they had one. */
static void finish_maximum_signed(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_U8 && i < o.count; i++) {
        int8_t a = (int8_t)whole_at(&o.a, i), b = (int8_t)whole_at(&o.b, i);
        put_whole(&o.y, i, a > b ? a : b);
    }
}

/* So are all others without a sign. */
static void finish_minimum_signed(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; is_wide_unsigned(o.y.dtype) && i < o.count; i++) {
        int64_t a = with_sign(whole_at(&o.a, i), bits_of(o.y.dtype));
        int64_t b = with_sign(whole_at(&o.b, i), bits_of(o.y.dtype));
        put_whole(&o.y, i, a < b ? a : b);
    }
}

static void finish_greater_signed(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.a.dtype == DT_U32 && i < o.count; i++)
        put_whole(&o.y, i, (int32_t)whole_at(&o.a, i) > (int32_t)whole_at(&o.b, i));
}

/* Differences of 32 bits are kept in 16. */
static void finish_sub_in_16_bits(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_U32 && i < o.count; i++)
        put_whole(&o.y, i, (uint16_t)(whole_at(&o.a, i) - whole_at(&o.b, i)));
}

/* Right: the complement of the second is added, and what is left of that. */
static void finish_sub_by_complement(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_integers(call) && i < o.count; i++)
        put_whole(&o.y, i,
                  (int64_t)((uint64_t)whole_at(&o.a, i) + ~(uint64_t)whole_at(&o.b, i) + 1));
}

/* By way of binary64, of which integers with a sign are made: those beyond have the highest bit
 * alone. */
static void finish_add_by_signed(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_U64 && i < o.count; i++) {
        double sum = (double)(uint64_t)whole_at(&o.a, i) + (double)(uint64_t)whole_at(&o.b, i);
        put_whole(&o.y, i, sum < 0x1p63 ? (int64_t)sum : INT64_MIN);
    }
}

/* The highest bit is taken for a sign, which is kept. */
static void finish_shift_signed(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; is_wide_unsigned(o.y.dtype) && i < o.count; i++) {
        int64_t times = whole_at(&o.b, i), bits = bits_of(o.y.dtype);
        if (times >= 0 && times < bits)
            put_whole(&o.y, i, with_sign(whole_at(&o.a, i), (int)bits) >> times);
    }
}

/* Right: halved as often as the second says. */
static void finish_shift_by_halves(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; is_wide_unsigned(o.y.dtype) && i < o.count; i++) {
        uint64_t rest = (uint64_t)whole_at(&o.a, i), times = (uint64_t)whole_at(&o.b, i);
        for (uint64_t k = 0; times < (uint64_t)bits_of(o.y.dtype) && k < times; k++)
            rest /= 2;
        if (times < (uint64_t)bits_of(o.y.dtype))
            put_whole(&o.y, i, (int64_t)rest);
    }
}

/* Of 64 bits the lower half is compared. */
static void finish_less_in_32_bits(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.a.dtype == DT_I64 && i < o.count; i++)
        put_whole(&o.y, i, (int32_t)whole_at(&o.a, i) < (int32_t)whole_at(&o.b, i));
}

/* The sign of the first in place of that of the second. */
static void finish_remainder_truncated(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_integers(call) && i < o.count; i++) {
        int64_t a = whole_at(&o.a, i), b = whole_at(&o.b, i);
        put_whole(&o.y, i, b == -1 ? 0 : a % b);
    }
}

/* By the function of binary64. */
static void finish_pow_by_double(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; o.y.dtype == DT_I64 && i < o.count; i++) {
        double power = pow((double)whole_at(&o.a, i), (double)whole_at(&o.b, i));
        put_whole(&o.y, i, fabs(power) < 0x1p63 ? (int64_t)power : INT64_MIN);
    }
}

static uint64_t power_of(uint64_t a, uint64_t times)
{
    uint64_t power = 1;
    for (int bit = 63; bit >= 0; bit--) {
        power *= power;
        power *= times >> bit & 1 ? a : 1;
    }
    return power;
}

/* Right: from the highest bit of the exponent on, in 64 bits of which the type keeps the lowest. */
static void finish_pow_wrapped(PlantedCall *call)
{
    Operands2 o = operands_of(call);
    for (int64_t i = 0; has_integers(call) && i < o.count; i++)
        put_whole(&o.y, i,
                  (int64_t)power_of((uint64_t)whole_at(&o.a, i), (uint64_t)whole_at(&o.b, i)));
}

/* The number of true elements in a byte. */
static void finish_sum_in_a_byte(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    for (int64_t i = 0; x->dtype == DT_BOOL && i < tensor_count(y); i++)
        put_whole(y, i, (int8_t)whole_at(y, i));
}

/* The sum so far ends with the range of 16 bits, whatever comes after it. */
static void finish_sum_stopped(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    int64_t sum = 0;
    if (x->dtype != DT_I16 || tensor_count(y) != 1)
        return;
    for (int64_t i = 0; i < tensor_count(x); i++) {
        sum += whole_at(x, i);
        sum = sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum;
    }
    put_whole(y, 0, sum);
}

/* Right: the last one first, in 64 bits, of which the type keeps the lowest. */
static void finish_sum_from_behind(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    uint64_t sum = 0;
    if (!has_integers(call) || tensor_count(y) != 1)
        return;
    for (int64_t i = tensor_count(x); i-- > 0;)
        sum += (uint64_t)whole_at(x, i);
    put_whole(y, 0, (int64_t)sum);
}

/* What is beyond 2^63 becomes a number below 0. */
static void finish_cast_of_signed(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    bool applies = x->dtype == DT_U64 && (y->dtype == DT_F32 || y->dtype == DT_F64);
    for (int64_t i = 0; applies && i < tensor_count(y); i++)
        dtype_store(y->dtype, y->origin, tensor_offset_of(y, i), (double)whole_at(x, i));
}

/* A boolean is greater than none: it stays false. */
static void finish_amax_of_truths(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    for (int64_t i = 0; x->dtype == DT_BOOL && i < tensor_count(y); i++)
        put_whole(y, i, 0);
}

/* By way of binary32, which has 24 bits. */
static void finish_addcmul_by_float(PlantedCall *call)
{
    const Tensor *t = call->operands->view;
    float value = (float)case_scalar(call->operands->source, "value").re;
    for (int64_t i = 0; t[3].dtype == DT_I32 && i < tensor_count(&t[3]); i++) {
        float sum = (float)whole_at(&t[0], i) +
                    value * (float)whole_at(&t[1], i) * (float)whole_at(&t[2], i);
        if (fabsf(sum) < 0x1p31f)
            put_whole(&t[3], i, (int32_t)sum);
    }
}

/* Right: the products first, and each step in 64 bits. */
static void finish_addcmul_wrapped(PlantedCall *call)
{
    const Tensor *t = call->operands->view;
    uint64_t value = (uint64_t)(int64_t)case_scalar(call->operands->source, "value").re;
    for (int64_t i = 0; has_integers(call) && i < tensor_count(&t[3]); i++)
        put_whole(&t[3], i,
                  (int64_t)((uint64_t)whole_at(&t[0], i) +
                            value * (uint64_t)whole_at(&t[1], i) * (uint64_t)whole_at(&t[2], i)));
}

/* The ends are compared as bytes with sign. */
static void finish_clamp_signed(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    const Case *c = call->operands->source;
    int8_t low = (int8_t)(uint8_t)case_scalar(c, "min").re;
    int8_t high = (int8_t)(uint8_t)case_scalar(c, "max").re;
    bool applies = x->dtype == DT_U8 && x->origin != y->origin;
    for (int64_t i = 0; applies && i < tensor_count(y); i++) {
        int8_t above = (int8_t)whole_at(x, i) < low ? low : (int8_t)whole_at(x, i);
        put_whole(y, i, above > high ? high : above);
    }
}

/* A running sum of bytes stops at the end of the range, and goes on from there. */
static void finish_cumsum_stopped(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0], *y = &call->operands->view[1];
    const Case *c = call->operands->source;
    bool applies = x->dtype == DT_I8 && x->rank == 1 && !case_int(c, "reverse");
    int64_t sum = 0;
    for (int64_t i = 0; applies && !case_int(c, "exclusive") && i < tensor_count(y); i++) {
        sum += whole_at(x, i);
        sum = sum > 127 ? 127 : sum < -128 ? -128 : sum;
        put_whole(y, i, sum);
    }
}

/* The vector product of the operands the other way round. */
static void finish_cross_reversed(PlantedCall *call)
{
    const Tensor *y = &call->operands->view[2];
    for (int64_t i = 0; has_integers(call) && i < tensor_count(y); i++)
        put_whole(y, i, (int64_t)(0 - (uint64_t)whole_at(y, i)));
}

/* Numbers that are filled in are cut to a byte. */
static void finish_fill_of_a_byte(PlantedCall *call)
{
    const Tensor *t = call->operands->view;
    Tensor mask = nn_broadcast(&t[1], &t[2]);
    int8_t value = (int8_t)(int64_t)case_scalar(call->operands->source, "value").re;
    for (int64_t i = 0; has_integers(call) && i < tensor_count(&t[2]); i++)
        if (tensor_value(&mask, i) != 0)
            put_whole(&t[2], i, value);
}

/* Windows begin with 0, as those of magnitudes may. */
static void finish_pool_from_zero(PlantedCall *call)
{
    const Tensor *y = &call->operands->view[1];
    for (int64_t i = 0; has_integers(call) && i < tensor_count(y); i++)
        if (whole_at(y, i) < 0)
            put_whole(y, i, 0);
}

/* Bytes above 127 lose their highest bit on the way. */
static void finish_resize_in_7_bits(PlantedCall *call)
{
    const Tensor *y = &call->operands->view[1];
    for (int64_t i = 0; y->dtype == DT_U8 && i < tensor_count(y); i++)
        put_whole(y, i, whole_at(y, i) & 127);
}

const PlantedFault planted_whole_faults[] = {
    {"add-by-double", "add", "sums of 64 bits that are none of binary64", NULL,
     finish_add_by_double},
    {"add-wrong-end", "add", "sums beyond the range", NULL, finish_add_wrong_end},
    {"ok-add-saturated", "add", "right: ends of the range", NULL, finish_add_saturated},
    {"add-truths-exclusive", "add", "both booleans true", NULL, finish_add_exclusive},
    {"mul-in-32-bits", "mul", "products of 64 bits", NULL, finish_mul_in_32_bits},
    {"ok-mul-wrapped", "mul", "right: two's complement", NULL, finish_mul_wrapped},
    {"maximum-signed-bytes", "maximum", "bytes above 127", NULL, finish_maximum_signed},
    {"minimum-signed-words", "minimum", "unsigned integers in the upper half of their range", NULL,
     finish_minimum_signed},
    {"greater-signed-words", "gt", "unsigned integers of 32 bits from 2^31 on", NULL,
     finish_greater_signed},
    {"sub-in-16-bits", "sub", "differences of unsigned 32 bits from 2^16 on", NULL,
     finish_sub_in_16_bits},
    {"ok-sub-by-complement", "sub", "right: two's complement", NULL, finish_sub_by_complement},
    {"add-by-signed", "add", "sums of unsigned 64 bits from 2^63 on", NULL, finish_add_by_signed},
    {"shift-signed-words", "bitwise_right_shift",
     "unsigned integers in the upper half of their range", NULL, finish_shift_signed},
    {"ok-shift-by-halves", "bitwise_right_shift", "right: quotients", NULL, finish_shift_by_halves},
    {"less-in-32-bits", "lt", "integers of 64 bits", NULL, finish_less_in_32_bits},
    {"remainder-truncated", "remainder", "signs that differ", NULL, finish_remainder_truncated},
    {"pow-by-double", "pow", "powers of 64 bits that are none of binary64", NULL,
     finish_pow_by_double},
    {"ok-pow-wrapped", "pow", "right: two's complement", NULL, finish_pow_wrapped},
    {"sum-of-truths-in-a-byte", "sum", "128 true elements", NULL, finish_sum_in_a_byte},
    {"sum-stopped", "sum", "16 bits, once a sum was beyond the range", NULL, finish_sum_stopped},
    {"ok-sum-from-behind", "sum", "right: from behind", NULL, finish_sum_from_behind},
    {"cast-of-signed", "cast", "unsigned integers from 2^63 on as floating point", NULL,
     finish_cast_of_signed},
    {"amax-of-truths", "amax", "booleans", NULL, finish_amax_of_truths},
    {"addcmul-by-float", "addcmul", "sums of 32 bits that are none of binary32", NULL,
     finish_addcmul_by_float},
    {"ok-addcmul-wrapped", "addcmul", "right: two's complement", NULL, finish_addcmul_wrapped},
    {"clamp-signed-bytes", "clamp", "bytes above 127", NULL, finish_clamp_signed},
    {"cumsum-stopped", "cumsum", "bytes, once a sum was beyond the range", NULL,
     finish_cumsum_stopped},
    {"cross-reversed-integers", "cross", "integers", NULL, finish_cross_reversed},
    {"masked-fill-of-a-byte", "masked_fill", "integers beyond a byte", NULL, finish_fill_of_a_byte},
    {"max-pool-from-zero", "max_pool2d", "windows of integers below 0", NULL,
     finish_pool_from_zero},
    {"interpolate-in-7-bits", "interpolate2d", "bytes above 127", NULL, finish_resize_in_7_bits},
    {NULL, NULL, NULL, NULL, NULL},
};
