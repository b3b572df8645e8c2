/* A condition that a row of bindings sets for a case: a name of condition_rows, or an attribute and
 * a word, NAME=WORD or NAME!=WORD.  Words are those of case lines, yes and no for flags; of a tuple
 * each number is compared.  illegal!=WORD refuses cases whose illegal argument, of this kind, the
 * library gives a meaning. */
#ifndef OPS_BACKEND_BINDING_CONDITION_H
#define OPS_BACKEND_BINDING_CONDITION_H

#include "ops/case/case.h"

/* reason tells a user why a case that fails it is declined. */
typedef struct ConditionRow {
    const char *name, *reason;
    bool (*holds)(const Case *c);
    const char *needs; /* parameters of operators that it can be asked of, with spaces between */
} ConditionRow;

/* Ended by a row without name. */
extern const ConditionRow condition_rows[];

/* True when all of a list of conditions, with commas between, hold; else false with the reason
 * appended to *why.  *held: how many did before one did not.  illegal: the kind of the case's
 * illegal argument, or NULL. */
bool conditions_hold(const char *list, const Case *c, const char *illegal, int *held, Text *why);
/* True when the conditions can be asked of an operator; else false with one sentence in *error. */
MUST_USE bool conditions_fit(const char *list, const OpDesc *op, Text *error);

#endif
