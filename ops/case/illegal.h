/* Calls of operators of networks that every framework must refuse: one argument is given a value
 * that its documentation excludes.  (Illegal arguments of the BLAS are their backends' own.) */
#ifndef OPS_ILLEGAL_H
#define OPS_ILLEGAL_H

#include "case.h"

/* One change of a legal call: a parameter, which altered holds; an operand that has one element
 * less along an axis; or an index beyond its axis at the start of an operand. */
typedef struct Illegal {
    const char *name;
    int shortened, axis; /* operand, -1 where none */
    int indexed;         /* operand, -1 where none */
    bool may_be_empty;   /* a result without elements is as good as a refusal */
    Case altered;        /* its lines say what the library is called with */
} Illegal;

/* The change that exec.illegal asks for: the rules of its operator that fit the case are counted
 * from 1.  False where there is none of this number. */
bool illegal_make(const Case *c, const Shapes *shapes, Illegal *illegal);

#endif
