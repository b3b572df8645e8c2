/* Writes C from the rows of cuBLAS: "routines" are those of the simulator, "declarations" hold
 * every function that is called against the headers of CUDA. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "declarations.h"
#include "ops/backend/cuda/native/cublas.h"

/* The least leading dimensions, from the cuBLAS documentation; transposed and right are true for 1.
 */
static const struct {
    const char *op, *lda, *ldb, *ldc;
} leading[] = {
    {"gemm", "ta ? k : m", "tb ? n : k", "m"},
    {"gemm3m", "ta ? k : m", "tb ? n : k", "m"},
    {"gemm_batch", "ta ? k : m", "tb ? n : k", "m"},
    {"geam", "ta ? n : m", "tb ? n : m", "m"},
    {"symm", "side ? n : m", "m", "m"},
    {"hemm", "side ? n : m", "m", "m"},
    {"syrk", "ta ? k : n", NULL, "n"},
    {"herk", "ta ? k : n", NULL, "n"},
    {"syr2k", "ta ? k : n", "ta ? k : n", "n"},
    {"her2k", "ta ? k : n", "ta ? k : n", "n"},
    {"trmm", "side ? n : m", "m", NULL},
    {"trsm", "side ? n : m", "m", NULL},
    {"gemv", "m", NULL, NULL},
    {"ger", "m", NULL, NULL},
    {"geru", "m", NULL, NULL},
    {"gerc", "m", NULL, NULL},
    {"gbmv", "kl + ku + 1", NULL, NULL},
    {"sbmv", "k + 1", NULL, NULL},
    {"hbmv", "k + 1", NULL, NULL},
    {"tbmv", "k + 1", NULL, NULL},
    {"tbsv", "k + 1", NULL, NULL},
};

static const char *least_leading(const char *op, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(leading); i++)
        if (!strcmp(leading[i].op, op))
            return name[2] == 'a'   ? leading[i].lda
                   : name[2] == 'b' ? leading[i].ldb
                                    : leading[i].ldc;
    return "n";
}

typedef struct Routine {
    const CblasRoutine *row;
    const OpDesc *op;
    DType dtype;
    bool wide;
    Shapes shapes;
    int count;
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    char symbol[96];
} Routine;

/* Which have _v2, as in cublas_api.h: what the first version of the interface had too. */
static bool has_version(const char *name)
{
    return !strstr(name, "3m") && !strstr(name, "Batched") && !strstr(name, "geam") &&
           !strstr(name, "Ex");
}

static bool describe(Routine *r, const CblasRoutine *row, DType dtype, bool wide)
{
    char name[64];
    Case c;
    *r = (Routine){.row = row, .op = op_find(row->op), .dtype = dtype, .wide = wide};
    if (!(op_dtypes(r->op) & 1u << dtype) || !cublas_symbol(row, dtype, name, sizeof name) ||
        (wide && !cublas_has_integers(row)))
        return false;
    (void)snprintf(r->symbol, sizeof r->symbol, "%s%s%s", name, has_version(name) ? "_v2" : "",
                   wide ? "_64" : "");
    case_init(&c, r->op);
    for (const Param *param = r->op->params; param->name; param++)
        if (param->kind == PARAM_DTYPE)
            *param_integer(param, c.params) = dtype;
    op_shape(r->op, c.params, &r->shapes);
    r->count = cblas_arguments(row, r->op, r->arguments);
    return true;
}

/* Rows that take the element types as arguments: one function for all of them. */
static bool is_ex(const Routine *r)
{
    return cublas_takes_types(r->row);
}

/* The name of argument i: an operand that comes twice is the output the second time. */
static void name_of(const Routine *r, int i, char name[24])
{
    bool again = false;
    if (r->arguments[i].kind == ARGUMENT_CONSTANT) {
        (void)snprintf(name, 24, "choice_%d", i);
        return;
    }
    for (int k = 0; k < i; k++)
        again = again || (r->arguments[k].kind != ARGUMENT_CONSTANT &&
                          !strcmp(r->arguments[k].name, r->arguments[i].name));
    (void)snprintf(name, 24, "%s%s", r->arguments[i].name, again ? "_out" : "");
}

