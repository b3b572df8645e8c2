/* The CBLAS calls themselves, and their source text for standalone programs. */
#include <string.h>

#include "cblas_library.h"

enum { COL_MAJOR = 102, ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112, CONJ_TRANS = 113 };

typedef void SgemmFunction(int, int, int, int, int, int, float, const void *, int, const void *,
                           int, float, void *, int);
typedef void DgemmFunction(int, int, int, int, int, int, double, const void *, int, const void *,
                           int, double, void *, int);
typedef void ComplexGemmFunction(int, int, int, int, int, int, const void *, const void *, int,
                                 const void *, int, const void *, void *, int);
typedef void SgemvFunction(int, int, int, int, float, const void *, int, const void *, int, float,
                           void *, int);
typedef void DgemvFunction(int, int, int, int, double, const void *, int, const void *, int, double,
                           void *, int);
typedef void ComplexGemvFunction(int, int, int, int, const void *, const void *, int, const void *,
                                 int, const void *, void *, int);

static int order_of(const Case *c)
{
    return case_int(c, "order") == 1 ? ROW_MAJOR : COL_MAJOR;
}

static int transpose_of(const Case *c, const char *name)
{
    return NO_TRANS + (int)case_int(c, name);
}

/* A scalar in memory as the complex routines want it. */
typedef union ScalarCell {
    float narrow[2];
    double wide[2];
} ScalarCell;

static ScalarCell scalar_cell(DType dtype, Scalar scalar)
{
    ScalarCell cell = {{0}};
    dtype_store(dtype, &cell, 0, scalar.re);
    dtype_store(dtype, &cell, 1, scalar.im);
    return cell;
}

RunStatus cblas_run_gemm(Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    const Case *c = o->source;
    DType dtype = case_dtype(c);
    Scalar alpha = case_scalar(c, "alpha"), beta = case_scalar(c, "beta");
    ScalarCell alpha_cell = scalar_cell(dtype, alpha), beta_cell = scalar_cell(dtype, beta);
    int order = order_of(c), ta = transpose_of(c, "ta"), tb = transpose_of(c, "tb");
    int m = (int)case_int(c, "m"), n = (int)case_int(c, "n"), k = (int)case_int(c, "k");
    int lda = (int)o->shapes.tensor[0].leading, ldb = (int)o->shapes.tensor[1].leading;
    int ldc = (int)o->shapes.tensor[2].leading;
    const void *a = o->block[0].data, *b = o->block[1].data;
    void *out = o->block[2].data;
    switch (dtype) {
    case DT_F32:
        (*(SgemmFunction **)&library->gemm[dtype])(order, ta, tb, m, n, k, (float)alpha.re, a, lda,
                                                   b, ldb, (float)beta.re, out, ldc);
        break;
    case DT_F64:
        (*(DgemmFunction **)&library->gemm[dtype])(order, ta, tb, m, n, k, alpha.re, a, lda, b, ldb,
                                                   beta.re, out, ldc);
        break;
    default:
        (*(ComplexGemmFunction **)&library->gemm[dtype])(order, ta, tb, m, n, k, &alpha_cell, a,
                                                         lda, b, ldb, &beta_cell, out, ldc);
    }
    return RUN_DONE;
}

RunStatus cblas_run_gemv(Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    const Case *c = o->source;
    DType dtype = case_dtype(c);
    Scalar alpha = case_scalar(c, "alpha"), beta = case_scalar(c, "beta");
    ScalarCell alpha_cell = scalar_cell(dtype, alpha), beta_cell = scalar_cell(dtype, beta);
    int order = order_of(c), ta = transpose_of(c, "ta");
    int m = (int)case_int(c, "m"), n = (int)case_int(c, "n");
    int lda = (int)o->shapes.tensor[0].leading, incx = (int)o->shapes.tensor[1].leading;
    int incy = (int)o->shapes.tensor[2].leading;
    const void *a = o->block[0].data, *x = o->block[1].data;
    void *y = o->block[2].data;
    switch (dtype) {
    case DT_F32:
        (*(SgemvFunction **)&library->gemv[dtype])(order, ta, m, n, (float)alpha.re, a, lda, x,
                                                   incx, (float)beta.re, y, incy);
        break;
    case DT_F64:
        (*(DgemvFunction **)&library->gemv[dtype])(order, ta, m, n, alpha.re, a, lda, x, incx,
                                                   beta.re, y, incy);
        break;
    default:
        (*(ComplexGemvFunction **)&library->gemv[dtype])(order, ta, m, n, &alpha_cell, a, lda, x,
                                                         incx, &beta_cell, y, incy);
    }
    return RUN_DONE;
}

