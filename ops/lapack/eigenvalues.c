/* Eigenvalues in w and wi. */
#include "eigenvalues.h"

#include "spectrum.h"

enum { W, WI };

static bool is_real(DType w)
{
    return dtype_components(w) == 1;
}

Scalar *eigenvalues_read(const Tensor w_wi[2], int64_t n, Arena *arena)
{
    Scalar *w = arena_take(arena, (size_t)n + 1, sizeof *w);
    bool real = is_real(w_wi[W].dtype);
    const Tensor *from = &w_wi[W], *rest = real ? &w_wi[WI] : from;
    for (int64_t j = 0; j < n; j++) {
        w[j].re = dtype_load(from->dtype, from->origin, real ? j : 2 * j);
        w[j].im = dtype_load(rest->dtype, rest->origin, real ? j : 2 * j + 1);
    }
    return w;
}

bool eigenvalues_begin_pair(const Scalar *w, int64_t j, int64_t n)
{
    return w[j].im > 0 && j + 1 < n;
}

void eigenvalues_put_rounded(Ref w_wi[2], int64_t j, Scalar value)
{
    bool real = is_real(w_wi[W].dtype);
    DType part = dtype_component(w_wi[W].dtype);
    ref_set_exact(&w_wi[W], (size_t)(real ? j : 2 * j), dtype_round(part, value.re), MATCH_VALUE);
    ref_set_exact(real ? &w_wi[WI] : &w_wi[W], (size_t)(real ? j : 2 * j + 1),
                  dtype_round(part, value.im), MATCH_VALUE);
}

static void put_defect(Ref w_wi[2], int64_t j, Scalar w, const EigenDefect *defect)
{
    Scalar off = defect->off;
    if (!is_real(w_wi[W].dtype)) {
        spectrum_put_defect(&w_wi[W], 2 * (size_t)j, w, off, defect->bound);
        return;
    }
    spectrum_put_defect(&w_wi[W], (size_t)j, (Scalar){w.re, 0}, (Scalar){off.re, 0}, defect->bound);
    spectrum_put_defect(&w_wi[WI], (size_t)j, (Scalar){w.im, 0}, (Scalar){off.im, 0},
                        defect->bound);
}

static void put_partners(Ref w_wi[2], const Scalar *w, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        if (eigenvalues_begin_pair(w, j, n)) {
            j++;
            ref_set_exact(&w_wi[W], (size_t)j, w[j - 1].re, MATCH_VALUE);
            ref_set_exact(&w_wi[WI], (size_t)j, -w[j - 1].im, MATCH_VALUE);
        } else if (w[j].im != 0) {
            ref_set_exact(&w_wi[WI], (size_t)j, 0, MATCH_VALUE);
        }
    }
}

void eigenvalues_judge(Ref w_wi[2], const EigenProblem *problem, const Scalar *w, bool has_vectors,
                       Arena *arena)
{
    int64_t n = problem->a->rows;
    EigenDefect *defects = arena_take(arena, (size_t)n + 1, sizeof *defects);
    eigen_judge_values(problem, w, has_vectors, defects, arena);
    for (int64_t j = 0; j < n; j++)
        put_defect(w_wi, j, w[j], &defects[j]);
    if (is_real(w_wi[W].dtype))
        put_partners(w_wi, w, n);
}
