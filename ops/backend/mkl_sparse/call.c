/* Makes the matrices, calls the routine, and adds what a result stores to zeros. */
#include "call.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"

/* Everything that one run makes; places in the width of the library's integers. */
typedef struct Run {
    const MklSparse *library;
    const SparsePlan *plan;
    void *first[2], *places[2];
    void *handles[SPARSE_HANDLES];
} Run;

typedef union Cell {
    int integer;
    int64_t wide;
    int description[3];
    double numbers[2];
    void *address;
} Cell;

static ffi_type *const description_elements[] = {&ffi_type_sint, &ffi_type_sint, &ffi_type_sint,
                                                 NULL};
static ffi_type *const narrow_elements[] = {&ffi_type_float, &ffi_type_float, NULL};
static ffi_type *const wide_elements[] = {&ffi_type_double, &ffi_type_double, NULL};
static ffi_type description_type = {.type = FFI_TYPE_STRUCT,
                                    .elements = (ffi_type **)(uintptr_t)description_elements};
static ffi_type narrow_type = {.type = FFI_TYPE_STRUCT,
                               .elements = (ffi_type **)(uintptr_t)narrow_elements};
static ffi_type wide_type = {.type = FFI_TYPE_STRUCT,
                             .elements = (ffi_type **)(uintptr_t)wide_elements};

static ffi_type *scalar_type(DType dtype)
{
    return dtype == DT_F32   ? &ffi_type_float
           : dtype == DT_F64 ? &ffi_type_double
           : dtype == DT_C64 ? &narrow_type
                             : &wide_type;
}

static size_t width_of(const SparsePlan *plan)
{
    return plan->row.wide ? sizeof(int64_t) : sizeof(int32_t);
}

static void *in_width(const SparsePlan *plan, const int64_t *from, int64_t count, Arena *arena)
{
    char *to = arena_take(arena, (size_t)count + 1, width_of(plan));
    for (int64_t i = 0; i < count; i++)
        if (plan->row.wide)
            ((int64_t *)(void *)to)[i] = from[i];
        else
            ((int32_t *)(void *)to)[i] = (int32_t)from[i];
    return to;
}

static void *address_of(const SparseArgument *a, Run *run)
{
    const SparsePlan *plan = run->plan;
    switch (a->kind) {
    case SPARSE_OPERAND:
        return plan->operands->view[a->number].origin;
    case SPARSE_FIRST:
        return run->first[a->number];
    case SPARSE_ENDS:
        return (char *)run->first[a->number] + width_of(plan);
    case SPARSE_PLACES:
        return run->places[a->number];
    case SPARSE_ELEMENTS:
        return plan->matrix[a->number].elements;
    case SPARSE_NEW:
        return &run->handles[a->number];
    default:
        return run->handles[a->number];
    }
}

static ffi_type *fill_cell(const SparseArgument *a, Run *run, Cell *cell)
{
    DType dtype = run->plan->dtype;
    switch (a->kind) {
    case SPARSE_CONSTANT:
    case SPARSE_BASE:
        cell->integer = (int)a->number;
        return &ffi_type_sint;
    case SPARSE_COUNT:
        cell->wide = a->number;
        return run->plan->row.wide ? &ffi_type_sint64 : &ffi_type_sint32;
    case SPARSE_SCALAR:
        dtype_store(dtype, cell, 0, a->scalar.re);
        if (dtype_components(dtype) == 2)
            dtype_store(dtype, cell, 1, a->scalar.im);
        return scalar_type(dtype);
    case SPARSE_DESCRIPTION:
        memcpy(cell->description, a->description, sizeof cell->description);
        return &description_type;
    default:
        cell->address = address_of(a, run);
        return &ffi_type_pointer;
    }
}

/* The status of a call; that of what is not supported where the library has no such routine. */
static int call(const SparseCall *c, Run *run)
{
    Cell cells[SPARSE_ARGUMENTS_MAX];
    void *values[SPARSE_ARGUMENTS_MAX];
    ffi_type *types[SPARSE_ARGUMENTS_MAX];
    ffi_cif cif;
    ffi_arg status = SPARSE_UNSUPPORTED;
    void (*function)(void);
    *(void **)&function = dlsym(run->library->handle, c->function);
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < c->count; i++) {
        values[i] = &cells[i];
        types[i] = fill_cell(&c->arguments[i], run, &cells[i]);
    }
    if (function &&
        ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)c->count, &ffi_type_sint, types) == FFI_OK)
        ffi_call(&cif, function, &status, values);
    return (int)status;
}

/* What mkl_sparse_?_export_csr and its like say. */
typedef struct Exported {
    int base;
    int64_t rows, columns;
    void *first, *ends, *places;
    char *elements;
} Exported;

static int export(const Run *run, Exported *e)
{
    typedef int Export(void *, int *, void *, void *, void **, void **, void **, char **);
    Export *function;
    char symbol[64];
    mkl_sparse_spell(run->plan, run->plan->result_by_columns ? "export_csc" : "export_csr", true,
                     symbol, sizeof symbol);
    *(void **)&function = dlsym(run->library->handle, symbol);
    *e = (Exported){0};
    return function ? function(run->handles[run->plan->result], &e->base, &e->rows, &e->columns,
                               &e->first, &e->ends, &e->places, &e->elements)
                    : SPARSE_UNSUPPORTED;
}

static int64_t place_at(const SparsePlan *plan, const void *places, int64_t i)
{
    return plan->row.wide ? ((const int64_t *)places)[i] : ((const int32_t *)places)[i];
}

