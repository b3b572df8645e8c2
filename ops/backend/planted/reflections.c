/* Correct ways of applying reflections that differ from the reference's own. */
#include <string.h>

#include "matrices.h"

/* A real C by one reflection of a row of A from the right: C - (C v) (tau v)^T, where dlarf has C -
 * tau (C v) v^T.  What underflows in tau v is multiplied by elements of C. */
static void finish_scaled_vector(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "c");
    Matrix a = planted_before_of(call, "a"), tau = planted_before_of(call, "tau");
    Matrix c = planted_before_of(call, "c");
    bool right = !strcmp(case_choice(call->operands->source, "side"), "right");
    if (!right || a.rows != 1 || tau.rows != 1 || dtype_components(view->dtype) == 2)
        return;
    for (int64_t i = 0; i < c.rows; i++) {
        double inner = matrix_at(&c, i, 0)->re;
        for (int64_t j = 1; j < c.columns; j++)
            inner = dtype_round(view->dtype,
                                inner + dtype_round(view->dtype, matrix_at(&c, i, j)->re *
                                                                     matrix_at(&a, 0, j)->re));
        for (int64_t j = 0; j < c.columns; j++) {
            double v = j == 0 ? 1 : matrix_at(&a, 0, j)->re;
            double scaled = dtype_round(view->dtype, tau.values[0].re * v);
            Scalar *at = matrix_at(&c, i, j);
            at->re = dtype_round(view->dtype, at->re - dtype_round(view->dtype, inner * scaled));
        }
    }
    planted_store_matrix(view, &c);
}

const PlantedFault planted_reflection_faults[] = {
    {"ok-ormlq-scaled-vector", "ormlq", "right: tau v is formed first, with one reflection of rows",
     NULL, finish_scaled_vector},
    {NULL, NULL, NULL, NULL, NULL},
};
