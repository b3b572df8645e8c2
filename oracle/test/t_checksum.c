/* Checksums of products: right results are left alone, each wrong element is named by its row. */
#include <math.h>
#include <string.h>

#include "oracle/bound.h"
#include "reference/affine.h"
#include "reference/checksum.h"
#include "reference/function.h"
#include "reference/random.h"
#include "reference/selftest.h"
#include "tests/check.h"

enum { SIDE = 24, ELEMENTS = SIDE * (SIDE + 3) };

static const Model strict = {.name = "ieee"};

/* a, b, c before the call and after it, with room for complex elements of binary64. */
typedef struct Problem {
    double data[4][2 * ELEMENTS];
    AffineInput in;
    ProductEquation equation;
    Tensor computed;
    DType dtype;
} Problem;

static Arena arena;

static int64_t below(uint64_t *state, int64_t count)
{
    return (int64_t)(random_next(state) % (uint64_t)count);
}

/* By rows or by columns, with a gap between them. */
static Tensor view(Problem *p, int i, int64_t rows, int64_t columns, uint64_t *state)
{
    int64_t gap = below(state, 3);
    if (below(state, 2))
        return tensor_matrix(p->dtype, rows, columns, columns + gap, 1, p->data[i]);
    return tensor_matrix(p->dtype, rows, columns, 1, rows + gap, p->data[i]);
}

typedef enum Data { DATA_INTEGERS, DATA_WIDE, DATA_REALS } Data;

static double draw(Data data, int operand, const Format *format, uint64_t *state)
{
    uint64_t word = random_next(state);
    double sign = word & 1 ? 1 : -1;
    if (data == DATA_REALS)
        return sign * random_unit(word);
    /* Odd numbers of many bits against 1 and -1, so that sums have all bits of binary32. */
    int bits = data == DATA_WIDE && operand == 0 && format->precision == 24 ? 16 : 2;
    if (data == DATA_WIDE && operand == 1)
        return sign;
    return sign * (double)((word >> 8) % (1u << bits) | (data == DATA_WIDE));
}

static void fill(Problem *p, const Tensor *t, Data data, int operand, uint64_t *state)
{
    int components = dtype_components(p->dtype);
    for (int64_t i = 0; i < t->extent[0]; i++)
        for (int64_t j = 0; j < t->extent[1]; j++)
            for (int part = 0; part < components; part++)
                dtype_store(p->dtype, t->origin, tensor_offset(t, i, j) * components + part,
                            ldexp(draw(data, operand, dtype_format(p->dtype), state), 3));
}

static double part_of(const Tensor *t, int64_t i, int64_t j, int part)
{
    int components = dtype_components(t->dtype);
    return part < components
               ? dtype_load(t->dtype, t->origin, tensor_offset(t, i, j) * components + part)
               : 0;
}

/* One part of a sum, each step rounded to the type of the arithmetic: what a plain kernel gives. */
static double kernel_part(const Problem *p, int64_t i, int64_t j, int part)
{
    const AffineInput *in = &p->in;
    const DType type = dtype_arithmetic(p->dtype);
    double sums[2] = {0, 0}, sa = in->conjugate_a ? -1 : 1, sb = in->conjugate_b ? -1 : 1;
    for (int64_t l = 0; l < in->a.extent[1]; l++) {
        double ar = part_of(&in->a, i, l, 0), ai = sa * part_of(&in->a, i, l, 1);
        double br = part_of(&in->b, l, j, 0), bi = sb * part_of(&in->b, l, j, 1);
        double terms[2][2] = {{ar * br, -ai * bi}, {ar * bi, ai * br}};
        for (int k = 0; k < 2; k++)
            for (int h = 0; h < 2; h++)
                sums[k] = dtype_round(type, sums[k] + dtype_round(type, terms[k][h]));
    }
    double other = part == 0 ? -sums[1] * in->alpha.im : sums[0] * in->alpha.im;
    double value = dtype_round(type, in->alpha.re * sums[part]);
    value = dtype_round(type, value + dtype_round(type, other));
    if (scalar_is_zero(in->beta))
        return value;
    double c = dtype_round(type, in->beta.re * part_of(&in->c, i, j, part));
    return dtype_round(type, value + c);
}

