/* The reference of rotmg in 64 bits: follows the branches of the reference implementation, and
 * notes where rounding errors may decide one. */
#include "modified_rotation.h"

#include <math.h>

/* The scaling of the coefficients: factors of 4096, so that d1 and d2 stay in [2^-24, 2^24). */
static const long double scale = 4096, scale_squared = 4096.0L * 4096;

/* flag and coefficients as they are stored: h[0] = h11, h[1] = h21, h[2] = h12, h[3] = h22. */
typedef struct Rotation {
    long double d1, d2, x1, h[4];
    int flag;
    bool unclear; /* rounding errors may decide a branch */
    long double condition;
} Rotation;

enum { FLAG_IDENTITY = -2, FLAG_FULL = -1, FLAG_DIAGONAL_ONE = 0, FLAG_OTHER_ONE = 1 };

/* The reference implementation has its limits to six digits. */
static const long double limit_error = 1e-6L;

static bool close_to(long double x, long double y, long double relative)
{
    return fabsl(x - y) <= relative * (fabsl(x) + fabsl(y));
}

static void set_zero(Rotation *r)
{
    r->flag = FLAG_FULL;
    r->d1 = r->d2 = r->x1 = 0;
    for (int i = 0; i < 4; i++)
        r->h[i] = 0;
}

/* Stores the ones that the flag implies, before they are scaled. */
static void make_full(Rotation *r)
{
    if (r->flag == FLAG_DIAGONAL_ONE)
        r->h[0] = r->h[3] = 1;
    if (r->flag == FLAG_OTHER_ONE) {
        r->h[1] = -1;
        r->h[2] = 1;
    }
    r->flag = FLAG_FULL;
}

static void rescale(Rotation *r, long double *d, int row, double unit)
{
    long double errors = limit_error + 64 * (long double)unit;
    r->unclear = r->unclear || !isfinite((double)*d);
    while (*d != 0 && !r->unclear) {
        long double size = fabsl(*d);
        r->unclear =
            close_to(size, 1 / scale_squared, errors) || close_to(size, scale_squared, errors);
        bool small = size<1 / scale_squared, large = size> scale_squared;
        if (!small && !large)
            return;
        make_full(r);
        *d *= small ? scale_squared : 1 / scale_squared;
        if (row == 0)
            r->x1 *= small ? 1 / scale : scale;
        r->h[row] *= small ? 1 / scale : scale;
        r->h[row + 2] *= small ? 1 / scale : scale;
    }
}

/* |q1| > |q2|: the diagonal is 1. */
static void rotate_first(Rotation *r, long double y1, long double p1, long double p2)
{
    long double d1 = r->d1, d2 = r->d2;
    r->h[1] = -y1 / r->x1;
    r->h[2] = p2 / p1;
    long double u = 1 - r->h[2] * r->h[1];
    r->condition += 8 / fabsl(u);
    r->unclear = r->unclear || !(u > 0x1p-10L);
    r->flag = FLAG_DIAGONAL_ONE;
    r->d1 = d1 / u;
    r->d2 = d2 / u;
    r->x1 *= u;
}

static void rotate_second(Rotation *r, long double y1, long double p1, long double p2)
{
    long double d1 = r->d1, d2 = r->d2;
    r->h[0] = p1 / p2;
    r->h[3] = r->x1 / y1;
    long double u = 1 + r->h[0] * r->h[3];
    r->condition += 8 / fabsl(u);
    r->unclear = r->unclear || !(fabsl(u) > 0x1p-10L);
    r->flag = FLAG_OTHER_ONE;
    r->d1 = d2 / u;
    r->d2 = d1 / u;
    r->x1 = y1 * u;
}

static void rotate(Rotation *r, long double y1, double unit)
{
    long double p2 = r->d2 * y1, p1 = r->d1 * r->x1, q2 = p2 * y1, q1 = p1 * r->x1;
    r->condition = 16;
    if (r->d1 < 0) {
        set_zero(r);
        return;
    }
    if (p2 == 0) {
        r->flag = FLAG_IDENTITY;
        return;
    }
    r->unclear = close_to(fabsl(q1), fabsl(q2), 64 * (long double)unit);
    if (fabsl(q1) > fabsl(q2))
        rotate_first(r, y1, p1, p2);
    else if (q2 < 0) {
        set_zero(r);
        return;
    } else
        rotate_second(r, y1, p1, p2);
    rescale(r, &r->d1, 0, unit);
    rescale(r, &r->d2, 1, unit);
}

