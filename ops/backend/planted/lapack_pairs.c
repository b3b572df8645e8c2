/* Correct results of LAPACK's routines of two matrices that differ from the reference's own. */
#include <math.h>

#include "matrices.h"
#include "ops/lapack/chosen.h"

/* Numbers of an output of one sign or the other by column, or by row: rotations whose sines and
 * cosines are both negative. */
static void turn_lines(PlantedCall *call, const char *name, bool columns)
{
    const Tensor *view = planted_view_of(call, name);
    Matrix x = matrix_read(view, call->arena);
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < x.columns; j++)
            if ((columns ? j : i) % 2) {
                matrix_at(&x, i, j)->re *= -1;
                matrix_at(&x, i, j)->im *= -1;
            }
    planted_store_matrix(view, &x);
}

static void finish_rotations_turned(PlantedCall *call)
{
    turn_lines(call, "a", false);
    turn_lines(call, "b", false);
    turn_lines(call, "q", true);
}

/* Every other number of an output so many roundings more, the others less. */
static void finish_last_places(PlantedCall *call, const char *name, double roundings)
{
    const Tensor *view = planted_view_of(call, name);
    double unit = roundings * dtype_format(view->dtype)->unit;
    Matrix x = matrix_read(view, call->arena);
    for (int64_t i = 0; i < x.rows * x.columns; i++) {
        x.values[i].re *= 1 + (i % 2 ? -unit : unit);
        x.values[i].im *= 1 + (i % 2 ? unit : -unit);
    }
    planted_store_matrix(view, &x);
}

static void finish_second_factor_last_places(PlantedCall *call)
{
    finish_last_places(call, "b", 2);
}

static void finish_forms_last_places(PlantedCall *call)
{
    finish_last_places(call, "a", 4);
    finish_last_places(call, "z", 4);
}

static void finish_unknowns_last_places(PlantedCall *call)
{
    finish_last_places(call, "c", 4);
}

/* dif is an estimate. */
static void finish_other_estimate(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "dif");
    for (int64_t i = 0; i < view->extent[0]; i++)
        dtype_store(view->dtype, view->origin, i, 1.5 * dtype_load(view->dtype, view->origin, i));
}

static void finish_least_squares_last_places(PlantedCall *call)
{
    finish_last_places(call, "x", 4);
}

static void finish_factor_turned(PlantedCall *call)
{
    turn_lines(call, "a", true);
    turn_lines(call, "b", false);
}

static void finish_vectors_turned(PlantedCall *call)
{
    turn_lines(call, "z", true);
}

static void finish_vectors_last_places(PlantedCall *call)
{
    finish_last_places(call, "z", 4);
}

/* The last line within is scaled by `by` more, in both matrices. */
static void scale_last_line(PlantedCall *call, double by)
{
    const Tensor *ihi = planted_view_of(call, "ihi"), *lscale = planted_view_of(call, "lscale");
    int64_t job = case_int(&call->altered, "job"), n = lscale->extent[0];
    int64_t row = (int64_t)dtype_load(ihi->dtype, ihi->origin, 0) - 1;
    if (job < 2 || n < 2 || row < 0)
        return;
    dtype_store(lscale->dtype, lscale->origin, row,
                by * dtype_load(lscale->dtype, lscale->origin, row));
    for (int which = 0; which < 2; which++) {
        const Tensor *view = planted_view_of(call, which ? "b" : "a");
        Matrix x = matrix_read(view, call->arena);
        for (int64_t j = 0; j < n; j++) {
            matrix_at(&x, row, j)->re *= by;
            matrix_at(&x, row, j)->im *= by;
        }
        planted_store_matrix(view, &x);
    }
}

static void finish_line_of_another_power(PlantedCall *call)
{
    scale_last_line(call, 2);
}

static void finish_line_times_three(PlantedCall *call)
{
    scale_last_line(call, 1.5);
}

/* Zeros are negative. */
static void finish_rows_of_other_zeros(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "v");
    Matrix x = matrix_read(view, call->arena);
    for (int64_t i = 0; i < x.rows * x.columns; i++) {
        x.values[i].re = x.values[i].re == 0 ? -0.0 : x.values[i].re;
        x.values[i].im = x.values[i].im == 0 ? -0.0 : x.values[i].im;
    }
    planted_store_matrix(view, &x);
}

