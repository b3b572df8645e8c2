/* Calls of operators of networks with one argument spoilt.  (Illegal arguments of the BLAS are
 * their backends' own.)
 *
 * Exec.illegal up to ILLEGAL_RULES_MAX is the number of a rule of the operator: an argument is
 * given a value that its documentation excludes, and every framework must refuse the call.  Behind
 * those of the operator are rules of all operators.
 *
 * Numbers behind it are stray calls, which all operators have: an operand with one axis less or
 * more, or without elements; an index far below 0, or an integer divisor of 0; a number of the call
 * that is negative, or so large that extents and products of extents overflow.  Behind
 * ILLEGAL_WHOLE_MAX a number of the call is 0, and one that need not be whole is negative, NaN or
 * infinite as well.  Some libraries give some of them a meaning and others do not say, so that a
 * stray call may be answered or refused.  What it must not do is end the process. */
#ifndef OPS_ILLEGAL_H
#define OPS_ILLEGAL_H

#include "case.h"

enum { ILLEGAL_STRAYS_MAX = ILLEGAL_NUMBERS_MAX - ILLEGAL_RULES_MAX };

typedef enum Reshape {
    RESHAPE_SHORTER, /* one element less along an axis */
    RESHAPE_EMPTY,   /* no elements along an axis */
    RESHAPE_FLATTER, /* the first slice along the first axis */
    RESHAPE_SCALAR,  /* the first element, without axes */
    RESHAPE_DEEPER   /* an axis of extent 1 in front */
} Reshape;

/* One change of a legal call: a parameter, which altered holds; an operand of another shape; an
 * index at the start of an operand; or a number, or all those of a tuple, among the attributes that
 * a row of bindings names, in their order. */
typedef struct Illegal {
    const char *name;
    int reshaped; /* operand, -1 where none */
    Reshape reshape;
    int axis;
    int indexed; /* operand, -1 where none */
    int64_t index;
    int attribute; /* -1 where none */
    int64_t value;
    bool is_real; /* the attribute is no whole number */
    double real;
    bool may_be_empty; /* a result without elements is as good as a refusal */
    bool is_stray;
    bool is_written; /* name is one of illegal_written */
    Case altered;    /* its lines say what the library is called with */
} Illegal;

/* How a call in Python is written where no function takes it so (worker's forms.py): an axis before
 * the first one, a text for an operand, an order that lacks an axis, an extent that is to be
 * inferred where any would do; ended by NULL. */
extern const char *const illegal_written[];

bool illegal_is_stray(const Case *c);

/* What a change makes of the shape of its operand; *rank is below TENSOR_RANK_MAX where it is
 * RESHAPE_DEEPER. */
void illegal_reshape(const Illegal *illegal, int *rank, int64_t *extent, int64_t *stride);

/* The change that exec.illegal asks for: the rules of its operator that fit the case are counted
 * from 1, and so are the stray calls that its operands admit, those of attributes behind them,
 * which the call of a row may lack.  False where there is none of this number. */
bool illegal_make(const Case *c, const Shapes *shapes, Illegal *illegal);

/* Of a number that asks for no rule one that does, where the case has any. */
void illegal_settle(Case *c);

#endif
