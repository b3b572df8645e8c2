/* Products and quotients in every order: factors.txt states results as factors, which this program
 * multiplies and divides in all ways that are equal, each step rounded to the element type, of
 * numbers near both ends of its range.  A kernel may take any of these ways, so none may be called
 * wrong; a result without one of its factors, or of the other sign, must be. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "reference/random.h"
#include "tests/check.h"
#include "tests/check_admission.h"

enum {
    ELEMENTS = 48,
    FACTORS_MAX = 6,
    TERMS_MAX = 4,
    DECISIONS_MAX = 24,
    ROUNDS = 3,
    ROUNDS_SMALL = 20,
    LINE_BYTES = 512,
    TRIES = 40
};

/* Where and how an expression is evaluated: `element` of each operand, or its only one. */
typedef struct Point {
    const Operands *operands;
    const double (*values)[ELEMENTS];
    size_t element;
    DType arithmetic;
} Point;

static double rounded(const Point *p, long double value)
{
    return dtype_round(p->arithmetic, (double)value);
}

static long double sigmoid(long double x)
{
    return 1 / (1 + expl(-x));
}

static long double softplus(long double x)
{
    return x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x));
}

static const struct {
    const char *name;
    long double (*of)(long double);
} known[] = {
    {"sqrt", sqrtl},      {"exp", expl},          {"exp2", exp2l}, {"log", logl},
    {"log1p", log1pl},    {"expm1", expm1l},      {"tanh", tanhl}, {"cosh", coshl},
    {"sinh", sinhl},      {"cos", cosl},          {"sin", sinl},   {"tan", tanl},
    {"cbrt", cbrtl},      {"erf", erfl},          {"erfc", erfcl}, {"abs", fabsl},
    {"sigmoid", sigmoid}, {"softplus", softplus},
};

typedef struct Reader {
    const char *at;
    const Point *point;
} Reader;

static double read_sum(Reader *r);

