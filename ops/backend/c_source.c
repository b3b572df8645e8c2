/* Numbers and types as C writes them. */
#include "c_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *c_number_type(DType dtype)
{
    static const char *const types[DT_COUNT] = {
        [DT_F32] = "float",          [DT_F64] = "double",         [DT_C64] = "float",
        [DT_C128] = "double",        [DT_F16] = "unsigned short", [DT_BF16] = "unsigned short",
        [DT_I8] = "signed char",     [DT_U8] = "unsigned char",   [DT_I32] = "int",
        [DT_I64] = "long",           [DT_BOOL] = "unsigned char", [DT_E4M3] = "unsigned char",
        [DT_E5M2] = "unsigned char", [DT_I16] = "short",          [DT_U16] = "unsigned short",
        [DT_U32] = "unsigned",       [DT_U64] = "unsigned long"};
    return types[dtype];
}

bool c_lacks(DType dtype)
{
    return dtype_component_size(dtype) <= 2 && !dtype_is_integer(dtype);
}

/* Decimals of a finite number; without a point or an exponent they would be an integer, which loses
 * the sign of zero only. */
static void put_decimals(Text *source, DType dtype, double value)
{
    enum { DIGITS_MAX = 9 };
    char decimals[32];
    for (int digits = 1; digits <= DIGITS_MAX; digits++) {
        (void)snprintf(decimals, sizeof decimals, "%.*g", digits, value);
        if (dtype_round(dtype, strtod(decimals, NULL)) != value)
            continue;
        text_printf(source, "%s%s", decimals, value == 0 && signbit(value) ? ".0" : "");
        return;
    }
    text_printf(source, "%a", value);
}

void c_put_number(Text *source, DType dtype, double value)
{
    unsigned short bits = 0;
    if (c_lacks(dtype)) {
        dtype_store(dtype, &bits, 0, value);
        text_printf(source, dtype_component_size(dtype) == 1 ? "0x%02x" : "0x%04x", bits);
    } else if (dtype_is_integer(dtype)) {
        bool beyond = value > 0 && value >= 0x1p63;
        text_printf(source, beyond ? "%lluu" : "%lld", (long long)dtype_bits_of(value));
    } else if (isnan(value))
        text_put(source, "NAN");
    else if (isinf(value))
        text_put(source, value > 0 ? "INFINITY" : "-INFINITY");
    else
        put_decimals(source, dtype, value);
}

bool c_header_is_installed(const char *name)
{
    static const char *const folders[] = {"/usr/include", "/usr/local/include",
                                          "/usr/include/x86_64-linux-gnu",
                                          "/usr/include/aarch64-linux-gnu"};
    char path[256];
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folders[i], name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}
