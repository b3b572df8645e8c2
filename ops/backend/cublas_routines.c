/* The routines of cuBLAS as data.  Source: the cuBLAS documentation, "cuBLAS Level-1 Function
 * Reference" to "cuBLAS-like Extension". */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cublas_routines.h"

const CblasRoutine cublas_routines[] = {
    {"asum", "Sasum Dasum Scasum Dzasum", "n x incx =result", NULL, NULL},
    {"axpy", "?axpy", "n alpha x incx y incy", NULL, NULL},
    {"copy", "?copy", "n x incx y incy", NULL, NULL},
    {"dot", "?dot", "n x incx y incy =result", NULL, NULL},
    {"dotc", "?dotc", "n x incx y incy =result", NULL, NULL},
    {"dotu", "?dotu", "n x incx y incy =result", NULL, NULL},
    {"gbmv", "?gbmv", "ta m n kl ku alpha a lda x incx beta y incy", NULL, NULL},
    {"gemm", "?gemm", "ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm3m", "?gemm3m", "ta tb m n k alpha a lda b ldb beta c ldc", NULL, NULL},
    {"gemm_batch", "?gemmStridedBatched",
     "ta tb m n k alpha a lda stridea b ldb strideb beta c ldc stridec batch", NULL, NULL},
    {"gemm_batch", "?gemmBatched", "ta tb m n k alpha *a lda *b ldb beta *c ldc batch", NULL, NULL},
    {"gemm_groups", "SgemmGroupedBatched DgemmGroupedBatched - -",
     "*ta *tb *m *n *k *alpha *a *lda *b *ldb *beta *c *ldc groups *batch", NULL, NULL},
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

const CblasRoutine *cublas_routine(const char *op, const CublasMode *mode)
{
    const CblasRoutine *found = NULL;
    for (const CblasRoutine *routine = cublas_routines; routine->op; routine++) {
        bool by_address = strchr(routine->arguments, '*') != NULL;
        if (!strcmp(routine->op, op) && (!found || by_address == mode->pointers))
            found = routine;
    }
    return found;
}

bool cublas_symbol(const CblasRoutine *routine, DType dtype, char *name, size_t size)
{
    static const char letters[DT_COUNT] = {
        [DT_F32] = 'S', [DT_F64] = 'D', [DT_C64] = 'C', [DT_C128] = 'Z'};
    static const int places[DT_COUNT] = {[DT_F64] = 1, [DT_C64] = 2, [DT_C128] = 3};
    if (!letters[dtype])
        return false;
    const char *mark = strchr(routine->names, '?'), *word = routine->names;
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

int64_t cublas_integer(const CblasArgument *argument, const Shapes *shapes, const Case *c)
{
    if (argument->kind == ARGUMENT_LEADING)
        return shapes->tensor[argument->tensor].leading;
    if (argument->kind == ARGUMENT_STRIDE)
        return shapes->tensor[argument->tensor].batch_stride;
    return argument->kind == ARGUMENT_CHOICE ? cublas_enumerator(case_choice(c, argument->name))
                                             : case_int(c, argument->name);
}

bool cublas_read_mode(CublasMode *mode, const char *words, Text *error)
{
    const struct {
        const char *word;
        bool *flag;
    } known[] = {{"64", &mode->wide},
                 {"device", &mode->device},
                 {"pedantic", &mode->pedantic},
                 {"stream", &mode->stream},
                 {"pointers", &mode->pointers}};
    while (*words) {
        size_t length = strcspn(words, "+"), i = 0;
        while (i < COUNT_OF(known) &&
               (strlen(known[i].word) != length || strncmp(known[i].word, words, length) != 0))
            i++;
        if (i == COUNT_OF(known)) {
            text_printf(error, "no mode '%.*s': expected 64, device, pedantic, stream or pointers",
                        (int)length, words);
            return false;
        }
        *known[i].flag = true;
        words += length + (words[length] == '+');
    }
    return true;
}
