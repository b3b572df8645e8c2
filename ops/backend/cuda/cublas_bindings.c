/* The routines of cuBLAS as data.  Source: the cuBLAS documentation, "cuBLAS Level-1 Function
 * Reference" to "cuBLAS-like Extension". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cublas_bindings.h"
#include "ops/backend/mode_words.h"

/* Those that are as in the CBLAS, but for the order, which cuBLAS does not take. */
static const char as_cblas[] = "asum axpy copy dot gbmv gemm gemm3m gemv ger gerc geru hbmv hemm "
                               "hemv her her2 her2k herk hpmv "
                               "hpr hpr2 iamax iamin nrm2 rot rscal sbmv scal spmv spr spr2 swap "
                               "symm symv syr syr2 syr2k syrk "
                               "tbmv tbsv tpmv tpsv trmv trsm trsv";

/* The others. */
static const CblasRoutine others[] = {
    {"dotc", "?dotc(n, x, incx, y, incy, &result)"},
    {"dotu", "?dotu(n, x, incx, y, incy, &result)"},
    {"geam", "?geam(ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc)"},
    /* geadd: the second matrix is the output. */
    {"geadd", "?geam('n', 'n', m, n, alpha, a, lda, beta, c, ldc, c, ldc)"},
    {"gemm", "gemmEx(ta, tb, m, n, k, alpha, a, type(a), lda, b, type(b), ldb, beta, c, type(c), "
             "ldc, compute, algorithm)"},
    {"gemm_batch", "?gemmStridedBatched(ta, tb, m, n, k, alpha, a, lda, stridea, b, ldb, strideb, "
                   "beta, c, ldc, stridec, batch)"},
    {"gemm_batch", "?gemmBatched(ta, tb, m, n, k, alpha, *a, lda, *b, ldb, beta, *c, ldc, batch)"},
    {"gemm_batch",
     "gemmStridedBatchedEx(ta, tb, m, n, k, alpha, a, type(a), lda, stridea, b, type(b), ldb, "
     "strideb, beta, c, type(c), ldc, stridec, batch, compute, algorithm)"},
    {"gemm_batch",
     "gemmBatchedEx(ta, tb, m, n, k, alpha, *a, type(a), lda, *b, type(b), ldb, beta, "
     "*c, type(c), ldc, batch, compute, algorithm)"},
    {"gemm_groups", "{f32=s f64=d}gemmGroupedBatched(*ta, *tb, *m, *n, *k, *alpha, *a, *lda, *b, "
                    "*ldb, *beta, *c, *ldc, groups, *batch)"},
    {"gemm_groups", "gemm{f32=GroupedBatchedEx f64=GroupedBatchedEx}(*ta, *tb, *m, *n, *k, *alpha, "
                    "*a, type(a), *lda, *b, type(b), *ldb, *beta, *c, type(c), *ldc, groups, "
                    "*batch, compute)"},
    {"gemm_half", "gemmEx(ta, tb, m, n, k, alpha, a, type(a), lda, b, type(b), ldb, beta, c, "
                  "type(c), ldc, compute, algorithm)"},
    {"gemm_wide", "gemm{f16=Ex bf16=Ex i8=Ex}(ta, tb, m, n, k, alpha, a, type(a), lda, b, type(b), "
                  "ldb, beta, c, type(c), ldc, compute, algorithm)"},
    {"rotg", "?rotg(&a, &b, &c, &s)"},
    {"rotm", "?rotm(n, x, incx, y, incy, &param)"},
    {"rotmg", "?rotmg(&d1, &d2, &x1, y1, &param)"},
    /* Out of place in cuBLAS, which allows the output to be its input. */
    {"trmm", "?trmm(side, uplo, ta, diag, m, n, alpha, a, lda, b, ldb, b, ldb)"},
};

enum { ROUTINES_MAX = 96, CALL_BYTES = 256 };

/* The row of the CBLAS without the order; a function's value lies where factors do. */
static CblasRoutine derive(const CblasRoutine *cblas)
{
    static char calls[ROUTINES_MAX][CALL_BYTES];
    static int count;
    const char *returns = strstr(cblas->call, " = "), *call = returns ? returns + 3 : cblas->call;
    const char *open = strchr(call, '(') + 1, *order = "order, ";
    const char *rest = strncmp(open, order, strlen(order)) ? open : open + strlen(order);
    char *derived = calls[count++];
    int length = snprintf(derived, CALL_BYTES, "%.*s%.*s%s%.*s)", (int)(open - call), call,
                          (int)(strchr(rest, ')') - rest), rest, returns ? ", &" : "",
                          returns ? (int)(returns - cblas->call) : 0, cblas->call);
    if (length >= CALL_BYTES)
        BUG("%s: too long", cblas->call);
    return (CblasRoutine){cblas->op, derived};
}

