/* Words; * stands for what SLEEF puts between a function and its accuracy. */
#include "bindings.h"

#include <string.h>

static const struct {
    const char *op;
    const char *words[MATH_COLUMNS]; /* libm, SLEEF, VML */
} rows[] = {
    {"abs", {"fabs", "fabs*_", "Abs"}},
    {"acos", {"acos", "acos*_u10", "Acos"}},
    {"acosh", {"acosh", "acosh*_u10", "Acosh"}},
    {"add", {NULL, NULL, "Add"}},
    {"asin", {"asin", "asin*_u10", "Asin"}},
    {"asinh", {"asinh", "asinh*_u10", "Asinh"}},
    {"atan", {"atan", "atan*_u10", "Atan"}},
    {"atan2", {"atan2", "atan2*_u10", "Atan2"}},
    {"atanh", {"atanh", "atanh*_u10", "Atanh"}},
    {"bessel_j0", {"j0", NULL, "J0"}},
    {"bessel_j1", {"j1", NULL, "J1"}},
    {"bessel_y0", {"y0", NULL, "Y0"}},
    {"bessel_y1", {"y1", NULL, "Y1"}},
    {"cbrt", {"cbrt", "cbrt*_u10", "Cbrt"}},
    {"ceil", {"ceil", "ceil*_", "Ceil"}},
    {"copysign", {"copysign", "copysign*_", "CopySign"}},
    {"cos", {"cos", "cos*_u10", "Cos"}},
    {"cosh", {"cosh", "cosh*_u10", "Cosh"}},
    {"div", {NULL, NULL, "Div"}},
    {"erf", {"erf", "erf*_u10", "Erf"}},
    {"erfc", {"erfc", "erfc*_u15", "Erfc"}},
    {"erfinv", {NULL, NULL, "ErfInv"}},
    {"exp", {"exp", "exp*_u10", "Exp"}},
    {"exp10", {"exp10", "exp10*_u10", "Exp10"}},
    {"exp2", {"exp2", "exp2*_u10", "Exp2"}},
    {"expm1", {"expm1", "expm1*_u10", "Expm1"}},
    {"floor", {"floor", "floor*_", "Floor"}},
    {"fmax", {"fmax", "fmax*_", "Fmax"}},
    {"fmin", {"fmin", "fmin*_", "Fmin"}},
    {"fmod", {"fmod", "fmod*_", "Fmod"}},
    {"frac", {NULL, NULL, "Frac"}},
    {"hypot", {"hypot", "hypot*_u05", "Hypot"}},
    {"i0", {NULL, NULL, "I0"}},
    {"i1", {NULL, NULL, "I1"}},
    {"lgamma", {"lgamma", "lgamma*_u10", "LGamma"}},
    {"log", {"log", "log*_u10", "Ln"}},
    {"log10", {"log10", "log10*_u10", "Log10"}},
    {"log1p", {"log1p", "log1p*_u10", "Log1p"}},
    {"log2", {"log2", "log2*_u10", "Log2"}},
    {"mul", {NULL, NULL, "Mul"}},
    {"ndtr", {NULL, NULL, "CdfNorm"}},
    {"ndtri", {NULL, NULL, "CdfNormInv"}},
    {"nextafter", {"nextafter", "nextafter*_", "NextAfter"}},
    {"pow", {"pow", "pow*_u10", "Pow"}},
    {"reciprocal", {NULL, NULL, "Inv"}},
    {"round", {"rint", "rint*_", "NearbyInt"}},
    {"rsqrt", {NULL, NULL, "InvSqrt"}},
    {"sin", {"sin", "sin*_u10", "Sin"}},
    {"sinh", {"sinh", "sinh*_u10", "Sinh"}},
    {"sqrt", {"sqrt", "sqrt*_u05", "Sqrt"}},
    {"square", {NULL, NULL, "Sqr"}},
    {"sub", {NULL, NULL, "Sub"}},
    {"tan", {"tan", "tan*_u10", "Tan"}},
    {"tanh", {"tanh", "tanh*_u10", "Tanh"}},
    {"tgamma", {"tgamma", "tgamma*_u10", "TGamma"}},
    {"trunc", {"trunc", "trunc*_", "Trunc"}},
};

const char *math_word(const OpDesc *op, MathColumn column)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return rows[i].words[column];
    return NULL;
}

void math_describe(const char *name, const OpDesc *op, Text *text)
{
    static const char *const names[MATH_COLUMNS] = {"libm", "sleef", "vml"};
    for (int column = 0; column < MATH_COLUMNS; column++) {
        const char *word = math_word(op, (MathColumn)column);
        if (word && !strcmp(names[column], name))
            text_printf(text, "%s\n", word);
    }
}
