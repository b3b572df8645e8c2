/* Q of factors Q R, L Q, Q L and R Q and of Hessenberg and tridiagonal forms, as a matrix or as a
 * factor of C, from reflections that are given: Q = H_1 ... H_k of geqrf, H_k^H ... H_1^H of gelqf,
 * and H_ilo ... H_(ihi-1) of gehrd, H_i = I - tau_i v_i v_i^H, v_i with a 1 in place i, of gehrd in
 * place i + 1, and zeros before it, of gehrd behind ihi as well; of sytrd's lower triangle as of
 * gehrd with ilo = 1 and ihi = n.  Those of geqlf, of gerqf and of an upper triangle are these in
 * reverse: v_k has its 1 in the last place, or the one before, Q is the last columns or rows of a
 * square one, and vectors and tau are counted from the last one.  The reflections are any numbers:
 * of what lies beside the v_i nothing is read, and A is as it was after a product.  gemqrt is given
 * the triangles T of its blocks, any numbers as well, beside which nothing is read.
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
 * A product that underflows adds a subnormal, times the factors that follow: elements of the v_i,
 * tau_i and, where it has none yet, as tau_i v_i, one of x. */
#include <math.h>

#include "householder.h"
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
#define SIDE        P_CHOICE(Lapack, side, blas_sides, "Q is the left or the right factor")
#define ORDER_OF_Q  LAPACK_N("rows and columns of Q")
#define PRODUCT     SIDE, LAPACK_TRANS, LAPACK_M("rows of C"), LAPACK_N("columns of C")
#define LAPACK_LDC  P_PAD(Lapack, ldc, 1 << 16, "leading dimension of C beyond its minimum")
#define PRODUCT_END LAPACK_LDA, LAPACK_LDC, LAPACK_LWORK, P_END
static const Param product_params[] = {LAPACK_DTYPE_ORDER, PRODUCT, LAPACK_REFLECTIONS,
                                       PRODUCT_END};
static const Param hessenberg_params[] = {LAPACK_DTYPE_ORDER, ORDER_OF_Q,   LAPACK_BLOCK,
                                          LAPACK_LDA,         LAPACK_LWORK, P_END};
static const Param hessenberg_product_params[] = {LAPACK_DTYPE_ORDER, PRODUCT, LAPACK_BLOCK,
                                                  PRODUCT_END};
static const Param tridiagonal_params[] = {LAPACK_DTYPE_ORDER, LAPACK_UPLO,  ORDER_OF_Q,
                                           LAPACK_LDA,         LAPACK_LWORK, P_END};
static const Param tridiagonal_product_params[] = {LAPACK_DTYPE_ORDER, LAPACK_UPLO, PRODUCT,
                                                   PRODUCT_END};
static const Param blocked_params[] = {LAPACK_DTYPE_ORDER,
                                       PRODUCT,
                                       LAPACK_REFLECTIONS,
                                       HOUSEHOLDER_NB,
                                       P_ROW("ldv", PARAM_PAD, Lapack, lda, int64_t,
                                             "leading dimension of V beyond its minimum",
                                             .maximum = 1 << 16),
                                       HOUSEHOLDER_LDT,
                                       LAPACK_LDC,
                                       P_END};
static const char *const blocked_tensors[] = {"v", "t", "c", "info", NULL};
static const char *const matrix_tensors[] = {"a", "tau", "info", NULL};
static const char *const product_tensors[] = {"a", "tau", "c", "info", NULL};
enum { A, TAU, C };

/* Where the vectors lie: in columns or rows from the diagonal on, or in columns below it, from ilo
 * to ihi or of a triangle. */
typedef enum ReflectionsPlace { IN_COLUMNS, IN_ROWS, IN_HESSENBERG, IN_TRIANGLE } ReflectionsPlace;

typedef struct ReflectionsRow {
    LapackRow op;
    ReflectionsPlace place;
    bool multiplies, reversed, blocked;
} ReflectionsRow;

