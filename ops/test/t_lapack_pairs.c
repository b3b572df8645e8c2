/* Reordered Schur forms, factors of two matrices, forms of pencils, Sylvester's equations and
 * constrained least squares against arithmetic of 300 bits: what a reference says a result is off
 * by is what its equations have there, whatever was computed, and its own result satisfies them. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "ops/case/operands.h"
#include "ops/lapack/schur_judge.h"
#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 300, SIZE = 8, SAMPLES = 40 };

static uint64_t state = 31;
static Workspace workspace;

/* A matrix of exact complex numbers. */
typedef struct Exact {
    int64_t rows, columns;
    mpfr_t (*values)[2];
} Exact;

/* All of them live until the end of a test. */
enum { POOL_MAX = 40000 };
static mpfr_t pool[POOL_MAX][2];
static int pool_used, pool_made;

static Exact exact_zeros(int64_t rows, int64_t columns)
{
    Exact to = {rows, columns, &pool[pool_used]};
    pool_used += (int)(rows * columns);
    CHECK(pool_used <= POOL_MAX);
    for (; pool_made < pool_used; pool_made++)
        mpfr_inits2(PRECISION, pool[pool_made][0], pool[pool_made][1], (mpfr_ptr)NULL);
    for (int64_t i = 0; i < rows * columns; i++)
        for (int part = 0; part < 2; part++)
            mpfr_set_zero(to.values[i][part], 1);
    return to;
}

static mpfr_t *at(const Exact *a, int64_t i, int64_t j)
{
    return a->values[i * a->columns + j];
}

static Exact exact_of(const Matrix *a)
{
    Exact to = exact_zeros(a->rows, a->columns);
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        mpfr_set_d(to.values[i][0], a->values[i].re, MPFR_RNDN);
        mpfr_set_d(to.values[i][1], a->values[i].im, MPFR_RNDN);
    }
    return to;
}

static Exact turned(const Exact *a)
{
    Exact to = exact_zeros(a->columns, a->rows);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++) {
            mpfr_set(at(&to, j, i)[0], at(a, i, j)[0], MPFR_RNDN);
            mpfr_neg(at(&to, j, i)[1], at(a, i, j)[1], MPFR_RNDN);
        }
    return to;
}

/* to += sign A B. */
static void add_product(Exact *to, int sign, const Exact *a, const Exact *b)
{
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < b->columns; j++)
            for (int64_t k = 0; k < a->columns; k++)
                for (int bits = 0; bits < 4; bits++) {
                    int x = bits & 1, y = bits >> 1;
                    mpfr_t *sum = &at(to, i, j)[x ^ y];
                    mpfr_mul(product, at(a, i, k)[x], at(b, k, j)[y], MPFR_RNDN);
                    if ((sign > 0) == !(x && y))
                        mpfr_add(*sum, *sum, product, MPFR_RNDN);
                    else
                        mpfr_sub(*sum, *sum, product, MPFR_RNDN);
                }
    mpfr_clear(product);
}

static Exact product(const Exact *a, const Exact *b)
{
    Exact to = exact_zeros(a->rows, b->columns);
    add_product(&to, 1, a, b);
    return to;
}

/* A B C^H. */
static Exact similar(const Exact *a, const Exact *b, const Exact *c)
{
    Exact left = product(a, b), right = turned(c);
    return product(&left, &right);
}

static Exact difference(const Exact *a, const Exact *b)
{
    Exact to = exact_zeros(a->rows, a->columns);
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        for (int part = 0; part < 2; part++)
            mpfr_sub(to.values[i][part], a->values[i][part], b->values[i][part], MPFR_RNDN);
    return to;
}

static Exact identity(int64_t n)
{
    Exact to = exact_zeros(n, n);
    for (int64_t i = 0; i < n; i++)
        mpfr_set_d(at(&to, i, i)[0], 1, MPFR_RNDN);
    return to;
}

static double norm(const Exact *a)
{
    double sum = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        for (int part = 0; part < 2; part++) {
            double x = mpfr_get_d(a->values[i][part], MPFR_RNDN);
            sum += x * x;
        }
    return sqrt(sum);
}

