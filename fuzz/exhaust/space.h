/* All inputs of an operator that works element by element, as numbers: the bit patterns of its
 * operands, one behind the other, the first operand in the highest bits. */
#ifndef FUZZ_EXHAUST_SPACE_H
#define FUZZ_EXHAUST_SPACE_H

#include "ops/case/operands.h"

/* Inputs of one call at most, and of one block: what is counted and stored as a whole. */
enum { SPACE_CALL_MAX = 1 << 14, SPACE_BLOCK_MAX = 1 << 20 };

typedef struct Space {
    const OpDesc *op;
    DType dtype;
    Case one;       /* of one element, parameters at their simplest */
    int inputs;     /* operands that are read */
    int width;      /* bits of an element of each */
    uint64_t count; /* of inputs; a power of two, as are the next two */
    uint64_t block, call;
} Space;

/* False with one sentence in *error where the operator's results do not follow from elements at one
 * place alone, or where there are more inputs than can be tried. */
MUST_USE bool space_make(Space *space, const OpDesc *op, DType dtype, Text *error);

/* The case of a call with so many elements. */
void space_case(const Space *space, uint64_t count, Case *c);
/* Gives operands of that case the inputs from `first` on.  A signalling NaN is made quiet: no text
 * says what functions make of one, and it is what unwritten memory holds. */
void space_put(const Space *space, const Operands *operands, uint64_t first);
/* The case with these inputs in turn, as a line can say them, and `times` times each. */
void space_case_of(const Space *space, const uint64_t *inputs, int count, int times, Case *c);
/* The value of operand i of an input. */
double space_value(const Space *space, uint64_t input, int operand);

#endif
