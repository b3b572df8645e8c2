/* Parts of a case: the same call on some of the indices of one axis, as one row of a batch alone.
 * Which operands have the axis, and where, follows from what the operator's shape makes of another
 * extent; whether the results of the part are those of the whole is for the references to say. */
#ifndef OPS_SLICE_H
#define OPS_SLICE_H

#include "case.h"

typedef enum SliceKind {
    SLICE_ONE,    /* one index alone; one element, where each counts alone */
    SLICE_HALF,   /* neighbours, half of them and more */
    SLICE_ROTATED /* all of them, beginning at another one */
} SliceKind;

/* Where an operand of the part lies in that of the whole: index i of an axis of the part is number
 * (start + i) mod extent of the whole.  Of an axis that joins several, such as matrices of a batch
 * side by side, the outermost is taken for the one that is cut; whether it is, references tell. */
typedef struct SlicePlace {
    int64_t extent[TENSOR_RANK_MAX], start[TENSOR_RANK_MAX];
    bool joined;
} SlicePlace;

/* The part of a case that its seeds choose; false where there is none of this kind.  places has
 * OP_TENSORS_MAX entries. */
bool slice_make(const Case *c, SliceKind kind, Case *part, SlicePlace *places);
/* All of it, where it is: what is computed otherwise is the same. */
void slice_whole(const Case *c, SlicePlace *places);

/* The row-major number, among all extents of the whole, of an element of a tensor of the part that
 * has this number there. */
int64_t slice_number(const SlicePlace *place, const Tensor *part, int64_t number);

#endif
