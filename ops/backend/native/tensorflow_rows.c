/* Operators that TensorFlow composes of several in Python (windows, convolutions, most norms), or
 * whose functions of images want the channels last, are left to the worker in Python. */
#include "tensorflow_rows.h"

#include <string.h>

enum {
    FLOAT = DTYPES_FLOAT,
    NUMBERS = DTYPES_FLOAT | DTYPES_INTEGER,
    BOOLEAN = DTYPES_BOOLEAN,
    BITS = DTYPES_INTEGER,
    ANY = NUMBERS | DTYPES_BOOLEAN
};

static bool is_plain(const Case *c)
{
    return !strcmp(case_choice(c, "activation"), "none");
}

static bool is_innermost(const Case *c)
{
    return case_int(c, "axis") == case_shape(c, "shape")->rank - 1;
}

static bool is_one(const Case *c)
{
    return case_scalar(c, "alpha").re == 1;
}

/* An attribute of 32 bits. */
static bool is_short(const Case *c)
{
    double alpha = case_scalar(c, "alpha").re;
    return alpha == (double)(float)alpha;
}

const NativeRow tensorflow_rows[] = {
    {"acos acosh asin asinh atan atanh ceil cos cosh erf erfc exp expm1 floor log log1p reciprocal "
     "rsqrt sigmoid sin sinh sqrt tan tanh softplus softsign",
     FLOAT, "%S", "", "x", NULL},
    {"abs neg sign square", NUMBERS, "%S", "", "x", NULL},
    {"relu relu6", FLOAT, "%S", "", "x", NULL},
    {"round", FLOAT, "Rint", "", "x", NULL},
    {"elu", FLOAT, "Elu", "", "x", is_one},
    {"leaky_relu", FLOAT, "LeakyRelu", "", "x alpha=$alpha", is_short},
    {"isnan", FLOAT, "IsNan", "", "x", NULL},
    {"isinf", FLOAT, "IsInf", "", "x", NULL},
    {"logical_not", BOOLEAN, "LogicalNot", "", "x", NULL},
    {"add", NUMBERS, "AddV2", "", "a b", NULL},
    {"sub mul maximum minimum", NUMBERS, "%S", "", "a b", NULL},
    {"pow atan2", FLOAT, "%S", "", "a b", NULL},
    {"div", FLOAT, "RealDiv", "", "a b", NULL},
    {"remainder", FLOAT, "FloorMod", "", "a b", NULL},
    {"fmod", FLOAT, "TruncateMod", "", "a b", NULL},
    {"eq", NUMBERS, "Equal", "", "a b", NULL},
    {"ne", NUMBERS, "NotEqual", "", "a b", NULL},
    {"lt", NUMBERS, "Less", "", "a b", NULL},
    {"le", NUMBERS, "LessEqual", "", "a b", NULL},
    {"gt", NUMBERS, "Greater", "", "a b", NULL},
    {"ge", NUMBERS, "GreaterEqual", "", "a b", NULL},
    {"logical_and", BOOLEAN, "LogicalAnd", "", "a b", NULL},
    {"logical_or", BOOLEAN, "LogicalOr", "", "a b", NULL},
    {"bitwise_and", BITS, "BitwiseAnd", "", "a b", NULL},
    {"bitwise_or", BITS, "BitwiseOr", "", "a b", NULL},
    {"bitwise_xor", BITS, "BitwiseXor", "", "a b", NULL},
    {"where", ANY, "SelectV2", "", "condition a b", NULL},
    {"sum mean prod", FLOAT, "%S", "", "x :axes keep_dims=#keepdims", NULL},
    {"amax", NUMBERS, "Max", "", "x :axes keep_dims=#keepdims", NULL},
    {"amin", NUMBERS, "Min", "", "x :axes keep_dims=#keepdims", NULL},
    {"all any", BOOLEAN, "%S", "", "x :axes keep_dims=#keepdims", NULL},
    {"cumsum cumprod", FLOAT, "%S", "", "x #axis exclusive=#exclusive reverse=#backwards", NULL},
    {"softmax", FLOAT, "Softmax", "", "x", is_innermost},
    {"log_softmax", FLOAT, "LogSoftmax", "", "x", is_innermost},
    {"transpose", ANY, "Transpose", "", "x :order", NULL},
    {"tile", ANY, "Tile", "", "x :copies", NULL},
    {"flip", ANY, "ReverseV2", "", "x [axis", NULL},
    {"roll", ANY, "Roll", "", "x #start #axis", NULL},
    {"expand", ANY, "BroadcastTo", "", "x @shape", NULL},
    {"concat", ANY, "ConcatV2", "", "a&b #axis", NULL},
    {"index_select", ANY, "GatherV2", "", "x indices #axis", NULL},
    {"embedding", ANY, "GatherV2", "", "x indices !0", NULL},
    {"matmul", FLOAT, "BatchMatMulV2", "", "a b", is_plain},
    {0}};
