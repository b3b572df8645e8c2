/* A small CBLAS for tests: correct (FAULTY=0), or with bugs that are added up in FAULTY.
 * 1: the last term of the last column of a real gemm whose n is 3 more than a multiple of 4 is
 * forgotten; 2: that of the last row of an sgemv whose m is such a number; 4: the same of a dgemv,
 * but only in every fifth call; 8: a complex gemm writes to A and puts back what was there; 16: as
 * 1, but by rows only, and in all later calls of the same k; 32: a complex gemm whose k is 5
 * overwrites the heap behind memory of its own; 64: a gemm takes and gives back memory of many
 * sizes, which is right and ends a process whose heap was overwritten; 128: a gemm whose
 * n is above 16 dies where A is transposed, and where B is; 256: a gemm adds C times a beta of 0,
 * which may be NaN; 512: one with B transposed, and a few n and k, adds what lies between the rows
 * of B, times 0. It calls itself openblas, of version VERSION. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { COL_MAJOR = 102, NO_TRANS = 111, CONJ_TRANS = 113 };
enum { NOTHING, BY_COLUMN, BY_ROW };

typedef long double Wide;
typedef struct Number {
    Wide re, im;
} Number;

/* An array of float or double numbers, real or complex. */
typedef struct Array {
    const void *data;
    int is_double, is_complex;
} Array;

static Number get(Array array, ptrdiff_t at, int conjugate)
{
    ptrdiff_t index = array.is_complex ? 2 * at : at;
    const float *narrow = array.data;
    const double *wide = array.data;
    Number number = {array.is_double ? wide[index] : narrow[index], 0};
    if (array.is_complex)
        number.im = array.is_double ? wide[index + 1] : narrow[index + 1];
    if (conjugate)
        number.im = -number.im;
    return number;
}

static void put(Array array, void *to, ptrdiff_t at, Number number)
{
    ptrdiff_t index = array.is_complex ? 2 * at : at;
    if (array.is_double) {
        ((double *)to)[index] = (double)number.re;
        if (array.is_complex)
            ((double *)to)[index + 1] = (double)number.im;
    } else {
        ((float *)to)[index] = (float)number.re;
        if (array.is_complex)
            ((float *)to)[index + 1] = (float)number.im;
    }
}

static Number multiply(Array kind, Number x, Number y)
{
    /* Rounded once, as the product of a lone addend must be. */
    if (!kind.is_complex && kind.is_double)
        return (Number){(double)x.re * (double)y.re, 0};
    if (!kind.is_complex)
        return (Number){x.re * y.re, 0};
    return (Number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static int is_zero(Number x)
{
    return x.re == 0 && x.im == 0;
}

/* One matrix or vector: element (i, j) lies i * row + j * column after origin. */
typedef struct View {
    Array array;
    ptrdiff_t origin, row, column;
    int conjugate;
} View;

static void multiply_add(Number alpha, View a, View b, Number beta, View c, void *out, int m, int n,
                         int k, int forget)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            Number sum = {0, 0};
            int last = forget == BY_COLUMN ? j == n - 1 && n % 4 == 3
                       : forget == BY_ROW  ? i == m - 1 && m % 4 == 3
                                           : 0;
            int terms = last ? k - 1 : k;
            ptrdiff_t at = c.origin + i * c.row + j * c.column;
            for (int l = 0; !is_zero(alpha) && l < terms; l++) {
                Number product = multiply(
                    c.array, get(a.array, a.origin + i * a.row + l * a.column, a.conjugate),
                    get(b.array, b.origin + l * b.row + j * b.column, b.conjugate));
                sum.re += product.re;
                sum.im += product.im;
            }
            if (!is_zero(alpha) && k > 0)
                sum = multiply(c.array, alpha, sum);
            if (!is_zero(beta) || FAULTY & 256) {
                Number addend = multiply(c.array, beta, get(c.array, at, 0));
                sum.re = is_zero(alpha) ? addend.re : sum.re + addend.re;
                sum.im = is_zero(alpha) ? addend.im : sum.im + addend.im;
            }
            put(c.array, out, at, sum);
        }
    }
}

static View matrix(Array array, int order, int trans, ptrdiff_t ld)
{
    int rows_contiguous = (order != COL_MAJOR) != (trans != NO_TRANS);
    return (View){array, 0, rows_contiguous ? ld : 1, rows_contiguous ? 1 : ld,
                  trans == CONJ_TRANS};
}

static View vector(Array array, int length, ptrdiff_t increment)
{
    return (View){array, increment < 0 ? -increment * (length - 1) : 0, increment, 0, 0};
}

static int gemm_forgets(Array kind, int order, int k)
{
    enum { REMEMBERED = 4096 };
    static unsigned char by_rows[REMEMBERED];
    if (kind.is_complex)
        return NOTHING;
    if (order != COL_MAJOR)
        by_rows[k % REMEMBERED] = 1;
    return FAULTY & 1 || (FAULTY & 16 && by_rows[k % REMEMBERED]) ? BY_COLUMN : NOTHING;
}

/* Once in a process: what lies behind is what is left of the heap. */
static void overwrite_heap(void)
{
    enum { OWN = 100000, BEYOND = 16 };
    static char *own;
    if (!own && (own = malloc(OWN)))
        memset(own + OWN, 0xff, BEYOND);
}

static void use_heap(void)
{
    enum { SIZES = 13, LEAST = 16 };
    void *taken[SIZES];
    for (int i = 0; i < SIZES; i++)
        taken[i] = malloc((size_t)LEAST << i);
    for (int i = 0; i < SIZES; i++)
        free(taken[i]);
}

static void die(void)
{
    *(volatile char *)(size_t)8 = 1;
}

