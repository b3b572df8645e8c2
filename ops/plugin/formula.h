/* Whole numbers as plug-ins write them: numbers, parameters of an operator, + - * / % and
 * parentheses; and conditions between them. */
#ifndef OPS_PLUGIN_FORMULA_H
#define OPS_PLUGIN_FORMULA_H

#include "ops/op.h"

/* False with one sentence in *error where the text is no formula for the operator. */
MUST_USE bool formula_check(const char *text, const OpDesc *op, Text *error);
/* Its value; beyond the range of the type the nearest that is in it, and 0 for quotients by 0. */
int64_t formula_value(const char *text, const OpDesc *op, const void *params);

/* Conditions with spaces between: PARAMETER<=FORMULA, also < >= > and =, and
 * PARAMETER%NUMBER=NUMBER. */
MUST_USE bool rules_check(const char *rules, const OpDesc *op, Text *error);
/* Changes the parameters on the left so that the conditions hold, as far as their ranges allow. */
void rules_apply(const char *rules, const OpDesc *op, void *params);

enum { FORMULA_BYTES = 64 };
/* Takes the next word off a list with spaces between; false at its end, and for words that have no
 * room, of which *words begins with the rest then. */
bool formula_next_word(const char **words, char word[FORMULA_BYTES]);

#endif