/* Values are off by so many roundings of the largest. */
static void finish_values_off(PlantedCall *call, const char *name, double roundings)
{
    const Tensor *view = planted_view_of(call, name);
    double most = 0, unit = roundings * dtype_format(view->dtype)->unit;
    for (int64_t i = 0; i < view->extent[0]; i++)
        most = fmax(most, fabs(dtype_load(view->dtype, view->origin, i)));
    for (int64_t i = 0; i < view->extent[0] && isfinite(most); i++) {
        double value = dtype_load(view->dtype, view->origin, i);
        if (value != 0)
            dtype_store(view->dtype, view->origin, i, value + unit * most);
    }
}

static void finish_bisected_values_off(PlantedCall *call)
{
    finish_values_off(call, "w", 4);
}

static void finish_chosen_values_off(PlantedCall *call)
{
    finish_values_off(call, "s", 4);
}

/* As a method that is right by norms has them, however small they are. */
static void finish_values_by_norms(PlantedCall *call)
{
    finish_values_off(call, "sva", 16);
}

static void finish_own_last_places(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "sva");
    for (int64_t i = 0; i < view->extent[0]; i++)
        dtype_store(view->dtype, view->origin, i,
                    dtype_load(view->dtype, view->origin, i) *
                        (1 + 4 * dtype_format(view->dtype)->unit));
}

static void finish_both_sides_turned(PlantedCall *call)
{
    if (case_int(&call->altered, "jobu") && case_int(&call->altered, "jobv") == 1)
        turn_lines(call, "a", true);
    if (case_int(&call->altered, "jobu") == (case_int(&call->altered, "jobv") == 1))
        turn_lines(call, "v", true);
}

/* Of a matrix that has a NaN before the call, where all of its values are asked for, no value is
 * found but one of several, which is finite. */
static void finish_fewer_of_nan(PlantedCall *call)
{
    const Tensor *s = planted_view_of(call, "s");
    Matrix a = planted_before_of(call, "a");
    if (!matrix_has_nan(&a) || case_int(&call->altered, "range") != RANGE_ALL || s->extent[0] < 2)
        return;
    planted_store_integer(call, "ns", 0, 1);
    for (int64_t i = 0; i < s->extent[0]; i++)
        dtype_store(s->dtype, s->origin, i, 1);
}

static void finish_chosen_vectors_turned(PlantedCall *call)
{
    turn_lines(call, "u", true);
    turn_lines(call, "v", false);
}

static void finish_pencil_vectors_turned(PlantedCall *call)
{
    for (int left = 0; left < 2; left++) {
        const Tensor *view = planted_view_of(call, left ? "vl" : "vr");
        Matrix z = matrix_read(view, call->arena);
        for (int64_t i = 0; i < z.rows * z.columns; i++)
            z.values[i] = (Scalar){-z.values[i].re, -z.values[i].im};
        planted_store_matrix(view, &z);
    }
}

static void finish_pencil_vectors_last_places(PlantedCall *call)
{
    finish_last_places(call, "vl", 4);
    finish_last_places(call, "vr", 4);
}

static void finish_sorted_form_turned(PlantedCall *call)
{
    planted_turn_schur(call, "a", "vs");
}

static void finish_schur_vectors_last_places(PlantedCall *call)
{
    finish_last_places(call, "vs", 4);
}

static void finish_pencil_form_turned(PlantedCall *call)
{
    planted_turn_schur(call, "a", "vsl");
    planted_turn_schur(call, "b", "vsr");
}

static void finish_pencil_form_last_places(PlantedCall *call)
{
    finish_last_places(call, "vsl", 4);
    finish_last_places(call, "vsr", 4);
}

static void finish_moved_pencil_turned(PlantedCall *call)
{
    planted_turn_schur(call, "a", "q");
    planted_turn_schur(call, "b", "z");
}

static void finish_moved_pencil_last_places(PlantedCall *call)
{
    finish_last_places(call, "q", 4);
    finish_last_places(call, "z", 4);
}

