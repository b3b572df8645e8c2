/* What the cases of a campaign may be, beside its operators and element types: conditions that a
 * user sets, and those of backends that cannot run every case.  Cases are changed so that they meet
 * them, so that what is drawn can run. */
#ifndef OPS_CASE_LIMIT_H
#define OPS_CASE_LIMIT_H

#include "case.h"

/* Conditions (condition.h) under which a backend runs cases of an operator in some element types.
 */
typedef struct Limit {
    const OpDesc *op;
    uint32_t dtypes;
    char *conditions;
} Limit;

/* A case meets one of its operator's limits, if there are any, and what is fixed. */
typedef struct Limits {
    Limit *limits;
    size_t count, room;
    char *fixed[OP_MAX]; /* conditions by number of the operator, or NULL */
} Limits;

void limits_add(Limits *limits, const OpDesc *op, uint32_t dtypes, const char *conditions);
/* Fixes conditions of all operators of the scope that have what they name; false with one sentence
 * in *error where none has, where they are no conditions, or where two of them say what one name is
 * (NAME=...): cases draw from the words and ranges of one. */
MUST_USE bool limits_fix(Limits *limits, const char *conditions, const Scope *scope, Text *error);
/* Scope.limit. */
void limits_apply(Case *c, const void *limits);
void limits_release(Limits *limits);

#endif