static bool out_of_range(long double value, const Format *format)
{
    long double size = fabsl(value), margin = 0x1p20L;
    return !(size < format->largest / margin) ||
           (size != 0 && size < format->smallest_normal * margin);
}

/* Inputs and products, and those quotients that have a divisor. */
static bool any_out_of_range(const Rotation *before, long double y1, const Format *format)
{
    long double x1 = before->x1, p2 = before->d2 * y1, p1 = before->d1 * x1;
    const long double values[] = {before->d1, before->d2, x1, y1, p1, p2, p1 * x1, p2 * y1};
    const long double quotients[] = {p2 / p1, p1 / p2, y1 / x1, x1 / y1};
    for (size_t i = 0; i < COUNT_OF(values); i++)
        if (out_of_range(values[i], format))
            return true;
    for (size_t i = 0; i < COUNT_OF(quotients); i++)
        if (isfinite((double)quotients[i]) && out_of_range(quotients[i], format))
            return true;
    return false;
}

static void put(Ref *ref, size_t at, long double value, long double condition)
{
    double high = (double)value;
    ref->match[at] = MATCH_BOUND;
    ref->high[at] = high;
    ref->low[at] = (double)(value - high);
    ref->error[at] = 0x1p-58 * fabs(high) * (double)condition;
    ref->magnitude[at] = (double)(fabsl(value) * condition);
    ref->terms[at] = 1;
    ref->underflow[at] = 4;
}

static bool is_stored(int flag, int coefficient)
{
    bool diagonal = coefficient == 0 || coefficient == 3;
    return flag == FLAG_FULL || (flag == FLAG_OTHER_ONE && diagonal) ||
           (flag == FLAG_DIAGONAL_ONE && !diagonal);
}

static void put_all(Ref refs[4], const Rotation *r, const Tensor *param)
{
    if (r->flag != FLAG_IDENTITY) {
        put(&refs[0], 0, r->d1, r->condition);
        put(&refs[1], 0, r->d2, r->condition);
        put(&refs[2], 0, r->x1, r->condition);
    }
    ref_set_exact(&refs[3], 0, r->flag, MATCH_USUAL);
    for (int i = 0; i < 4; i++) {
        if (is_stored(r->flag, i))
            put(&refs[3], (size_t)i + 1, r->h[i], r->condition);
        else
            ref_set_exact(&refs[3], (size_t)i + 1, dtype_load(param->dtype, param->origin, i + 1),
                          MATCH_BITS);
    }
}

void modified_rotation_reference(Ref refs[4], const Tensor views[4], double y1, Arena *arena)
{
    REQUIRE(tensor_count(&views[0]) == 1 && tensor_count(&views[1]) == 1 &&
            tensor_count(&views[2]) == 1);
    REQUIRE(views[3].extent[0] == 5 && dtype_components(views[0].dtype) == 1);
    DType dtype = views[0].dtype;
    const Format *format = dtype_format(dtype);
    Rotation r = {0};
    long double *const inputs[] = {&r.d1, &r.d2, &r.x1};
    for (int i = 0; i < 4; i++) {
        ref_allocate(&refs[i], dtype, (size_t)views[i].extent[0], 1, arena);
        refs[i].rule = RULE_RELATIVE;
    }
    for (int i = 0; i < 3; i++) {
        double value = dtype_load(dtype, views[i].origin, 0);
        *inputs[i] = value;
        ref_set_exact(&refs[i], 0, value, MATCH_BITS);
    }
    bool extreme = any_out_of_range(&r, y1, format);
    if (!extreme)
        rotate(&r, y1, format->unit);
    if (!extreme && !r.unclear) {
        put_all(refs, &r, &views[3]);
        return;
    }
    for (int i = 0; i < 4; i++)
        for (size_t at = 0; at < refs[i].count; at++) {
            refs[i].match[at] = MATCH_BOUND;
            ref_set_classes(&refs[i], at, CLASS_ANY);
        }
}
