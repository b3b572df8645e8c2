/* Q of factors Q R and L Q and of Hessenberg forms, as a matrix or as a factor of C, from
 * reflections that are given: Q = H_1 ... H_k of geqrf, H_k^H ... H_1^H of gelqf, and H_ilo ...
 * H_(ihi-1) of gehrd, H_i = I - tau_i v_i v_i^H, v_i with a 1 in place i, of gehrd in place i + 1,
 * and zeros before it, of gehrd behind ihi as well.  The reflections are any numbers: of what lies
 * beside the v_i nothing is read, and A is as it was after a product.
 *
 * Theorem.  Let x be a column that reflections are applied to, one by one or in blocks I - V T V^H
 * with T from V and tau by substitution.  What is computed is within gamma_c M |x| of the exact
 * result, M the product of the I + |tau_i| |v_i| |v_i|^T in the order in which they are applied, c
 * = (k + 1) (2 m + 3 k + 8).  Proof.  Multiplied out, each element of the result is a sum of
 * products of elements of the v_i, tau_i and x, whose magnitudes sum up to M |x|; this holds for T
 * as well, whose elements are such sums.  A product takes part in at most m + k + 2 roundings for
 * each of the k columns of T, and in m + 2 k + 4 for each block, of which there are at most k
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.1).  QED.  Of complex
 * types gamma is 2 gamma of twice the count, and magnitudes are |re| + |im| (reference/equation.h).
 * Products that underflow add c subnormals, times what follows them. */
#include <math.h>

#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "solve.h"

#define LAPACK_REFLECTIONS P_DIM(Lapack, k, 0, 1024, "reflections")

static const Param matrix_params[] = {LAPACK_DTYPE_ORDER,
                                      LAPACK_M("rows of A"),
                                      LAPACK_N("columns of A"),
                                      LAPACK_REFLECTIONS,
                                      LAPACK_LDA,
                                      LAPACK_LWORK,
                                      P_END};
static const Param product_params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, side, blas_sides, "Q is the left or the right factor"),
    LAPACK_TRANS,
    LAPACK_M("rows of C"),
    LAPACK_N("columns of C"),
    LAPACK_REFLECTIONS,
    LAPACK_LDA,
    P_PAD(Lapack, ldc, 1 << 16, "leading dimension of C beyond its minimum"),
    LAPACK_LWORK,
    P_END};
static const Param hessenberg_params[] = {LAPACK_DTYPE_ORDER, LAPACK_N("rows and columns of Q"),
                                          LAPACK_BLOCK,       LAPACK_LDA,
                                          LAPACK_LWORK,       P_END};
static const Param hessenberg_product_params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, side, blas_sides, "Q is the left or the right factor"),
    LAPACK_TRANS,
    LAPACK_M("rows of C"),
    LAPACK_N("columns of C"),
    LAPACK_BLOCK,
    LAPACK_LDA,
    P_PAD(Lapack, ldc, 1 << 16, "leading dimension of C beyond its minimum"),
    LAPACK_LWORK,
    P_END};
static const char *const matrix_tensors[] = {"a", "tau", "info", NULL};
static const char *const product_tensors[] = {"a", "tau", "c", "info", NULL};
enum { A, TAU, C };

typedef struct ReflectionsRow {
    LapackRow op;
    bool by_rows, multiplies, hessenberg;
} ReflectionsRow;

