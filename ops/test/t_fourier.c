/* Fourier transforms against their definition in MPFR, and a transform by halves in the arithmetic
 * of the type, which is right, and with roots of unity that are rounded to 12 bits, which is not.
 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "tests/check.h"

enum { PRECISION = 200, LENGTH_MAX = 64 };

static Workspace workspace;

/* A line of one axis: its input as complex numbers, with the half that it leaves out. */
typedef struct Line {
    Case c;
    Operands operands;
    Ref refs[OP_TENSORS_MAX];
    int64_t length;
    double complex x[LENGTH_MAX];
    bool to_real, from_real;
} Line;

static void read_line(Line *line, const char *text)
{
    Text error = {0};
    memset(line, 0, sizeof *line);
    CHECK(case_parse(&line->c, text, &error));
    case_normalise(&line->c, NULL);
    operands_build(&line->operands, &workspace, &line->c);
    const Tensor *x = &line->operands.view[0];
    int64_t extent = case_shape(&line->c, "shape")->extent[0];
    line->length = case_int(&line->c, "length");
    line->to_real = strstr(line->c.op->name, "irfft") || !strcmp(line->c.op->name, "hfft");
    line->from_real = !strcmp(line->c.op->name, "rfft") || !strcmp(line->c.op->name, "ihfft");
    for (int64_t j = 0; j < line->length; j++) {
        bool turned = line->to_real && j > line->length / 2;
        int64_t from = turned ? line->length - j : j;
        if (from >= extent)
            continue;
        double re = tensor_value(x, line->from_real ? from : 2 * from);
        double im = line->from_real ? 0 : tensor_value(x, 2 * from + 1);
        bool real = line->to_real && (from == 0 || 2 * from == line->length);
        line->x[j] = re + (real ? 0 : turned ? -im : im) * I;
    }
    ReferenceInput input = {
        .op = line->c.op, .params = line->c.params, .tensors = line->operands.view};
    op_reference(line->refs, &input, &workspace.arena);
    text_release(&error);
}

static int sign_of(const Line *line)
{
    return line->c.op->name[0] == 'i' ? 1 : -1;
}

static double divisor_of(const Line *line)
{
    int64_t norm = case_int(&line->c, "norm");
    double n = (double)line->length;
    return norm == 1 ? sqrt(n) : (norm == 0) == (sign_of(line) > 0) ? n : 1;
}

/* One part of an element of the result, in MPFR. */
static void define_element(mpfr_t sum, const Line *line, int64_t k, bool imaginary)
{
    mpfr_t angle, root, term;
    mpfr_inits2(PRECISION, angle, root, term, (mpfr_ptr)0);
    mpfr_set_ui(sum, 0, MPFR_RNDN);
    for (int64_t j = 0; j < line->length; j++)
        for (int part = 0; part < 2; part++) {
            mpfr_const_pi(angle, MPFR_RNDN);
            mpfr_mul_si(angle, angle, 2 * sign_of(line) * j * k, MPFR_RNDN);
            mpfr_div_si(angle, angle, line->length, MPFR_RNDN);
            bool sine = part != imaginary;
            (sine ? mpfr_sin : mpfr_cos)(root, angle, MPFR_RNDN);
            mpfr_mul_d(term, root, part ? cimag(line->x[j]) : creal(line->x[j]), MPFR_RNDN);
            if (part && !imaginary)
                mpfr_neg(term, term, MPFR_RNDN);
            mpfr_add(sum, sum, term, MPFR_RNDN);
        }
    mpfr_set_si(term, line->length, MPFR_RNDN);
    mpfr_sqrt(root, term, MPFR_RNDN);
    mpfr_div(sum, sum,
             divisor_of(line) == 1             ? (mpfr_set_ui(term, 1, MPFR_RNDN), term)
             : case_int(&line->c, "norm") == 1 ? root
                                               : term,
             MPFR_RNDN);
    mpfr_clears(angle, root, term, (mpfr_ptr)0);
}

