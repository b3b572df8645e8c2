/* Cases made of another case, to ask whether the same shows elsewhere. */
#ifndef OPS_TRANSFER_H
#define OPS_TRANSFER_H

#include "case.h"

/* Makes of a case one of another operator and element type: parameters and data go to those of the
 * same name, widths of a band to all that the other operator has, those of spatial axes to as many
 * axes as there are, data of other operands to those of the same role.  Where `square`, every
 * extent becomes the largest that the case has, since names of extents differ between operators.
 * False where something that the case has beyond the simplest finds no place, so that the other
 * case would not be the same question. */
MUST_USE bool case_transfer(Case *to, const OpDesc *op, DType dtype, bool square, const Case *from);

/* Changes one extent of a case that was carried over, so that it writes as many elements as the one
 * that it is made of: a loop over elements ends alike in both.  False where it does so already, or
 * where no one extent does it. */
MUST_USE bool case_match_written(Case *c, const Case *from);

/* Makes operands of a case that was carried over lie the other way round, as in the other triangle,
 * where the case that it is made of says nothing of it; false where nothing lies either way. */
MUST_USE bool case_turn(Case *c, const Case *from);

/* Gives every operand small integers that differ, so that what depends on places shows, and indices
 * of the seed; values that ask for a rule stay. */
void case_vary(Case *c, int64_t seed);

/* Takes away what asks for a rule rather than for arithmetic: NaN, infinities, signed zeros, the
 * ends of the range, overlapping operands and related calls.  False where there was nothing. */
bool case_make_plain(Case *c);
/* Gives every factor its simplest value, 1 or 0; false where all have it. */
bool case_set_factors(Case *c);
/* Takes away what binds operands or calls to each other: overlaps and relations, and no value;
 * false where there is nothing of it. */
bool case_set_alone(Case *c);

/* Gives a case of 16 bits the type binary32; false where it has another type, or no other one. */
bool case_widen(Case *c);

/* Adds to every extent above 1; false where the case may not be so large. */
MUST_USE bool case_grow(Case *c, int64_t by);

#endif