/* A case whose results are those of its own reference. */
typedef struct Run {
    Case c;
    Operands o;
    Ref own[OP_TENSORS_MAX], judged[OP_TENSORS_MAX];
    Matrix before[OP_TENSORS_MAX], after[OP_TENSORS_MAX];
} Run;

static void store(const Operands *o, const Ref *own, int i)
{
    Matrix x = matrix_read(&o->view[i], &workspace.arena);
    int parts = dtype_components(o->view[i].dtype);
    for (int64_t k = 0; k < x.rows * x.columns; k++) {
        size_t element = (size_t)(k * parts);
        x.values[k].re = own->high[element];
        x.values[k].im = parts == 2 ? own->high[element + 1] : 0;
    }
    matrix_write(&x, &o->view[i]);
}

static void judge(Run *r)
{
    operands_reference(&r->o, r->judged, &workspace.arena);
    for (int i = 0; i < r->o.shapes.count; i++)
        r->after[i] = matrix_read(&r->o.view[i], &workspace.arena);
}

static double worst_ratio(const Run *r)
{
    double worst = 0;
    for (int i = 0; i < r->o.shapes.count; i++)
        if (operands_is_output(&r->o, i))
            worst = fmax(worst, matrix_ratio(&r->after[i], &r->judged[i]));
    return worst;
}

/* What was computed is right, and is not with one number that is off by a share of the largest. */
static void check_verdicts(Run *r, int output)
{
    Matrix x = matrix_copy(&r->after[output], &workspace.arena);
    int64_t count = x.rows * x.columns;
    CHECK(worst_ratio(r) <= 1);
    if (count == 0)
        return;
    x.values[random_next(&state) % (uint64_t)count].re += 0x1p-5 * matrix_norm(&x);
    matrix_write(&x, &r->o.view[output]);
    judge(r);
    CHECK(worst_ratio(r) > 1);
}

/* A line of an operator and its parameters, with random numbers in all operands. */
static void run(Run *r, const char *op, DType dtype, const char *params)
{
    Text line = {0}, error = {0};
    memset(r, 0, sizeof *r);
    const OpDesc *desc = op_find(op);
    text_printf(&line, "%s/1 dtype=%s %s |", op, dtype_names[dtype], params);
    for (int i = 0; desc->tensors[i]; i++)
        text_printf(&line, " %s=normal:%x", desc->tensors[i],
                    (unsigned)(random_next(&state) & 0xffff));
    CHECK(case_parse(&r->c, text_string(&line), &error));
    text_release(&error);
    text_release(&line);
    operands_build(&r->o, &workspace, &r->c);
    for (int i = 0; i < r->o.shapes.count; i++)
        r->before[i] = matrix_read(&r->o.view[i], &workspace.arena);
    const ReferenceInput input = {.op = desc, .params = r->c.params, .tensors = r->o.view};
    op_reference(r->own, &input, &workspace.arena);
    for (int i = 0; i < r->o.shapes.count; i++)
        if (operands_is_output(&r->o, i))
            store(&r->o, &r->own[i], i);
    judge(r);
    pool_used = 0;
}

/* An element expects what was computed less `off` over a scale, far more accurately than it is
 * judged. */
static void check_element(const Run *r, int output, int64_t i, int64_t j, mpfr_t *const off,
                          double scale)
{
    const Ref *ref = &r->judged[output];
    Scalar got = *matrix_at(&r->after[output], i, j);
    mpfr_t rest;
    mpfr_init2(rest, PRECISION);
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        size_t element = matrix_element(ref, i, j) + (size_t)part;
        double bound = ref->magnitude[element] * dtype_format(ref->accumulator)->unit;
        mpfr_div_d(rest, off[part], scale, MPFR_RNDN);
        mpfr_add_d(rest, rest, ref->high[element], MPFR_RNDN);
        mpfr_add_d(rest, rest, ref->low[element], MPFR_RNDN);
        mpfr_sub_d(rest, rest, part ? got.im : got.re, MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(rest, MPFR_RNDN)) <= 0x1p-7 * bound + ref->error[element]);
    }
    mpfr_clear(rest);
}