static void test_definition(const char *text)
{
    static Line line;
    mpfr_t exact;
    read_line(&line, text);
    const Ref *ref = &line.refs[1];
    mpfr_init2(exact, PRECISION);
    for (size_t i = 0; i < ref->count; i++) {
        int64_t k = (int64_t)(line.to_real ? i : i / 2);
        define_element(exact, &line, k, !line.to_real && i % 2);
        mpfr_sub_d(exact, exact, ref->high[i], MPFR_RNDN);
        mpfr_sub_d(exact, exact, ref->low[i], MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(exact, MPFR_RNDN)) <= ref->error[i]);
        CHECK(ref->error[i] <= ref->magnitude[i] * dtype_format(ref->accumulator)->unit);
    }
    mpfr_clear(exact);
}

/* By even and odd places, in binary32. */
static void by_halves(float complex *y, const float complex *x, int64_t n, int64_t stride, int bits)
{
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    by_halves(y, x, n / 2, 2 * stride, bits);
    by_halves(y + n / 2, x + stride, n / 2, 2 * stride, bits);
    for (int64_t k = 0; k < n / 2; k++) {
        double angle = -2 * acos(-1) * (double)k / (double)n;
        float re = (float)(ldexp(rint(ldexp(cos(angle), bits)), -bits));
        float im = (float)(ldexp(rint(ldexp(sin(angle), bits)), -bits));
        float complex even = y[k], odd = y[k + n / 2];
        float a = re * crealf(odd) - im * cimagf(odd), b = re * cimagf(odd) + im * crealf(odd);
        y[k] = even + (a + b * I);
        y[k + n / 2] = even - (a + b * I);
    }
}

/* How many elements are outside their bounds, with roots of unity of so many bits. */
static int count_outside(const char *text, int bits)
{
    static Line line;
    float complex x[LENGTH_MAX], y[LENGTH_MAX];
    int outside = 0;
    read_line(&line, text);
    const Ref *ref = &line.refs[1];
    for (int64_t j = 0; j < line.length; j++)
        x[j] = (float complex)line.x[j];
    by_halves(y, x, line.length, 1, bits);
    for (size_t i = 0; i < ref->count; i++) {
        double got = i % 2 ? cimagf(y[i / 2]) : crealf(y[i / 2]);
        double bound = ref->magnitude[i] * dtype_format(ref->accumulator)->unit;
        outside += fabs(got - ref->high[i]) > bound;
    }
    return outside;
}

/* A frame's product with the window and a root of unity, summed: one part, exactly, and in the
 * arithmetic of the type with roots of so many bits. */
static double define_frame(mpfr_t sum, const Operands *o, int64_t first, int64_t k, bool imaginary,
                           int bits)
{
    const Tensor *window = &o->view[1];
    int64_t n = window->extent[0];
    DType type = window->dtype;
    double plain = 0;
    mpfr_t turn, term;
    mpfr_inits2(PRECISION, turn, term, (mpfr_ptr)NULL);
    mpfr_set_zero(sum, 1);
    for (int64_t j = 0; j < n; j++) {
        double x = tensor_value(&o->view[0], first + j), w = tensor_value(window, j);
        mpfr_const_pi(turn, MPFR_RNDN);
        mpfr_mul_si(turn, turn, -2 * (long)(j * k), MPFR_RNDN);
        mpfr_div_si(turn, turn, (long)n, MPFR_RNDN);
        (imaginary ? mpfr_sin : mpfr_cos)(term, turn, MPFR_RNDN);
        double root = ldexp(rint(ldexp(mpfr_get_d(term, MPFR_RNDN), bits)), -bits);
        mpfr_mul_d(term, term, x, MPFR_RNDN);
        mpfr_mul_d(term, term, w, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
        double product = dtype_round(type, dtype_round(type, x * w) * dtype_round(type, root));
        plain = dtype_round(type, plain + product);
    }
    mpfr_clears(turn, term, (mpfr_ptr)NULL);
    return plain;
}

/* How many elements of a direct sum are outside of their bounds; the reference is within its own
 * error. */
static int count_of_frames(const char *text, int bits)
{
    static Case c;
    static Operands o;
    static Ref refs[OP_TENSORS_MAX];
    Text error = {0};
    mpfr_t exact;
    int outside = 0;
    mpfr_init2(exact, PRECISION);
    CHECK(case_parse(&c, text, &error));
    case_normalise(&c, NULL);
    operands_build(&o, &workspace, &c);
    op_reference(refs, &(ReferenceInput){.op = c.op, .params = c.params, .tensors = o.view},
                 &workspace.arena);
    const Ref *ref = &refs[2];
    int64_t frames = o.view[2].extent[1], bins = o.view[2].extent[2];
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i / 2 / bins, k = (int64_t)i / 2 % bins;
        int64_t first =
            number / frames * o.view[0].extent[1] + number % frames * case_int(&c, "frame_step");
        double got = define_frame(exact, &o, first, k, i % 2, bits);
        double bound = ref->magnitude[i] * dtype_format(ref->accumulator)->unit;
        mpfr_sub_d(exact, exact, ref->high[i], MPFR_RNDN);
        mpfr_sub_d(exact, exact, ref->low[i], MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(exact, MPFR_RNDN)) <= ref->error[i]);
        CHECK(ref->error[i] <= bound);
        outside += fabs(got - ref->high[i]) > bound;
    }
    mpfr_clear(exact);
    text_release(&error);
    return outside;
}

