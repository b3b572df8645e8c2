/* The arrays of each matrix, and the calls that are given them. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "ops/backend/c_source.h"
#include "plan.h"

static const char *const handles[SPARSE_HANDLES] = {"A", "B", "C", "D"};

static const struct {
    int value;
    const char *name;
} constants[] = {{10, "SPARSE_OPERATION_NON_TRANSPOSE"},
                 {11, "SPARSE_OPERATION_TRANSPOSE"},
                 {12, "SPARSE_OPERATION_CONJUGATE_TRANSPOSE"},
                 {20, "SPARSE_MATRIX_TYPE_GENERAL"},
                 {21, "SPARSE_MATRIX_TYPE_SYMMETRIC"},
                 {22, "SPARSE_MATRIX_TYPE_HERMITIAN"},
                 {23, "SPARSE_MATRIX_TYPE_TRIANGULAR"},
                 {24, "SPARSE_MATRIX_TYPE_DIAGONAL"},
                 {40, "SPARSE_FILL_MODE_LOWER"},
                 {41, "SPARSE_FILL_MODE_UPPER"},
                 {50, "SPARSE_DIAG_NON_UNIT"},
                 {51, "SPARSE_DIAG_UNIT"},
                 {90, "SPARSE_STAGE_FULL_MULT"},
                 {91, "SPARSE_STAGE_NNZ_COUNT"},
                 {92, "SPARSE_STAGE_FINALIZE_MULT"},
                 {101, "SPARSE_LAYOUT_ROW_MAJOR"},
                 {102, "SPARSE_LAYOUT_COLUMN_MAJOR"}};

static const char *constant_name(int64_t value)
{
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        if (constants[i].value == value)
            return constants[i].name;
    BUG("no constant %lld", (long long)value);
}

static const char *integer_type(const SparsePlan *plan)
{
    return plan->row.wide ? "long long" : "int";
}

/* The library's own complex numbers are passed as those of C are. */
static const char *element_type(DType dtype)
{
    return dtype == DT_F32   ? "float"
           : dtype == DT_F64 ? "double"
           : dtype == DT_C64 ? "float _Complex"
                             : "double _Complex";
}

static const char *type_of(const SparsePlan *plan, SparseArgumentKind kind)
{
    switch (kind) {
    case SPARSE_CONSTANT:
    case SPARSE_BASE:
        return "int";
    case SPARSE_COUNT:
        return integer_type(plan);
    case SPARSE_SCALAR:
        return element_type(plan->dtype);
    case SPARSE_DESCRIPTION:
        return "struct matrix_descr";
    case SPARSE_NEW:
        return "void **";
    default:
        return "void *";
    }
}

static void put_prototype(const SparsePlan *plan, const SparseCall *c, Text *text)
{
    text_printf(text, "int %s(", c->function);
    for (int i = 0; i < c->count; i++)
        text_printf(text, "%s%s", i ? ", " : "", type_of(plan, c->arguments[i].kind));
    text_put(text, ");\n");
}

static void export_name(const SparsePlan *plan, char *symbol, size_t size)
{
    mkl_sparse_spell(plan, plan->result_by_columns ? "export_csc" : "export_csr", true, symbol,
                     size);
}

static bool is_declared(const SparsePlan *plan, int number)
{
    for (int i = 0; i < number; i++)
        if (!strcmp(plan->calls[i].function, plan->calls[number].function))
            return true;
    return false;
}

/* The names of the header that the calls have. */
static void put_constants(const SparsePlan *plan, Text *text)
{
    bool used[COUNT_OF(constants)] = {false};
    const char *between = "enum { ";
    for (int i = 0; i < plan->call_count; i++)
        for (int k = 0; k < plan->calls[i].count; k++) {
            const SparseArgument *a = &plan->calls[i].arguments[k];
            for (size_t n = 0; n < COUNT_OF(constants); n++)
                for (int d = 0; d < 3; d++)
                    used[n] =
                        used[n] ||
                        (a->kind == SPARSE_CONSTANT && a->number == constants[n].value) ||
                        (a->kind == SPARSE_DESCRIPTION && a->description[d] == constants[n].value);
        }
    for (size_t n = 0; n < COUNT_OF(constants); n++)
        if (used[n]) {
            text_printf(text, "%s%s = %d", between, constants[n].name, constants[n].value);
            between = ",\n       ";
        }
    if (*between == ',')
        text_put(text, " };\n");
}