/* Q H Z^H - A and Q T Z^H - B on the elements of H and T. */
static void test_pencil_form(DType dtype)
{
    Run r;
    run(&r, "gghrd", dtype, "compq=identity compz=given n=6 ilo=2 ihi=5");
    Exact q = exact_of(&r.after[2]), z = exact_of(&r.after[3]), one = exact_of(&r.before[3]);
    double most = norm(&one) * norm(&one);
    for (int k = 0; k < 2; k++) {
        Exact a = exact_of(&r.before[k]), h = exact_of(&r.after[k]), unit = identity(6);
        Exact left = similar(&q, &h, &z), right = similar(&unit, &a, &one);
        Exact off = difference(&left, &right);
        CHECK(norm(&off) <= 64 * dtype_format(dtype)->unit * norm(&a) * most);
        double scale = sqrt(schur_squared_norm(&r.before[3]));
        for (int64_t i = 0; i < 6; i++)
            for (int64_t j = 0; j < 6; j++)
                check_element(&r, k, i, j, at(&off, i, j), scale);
    }
    check_verdicts(&r, (int)(random_next(&state) % 4));
}

static double largest(const Matrix *a)
{
    double most = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        most = fmax(most, hypot(a->values[i].re, a->values[i].im));
    return most;
}

static double sizes(Scalar x)
{
    return fabs(x.re) + fabs(x.im);
}

/* A R - L B - C and D R - L E - F over the largest coefficients. */
static void test_sylvester(DType dtype)
{
    enum { A, B, C, D, E, F };
    Run r;
    run(&r, "tgsyl", dtype, "m=4 n=3 ijob=1");
    double scale = fmax(largest(&r.before[A]) + largest(&r.before[B]),
                        largest(&r.before[D]) + largest(&r.before[E]));
    Exact x = exact_of(&r.after[C]), y = exact_of(&r.after[F]);
    for (int k = 0; k < 2; k++) {
        Exact left = exact_of(&r.before[k ? D : A]), right = exact_of(&r.before[k ? E : B]);
        Exact off = product(&left, &x), given = exact_of(&r.before[k ? F : C]);
        add_product(&off, -1, &y, &right);
        off = difference(&off, &given);
        for (int64_t i = 0; i < 4; i++)
            for (int64_t j = 0; j < 3; j++)
                check_element(&r, k ? F : C, i, j, at(&off, i, j), scale);
    }
    if (r.own[8].high[0] == 0)
        check_verdicts(&r, random_next(&state) % 2 ? C : F);
}

/* beta S v - alpha P v of each vector of a pencil without blocks, over the largest elements. */
static void test_pencil_vectors(DType dtype)
{
    enum { N = 6, S = 1, P, VR = 4, INFO = 6 };
    Run r;
    run(&r, "tgevc", dtype, "side=right howmny=all n=6");
    Exact s = exact_of(&r.before[S]), p = exact_of(&r.before[P]);
    for (int64_t j = 0; j < N; j++) {
        Matrix vector = matrix_zeros(N, 1, &workspace.arena),
               number = matrix_zeros(1, 1, &workspace.arena);
        for (int64_t i = 0; i < N; i++)
            vector.values[i] = *matrix_at(&r.after[VR], i, j);
        Exact v = exact_of(&vector), left = product(&s, &v), right = product(&p, &v);
        Scalar alpha = *matrix_at(&r.before[S], j, j), beta = *matrix_at(&r.before[P], j, j);
        number.values[0] = beta;
        Exact of_beta = exact_of(&number), off = product(&left, &of_beta);
        number.values[0] = alpha;
        Exact of_alpha = exact_of(&number);
        add_product(&off, -1, &right, &of_alpha);
        double scale = sizes(beta) * largest(&r.before[S]) + sizes(alpha) * largest(&r.before[P]);
        bool paired = dtype_components(dtype) == 1 && j % 3 != 2;
        for (int64_t i = 0; i <= j && !paired; i++)
            check_element(&r, VR, i, j, at(&off, i, 0), scale);
    }
    if (r.own[INFO].high[0] == 0)
        check_verdicts(&r, VR);
}

