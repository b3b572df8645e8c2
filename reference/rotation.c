/* The reference of rotg, in 64 bits. */
#include "rotation.h"

#include <math.h>

static void allocate(Ref *ref, DType dtype, Arena *arena)
{
    ref_allocate(ref, dtype, 1, 1, arena);
    ref->rule = RULE_RELATIVE;
}

/* value with a bound of roundings * u * scale; a subnormal result may lose more. */
static void put_value(Ref *ref, size_t part, long double value, double roundings, double scale)
{
    const Format *format = dtype_format(ref->dtype);
    double high = (double)value;
    if (!(scale < format->largest / 4) || (scale != 0 && scale < 16 * format->smallest_normal)) {
        ref_set_classes(ref, part, CLASS_ANY);
        return;
    }
    ref->high[part] = high;
    ref->low[part] = (double)(value - high);
    ref->error[part] = 0x1p-60 * scale;
    ref->magnitude[part] = roundings * scale;
    ref->terms[part] = 1;
    ref->underflow[part] = 4;
}

static void admit_anything(Ref refs[4])
{
    for (int i = 0; i < 4; i++)
        for (size_t part = 0; part < refs[i].count; part++)
            ref_set_classes(&refs[i], part, CLASS_ANY);
}

/* Inputs so small or large that intermediate quotients or the result leave the range. */
static bool out_of_range(double size, const Format *format)
{
    double low = format->smallest_normal * 16, high = format->largest / 16;
    return !(size < high) || (size != 0 && size < low);
}

/* NaN goes into the length and by it into both factors; z is 1 where comparisons with NaN decide.
 */
static void rotation_of_nan(Ref refs[4])
{
    for (int i = 0; i < 4; i++)
        ref_set_exact(&refs[i], 0, i == 1 ? 1 : NAN, MATCH_VALUE);
    ref_set_classes(&refs[1], 0, CLASS_FINITE | CLASS_NAN);
}

static void real_rotation(Ref refs[4], double a, double b)
{
    long double size = sqrtl((long double)a * a + (long double)b * b);
    double sign = fabs(a) > fabs(b) ? a : b;
    long double r = copysignl(size, sign), c = a / r, s = b / r, z = 1;
    if (b == 0) { /* both conventions for the sign of r: that of a, and none */
        r = a;
        c = 1;
        s = 0;
    }
    if (fabs(a) > fabs(b))
        z = s;
    else if (c != 0)
        z = 1 / c;
    put_value(&refs[0], 0, r, 8, (double)fabsl(r));
    put_value(&refs[1], 0, z, 12, (double)fabsl(z));
    put_value(&refs[2], 0, c, 12, (double)fabsl(c));
    put_value(&refs[3], 0, s, 12, (double)fabsl(s));
}

/* a = 0: c = 0, s = conj(b) / |b|, r = |b| (LAPACK 3.10); c = 1, s = 0, r = 0 where b is 0 too. */
static void rotation_of_zero(Ref refs[4], const double b[2])
{
    double length = hypot(b[0], b[1]);
    double re = length > 0 ? b[0] / length : 0, im = length > 0 ? b[1] / length : 0;
    put_value(&refs[0], 0, length, 24, length);
    put_value(&refs[0], 1, 0, 24, length);
    put_value(&refs[2], 0, length > 0 ? 0 : 1, 24, 1);
    put_value(&refs[3], 0, re, 24, 1);
    put_value(&refs[3], 1, -im, 24, 1);
}

/* a = 0 before that: c = 0, s = 1, r = b. */
static void old_rotation_of_zero(Ref refs[4], const double b[2])
{
    double length = hypot(b[0], b[1]);
    put_value(&refs[0], 0, b[0], 24, length);
    put_value(&refs[0], 1, b[1], 24, length);
    put_value(&refs[2], 0, 0, 24, 1);
    put_value(&refs[3], 0, 1, 24, 1);
    put_value(&refs[3], 1, 0, 24, 1);
}

static void complex_rotation(Ref refs[4], const double a[2], const double b[2])
{
    long double length = hypotl(a[0], a[1]), other = hypotl(b[0], b[1]);
    long double size = hypotl(length, other), re = 1, im = 0;
    re = a[0] / length;
    im = a[1] / length;
    put_value(&refs[0], 0, re * size, 24, (double)size);
    put_value(&refs[0], 1, im * size, 24, (double)size);
    put_value(&refs[2], 0, length / size, 24, (double)(length / size));
    put_value(&refs[3], 0, (re * b[0] + im * b[1]) / size, 24, (double)(other / size));
    put_value(&refs[3], 1, (im * b[0] - re * b[1]) / size, 24, (double)(other / size));
}

static void allocate_all(Ref refs[4], DType dtype, Arena *arena)
{
    DType real = dtype_component(dtype);
    refs[1] = (Ref){0};
    allocate(&refs[0], dtype, arena);
    if (dtype == real)
        allocate(&refs[1], dtype, arena);
    allocate(&refs[2], real, arena);
    allocate(&refs[3], dtype, arena);
}

static void both_rotations_of_zero(Ref refs[4], DType dtype, const double b[2], Arena *arena)
{
    Ref old[4];
    rotation_of_zero(refs, b);
    allocate_all(old, dtype, arena);
    old_rotation_of_zero(old, b);
    for (int i = 0; i < 4; i++)
        if (refs[i].count > 0)
            ref_add_alternative(&refs[i], &old[i], "old-rotation-of-zero", arena);
}

void rotation_reference(Ref refs[4], const Tensor *a, const Tensor *b, Arena *arena)
{
    REQUIRE(tensor_count(a) == 1 && tensor_count(b) == 1 && a->dtype == b->dtype);
    DType dtype = a->dtype;
    int components = dtype_components(dtype);
    const Format *format = dtype_format(dtype);
    double x[2] = {0, 0}, y[2] = {0, 0};
    bool extreme = false;
    for (int part = 0; part < components; part++) {
        x[part] = dtype_load(dtype, a->origin, part);
        y[part] = dtype_load(dtype, b->origin, part);
        extreme =
            extreme || out_of_range(fabs(x[part]), format) || out_of_range(fabs(y[part]), format);
    }
    allocate_all(refs, dtype, arena);
    if (components == 1 && isnan(x[0] + y[0]) && !isinf(x[0]) && !isinf(y[0]))
        rotation_of_nan(refs);
    else if (extreme)
        admit_anything(refs);
    else if (components == 2 && x[0] == 0 && x[1] == 0)
        both_rotations_of_zero(refs, dtype, y, arena);
    else if (components == 2)
        complex_rotation(refs, x, y);
    else if (x[0] == 0 && y[0] == 0) {
        put_value(&refs[0], 0, 0, 0, 0);
        put_value(&refs[1], 0, 0, 0, 0);
        put_value(&refs[2], 0, 1, 0, 1);
        put_value(&refs[3], 0, 0, 0, 0);
    } else {
        real_rotation(refs, x[0], y[0]);
    }
}