static void compute(Problem *p)
{
    int components = dtype_components(p->dtype);
    for (int64_t i = 0; i < p->computed.extent[0]; i++)
        for (int64_t j = 0; j < p->computed.extent[1]; j++)
            for (int part = 0; part < components; part++)
                dtype_store(p->dtype, p->computed.origin,
                            tensor_offset(&p->computed, i, j) * components + part,
                            kernel_part(p, i, j, part));
}

/* The same problem as an equation. */
static void put_equation(Problem *p)
{
    const AffineInput *in = &p->in;
    p->equation = (ProductEquation){.beta = in->beta, .c.view = in->c, .result.view = in->c};
    equation_add(&p->equation, in->alpha, (StoredMatrix){in->a, .conjugate = in->conjugate_a},
                 (StoredMatrix){in->b, .conjugate = in->conjugate_b});
}

static void make_problem(Problem *p, DType dtype, Data data, uint64_t *state)
{
    static const double exact[] = {1, -1, 2, 0.5, 0}, other[] = {1, 0.7, -3.1, 2.5, 0};
    int64_t m = 1 + below(state, SIDE), n = 1 + below(state, SIDE), k = below(state, SIDE);
    const double *scalars = data == DATA_REALS ? other : exact;
    bool is_complex = dtype_components(dtype) == 2;
    p->dtype = dtype;
    p->in = (AffineInput){
        .a = view(p, 0, m, k, state),
        .b = view(p, 1, k, n, state),
        .c = view(p, 2, m, n, state),
        .conjugate_a = is_complex && below(state, 2),
        .conjugate_b = is_complex && below(state, 2),
        .alpha = {dtype_round(dtype, scalars[below(state, 5)]), 0},
        .beta = {dtype_round(dtype, scalars[below(state, 5)]), 0},
    };
    if (is_complex && data == DATA_REALS && below(state, 2))
        p->in.alpha.im = 0.5;
    p->computed = view(p, 3, m, n, state);
    fill(p, &p->in.a, data, 0, state);
    fill(p, &p->in.b, data, 1, state);
    fill(p, &p->in.c, data, 2, state);
    compute(p);
    put_equation(p);
}

static size_t named(Checksum *s, const Problem *p, uint8_t *wrong)
{
    double *bounds = NULL;
    checksum_read(s, &p->computed, &arena);
    if (s->kind == CHECKSUM_BOUNDED) {
        BoundTable table = bound_table(&s->bound, &strict, &arena);
        bounds = arena_take(&arena, s->bound.count + 1, sizeof *bounds);
        for (size_t i = 0; i < s->bound.count; i++)
            bounds[i] = table.bounds[i].hard;
    }
    return checksum_compare(s, bounds, wrong, &arena);
}

/* An element of the result, changed by so many neighbours or to a value; the row. */
static int64_t spoil(Problem *p, double to, int64_t neighbours, uint64_t *state)
{
    Tensor *t = &p->computed;
    int components = dtype_components(p->dtype);
    int64_t i = below(state, t->extent[0]), j = below(state, t->extent[1]);
    int64_t at = tensor_offset(t, i, j) * components + below(state, components);
    double value = dtype_load(p->dtype, t->origin, at);
    if (dtype_component_size(p->dtype) == 4)
        for (int64_t k = 0; k < neighbours; k++)
            value = nextafterf((float)value, INFINITY);
    for (int64_t k = 0; dtype_component_size(p->dtype) == 8 && k < neighbours; k++)
        value = nextafter(value, INFINITY);
    for (int64_t k = 0; dtype_component_size(p->dtype) == 2 && k < neighbours; k++)
        value += format_ulp(dtype_format(p->dtype), value);
    dtype_store(p->dtype, t->origin, at, neighbours ? value : to);
    return i;
}

/* The row is the only one that is named, or open. */
static void expect_row(Checksum *s, const Problem *p, int64_t row)
{
    uint8_t rows[SIDE];
    size_t count = named(s, p, rows);
    CHECK(count == (rows[row] == ROW_WRONG));
    CHECK(rows[row] == ROW_WRONG || s->rounds_from < INFINITY);
    CHECK(rows[row] != ROW_RIGHT);
}

/* Exact data: the smallest change of any one element is named, and so are values that are none, but
 * for rows of half precision that may be rounded: few. */
