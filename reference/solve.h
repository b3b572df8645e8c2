/* References of triangular solves  T X = alpha B. */
#ifndef REFERENCE_SOLVE_H
#define REFERENCE_SOLVE_H

#include "ref.h"

/* t is n x n, dense, triangular by its limits, which n = 1 may leave out, with its diagonal written
 * out; b is n x columns.
 * computed holds what a kernel found, or is NULL.  With rows, which need it, the reference has
 * these rows of the unknowns alone. */
typedef struct SolveInput {
    Tensor t, b;
    const Tensor *computed;
    const size_t *rows;
    size_t row_count;
    bool conjugate;
    Scalar alpha;
} SolveInput;

/* alpha may multiply B before or the unknowns after.
 *
 * With computed: each unknown as it follows from the other unknowns as computed, under RULE_SOLVE;
 * an unknown that depends on one that is not finite, or that may overflow or divide by zero on the
 * way, may be anything.  Without: the solution by substitution, under RULE_RELATIVE with
 * the forward bound that follows, e_i = (r_i + sum |t_ij| e_j) / |t_ii| for residual bounds r_i:
 * for kernels of our own and for programs that cannot form residuals. */
void solve_reference(Ref *ref, const SolveInput *input, Arena *arena);

#endif
