/* The calls of each routine. */
#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "matrix.h"

enum {
    NON_TRANSPOSE = 10,
    FULL_MULT = 90,
    NNZ_COUNT,
    FINALIZE_MULT,
    GENERAL = 20,
    TRIANGULAR = 23,
    LOWER = 40,
    NON_UNIT = 50,
    ROW_MAJOR = 101,
    COLUMN_MAJOR
};

void mkl_sparse_spell(const SparsePlan *plan, const char *name, bool typed, char *symbol,
                      size_t size)
{
    static const char letters[] = {[DT_F32] = 's', [DT_F64] = 'd', [DT_C64] = 'c', [DT_C128] = 'z'};
    const char letter[] = {letters[plan->dtype], '_', '\0'};
    (void)snprintf(symbol, size, "mkl_sparse_%s%s%s", typed ? letter : "", name,
                   plan->row.wide ? "_64" : "");
}

static SparseCall *begin(SparsePlan *plan, const char *name, bool typed)
{
    if (plan->call_count == SPARSE_CALLS_MAX)
        BUG("%s: too many calls", name);
    SparseCall *call = &plan->calls[plan->call_count++];
    *call = (SparseCall){.count = 0};
    mkl_sparse_spell(plan, name, typed, call->function, sizeof call->function);
    return call;
}

static SparseArgument *add(SparseCall *call, SparseArgumentKind kind, int64_t number)
{
    SparseArgument *argument = &call->arguments[call->count++];
    *argument = (SparseArgument){.kind = kind, .number = number};
    return argument;
}

static void add_scalar(SparseCall *call, Scalar scalar)
{
    add(call, SPARSE_SCALAR, 0)->scalar = scalar;
}

/* The parameters of a case that some operators have. */
static int choice(const SparsePlan *plan, const char *name)
{
    const Case *c = plan->operands->source;
    return case_has(c, name) ? (int)case_int(c, name) : 0;
}

static Scalar factor(const SparsePlan *plan, const char *name, double otherwise)
{
    const Case *c = plan->operands->source;
    return case_has(c, name) ? case_scalar(c, name) : (Scalar){otherwise, 0};
}

static void add_description(SparseCall *call, const SparsePlan *plan)
{
    bool solves = !strncmp(plan->row.routine, "trs", 3);
    SparseArgument *argument = add(call, SPARSE_DESCRIPTION, 0);
    argument->description[0] = solves ? TRIANGULAR : GENERAL + choice(plan, "kind");
    argument->description[1] = LOWER + choice(plan, "uplo");
    argument->description[2] = NON_UNIT + choice(plan, "diag");
}

/* How a dense matrix lies: by rows or by columns, with its leading dimension; false where it lies
 * in neither way. */
static bool dense_layout(const Tensor *view, int *layout, int64_t *leading)
{
    bool one_row = view->extent[0] <= 1, one_column = view->extent[1] <= 1;
    bool by_rows = view->stride[1] == 1 || one_column, by_columns = view->stride[0] == 1 || one_row;
    if (by_rows && (one_row || view->stride[0] >= view->extent[1])) {
        *layout = ROW_MAJOR;
        *leading = one_row ? view->extent[1] : view->stride[0];
        return view->stride[0] > 0 || one_row;
    }
    *layout = COLUMN_MAJOR;
    *leading = one_column ? view->extent[0] : view->stride[1];
    return by_columns && *leading >= view->extent[0];
}

static void add_create(SparsePlan *plan, int number)
{
    const SparseMatrix *m = &plan->matrix[number];
    static const char *const names[] = {"create_csr", "create_csc", "create_coo", "create_bsr"};
    SparseCall *call = begin(plan, names[m->format], true);
    add(call, SPARSE_NEW, number);
    add(call, SPARSE_BASE, m->base);
    if (m->format == SPARSE_BSR)
        add(call, SPARSE_CONSTANT, ROW_MAJOR);
    add(call, SPARSE_COUNT, m->rows / m->block);
    add(call, SPARSE_COUNT, m->columns / m->block);
    if (m->format == SPARSE_BSR)
        add(call, SPARSE_COUNT, m->block);
    if (m->format == SPARSE_COO)
        add(call, SPARSE_COUNT, m->count);
    add(call, SPARSE_FIRST, number);
    if (m->format != SPARSE_COO)
        add(call, SPARSE_ENDS, number);
    add(call, SPARSE_PLACES, number);
    add(call, SPARSE_ELEMENTS, number);
}

