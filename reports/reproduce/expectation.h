/* The expectations of a reproducer: for each element of an output the values that a correct kernel
 * may give.  They come from the reference and the bound, so that the program needs neither. */
#ifndef REPORTS_EXPECTATION_H
#define REPORTS_EXPECTATION_H

#include "ops/case/operands.h"
#include "oracle/bound.h"

/* The most elements of an output that a reproducer has expectations of. */
enum { EXPECTATIONS_MAX = 4096 };

/* A finite value within bound of high + low, or any class (CLASS_*) in the set; exact also asks for
 * the sign of zero. */
typedef struct Expectation {
    double high, low, bound;
    unsigned classes;
    bool exact;
} Expectation;

/* Computes the references of all outputs into refs[OP_TENSORS_MAX].  A program cannot form the
 * residual of a solve, so that solves get forward bounds here. */
void expectation_references(const Operands *operands, Ref *refs, Arena *arena);

/* The first element with an expectation, chosen so that the worst element has one. */
size_t expectation_first(const Ref *ref, size_t worst);

/* The expectation of one element; false where every value is admitted. */
bool expectation_of(const Ref *ref, const BoundRule *rule, const Model *model, size_t element,
                    Expectation *expectation);

#endif
