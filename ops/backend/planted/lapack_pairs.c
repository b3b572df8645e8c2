/* Correct results of LAPACK's factors of two matrices that differ from the reference's own. */
#include "matrices.h"

/* Every other number of B's factors 2 roundings more, the others less. */
static void finish_second_factor_last_places(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "b");
    double unit = 2 * dtype_format(view->dtype)->unit;
    Matrix x = matrix_read(view, call->arena);
    for (int64_t i = 0; i < x.rows * x.columns; i++) {
        x.values[i].re *= 1 + (i % 2 ? -unit : unit);
        x.values[i].im *= 1 + (i % 2 ? unit : -unit);
    }
    planted_store_matrix(view, &x);
}

const PlantedFault planted_pair_faults[] = {
    {"ok-ggqrf-last-places", "ggqrf", "right: vectors of B are off by 2 roundings", NULL,
     finish_second_factor_last_places},
    {"ok-ggrqf-last-places", "ggrqf", "right: vectors of B are off by 2 roundings", NULL,
     finish_second_factor_last_places},
    {NULL, NULL, NULL, NULL, NULL},
};
