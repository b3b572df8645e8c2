/* Values, vectors and the trace that were computed, judged as eigen.h says. */
#include "eigen.h"

#include <math.h>

#include "reference/wide_complex.h"

/* How far w is from the nearest of the values that are found here, and the bound where it is less.
 */
static Scalar distance_of(const Eigen *e, int64_t n, Scalar w, double bound)
{
    Scalar off = {INFINITY, INFINITY};
    for (int64_t k = 0; k < n; k++) {
        Scalar from = {w.re - e->values[k].re, w.im - e->values[k].im};
        if (hypot(from.re, from.im) < hypot(off.re, off.im))
            off = from;
    }
    bool is_far = fabs(off.re) > bound || fabs(off.im) > bound;
    return is_far && scalar_is_finite(off) ? off : (Scalar){2 * bound, 0};
}

void eigen_judge_values(const EigenProblem *p, const Scalar *w, bool has_vectors,
                        EigenDefect *defects, Arena *arena)
{
    int64_t n = p->a->rows;
    double tiny = 4 * dtype_format(p->dtype)->smallest_subnormal,
           bound = p->factor * p->norm + p->slack + tiny;
    double trace_bound = eigen_trace_bound(p);
    Scalar off = {0, 0};
    Eigen e = {0};
    bool last_is_wrong = false, is_found = false, real = dtype_components(p->dtype) == 1;
    for (int64_t j = 0; j < n; j++) {
        Scalar on = *matrix_at(p->a, j, j);
        off.re += w[j].re - on.re;
        off.im += w[j].im - on.im;
        double ratio = has_vectors ? 0 : eigen_value_ratio(p, w[j], arena);
        defects[j] = (EigenDefect){{0, 0}, bound};
        last_is_wrong = ratio > 1;
        if (last_is_wrong) {
            e = is_found ? e : eigen_of(p->a, real, arena);
            is_found = true;
            defects[j].off = distance_of(&e, n, w[j], bound);
        }
    }
    /* The last value is what the others leave of the trace, unless it is wrong by itself. */
    if (n > 0 && !last_is_wrong && !(fmax(fabs(off.re), fabs(off.im)) <= trace_bound))
        defects[n - 1] = (EigenDefect){off, trace_bound};
}

EigenDefect eigen_judge_element(const EigenProblem *p, const Scalar *v, Scalar w, int64_t i,
                                bool is_complex)
{
    int64_t n = p->a->rows;
    double admitted = 8 * (double)n * dtype_format(p->dtype)->unit;
    long double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += (long double)v[k].re * v[k].re + (long double)v[k].im * v[k].im;
    double length = (double)sqrtl(sum) - 1;
    EigenDefect defect;
    defect.off = eigen_residual(p, v, w, i, &defect.bound);
    if (fabs(length) > admitted &&
        fabs(length) / admitted > hypot(defect.off.re, defect.off.im) / defect.bound)
        defect = (EigenDefect){{length, is_complex ? length : 0}, admitted};
    return defect;
}