/* Adds 0 times the first element behind the first row of B, as it lies, to all of C. */
static void add_gap(View b, int length, int ldb, View c, void *out, int m, int n)
{
    Number gap = ldb > length ? get(b.array, length, 0) : (Number){0, 0};
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            ptrdiff_t at = c.origin + i * c.row + j * c.column;
            Number sum = get(c.array, at, 0);
            put(c.array, out, at, (Number){sum.re + 0 * gap.re, sum.im + 0 * gap.im});
        }
}

static void gemm(Array kind, int order, int ta, int tb, int m, int n, int k, Number alpha,
                 const void *a, int lda, const void *b, int ldb, Number beta, void *c, int ldc)
{
    Array in_a = kind, in_b = kind, in_c = kind;
    in_a.data = a;
    in_b.data = b;
    in_c.data = c;
    if (FAULTY & 128 && n > 16 && (ta != NO_TRANS || tb != NO_TRANS))
        die();
    if (FAULTY & 64)
        use_heap();
    if (FAULTY & 32 && kind.is_complex && k == 5)
        overwrite_heap();
    if (FAULTY & 8 && kind.is_complex && m > 0 && k > 1) {
        volatile unsigned char *first = (unsigned char *)(size_t)a;
        *first ^= 1;
        *first ^= 1;
    }
    multiply_add(alpha, matrix(in_a, order, ta, lda), matrix(in_b, order, tb, ldb), beta,
                 matrix(in_c, order, NO_TRANS, ldc), c, m, n, k, gemm_forgets(kind, order, k));
    int length = order == COL_MAJOR ? n : k, rows = order == COL_MAJOR ? k : n;
    if (FAULTY & 512 && tb != NO_TRANS && n % 8 == 5 && k % 8 == 3 && rows > 1)
        add_gap(matrix(in_b, order, tb, ldb), length, ldb, matrix(in_c, order, NO_TRANS, ldc), c, m,
                n);
}

static int gemv_forgets(Array kind)
{
    static int calls;
    int fifth = ++calls % 5 == 0;
    if (kind.is_complex)
        return NOTHING;
    return kind.is_double ? (FAULTY & 4 && fifth ? BY_ROW : NOTHING)
           : FAULTY & 2   ? BY_ROW
                          : NOTHING;
}

static void gemv(Array kind, int order, int ta, int m, int n, Number alpha, const void *a, int lda,
                 const void *x, int incx, Number beta, void *y, int incy)
{
    int rows = ta == NO_TRANS ? m : n, depth = ta == NO_TRANS ? n : m;
    Array in_a = kind, in_x = kind, in_y = kind;
    in_a.data = a;
    in_x.data = x;
    in_y.data = y;
    if (m > 0 && n > 0)
        multiply_add(alpha, matrix(in_a, order, ta, lda), vector(in_x, depth, incx), beta,
                     vector(in_y, rows, incy), y, rows, 1, depth, gemv_forgets(kind));
}

#ifdef VERSION
const char *openblas_get_config(void);
const char *openblas_get_config(void)
{
    return "OpenBLAS " VERSION;
}
#endif

static Number real(double value)
{
    return (Number){value, 0};
}

static Number complex_at(Array kind, const void *value)
{
    kind.data = value;
    return get(kind, 0, 0);
}

static const Array kind_s = {NULL, 0, 0}, kind_d = {NULL, 1, 0}, kind_c = {NULL, 0, 1},
                   kind_z = {NULL, 1, 1};

void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const void *a,
                 int lda, const void *b, int ldb, float beta, void *c, int ldc)
{
    gemm(kind_s, order, ta, tb, m, n, k, real(alpha), a, lda, b, ldb, real(beta), c, ldc);
}

void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const void *a,
                 int lda, const void *b, int ldb, double beta, void *c, int ldc)
{
    gemm(kind_d, order, ta, tb, m, n, k, real(alpha), a, lda, b, ldb, real(beta), c, ldc);
}

void cblas_cgemm(int order, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                 int lda, const void *b, int ldb, const void *beta, void *c, int ldc)
{
    gemm(kind_c, order, ta, tb, m, n, k, complex_at(kind_c, alpha), a, lda, b, ldb,
         complex_at(kind_c, beta), c, ldc);
}

void cblas_zgemm(int order, int ta, int tb, int m, int n, int k, const void *alpha, const void *a,
                 int lda, const void *b, int ldb, const void *beta, void *c, int ldc)
{
    gemm(kind_z, order, ta, tb, m, n, k, complex_at(kind_z, alpha), a, lda, b, ldb,
         complex_at(kind_z, beta), c, ldc);
}

void cblas_sgemv(int order, int ta, int m, int n, float alpha, const void *a, int lda,
                 const void *x, int incx, float beta, void *y, int incy)
{
    gemv(kind_s, order, ta, m, n, real(alpha), a, lda, x, incx, real(beta), y, incy);
}

void cblas_dgemv(int order, int ta, int m, int n, double alpha, const void *a, int lda,
                 const void *x, int incx, double beta, void *y, int incy)
{
    gemv(kind_d, order, ta, m, n, real(alpha), a, lda, x, incx, real(beta), y, incy);
}

void cblas_cgemv(int order, int ta, int m, int n, const void *alpha, const void *a, int lda,
                 const void *x, int incx, const void *beta, void *y, int incy)
{
    gemv(kind_c, order, ta, m, n, complex_at(kind_c, alpha), a, lda, x, incx,
         complex_at(kind_c, beta), y, incy);
}

void cblas_zgemv(int order, int ta, int m, int n, const void *alpha, const void *a, int lda,
                 const void *x, int incx, const void *beta, void *y, int incy)
{
    gemv(kind_z, order, ta, m, n, complex_at(kind_z, alpha), a, lda, x, incx,
         complex_at(kind_z, beta), y, incy);
}