static void test_exact(void)
{
    static const DType types[] = {DT_F32, DT_F64, DT_C64, DT_C128, DT_F16, DT_BF16};
    static const double values[] = {NAN, INFINITY, -INFINITY, 0x1p61, 0x1p53, 0x1p100, 0.125};
    static Problem p;
    uint64_t state = 5;
    long exact = 0, rows = 0, open = 0, rounds = check_scaled(3000);
    for (long round = 0; round < rounds; round++) {
        Checksum s;
        uint8_t wrong[SIDE];
        arena_reset(&arena);
        make_problem(&p, types[round % 6], round / 6 % 3 ? DATA_INTEGERS : DATA_WIDE, &state);
        checksum_begin(&s, &p.equation, (uint64_t)round, &arena);
        CHECK(s.bits >= CHECKSUM_BITS_LEAST);
        CHECK(named(&s, &p, wrong) == 0);
        for (size_t i = 0; i < s.rows; i++)
            open += wrong[i] == ROW_OPEN;
        rows += (long)s.rows;
        /* Factors may make terms that the type does not hold exactly together. */
        exact += s.kind == CHECKSUM_EXACT;
        if (s.kind != CHECKSUM_EXACT)
            continue;
        if (round % 2)
            expect_row(&s, &p, spoil(&p, 0, 1, &state));
        else
            expect_row(&s, &p, spoil(&p, values[below(&state, COUNT_OF(values))], 0, &state));
    }
    CHECK(exact * 4 > rounds * 3);
    CHECK(open > 0 && open * 10 < rows);
}

/* Two errors of one row that cancel in a plain sum are seen, and so are exchanged elements. */
static void test_cancelling(void)
{
    static Problem p;
    uint64_t state = 6;
    long found = 0, rounds = check_scaled(500);
    for (long round = 0; round < rounds; round++) {
        Checksum s;
        uint8_t wrong[SIDE];
        arena_reset(&arena);
        do
            make_problem(&p, DT_F32, DATA_INTEGERS, &state);
        while (p.computed.extent[1] < 2);
        checksum_begin(&s, &p.equation, (uint64_t)round, &arena);
        int64_t i = below(&state, p.computed.extent[0]);
        for (int64_t j = 0; j < 2; j++) {
            int64_t at = tensor_offset(&p.computed, i, j);
            double value = dtype_load(DT_F32, p.computed.origin, at);
            dtype_store(DT_F32, p.computed.origin, at, value + (j ? 64 : -64));
        }
        found += named(&s, &p, wrong) == 1 && wrong[i];
    }
    CHECK(found == rounds);
}

/* Other data: rounded results are within the bound, a lone error above it is named, and the bound
 * is not slack by orders. */
static void test_bounded(void)
{
    static const DType types[] = {DT_F32, DT_F64, DT_C64, DT_C128, DT_F16, DT_BF16};
    static Problem p;
    uint64_t state = 7;
    for (long round = 0; round < check_scaled(500); round++) {
        Checksum s;
        uint8_t wrong[SIDE];
        arena_reset(&arena);
        make_problem(&p, types[round % 6], DATA_REALS, &state);
        checksum_begin(&s, &p.equation, (uint64_t)round, &arena);
        if (s.kind != CHECKSUM_BOUNDED)
            continue;
        CHECK(named(&s, &p, wrong) == 0);
        double sizes = 0, unit = dtype_format(p.dtype)->unit;
        for (size_t i = 0; i < s.bound.count; i++)
            sizes = fmax(sizes, s.bound.magnitude[i] + s.bound.addend[i]);
        double visible = (3 * (double)s.bound.terms[0] + 8) * sizes * unit * 4;
        int64_t row = spoil(&p, round % 3 ? 2 * sizes + visible : INFINITY, 0, &state);
        if (sizes > 0 || round % 3 == 0)
            expect_row(&s, &p, row);
    }
}

/* The rows of a problem are a problem of their own. */
static void test_rows(void)
{
    static Problem p;
    uint64_t state = 8;
    for (long round = 0; round < check_scaled(200); round++) {
        Ref whole, some;
        arena_reset(&arena);
        make_problem(&p, round % 2 ? DT_F64 : DT_C64, DATA_REALS, &state);
        size_t row = (size_t)below(&state, p.in.c.extent[0]);
        affine_reference(&whole, &p.in, &arena);
        equation_reference(&some, &p.equation, NULL, &row, 1, &arena);
        size_t width = some.count;
        CHECK(memcmp(some.high, whole.high + row * width, width * sizeof(double)) == 0);
    }
}