static const ReflectionsRow rows[] = {
    {{"orghr", "Q of a Hessenberg form by its reflections", hessenberg_params, matrix_tensors,
      DTYPES_BLAS},
     false,
     false,
     true},
    {{"orglq", "Q of factors L Q by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     true,
     false,
     false},
    {{"orgqr", "Q of factors Q R by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     false,
     false,
     false},
    {{"ormhr", "product with Q of a Hessenberg form", hessenberg_product_params, product_tensors,
      DTYPES_BLAS},
     false,
     true,
     true},
    {{"ormlq", "product with Q of factors L Q", product_params, product_tensors, DTYPES_BLAS},
     true,
     true,
     false},
    {{"ormqr", "product with Q of factors Q R", product_params, product_tensors, DTYPES_BLAS},
     false,
     true,
     false},
};

/* Q has as many rows as the vectors have elements. */
static int64_t order_of(const ReflectionsRow *row, const Lapack *q)
{
    if (row->multiplies)
        return q->side == SIDE_LEFT ? q->m : q->n;
    return row->by_rows || row->hessenberg ? q->n : q->m;
}

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/* Real routines know the transpose alone, and complex ones the conjugate transpose. */
static void normalise(const OpDesc *op, void *of)
{
    const ReflectionsRow *row = op->detail;
    Lapack *q = of;
    if (row->multiplies && q->trans != TRANSPOSE_NONE)
        q->trans = lapack_is_real(q) ? TRANSPOSE_PLAIN : TRANSPOSE_CONJUGATE;
    if (row->hessenberg)
        lapack_normalise_block(q, order_of(row, q));
    else if (row->multiplies)
        q->k = at_most(q->k, order_of(row, q));
    if (row->hessenberg || row->multiplies)
        return;
    if (row->by_rows)
        q->m = at_most(q->m, q->n);
    else
        q->n = at_most(q->n, q->m);
    q->k = at_most(q->k, at_most(q->m, q->n));
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ReflectionsRow *row = op->detail;
    const Lapack *q = of;
    int64_t order = order_of(row, q);
    *shapes = (Shapes){.count = row->multiplies ? 4 : 3, .depth = order};
    shapes->tensor[A] = row->hessenberg    ? lapack_matrix(q, order, order, q->lda, ROLE_INOUT)
                        : !row->multiplies ? lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT)
                        : row->by_rows     ? lapack_matrix(q, q->k, order, q->lda, ROLE_INOUT)
                                           : lapack_matrix(q, order, q->k, q->lda, ROLE_INOUT);
    int64_t taus = row->hessenberg ? (order > 1 ? order - 1 : 0) : q->k;
    shapes->tensor[TAU] = blas_vector(&(Blas){.dtype = q->dtype}, taus, 1);
    if (row->multiplies)
        shapes->tensor[C] = lapack_matrix(q, q->m, q->n, q->ldc, ROLE_INOUT);
    shapes->tensor[row->multiplies ? C + 1 : C] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double order = (double)order_of(op->detail, q), lines = (double)(q->m + q->n);
    double steps = ((const ReflectionsRow *)op->detail)->hessenberg ? order : (double)q->k;
    return 8 * lapack_parts(q) * (order + 4) * (lines + 4) * (steps + 4);
}

typedef struct Reflections {
    DType dtype;
    Matrix v; /* columns, with their 1 and zeros */
    Matrix tau;
    int64_t order, count; /* rows of Q, and reflections */
    int64_t first, end;   /* rows in which v_0 begins and all end */
    WideComplex *x;       /* a column with the bound of its parts */
    double *sizes;
    double largest; /* element of the column before any reflection */
    double growth;  /* the product of all (1 + |tau_i|) (1 + |v_i|_1)^2 */
} Reflections;

/* Element i of v_k, which is 1 in row first + k. */
static Scalar vector_at(const ReflectionsRow *row, const Reflections *r, const Matrix *a, int64_t i,
                        int64_t k)
{
    if (i == r->first + k)
        return (Scalar){1, 0};
    if (row->hessenberg)
        return *matrix_at(a, i, r->first - 1 + k);
    return row->by_rows ? scalar_conjugate(*matrix_at(a, k, i)) : *matrix_at(a, i, k);
}

static Reflections reflections_of(const ReflectionsRow *row, const ReferenceInput *input,
                                  Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    Reflections r = {.dtype = (DType)q->dtype,
                     .tau = matrix_read(&input->tensors[TAU], arena),
                     .order = order_of(row, q),
                     .count = q->k};
    r.end = r.order;
    if (row->hessenberg) {
        r.count = q->ihi > q->ilo ? q->ihi - q->ilo : 0;
        r.first = q->ilo;
        r.end = q->ihi;
        r.tau.values += q->ilo - 1;
    }
    r.v = matrix_zeros(r.order, r.count, arena);
    for (int64_t k = 0; k < r.count; k++)
        for (int64_t i = r.first + k; i < r.end; i++)
            *matrix_at(&r.v, i, k) = vector_at(row, &r, &a, i, k);
    r.growth = 1;
    for (int64_t k = 0; k < r.count; k++) {
        double sum = 1;
        for (int64_t i = r.first + k; i < r.end; i++)
            sum += scalar_size(*matrix_at(&r.v, i, k));
        r.growth *= (1 + scalar_size(*matrix_at(&r.tau, k, 0))) * sum * sum;
    }
    r.x = arena_take(arena, (size_t)r.order + 1, sizeof *r.x);
    r.sizes = arena_take(arena, (size_t)r.order + 1, sizeof *r.sizes);
    return r;
}

/* x becomes H_k x, or H_k^H x, and so do the sizes. */
static void reflect(Reflections *r, int64_t k, bool adjoint)
{
    WideComplex inner = {{0, 0}, {0, 0}}, scaled = {{0, 0}, {0, 0}};
    Scalar tau = *matrix_at(&r->tau, k, 0);
    double size = 0;
    for (int64_t i = r->first + k; i < r->end; i++) {
        Scalar v = *matrix_at(&r->v, i, k);
        wide_complex_add_scaled(&inner, 1, scalar_conjugate(v), &r->x[i]);
        size += scalar_size(v) * r->sizes[i];
    }
    wide_complex_add_scaled(&scaled, 1, adjoint ? scalar_conjugate(tau) : tau, &inner);
    for (int64_t i = r->first + k; i < r->end; i++) {
        Scalar v = *matrix_at(&r->v, i, k);
        wide_complex_add_scaled(&r->x[i], -1, v, &scaled);
        r->sizes[i] += scalar_size(v) * scalar_size(tau) * size;
    }
}

/* H_1 ... H_k x, or (H_1 ... H_k)^H x. */
static void reflect_all(Reflections *r, bool adjoint)
{
    for (int64_t step = 0; step < r->count; step++)
        reflect(r, adjoint ? step : r->count - 1 - step, adjoint);
}

/* Element i of the column, conjugate or not.  Inner products and columns on the way are no larger
 * than the growth times the largest element.  Where those leave the range, a kernel's element comes
 * from infinities, however small it is in exact arithmetic, such as for a small tau. */
static void put(const Reflections *r, Ref *ref, size_t at, int64_t i, bool conjugate)
{
    const Format *format = dtype_format(r->dtype);
    bool pair = dtype_components(r->dtype) == 2;
    double m = (double)r->order, k = (double)r->count, count = (k + 1) * (2 * m + 3 * k + 8);
    double gamma = pair ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
    double size = r->sizes[i] * (1 + 0x1p-20), error = 64 * count * WIDE_UNIT * size + 0x1p-1060;
    double bound = gamma * size + 8 * count * format->smallest_subnormal * r->growth;
    double reach = r->growth * (1 + r->largest);
    for (int part = 0; part < dtype_components(r->dtype); part++) {
        Wide value = part ? r->x[i].im : r->x[i].re;
        double sign = part && conjugate ? -1 : 1;
        if (k == 0 || i < r->first || i >= r->end)
            ref_set_exact(ref, at + (size_t)part, sign * value.high, MATCH_VALUE);
        else if (isfinite(value.high) && reach < ldexp(1, format->maximum_exponent - 4))
            matrix_put_rest(ref, at + (size_t)part, sign * value.high, sign * value.low, error,
                            bound);
        else
            ref_set_classes(ref, at + (size_t)part, CLASS_ANY);
    }
}

static void start_column(Reflections *r, int64_t i, Scalar x)
{
    r->x[i] = (WideComplex){{x.re, 0}, {x.im, 0}};
    r->sizes[i] = scalar_size(x);
    r->largest = fmax(i > 0 ? r->largest : 0, r->sizes[i]);
}

/* Columns of Q, or conjugate rows. */
static void refer_matrix(const ReflectionsRow *row, Reflections *r, Ref *ref)
{
    int64_t lines = (int64_t)(row->by_rows ? ref->rows : ref->columns);
    for (int64_t j = 0; j < lines; j++) {
        for (int64_t i = 0; i < r->order; i++)
            start_column(r, i, (Scalar){i == j, 0});
        reflect_all(r, false);
        for (int64_t i = 0; i < r->order; i++)
            put(r, ref, row->by_rows ? matrix_element(ref, j, i) : matrix_element(ref, i, j), i,
                row->by_rows);
    }
}

/* op(Q) C by columns, C op(Q) by conjugate rows. */
static void refer_product(const ReflectionsRow *row, const ReferenceInput *input, Reflections *r,
                          Ref *ref, Arena *arena)
{
    const Lapack *q = input->params;
    bool right = q->side == SIDE_RIGHT;
    bool adjoint = ((q->trans != TRANSPOSE_NONE) != row->by_rows) != right;
    Matrix c = matrix_read(&input->tensors[C], arena);
    for (int64_t j = 0; j < (right ? c.rows : c.columns); j++) {
        for (int64_t i = 0; i < r->order; i++)
            start_column(r, i,
                         right ? scalar_conjugate(*matrix_at(&c, j, i)) : *matrix_at(&c, i, j));
        reflect_all(r, adjoint);
        for (int64_t i = 0; i < r->order; i++)
            put(r, ref, right ? matrix_element(ref, j, i) : matrix_element(ref, i, j), i, right);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ReflectionsRow *row = input->op->detail;
    int info = row->multiplies ? C + 1 : C, output = row->multiplies ? C : A;
    Reflections r = reflections_of(row, input, arena);
    ref_allocate_bounded(&refs[output], r.dtype, &input->tensors[output], arena);
    ref_allocate_exact(&refs[info], &input->tensors[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    if (!row->multiplies) {
        refer_matrix(row, &r, &refs[A]);
        return;
    }
    Matrix a = matrix_read(&input->tensors[A], arena);
    ref_allocate_bounded(&refs[A], r.dtype, &input->tensors[A], arena);
    matrix_put(&a, &refs[A]);
    refer_product(row, input, &r, &refs[C], arena);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_reflections)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
