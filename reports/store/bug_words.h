/* What a case needs, in a person's words; private to the files of bugs. */
#ifndef REPORTS_BUG_WORDS_H
#define REPORTS_BUG_WORDS_H

#include "reference/base.h"

/* Appends one word of a trigger as a noun: "beta=nan" as "beta = NaN", "stride" as "an increment
 * above 1".  value: it is of a value, so that a name alone means one that is not the simplest: "a
 * general alpha". */
void bug_put_condition(Text *to, const char *word, size_t length, bool value);

/* A symptom as a title says it: "NaN made" as "NaN in place of a number". */
const char *bug_symptom(const char *name);

/* Appends an operator as a title names it: what ends with "_backward" as "the gradient of" the
 * rest. */
void bug_put_operator(Text *to, const char *name);

#endif
