/* Every gradient against its operator: the sum of dy times the central difference of y along a
 * random direction is the sum of the gradients times that direction.  Both sides come from
 * references that know nothing of each other.  Complex numbers are pairs of real ones in both. */
#include <math.h>
#include <string.h>

#include "params.h"
#include "reference/random.h"
#include "tests/check.h"

enum { COUNT_MAX = 400, CASES = 12, DRAWS = 400 };
static const double STEP = 0x1p-17;

/* A case with an array of binary64 for every operand. */
typedef struct Problem {
    Case c;
    Shapes shapes;
    double *values[OP_TENSORS_MAX];
} Problem;

static const char *name_of(const Problem *p, int i)
{
    return p->c.op->tensors[i];
}

static int find(const Problem *p, const char *name)
{
    for (int i = 0; i < p->shapes.count; i++)
        if (!strcmp(name_of(p, i), name))
            return i;
    return -1;
}

static size_t count_of(const Problem *p, int i)
{
    const Tensor *layout = &p->shapes.tensor[i].layout;
    return (size_t)(tensor_count(layout) * dtype_components(layout->dtype));
}

static bool prepare(Problem *p, Arena *arena)
{
    op_shape(p->c.op, p->c.params, &p->shapes);
    for (int i = 0; i < p->shapes.count; i++) {
        if (count_of(p, i) == 0 || count_of(p, i) > COUNT_MAX)
            return false;
        p->values[i] = arena_take_zeroed(arena, count_of(p, i), sizeof(double));
    }
    return true;
}

static void put_random(const Problem *p, int i, double low, double high, uint64_t *state)
{
    const TensorSpec *spec = &p->shapes.tensor[i];
    for (size_t k = 0; k < count_of(p, i); k++) {
        double value = low + (high - low) * random_unit(random_next(state));
        bool is_real_part = dtype_components(spec->layout.dtype) == 2 && k % 2 == 0;
        if (is_real_part && (random_next(state) & 1))
            value = -value;
        if (spec->index_below > 0) {
            int64_t index =
                spec->index_first + (int64_t)(random_next(state) % (uint64_t)spec->index_below);
            memcpy(&p->values[i][k], &index, sizeof index);
        } else {
            p->values[i][k] = value;
        }
    }
    if (spec->ascending && spec->index_below > 0)
        sort_whole(p->values[i], count_of(p, i));
}

/* The value of an output, element by element; false where it is not known. */
static bool evaluate(const Problem *p, int output, double *y, Arena *arena)
{
    Ref refs[OP_TENSORS_MAX] = {0};
    Tensor tensors[OP_TENSORS_MAX];
    for (int i = 0; i < p->shapes.count; i++) {
        tensors[i] = p->shapes.tensor[i].layout;
        tensors[i].origin = (char *)p->values[i];
    }
    ReferenceInput input = {.op = p->c.op, .params = p->c.params, .tensors = tensors};
    op_reference(refs, &input, arena);
    const Ref *ref = &refs[output];
    for (size_t i = 0; i < ref->count; i++) {
        y[i] = ldexp(ref->high[i] + ref->low[i], ref->exponent);
        /* Nor is it where either of two values is right. */
        bool wide = ref->magnitude && ref->magnitude[i] * 0x1p-53 > 0x1p-20;
        if (ref->classes[i] != CLASS_FINITE || !isfinite(y[i]) || wide)
            return false;
    }
    return true;
}

/* Mean and variance of each group of x, as the forward pass saves them. */
static void put_statistics(const Problem *b)
{
    int x = find(b, "x"), mean = find(b, "mean"), variance = find(b, "variance");
    const Tensor *image = &b->shapes.tensor[x].layout;
    bool batch = !strcmp(b->c.op->name, "batch_norm_backward");
    size_t groups = count_of(b, mean), count = count_of(b, x), n = count / groups;
    size_t area = count / (size_t)(image->extent[0] * (image->rank > 1 ? image->extent[1] : 1));
    for (size_t i = 0; i < count; i++) {
        size_t group = batch ? i / area % groups : i / n;
        b->values[mean][group] += b->values[x][i] / (double)n;
    }
    for (size_t i = 0; i < count; i++) {
        size_t group = batch ? i / area % groups : i / n;
        b->values[variance][group] += pow(b->values[x][i] - b->values[mean][group], 2) / (double)n;
    }
}

/* The operator that a gradient belongs to, with the same parameters. */
static bool forward_of(Problem *f, const Problem *b, Arena *arena)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s", b->c.op->name);
    *strstr(name, "_backward") = '\0';
    const OpDesc *op = op_find(strcmp(name, "batch_norm") ? name : "batch_norm_train");
    if (!op)
        return false;
    case_init(&f->c, op);
    copy_params(&f->c, &b->c);
    /* A bias is no operand of most gradients; those that have one may leave the choice. */
    if (!case_has(&b->c, "bias"))
        put(&f->c, "bias", find(b, "dbias") >= 0);
    if (!strcmp(name, "layer_norm") || !strcmp(name, "rms_norm"))
        put(&f->c, "axis", case_shape(&f->c, "shape")->rank - 1);
    case_normalise(&f->c, NULL);
    return prepare(f, arena);
}

/* Operands of the same name hold the same values; false when their extents differ. */
static bool share(const Problem *f, const Problem *b)
{
    for (int i = 0; i < b->shapes.count; i++) {
        int k = find(f, name_of(b, i));
        if (k < 0)
            continue;
        if (count_of(f, k) != count_of(b, i))
            return false;
        memcpy(f->values[k], b->values[i], count_of(b, i) * sizeof(double));
    }
    return true;
}