static bool take(Reader *r, char c)
{
    while (*r->at == ' ')
        r->at++;
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* An element of the operand with this name; a digit behind it is the element's number. */
static double element_named(const Point *p, const char *name)
{
    const Operands *o = p->operands;
    size_t length = strcspn(name, "0123456789");
    for (int i = 0; i < o->shapes.count; i++)
        if (strlen(o->source->op->tensors[i]) == length &&
            !strncmp(o->source->op->tensors[i], name, length)) {
            size_t only = tensor_count(&o->view[i]) == 1 ? 0 : p->element;
            return p->values[i][name[length] ? (size_t)(name[length] - '0') : only];
        }
    BUG("no operand %s", name);
}

static double read_unit(Reader *r)
{
    char name[32], *end;
    size_t length = 0;
    if (take(r, '-'))
        return -read_unit(r);
    if (take(r, '(')) {
        double value = read_sum(r);
        (void)take(r, ')');
        return value;
    }
    if (isdigit((unsigned char)*r->at)) {
        double value = strtod(r->at, &end);
        r->at = end;
        return rounded(r->point, value);
    }
    while ((isalnum((unsigned char)*r->at) || *r->at == '_') && length < sizeof name - 1)
        name[length++] = *r->at++;
    name[length] = '\0';
    if (!take(r, '('))
        return element_named(r->point, name);
    long double argument = read_sum(r), second = take(r, ',') ? read_sum(r) : 0;
    (void)take(r, ')');
    if (!strcmp(name, "pow"))
        return rounded(r->point, powl(argument, second));
    if (!strcmp(name, "max"))
        return rounded(r->point, fmaxl(argument, second));
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (!strcmp(known[i].name, name))
            return rounded(r->point, known[i].of(argument));
    BUG("no function %s", name);
}

static double read_product(Reader *r)
{
    double value = read_unit(r);
    for (;;) {
        if (take(r, '*'))
            value = rounded(r->point, (long double)value * read_unit(r));
        else if (take(r, '/'))
            value = rounded(r->point, (long double)value / read_unit(r));
        else
            return value;
    }
}

static double read_sum(Reader *r)
{
    double value = read_product(r);
    for (;;) {
        if (take(r, '+'))
            value = rounded(r->point, (long double)value + read_product(r));
        else if (take(r, '-'))
            value = rounded(r->point, (long double)value - read_product(r));
        else
            return value;
    }
}

/* Numbers that are multiplied, or divide, of which one may have been inverted. */
typedef struct Factors {
    int count;
    bool inverted;
    double value[FACTORS_MAX];
    bool divides[FACTORS_MAX];
} Factors;

/* What is added up, each term a product. */
typedef struct Terms {
    int count;
    Factors term[TERMS_MAX];
} Terms;

static Factors factors_read(Reader *r)
{
    Factors f = {.inverted = false};
    bool divides = false;
    do {
        f.divides[f.count] = divides;
        f.value[f.count++] = read_unit(r);
        divides = take(r, '/');
    } while (f.count < FACTORS_MAX && (divides || take(r, '*')));
    return f;
}

static Terms terms_read(const Point *p, const char *text)
{
    Reader r = {text, p};
    Terms terms = {.count = 0};
    do
        terms.term[terms.count++] = factors_read(&r);
    while (terms.count < TERMS_MAX && take(&r, '+'));
    if (*r.at && *r.at != '\n')
        BUG("%s: not read: %s", text, r.at);
    return terms;
}

/* All sequences of choices, one after the other. */
typedef struct Decisions {
    int at[DECISIONS_MAX], of[DECISIONS_MAX], used, known;
} Decisions;

static int choose(Decisions *c, int of)
{
    if (of == 1)
        return 0;
    if (c->used == c->known) {
        c->at[c->known] = 0;
        c->of[c->known++] = of;
    }
    return c->at[c->used++];
}

static bool decisions_next(Decisions *c)
{
    while (c->known > 0 && c->at[c->known - 1] + 1 == c->of[c->known - 1])
        c->known--;
    if (c->known > 0)
        c->at[c->known - 1]++;
    c->used = 0;
    return c->known > 0;
}

static void invert(const Point *p, Factors *f, int i)
{
    f->value[i] = rounded(p, 1 / (long double)f->value[i]);
    f->divides[i] = !f->divides[i];
    f->inverted = true;
}

/* Puts the product of two numbers in the place of the first. */
static void join(const Point *p, Factors *f, int i, int k, Decisions *c)
{
    if (f->divides[i] != f->divides[k] && !f->inverted && choose(c, 2))
        invert(p, f, f->divides[i] ? i : k);
    long double x = f->value[i], y = f->value[k];
    if (f->divides[i] == f->divides[k])
        f->value[i] = rounded(p, x * y);
    else
        f->value[i] = rounded(p, f->divides[i] ? y / x : x / y);
    f->divides[i] = f->divides[i] && f->divides[k];
    f->value[k] = f->value[--f->count];
    f->divides[k] = f->divides[f->count];
}

static double multiplied(const Point *p, Factors f, Decisions *c)
{
    /* A quotient of two numbers is one, and rounds once. */
    f.inverted = f.count == 2;
    for (int i = 0; i < f.count; i++)
        if (f.divides[i] && !f.inverted && choose(c, 2))
            invert(p, &f, i);
    while (f.count > 1) {
        int pair = choose(c, f.count * (f.count - 1) / 2), i = 0;
        while (pair >= f.count - 1 - i)
            pair -= f.count - 1 - i++;
        join(p, &f, i, i + 1 + pair, c);
    }
    if (f.divides[0])
        invert(p, &f, 0);
    return f.value[0];
}

static double added(const Point *p, const Terms *terms, Decisions *c)
{
    double sum = multiplied(p, terms->term[0], c);
    for (int t = 1; t < terms->count; t++)
        sum = rounded(p, (long double)sum + multiplied(p, terms->term[t], c));
    return sum;
}

/* A row of the file, with an element type.  element is the only one that the row states, -1: it
 * states all. */
typedef struct Row {
    char line[LINE_BYTES], output[32], product[LINE_BYTES];
    int element;
    DType dtype, arithmetic;
} Row;

/* Of an operand: an end of the range, the root of one, something near 1, or a small integer, whose
 * products and sums are exact, so that a reciprocal's rounding is the only one.  Of integers any.
 */
static double draw(DType dtype, uint64_t *state)
{
    const Format *f = dtype_format(dtype);
    if (dtype_is_integer(dtype))
        return dtype_lowest(dtype) + (double)(random_next(state) % (uint64_t)f->largest);
    int low = f->minimum_exponent, high = f->maximum_exponent, bits = f->precision;
    const int places[] = {
        low - bits + 1, low - bits / 2, low,      low + 3, low / 2, low / 3, -4, -1, 0, 0, 1,
        high / 3,       high / 2,       high - 3, high};
    int place = places[random_next(state) % COUNT_OF(places)];
    double value = ldexp(1 + random_unit(random_next(state)), place);
    if (random_next(state) % 8 == 0)
        value = (double)(1 + random_next(state) % 7);
    value = fmin(dtype_round(dtype, value), f->largest);
    return random_next(state) & 1 ? -value : value;
}

typedef struct Problem {
    const Row *row;
    Case c;
    Operands o;
    Ref ref, narrow;
    bool has_narrow;
    int output;
    double values[OP_TENSORS_MAX][ELEMENTS];
    Terms terms[ELEMENTS];
    double least[ELEMENTS], most[ELEMENTS]; /* of all ways */
} Problem;

static Point point_of(const Problem *p, size_t element)
{
    return (Point){&p->o, p->values, element, p->row->arithmetic};
}

static bool is_defined(const Terms *terms)
{
    for (int t = 0; t < terms->count; t++)
        for (int i = 0; i < terms->term[t].count; i++)
            if (isnan(terms->term[t].value[i]))
                return false;
    return true;
}

static void draw_element(Problem *p, size_t element, bool last, uint64_t *state)
{
    for (int i = 0; i < p->o.shapes.count; i++)
        if (element < (size_t)tensor_count(&p->o.view[i]))
            p->values[i][element] = last ? 0.5 : draw(p->o.view[i].dtype, state);
}

/* Draws numbers of which every factor is one. */
static void draw_operands(Problem *p, uint64_t *state)
{
    for (size_t e = 0; e < ELEMENTS; e++)
        draw_element(p, e, false, state);
    for (int try = 0; try < TRIES; try++)
        for (size_t e = 0; e < ELEMENTS; e++) {
            Point point = point_of(p, e);
            p->terms[e] = terms_read(&point, p->row->product);
            if (!is_defined(&p->terms[e]))
                draw_element(p, e, try + 2 >= TRIES, state);
        }
    for (int i = 0; i < p->o.shapes.count; i++) {
        double elements[ELEMENTS];
        for (int64_t e = 0; e < tensor_count(&p->o.view[i]); e++)
            dtype_store(p->o.view[i].dtype, elements, e, p->values[i][e]);
        if (p->o.shapes.tensor[i].role == ROLE_IN)
            operands_set(&p->o, i, elements);
    }
}

static bool problem_build(Problem *p, const Row *row, Workspace *workspace, uint64_t *state)
{
    Text error = {0};
    Ref refs[OP_TENSORS_MAX] = {0}, narrow[OP_TENSORS_MAX] = {0};
    p->row = row;
    bool legal = case_parse(&p->c, row->line, &error);
    if (!legal)
        (void)fprintf(stderr, "%s: %s\n", row->line, text_string(&error));
    text_release(&error);
    if (!legal)
        return false;
    operands_build(&p->o, workspace, &p->c);
    for (p->output = 0; strcmp(p->c.op->tensors[p->output], row->output) != 0;)
        p->output++;
    draw_operands(p, state);
    operands_reference(&p->o, refs, &workspace->arena);
    p->ref = refs[p->output];
    p->has_narrow = row->arithmetic != dtype_arithmetic(row->arithmetic) &&
                    operands_reference_narrow(&p->o, narrow, &workspace->arena);
    if (p->has_narrow)
        p->narrow = narrow[p->output];
    return p->ref.count <= ELEMENTS;
}

/* Whether the row states an element. */
static bool is_stated(const Problem *p, size_t element)
{
    return p->row->element < 0 || (size_t)p->row->element == element;
}

static Judgement judge(const Problem *p, const double *got, Arena *arena)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Judgement j = judge_output(&p->ref, &promise, &check_admit_all, NULL, got, NULL, arena);
    if (!p->has_narrow || j.kind != VERDICT_DIVERGE)
        return j;
    return judge_output(&p->narrow, &promise, &check_admit_all, NULL, got, NULL, arena);
}

