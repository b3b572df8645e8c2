/* Conditions that a case must meet, as rows of bindings and users state them: names of
 * condition_rows, and comparisons (comparison.h).  illegal!=WORD refuses cases whose illegal
 * argument, of this kind, the library gives a meaning. */
#ifndef OPS_CASE_CONDITION_H
#define OPS_CASE_CONDITION_H

#include "case.h"

/* reason tells a user why a case that fails it is declined; mend changes the case so that it does
 * not, and is NULL where no case meets the condition, by which rows of bindings say what a library
 * lacks. */
typedef struct ConditionRow {
    const char *name, *reason;
    bool (*holds)(const Case *c);
    void (*mend)(Case *c);
    const char *needs; /* parameters of operators that it can be asked of, with spaces between */
} ConditionRow;

/* Ended by a row without name. */
extern const ConditionRow condition_rows[];

/* True when all of a list of conditions, with commas between, hold; else false with the reason
 * appended to *why.  *held: how many did before one did not.  illegal: the kind of the case's
 * illegal argument, or NULL. */
bool conditions_hold(const char *list, const Case *c, const char *illegal, int *held, Text *why);
/* Changes the case so that the conditions hold, as far as its parameters allow. */
void conditions_mend(const char *list, Case *c);
/* Appends NAME=VALUE that keeps a parameter at its value in the simplest case of an operator. */
void condition_put_simplest(const Case *simplest, const Param *param, Text *condition);
/* True for choices of which none is usual: where a matrix lies differs from language to language.
 */
bool condition_has_no_usual(const char *name);
/* True when the operator has what a condition names, whatever it is compared with. */
bool condition_is_of(const char *condition, const OpDesc *op);
/* Offers the names that conditions of the operator may have (reference/nearest.h). */
void conditions_offer_names(const OpDesc *op, Nearest *nearest);
/* True when the conditions can be asked of an operator; else false with one sentence in *error. */
MUST_USE bool conditions_fit(const char *list, const OpDesc *op, Text *error);

#endif
