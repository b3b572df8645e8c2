/* A pencil of A and an upper triangle B becomes H and T, H upper Hessenberg and T an upper
 * triangle, A = Q H Z^H and B = Q T Z^H with unitary Q and Z, by rotations of rows and columns ilo
 * to ihi.  q and z have nothing, Q and Z, or the products Q1 Q and Z1 Z of what they had before, as
 * `compq` and `compz` say.
 *
 * pencil_form.h has the bounds.
 *
 * H is 0 below its subdiagonal and T below its diagonal (dgghrd.f: set to zero).  Where numbers are
 * not finite, or norms may leave the range, nothing else is said. */
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "pencil_form.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

static const char *const vectors[] = {"nothing", "identity", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("compq", Lapack, jobvl, vectors, "no Q, or Q, or its product with what q has"),
    P_CHOICE(Lapack, compz, vectors, "no Z, or Z, or its product with what z has"),
    LAPACK_N("rows and columns of A"),
    LAPACK_BLOCK,
    LAPACK_LDA,
    LAPACK_LDB,
    P_ROW("ldq", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldz", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "b", "q", "z", "info", NULL};
enum { A, B, Q, Z, INFO };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    for (int i = A; i <= B; i++) {
        shapes->tensor[i] = lapack_matrix(q, q->n, q->n, i == A ? q->lda : q->ldb, ROLE_INOUT);
        shapes->tensor[i].arrangement = lapack_arrangement(q);
        shapes->tensor[i].block = i == A ? lapack_block(q) : (DiagonalBlock){.first = 0, .end = 1};
    }
    for (int i = Q; i <= Z; i++) {
        int64_t job = i == Q ? q->jobvl : q->compz, order = job == PENCIL_NOTHING ? 0 : q->n;
        shapes->tensor[i] = lapack_matrix(q, order, order, i == Q ? q->ldu : q->ldv,
                                          job == PENCIL_GIVEN ? ROLE_INOUT : ROLE_OUT);
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 60 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

static void judge(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    static const int operands[] = {A, B, Q, Z};
    PencilForm form =
        pencil_form_of(refs, input, operands, (PencilFactor)q->jobvl, (PencilFactor)q->compz);
    (void)pencil_form_judge(&form, arena);
}

/* c and s of the rotation that makes (f, g) (r, 0). */
typedef struct Rotation {
    long double c;
    LongComplex s;
} Rotation;

static Rotation rotation_of(LongComplex f, LongComplex g)
{
    long double size = cabsl(f), r = hypotl(size, cabsl(g));
    if (r == 0 || cabsl(g) == 0)
        return (Rotation){1, 0};
    LongComplex phase = size > 0 ? f / size : 1;
    return (Rotation){size / r, phase * conjl(g) / r};
}

/* x and y become c x + s y and c y - conj(s) x, of n numbers with a step. */
static void rotate(Rotation by, LongComplex *x, LongComplex *y, int64_t n, int64_t step)
{
    for (int64_t k = 0; k < n; k++) {
        LongComplex u = x[k * step], v = y[k * step];
        x[k * step] = by.c * u + by.s * v;
        y[k * step] = by.c * v - conjl(by.s) * u;
    }
}

static void put_values(Ref *ref, const LongComplex *values, int64_t n, Arena *arena)
{
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++)
        to.values[i] = (Scalar){(double)creall(values[i]), (double)cimagl(values[i])};
    matrix_put_rounded(&to, ref);
}

/* One right result, by rotations one by one in 64 bits. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix given[2], Arena *arena)
{
    const Lapack *q = input->params;
    int64_t n = q->n;
    LongComplex *x[4];
    for (int i = A; i <= Z; i++) {
        Matrix factor = matrix_identity(n, arena);
        if (i >= Q && (i == Q ? q->jobvl : q->compz) == PENCIL_GIVEN)
            factor = matrix_read(&input->tensors[i], arena);
        x[i] = dense_widened(i <= B ? &given[i] : &factor, arena);
    }
    for (int64_t j = q->ilo - 1; j + 2 < q->ihi; j++)
        for (int64_t i = q->ihi - 1; i > j + 1; i--) {
            Rotation left = rotation_of(x[A][(i - 1) * n + j], x[A][i * n + j]);
            for (int k = A; k <= B; k++)
                rotate(left, x[k] + (i - 1) * n, x[k] + i * n, n, 1);
            x[A][i * n + j] = 0;
            left.s = conjl(left.s);
            rotate(left, x[Q] + i - 1, x[Q] + i, n, n);
            Rotation right = rotation_of(x[B][i * n + i], x[B][i * n + i - 1]);
            for (int k = A; k <= Z; k++)
                if (k != Q)
                    rotate(right, x[k] + i, x[k] + i - 1, n, n);
            x[B][i * n + i - 1] = 0;
        }
    for (int i = A; i <= Z; i++)
        if (i <= B || (i == Q ? q->jobvl : q->compz) != PENCIL_NOTHING)
            put_values(&refs[i], x[i], n, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *tensor = input->tensors;
    const Matrix given[2] = {matrix_read(&tensor[A], arena), matrix_read(&tensor[B], arena)};
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &tensor[i], arena);
    ref_allocate_exact(&refs[INFO], &tensor[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (input->computed)
        judge(refs, input, arena);
    else
        compute(refs, input, given, arena);
}

const OpDesc op_gghrd = {
    .name = "gghrd",
    .summary = "Hessenberg and triangular form of a pencil by rotations",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