/* One element by three products, with the addend in two of their sums, or where it is lost in one.
 */
static void put_by_three(const Problem *p, int64_t i, int64_t j, bool loses)
{
    const AffineInput *in = &p->in;
    DType type = p->dtype;
    double re = in->beta.re * part_of(&in->c, i, j, 0), im = in->beta.re * part_of(&in->c, i, j, 1);
    double sums[3] = {re, 0, loses ? im : dtype_round(type, re + im)};
    for (int64_t l = 0; l < in->a.extent[1]; l++) {
        double ar = part_of(&in->a, i, l, 0), ai = part_of(&in->a, i, l, 1);
        double br = part_of(&in->b, l, j, 0), bi = part_of(&in->b, l, j, 1);
        double both = dtype_round(type, ar + ai) * dtype_round(type, br + bi);
        double products[3] = {ar * br, ai * bi, both};
        for (int k = 0; k < 3; k++)
            sums[k] = dtype_round(type, sums[k] + dtype_round(type, products[k]));
    }
    int64_t at = 2 * tensor_offset(&p->computed, i, j);
    double rest = dtype_round(type, sums[2] - sums[0]);
    dtype_store(type, p->computed.origin, at, dtype_round(type, sums[0] - sums[1]));
    dtype_store(type, p->computed.origin, at + 1, dtype_round(type, rest - sums[1]));
}

/* A convolution as it is here, of which the first row meets nothing but padding. */
static void make_by_three(Problem *p, DType dtype, Data data, bool loses, uint64_t *state)
{
    make_problem(p, dtype, data, state);
    p->in.conjugate_a = p->in.conjugate_b = false;
    p->in.alpha = (Scalar){1, 0};
    p->in.beta = (Scalar){loses || below(state, 4) > 0, 0};
    for (int64_t l = 0; l < p->in.a.extent[1]; l++)
        for (int part = 0; part < 2; part++)
            dtype_store(dtype, p->in.a.origin, 2 * tensor_offset(&p->in.a, 0, l) + part, 0);
    for (int64_t i = 0; i < p->computed.extent[0]; i++)
        for (int64_t j = 0; j < p->computed.extent[1]; j++)
            put_by_three(p, i, j, loses);
    put_equation(p);
}

/* Elements of the first row that are beyond their bounds. */
static size_t beyond(const Problem *p)
{
    Ref ref;
    size_t row = 0, count = 0;
    equation_reference(&ref, &p->equation, NULL, &row, 1, &arena);
    BoundTable table = bound_table(&ref, &strict, &arena);
    for (size_t i = 0; i < ref.count; i++) {
        double got = part_of(&p->computed, 0, (int64_t)(i / 2), (int)(i % 2));
        double distance = fabs(got - ref.high[i] - ref.low[i]);
        count += !(distance <= table.bounds[i].hard + ref.error[i]);
    }
    return count;
}

/* Three real products for a complex one are right where the equation says so, and by rows that are
 * the addend alone beyond the bound for four; one that loses a part of the addend is wrong. */
static void test_three_products(void)
{
    static Problem p;
    uint64_t state = 9;
    long found = 0, needed = 0, rounds = check_scaled(400);
    for (long round = 0; round < rounds; round++) {
        Checksum s;
        uint8_t wrong[SIDE];
        bool loses = round % 4 == 3;
        arena_reset(&arena);
        make_by_three(&p, round % 2 ? DT_C64 : DT_C128, round % 3 ? DATA_REALS : DATA_INTEGERS,
                      loses, &state);
        needed += !loses && beyond(&p) > 0;
        p.equation.three_products = true;
        checksum_begin(&s, &p.equation, (uint64_t)round, &arena);
        CHECK(loses || (named(&s, &p, wrong) == 0 && beyond(&p) == 0));
        found += loses && beyond(&p) > 0;
        CHECK(!loses || s.kind != CHECKSUM_EXACT || named(&s, &p, wrong) > 0);
    }
    CHECK(needed > rounds / 8);
    CHECK(found * 8 > rounds / 4 * 7);
}

int main(void)
{
    CHECK(selftest_run() == NULL);
    CHECK(arena_init(&arena, (size_t)1 << 30));
    test_exact();
    test_cancelling();
    test_bounded();
    test_rows();
    test_three_products();
    arena_release(&arena);
    return check_end("t_checksum");
}
