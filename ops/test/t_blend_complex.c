/* Formulas of complex numbers in single precision against the same in binary64. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "ops/case/operands.h"
#include "ops/nn/nn_exact.h"
#include "tests/check.h"

typedef double complex Number;

static Number at(const Tensor *t, int64_t i)
{
    Scalar z = nn_element(t, i);
    return __builtin_complex(z.re, z.im);
}

typedef Number Formula(const Tensor *t, int64_t i);

static Number addcmul(const Tensor *t, int64_t i)
{
    return at(&t[0], i) + 1.5 * at(&t[1], i) * at(&t[2], i);
}

static Number addcdiv(const Tensor *t, int64_t i)
{
    return at(&t[0], i) + 1.5 * at(&t[1], i) / at(&t[2], i);
}

static Number lerp(const Tensor *t, int64_t i)
{
    return 0.25 * at(&t[0], i) + 0.75 * at(&t[1], i);
}

/* Lines of seven, points half of one apart. */
static Number trapezoid(const Tensor *t, int64_t i)
{
    Number sum = 0;
    for (int64_t k = 0; k < 6; k++)
        sum += (at(t, 7 * i + k) + at(t, 7 * i + k + 1)) / 4;
    return sum;
}

static Number cumulative(const Tensor *t, int64_t i)
{
    Number sum = 0;
    for (int64_t k = 0; k <= i % 6; k++)
        sum += (at(t, i / 6 * 7 + k) + at(t, i / 6 * 7 + k + 1)) / 4;
    return sum;
}

static Number gradient(const Tensor *t, int64_t i)
{
    int64_t k = i % 7;
    if (k == 0 || k == 6)
        return 2 * (at(t, i + (k == 0)) - at(t, i - (k == 6)));
    return at(t, i + 1) - at(t, i - 1);
}

static Number cross(const Tensor *t, int64_t i)
{
    int64_t line = i / 3 * 3, next = line + (i + 1) % 3, last = line + (i + 2) % 3;
    return at(&t[0], next) * at(&t[1], last) - at(&t[0], last) * at(&t[1], next);
}

static Number kron(const Tensor *t, int64_t i)
{
    int64_t row = i / 6, column = i % 6;
    return at(&t[0], row / 3 * 3 + column / 2) * at(&t[1], row % 3 * 2 + column % 2);
}

static double norm(const Tensor *t, int64_t line)
{
    double sum = 0;
    for (int64_t k = 0; k < 7; k++)
        sum += creal(at(t, 7 * line + k) * conj(at(t, 7 * line + k)));
    return sqrt(sum);
}

static Number normalize(const Tensor *t, int64_t i)
{
    return at(t, i) / norm(t, i / 7);
}

static Number pairwise(const Tensor *t, int64_t i)
{
    double sum = 0;
    for (int64_t k = 0; k < 7; k++) {
        Number apart = at(&t[0], 7 * i + k) - at(&t[1], 7 * i + k) + 1e-6;
        sum += creal(apart * conj(apart));
    }
    return sqrt(sum);
}

static Number covariance(const Tensor *t, int64_t row, int64_t column)
{
    Number first = 0, second = 0, sum = 0;
    for (int64_t k = 0; k < 7; k++) {
        first += at(t, 7 * row + k) / 7;
        second += at(t, 7 * column + k) / 7;
    }
    for (int64_t k = 0; k < 7; k++)
        sum += (at(t, 7 * row + k) - first) * conj(at(t, 7 * column + k) - second);
    return sum / 6;
}

static Number cov(const Tensor *t, int64_t i)
{
    return covariance(t, i / 3, i % 3);
}

static Number corrcoef(const Tensor *t, int64_t i)
{
    double row = creal(covariance(t, i / 3, i / 3)), column = creal(covariance(t, i % 3, i % 3));
    return covariance(t, i / 3, i % 3) / sqrt(row) / sqrt(column);
}

static const struct {
    const char *line;
    Formula *formula;
} rows[] = {
    {"addcmul/1 dtype=c64 shape=30 value=0x1.8p+0 | x=normal:1 a=normal:2 b=normal:3", addcmul},
    {"addcdiv/1 dtype=c64 shape=30 value=0x1.8p+0 | x=normal:1 a=normal:2 b=normal:3", addcdiv},
    {"lerp/1 dtype=c64 shape=30 value=0x1.8p-1 | a=normal:1 b=normal:2", lerp},
    {"trapezoid/1 dtype=c64 shape=5x7 axis=1 dx=0x1p-1 | x=normal:1", trapezoid},
    {"cumulative_trapezoid/1 dtype=c64 shape=5x7 axis=1 dx=0x1p-1 | x=normal:1", cumulative},
    {"gradient/1 dtype=c64 shape=5x7 axis=1 dx=0x1p-1 | x=normal:1", gradient},
    {"cross/1 dtype=c64 shape=5x3 axis=1 | a=normal:1 b=normal:2", cross},
    {"kron/1 dtype=c64 shape=2x3 shape_b=3x2 | a=normal:1 b=normal:2", kron},
    {"normalize/1 dtype=c64 shape=5x7 axis=1 | x=normal:1", normalize},
    {"pairwise_distance/1 dtype=c64 shape=5x7 axis=1 | a=normal:1 b=normal:2", pairwise},
    {"cov/1 dtype=c64 rows=3 steps=7 | x=normal:1", cov},
    {"corrcoef/1 dtype=c64 rows=3 steps=7 | x=normal:1", corrcoef},
};

static void compare(const char *line, const Operands *o, const Ref *refs, Formula *formula)
{
    int last = o->shapes.count - 1;
    const Ref *ref = &refs[last];
    size_t parts = (size_t)dtype_components(ref->dtype);
    double worst = 0, bound = 0;
    for (size_t i = 0; i < ref->count; i++) {
        Number value = formula(o->view, (int64_t)(i / parts));
        double part = i % parts ? cimag(value) : creal(value);
        CHECK(ref->classes[i] == CLASS_FINITE);
        worst = fmax(worst, fabs(ref->high[i] + ref->low[i] - part) / (1 + cabs(value)));
        bound = fmax(bound, ref->magnitude[i] / (1 + cabs(value)));
    }
    CHECK(ref->count > 0 && worst < 0x1p-46 && bound > 0 && bound < 1000);
    if (!(worst < 0x1p-46 && bound < 1000))
        (void)fprintf(stderr, "%s: off by %g, bound %g units\n", line, worst, bound);
}

int main(void)
{
    Workspace workspace;
    CHECK(workspace_init(&workspace));
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        Text error = {0};
        Operands o;
        Ref refs[OP_TENSORS_MAX] = {0};
        Case c;
        CHECK(case_parse(&c, rows[row].line, &error));
        operands_build(&o, &workspace, &c);
        operands_reference(&o, refs, &workspace.arena);
        compare(rows[row].line, &o, refs, rows[row].formula);
        text_release(&error);
    }
    workspace_release(&workspace);
    return check_end("ops/t_blend_complex");
}
