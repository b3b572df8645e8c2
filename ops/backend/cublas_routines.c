/* The routines of cuBLAS as data.  Source: the cuBLAS documentation, "cuBLAS Level-1 Function
 * Reference" to "cuBLAS-like Extension". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cublas_routines.h"
#include "mode_words.h"

const CblasRoutine cublas_routines[] = {
    {"asum", "Sasum Dasum Scasum Dzasum", "n x incx =result", NULL, NULL},
    {"axpy", "?axpy", "n alpha x incx y incy", NULL, NULL},
    {"copy", "?copy", "n x incx y incy", NULL, NULL},
    {"dot", "?dot", "n x incx y incy =result", NULL, NULL},
    {"dotc", "?dotc", "n x incx y incy =result", NULL, NULL},
    {"dotu", "?dotu", "n x incx y incy =result", NULL, NULL},
    {"gbmv", "?gbmv", "ta m n kl ku alpha a lda x incx beta y incy", NULL, NULL},
    {"geam", "?geam", "ta tb m n alpha a lda beta b ldb c ldc", NULL, NULL},
    /* The same, where the second matrix is its own output. */
    {"geadd", "?geam", "!n !n m n alpha a lda beta c ldc c ldc", NULL, NULL},
    {"gemm", "?gemm", "ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm", "GemmEx", "ta tb m n k alpha a ~a lda b ~b ldb beta c ~c ldc ~compute ~algorithm",
     NULL, NULL},
    {"gemm3m", "?gemm3m", "ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm_batch", "?gemmStridedBatched",
     "ta tb m n k alpha a lda stridea b ldb strideb beta c ldc stridec batch", NULL, NULL},
    {"gemm_batch", "?gemmBatched", "ta tb m n k alpha *a lda *b ldb beta *c ldc batch", NULL, NULL},
    {"gemm_batch", "GemmStridedBatchedEx",
     "ta tb m n k alpha a ~a lda stridea b ~b ldb strideb beta c ~c ldc stridec batch ~compute "
     "~algorithm",
     NULL, NULL},
    {"gemm_batch", "GemmBatchedEx",
     "ta tb m n k alpha *a ~a lda *b ~b ldb beta *c ~c ldc batch ~compute ~algorithm", NULL, NULL},
    {"gemm_groups", "SgemmGroupedBatched DgemmGroupedBatched - -",
     "*ta *tb *m *n *k *alpha *a *lda *b *ldb *beta *c *ldc groups *batch", NULL, NULL},
    {"gemm_groups", "GemmGroupedBatchedEx GemmGroupedBatchedEx - -",
     "*ta *tb *m *n *k *alpha *a ~a *lda *b ~b *ldb *beta *c ~c *ldc groups *batch ~compute", NULL,
     NULL},
    {"gemm_half", "GemmEx", "ta tb m n k alpha a ~a lda b ~b ldb beta c ~c ldc ~compute ~algorithm",
     NULL, NULL},
    {"gemm_wide", "GemmEx", "ta tb m n k alpha a ~a lda b ~b ldb beta c ~c ldc ~compute ~algorithm",
     NULL, NULL},
    {"gemv", "?gemv", "ta m n alpha a lda x incx beta y incy", NULL, NULL},
    {"ger", "?ger", "m n alpha x incx y incy a lda", NULL, NULL},
    {"gerc", "?gerc", "m n alpha x incx y incy a lda", NULL, NULL},
    {"geru", "?geru", "m n alpha x incx y incy a lda", NULL, NULL},
    {"hbmv", "?hbmv", "uplo n k alpha a lda x incx beta y incy", NULL, NULL},
    {"hemm", "?hemm", "side uplo m n alpha a lda b ldb beta c ldc", NULL, NULL},
    {"hemv", "?hemv", "uplo n alpha a lda x incx beta y incy", NULL, NULL},
    {"her", "?her", "uplo n alpha x incx a lda", NULL, NULL},
    {"her2", "?her2", "uplo n alpha x incx y incy a lda", NULL, NULL},
    {"her2k", "?her2k", "uplo ta n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"herk", "?herk", "uplo ta n k alpha a lda beta c ldc", NULL, NULL},
    {"hpmv", "?hpmv", "uplo n alpha ap x incx beta y incy", NULL, NULL},
    {"hpr", "?hpr", "uplo n alpha x incx ap", NULL, NULL},
    {"hpr2", "?hpr2", "uplo n alpha x incx y incy ap", NULL, NULL},
    {"iamax", "I?amax", "n x incx =result", NULL, NULL},
    {"iamin", "I?amin", "n x incx =result", NULL, NULL},
    {"nrm2", "Snrm2 Dnrm2 Scnrm2 Dznrm2", "n x incx =result", NULL, NULL},
    {"rot", "Srot Drot Csrot Zdrot", "n x incx y incy c s", NULL, NULL},
    {"rotg", "?rotg", "=a =b =c =s", NULL, NULL},
    {"rotm", "?rotm", "n x incx y incy =param", NULL, NULL},
    {"rotmg", "?rotmg", "=d1 =d2 =x1 y1 =param", NULL, NULL},
    {"rscal", "- - Csscal Zdscal", "n alpha x incx", NULL, NULL},
    {"sbmv", "?sbmv", "uplo n k alpha a lda x incx beta y incy", NULL, NULL},
    {"scal", "?scal", "n alpha x incx", NULL, NULL},
    {"spmv", "?spmv", "uplo n alpha ap x incx beta y incy", NULL, NULL},
    {"spr", "?spr", "uplo n alpha x incx ap", NULL, NULL},
    {"spr2", "?spr2", "uplo n alpha x incx y incy ap", NULL, NULL},
    {"swap", "?swap", "n x incx y incy", NULL, NULL},
    {"symm", "?symm", "side uplo m n alpha a lda b ldb beta c ldc", NULL, NULL},
    {"symv", "?symv", "uplo n alpha a lda x incx beta y incy", NULL, NULL},
    {"syr", "?syr", "uplo n alpha x incx a lda", NULL, NULL},
    {"syr2", "?syr2", "uplo n alpha x incx y incy a lda", NULL, NULL},
    {"syr2k", "?syr2k", "uplo ta n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"syrk", "?syrk", "uplo ta n k alpha a lda beta c ldc", NULL, NULL},
    {"tbmv", "?tbmv", "uplo ta diag n k a lda x incx", NULL, NULL},
    {"tbsv", "?tbsv", "uplo ta diag n k a lda x incx", NULL, NULL},
    {"tpmv", "?tpmv", "uplo ta diag n ap x incx", NULL, NULL},
    {"tpsv", "?tpsv", "uplo ta diag n ap x incx", NULL, NULL},
    /* Out of place in cuBLAS, which allows the output to be its input. */
    {"trmm", "?trmm", "side uplo ta diag m n alpha a lda b ldb b ldb", NULL, NULL},
    {"trmv", "?trmv", "uplo ta diag n a lda x incx", NULL, NULL},
    {"trsm", "?trsm", "side uplo ta diag m n alpha a lda b ldb", NULL, NULL},
    {"trsv", "?trsv", "uplo ta diag n a lda x incx", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Rows that take the element types as arguments. */
static bool is_ex(const CblasRoutine *routine)
{
    return strchr(routine->arguments, '~') != NULL;
}

const CblasRoutine *cublas_routine(const char *op, const CublasMode *mode)
{
    const CblasRoutine *found = NULL;
    int best = -1;
    for (const CblasRoutine *routine = cublas_routines; routine->op; routine++) {
        bool by_address = strchr(routine->arguments, '*') != NULL;
        int fit = 2 * (is_ex(routine) == mode->ex) + (by_address == mode->pointers);
        if (!strcmp(routine->op, op) && fit > best) {
            found = routine;
            best = fit;
        }
    }
    return found;
}

bool cublas_symbol(const CblasRoutine *routine, DType dtype, char *name, size_t size)
{
    static const char letters[DT_COUNT] = {
        [DT_F32] = 'S', [DT_F64] = 'D', [DT_C64] = 'C', [DT_C128] = 'Z'};
    static const int places[DT_COUNT] = {[DT_F64] = 1, [DT_C64] = 2, [DT_C128] = 3};
    const char *mark = strchr(routine->names, '?'), *word = routine->names;
    if (!mark && !strchr(word, ' ')) {
        (void)snprintf(name, size, "cublas%s", word);
        return dtype != DT_E4M3 && dtype != DT_E5M2;
    }
    if (!letters[dtype])
        return false;
    if (mark) {
        char letter = letters[dtype];
        (void)snprintf(name, size, "cublas%.*s%c%s", (int)(mark - word), word,
                       mark == word ? letter : (char)tolower((unsigned char)letter), mark + 1);
        return true;
    }
    for (int i = 0; i < places[dtype]; i++)
        word += strcspn(word, " ") + 1;
    (void)snprintf(name, size, "cublas%.*s", (int)strcspn(word, " "), word);
    return *word != '-';
}

bool cublas_has_integers(const CblasRoutine *routine)
{
    return strstr(routine->arguments, "inc") || strstr(routine->arguments, "ld");
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
    return is_ex(routine) ? cublas_scale_dtype(mode, dtype, own) : own;
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
