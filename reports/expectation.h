/* What reproducers hold of the reference: for each element of an output the values that a correct
 * kernel may give. */
#ifndef REPORTS_EXPECTATION_H
#define REPORTS_EXPECTATION_H

#include "ops/operands.h"
#include "oracle/bound.h"

/* Elements of an output that a reproducer holds at most. */
enum { EXPECTATIONS_MAX = 4096 };

/* A finite value within bound of high + low, or any class (CLASS_*) in the set; exact also asks for
 * the sign of zero. */
typedef struct Expectation {
    double high, low, bound;
    unsigned classes;
    bool exact;
} Expectation;

/* References of all outputs.  Solves cannot form residuals in a program: they get forward bounds.
 */
void expectation_references(const Operands *operands, Ref *refs, Arena *arena);

/* The first element that is held, so that the worst one is among them. */
size_t expectation_first(const Ref *ref, size_t worst);

/* False where anything may be there. */
bool expectation_of(const Ref *ref, const BoundRule *rule, const Model *model, size_t element,
                    Expectation *expectation);

#endif