static void put_declarations(const SparsePlan *plan, Text *text)
{
    char symbol[64];
    put_constants(plan, text);
    text_put(text, "struct matrix_descr { int type, mode, diag; };\n");
    for (int i = 0; i < plan->call_count; i++)
        if (!is_declared(plan, i))
            put_prototype(plan, &plan->calls[i], text);
    if (plan->result < 0)
        return;
    export_name(plan, symbol, sizeof symbol);
    const char *integer = integer_type(plan);
    text_printf(text, "int %s(void *, int *, %s *, %s *, %s **, %s **, %s **, %s **);\n", symbol,
                integer, integer, integer, integer, integer, element_type(plan->dtype));
}

static void put_integers(const SparsePlan *plan, int number, const char *name,
                         const int64_t *values, int64_t count, Text *text)
{
    text_printf(text, "    %s %s_%s[] = {", integer_type(plan), handles[number], name);
    for (int64_t i = 0; i < count; i++)
        text_printf(text, "%s%lld", i ? ", " : "", (long long)values[i]);
    text_put(text, count ? "};\n" : "0};\n");
}

static void put_matrix(const SparsePlan *plan, int number, Text *text)
{
    const SparseMatrix *m = &plan->matrix[number];
    int parts = dtype_components(plan->dtype);
    int64_t numbers = m->count * m->block * m->block * parts;
    put_integers(plan, number, m->format == SPARSE_COO ? "rows" : "begins", m->first, m->firsts,
                 text);
    put_integers(plan, number, m->format == SPARSE_CSC ? "rows" : "columns", m->places, m->count,
                 text);
    text_printf(text, "    %s %s_values[] = {", c_number_type(plan->dtype), handles[number]);
    for (int64_t i = 0; i < numbers; i++) {
        text_put(text, i ? ", " : "");
        c_put_number(text, plan->dtype, dtype_load(plan->dtype, m->elements, i));
    }
    text_put(text, numbers ? "};\n" : "0};\n");
}

static void put_scalar(const SparsePlan *plan, Scalar scalar, Text *text)
{
    DType dtype = plan->dtype;
    if (dtype_components(dtype) == 1) {
        c_put_number(text, dtype, dtype_round(dtype, scalar.re));
        return;
    }
    text_printf(text, "__builtin_complex(%s", dtype == DT_C64 ? "(float)" : "(double)");
    c_put_number(text, dtype, dtype_round(dtype, scalar.re));
    text_printf(text, ", %s", dtype == DT_C64 ? "(float)" : "(double)");
    c_put_number(text, dtype, dtype_round(dtype, scalar.im));
    text_put(text, ")");
}

static void put_array_name(const SparsePlan *plan, const SparseArgument *a, Text *text)
{
    SparseFormat format = plan->matrix[a->number].format;
    const char *name = a->kind == SPARSE_ELEMENTS ? "values"
                       : a->kind == SPARSE_PLACES ? (format == SPARSE_CSC ? "rows" : "columns")
                                                  : (format == SPARSE_COO ? "rows" : "begins");
    text_printf(text, "%s_%s%s", handles[a->number], name, a->kind == SPARSE_ENDS ? " + 1" : "");
}

static void put_argument(const SparsePlan *plan, const SparseArgument *a, Text *text)
{
    switch (a->kind) {
    case SPARSE_CONSTANT:
        text_put(text, constant_name(a->number));
        break;
    case SPARSE_BASE:
    case SPARSE_COUNT:
        text_printf(text, "%lld", (long long)a->number);
        break;
    case SPARSE_SCALAR:
        put_scalar(plan, a->scalar, text);
        break;
    case SPARSE_DESCRIPTION:
        text_printf(text, "(struct matrix_descr){%s, %s, %s}", constant_name(a->description[0]),
                    constant_name(a->description[1]), constant_name(a->description[2]));
        break;
    case SPARSE_OPERAND:
        text_put(text, plan->operands->source->op->tensors[a->number]);
        break;
    case SPARSE_HANDLE:
    case SPARSE_NEW:
        text_printf(text, "%s%s", a->kind == SPARSE_NEW ? "&" : "", handles[a->number]);
        break;
    default:
        put_array_name(plan, a, text);
    }
}

