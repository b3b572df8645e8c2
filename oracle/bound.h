/* Error bounds of one reduction, as theorems under a model.
 *
 * Lemma.  Let t_1..t_m be the non-zero exact terms, s their sum, S the sum of |t_i| and
 * M = (S + |s|) / 2.  A kernel that sums them by any binary tree whose leaves have error at most
 * e |t_i| and whose nodes round to nearest with unit u returns s' with
 *     |s' - s| <= (e S + (m - 1) u M) / (1 - (m - 1) u).
 * Proof.  Every exact partial sum lies in [-(S - s)/2, (S + s)/2], so its magnitude is at most M.
 * Let D be the sum of all local errors.  A computed node is its exact value plus at most D, so its
 * local error is at most u (M + D); hence D <= e S + (m - 1) u (M + D).  QED.
 * A kernel that compensates its sum (Kahan) is no such tree.  It returns, for m > 1,
 *     |s' - s| <= e S + (2 u + O(m u^2)) S
 * (Goldberg, What every computer scientist should know about floating-point arithmetic, 1991,
 * theorem 8; Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.3): a term that is
 * larger than the sum before it may leave a correction of half a unit that is none, which a zero
 * behind it adds.  The larger of both bounds holds for either; of two terms beside which there is
 * no other, the correction comes too late, and the lemma holds.
 * Zero terms and zero-initialised accumulators are exact and are not counted.  Underflow adds half
 * a smallest subnormal per inexact product, times what multiplies it afterwards.  Where sums are
 * formed in a wider type, one rounding to the output is added.
 *
 * A matrix unit (Model.step; Fasi, Higham, Mikaitis and Pranesh, Numerical behavior of NVIDIA
 * tensor cores, 2021) adds b exact products and the sum so far at once: each is cut below 2^-f of
 * the largest, and the result to the type of the sum, u.  None of them exceeds M + D, so that a
 * step has a local error of at most ((b + 1) 2^-f + 2 u) (M + D), of which products that are 0 have
 * no part; a depth of k takes ceil(k / b) steps, and no more additions than that join sums of its
 * parts.
 *
 * Split factors (Model.split = p): x = x_1 + ... + x_p, each the rest rounded to bfloat16, whose
 * unit is v = 2^-8, and the last exact.  The magnitudes of the parts sum up to at most (1 + v) + v
 * (1 + v) + v^2 of |x|, so that S grows by g = (1 + 2 v + 2 v^2)^2, there are p^2 terms for each,
 * exact in binary32 unless they underflow, and the lemma holds for these.  It is not said for parts
 * that underflow, as they may below 2^-110.
 *
 * Fourier transforms (Model.transforms): u Ref.spectrum more, of which reference/conv.h has the
 * theorem; where that may be beyond the range of the sums, as with one element that is not finite,
 * the result may be anything.
 *
 * A solve (RULE_SOLVE) is judged by its residual: with x' the computed unknowns,
 *     |alpha b_i - sum t_ij x'_j| <= ((m + 2) u sum |t_ij| |x'_j| + r u |alpha b_i|) / (1 - (m + 3)
 * u) for any order of evaluation and a division or a multiplication by a rounded reciprocal
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 8.4 and theorem 8.5; one
 * more for the reciprocal, r roundings of alpha b).  Both sides are divided by |t_ii|. */
#ifndef ORACLE_BOUND_H
#define ORACLE_BOUND_H

#include "model.h"
#include "reference/base.h"
#include "reference/ref.h"

/* Absolute bounds for one element, in the units of its Ref.  No correct kernel exceeds hard.
 * signs holds with probability 1 - 1e-9 over the random signs of the generator, for the whole case
 * (Hoeffding's inequality on every node of the tree).  typical is 8 standard deviations under
 * independent roundings in exchangeable order: a suspicion, never a proof.  signs and typical equal
 * hard where their assumptions do not hold. */
typedef struct Bound {
    double hard, signs, typical;
} Bound;

/* The terms of a bound that are the same for every element of a tensor. */
typedef struct BoundRule {
    RefRule kind;
    bool narrowed; /* rounded from a wider accumulator to an output with output_unit */
    int step;      /* of a matrix unit, which cuts off below `kept` of the largest; or 0 */
    double products, growth; /* of one product that is split, and of their magnitudes */
    double kept, slices, unit, output_unit, output_step, leaf, addend_leaf, underflow_step,
        factor_step, step_per_term, sign_factor, limit;
    bool alpha_factored, transforms;
} BoundRule;

BoundRule bound_rule(const Ref *ref, const Model *model);
/* The same of a reference without columns, no element of which has more terms than these. */
BoundRule bound_rule_of_terms(const Ref *ref, const Model *model, uint32_t most_terms);
Bound bound_element(const BoundRule *rule, const Ref *ref, size_t element);

/* True when no sum and no intermediate of the element can overflow in any order: its classes are
 * those of Ref. */
bool bound_in_range(const BoundRule *rule, const Ref *ref, size_t element);

/* Classes that the element may have: those of Ref, and the infinities and NaN that partial sums or
 * intermediates may reach on the way when they can overflow.  CLASS_FINITE is absent when no value
 * within the bound is finite. */
unsigned bound_classes(const BoundRule *rule, const Ref *ref, size_t element, const Model *model,
                       double hard);

/* The bounds and classes of every element under one model: shared by all outputs that are judged
 * against the same Ref.  exact marks elements that are compared as values. */
typedef struct BoundTable {
    const Model *model;
    Bound *bounds;
    uint8_t *classes, *exact;
} BoundTable;
BoundTable bound_table(const Ref *ref, const Model *model, Arena *arena);

/* Its parts: room, and the entries of all elements, or of one under the rule of the model. */
BoundTable bound_table_room(const Ref *ref, const Model *model, Arena *arena);
void bound_table_fill(BoundTable *table, const Ref *ref);
void bound_table_put(BoundTable *table, const BoundRule *rule, const Ref *ref, size_t element);

#endif
