/* Faults of routines with structured operands, solves, reductions and error handling. */
#include <math.h>
#include <string.h>

#include "planted.h"

static const Operands *operands_of(const PlantedCall *call)
{
    return call->operands;
}

static int output_number(const PlantedCall *call)
{
    int number = 0;
    for (int i = 0; i < operands_of(call)->shapes.count; i++)
        if (operands_is_output(operands_of(call), i))
            number = i;
    return number;
}

static char *element_at(const PlantedCall *call, int tensor, int64_t i, int64_t j)
{
    const Tensor *view = &operands_of(call)->view[tensor];
    return (char *)view->origin + tensor_offset(view, i, j) * (int64_t)dtype_size(view->dtype);
}

static int64_t order_of(const PlantedCall *call)
{
    return call->view[0].extent[0];
}

/* Mirrors nothing: takes the other triangle for stored data. */
static void prepare_reads_other_triangle(PlantedCall *call)
{
    if (order_of(call) % 4 == 3)
        call->view[0].limited = false;
}

/* Takes the diagonal that is said to be 1 from memory. */
static void prepare_reads_unit_diagonal(PlantedCall *call)
{
    Tensor *a = &call->view[0];
    if (a->limited && (a->below == -1 || a->above == -1))
        *(a->below == -1 ? &a->below : &a->above) = 0;
}

/* Writes one element of the triangle that is not stored. */
static void finish_writes_other_triangle(PlantedCall *call)
{
    int out = output_number(call);
    const Tensor *view = &operands_of(call)->view[out];
    int64_t n = view->extent[0];
    if (n < 2 || n % 2 == 1)
        return;
    bool upper = view->above > 0;
    dtype_store(view->dtype, element_at(call, out, upper ? n - 1 : 0, upper ? 0 : n - 1), 0, 0);
}

/* Leaves the imaginary part of a diagonal that must be real. */
static void finish_imaginary_diagonal(PlantedCall *call)
{
    int out = output_number(call);
    const Tensor *view = &operands_of(call)->view[out];
    if (view->extent[0] >= 2)
        dtype_store(view->dtype, element_at(call, out, 1, 1), 1, 0x1p-30);
}

static double coarsened(double value)
{
    return isfinite(value) ? value * (1 + 0x1p-9) : value;
}

/* The unknown that is found last loses half of its digits. */
static void finish_coarse_unknown(PlantedCall *call)
{
    int out = output_number(call);
    const Tensor *view = &operands_of(call)->view[out];
    int64_t last = view->extent[0] - 1;
    for (int64_t j = 0; last >= 4 && j < view->extent[1]; j++) {
        char *at = element_at(call, out, last, j);
        dtype_store(view->dtype, at, 0, coarsened(dtype_load(view->dtype, at, 0)));
    }
}

/* Gives the last of equal elements. */
static void finish_last_index(PlantedCall *call)
{
    const Tensor *x = &operands_of(call)->view[0];
    char *result = element_at(call, 1, 0, 0);
    int64_t best = (int64_t)dtype_load(DT_F64, result, 0), components = dtype_components(x->dtype);
    for (int64_t i = best + 1; components == 1 && i < x->extent[0]; i++) {
        double here = fabs(dtype_load(x->dtype, x->origin, i * x->stride[0]));
        if (here == fabs(dtype_load(x->dtype, x->origin, best * x->stride[0])))
            best = i;
    }
    if (x->stride[0] > 0)
        dtype_store(DT_F64, result, 0, (double)best);
}

/* Squares without scaling. */
static void finish_norm_overflows(PlantedCall *call)
{
    const Tensor *result = &operands_of(call)->view[1];
    double value = dtype_load(result->dtype, result->origin, 0);
    if (value * value > dtype_format(result->dtype)->largest)
        dtype_store(result->dtype, result->origin, 0, INFINITY);
}

/* Rounds otherwise where alpha is large: within the bound, but not 8 times what it gives for an
 * eighth of alpha. */
static void finish_alpha_changes_bits(PlantedCall *call)
{
    int out = output_number(call);
    const Tensor *view = &operands_of(call)->view[out];
    Scalar alpha = case_scalar(operands_of(call)->source, "alpha");
    if (fabs(alpha.re) < 8 || call->view[0].extent[1] < 16 || tensor_count(view) == 0)
        return;
    char *at = element_at(call, out, 0, 0);
    double value = dtype_load(view->dtype, at, 0);
    double next = dtype_component_size(view->dtype) == 4 ? nextafterf((float)value, INFINITY)
                                                         : nextafter(value, INFINITY);
    dtype_store(view->dtype, at, 0, next);
}

const PlantedFault planted_structure_faults[] = {
    {"other-triangle", "symv", "n mod 4 = 3: reads the triangle that is not stored",
     prepare_reads_other_triangle, NULL},
    {"unit-diagonal", "trmm", "reads a diagonal that is 1 by definition",
     prepare_reads_unit_diagonal, NULL},
    {"triangle-written", "syrk", "n even: writes into the triangle that is not stored", NULL,
     finish_writes_other_triangle},
    {"imaginary-diagonal", "herk", "leaves an imaginary part on the diagonal", NULL,
     finish_imaginary_diagonal},
    {"coarse-unknown", "trsm", "m > 4: the last row of the solution has half its digits", NULL,
     finish_coarse_unknown},
    {"coarse-packed", "tpsv", "n > 4: the last unknown has half its digits", NULL,
     finish_coarse_unknown},
    {"last-index", "iamax", "gives the last of equal elements", NULL, finish_last_index},
    {"norm-overflow", "nrm2", "squares without scaling", NULL, finish_norm_overflows},
    {"alpha-bits", "gemm", "alpha of 8 or more and k > 15 changes the rounding of one element",
     NULL, finish_alpha_changes_bits},
    {"illegal-accepted", "gemm", "computes although an extent is illegal", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
