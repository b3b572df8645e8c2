/* Pencils A = Q H Z^H and B = Q T Z^H with unitary Q and Z, judged by parts: H is 0 below its
 * subdiagonal, T below its diagonal.  Q and Z may be the products Q1 Q and Z1 Z of factors that
 * were given.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 19.9).  Rotations
 * of r groups, each of disjoint ones, give the result of exact rotations of a matrix that is off by
 * r sqrt 2 gamma_6 |A|_F at most.  Those of rows and those of columns make up some 3 n groups each
 * whatever their order, and are the same for A, B, Q and Z.  So with e = p(n) u, p(n) that of
 * spectrum.h, which has room for these and is a convention where types are complex or steps are
 * reflections, and with |Q1| at most its 2-norm's bound by sums of rows and columns,
 *     |Q H Z^H - Q1 A Z1^H|_F <= e |Q1| |Z1| |A|_F (1 + |Q1|_F / |Q1| + |Z1|_F / |Z1|),
 *     |Q Q^H - Q1 Q1^H|_F <= 2 e |Q1|_F |Q1|,
 * the same of T and B, and of Z.  Where Q alone is known, products without Z are judged, (Q H) (Q
 * H)^H and (Q H) (Q T)^H, each with twice that; where Z alone is, the same of the adjoint ones; and
 * where neither is, the norms of H and T and their inner product, which both keep.
 *
 * Of iterations with reflections and rotations, whose number no theorem bounds, p(n) is that
 * convention, too, with what they take for 0 (LAPACK Users' Guide, 3rd ed., section 4.11). */
#ifndef OPS_LAPACK_PENCIL_FORM_H
#define OPS_LAPACK_PENCIL_FORM_H

#include "matrix.h"
#include "ops/op.h"

typedef enum PencilFactor { PENCIL_NOTHING, PENCIL_IDENTITY, PENCIL_GIVEN } PencilFactor;

/* A, B, Q and Z, and references that admit anything; `given` of factors that are. */
enum { PENCIL_A, PENCIL_B, PENCIL_Q, PENCIL_Z, PENCIL_PARTS };
typedef struct PencilForm {
    Ref *refs[PENCIL_PARTS];
    const Tensor *given[PENCIL_PARTS], *computed[PENCIL_PARTS];
    PencilFactor factor[2]; /* Q and Z */
    DType dtype;
} PencilForm;

/* Of a call whose operands A, B, Q and Z have these numbers, of the type of A; `left` and `right`
 * say what Q and Z are.  Without results `computed` is NULL. */
PencilForm pencil_form_of(Ref *refs, const ReferenceInput *input, const int operands[PENCIL_PARTS],
                          PencilFactor left, PencilFactor right);

/* False, and nothing is said, where numbers are not finite, or norms may leave the range. */
bool pencil_form_judge(const PencilForm *form, Arena *arena);

#endif
