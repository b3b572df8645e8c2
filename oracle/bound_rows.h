/* Bounds and judgements of many elements at once: the loops that bound.c and judge.c have element
 * by element, with the same operations in the same order, so that the results are the same bits.
 * Compiled once for each instruction set; private to them. */
#ifndef ORACLE_BOUND_ROWS_H
#define ORACLE_BOUND_ROWS_H

#include "bound.h"

enum { BOUND_RUN = 64 };

/* True for the rules whose bounds the loops give: sums by IEEE additions, without flushing,
 * splitting, slices or transforms. */
bool bound_rule_is_plain(const BoundRule *rule, const Ref *ref, const Model *model);

/* RUN_ODD: bounds that leave the normal numbers, and candidates, which bound.c finds.  RUN_SPECIAL:
 * classes other than CLASS_FINITE and sums that may overflow, whose bounds are given beside
 * others'.
 */
typedef enum RunOddity { RUN_PLAIN, RUN_SPECIAL, RUN_ODD } RunOddity;

/* Elements first..first + count - 1, count <= BOUND_RUN, of a plain rule, with a RunOddity each. */
typedef void BoundRunKernel(const BoundRule *rule, const Ref *ref, size_t first, size_t count,
                            Bound *bounds, uint8_t *odd);

/* True where each of these elements is admitted and decided: a finite number within all bounds of
 * its own, or equal to an exact one whose zero may have either sign.  Then *most is the largest
 * ratio of ElementVerdict among them, and *worst the first element that has it.  The model does not
 * flush, and Ref.exponent is 0. */
typedef bool JudgeRunKernel(const BoundTable *table, const Ref *ref, size_t first, size_t count,
                            const double *got, double *most, size_t *worst);

typedef struct RunKernels {
    BoundRunKernel *bound;
    JudgeRunKernel *judge;
} RunKernels;

extern const RunKernels run_kernels_baseline, run_kernels_avx2, run_kernels_avx512;

/* Those of the instruction set that was chosen for products. */
const RunKernels *run_kernels(void);

#endif
