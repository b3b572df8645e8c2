/* Operators that say which products they are (OpDesc.product): what they say has the values of
 * their references, by its rows too; sums leave a right result alone, and name the row of each
 * element that is wrong: beside the diagonal, on it, in the last block, in any place. */
#include <math.h>
#include <string.h>

#include "ops/case/operands.h"
#include "oracle/bound.h"
#include "reference/checksum.h"
#include "reference/random.h"
#include "reference/selftest.h"
#include "tests/check.h"

static const Model strict = {.name = "ieee"};

static Workspace workspace;

/* Extents of a rank that is given. */
static void draw_image(Shape *shape, uint64_t seed)
{
    static const uint64_t most[] = {1, 20, 7, 4};
    for (int64_t axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = 1 + (int64_t)(random_at(seed, (uint64_t)axis) % most[shape->rank]);
}

/* A small case with the data of large ones. */
static void draw(Case *c, const OpDesc *op, FillKind kind, uint64_t seed)
{
    enum { EXTENT = 70, CHANNELS = 12 };
    const int64_t most = op->enlarge ? CHANNELS : EXTENT;
    Scope scope = scope_all();
    scope.ops[0] = op;
    scope.op_count = 1;
    do
        case_draw_seeded(c, &scope, seed++);
    while (!op_has_sums(op, c->params));
    for (const Param *param = op->params; param->name; param++)
        if (param->kind == PARAM_SHAPE && param->minimum == param->maximum)
            draw_image(param_shape(param, c->params), seed);
        else if (param->kind == PARAM_DIM)
            *param_integer(param, c->params) =
                1 + (int64_t)(random_at(seed, param->offset) %
                              (uint64_t)(param->maximum < EXTENT ? 3 : most));
        else if (param->kind == PARAM_SHAPE)
            *param_shape(param, c->params) = (Shape){seed % 3, {1 + seed % 2, 2}};
        else if (param->kind == PARAM_SCALAR)
            *param_scalar(param, c->params) =
                (Scalar){random_at(seed, param->offset) % 4 == 0 ? 0 : 2, 0};
    c->exec = (Exec){0};
    for (const Param *param = exec_params; param->name; param++)
        param_set_simplest(param, &c->exec);
    for (int i = 0; op->tensors[i]; i++)
        c->fill[i] = (Fill){.kind = kind, .seed = (int64_t)(seed % 1000) + i};
    if (op->well_posed) {
        op->well_posed(c->params);
        c->fill[0].scale = -6;
    }
    case_normalise(c, NULL);
}

/* The result as it is right, rounded once, in place of what a kernel would write. */
static void put_result(const ProductBlock *block, const Tensor *view, Arena *arena)
{
    Ref ref;
    int64_t parts = dtype_components(view->dtype);
    equation_reference(&ref, &block->equation, NULL, NULL, (size_t)view->extent[0], arena);
    for (int64_t i = 0; i < view->extent[0]; i++) {
        TensorRow row = tensor_row(view, i);
        for (int64_t j = row.first; j < row.end; j++)
            for (int64_t part = 0; part < parts; part++)
                dtype_store(view->dtype, view->origin, tensor_offset(view, i, j) * parts + part,
                            ref.high[(i * view->extent[1] + j) * parts + part]);
    }
}

static size_t count_named(Checksum *s, const Tensor *view, uint8_t *wrong, Arena *arena)
{
    double *bounds = NULL;
    checksum_read(s, view, arena);
    if (s->kind == CHECKSUM_BOUNDED) {
        BoundTable table = bound_table(&s->bound, &strict, arena);
        bounds = arena_take(arena, s->bound.count + 1, sizeof *bounds);
        for (size_t i = 0; i < s->bound.count; i++)
            bounds[i] = table.bounds[i].hard;
    }
    return checksum_compare(s, bounds, wrong, arena);
}

/* One element, of exact data by one neighbour, else by more than the bound of its row: its row is
 * named, alone but where others are computed from it. */
static void spoil(Checksum *s, const Tensor *view, int64_t i, int64_t j, uint8_t *wrong,
                  Arena *arena)
{
    int64_t parts = dtype_components(view->dtype), at = tensor_offset(view, i, j) * parts;
    double value = dtype_load(view->dtype, view->origin, at), largest = 0;
    for (size_t k = 0; s->kind == CHECKSUM_BOUNDED && k < s->bound.count; k++)
        largest = fmax(largest, s->bound.magnitude[k] + s->bound.addend[k]);
    double other = s->kind == CHECKSUM_EXACT ? value + ldexp(1, s->lattice) : value + 1 + largest;
    dtype_store(view->dtype, view->origin, at, other);
    size_t named = count_named(s, view, wrong, arena);
    bool open = wrong[i] == ROW_OPEN;
    const ProductEquation *e = s->equation;
    bool mirrored = e->result.expansion != EXPAND_NONE && i != j;
    CHECK(open || wrong[i] == ROW_WRONG);
    CHECK(open || (named == (mirrored ? 2 : 1)) || e->form == RESULT_SOLVES);
    dtype_store(view->dtype, view->origin, at, value);
}

/* Elements of the first, the last and another row: beside the diagonal and at both ends. */
static void spoil_some(Checksum *s, const Tensor *view, uint64_t seed, uint8_t *wrong, Arena *arena)
{
    int64_t rows[] = {0, view->extent[0] - 1,
                      (int64_t)(random_at(seed, 1) % (uint64_t)view->extent[0])};
    for (int k = 0; k < 3; k++) {
        TensorRow row = tensor_row(view, rows[k]);
        if (row.first >= row.end)
            continue;
        uint64_t count = (uint64_t)(row.end - row.first);
        spoil(s, view, rows[k], row.first, wrong, arena);
        spoil(s, view, rows[k], row.end - 1, wrong, arena);
        spoil(s, view, rows[k], row.first + (int64_t)(random_at(seed, 2) % count), wrong, arena);
    }
}

/* Some rows of the equation are those of the whole. */
static void check_rows(const ProductBlock *block, const Tensor *view, uint64_t seed, Arena *arena)
{
    Ref whole, some;
    size_t row = (size_t)(random_at(seed, 3) % (uint64_t)view->extent[0]);
    equation_reference(&whole, &block->equation, view, NULL, (size_t)view->extent[0], arena);
    equation_reference(&some, &block->equation, view, &row, 1, arena);
    size_t width = some.count;
    for (size_t i = 0; i < width; i++) {
        CHECK(some.classes[i] == whole.classes[row * width + i]);
        CHECK(ldexp(some.high[i], some.exponent) ==
              ldexp(whole.high[row * width + i], whole.exponent));
    }
}

/* The operator's own reference has the values of its blocks. */
static void check_reference(const Operands *o, const ProductBlock *block, const Ref *refs,
                            Arena *arena)
{
    const Ref *ref = &refs[o->shapes.count - 1];
    const Tensor *view = &block->equation.result.view;
    Ref own;
    size_t parts = (size_t)dtype_components(view->dtype);
    equation_reference(&own, &block->equation, NULL, NULL, (size_t)view->extent[0], arena);
    for (int64_t i = 0; i < view->extent[0]; i++) {
        TensorRow row = tensor_row(view, i);
        for (int64_t j = row.first; j < row.end; j++)
            for (size_t part = 0; part < parts; part++) {
                size_t at = (size_t)(i * view->extent[1] + j) * parts + part;
                int64_t number = block->first + i * block->row_step + j * block->column_step;
                size_t of = (size_t)number * parts + part;
                double value = ldexp(own.high[at], own.exponent);
                double error = ldexp(own.error[at] + ref->error[of], own.exponent);
                double operators = ldexp(ref->high[of], ref->exponent);
                /* Where one number of the type is left, a reference may have that. */
                CHECK(fabs(value - operators) <= error + 0x1p-50 * fabs(value) ||
                      operators == dtype_round(view->dtype, value));
            }
    }
}

static void check_case(const Case *c, uint64_t seed, long kinds[])
{
    Operands o;
    ProductBlocks product;
    Arena *arena = &workspace.arena;
    operands_build(&o, &workspace, c);
    operands_product(&o, &product, arena);
    Ref refs[OP_TENSORS_MAX];
    if (!c->op->judged_by_residual)
        operands_reference(&o, refs, arena);
    Tensor *out = &o.view[o.shapes.count - 1];
    uint8_t *wrong = arena_take(arena, (size_t)out->extent[0] + 1, 1);
    for (int64_t i = 0; i < product.count; i++) {
        Tensor view = block_view(&product.block[i], out);
        Checksum s;
        if (!c->op->judged_by_residual)
            check_reference(&o, &product.block[i], refs, arena);
        put_result(&product.block[i], &view, arena);
        checksum_begin(&s, &product.block[i].equation, seed, arena);
        kinds[s.kind]++;
        CHECK(s.kind != CHECKSUM_NONE);
        if (s.kind == CHECKSUM_NONE)
            continue;
        CHECK(count_named(&s, &view, wrong, arena) == 0);
        check_rows(&product.block[i], &view, seed, arena);
        spoil_some(&s, &view, seed, wrong, arena);
    }
}

/* What is judged by its residual is never summed exactly. */
static bool kinds_drawn(const OpDesc *op, const long *kinds)
{
    return (kinds[CHECKSUM_EXACT] > 0 || op->judged_by_residual) && kinds[CHECKSUM_BOUNDED] > 0;
}

static void test_op(const OpDesc *op)
{
    long kinds[CHECKSUM_BOUNDED + 1] = {0};
    long least = check_scaled(40);
    for (long i = 0; i < least || (i < 40 && !kinds_drawn(op, kinds)); i++) {
        uint64_t seed = random_mix((uint64_t)i);
        Case c;
        draw(&c, op, i % 3 == 2 ? FILL_NORMAL : FILL_INT, seed);
        int failures = check_failures;
        check_case(&c, seed, kinds);
        Text line = {0};
        if (check_failures > failures) {
            case_print(&c, &line);
            fprintf(stderr, "  %s\n", text_string(&line));
        }
        text_release(&line);
    }
    CHECK(kinds_drawn(op, kinds));
}

int main(void)
{
    CHECK(selftest_run() == NULL);
    CHECK(workspace_init(&workspace));
    int with = 0;
    for (int i = 0; op_registry[i]; i++)
        if (op_registry[i]->product) {
            test_op(op_registry[i]);
            with++;
        }
    CHECK(with >= 26);
    workspace_release(&workspace);
    return check_end("t_product");
}