int main(void)
{
    enum { ROOT_BITS = 30, FEW_BITS = 8 };
    static const char *const lines[] = {
        "fft/1 dtype=f64 shape=12 axis=0 length=12 norm=backward | x=normal:1",
        "fft/1 dtype=f32 shape=5 axis=0 length=17 norm=forward | x=int:1",
        "ifft/1 dtype=f64 shape=9 axis=0 length=7 norm=ortho | x=normal:2",
        "ifft/1 dtype=f32 shape=16 axis=0 length=16 norm=backward | x=exponents:2",
        "rfft/1 dtype=f64 shape=11 axis=0 length=11 norm=backward | x=normal:3",
        "rfft/1 dtype=f64 shape=3 axis=0 length=10 norm=ortho | x=normal:3",
        "irfft/1 dtype=f64 shape=6 axis=0 length=10 norm=backward | x=normal:4",
        "irfft/1 dtype=f32 shape=6 axis=0 length=11 norm=forward | x=normal:4",
        "irfft/1 dtype=f32 shape=6 axis=0 length=4 norm=ortho | x=normal:5",
        "hfft/1 dtype=f64 shape=5 axis=0 length=8 norm=backward | x=normal:6",
        "hfft/1 dtype=f64 shape=5 axis=0 length=9 norm=forward | x=normal:6",
        "ihfft/1 dtype=f64 shape=9 axis=0 length=9 norm=backward | x=normal:7"};
    static const char *const frames[] = {
        "stft/1 dtype=f32 batch_size=2 signal_length=50 frame_length=13 frame_step=5 onesided=no | "
        "x=normal:1 window=normal:2",
        "stft/1 dtype=f64 signal_length=40 frame_length=16 frame_step=24 onesided=yes | "
        "x=exponents:1 window=near:2",
        "stft/1 dtype=f32 signal_length=3 frame_length=1 frame_step=1 onesided=yes | x=normal:1 "
        "window=int:2"};
    static const char *const halves[] = {
        "fft/1 dtype=f32 shape=64 axis=0 length=64 norm=backward | x=normal:1",
        "fft/1 dtype=f32 shape=64 axis=0 length=64 norm=backward | x=exponents:1",
        "fft/1 dtype=f32 shape=32 axis=0 length=32 norm=backward | x=near:1",
        "fft/1 dtype=f32 shape=2 axis=0 length=2 norm=backward | x=normal:1"};
    CHECK(workspace_init(&workspace));
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        test_definition(lines[i]);
    for (size_t i = 0; i < COUNT_OF(halves); i++)
        CHECK(count_outside(halves[i], ROOT_BITS) == 0);
    CHECK(count_outside(halves[0], FEW_BITS) > 0);
    for (size_t i = 0; i < COUNT_OF(frames); i++)
        CHECK(count_of_frames(frames[i], DBL_MANT_DIG + 3) == 0);
    CHECK(count_of_frames(frames[0], FEW_BITS) > 0);
    workspace_release(&workspace);
    return check_end("ops/t_fourier");
}