static bool has_output_copy(const Routine *r)
{
    char name[24];
    for (int i = 0; i < r->count; i++) {
        name_of(r, i, name);
        if (strstr(name, "_out"))
            return true;
    }
    return false;
}

static const char *number_of(DType dtype)
{
    return dtype_component_size(dtype) == 4 ? "float" : "double";
}

static bool is_complex(const Routine *r, const CblasArgument *argument)
{
    return dtype_components(r->dtype) == 2 && argument->param->maximum == 0;
}

static bool is_enumerator(const CblasArgument *a)
{
    return a->kind == ARGUMENT_CHOICE || a->kind == ARGUMENT_CONSTANT || a->kind == ARGUMENT_TYPE ||
           a->kind == ARGUMENT_COMPUTE || a->kind == ARGUMENT_ALGORITHM;
}

static void put_parameters(const Routine *r)
{
    printf("int %s(void *handle", r->symbol);
    for (int i = 0; i < r->count; i++) {
        char name[24];
        name_of(r, i, name);
        const CblasArgument *a = &r->arguments[i];
        const char *type =
            a->by_group && a->kind == ARGUMENT_CHOICE ? "const int *"
            : a->by_group && a->kind != ARGUMENT_OPERAND && a->kind != ARGUMENT_SCALAR
                ? (r->wide ? "const int64_t *" : "const int *")
            : a->kind == ARGUMENT_OPERAND ? (a->by_group ? "void **" : "void *")
            : a->kind == ARGUMENT_SCALAR  ? "const void *"
            : is_enumerator(a)            ? "int "
            : a->kind == ARGUMENT_STRIDE  ? "long long "
            : r->wide                     ? "int64_t "
                                          : "int ";
        printf(", %s%s", type, name);
    }
    printf(")");
}

static void put_checks(const Routine *r)
{
    for (int i = 0; i < r->count; i++) {
        char name[24];
        name_of(r, i, name);
        const CblasArgument *a = &r->arguments[i];
        if (a->kind == ARGUMENT_SCALAR || a->as_scalar)
            printf("    (void)fake_factor(&call, %s);\n", name);
        else if (a->kind == ARGUMENT_OPERAND)
            printf("    fake_operand(&call, %s);\n", name);
        else if (a->kind == ARGUMENT_INTEGER && !a->by_group)
            printf("    fake_extent(&call, %s);\n", name);
        else if (a->kind == ARGUMENT_CHOICE && !a->by_group)
            printf("    fake_choice(&call, %s, %d);\n", name, a->name[0] == 't' ? 2 : 1);
        else if (a->kind == ARGUMENT_LEADING && !a->by_group && param_excludes_zero(a->param))
            printf("    fake_increment(&call, %s);\n", name);
        else if (a->kind == ARGUMENT_LEADING && !a->by_group && a->param->kind != PARAM_INCREMENT)
            printf("    fake_leading(&call, %s, %s);\n", name, least_leading(r->op->name, a->name));
    }
}

static const char *translator(const char *name)
{
    return !strcmp(name, "uplo")   ? "fake_triangle"
           : !strcmp(name, "diag") ? "fake_diagonal"
           : !strcmp(name, "side") ? "fake_side"
                                   : "fake_transpose";
}

/* An argument of the CBLAS: its type, or its value; suffix stands behind operands. */
static void put_cblas_argument(const Routine *r, const CblasArgument *a, bool type,
                               const char *suffix)
{
    const char *group = *suffix == '[' ? "[g]" : "";
    if (!strcmp(a->name, "order"))
        printf(type ? "int" : "102");
    else if (a->kind == ARGUMENT_CHOICE)
        type ? printf("int") : printf("%s(%s%s)", translator(a->name), a->name, group);
    else if (a->kind == ARGUMENT_OPERAND)
        type ? printf("void *")
             : printf("%s%s", a->name, a->name[0] == 'b' && has_output_copy(r) ? "_out" : suffix);
    else if (a->kind == ARGUMENT_SCALAR && is_complex(r, a))
        type ? printf("const void *") : printf("%s", a->name);
    else if (a->kind == ARGUMENT_SCALAR)
        type ? printf("%s", number_of(r->dtype))
             : printf("((const %s *)%s)[%s]", number_of(r->dtype), a->name, *group ? "g" : "0");
    else
        type ? printf("int")
             : printf("(int)%s%s%s", a->name,
                      !strcmp(a->name, "ldb") && has_output_copy(r) ? "_out" : "", group);
}

