/* Turns references and bounds into intervals and classes. */
#include "expectation.h"

#include <math.h>
#include <string.h>

void expectation_references(const Operands *o, Ref *refs, Arena *arena)
{
    Tensor views[OP_TENSORS_MAX];
    ReferenceInput input = {.op = o->source->op, .params = o->source->params, .tensors = views};
    operands_dense(o, views, arena);
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    op_reference(refs, &input, arena);
}

size_t expectation_first(const Ref *ref, size_t worst)
{
    bool beyond = ref->count > EXPECTATIONS_MAX && worst > EXPECTATIONS_MAX / 2;
    return beyond ? worst - EXPECTATIONS_MAX / 2 : 0;
}

/* The distance from the first candidate of a set to the farthest finite one. */
static double set_width(const Ref *ref, size_t element)
{
    double width = 0;
    for (size_t k = 0; k < REF_CANDIDATES; k++) {
        double distance = fabs(ref->candidates[element * REF_CANDIDATES + k] - ref->high[element]);
        width = isfinite(distance) ? fmax(width, distance) : width;
    }
    return width;
}

bool expectation_of(const Ref *ref, const BoundRule *rule, const Model *model, size_t element,
                    Expectation *e)
{
    double bound = bound_element(rule, ref, element).hard;
    bool of_set = ref->match[element] == MATCH_SET;
    unsigned classes =
        of_set ? ref->classes[element] : bound_classes(rule, ref, element, model, bound);
    if (classes == CLASS_ANY)
        return false;
    bool exact = ref->match[element] != MATCH_BOUND && classes == CLASS_FINITE;
    double total = exact ? 0 : bound + ref->error[element];
    double high = ldexp(ref->high[element], ref->exponent);
    if (of_set)
        total = set_width(ref, element);
    if (!(classes & CLASS_FINITE))
        high = classes & CLASS_NAN ? NAN : classes & CLASS_POSITIVE_INFINITY ? INFINITY : -INFINITY;
    *e = (Expectation){
        high, ldexp(ref->low[element], ref->exponent), ldexp(total, ref->exponent), classes,
        exact && (ref->match[element] == MATCH_BITS || ref->match[element] == MATCH_USUAL)};
    return true;
}