const CblasRoutine *cublas_routines(void)
{
    static CblasRoutine routines[ROUTINES_MAX];
    int count = 0;
    if (routines[0].op)
        return routines;
    for (const char *word = as_cblas; *word; word += strspn(word, " ")) {
        char op[32];
        size_t length = strcspn(word, " ");
        (void)snprintf(op, sizeof op, "%.*s", (int)length, word);
        const CblasRoutine *cblas = cblas_routine(op);
        if (!cblas)
            BUG("the CBLAS has no %s", op);
        routines[count++] = derive(cblas);
        word += length;
    }
    memcpy(routines + count, others, sizeof others);
    return routines;
}

void cublas_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    for (const CblasRoutine *routine = cublas_routines(); routine->op; routine++)
        if (!strcmp(routine->op, op->name))
            text_printf(text, "%s\n", routine->call);
}

bool cublas_takes_types(const CblasRoutine *routine)
{
    return strstr(routine->call, "type(") != NULL;
}

bool cublas_takes_addresses(const CblasRoutine *routine)
{
    return strchr(routine->call, '*') != NULL;
}

const CblasRoutine *cublas_routine(const char *op, const CublasMode *mode)
{
    const CblasRoutine *found = NULL;
    int best = -1;
    for (const CblasRoutine *routine = cublas_routines(); routine->op; routine++) {
        int fit = 2 * (cublas_takes_types(routine) == mode->ex) +
                  (cublas_takes_addresses(routine) == mode->pointers);
        if (!strcmp(routine->op, op) && fit > best) {
            found = routine;
            best = fit;
        }
    }
    return found;
}

bool cublas_symbol(const CblasRoutine *routine, DType dtype, char *name, size_t size)
{
    char word[64];
    if (!cblas_spell(routine, dtype, word, sizeof word))
        return false;
    word[0] = (char)toupper((unsigned char)word[0]);
    (void)snprintf(name, size, "cublas%s", word);
    return true;
}

bool cublas_has_integers(const CblasRoutine *routine)
{
    return strstr(routine->call, "inc") || strstr(routine->call, "ld");
}

int64_t cublas_matrices(const Case *c)
{
    return case_int(c, "batch") * (case_has(c, "groups") ? case_int(c, "groups") : 1);
}

int cublas_enumerator(const char *choice)
{
    static const struct {
        const char *choice;
        int value;
    } rows[] = {{"n", 0},      {"t", 1},    {"c", 2},    {"lower", 0}, {"upper", 1},
                {"stored", 0}, {"unit", 1}, {"left", 0}, {"right", 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].choice, choice))
            return rows[i].value;
    BUG("cuBLAS has no enumerator for '%s'", choice);
}

int cublas_type_number(DType dtype)
{
    static const int numbers[DT_COUNT] = {
        [DT_F32] = 0, [DT_F64] = 1, [DT_C64] = 4,  [DT_C128] = 5,  [DT_F16] = 2,  [DT_BF16] = 14,
        [DT_I8] = 3,  [DT_U8] = 8,  [DT_I32] = 10, [DT_E4M3] = 28, [DT_E5M2] = 29};
    return numbers[dtype];
}

int cublas_compute_number(const CublasMode *mode, DType factors, DType output)
{
    enum { HALF = 64, SINGLE = 68, DOUBLE = 70, INTEGER = 72, FAST_BF16 = 75, FAST_TF32 = 77 };
    enum { SINGLE_OF_BF16 = 78, DOUBLE_OF_INTEGERS = 79 };
    bool single = factors == DT_F32 || factors == DT_C64;
    if (single && mode->bf16x9)
        return SINGLE_OF_BF16;
    if (dtype_component_size(factors) == 8 && mode->fixed)
        return DOUBLE_OF_INTEGERS;
    if (single && mode->tf32)
        return FAST_TF32;
    if (single && mode->bf16)
        return FAST_BF16;
    if (factors == DT_F16 && output == DT_F16 && mode->half)
        return HALF + mode->pedantic;
    if (output == DT_I32)
        return INTEGER + mode->pedantic;
    return (dtype_component_size(factors) == 8 ? DOUBLE : SINGLE) + mode->pedantic;
}

