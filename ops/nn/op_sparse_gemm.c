/* C = alpha op(A) B + beta C with a matrix A that stores some elements only: those where a mask is
 * set.  What A is made of is told beside it, as the Inspector-Executor Sparse BLAS has it
 * (struct matrix_descr): all that is stored, or a triangle of it, which stands for a symmetric,
 * hermitian or triangular matrix, or its diagonal; a unit diagonal is 1 and not read.
 *
 * An element that is not stored is no term, and a stored 0 is a factor like any other (the Sparse
 * BLAS standard, chapter 3 of the BLAS Technical Forum Standard, 3.1).  beta = 0 does not read C
 * (section 2.7 there).  Where alpha is 0 no text says whether the factors are
 * multiplied, nor what the imaginary part of a hermitian diagonal is for: results that depend on it
 * may be anything.  Bound: the reduction lemma (oracle/bound.h) over what is stored, after
 * expansion.
 */
#include <math.h>

#include "nn_sparse.h"

typedef struct SparseGemm {
    int64_t dtype, order, m, n, k, ta, kind, uplo, diag, ldb, ldc;
    Scalar alpha, beta;
} SparseGemm;

enum { PLAIN, TRANSPOSED, CONJUGATED };
enum { GENERAL, SYMMETRIC, HERMITIAN, TRIANGULAR, DIAGONAL };
static const char *const orders[] = {"row", "col", NULL};
static const char *const operations[] = {"n", "t", "c", NULL};
static const char *const kinds[] = {"general",    "symmetric", "hermitian",
                                    "triangular", "diagonal",  NULL};
static const char *const triangles[] = {"lower", "upper", NULL};
static const char *const diagonals[] = {"stored", "unit", NULL};

static const Param params[] = {
    NN_DTYPE(SparseGemm),
    P_CHOICE(SparseGemm, order, orders, "storage of b and c", .placement = true),
    P_DIM(SparseGemm, m, 0, 256, "rows of op(A) and c"),
    P_DIM(SparseGemm, n, 0, 256, "columns of b and c"),
    P_DIM(SparseGemm, k, 0, 256, "columns of op(A), rows of b"),
    P_CHOICE(SparseGemm, ta, operations, "A is transposed, or conjugate transposed",
             .placement = true, .computing = 2),
    P_CHOICE(SparseGemm, kind, kinds, "what A is made of"),
    P_CHOICE(SparseGemm, uplo, triangles, "the triangle that is read", .placement = true),
    P_CHOICE(SparseGemm, diag, diagonals, "the diagonal is stored, or is 1 and not read"),
    P_PAD(SparseGemm, ldb, 256, "leading dimension of B beyond its minimum"),
    P_PAD(SparseGemm, ldc, 256, "leading dimension of C beyond its minimum"),
    P_SCALAR(SparseGemm, alpha, 1, "factor of the product"),
    P_SCALAR(SparseGemm, beta, 0, "factor of what is added"),
    P_END};
static const char *const tensors[] = {"mask", "a", "b", "c", NULL};
enum { MASK, A, B, C };

/* All but general matrices are square; a general one has no triangle. */
static void normalise(void *params_of_case)
{
    SparseGemm *q = params_of_case;
    if (q->kind != GENERAL)
        q->k = q->m;
    if (q->kind == GENERAL)
        q->uplo = q->diag = 0;
    if (q->kind == DIAGONAL)
        q->uplo = 0;
}

static double work(const void *params_of_case)
{
    const SparseGemm *q = params_of_case;
    return (double)(q->m * q->n * (q->k + 8) + 2 * q->m * q->k + q->k * q->n);
}

