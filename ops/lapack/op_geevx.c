/* Eigenvalues and vectors of a square matrix as geev gives them (op_geev.c), with the balancing
 * that `balanc` says, as gebal gives it (op_gebal.c), the norm of the balanced matrix B = D^-1 P^T
 * A P D, and reciprocal condition numbers.
 *
 * abnrm is the largest sum of a column of B, within n + 8 roundings.  rconde(j) is |y^H x| of the
 * left and right eigenvectors of B of norm 1 (LAPACK Users' Guide, 3rd ed., section 4.8.1.3), which
 * are those that the routine gives but for P and D: what was given tells them within a few
 * roundings of each element, and a product of two vectors of norm 1 is within gamma_n of itself
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1), gamma_(8 n + 64)
 * in all. rcondv(j) is an estimate of sep(w, T_22) by 1 / |Z x| with |x| = 1 for Z the inverse of
 * T_22 - w I, which is at most the norm of T_22 - w I by columns, 2 sqrt(n) |B| and some roundings.
 *
 * Where the largest element of A is near the root of the range the matrix is scaled before it is
 * balanced, and nothing is said of balancing and condition numbers; nor where A has no rows. */
#include <math.h>

#include "balance.h"
#include "condition.h"
#include "eigenvectors.h"
#include "reference/equation.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("balanc", Lapack, job, lapack_balances, "how A is balanced"),
    P_CHOICE(Lapack, jobvl, lapack_jobs, "values alone, or left vectors as well"),
    P_CHOICE(Lapack, jobvr, lapack_jobs, "values alone, or right vectors as well"),
    P_CHOICE(Lapack, sense, lapack_senses, "what condition numbers are found of"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    EIGENVECTORS_LEADING,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a",     "w",     "wi",     "vl",     "vr",   "ilo", "ihi",
                                      "scale", "abnrm", "rconde", "rcondv", "info", NULL};
enum { A, W, WI, VL, VR, ILO, IHI, SCALE, ABNRM, RCONDE, RCONDV, INFO };

static bool senses_values(const Lapack *q)
{
    return q->sense == 1 || q->sense == 3;
}

static void normalise(void *of)
{
    Lapack *q = of;
    if (senses_values(q))
        q->jobvl = q->jobvr = 1;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    eigenvectors_shape(q, shapes, INFO);
    shapes->tensor[ILO] = lapack_integers(1);
    shapes->tensor[IHI] = lapack_integers(1);
    shapes->tensor[SCALE] = lapack_real_vector(q, q->n);
    shapes->tensor[ABNRM] = blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
    shapes->tensor[RCONDE] = lapack_real_vector(q, senses_values(q) ? q->n : 0);
    shapes->tensor[RCONDV] = lapack_real_vector(q, q->sense >= 2 ? q->n : 0);
}

/* Whether routines do not scale A, and D is far from the ends of the range. */
static bool is_moderate(const Matrix *a, const Balancing *b, const Format *format)
{
    double largest = 0, small = sqrt(format->smallest_normal) / format->unit, most = 1;
    for (int64_t i = 0; i < a->rows * a->rows; i++)
        largest = fmax(largest, hypot(a->values[i].re, a->values[i].im));
    for (int64_t i = b->first; i < b->end; i++)
        most = fmax(most, fmax(b->scale[i], 1 / b->scale[i]));
    return (largest == 0 || (largest > 4 * small && largest < 1 / (4 * small))) &&
           most < ldexp(1, format->maximum_exponent / 8);
}