/* Of a dense factor and a dense result, by the numbers of their operands. */
static void add_optimize(SparsePlan *plan, const char *hint, int layout, int64_t columns)
{
    SparseCall *call = begin(plan, hint, false);
    bool many = strstr(hint, "_mm_") || strstr(hint, "_sm_");
    add(call, SPARSE_HANDLE, HANDLE_A);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "ta"));
    add_description(call, plan);
    if (many) {
        add(call, SPARSE_CONSTANT, layout);
        add(call, SPARSE_COUNT, columns);
    }
    add(call, SPARSE_COUNT, 1);
    call = begin(plan, "optimize", false);
    add(call, SPARSE_HANDLE, HANDLE_A);
}

static const char *hint_of(const char *routine)
{
    return !strcmp(routine, "mm")     ? "set_mm_hint"
           : !strcmp(routine, "mv")   ? "set_mv_hint"
           : !strcmp(routine, "trsm") ? "set_sm_hint"
                                      : "set_sv_hint";
}

/* mm, mv, trsm and trsv: operands x and y are the last two. */
static void add_dense(SparsePlan *plan)
{
    const Operands *o = plan->operands;
    const char *routine = plan->row.routine;
    int y = o->shapes.count - 1, x = y - 1, layout = 0, other = 0, handle = HANDLE_A;
    int64_t leading_x = 0, leading_y = 0, columns = o->view[y].extent[1];
    bool product = routine[0] == 'm', many = routine[strlen(routine) - 1] == 'm';
    (void)dense_layout(&o->view[x], &layout, &leading_x);
    (void)dense_layout(&o->view[y], &other, &leading_y);
    if (plan->row.optimized)
        add_optimize(plan, hint_of(routine), layout, columns);
    if (plan->row.converted) {
        SparseCall *convert = begin(plan, "convert_csr", false);
        handle = HANDLE_D;
        add(convert, SPARSE_HANDLE, HANDLE_A);
        add(convert, SPARSE_CONSTANT, NON_TRANSPOSE);
        add(convert, SPARSE_NEW, handle);
    }
    SparseCall *call = begin(plan, routine, true);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "ta"));
    add_scalar(call, factor(plan, "alpha", 1));
    add(call, SPARSE_HANDLE, handle);
    add_description(call, plan);
    if (many)
        add(call, SPARSE_CONSTANT, layout);
    add(call, SPARSE_OPERAND, x);
    if (many) {
        add(call, SPARSE_COUNT, columns);
        add(call, SPARSE_COUNT, leading_x);
    }
    if (product)
        add_scalar(call, factor(plan, "beta", 0));
    add(call, SPARSE_OPERAND, y);
    if (many)
        add(call, SPARSE_COUNT, leading_y);
}

static void add_general(SparseCall *call)
{
    SparseArgument *argument = add(call, SPARSE_DESCRIPTION, 0);
    argument->description[0] = GENERAL;
    argument->description[1] = LOWER;
    argument->description[2] = NON_UNIT;
}

static void add_sp2m(SparsePlan *plan, int request)
{
    SparseCall *call = begin(plan, "sp2m", false);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "ta"));
    add_general(call);
    add(call, SPARSE_HANDLE, HANDLE_A);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "tb"));
    add_general(call);
    add(call, SPARSE_HANDLE, HANDLE_B);
    add(call, SPARSE_CONSTANT, request);
    add(call, SPARSE_NEW, HANDLE_C);
}

static void add_spmm(SparsePlan *plan)
{
    bool dense = !strcmp(plan->row.routine, "spmmd");
    const Tensor *y = &plan->operands->view[plan->operands->shapes.count - 1];
    int layout = 0;
    int64_t leading = 0;
    SparseCall *call = begin(plan, plan->row.routine, dense);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "ta"));
    add(call, SPARSE_HANDLE, HANDLE_A);
    add(call, SPARSE_HANDLE, HANDLE_B);
    if (!dense) {
        add(call, SPARSE_NEW, HANDLE_C);
        return;
    }
    (void)dense_layout(y, &layout, &leading);
    add(call, SPARSE_CONSTANT, layout);
    add(call, SPARSE_OPERAND, plan->operands->shapes.count - 1);
    add(call, SPARSE_COUNT, leading);
}