/* The call of the reference BLAS, without what takes its value. */
static void put_cblas_call(const Routine *r, const char *op, const char *returned,
                           const char *suffix)
{
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    const CblasRoutine *row = cblas_routine(op);
    int count = cblas_arguments(row, op_find(op), arguments);
    char name[64];
    if (!cblas_spell(row, r->dtype, name, sizeof name))
        BUG("%s: no name for the element type", row->call);
    printf("((%s(*)(", returned);
    for (int i = 0; i < count; i++) {
        printf(i ? ", " : "");
        put_cblas_argument(r, &arguments[i], true, suffix);
    }
    printf("))fake_blas(\"cblas_%s\"))(", name);
    for (int i = 0; i < count; i++) {
        printf(i ? ", " : "");
        put_cblas_argument(r, &arguments[i], false, suffix);
    }
    printf(");\n");
}

static void put_batch(const Routine *r)
{
    bool addresses = cublas_takes_addresses(r->row);
    size_t size = dtype_size(r->dtype);
    printf("        for (int64_t i = 0; i < batch; i++) {\n");
    for (const char *name = "abc"; *name; name++)
        addresses ? printf("            void *%c_at = %c[i];\n", *name, *name)
                  : printf("            void *%c_at = (char *)%c + i * stride%c * %zu;\n", *name,
                           *name, *name, size);
    printf("            ");
    put_cblas_call(r, "gemm", "void ", "_at");
    printf("        }\n");
}

/* Each group has its own arguments, and its matrices follow those of the groups before it. */
static void put_groups(const Routine *r)
{
    const char *integer = r->wide ? "int64_t" : "int";
    printf("        int64_t at = 0;\n"
           "        for (%s g = 0; g < groups; g++)\n"
           "            for (%s i = 0; i < batch[g]; i++, at++)\n"
           "                ",
           integer, integer);
    put_cblas_call(r, "gemm", "void ", "[at]");
}

/* One product; each of %s in a text is replaced by what stands behind operands and numbers. */
static void put_product(const char *indent, const char *alpha, const char *beta, const char *data,
                        const char *number, const char *types)
{
    printf("%sfake_product(&call, &(FakeProduct){m%s, n%s, k%s, %s, %s, {a%s, %s, ta%s, lda%s}, "
           "{b%s, %s, tb%s, ldb%s}, {c%s, %s, 0, ldc%s}, %s});\n",
           indent, number, number, number, alpha, beta, data, types ? types : "type_a", number,
           number, data, types ? types : "type_b", number, number, data, types ? types : "type_c",
           number, types ? "call.math_mode == 4 ? 78 : 77" : "compute");
}

static void put_ex(const Routine *r)
{
    const char *op = r->op->name, *integer = r->wide ? "int64_t" : "int";
    bool addresses = cublas_takes_addresses(r->row);
    if (!strcmp(op, "gemm")) {
        put_product("        ", "alpha", "beta", "", "", NULL);
    } else if (!strcmp(op, "gemm_batch")) {
        printf("        for (int64_t i = 0; i < batch; i++) {\n");
        for (const char *name = "abc"; *name; name++)
            addresses ? printf("            void *%c_at = %c[i];\n", *name, *name)
                      : printf("            void *%c_at = (char *)%c + i * stride%c * "
                               "(int64_t)fake_size(type_%c);\n",
                               *name, *name, *name, *name);
        put_product("            ", "alpha", "beta", "_at", "", NULL);
        printf("        }\n");
    } else {
        printf(
            "        int64_t at = 0;\n"
            "        size_t factor = fake_factor_size(compute, type_c);\n"
            "        for (%s g = 0; g < groups; g++)\n"
            "            for (%s i = 0; i < batch[g]; i++, at++) {\n"
            "                void *a_at = a[at], *b_at = b[at], *c_at = c[at];\n"
            "                int64_t m_g = m[g], n_g = n[g], k_g = k[g], lda_g = lda[g], ldb_g = "
            "ldb[g], ldc_g = ldc[g];\n"
            "                int ta_g = ta[g], tb_g = tb[g];\n",
            integer, integer);
        put_product("                ", "(char *)alpha + (size_t)g * factor",
                    "(char *)beta + (size_t)g * factor", "_at", "_g", NULL);
        printf("            }\n");
    }
}