/* Q' T' Q'^H - Q T Q^H or Q' Q'^H - Q Q^H, over the norms, whichever is larger, on those of Q'. */
static void test_reordered(const char *op, const char *params, DType dtype, int t, int q)
{
    Run r;
    run(&r, op, dtype, params);
    int64_t n = r.before[t].rows;
    double size = schur_squared_norm(&r.before[q]), scale = size * matrix_norm(&r.before[t]);
    Exact after = exact_of(&r.after[q]), before = exact_of(&r.before[q]), unit = identity(n);
    Exact t_after = exact_of(&r.after[t]), t_before = exact_of(&r.before[t]);
    Exact x = similar(&after, &t_after, &after), y = similar(&before, &t_before, &before);
    Exact u = similar(&after, &unit, &after), v = similar(&before, &unit, &before);
    Exact off = difference(&x, &y), turns = difference(&u, &v);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double one = hypot(mpfr_get_d(at(&off, i, j)[0], MPFR_RNDN),
                               mpfr_get_d(at(&off, i, j)[1], MPFR_RNDN));
            double other = hypot(mpfr_get_d(at(&turns, i, j)[0], MPFR_RNDN),
                                 mpfr_get_d(at(&turns, i, j)[1], MPFR_RNDN));
            if (one / scale > 1.01 * other / size)
                check_element(&r, q, i, j, at(&off, i, j), scale);
            else if (one / scale < 0.99 * other / size)
                check_element(&r, q, i, j, at(&turns, i, j), size);
        }
    check_verdicts(&r, t);
}

/* Q becomes (I - tau v v^H) Q. */
static void reflect(Exact *q, const Exact *v, Scalar tau)
{
    Matrix factor = matrix_zeros(1, 1, &workspace.arena);
    factor.values[0] = tau;
    Exact scale = exact_of(&factor), back = turned(v), inner = product(&back, q);
    Exact scaled = product(&scale, &inner);
    add_product(q, -1, v, &scaled);
}

/* Q R of factors as geqrf leaves them, or R Q as gerqf does (dgeqrf.f, dgerqf.f: Further Details),
 * in place of X, which is multiplied from the left, or the right. */
static Exact multiplied(const Matrix *factors, const Matrix *tau, bool reversed, Exact x)
{
    int64_t k = tau->rows, n = reversed ? factors->columns : factors->rows;
    Exact to = reversed ? turned(&x) : x;
    for (int64_t step = k - 1; step >= 0; step--) {
        int64_t i = reversed ? k - 1 - step : step, at_one = reversed ? n - k + i : i;
        Matrix v = matrix_zeros(n, 1, &workspace.arena);
        for (int64_t l = 0; l < n; l++) {
            bool inside = reversed ? l < at_one : l > at_one;
            Scalar value = reversed ? *matrix_at(factors, factors->rows - k + i, inside ? l : 0)
                                    : *matrix_at(factors, inside ? l : 0, i);
            v.values[l] = l == at_one ? (Scalar){1, 0} : inside ? value : (Scalar){0, 0};
            if (reversed)
                v.values[l].im = -v.values[l].im;
        }
        Exact vector = exact_of(&v);
        reflect(&to, &vector, tau->values[i]);
    }
    return reversed ? turned(&to) : to;
}