/* The output that dy belongs to, the first one. */
static int output_of(const Problem *f)
{
    int y = 0;
    while (f->shapes.tensor[y].role == ROLE_IN)
        y++;
    return y;
}

/* The gradient of operand i of the forward operator, -1 if there is none. */
static int gradient_of(const Problem *f, const Problem *b, int i)
{
    char name[64];
    (void)snprintf(name, sizeof name, "d%s", name_of(f, i));
    return f->shapes.tensor[i].role == ROLE_IN ? find(b, name) : -1;
}

static void move(const Problem *f, double *const directions[], double step)
{
    for (int i = 0; i < f->shapes.count; i++)
        for (size_t k = 0; directions[i] && k < count_of(f, i); k++)
            f->values[i][k] += step * directions[i][k];
}

/* Computes both sides of the comparison; false where the case proves nothing. */
static bool compare(Problem *b, uint64_t *state, Arena *arena)
{
    Problem f;
    double *directions[OP_TENSORS_MAX] = {0}, left = 0, right = 0, size = 0;
    if (!prepare(b, arena) || !forward_of(&f, b, arena))
        return false;
    bool wide = !strncmp(b->c.op->name, "acosh", 5);
    int y = output_of(&f), dy = find(b, "dy");
    if (count_of(&f, y) != count_of(b, dy))
        return false;
    for (int i = 0; i < b->shapes.count; i++)
        if (b->shapes.tensor[i].role == ROLE_IN)
            put_random(b, i, wide ? 1.2 : 0.1, wide ? 3 : 0.9, state);
    if (find(b, "variance") >= 0) {
        memset(b->values[find(b, "mean")], 0, count_of(b, find(b, "mean")) * sizeof(double));
        memset(b->values[find(b, "variance")], 0,
               count_of(b, find(b, "variance")) * sizeof(double));
        put_statistics(b);
    }
    for (int i = 0; i < f.shapes.count; i++)
        if (f.shapes.tensor[i].role == ROLE_IN)
            put_random(&f, i, 0.1, 0.9, state);
    if (!share(&f, b))
        return false;
    double *plus = arena_take(arena, count_of(&f, y), sizeof *plus);
    double *minus = arena_take(arena, count_of(&f, y), sizeof *minus);
    /* A gradient from a saved output gets the output of the operator itself. */
    if (find(b, "y") >= 0) {
        if (!evaluate(&f, y, plus, arena))
            return false;
        memcpy(b->values[find(b, "y")], plus, count_of(&f, y) * sizeof *plus);
    }
    for (int i = 0; i < f.shapes.count; i++) {
        int gradient = gradient_of(&f, b, i);
        if (gradient < 0)
            continue;
        directions[i] = arena_take(arena, count_of(&f, i), sizeof(double));
        double *dx = arena_take(arena, count_of(&f, i), sizeof(double));
        if (count_of(&f, i) != count_of(b, gradient) || !evaluate(b, gradient, dx, arena))
            return false;
        for (size_t k = 0; k < count_of(&f, i); k++) {
            directions[i][k] = random_unit(random_next(state)) - 0.5;
            left += dx[k] * directions[i][k];
            size += fabs(dx[k] * directions[i][k]);
        }
    }
    move(&f, directions, STEP);
    bool known = evaluate(&f, y, plus, arena);
    move(&f, directions, -2 * STEP);
    known = known && evaluate(&f, y, minus, arena);
    for (size_t k = 0; known && k < count_of(&f, y); k++) {
        double term = b->values[dy][k] * (plus[k] - minus[k]) / (2 * STEP);
        right += term;
        size += fabs(term);
    }
    if (known && fabs(left - right) > 1e-6 * size + 1e-9)
        printf("%s: %.12g, %.12g\n", b->c.op->name, left, right);
    CHECK(!known || fabs(left - right) <= 1e-6 * size + 1e-9);
    return known;
}

static void test_gradient(const OpDesc *op, DType dtype, Arena *arena)
{
    Scope scope = scope_all();
    uint64_t state = 77;
    int proved = 0;
    scope.ops[0] = op;
    scope.op_count = 1;
    scope.dtypes = 1u << dtype;
    for (int draw = 0; draw < DRAWS && proved < CASES; draw++) {
        uint8_t bytes[160];
        Problem problem = {0};
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&state);
        case_decode(&problem.c, &scope, bytes, sizeof bytes);
        arena_reset(arena);
        proved += compare(&problem, &state, arena);
    }
    if (proved < 3)
        printf("%s: only %d cases\n", op->name, proved);
    CHECK(proved >= 3);
}

/* Gradients through several operators, which are none of one: t_layers has these.  Those of
 * quantisation are none of its steps, whose slopes are 0, but what is agreed upon instead. */
static bool is_no_derivative(const OpDesc *op)
{
    return !strcmp(op->name, "gelu_linear_backward") || !strcmp(op->name, "relu_linear_backward") ||
           !strncmp(op->name, "fake_quantize", strlen("fake_quantize"));
}

int main(void)
{
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 28));
    for (const OpDesc *const *op = op_registry; *op; op++)
        for (int complex = 0; complex < 2; complex++) {
            DType dtype = complex ? DT_C128 : DT_F64;
            if (strstr((*op)->name, "_backward") && !is_no_derivative(*op) &&
                ((*op)->dtypes >> dtype & 1))
                test_gradient(*op, dtype, &arena);
        }
    arena_release(&arena);
    return check_end("ops/t_gradient");
}
