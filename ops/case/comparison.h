/* Comparisons of what a case is with what it should be, as text without spaces:
 *
 *     axis=1   mode!=cubic   n=1..64   ta=n|t   cols%8=0   x=normal   layout=dense
 *
 * The name is an attribute (attribute.h), of a tuple each number; or an operand, whose recipe of
 * data is compared, without special values; or one of the ways to drive a kernel (exec.h), also as
 * exec.NAME.  OPERAND.NAME is a parameter of its recipe.  Behind = stand words of case lines with |
 * between them, numbers, or ranges LOW..HIGH either end of which may be left out; `last` is the
 * last axis.  % compares the remainder. */
#ifndef OPS_CASE_COMPARISON_H
#define OPS_CASE_COMPARISON_H

#include "case.h"
#include "extent.h"

enum { COMPARISON_BYTES = 64 };

/* What a name stands for in cases of an operator: a parameter of one of the groups of the case, a
 * product of extents, or a derived attribute. */
typedef struct ComparisonSubject {
    const Param *param;
    size_t values; /* where the parameter's group lies in a case */
    bool recipe;   /* the kind of an operand's data, by the operand's name alone */
    const ExtentRow *extent;
    bool derived;
} ComparisonSubject;

/* From low to high, ends included. */
typedef struct ComparisonRange {
    double low, high;
} ComparisonRange;

typedef struct Comparison {
    char name[COMPARISON_BYTES], words[COMPARISON_BYTES];
    bool unequal;
    int64_t divisor; /* 0: no remainder is taken */
    bool is_range;   /* its words are one range, or one number */
    ComparisonRange range;
    const OpDesc *op; /* whose the subject is (comparison_bind), or NULL */
    ComparisonSubject subject;
} Comparison;

/* Reads a comparison; false with one sentence in *error. */
MUST_USE bool comparison_read(Comparison *comparison, const char *text, Text *error);
/* True when it can be asked of cases of the operator; else false with one sentence in *error. */
MUST_USE bool comparison_fits(const Comparison *comparison, const OpDesc *op, Text *error);
/* True when the operator has the name, whatever it is compared with. */
bool comparison_is_of(const Comparison *comparison, const OpDesc *op);
/* Looks the name up in an operator once for all of its cases; any other operator's are compared as
 * before.  Nothing where the operator has it not. */
void comparison_bind(Comparison *comparison, const OpDesc *op);
/* Offers the names that can be compared (reference/nearest.h). */
void comparison_offer_names(const OpDesc *op, Nearest *nearest);

/* Whether it holds for a case; the name must be there. */
bool comparison_holds(const Comparison *comparison, const Case *c);
/* Whether its words admit a number or a word, whatever its name stands for. */
bool comparison_admits_number(const Comparison *comparison, const Case *c, double number);
bool comparison_admits_word(const Comparison *comparison, const char *word);
/* Changes the case so that it holds, as far as its parameters allow. */
void comparison_mend(const Comparison *comparison, Case *c);

#endif