/* Adds one element to y; false where it lies outside. */
static bool add_element(const SparsePlan *plan, const Exported *e, int64_t line, int64_t at)
{
    const Tensor *y = &plan->operands->view[plan->operands->shapes.count - 1];
    int64_t other = place_at(plan, e->places, at) - e->base;
    int64_t row = plan->result_by_columns ? other : line, column = other + line - row;
    int parts = dtype_components(plan->dtype);
    if (row < 0 || row >= y->extent[0] || column < 0 || column >= y->extent[1])
        return false;
    for (int part = 0; part < parts; part++) {
        int64_t to = tensor_offset(y, row, column) * parts + part;
        dtype_store(y->dtype, y->origin, to,
                    dtype_load(y->dtype, y->origin, to) +
                        dtype_load(y->dtype, e->elements, at * parts + part));
    }
    return true;
}

/* The result as a dense matrix; false where what it stores lies outside of it. */
static bool put_result(const SparsePlan *plan, const Exported *e)
{
    const Tensor *y = &plan->operands->view[plan->operands->shapes.count - 1];
    int64_t lines = y->extent[plan->result_by_columns ? 1 : 0];
    size_t size = dtype_size(y->dtype);
    bool inside = (plan->row.wide ? e->rows : (int32_t)e->rows) == y->extent[0] &&
                  (plan->row.wide ? e->columns : (int32_t)e->columns) == y->extent[1];
    for (int64_t i = 0; i < tensor_count(y); i++)
        memset((char *)y->origin + tensor_offset_of(y, i) * (int64_t)size, 0, size);
    for (int64_t line = 0; line < lines && inside; line++) {
        int64_t end = place_at(plan, e->ends, line) - e->base;
        for (int64_t at = place_at(plan, e->first, line) - e->base; at < end && inside; at++)
            inside = at >= 0 && add_element(plan, e, line, at);
    }
    return inside;
}

static void destroy(const Run *run)
{
    int (*function)(void *handle);
    char symbol[64];
    mkl_sparse_spell(run->plan, "destroy", false, symbol, sizeof symbol);
    *(void **)&function = dlsym(run->library->handle, symbol);
    for (int i = 0; i < SPARSE_HANDLES && function; i++)
        if (run->handles[i])
            (void)function(run->handles[i]);
}

/* What a call that fails leaves in a handle is none. */
static void forget_made(const SparseCall *c, Run *run)
{
    for (int i = 0; i < c->count; i++)
        if (c->arguments[i].kind == SPARSE_NEW)
            run->handles[c->arguments[i].number] = NULL;
}

static int run_plan(Run *run, bool *inside)
{
    int status = 0;
    for (int i = 0; i < run->plan->call_count && status == 0; i++) {
        status = call(&run->plan->calls[i], run);
        if (status != 0)
            forget_made(&run->plan->calls[i], run);
    }
    if (status == 0 && run->plan->result >= 0) {
        Exported e;
        status = export(run, &e);
        *inside = status != 0 || put_result(run->plan, &e);
    }
    destroy(run);
    return status;
}

bool mkl_sparse_takes(const Backend *backend, const Operands *o, Text *why)
{
    (void)backend;
    return mkl_sparse_can_plan(o, why);
}

static const char *const statuses[] = {"SUCCESS",       "NOT_INITIALIZED",  "ALLOC_FAILED",
                                       "INVALID_VALUE", "EXECUTION_FAILED", "INTERNAL_ERROR"};

/* A routine for triangles reports a 0 on the diagonal: SPARSE_STATUS_EXECUTION_FAILED. */
static RunStatus outcome(Backend *backend, const SparsePlan *plan, int status, bool inside)
{
    bool solves = !strncmp(plan->row.routine, "trs", 3);
    enum { EXECUTION_FAILED = 4 };
    const char *routine = plan->calls[plan->call_count - 1].function;
    if (status == SPARSE_UNSUPPORTED) {
        (void)snprintf(backend->message, sizeof backend->message,
                       "SPARSE_STATUS_NOT_SUPPORTED of %s", routine);
        return RUN_DECLINED;
    }
    if (solves && status == EXECUTION_FAILED) {
        (void)snprintf(backend->message, sizeof backend->message,
                       "SPARSE_STATUS_EXECUTION_FAILED: a 0 on the diagonal");
        return RUN_DECLINED;
    }
    if (status != 0) {
        bool named = status > 0 && status < (int)COUNT_OF(statuses);
        (void)snprintf(backend->message, sizeof backend->message, "SPARSE_STATUS_%s of %s",
                       named ? statuses[status] : "?", routine);
        return RUN_REFUSED;
    }
    if (!inside) {
        (void)snprintf(backend->message, sizeof backend->message,
                       "the result stores elements outside of the matrix");
        return RUN_BREACHED;
    }
    return RUN_DONE;
}

RunStatus mkl_sparse_run(Backend *backend, const Operands *o)
{
    MklSparse *library = backend->context;
    SparsePlan plan;
    Text why = {0};
    bool inside = true;
    arena_reset(&library->arena);
    bool planned = mkl_sparse_plan(&plan, o, &library->arena, &why);
    (void)snprintf(backend->message, sizeof backend->message, "%s",
                   planned ? "" : text_string(&why));
    text_release(&why);
    if (!planned)
        return RUN_DECLINED;
    Run run = {.library = library, .plan = &plan};
    for (int i = 0; i < plan.matrix_count; i++) {
        const SparseMatrix *m = &plan.matrix[i];
        run.first[i] = in_width(&plan, m->first, m->firsts, &library->arena);
        run.places[i] = in_width(&plan, m->places, m->count, &library->arena);
    }
    int status = run_plan(&run, &inside);
    return outcome(backend, &plan, status, inside);
}