static TensorSpec dense(const SparseGemm *q, int64_t rows, int64_t columns, int64_t pad)
{
    bool by_rows = q->order == 0;
    int64_t minimum = by_rows ? columns : rows, leading = (minimum > 1 ? minimum : 1) + pad;
    TensorSpec spec = {.role = ROLE_IN, .leading = leading, .contraction = -1};
    spec.layout = tensor_matrix(nn_dtype(q), rows, columns, by_rows ? leading : 1,
                                by_rows ? 1 : leading, NULL);
    return spec;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const SparseGemm *q = params_of_case;
    bool plain = q->ta == PLAIN;
    Shape a = {2, {plain ? q->m : q->k, plain ? q->k : q->m}};
    *shapes = (Shapes){.depth = q->k};
    nn_add_operand(shapes, DT_BOOL, &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    shapes->tensor[A].part = PART_LEFT;
    shapes->tensor[B] = dense(q, q->k, q->n, q->ldb);
    shapes->tensor[B].part = PART_RIGHT;
    shapes->tensor[C] = dense(q, q->m, q->n, q->ldc);
    shapes->tensor[C].role = ROLE_INOUT;
    shapes->tensor[C].part = PART_ADDEND;
    shapes->tensor[C].ignored = scalar_is_zero(q->beta);
    shapes->count = C + 1;
}

/* A with what its kind adds: which elements there are, and the elements. */
typedef struct Expanded {
    Tensor mask, a;
} Expanded;

static void copy_element(const Expanded *to, int64_t i, int64_t j, const Tensor *a, int64_t row,
                         int64_t column, bool conjugate)
{
    int parts = dtype_components(a->dtype);
    int64_t from = tensor_offset(a, row, column) * parts, at = tensor_offset(&to->a, i, j) * parts;
    dtype_store(DT_BOOL, to->mask.origin, tensor_offset(&to->mask, i, j), 1);
    for (int part = 0; part < parts; part++)
        dtype_store(a->dtype, to->a.origin, at + part,
                    dtype_load(a->dtype, a->origin, from + part) * (part && conjugate ? -1 : 1));
}

static bool is_read(const SparseGemm *q, int64_t i, int64_t j)
{
    if (i == j)
        return q->diag == 0;
    return q->kind == GENERAL || (q->kind != DIAGONAL && (q->uplo == 0) == (j < i));
}

static Expanded expanded(const SparseGemm *q, const Tensor *mask, const Tensor *a, Arena *arena)
{
    int64_t rows = a->extent[0], columns = a->extent[1];
    size_t count = (size_t)(rows * columns) + 1;
    bool mirrors = q->kind == SYMMETRIC || q->kind == HERMITIAN;
    Expanded e = {tensor_matrix(DT_BOOL, rows, columns, columns, 1,
                                arena_take_zeroed(arena, count, dtype_size(DT_BOOL))),
                  tensor_matrix(a->dtype, rows, columns, columns, 1,
                                arena_take_zeroed(arena, count, dtype_size(a->dtype)))};
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            if (tensor_value(mask, i * columns + j) == 0 || !is_read(q, i, j))
                continue;
            copy_element(&e, i, j, a, i, j, false);
            if (mirrors && i != j)
                copy_element(&e, j, i, a, i, j, q->kind == HERMITIAN);
        }
    for (int64_t i = 0; i < rows && q->diag; i++) {
        dtype_store(DT_BOOL, e.mask.origin, i * columns + i, 1);
        dtype_store(a->dtype, e.a.origin, (i * columns + i) * dtype_components(a->dtype), 1);
    }
    return e;
}

/* The size of an element, or an infinity where a part of it is not finite. */
static double size_of(const Tensor *view, int64_t i, int64_t j)
{
    int parts = dtype_components(view->dtype);
    double size = 0;
    for (int part = 0; part < parts; part++)
        size +=
            fabs(dtype_load(view->dtype, view->origin, tensor_offset(view, i, j) * parts + part));
    return isnan(size) ? INFINITY : size;
}

static void admit_element(Ref *ref, int64_t row, int64_t column)
{
    size_t parts = (size_t)dtype_components(ref->dtype);
    for (size_t part = 0; part < parts; part++)
        ref_set_classes(ref, ((size_t)row * ref->columns + (size_t)column) * parts + part,
                        CLASS_ANY);
}

/* What no text settles: alpha = 0 beside products that are not finite, or may add up to what is
 * not, and a hermitian diagonal that is not real. */
static void admit_open(Ref *ref, const SparseGemm *q, const Expanded *e, const Tensor *b)
{
    double high = dtype_format(ref->dtype)->largest / 4 / (double)(q->k + 1);
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t p = 0; p < q->k; p++) {
            bool imaginary =
                q->kind == HERMITIAN && i == p && dtype_components(e->a.dtype) == 2 &&
                dtype_load(e->a.dtype, e->a.origin, tensor_offset(&e->a, i, p) * 2 + 1) != 0;
            if (tensor_value(&e->mask, i * q->k + p) == 0)
                continue;
            double factor = size_of(&e->a, i, p);
            for (int64_t j = 0; j < q->n; j++) {
                double other = size_of(b, p, j);
                bool far = factor < high && other < high && factor * other < high;
                if (imaginary || (scalar_is_zero(q->alpha) && !far))
                    admit_element(ref, i, j);
            }
        }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SparseGemm *q = input->params;
    const Tensor *t = input->tensors;
    Expanded e = expanded(q, &t[MASK], &t[A], arena);
    size_t *stored = arena_take(arena, (size_t)q->k + 1, sizeof *stored);
    SparseResult result;
    if (q->ta != PLAIN)
        e = (Expanded){tensor_transposed(e.mask), tensor_transposed(e.a)};
    sparse_begin(&result, &refs[C], nn_dtype(q), q->m, q->n, arena);
    for (int64_t i = 0; i < q->m; i++) {
        SparseRow row = {
            .left = {.view = sparse_row_as_column(&e.a, i), .conjugate = q->ta == CONJUGATED},
            .right = {.view = t[B]},
            .of_left = stored,
            .of_right = stored,
            .count = sparse_stored(&e.mask, i, stored),
            .alpha = q->alpha,
            .beta = q->beta,
            .c = tensor_one_row(&t[C], i)};
        sparse_put(&result, &row);
    }
    sparse_end(&result);
    admit_open(&refs[C], q, &e, &t[B]);
}

const OpDesc op_sparse_gemm = {
    .family = "nn",
    .version = 1,
    .size = sizeof(SparseGemm),
    .name = "sparse_gemm",
    .summary = "product of a matrix that stores some elements and a matrix, scaled and added",
    .params = params,
    .tensors = tensors,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