static Exact triangle(const Matrix *a, bool reversed)
{
    Matrix to = matrix_copy(a, &workspace.arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            if (reversed ? i - a->rows > j - a->columns : i > j)
                *matrix_at(&to, i, j) = (Scalar){0, 0};
    return exact_of(&to);
}

/* A = Q R and B = Q T Z, or A = R Q and B = Z T Q. */
static void test_factors(bool right, DType dtype)
{
    Run r;
    run(&r, right ? "ggrqf" : "ggqrf", dtype, "m=4 n=6 p=5");
    Exact a = multiplied(&r.after[0], &r.after[1], right, triangle(&r.after[0], right));
    Exact b = multiplied(&r.after[2], &r.after[3], !right, triangle(&r.after[2], !right));
    b = multiplied(&r.after[0], &r.after[1], right, b);
    Exact a_given = exact_of(&r.before[0]), b_given = exact_of(&r.before[2]);
    Exact a_off = difference(&a, &a_given), b_off = difference(&b, &b_given);
    CHECK(norm(&a_off) <= 64 * dtype_format(dtype)->unit * norm(&a_given));
    CHECK(norm(&b_off) <= 128 * dtype_format(dtype)->unit * norm(&b_given));
    check_verdicts(&r, random_next(&state) % 2 ? 0 : 2);
}

/* x = y / z. */
static void divide(mpfr_t x[2], mpfr_t *const y, mpfr_t *const z)
{
    mpfr_t size, part[2], other;
    mpfr_inits2(PRECISION, size, part[0], part[1], other, (mpfr_ptr)NULL);
    mpfr_mul(size, z[0], z[0], MPFR_RNDN);
    mpfr_mul(other, z[1], z[1], MPFR_RNDN);
    mpfr_add(size, size, other, MPFR_RNDN);
    for (int k = 0; k < 2; k++) {
        mpfr_mul(part[k], y[k], z[0], MPFR_RNDN);
        mpfr_mul(other, y[1 - k], z[1], MPFR_RNDN);
        if (k == 0)
            mpfr_add(part[k], part[k], other, MPFR_RNDN);
        else
            mpfr_sub(part[k], part[k], other, MPFR_RNDN);
        mpfr_div(part[k], part[k], size, MPFR_RNDN);
    }
    for (int k = 0; k < 2; k++)
        mpfr_set(x[k], part[k], MPFR_RNDN);
    mpfr_clears(size, part[0], part[1], other, (mpfr_ptr)NULL);
}

/* Row `to` of A less a multiple of row `from`. */
static void subtract_row(Exact *a, int64_t to, mpfr_t *const factor, int64_t from)
{
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    for (int64_t j = 0; j < a->columns; j++)
        for (int bits = 0; bits < 4; bits++) {
            int x = bits & 1, y = bits >> 1;
            mpfr_t *sum = &at(a, to, j)[x ^ y];
            mpfr_mul(product, factor[x], at(a, from, j)[y], MPFR_RNDN);
            if (x && y)
                mpfr_add(*sum, *sum, product, MPFR_RNDN);
            else
                mpfr_sub(*sum, *sum, product, MPFR_RNDN);
        }
    mpfr_clear(product);
}

static double size_at(const Exact *a, int64_t i, int64_t j)
{
    return hypot(mpfr_get_d(at(a, i, j)[0], MPFR_RNDN), mpfr_get_d(at(a, i, j)[1], MPFR_RNDN));
}

/* The last column of (K, b) becomes K^-1 b. */
static void solve(Exact *a)
{
    Exact factor = exact_zeros(1, 1);
    for (int64_t k = 0; k < a->rows; k++) {
        int64_t pivot = k;
        for (int64_t i = k; i < a->rows; i++)
            pivot = size_at(a, i, k) > size_at(a, pivot, k) ? i : pivot;
        for (int64_t j = 0; j < a->columns && pivot != k; j++)
            for (int part = 0; part < 2; part++)
                mpfr_swap(at(a, k, j)[part], at(a, pivot, j)[part]);
        for (int64_t i = 0; i < a->rows; i++) {
            if (i == k)
                continue;
            divide(factor.values[0], at(a, i, k), at(a, k, k));
            subtract_row(a, i, factor.values[0], k);
        }
    }
    for (int64_t k = 0; k < a->rows; k++)
        divide(at(a, k, a->rows), at(a, k, a->rows), at(a, k, k));
}

static void place(Exact *to, int64_t row, int64_t column, const Exact *a)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            for (int part = 0; part < 2; part++)
                mpfr_set(at(to, row + i, column + j)[part], at(a, i, j)[part], MPFR_RNDN);
}