static const ReflectionsRow rows[] = {
    {{"gemqrt", "product with Q of factors Q R by blocks of reflections", blocked_params,
      blocked_tensors, DTYPES_BLAS},
     IN_COLUMNS,
     true,
     false,
     true},
    {{"orghr", "Q of a Hessenberg form by its reflections", hessenberg_params, matrix_tensors,
      DTYPES_BLAS},
     IN_HESSENBERG,
     false,
     false,
     false},
    {{"orglq", "Q of factors L Q by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     IN_ROWS,
     false,
     false,
     false},
    {{"orgql", "Q of factors Q L by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     IN_COLUMNS,
     false,
     true,
     false},
    {{"orgqr", "Q of factors Q R by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     IN_COLUMNS,
     false,
     false,
     false},
    {{"orgrq", "Q of factors R Q by its reflections", matrix_params, matrix_tensors, DTYPES_BLAS},
     IN_ROWS,
     false,
     true,
     false},
    {{"orgtr", "Q of a tridiagonal form by its reflections", tridiagonal_params, matrix_tensors,
      DTYPES_BLAS},
     IN_TRIANGLE,
     false,
     false,
     false},
    {{"ormhr", "product with Q of a Hessenberg form", hessenberg_product_params, product_tensors,
      DTYPES_BLAS},
     IN_HESSENBERG,
     true,
     false,
     false},
    {{"ormlq", "product with Q of factors L Q", product_params, product_tensors, DTYPES_BLAS},
     IN_ROWS,
     true,
     false,
     false},
    {{"ormql", "product with Q of factors Q L", product_params, product_tensors, DTYPES_BLAS},
     IN_COLUMNS,
     true,
     true,
     false},
    {{"ormqr", "product with Q of factors Q R", product_params, product_tensors, DTYPES_BLAS},
     IN_COLUMNS,
     true,
     false,
     false},
    {{"ormrq", "product with Q of factors R Q", product_params, product_tensors, DTYPES_BLAS},
     IN_ROWS,
     true,
     true,
     false},
    {{"ormtr", "product with Q of a tridiagonal form", tridiagonal_product_params, product_tensors,
      DTYPES_BLAS},
     IN_TRIANGLE,
     true,
     false,
     false},
};

/* Q has as many rows as the vectors have elements. */
static int64_t order_of(const ReflectionsRow *row, const Lapack *q)
{
    if (row->multiplies)
        return q->side == SIDE_LEFT ? q->m : q->n;
    return row->place == IN_COLUMNS ? q->m : q->n;
}

/* Whether the vectors lie below the diagonal, so that there is no first row in them. */
static bool lie_below(const ReflectionsRow *row)
{
    return row->place == IN_HESSENBERG || row->place == IN_TRIANGLE;
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
    if (row->place == IN_HESSENBERG)
        lapack_normalise_block(q, order_of(row, q));
    else if (row->multiplies && row->place != IN_TRIANGLE)
        q->k = at_most(q->k, order_of(row, q));
    if (row->blocked)
        q->kl = householder_block(q->kl, q->k);
    if (lie_below(row) || row->multiplies)
        return;
    if (row->place == IN_ROWS)
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
    bool square = lie_below(row), by_rows = row->place == IN_ROWS;
    int64_t height = square ? order : !row->multiplies ? q->m : by_rows ? q->k : order;
    int64_t width = square ? order : !row->multiplies ? q->n : by_rows ? order : q->k;
    shapes->tensor[A] = lapack_matrix(q, height, width, q->lda, ROLE_INOUT);
    if (row->blocked) {
        shapes->tensor[A].role = ROLE_IN;
        shapes->tensor[TAU] = lapack_matrix(q, q->kl, q->k, q->ldt, ROLE_IN);
    }
    int64_t taus = square ? (order > 1 ? order - 1 : 0) : q->k;
    if (!row->blocked)
        shapes->tensor[TAU] = blas_vector(&(Blas){.dtype = q->dtype}, taus, 1);
    if (row->multiplies)
        shapes->tensor[C] = lapack_matrix(q, q->m, q->n, q->ldc, ROLE_INOUT);
    shapes->tensor[row->multiplies ? C + 1 : C] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double order = (double)order_of(op->detail, q), lines = (double)(q->m + q->n);
    double steps = lie_below(op->detail) ? order : (double)q->k;
    return 8 * lapack_parts(q) * (order + 4) * (lines + 4) * (steps + 4);
}

typedef struct Reflections {
    DType dtype;
    Matrix v;             /* columns, with their 1 and zeros */
    Matrix tau;           /* of blocks T by T, one beside the other */
    int64_t block;        /* reflections of one; 0: they are no blocks */
    int64_t order, count; /* rows of Q, and reflections */
    int64_t first, end;   /* rows in which v_0 begins and all end */
    WideComplex *x;       /* a column with the bound of its parts */
    WideComplex *inner;   /* V^H x of a block, with bounds */
    double *sizes, *inner_sizes;
    double largest; /* element of the column before any reflection */
    double growth;  /* the product of all (1 + |tau_i|) (1 + |v_i|_1)^2 */
    bool reversed;
} Reflections;

/* The place of row i of Q, or of line i of A or C, of `count`. */
static int64_t place_of(const Reflections *r, int64_t i, int64_t count)
{
    return r->reversed ? count - 1 - i : i;
}

/* Element i of v_k, which is 1 in row first + k. */
static Scalar vector_at(const ReflectionsRow *row, const Reflections *r, const Matrix *a, int64_t i,
                        int64_t k)
{
    if (i == r->first + k)
        return (Scalar){1, 0};
    int64_t line = lie_below(row) ? r->first - 1 + k : k, at = place_of(r, i, r->order);
    if (row->place == IN_ROWS)
        return scalar_conjugate(*matrix_at(a, place_of(r, line, a->rows), at));
    return *matrix_at(a, at, place_of(r, line, a->columns));
}

/* tau in the order of the reflections, and which rows these change. */
static void read_taus(Reflections *r, const ReflectionsRow *row, const Lapack *q, const Tensor *tau,
                      Arena *arena)
{
    Matrix taus = matrix_read(tau, arena);
    r->end = r->order;
    r->count = lie_below(row) ? taus.rows : q->k;
    r->first = lie_below(row) ? 1 : 0;
    if (row->blocked) {
        r->block = q->kl;
        r->tau = taus;
        return;
    }
    if (row->place == IN_HESSENBERG) {
        r->count = q->ihi > q->ilo ? q->ihi - q->ilo : 0;
        r->first = q->ilo;
        r->end = q->ihi;
    }
    int64_t skipped = lie_below(row) ? r->first - 1 : 0;
    r->tau = matrix_zeros(r->count, 1, arena);
    for (int64_t k = 0; k < r->count; k++)
        r->tau.values[k] = *matrix_at(&taus, place_of(r, skipped + k, taus.rows), 0);
}

static Reflections reflections_of(const ReflectionsRow *row, const ReferenceInput *input,
                                  Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    Reflections r = {.dtype = (DType)q->dtype,
                     .order = order_of(row, q),
                     .reversed = row->place == IN_TRIANGLE ? q->uplo == UPLO_UPPER : row->reversed};
    read_taus(&r, row, q, &input->tensors[TAU], arena);
    r.v = matrix_zeros(r.order, r.count, arena);
    for (int64_t k = 0; k < r.count; k++)
        for (int64_t i = r.first + k; i < r.end; i++)
            *matrix_at(&r.v, i, k) = vector_at(row, &r, &a, i, k);
    r.growth = 1;
    for (int64_t k = 0; k < r.count; k++) {
        double sum = 1;
        for (int64_t i = r.first + k; i < r.end; i++)
            sum += scalar_size(*matrix_at(&r.v, i, k));
        for (int64_t i = 0; i < r.block; i++)
            sum += i <= k % r.block ? scalar_size(*matrix_at(&r.tau, i, k)) : 0;
        r.growth *= (1 + (r.block ? 0 : scalar_size(*matrix_at(&r.tau, k, 0)))) * sum * sum;
    }
    r.x = arena_take(arena, (size_t)r.order + 1, sizeof *r.x);
    r.sizes = arena_take(arena, (size_t)r.order + 1, sizeof *r.sizes);
    r.inner = arena_take(arena, (size_t)r.block + 1, sizeof *r.inner);
    r.inner_sizes = arena_take(arena, (size_t)r.block + 1, sizeof *r.inner_sizes);
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

/* x becomes (I - V T V^H) x of reflections from number k on, or with T^H; w and its sizes have room
 * for one number each. */
static void reflect_block(Reflections *r, int64_t k, bool adjoint, WideComplex *w, double *sizes)
{
    int64_t count = at_most(r->block, r->count - k);
    for (int64_t j = 0; j < count; j++) {
        w[j] = (WideComplex){{0, 0}, {0, 0}};
        sizes[j] = 0;
        for (int64_t i = k + j; i < r->end; i++) {
            Scalar v = *matrix_at(&r->v, i, k + j);
            wide_complex_add_scaled(&w[j], 1, scalar_conjugate(v), &r->x[i]);
            sizes[j] += scalar_size(v) * r->sizes[i];
        }
    }
    for (int64_t j = 0; j < count; j++) {
        WideComplex sum = {{0, 0}, {0, 0}};
        double size = 0;
        for (int64_t l = adjoint ? 0 : j; l < (adjoint ? j + 1 : count); l++) {
            Scalar t = adjoint ? scalar_conjugate(*matrix_at(&r->tau, l, k + j))
                               : *matrix_at(&r->tau, j, k + l);
            wide_complex_add_scaled(&sum, 1, t, &w[l]);
            size += scalar_size(t) * sizes[l];
        }
        for (int64_t i = k + j; i < r->end; i++) {
            Scalar v = *matrix_at(&r->v, i, k + j);
            wide_complex_add_scaled(&r->x[i], -1, v, &sum);
            r->sizes[i] += scalar_size(v) * size;
        }
    }
}

/* H_1 ... H_k x, or (H_1 ... H_k)^H x. */
static void reflect_all(Reflections *r, bool adjoint)
{
    for (int64_t k = 0; k < r->count && r->block; k += r->block) {
        int64_t last = (r->count - 1) / r->block * r->block;
        reflect_block(r, adjoint ? k : last - k, adjoint, r->inner, r->inner_sizes);
    }
    if (r->block)
        return;
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
    double reach = r->growth * (1 + r->largest);
    double bound = gamma * size + 8 * count * format->smallest_subnormal * reach;
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
    bool by_rows = row->place == IN_ROWS;
    int64_t lines = (int64_t)(by_rows ? ref->rows : ref->columns);
    for (int64_t j = 0; j < lines; j++) {
        int64_t line = place_of(r, j, lines);
        for (int64_t i = 0; i < r->order; i++)
            start_column(r, i, (Scalar){i == j, 0});
        reflect_all(r, false);
        for (int64_t i = 0; i < r->order; i++) {
            int64_t at = place_of(r, i, r->order);
            put(r, ref, by_rows ? matrix_element(ref, line, at) : matrix_element(ref, at, line), i,
                by_rows);
        }
    }
}

/* op(Q) C by columns, C op(Q) by conjugate rows. */
static void refer_product(const ReflectionsRow *row, const ReferenceInput *input, Reflections *r,
                          Ref *ref, Arena *arena)
{
    const Lapack *q = input->params;
    bool right = q->side == SIDE_RIGHT;
    bool adjoint = ((q->trans != TRANSPOSE_NONE) != (row->place == IN_ROWS)) != right;
    Matrix c = matrix_read(&input->tensors[C], arena);
    for (int64_t j = 0; j < (right ? c.rows : c.columns); j++) {
        for (int64_t i = 0; i < r->order; i++) {
            int64_t at = place_of(r, i, r->order);
            start_column(r, i,
                         right ? scalar_conjugate(*matrix_at(&c, j, at)) : *matrix_at(&c, at, j));
        }
        reflect_all(r, adjoint);
        for (int64_t i = 0; i < r->order; i++) {
            int64_t at = place_of(r, i, r->order);
            put(r, ref, right ? matrix_element(ref, j, at) : matrix_element(ref, at, j), i, right);
        }
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
    refer_product(row, input, &r, &refs[C], arena);
    if (row->blocked)
        return;
    Matrix a = matrix_read(&input->tensors[A], arena);
    ref_allocate_bounded(&refs[A], r.dtype, &input->tensors[A], arena);
    matrix_put(&a, &refs[A]);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_reflections)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
