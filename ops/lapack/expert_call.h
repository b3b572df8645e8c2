/* What expert drivers and routines that refine solutions share, whatever the storage of A: X of the
 * system as it was scaled, ferr and berr of the X that the kernel gave (refine.h), and rcond by
 * factors that it gave or was given (condition.h), in the norm of columns, or of a transpose of
 * rows, with a norm of A that is off by n roundings.
 *
 * info is what the factorization says: then rcond is 0 and the rest open; n + 1 where rcond is
 * below the unit roundoff, 0 elsewhere (dgesvx.f).  Of factors that are given and singular nothing
 * is said. */
#ifndef OPS_LAPACK_EXPERT_CALL_H
#define OPS_LAPACK_EXPERT_CALL_H

#include "expert.h"
#include "lu.h"
#include "refine.h"

/* One call: what its factors say, those of the kernel or our own. */
typedef struct ExpertCall {
    const Lapack *q;
    const ReferenceInput *input;
    Ref *refs, *info_ref;
    bool refines; /* x is given, and there is neither rcond nor a factorization */
    ExpertSystem system;
    int64_t info;        /* that was computed, or 0 where it is n + 1 */
    Matrix whole;        /* A as a whole matrix */
    Condition condition; /* as rcond is estimated */
    Matrix factors[3], unordered;
    double nonzeros, most_nonzeros; /* as Refinement has them */
} ExpertCall;

/* Adds x, rcond where nothing is refined, ferr, berr and info, which come last. */
void expert_shape_results(const Lapack *q, bool refines, Shapes *shapes);
double expert_work(const OpDesc *op, const void *params_of_case);

/* The place of an operand. */
int expert_place(const ExpertCall *call, const char *name);

/* Begins a call: allocates references of x, rcond, ferr, berr and info, which admit anything. */
void expert_begin(ExpertCall *call, Arena *arena);

/* P^T L and U of the factors, and the inverse of their product in binary64.  heeds: an estimate
 * takes notice of exchanges, as those of bands do. */
void expert_take_lu(ExpertCall *call, const LuFactors *lu, bool heeds, Arena *arena);
/* F and G of a matrix that needs no exchanges. */
void expert_take_triangles(ExpertCall *call, const Matrix *f, const Matrix *g, Arena *arena);

/* Puts rcond, info, x, ferr and berr by these factors. */
void expert_put(ExpertCall *call, Arena *arena);
/* Puts what is said where there are none; failed: info of a factorization by the reference. */
void expert_leave(ExpertCall *call, bool given, int64_t failed, Arena *arena);

#endif