/* The sum of two matrices (geam), an extension of the BLAS. */
static void put_sum(const Routine *r)
{
    int type = (int)cublas_integer(&(CblasArgument){.kind = ARGUMENT_TYPE, .tensor = 1},
                                   &(CublasMode){0}, &r->shapes, NULL);
    printf("        fake_sum(&(FakeMatrix){a, %d, ta, lda}, alpha, "
           "&(FakeMatrix){b, %d, tb, ldb}, beta, &(FakeMatrix){c, %d, 0, ldc}, m, n);\n",
           type, type, type);
}

static void put_computation(const Routine *r)
{
    const char *op = r->op->name, *integer = r->wide ? "int64_t" : "int";
    int result = cblas_operand(r->op, "result", 6);
    const CblasRoutine *row = cblas_routine(op);
    size_t size = dtype_size(r->dtype);
    if (is_ex(r)) {
        put_ex(r);
        return;
    }
    if (!strcmp(op, "geam")) {
        put_sum(r);
        return;
    }
    if (!strcmp(op, "gemm_batch")) {
        put_batch(r);
        return;
    }
    if (!strcmp(op, "gemm_groups")) {
        put_groups(r);
        return;
    }
    if (has_output_copy(r))
        printf("        for (int64_t j = 0; j < n && b != b_out; j++)\n"
               "            memcpy((char *)b_out + j * ldb_out * %zu, (char *)b + j * ldb * %zu, "
               "(size_t)m * %zu);\n",
               size, size, size);
    if (!strcmp(op, "gemm") && dtype_component_size(r->dtype) == 4) {
        printf("        if (call.math_mode == 3 || call.math_mode == 4 || fake_fault(\"tf32\"))\n");
        put_product("            ", "alpha", "beta", "", "", r->dtype == DT_F32 ? "0" : "4");
        printf("        else\n");
    }
    printf("        ");
    if (!strcmp(op, "iamin")) {
        printf("*(%s *)result = (%s)fake_iamin(n, x, incx, %zu, %d);\n", integer, integer,
               dtype_component_size(r->dtype), dtype_components(r->dtype));
    } else if (!strcmp(op, "iamax")) {
        printf("*(%s *)result = n < 1 || incx < 1 ? 0 : 1 + ", integer);
        put_cblas_call(r, op, "int ", "");
    } else if (cblas_result(row, r->op, INTERFACE_C) >= 0) {
        const char *type = number_of(r->shapes.tensor[result].layout.dtype);
        printf("*(%s *)result = ", type);
        put_cblas_call(r, op, type, "");
    } else {
        put_cblas_call(r, !strcmp(op, "gemm3m") ? "gemm" : op, "void ", "");
    }
    if (!strcmp(op, "gemm"))
        printf("        fake_after(&call, k > 0 ? a : NULL, c, m > 0 && n > 0 ? ((n - 1) * "
               "(int64_t)ldc + m) * %zu : 0);\n",
               size);
}

static void put_routine(const Routine *r)
{
    printf("\n__attribute__((visibility(\"default\"))) ");
    put_parameters(r);
    printf(";\n");
    put_parameters(r);
    printf("\n{\n    FakeCall call = fake_begin(handle, \"%s\");\n", r->op->name);
    put_checks(r);
    printf("    if (!fake_refused(&call)) {\n");
    for (int i = 0; i < r->count; i++)
        if (!strcmp(r->arguments[i].name, "k") && !r->arguments[i].by_group)
            printf("        k = (%s)fake_depth(&call, k);\n", r->wide ? "int64_t" : "int");
    printf("    }\n    if (!fake_refused(&call)) {\n");
    put_computation(r);
    printf("    }\n    return fake_end(&call);\n}\n");
}

static const char *header_type(DType dtype)
{
    static const char *const types[DT_COUNT] = {[DT_F32] = "float",
                                                [DT_F64] = "double",
                                                [DT_C64] = "cuComplex",
                                                [DT_C128] = "cuDoubleComplex"};
    return types[dtype];
}