static char letter_of(DType dtype)
{
    return "sdcz"[dtype];
}

static void emit_number(DType dtype, double value, Text *text)
{
    if (value != value)
        text_printf(text, "NAN");
    else if (value - value != 0)
        text_printf(text, value > 0 ? "INFINITY" : "-INFINITY");
    else
        text_printf(text, dtype == DT_F32 || dtype == DT_C64 ? "%af" : "%a", value);
}

static void emit_scalar(DType dtype, Scalar scalar, Text *text)
{
    if (dtype_components(dtype) == 1) {
        emit_number(dtype, scalar.re, text);
        return;
    }
    text_printf(text, "(const %s[2]){", dtype == DT_C64 ? "float" : "double");
    emit_number(dtype, scalar.re, text);
    text_printf(text, ", ");
    emit_number(dtype, scalar.im, text);
    text_printf(text, "}");
}

static const char *scalar_type(DType dtype)
{
    return dtype == DT_F32 ? "float" : dtype == DT_F64 ? "double" : "const void *";
}

void cblas_emit_gemm(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const CblasLibrary *library = backend->context;
    const Case *c = o->source;
    DType dtype = case_dtype(c);
    const char *type = scalar_type(dtype);
    text_printf(declaration,
                "void %scblas_%cgemm(int order, int ta, int tb, int m, int n, int k, %s alpha,\n"
                "                 const void *a, int lda, const void *b, int ldb, %s beta,\n"
                "                 void *c, int ldc);\n",
                library->prefix, letter_of(dtype), type, type);
    text_printf(call, "%scblas_%cgemm(%d, %d, %d, %lld, %lld, %lld, ", library->prefix,
                letter_of(dtype), order_of(c), transpose_of(c, "ta"), transpose_of(c, "tb"),
                (long long)case_int(c, "m"), (long long)case_int(c, "n"),
                (long long)case_int(c, "k"));
    emit_scalar(dtype, case_scalar(c, "alpha"), call);
    text_printf(call, ", a, %lld, b, %lld, ", (long long)o->shapes.tensor[0].leading,
                (long long)o->shapes.tensor[1].leading);
    emit_scalar(dtype, case_scalar(c, "beta"), call);
    text_printf(call, ", c, %lld);", (long long)o->shapes.tensor[2].leading);
}

void cblas_emit_gemv(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const CblasLibrary *library = backend->context;
    const Case *c = o->source;
    DType dtype = case_dtype(c);
    const char *type = scalar_type(dtype);
    text_printf(declaration,
                "void %scblas_%cgemv(int order, int ta, int m, int n, %s alpha, const void *a,\n"
                "                 int lda, const void *x, int incx, %s beta, void *y, int incy);\n",
                library->prefix, letter_of(dtype), type, type);
    text_printf(call, "%scblas_%cgemv(%d, %d, %lld, %lld, ", library->prefix, letter_of(dtype),
                order_of(c), transpose_of(c, "ta"), (long long)case_int(c, "m"),
                (long long)case_int(c, "n"));
    emit_scalar(dtype, case_scalar(c, "alpha"), call);
    text_printf(call, ", a, %lld, x, %lld, ", (long long)o->shapes.tensor[0].leading,
                (long long)o->shapes.tensor[1].leading);
    emit_scalar(dtype, case_scalar(c, "beta"), call);
    text_printf(call, ", y, %lld);", (long long)o->shapes.tensor[2].leading);
}