DType cublas_scale_dtype(const CublasMode *mode, DType factors, DType output)
{
    if (dtype_component_size(output) > 2)
        return output;
    return factors == DT_F16 && output == DT_F16 && mode->half ? DT_F16 : DT_F32;
}

DType cublas_factor_dtype(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                          const CublasMode *mode)
{
    DType own = cblas_factor_dtype(op, dtype);
    return cublas_takes_types(routine) ? cublas_scale_dtype(mode, dtype, own) : own;
}

int64_t cublas_integer(const CblasArgument *argument, const CublasMode *mode, const Shapes *shapes,
                       const Case *c)
{
    const TensorSpec *spec = &shapes->tensor[argument->tensor > 0 ? argument->tensor : 0];
    switch (argument->kind) {
    case ARGUMENT_LEADING:
        return spec->leading;
    case ARGUMENT_STRIDE:
        return spec->batch_stride;
    case ARGUMENT_CHOICE:
        return cublas_enumerator(case_choice(c, argument->name));
    case ARGUMENT_CONSTANT:
        return cublas_enumerator(argument->name);
    case ARGUMENT_TYPE:
        return cublas_type_number(spec->layout.dtype);
    case ARGUMENT_COMPUTE:
        return cublas_compute_number(mode, shapes->tensor[0].layout.dtype,
                                     shapes->tensor[2].layout.dtype);
    case ARGUMENT_ALGORITHM:
        return -1; /* CUBLAS_GEMM_DEFAULT */
    default:
        return case_int(c, argument->name);
    }
}

int64_t cublas_illegal_integer(const CblasArgument *argument, const Shapes *shapes, const Case *c)
{
    enum { NO_ENUMERATOR = 99 };
    if (argument->kind == ARGUMENT_CHOICE)
        return NO_ENUMERATOR;
    if (argument->kind == ARGUMENT_INTEGER)
        return -1;
    if (argument->param->kind == PARAM_INCREMENT)
        return 0;
    return shapes->tensor[argument->tensor].leading -
           *(const int64_t *)(const void *)(c->params + argument->param->offset) - 1;
}

const char *cublas_illegal_name(const CblasRoutine *routine, const OpDesc *op, int64_t number)
{
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    int count = cblas_arguments(routine, op, arguments);
    bool has_matrix = arguments[0].kind == ARGUMENT_CHOICE;
    for (int i = 0; i < count; i++)
        has_matrix |=
            arguments[i].kind == ARGUMENT_LEADING && arguments[i].param->kind != PARAM_INCREMENT;
    if (!has_matrix || number < 1 || number > count)
        return NULL;
    const CblasArgument *argument = &arguments[number - 1];
    bool has_illegal = argument->kind == ARGUMENT_CHOICE || argument->kind == ARGUMENT_INTEGER ||
                       argument->kind == ARGUMENT_LEADING;
    return has_illegal && !argument->by_group ? argument->param->name : NULL;
}

int cublas_math_mode(const CublasMode *mode)
{
    enum { PEDANTIC = 2, TF32 = 3, SINGLE_OF_BF16 = 4, DOUBLE_OF_INTEGERS = 8, FULL = 16 };
    int number = mode->pedantic ? PEDANTIC
                 : mode->tf32   ? TF32
                 : mode->bf16x9 ? SINGLE_OF_BF16
                 : mode->fixed  ? DOUBLE_OF_INTEGERS
                                : 0;
    return number | (mode->full ? FULL : 0);
}

bool cublas_is_emulated(const CublasMode *mode)
{
    return mode->bf16x9 || mode->fixed;
}

bool cublas_read_mode(CublasMode *mode, const char *words, Text *error)
{
    const ModeWord known[] = {{"64", &mode->wide},
                              {"device", &mode->device},
                              {"pedantic", &mode->pedantic},
                              {"stream", &mode->stream},
                              {"pointers", &mode->pointers},
                              {"ex", &mode->ex},
                              {"full", &mode->full},
                              {"half", &mode->half},
                              {"tf32", &mode->tf32},
                              {"bf16", &mode->bf16},
                              {"bf16x9", &mode->bf16x9},
                              {"fixed", &mode->fixed},
                              {"workspace", &mode->workspace}};
    return mode_read_words(words, known, COUNT_OF(known), 0, NULL, error);
}
