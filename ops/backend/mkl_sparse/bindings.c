/* Source: mkl_spblas.h of oneMKL 2026.2, and its Developer Reference, Inspector-Executor Sparse
 * BLAS Routines. */
#include "bindings.h"

#include <stdlib.h>
#include <string.h>

/* A matrix without rows or columns is SPARSE_STATUS_INVALID_VALUE. */
#define PRODUCT "m=1.., n=1.., k=1.."
#define PAIR    "m=1.., n=1.."
/* Zeros that fill blocks are factors. */
#define FILLED ", m%2=0, k%2=0, b=normal|int|ones"

static const BindingRow rows[] = {
    {"sparse_matmul", "mm(csr) requires " PRODUCT},
    {"sparse_matmul", "mm(csr, base=1) requires " PRODUCT},
    {"sparse_matmul", "mm(csc) requires " PRODUCT},
    {"sparse_matmul", "mm(csc, base=1) requires " PRODUCT},
    {"sparse_matmul", "mm(coo) requires " PRODUCT},
    {"sparse_matmul", "mm(coo, base=1) requires " PRODUCT},
    {"sparse_matmul", "mm(bsr) requires " PRODUCT},
    {"sparse_matmul", "mm(bsr, blocks=2) requires " PRODUCT FILLED},
    {"sparse_matmul", "mm(csr, 64) requires " PRODUCT},
    {"sparse_matmul", "mm(csr, optimized) requires " PRODUCT},
    {"sparse_matmul", "mm(csr, backwards) requires " PRODUCT},
    {"sparse_matmul", "mv(csr) requires n=1, " PRODUCT},

    {"sparse_gemm", "mm(csr) requires " PRODUCT},
    {"sparse_gemm", "mm(csr, base=1) requires " PRODUCT},
    {"sparse_gemm", "mm(csc) requires " PRODUCT},
    {"sparse_gemm", "mm(coo) requires " PRODUCT},
    {"sparse_gemm", "mm(coo, base=1) requires " PRODUCT},
    {"sparse_gemm", "mm(bsr) requires " PRODUCT},
    {"sparse_gemm", "mm(csr, 64) requires " PRODUCT},
    {"sparse_gemm", "mm(csr, optimized) requires " PRODUCT},
    {"sparse_gemm", "mv(csr) requires n=1, " PRODUCT},
    {"sparse_gemm", "mv(csc, base=1) requires n=1, " PRODUCT},
    {"sparse_gemm", "mv(coo, 64) requires n=1, " PRODUCT},
    {"sparse_gemm", "mv(csr, optimized) requires n=1, " PRODUCT},

    {"sparse_product", "sp2m(csr) requires " PRODUCT},
    {"sparse_product", "sp2m(csr, base=1) requires " PRODUCT},
    {"sparse_product", "sp2m(csc) requires " PRODUCT},
    {"sparse_product", "sp2m(bsr) requires " PRODUCT},
    {"sparse_product", "sp2m(csr, 64) requires " PRODUCT},
    {"sparse_product", "sp2m(csr, staged) requires " PRODUCT},
    {"sparse_product", "sp2m(csr, ordered) requires " PRODUCT},
    {"sparse_product", "sp2m(csr, backwards) requires " PRODUCT},
    {"sparse_product", "spmm(csr) requires tb=n, " PRODUCT},
    {"sparse_product", "spmm(csc, base=1) requires tb=n, " PRODUCT},
    {"sparse_product", "spmmd(csr) requires tb=n, " PRODUCT},

    {"sparse_add", "add(csr) requires " PAIR},
    {"sparse_add", "add(csr, base=1) requires " PAIR},
    {"sparse_add", "add(csr, 64) requires " PAIR},
    {"sparse_add", "add(csr, backwards) requires " PAIR},
    {"sparse_add", "add(csr, ordered) requires " PAIR},
    {"sparse_add", "add(bsr) requires " PAIR},

    {"entries_to_dense", "convert_csr(coo) requires m=1.., k=1.."},
    {"entries_to_dense", "convert_csr(coo, base=1) requires m=1.., k=1.."},
    {"entries_to_dense", "convert_csc(coo) requires m=1.., k=1.."},
    {"entries_to_dense", "convert_csr(coo, 64, ordered) requires m=1.., k=1.."},
    {"entries_matmul", "mm(coo) requires " PRODUCT},
    {"entries_matmul", "mm(coo, base=1) requires " PRODUCT},
    {"entries_matmul", "mm(coo, 64) requires " PRODUCT},
    {"entries_matmul", "mm(coo, converted) requires " PRODUCT},
    {"entries_matmul", "mm(coo, optimized) requires " PRODUCT},
    {"entries_matmul", "mv(coo) requires n=1, " PRODUCT},
    {"entries_matmul", "mv(coo, base=1) requires n=1, " PRODUCT},

    {"sparse_solve", "trsm(csr) requires " PAIR},
    {"sparse_solve", "trsm(csr, base=1) requires " PAIR},
    {"sparse_solve", "trsm(csc) requires " PAIR},
    {"sparse_solve", "trsm(coo) requires " PAIR},
    {"sparse_solve", "trsm(bsr) requires " PAIR},
    {"sparse_solve", "trsm(csr, 64) requires " PAIR},
    {"sparse_solve", "trsm(csr, optimized) requires " PAIR},
    {"sparse_solve", "trsv(csr) requires n=1, " PAIR},
    {"sparse_solve", "trsv(csr, base=1) requires n=1, " PAIR},
    {"sparse_solve", "trsv(csr, optimized) requires n=1, " PAIR},
};

static const RowCondition none[] = {{NULL, NULL, NULL}};

static void read_word(SparseRow *row, const char *word)
{
    static const char *const formats[] = {"csr", "csc", "coo", "bsr"};
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (!strcmp(word, formats[i]))
            row->format = (SparseFormat)i;
    row->base += !strcmp(word, "base=1");
    row->block += !strcmp(word, "blocks=2");
    row->wide = row->wide || !strcmp(word, "64");
    row->backwards = row->backwards || !strcmp(word, "backwards");
    row->optimized = row->optimized || !strcmp(word, "optimized");
    row->converted = row->converted || !strcmp(word, "converted");
    row->staged = row->staged || !strcmp(word, "staged");
    row->ordered = row->ordered || !strcmp(word, "ordered");
}

static void read_row(SparseRow *row, const BindingRow *from)
{
    RowWords words;
    *row = (SparseRow){.block = 1};
    row_name(from, row->routine);
    row_words(from, &words);
    for (int i = 0; i < words.count; i++)
        read_word(row, words.word[i]);
}

bool mkl_sparse_row(SparseRow *row, const Operands *o, Text *why)
{
    const BindingRow *held[COUNT_OF(rows)];
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!row_is_for(&rows[i], o->source->op))
            continue;
        text_clear(why);
        if (row_holds(&rows[i], none, o, why))
            held[count++] = &rows[i];
    }
    if (count == 0)
        return false;
    text_clear(why);
    read_row(row, held[(size_t)o->source->exec.function % count]);
    return true;
}

bool mkl_sparse_knows(const OpDesc *op, DType dtype)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (row_is_for(&rows[i], op))
            return (DTYPES_BLAS & 1u << dtype) != 0;
    return false;
}

void mkl_sparse_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    rows_describe(rows, COUNT_OF(rows), op, text);
}
