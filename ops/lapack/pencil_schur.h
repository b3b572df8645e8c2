/* Generalized Schur forms of pencils, A = Q S Z^H and B = Q T Z^H: S upper triangular, of real
 * types with blocks of two on the diagonal, T an upper triangle whose diagonal is real and not
 * negative, and of which the blocks beside those of S are diagonal (dgges.f, zgges.f). */
#ifndef OPS_LAPACK_PENCIL_SCHUR_H
#define OPS_LAPACK_PENCIL_SCHUR_H

#include "ops/op.h"
#include "pencil.h"
#include "pencil_form.h"

/* References of alpha, alphai and beta, which stand behind each other, and what was computed. */
typedef struct PencilValues {
    Ref *refs;
    const Tensor *computed;
} PencilValues;

/* Values as they are stored. */
PencilValue *pencil_values_read(const Tensor computed[3], int64_t n, Arena *arena);
/* Of those of a real pencil: pairs stand together, the positive imaginary part first. */
void pencil_demand_pairs(Ref *alphai, const PencilValue *values, int64_t n);

/* Demands the form of S and T, and the values: of a row by itself the elements of both diagonals,
 * of a block a pair by its distance to singularity of the block, with the whole pencil's norms, and
 * where neither Q nor Z is known of the whole pencil.  Behind pencil_form_judge.
 * has_signs: in blocks of T, too, the diagonal is not negative. */
void pencil_schur_judge(const PencilForm *form, const PencilValues *values, const Pencil *whole,
                        bool has_signs, Arena *arena);

/* A form and its values, and Q and Z. */
typedef struct PencilSchur {
    Matrix s, t, q, z;
    PencilValue *values;
} PencilSchur;
/* Values are taken from the front on, of those that are left the first one that `first` says, or
 * where it says none, or is NULL, any; by deflation in 64 bits, rounded to binary64 in each step.
 */
PencilSchur pencil_schur_form(const Pencil *pencil,
                              bool (*first)(const void *context, PencilValue value),
                              const void *context, Arena *arena);
/* Puts them, rounded to the type, Q and Z where form->factor says so, as products of what is given.
 */
void pencil_schur_put(const PencilForm *form, Ref values[3], const PencilSchur *schur,
                      Arena *arena);

#endif