/* An operand becomes rows of the exact solution, rounded. */
static void put_solution(Run *r, int output, const Exact *a, int64_t row)
{
    Matrix x = matrix_copy(&r->after[output], &workspace.arena);
    for (int64_t i = 0; i < x.rows; i++) {
        x.values[i].re = mpfr_get_d(at(a, row + i, a->rows)[0], MPFR_RNDN);
        x.values[i].im = mpfr_get_d(at(a, row + i, a->rows)[1], MPFR_RNDN);
    }
    matrix_write(&x, &r->o.view[output]);
}

/* The solution by Lagrange's multipliers is right, and what is far from it is not. */
static void test_constrained(bool model, DType dtype)
{
    Run r;
    run(&r, model ? "ggglm" : "gglse", dtype, model ? "n=5 m=2 p=4" : "m=5 n=4 p=2");
    int64_t one = r.before[0].rows, two = r.before[0].columns;
    int64_t three = model ? r.before[1].columns : r.before[1].rows;
    Exact a = exact_of(&r.before[0]), b = exact_of(&r.before[1]);
    Exact a_back = turned(&a), b_back = turned(&b), minus = exact_zeros(three, three);
    Exact unit = identity(one), last = identity(three), first = exact_of(&r.before[2]);
    Exact system = exact_zeros(one + two + three, one + two + three + 1);
    Exact second = exact_of(&r.before[3]), negative = difference(&minus, &last);
    place(&system, 0, one, &a);
    place(&system, one, 0, &a_back);
    place(&system, 0, one + two + three, &first);
    place(&system, model ? 0 : one + two, model ? one + two : one, &b);
    place(&system, model ? one + two : one, model ? 0 : one + two, &b_back);
    place(&system, model ? one + two : 0, model ? one + two : 0, model ? &negative : &unit);
    if (!model)
        place(&system, one + two, one + two + three, &second);
    solve(&system);
    put_solution(&r, model ? 3 : 4, &system, one);
    if (model)
        put_solution(&r, 4, &system, one + two);
    judge(&r);
    check_verdicts(&r, model ? 3 + (int)(random_next(&state) % 2) : 4);
}

/* s of an eigenvalue is the cosine of its vectors, which are given. */
static void test_cosines(DType dtype)
{
    enum { N = 5, VL = 2, VR, S };
    Run r;
    run(&r, "trsna", dtype, "job=eigenvalues howmny=all n=5");
    mpfr_t part, size;
    mpfr_inits2(PRECISION, part, size, (mpfr_ptr)NULL);
    for (int64_t j = 0; j < N; j++) {
        Matrix vectors[2];
        for (int k = 0; k < 2; k++) {
            vectors[k] = matrix_zeros(N, 1, &workspace.arena);
            for (int64_t i = 0; i < N; i++)
                vectors[k].values[i] = *matrix_at(&r.before[VL + k], i, j);
        }
        Exact y = exact_of(&vectors[0]), x = exact_of(&vectors[1]), back = turned(&y);
        Exact x_back = turned(&x), inner = product(&back, &x);
        Exact of_x = product(&x_back, &x), of_y = product(&back, &y);
        mpfr_hypot(part, inner.values[0][0], inner.values[0][1], MPFR_RNDN);
        mpfr_mul(size, of_x.values[0][0], of_y.values[0][0], MPFR_RNDN);
        mpfr_sqrt(size, size, MPFR_RNDN);
        mpfr_div(part, part, size, MPFR_RNDN);
        mpfr_sub_d(part, part, r.own[S].high[j], MPFR_RNDN);
        mpfr_sub_d(part, part, r.own[S].low[j], MPFR_RNDN);
        CHECK(fabs(mpfr_get_d(part, MPFR_RNDN)) <= r.own[S].error[j]);
    }
    mpfr_clears(part, size, (mpfr_ptr)NULL);
}

/* T_11 R - R T_22 of the first m rows of a triangle, for R by rows, with T_12 in the last column.
 */
