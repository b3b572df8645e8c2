/* Factors by diagonal pivoting, as sytrf, hetrf and the drivers that call them give them, and the
 * condition of what they are the factors of. */
#ifndef OPS_LAPACK_INDEFINITE_FACTORS_H
#define OPS_LAPACK_INDEFINITE_FACTORS_H

#include "condition.h"
#include "indefinite.h"

/* The references to fill, of which that of info is allocated; A as it is stored; and what was
 * computed (NULL: nothing). */
typedef struct IndefiniteFactors {
    Ref *a_ref, *ipiv_ref, *info_ref;
    const Tensor *place, *ipiv;
    const Matrix *stored;
    bool lower, hermitian;
    const Tensor *computed, *computed_ipiv;
    int64_t info;
} IndefiniteFactors;

/* The factors, with which systems are solved where info, which is returned, is 0. */
int64_t indefinite_factors_reference(const IndefiniteFactors *of, Indefinite *factors,
                                     Arena *arena);

/* One right result in place of a triangle, and ipiv; what info is. */
int64_t indefinite_factors_compute(DType dtype, Matrix *stored, bool lower, bool hermitian,
                                   int64_t *pivots, Arena *arena);

/* P L, sizes of D L^H P^T, and the inverse, for condition.h; what else is known of A. */
void indefinite_condition(const Indefinite *f, bool lower, Condition *c, Matrix factors[3],
                          Arena *arena);

#endif