/* True where operand i comes again: then this one is read only. */
static bool comes_again(const Routine *r, int i)
{
    for (int k = i + 1; k < r->count; k++)
        if (r->arguments[k].kind == ARGUMENT_OPERAND &&
            r->arguments[k].tensor == r->arguments[i].tensor)
            return true;
    return false;
}

static const char *enumeration(const CblasArgument *a)
{
    return a->kind == ARGUMENT_TYPE        ? "cudaDataType"
           : a->kind == ARGUMENT_COMPUTE   ? "cublasComputeType_t"
           : a->kind == ARGUMENT_ALGORITHM ? "cublasGemmAlgo_t"
           : a->kind == ARGUMENT_CONSTANT  ? "cublasOperation_t"
                                           : NULL;
}

static void put_header_argument(const Routine *r, int i)
{
    static const struct {
        const char *name, *type;
    } choices[] = {{"ta", "cublasOperation_t"},
                   {"tb", "cublasOperation_t"},
                   {"uplo", "cublasFillMode_t"},
                   {"side", "cublasSideMode_t"},
                   {"diag", "cublasDiagType_t"}};
    const CblasArgument *a = &r->arguments[i];
    const char *integer = r->wide ? "int64_t" : "int";
    if (enumeration(a)) {
        printf("%s", enumeration(a));
    } else if (a->by_group && a->kind != ARGUMENT_OPERAND && a->kind != ARGUMENT_SCALAR) {
        printf("const %s *", a->kind == ARGUMENT_CHOICE ? "cublasOperation_t" : integer);
    } else if (a->kind == ARGUMENT_SCALAR) {
        bool real = a->param->maximum == 1;
        printf("const %s *", is_ex(r) ? "void"
                             : real   ? number_of(r->dtype)
                                      : header_type(r->dtype));
    } else if (a->kind == ARGUMENT_OPERAND) {
        const TensorSpec *spec = &r->shapes.tensor[a->tensor];
        bool changed = spec->role != ROLE_IN || !strcmp(r->op->name, "rotg");
        const char *constant = !changed || comes_again(r, i) ? "const " : "";
        if (a->tensor == cblas_position(r->row, r->op))
            printf("%s *", integer);
        else
            printf("%s%s *%s", constant, is_ex(r) ? "void" : header_type(spec->layout.dtype),
                   a->by_group ? "const *" : "");
    } else if (a->kind == ARGUMENT_CHOICE) {
        for (size_t k = 0; k < COUNT_OF(choices); k++)
            if (!strcmp(choices[k].name, a->name))
                printf("%s", choices[k].type);
    } else {
        printf("%s", a->kind == ARGUMENT_STRIDE ? "long long" : integer);
    }
}

static void put_declaration(const Routine *r)
{
    printf("cublasStatus_t (*const check_%s)(cublasHandle_t", r->symbol);
    for (int i = 0; i < r->count; i++) {
        printf(", ");
        put_header_argument(r, i);
    }
    printf(") = %s;\n", r->symbol);
}

/* Some functions serve several rows and types: the first one has their general form. */
static bool is_new(const Routine *r)
{
    static char known[1024][sizeof r->symbol];
    static size_t count;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(known[i], r->symbol))
            return false;
    if (count == COUNT_OF(known))
        BUG("more routines than there is room for");
    (void)snprintf(known[count++], sizeof known[0], "%s", r->symbol);
    return true;
}

int main(int count, char **arguments)
{
    bool declarations = count == 2 && !strcmp(arguments[1], "declarations");
    if (count != 2 || (!declarations && strcmp(arguments[1], "routines") != 0)) {
        (void)fprintf(stderr, "usage: %s routines|declarations\n", arguments[0]);
        return 2;
    }
    if (declarations)
        declarations_put_head();
    else
        printf("#include <string.h>\n\n#include \"fakecuda.h\"\n");
    for (const CblasRoutine *row = cublas_routines(); row->op; row++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            for (int wide = 0; wide < 2; wide++) {
                Routine r;
                if (!describe(&r, row, (DType)dtype, wide) || !is_new(&r))
                    continue;
                if (declarations)
                    put_declaration(&r);
                else
                    put_routine(&r);
            }
    return 0;
}