/* abnrm and condition numbers of B, by vectors of A. */
static void put_conditions(Ref *refs, const Lapack *q, const Balancing *b, const Matrix *a,
                           Matrix vectors[2], const Scalar *w, Arena *arena)
{
    const Format *format = dtype_format((DType)q->dtype);
    int64_t n = q->n;
    Matrix balanced = balance_matrix(b, a, arena);
    double norm = condition_norm(&balanced), unit = equation_gamma(format, 8 * (double)n + 64);
    ref_put_bounded(&refs[ABNRM], 0, norm, 0x1p-45 * norm,
                    equation_gamma(format, (double)n + 8) * norm);
    double most = 2 * (norm + 1) * (sqrt((double)n) + 1) * (1 + unit) * (double)(n + 1);
    for (int64_t j = 0; j < n && q->sense >= 2; j++)
        ref_put_bounded(&refs[RCONDV], (size_t)j, most / 2, 0, most / 2);
    if (!senses_values(q))
        return;
    Scalar *x = arena_take(arena, (size_t)n + 1, sizeof *x);
    Scalar *y = arena_take(arena, (size_t)n + 1, sizeof *y);
    for (int left = 0; left < 2; left++)
        balance_vectors(b, left, &vectors[left]);
    for (int64_t j = 0; j < n; j++) {
        bool pair = lapack_is_real(q) && eigenvalues_begin_pair(w, j, n);
        int columns = pair ? 2 : 1;
        eigenvectors_read(&vectors[0], j, pair, x);
        eigenvectors_read(&vectors[1], j, pair, y);
        long double s = eigenvectors_cosine(y, x, n);
        for (int k = 0; k < columns; k++)
            if (isfinite(s))
                ref_put_bounded(&refs[RCONDE], (size_t)(j + k), s, 0x1p-61 * (double)(n + 8), unit);
        j += columns - 1;
    }
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    EigenProblem p = eigen_problem(a, (DType)q->dtype, arena);
    const EigenvectorRefs vectors = {&refs[W], &refs[VL], &refs[VR]};
    const BalanceRefs balance = {NULL, &refs[ILO], &refs[IHI], &refs[SCALE]};
    lapack_put_known(&refs[INFO], &computed[INFO], p.known, 0);
    for (int i = ILO; i <= IHI; i++)
        ref_set_classes(&refs[i], 0, CLASS_ANY);
    Balancing b;
    bool legal = balance_read(&b, q->n, &computed[ILO], arena);
    if (!p.known)
        return;
    eigenvectors_judge(&vectors, q, p, &computed[W], &computed[VL], &computed[VR], arena);
    if (legal && !is_moderate(a, &b, dtype_format((DType)q->dtype)))
        return;
    balance_judge(&balance, q, a, &computed[ILO], arena);
    if (!legal)
        return;
    Scalar *w = eigenvalues_read(&computed[W], q->n, arena);
    Matrix z[] = {matrix_read(&computed[VR], arena), matrix_read(&computed[VL], arena)};
    put_conditions(refs, q, &b, a, z, w, arena);
}

/* Values of a reference. */
static Matrix values_of(const Ref *ref, Arena *arena)
{
    Matrix to = matrix_zeros((int64_t)ref->rows, (int64_t)ref->columns, arena);
    bool pair = dtype_components(ref->dtype) == 2;
    for (int64_t i = 0; i < to.rows * to.columns; i++)
        to.values[i] = (Scalar){ref->high[pair ? 2 * i : i], pair ? ref->high[2 * i + 1] : 0};
    return to;
}

static void compute(Ref *refs, const Lapack *q, const Matrix *a, Arena *arena)
{
    const EigenvectorRefs vectors = {&refs[W], &refs[VL], &refs[VR]};
    const BalanceRefs balance = {NULL, &refs[ILO], &refs[IHI], &refs[SCALE]};
    Matrix b = matrix_copy(a, arena);
    balance_compute(&balance, q, &b, arena);
    eigenvectors_put(&vectors, q, a, arena);
    const Balancing balancing = {(int64_t)refs[ILO].high[0] - 1, (int64_t)refs[IHI].high[0],
                                 refs[SCALE].high};
    Matrix z[] = {values_of(&refs[VR], arena), values_of(&refs[VL], arena)};
    Scalar *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    bool real = lapack_is_real(q);
    for (int64_t j = 0; j < q->n; j++)
        w[j] = (Scalar){refs[W].high[real ? j : 2 * j],
                        real ? refs[WI].high[j] : refs[W].high[2 * j + 1]};
    put_conditions(refs, q, &balancing, a, z, w, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        if (i == ILO || i == IHI)
            ref_allocate_exact(&refs[i], &given[i], arena);
        else
            lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (q->n == 0) {
        lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
        for (int i = ILO; i <= ABNRM; i++)
            if (i != SCALE)
                ref_leave(&refs[i], 0, arena);
        return;
    }
    if (input->computed) {
        judge(refs, input, &a, arena);
        return;
    }
    for (int i = ILO; i <= IHI; i++)
        lapack_put_integer(&refs[i], 0, q->n, 1, q->n);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (matrix_is_finite(&a))
        compute(refs, q, &a, arena);
}

const OpDesc op_geevx = {
    .name = "geevx",
    .summary = "eigenvalues and vectors of a square matrix with balancing and condition numbers",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = eigenvectors_work,
    .reference = reference,
};
