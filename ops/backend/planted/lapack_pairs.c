/* Correct results of LAPACK's routines of two matrices that differ from the reference's own. */
#include "matrices.h"

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

const PlantedFault planted_pair_faults[] = {
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