/* Adds what the result stores to zeros. */
static void put_export(const SparsePlan *plan, const char *check, Text *text)
{
    int last = plan->operands->shapes.count - 1;
    const Tensor *y = &plan->operands->view[last];
    const char *name = plan->operands->source->op->tensors[last];
    const char *integer = integer_type(plan), *type = element_type(plan->dtype);
    bool by_columns = plan->result_by_columns, real = dtype_components(plan->dtype) == 1;
    long long line_step = (long long)y->stride[by_columns ? 1 : 0];
    long long place_step = (long long)y->stride[by_columns ? 0 : 1];
    char symbol[64], factor[32] = "", array[64];
    export_name(plan, symbol, sizeof symbol);
    if (place_step != 1)
        (void)snprintf(factor, sizeof factor, "%lld * ", place_step);
    (void)snprintf(array, sizeof array, real ? "%.0s%s" : "((%s *)%s)", type, name);
    text_printf(text,
                "int base;\n    %s height, width, *begins, *ends, *places;\n    %s *stored;\n    "
                "%s(%s(%s, &base, &height, &width, &begins, &ends, &places, &stored));\n    ",
                integer, type, check, symbol, handles[plan->result]);
    text_printf(text, "memset(%s, 0, %zu);\n    for (%s i = 0; i < %s; i++)\n        ", name,
                plan->operands->block[last].bytes, integer, by_columns ? "width" : "height");
    text_printf(text, "for (%s e = begins[i] - base; e < ends[i] - base; e++)\n            ",
                integer);
    text_printf(text, "%s[%lld * i + %s(places[e] - base)] += stored[e];", array, line_step,
                factor);
}

static void put_calls(const SparsePlan *plan, const char *check, Text *text)
{
    bool has[SPARSE_HANDLES] = {false};
    for (int i = 0; i < plan->call_count; i++)
        for (int k = 0; k < plan->calls[i].count; k++)
            if (plan->calls[i].arguments[k].kind == SPARSE_NEW)
                has[plan->calls[i].arguments[k].number] = true;
    text_put(text, "void *A = 0");
    for (int i = 1; i < SPARSE_HANDLES; i++)
        if (has[i])
            text_printf(text, ", *%s = 0", handles[i]);
    text_put(text, ";\n    ");
    for (int i = 0; i < plan->call_count; i++) {
        const SparseCall *c = &plan->calls[i];
        text_printf(text, "%s%s(%s(", i ? "\n    " : "", check, c->function);
        for (int k = 0; k < c->count; k++) {
            text_put(text, k ? ", " : "");
            put_argument(plan, &c->arguments[k], text);
        }
        text_put(text, "));");
    }
    if (plan->result >= 0) {
        text_put(text, "\n    ");
        put_export(plan, check, text);
    }
}

/* The plan of a case, whose arrays lie in memory of the backend. */
static bool make_plan(const Backend *backend, const Operands *o, SparsePlan *plan)
{
    MklSparse *library = backend->context;
    Text why = {0};
    arena_reset(&library->arena);
    bool planned = mkl_sparse_plan(plan, o, &library->arena, &why);
    text_release(&why);
    return planned;
}

void mkl_sparse_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    SparsePlan plan;
    if (!make_plan(backend, o, &plan))
        return;
    put_declarations(&plan, declaration);
    text_put(declaration, "\nstatic void expect(int status)\n{\n    if (status == 0)\n        "
                          "return;\n    printf(\"status %d\\n\", status);\n    exit(2);\n}\n");
    text_put(call, "{\n");
    for (int i = 0; i < plan.matrix_count; i++)
        put_matrix(&plan, i, call);
    text_put(call, "    ");
    put_calls(&plan, "expect", call);
    text_put(call, "\n    }");
}

void mkl_sparse_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    SparsePlan plan;
    if (!make_plan(backend, o, &plan)) {
        call->obstacle = "the library does not take the case";
        return;
    }
    put_declarations(&plan, &call->head);
    text_put(&call->head, "#define CHECK(call) if ((call) != 0) return 2\n");
    for (int i = 0; i < plan.matrix_count; i++)
        put_matrix(&plan, i, &call->before);
    put_calls(&plan, "CHECK", &call->call);
    call->refuses = true;
    char routine[64];
    mkl_sparse_spell(&plan, plan.row.routine,
                     strncmp(plan.row.routine, "convert", 7) != 0 &&
                         strcmp(plan.row.routine, "sp2m") != 0 &&
                         strcmp(plan.row.routine, "spmm") != 0,
                     routine, sizeof routine);
    (void)snprintf(call->function, sizeof call->function, "%s", routine);
}
