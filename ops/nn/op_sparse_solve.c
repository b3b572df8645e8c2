/* Solves op(T) Y = alpha B with a triangular T that stores some of its elements only: those of a
 * triangle of A where a mask is set, and its whole diagonal, unless that is 1 and not read.
 *
 * Judged by the residual, as trsm is (reference/solve.h): each unknown by its equation, given all
 * others, over what is stored.  What an unknown that is not finite meets may be anything. */
#include "nn_sparse.h"
#include "reference/solve.h"

typedef struct SparseSolve {
    int64_t dtype, m, n, uplo, ta, diag;
    Scalar alpha;
} SparseSolve;

enum { PLAIN, TRANSPOSED, CONJUGATED };
static const char *const triangles[] = {"lower", "upper", NULL};
static const char *const operations[] = {"n", "t", "c", NULL};
static const char *const diagonals[] = {"stored", "unit", NULL};

static const Param params[] = {
    NN_DTYPE(SparseSolve),
    P_DIM(SparseSolve, m, 0, 256, "order of the triangle, rows of b and y"),
    P_DIM(SparseSolve, n, 0, 64, "columns of b and y"),
    P_CHOICE(SparseSolve, uplo, triangles, "the triangle that is read", .placement = true),
    P_CHOICE(SparseSolve, ta, operations, "the triangle is transposed, or conjugate transposed",
             .placement = true, .computing = 2),
    P_CHOICE(SparseSolve, diag, diagonals, "the diagonal is stored, or is 1 and not read"),
    P_SCALAR(SparseSolve, alpha, 1, "factor of b"),
    P_END};
static const char *const tensors[] = {"mask", "a", "b", "y", NULL};
enum { MASK, A, B, Y };

static double work(const void *params_of_case)
{
    const SparseSolve *q = params_of_case;
    return (double)(4 * q->m * q->m * (q->n + 1) + 8 * q->m * q->n);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const SparseSolve *q = params_of_case;
    Shape a = {2, {q->m, q->m}}, b = {2, {q->m, q->n}};
    *shapes = (Shapes){.depth = q->m};
    nn_add_operand(shapes, DT_BOOL, &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_OUT);
}

/* The triangle as a dense one: zeros where nothing is stored, which take part in nothing, and its
 * diagonal written out. */
static Tensor triangle_of(const SparseSolve *q, const Tensor *mask, const Tensor *a, Arena *arena)
{
    int parts = dtype_components(a->dtype);
    size_t count = (size_t)(q->m * q->m) + 1;
    Tensor t = tensor_matrix(a->dtype, q->m, q->m, q->m, 1,
                             arena_take_zeroed(arena, count, dtype_size(a->dtype)));
    bool lower = q->uplo == 0;
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = lower ? 0 : i; j < (lower ? i + 1 : q->m); j++) {
            bool stored = i == j ? q->diag == 0 : tensor_value(mask, i * q->m + j) != 0;
            int64_t from = (i * a->stride[0] + j * a->stride[1]) * parts, to = i * q->m + j;
            for (int part = 0; part < parts && stored; part++)
                dtype_store(t.dtype, t.origin, to * parts + part,
                            dtype_load(a->dtype, a->origin, from + part));
            if (i == j && !stored)
                dtype_store(t.dtype, t.origin, to * parts, 1);
        }
    t.limited = q->m > 1;
    t.below = lower ? q->m : 0;
    t.above = lower ? 0 : q->m;
    return q->ta == PLAIN ? t : tensor_transposed(t);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SparseSolve *q = input->params;
    const Tensor *t = input->tensors;
    SolveInput solve = {.t = triangle_of(q, &t[MASK], &t[A], arena),
                        .b = t[B],
                        .computed = input->computed ? &input->computed[Y] : NULL,
                        .conjugate = q->ta == CONJUGATED,
                        .alpha = q->alpha};
    solve_reference(&refs[Y], &solve, arena);
}

const OpDesc op_sparse_solve = {
    NN_OP(SparseSolve, 1),
    .name = "sparse_solve",
    .summary = "triangular system of a matrix that stores some elements, many right sides",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_BLAS,
    .judged_by_residual = true,
    .shape = shape,
    .work = work,
    .reference = reference,
};