static Exact sylvester_system(const Exact *t, int64_t m)
{
    int64_t rest = t->rows - m, order = m * rest;
    Exact to = exact_zeros(order, order + 1);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < rest; j++)
            for (int part = 0; part < 2; part++) {
                int64_t row = i * rest + j;
                for (int64_t k = 0; k < m; k++)
                    mpfr_set(at(&to, row, k * rest + j)[part], at(t, i, k)[part], MPFR_RNDN);
                for (int64_t l = 0; l < rest; l++) {
                    mpfr_t *x = &at(&to, row, i * rest + l)[part];
                    mpfr_sub(*x, *x, at(t, m + l, m + j)[part], MPFR_RNDN);
                }
                mpfr_set(at(&to, row, order)[part], at(t, i, m + j)[part], MPFR_RNDN);
            }
    return to;
}

/* The greatest sum of a column of K^-1. */
static double inverse_norm(const Exact *system)
{
    double most = 0;
    for (int64_t column = 0; column < system->rows; column++) {
        Exact x = exact_zeros(system->rows, system->rows + 1);
        double sum = 0;
        place(&x, 0, 0, system);
        for (int64_t i = 0; i < x.rows; i++)
            for (int part = 0; part < 2; part++)
                mpfr_set_d(at(&x, i, x.rows)[part], i == column && part == 0, MPFR_RNDN);
        solve(&x);
        for (int64_t i = 0; i < x.rows; i++)
            sum += size_at(&x, i, x.rows);
        most = fmax(most, sum);
    }
    return most;
}

static void check_within(const Ref *ref, size_t element, double exact)
{
    double bound = ref->magnitude[element] * dtype_format(ref->accumulator)->unit;
    CHECK(fabs(exact - ref->high[element]) <= bound * (1 + 0x1p-20) + ref->error[element]);
}

/* s of chosen eigenvalues is 1 / sqrt(1 + |R|^2), and 1 / |K^-1| is a right estimate of sep. */
static void test_conditions(DType dtype)
{
    enum { N = 5, AFTER = 1, FOUND = 5, S, SEP };
    Run r;
    run(&r, "trsen", dtype, "job=both compq=nothing n=5");
    int64_t m = (int64_t)r.after[FOUND].values[0].re;
    if (m == 0 || m == N)
        return;
    Exact t = exact_of(&r.after[AFTER]), system = sylvester_system(&t, m);
    double sep = 1 / inverse_norm(&system), sum = 0;
    solve(&system);
    for (int64_t i = 0; i < system.rows; i++)
        sum += size_at(&system, i, system.rows) * size_at(&system, i, system.rows);
    check_within(&r.judged[S], 0, 1 / sqrt(1 + sum));
    check_within(&r.judged[SEP], 0, sep);
}

/* sep of the first eigenvalue of a triangle, whose others are in order. */
static void test_separation(DType dtype)
{
    enum { T = 1, SEP = 5 };
    Run r;
    run(&r, "trsna", dtype, "job=vectors howmny=all n=5");
    Exact t = exact_of(&r.before[T]), system = sylvester_system(&t, 1);
    check_within(&r.judged[SEP], 0, 1 / inverse_norm(&system));
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64, DT_C64, DT_C128};
    CHECK(workspace_init(&workspace));
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (long i = check_scaled(SAMPLES); i > 0; i--) {
            test_pencil_form(dtypes[d]);
            test_sylvester(dtypes[d]);
            test_pencil_vectors(dtypes[d]);
            test_reordered("trexc", "compq=given n=6 from=2 to=5", dtypes[d], 0, 1);
            test_reordered("trsen", "job=nothing compq=given n=6", dtypes[d], 1, 2);
            if (dtype_components(dtypes[d]) == 2) {
                test_cosines(dtypes[d]);
                test_conditions(dtypes[d]);
                test_separation(dtypes[d]);
            }
            test_factors(false, dtypes[d]);
            test_factors(true, dtypes[d]);
            test_constrained(false, dtypes[d]);
            test_constrained(true, dtypes[d]);
        }
    workspace_release(&workspace);
    return check_end("t_lapack_pairs");
}