static void show(const Problem *p, const Judgement *j, const double *got)
{
    (void)fprintf(stderr, "%s %s: %s %s %a, not %a +- %a, of", p->row->line, p->row->output,
                  dtype_name(p->row->arithmetic), verdict_name(j->kind), got[j->worst],
                  j->expected_high, j->bound);
    for (int i = 0; i < p->o.shapes.count; i++)
        if (p->o.shapes.tensor[i].role == ROLE_IN)
            (void)fprintf(stderr, " %s=%a", p->c.op->tensors[i],
                          p->values[i][tensor_count(&p->o.view[i]) == 1 ? 0 : j->worst]);
    (void)fprintf(stderr, "\n");
}

/* Every way is admitted; the ends of what they lead to are kept. */
static bool check_ways(Problem *p, Arena *arena)
{
    Decisions decisions = {.used = 0};
    double got[ELEMENTS];
    size_t first = 1;
    do {
        Decisions now = decisions;
        for (size_t e = 0; e < p->ref.count; e++) {
            Point point = point_of(p, e);
            if (!is_stated(p, e)) {
                got[e] = dtype_round(p->ref.dtype, ref_result(&p->ref, e));
                continue;
            }
            now = decisions;
            got[e] = dtype_round(p->ref.dtype, added(&point, &p->terms[e], &now));
            p->least[e] = first ? got[e] : fmin(p->least[e], got[e]);
            p->most[e] = first ? got[e] : fmax(p->most[e], got[e]);
            if (isnan(got[e]))
                p->most[e] = INFINITY;
        }
        first = 0;
        decisions = now;
        Judgement j = judge(p, got, arena);
        if (verdict_is_finding(j.kind) && j.kind != VERDICT_POLICY) {
            show(p, &j, got);
            return false;
        }
    } while (decisions_next(&decisions));
    return true;
}