static void add_sum(SparsePlan *plan)
{
    SparseCall *call = begin(plan, "add", true);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE + choice(plan, "ta"));
    add(call, SPARSE_HANDLE, HANDLE_A);
    add_scalar(call, factor(plan, "alpha", 1));
    add(call, SPARSE_HANDLE, HANDLE_B);
    add(call, SPARSE_NEW, HANDLE_C);
}

/* A result in a handle of its own is read by rows, or by columns; blocks are converted. */
static void add_result(SparsePlan *plan)
{
    plan->result = HANDLE_C;
    plan->result_by_columns =
        !strcmp(plan->row.routine, "convert_csc") || plan->row.format == SPARSE_CSC;
    if (plan->row.ordered)
        add(begin(plan, "order", false), SPARSE_HANDLE, HANDLE_C);
    if (plan->row.format != SPARSE_BSR)
        return;
    SparseCall *call = begin(plan, "convert_csr", false);
    add(call, SPARSE_HANDLE, HANDLE_C);
    add(call, SPARSE_CONSTANT, NON_TRANSPOSE);
    add(call, SPARSE_NEW, HANDLE_D);
    plan->result = HANDLE_D;
}

static void add_routine(SparsePlan *plan)
{
    const char *routine = plan->row.routine;
    bool pair = true;
    if (!strcmp(routine, "sp2m")) {
        if (plan->row.staged)
            add_sp2m(plan, NNZ_COUNT);
        add_sp2m(plan, plan->row.staged ? FINALIZE_MULT : FULL_MULT);
    } else if (!strncmp(routine, "spmm", 4)) {
        add_spmm(plan);
        pair = strcmp(routine, "spmmd") != 0;
    } else if (!strcmp(routine, "add")) {
        add_sum(plan);
    } else if (!strncmp(routine, "convert", 7)) {
        SparseCall *call = begin(plan, routine, false);
        add(call, SPARSE_HANDLE, HANDLE_A);
        add(call, SPARSE_CONSTANT, NON_TRANSPOSE);
        add(call, SPARSE_NEW, HANDLE_C);
    } else {
        add_dense(plan);
        pair = false;
    }
    if (pair)
        add_result(plan);
}

/* Dense operands lie by rows or by columns, both alike, and vectors without gaps. */
static bool lie_well(const SparseRow *row, const Operands *o, Text *why)
{
    int y = o->shapes.count - 1, layouts[2] = {0, 0};
    int64_t leading[2] = {0, 0};
    bool with_x = !strncmp(row->routine, "mm", 2) || !strncmp(row->routine, "mv", 2) ||
                  !strncmp(row->routine, "trs", 3);
    bool vectors = row->routine[strlen(row->routine) - 1] == 'v', well = true;
    for (int i = with_x ? 0 : 1; i < 2; i++) {
        const Tensor *view = &o->view[y - 1 + i];
        well = well && dense_layout(view, &layouts[i], &leading[i]);
        well = well && !(vectors && view->extent[0] > 1 && view->stride[0] != 1);
    }
    well = well && (!with_x || layouts[0] == layouts[1]);
    if (!well)
        text_put(why, "operands with gaps between the elements of a row and of a column, or laid "
                      "out differently");
    return well;
}

bool mkl_sparse_can_plan(const Operands *o, Text *why)
{
    SparseRow row;
    return mkl_sparse_row(&row, o, why) && lie_well(&row, o, why);
}

bool mkl_sparse_plan(SparsePlan *plan, const Operands *o, Arena *arena, Text *why)
{
    *plan = (SparsePlan){.operands = o, .dtype = case_dtype(o->source), .result = -1};
    if (!mkl_sparse_row(&plan->row, o, why) || !lie_well(&plan->row, o, why))
        return false;
    mkl_sparse_matrices(plan, arena);
    for (int i = 0; i < plan->matrix_count; i++)
        add_create(plan, i);
    add_routine(plan);
    return true;
}
