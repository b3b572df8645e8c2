/* Rows, and what their words mean. */
#include "cblas_routines.h"

#include <stdio.h>
#include <string.h>

#include "ops/case.h"

const CblasRoutine cblas_routines[] = {
    {"asum", "sasum dasum scasum dzasum", "n x incx", "result", NULL},
    {"axpby", "?axpby", "n alpha x incx beta y incy", NULL, NULL},
    {"axpy", "?axpy", "n alpha x incx y incy", NULL, NULL},
    {"copy", "?copy", "n x incx y incy", NULL, NULL},
    {"dot", "?dot", "n x incx y incy", "result", NULL},
    {"dotc", "?dotc_sub", "n x incx y incy result", NULL, NULL},
    {"dotu", "?dotu_sub", "n x incx y incy result", NULL, NULL},
    {"dsdot", "dsdot", "n x incx y incy", "result", NULL},
    {"gbmv", "?gbmv", "order ta m n kl ku alpha a lda x incx beta y incy", NULL, NULL},
    {"geadd", "?geadd", "order m n alpha a lda beta c ldc", NULL, "0.3.31"},
    {"gemm", "?gemm", "order ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm3m", "?gemm3m", "order ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm_batch", "?gemm_batch_strided",
     "order ta tb m n k alpha a lda stridea b ldb strideb beta c ldc stridec batch", NULL, NULL},
    {"gemm_groups", "?gemm_batch",
     "order *ta *tb *m *n *k *alpha *a *lda *b *ldb *beta *c *ldc groups *batch", NULL, NULL},
    {"gemm_half", "- - - - hgemm bgemm", "order ta tb m n k alpha a lda b ldb beta c ldc", NULL,
     NULL},
    {"gemm_wide",
     "- - - - gemm_f16f16f32 gemm_bf16bf16f32 - - - - - gemm_e4m3e4m3f32 gemm_e5m2e5m2f32|"
     "- - - - shgemm sbgemm",
     "order ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemmt", "?gemmt|?gemmtr", "order uplo ta tb n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemv", "?gemv", "order ta m n alpha a lda x incx beta y incy", NULL, NULL},
    {"ger", "?ger", "order m n alpha x incx y incy a lda", NULL, NULL},
    {"gerc", "?gerc", "order m n alpha x incx y incy a lda", NULL, NULL},
    {"geru", "?geru", "order m n alpha x incx y incy a lda", NULL, NULL},
    {"hbmv", "?hbmv", "order uplo n k alpha a lda x incx beta y incy", NULL, NULL},
    {"hemm", "?hemm", "order side uplo m n alpha a lda b ldb beta c ldc", NULL, NULL},
    {"hemv", "?hemv", "order uplo n alpha a lda x incx beta y incy", NULL, NULL},
    {"her", "?her", "order uplo n alpha x incx a lda", NULL, NULL},
    {"her2", "?her2", "order uplo n alpha x incx y incy a lda", NULL, NULL},
    {"her2k", "?her2k", "order uplo ta n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"herk", "?herk", "order uplo ta n k alpha a lda beta c ldc", NULL, NULL},
    {"hpmv", "?hpmv", "order uplo n alpha ap x incx beta y incy", NULL, NULL},
    {"hpr", "?hpr", "order uplo n alpha x incx ap", NULL, NULL},
    {"hpr2", "?hpr2", "order uplo n alpha x incx y incy ap", NULL, NULL},
    {"iamax", "i?amax", "n x incx", "result", NULL},
    {"iamin", "i?amin", "n x incx", "result", NULL},
    {"imatcopy", "?imatcopy", "order ta m m alpha a lda lda", NULL, NULL},
    {"nrm2", "snrm2 dnrm2 scnrm2 dznrm2", "n x incx", "result", NULL},
    {"omatcopy", "?omatcopy", "order ta m n alpha a lda b ldb", NULL, NULL},
    {"rot", "srot drot csrot zdrot", "n x incx y incy c s", NULL, NULL},
    {"rotg", "?rotg", "a b c s", NULL, NULL},
    {"rotm", "?rotm", "n x incx y incy param", NULL, NULL},
    {"rotmg", "?rotmg", "d1 d2 x1 y1 param", NULL, NULL},
    {"rscal", "- - csscal zdscal", "n alpha x incx", NULL, NULL},
    {"sbmv", "?sbmv", "order uplo n k alpha a lda x incx beta y incy", NULL, NULL},
    {"scal", "?scal", "n alpha x incx", NULL, NULL},
    {"sdsdot", "sdsdot", "n alpha x incx y incy", "result", NULL},
    {"spmv", "?spmv", "order uplo n alpha ap x incx beta y incy", NULL, NULL},
    {"spr", "?spr", "order uplo n alpha x incx ap", NULL, NULL},
    {"spr2", "?spr2", "order uplo n alpha x incx y incy ap", NULL, NULL},
    {"swap", "?swap", "n x incx y incy", NULL, NULL},
    {"symm", "?symm", "order side uplo m n alpha a lda b ldb beta c ldc", NULL, NULL},
    {"symv", "?symv", "order uplo n alpha a lda x incx beta y incy", NULL, NULL},
    {"syr", "?syr", "order uplo n alpha x incx a lda", NULL, NULL},
    {"syr2", "?syr2", "order uplo n alpha x incx y incy a lda", NULL, NULL},
    {"syr2k", "?syr2k", "order uplo ta n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"syrk", "?syrk", "order uplo ta n k alpha a lda beta c ldc", NULL, NULL},
    {"tbmv", "?tbmv", "order uplo ta diag n k a lda x incx", NULL, NULL},
    {"tbsv", "?tbsv", "order uplo ta diag n k a lda x incx", NULL, NULL},
    {"tpmv", "?tpmv", "order uplo ta diag n ap x incx", NULL, NULL},
    {"tpsv", "?tpsv", "order uplo ta diag n ap x incx", NULL, NULL},
    {"trmm", "?trmm", "order side uplo ta diag m n alpha a lda b ldb", NULL, NULL},
    {"trmv", "?trmv", "order uplo ta diag n a lda x incx", NULL, NULL},
    {"trsm", "?trsm", "order side uplo ta diag m n alpha a lda b ldb", NULL, NULL},
    {"trsv", "?trsv", "order uplo ta diag n a lda x incx", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const CblasRoutine *cblas_routine(const char *op)
{
    for (const CblasRoutine *routine = cblas_routines; routine->op; routine++)
        if (!strcmp(routine->op, op))
            return routine;
    return NULL;
}

int cblas_operand(const OpDesc *op, const char *name, size_t length)
{
    for (int i = 0; op->tensors[i]; i++)
        if (strlen(op->tensors[i]) == length && !strncmp(op->tensors[i], name, length))
            return i;
    return -1;
}

DType cblas_operand_dtype(const OpDesc *op, DType dtype, int operand)
{
    Case c;
    Shapes shapes;
    case_init(&c, op);
    for (const Param *param = op->params; param->name; param++)
        if (param->kind == PARAM_DTYPE)
            *param_integer(param, c.params) = dtype;
    op_shape(op, c.params, &shapes);
    return shapes.tensor[operand].layout.dtype;
}

DType cblas_factor_dtype(const OpDesc *op, DType dtype)
{
    int c = cblas_operand(op, "c", 1);
    return c < 0 || op->tensors[c + 1] ? dtype : cblas_operand_dtype(op, dtype, c);
}

/* Arguments that no parameter gives: ~a, ~compute, ~algorithm, !n. */
static CblasArgument resolve_number(const OpDesc *op, const char *word, size_t length)
{
    CblasArgument argument = {.tensor = cblas_operand(op, word + 1, length - 1)};
    bool constant = *word == '!', type = argument.tensor >= 0;
    (void)snprintf(argument.name, sizeof argument.name, "%s%.*s", type && !constant ? "type_" : "",
                   (int)length - 1, word + 1);
    argument.kind = constant                            ? ARGUMENT_CONSTANT
                    : type                              ? ARGUMENT_TYPE
                    : !strcmp(argument.name, "compute") ? ARGUMENT_COMPUTE
                                                        : ARGUMENT_ALGORITHM;
    return argument;
}

static CblasArgument resolve(const OpDesc *op, const char *word, size_t length)
{
    if (*word == '~' || *word == '!')
        return resolve_number(op, word, length);
    bool by_group = *word == '*', as_scalar = *word == '=';
    word += by_group || as_scalar;
    length -= by_group || as_scalar;
    CblasArgument argument = {
        .tensor = cblas_operand(op, word, length), .by_group = by_group, .as_scalar = as_scalar};
    (void)snprintf(argument.name, sizeof argument.name, "%.*s", (int)length, word);
    if (argument.tensor >= 0) {
        argument.kind = ARGUMENT_OPERAND;
        return argument;
    }
    if (!strncmp(word, "stride", 6)) {
        argument.kind = ARGUMENT_STRIDE;
        argument.tensor = cblas_operand(op, word + length - 1, 1);
        return argument;
    }
    if (!strncmp(word, "ld", 2) || !strncmp(word, "inc", 3)) {
        argument.kind = ARGUMENT_LEADING;
        argument.tensor = cblas_operand(op, word + length - 1, 1);
    }
    for (const Param *param = op->params; param->name; param++) {
        if (strcmp(param->name, argument.name) != 0)
            continue;
        argument.param = param;
        if (argument.kind != ARGUMENT_LEADING)
            argument.kind = param->kind == PARAM_CHOICE   ? ARGUMENT_CHOICE
                            : param->kind == PARAM_SCALAR ? ARGUMENT_SCALAR
                                                          : ARGUMENT_INTEGER;
    }
    if (!argument.param)
        BUG("%s: no parameter or operand '%s'", op->name, argument.name);
    return argument;
}

int cblas_arguments(const CblasRoutine *routine, const OpDesc *op,
                    CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    int count = 0;
    for (const char *word = routine->arguments; *word;) {
        size_t length = strcspn(word, " ");
        arguments[count++] = resolve(op, word, length);
        word += length + strspn(word + length, " ");
    }
    return count;
}

int cblas_enumerator(const char *choice)
{
    static const struct {
        const char *choice;
        int value;
    } rows[] = {{"row", 101},  {"col", 102},   {"n", 111},     {"t", 112},
                {"c", 113},    {"upper", 121}, {"lower", 122}, {"stored", 131},
                {"unit", 132}, {"left", 141},  {"right", 142}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].choice, choice))
            return rows[i].value;
    BUG("no enumerator for '%s'", choice);
}