/* The exact result: of the factors, counted over all terms, without one; without = -1 of all. */
static long double exact(const Terms *terms, int without)
{
    long double sum = 0;
    for (int t = 0, number = 0; t < terms->count; t++) {
        const Factors *f = &terms->term[t];
        long double product = 1;
        for (int i = 0; i < f->count; i++, number++)
            if (number != without)
                product = f->divides[i] ? product / f->value[i] : product * f->value[i];
        sum += product;
    }
    return sum;
}

static int factor_count(const Terms *terms)
{
    int count = 0;
    for (int t = 0; t < terms->count; t++)
        count += terms->term[t].count;
    return count;
}

/* The exact result without one factor, or that of the other sign where there is no such factor. */
static double faulty(const Terms *terms, int without)
{
    return (double)(without == factor_count(terms) ? -exact(terms, -1) : exact(terms, without));
}

/* Faults where no way leaves the range, and where some do; how many of these are found. */
typedef struct Faults {
    int plain, missed, edge, found;
} Faults;

static void check_faults(const Problem *p, Faults *faults, Arena *arena)
{
    double got[ELEMENTS];
    const Format *f = dtype_format(p->ref.dtype);
    for (size_t e = 0; e < p->ref.count; e++) {
        if (!is_stated(p, e))
            continue;
        for (size_t i = 0; i < p->ref.count; i++)
            got[i] = dtype_round(p->ref.dtype, is_stated(p, i) ? (double)exact(&p->terms[i], -1)
                                                               : ref_result(&p->ref, i));
        double right = fabs((double)exact(&p->terms[e], -1));
        int count = factor_count(&p->terms[e]);
        bool is_edge = !(p->most[e] - p->least[e] <= right / 8);
        if (!(right > 16 * f->smallest_normal && right < f->largest / 16))
            continue;
        for (int without = 0; without <= count; without++) {
            double wrong = faulty(&p->terms[e], without);
            wrong = dtype_round(p->ref.dtype, wrong);
            double times = fabs(wrong) / right;
            if (without < count && times > 0.5 && times < 2)
                continue;
            got[e] = wrong;
            Judgement j = judge(p, got, arena);
            bool found = j.kind == VERDICT_DIVERGE && j.worst == e;
            faults->found += found && is_edge;
            *(is_edge ? &faults->edge : &faults->plain) += 1;
            faults->missed += !is_edge && !found;
        }
    }
}