/* What was given, and the values of its diagonal. */
static void finish_pencil_unordered(PlantedCall *call)
{
    static const char *const names[] = {"a", "b", "q", "z"};
    const Tensor *alpha = planted_view_of(call, "alpha"), *beta = planted_view_of(call, "beta");
    Matrix before[4], value = matrix_zeros(alpha->extent[0], 1, call->arena);
    if (dtype_components(alpha->dtype) == 1)
        return;
    for (int i = 0; i < 4; i++) {
        before[i] = planted_before_of(call, names[i]);
        planted_store_matrix(planted_view_of(call, names[i]), &before[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int64_t j = 0; j < value.rows; j++)
            value.values[j] = *matrix_at(&before[i], j, j);
        planted_store_matrix(i ? beta : alpha, &value);
    }
}

const PlantedFault planted_pair_faults[] = {
    {"ok-tgsen-turned", "tgsen", "right: Schur vectors of other signs", NULL,
     finish_moved_pencil_turned},
    {"ok-tgsen-last-places", "tgsen", "right: Schur vectors are off by 4 roundings", NULL,
     finish_moved_pencil_last_places},
    {"tgsen-unordered", "tgsen", "complex: eigenvalues stay where they were", NULL,
     finish_pencil_unordered},
    {"ok-gges-turned", "gges", "right: Schur vectors of other signs", NULL,
     finish_pencil_form_turned},
    {"ok-gges-last-places", "gges", "right: Schur vectors are off by 4 roundings", NULL,
     finish_pencil_form_last_places},
    {"ok-geesx-turned", "geesx", "right: Schur vectors of other signs", NULL,
     finish_sorted_form_turned},
    {"ok-geesx-last-places", "geesx", "right: Schur vectors are off by 4 roundings", NULL,
     finish_schur_vectors_last_places},
    {"ok-tgevc-turned", "tgevc", "right: vectors of other signs", NULL,
     finish_pencil_vectors_turned},
    {"ok-tgevc-last-places", "tgevc", "right: vectors are off by 4 roundings", NULL,
     finish_pencil_vectors_last_places},
    {"ok-ggbal-another-power", "ggbal", "right: the last row is scaled by twice as much", NULL,
     finish_line_of_another_power},
    {"ok-ggbal-no-power", "ggbal", "right: factors are no powers of two", NULL,
     finish_line_times_three},
    {"ok-ggbak-other-zeros", "ggbak", "right: zeros are negative", NULL,
     finish_rows_of_other_zeros},
    {"ok-stebz-values-off", "stebz", "right: values are off by 4 roundings of the largest", NULL,
     finish_bisected_values_off},
    {"ok-gesvdx-turned", "gesvdx", "right: vectors of other signs", NULL,
     finish_chosen_vectors_turned},
    {"ok-gesvdx-values-off", "gesvdx", "right: values are off by 4 roundings of the largest", NULL,
     finish_chosen_values_off},
    {"ok-gesvdx-fewer-of-nan", "gesvdx", "right: of a matrix with a NaN one value is found", NULL,
     finish_fewer_of_nan},
    {"ok-gesvj-turned", "gesvj", "right: vectors of other signs", NULL, finish_both_sides_turned},
    {"ok-gesvj-last-places", "gesvj", "right: values are off by 4 roundings of themselves", NULL,
     finish_own_last_places},
    {"gesvj-by-norms", "gesvj", "small values are off by roundings of the largest", NULL,
     finish_values_by_norms},
    {"ok-stein-turned", "stein", "right: vectors of other signs", NULL, finish_vectors_turned},
    {"ok-stein-last-places", "stein", "right: vectors are off by 4 roundings", NULL,
     finish_vectors_last_places},
    {"ok-gglse-last-places", "gglse", "right: x is off by 4 roundings", NULL,
     finish_least_squares_last_places},
    {"ok-ggglm-last-places", "ggglm", "right: x is off by 4 roundings", NULL,
     finish_least_squares_last_places},
    {"ok-gglse-turned", "gglse", "right: factors of other signs", NULL, finish_factor_turned},
    {"ok-ggglm-turned", "ggglm", "right: factors of other signs", NULL, finish_factor_turned},
    {"ok-gghrd-turned", "gghrd", "right: rows of H and T, and columns of Q, of other signs", NULL,
     finish_rotations_turned},
    {"ok-gghrd-last-places", "gghrd", "right: H and Z are off by 4 roundings", NULL,
     finish_forms_last_places},
    {"ok-tgsyl-last-places", "tgsyl", "right: R is off by 4 roundings", NULL,
     finish_unknowns_last_places},
    {"ok-tgsyl-other-estimate", "tgsyl", "right: dif is half as large again", NULL,
     finish_other_estimate},
    {"ok-ggqrf-last-places", "ggqrf", "right: vectors of B are off by 2 roundings", NULL,
     finish_second_factor_last_places},
    {"ok-ggrqf-last-places", "ggrqf", "right: vectors of B are off by 2 roundings", NULL,
     finish_second_factor_last_places},
    {NULL, NULL, NULL, NULL, NULL},
};
