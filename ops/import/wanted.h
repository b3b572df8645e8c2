/* The case of an operator that has given operands and attributes: what a library was asked is known
 * by these, a case by its parameters, from which they follow. */
#ifndef OPS_IMPORT_WANTED_H
#define OPS_IMPORT_WANTED_H

#include "draft.h"
#include "ops/case/attribute.h"

/* Nothing is wanted of an operand that is not bound. */
typedef struct WantedOperand {
    bool bound, absent, typed, shaped;
    DType dtype;
    Shape shape;
} WantedOperand;

typedef struct WantedAttribute {
    char name[ATTRIBUTE_TEXT_BYTES];
    Attribute value;
} WantedAttribute;

enum { WANTED_ATTRIBUTES_MAX = 32 };

/* Operands by their place in op->tensors. */
typedef struct Wanted {
    const OpDesc *op;
    WantedOperand operand[OP_TENSORS_MAX];
    int attribute_count;
    WantedAttribute attributes[WANTED_ATTRIBUTES_MAX];
} Wanted;

/* Extents above this one are not read: products of them stay below 2^62. */
enum { WANTED_EXTENT_MAX = 1 << 24 };

/* False where there is no more room. */
MUST_USE bool wanted_attribute(Wanted *wanted, const char *name, const Attribute *value);

/* True where two values are the same to a library: a number stands for a tuple of it, and real
 * numbers are the same where they are so in single precision. */
bool attribute_is(const Attribute *have, const Attribute *wanted);

/* Finds parameters of which the operands and attributes follow, axes of 1 in front of all others
 * aside, and gives *found them as they are, however large.  Parameters that nothing wanted depends
 * on are simplest.  False with the draft's reason: what comes nearest, and where it differs;
 * *distance says how far it is, and less is nearer. */
MUST_USE bool wanted_find(const Wanted *wanted, Case *found, int64_t *distance, Draft *draft);

/* True where the case has all that is wanted. */
bool wanted_holds(const Wanted *wanted, const Case *c);

/* Begins the draft with the parameters of a case, made smaller where they are too large. */
MUST_USE bool wanted_draft(const Case *found, Draft *draft);

#endif