static void test_row(const Row *row, Workspace *workspace)
{
    uint64_t state = 5;
    static Problem p;
    Faults faults = {0};
    bool right = true;
    long rounds = strstr(row->line, "shape=48") ? ROUNDS : ROUNDS_SMALL;
    for (long i = 0; i < check_scaled(rounds) && right; i++) {
        right = problem_build(&p, row, workspace, &state) && check_ways(&p, &workspace->arena);
        CHECK(right);
        if (right)
            check_faults(&p, &faults, &workspace->arena);
    }
    if (getenv("FACTORS_SHOW"))
        printf("%s %s: %d, %d missed, %d of %d\n", row->line, dtype_name(row->arithmetic),
               faults.plain, faults.missed, faults.found, faults.edge);
    /* Near the ends of the range references know nothing of sums and squares that may overflow.
     * Fewer draws than usual, as under sanitizers, may have no fault that is to be found. */
    CHECK(!right || check_scaled(rounds) < rounds ||
          (faults.plain > 0 && 10 * faults.missed <= 9 * faults.plain));
}

/* A row is an operator with its parameters, a bar, and an output that equals a sum of products; a
 * digit behind the output is the number of the element that does.  Integers, of operators
 * that have no other numbers, are computed with in binary32. */
static bool row_read(Row *row, const char *text, DType dtype)
{
    char head[LINE_BYTES];
    if (sscanf(text, "%511[^|]| %31s = %511[^\n]", head, row->output, row->product) != 3)
        return false;
    size_t length = strcspn(row->output, "0123456789");
    row->element = row->output[length] ? row->output[length] - '0' : -1;
    row->output[length] = '\0';
    size_t name = strcspn(head, " ");
    (void)snprintf(row->line, sizeof row->line, "%.*s dtype=%s%s", (int)name, head,
                   dtype_name(dtype), head + name);
    row->dtype = dtype;
    row->arithmetic = dtype_is_integer(dtype) ? DT_F32 : dtype;
    return true;
}

/* Whether the operator of a row has elements of a type. */
static bool has_type(const char *text, DType dtype)
{
    char name[LINE_BYTES];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "/"), text);
    const OpDesc *op = op_find(name);
    return op && (op->dtypes >> dtype & 1);
}

static void test_types(const char *text, Workspace *workspace)
{
    static const DType types[] = {DT_F32, DT_F64, DT_F16, DT_BF16, DT_I8, DT_U8};
    Row row;
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        bool legal = row_read(&row, text, types[i]);
        CHECK(legal);
        bool is_whole = dtype_is_integer(types[i]);
        if (!legal || !has_type(text, types[i]) || (is_whole && has_type(text, DT_F32)))
            continue;
        test_row(&row, workspace);
        row.arithmetic = dtype_arithmetic(row.dtype);
        if (!is_whole && row.arithmetic != row.dtype)
            test_row(&row, workspace);
    }
}

int main(void)
{
    Workspace workspace;
    char row[LINE_BYTES];
    int rows = 0;
    if (!workspace_init(&workspace))
        return 1;
    FILE *file = fopen("ops/test/factors.txt", "r");
    CHECK(file != NULL);
    while (file && fgets(row, sizeof row, file))
        if (*row != '#' && *row != '\n') {
            test_types(row, &workspace);
            rows++;
        }
    CHECK(rows > 40);
    if (file)
        (void)fclose(file);
    workspace_release(&workspace);
    return check_end("factors");
}
