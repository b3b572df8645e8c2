/* A mode that compiles calls against the library without its compiler. */
#ifndef FUZZ_CHECK_UNCOMPILED_CLASS_H
#define FUZZ_CHECK_UNCOMPILED_CLASS_H

#include "check.h"

/* checker_call. */
typedef bool CheckerCall(Checker *checker, Operands *o, CheckResult *result, CheckOutput *output);

/* Where a compiled result is right, or a convention, that the reference admits beside others, and
 * the library's own call gives a right one of another class (NaN, an infinity, a finite number),
 * the library disagrees with itself: a divergence.  Of functions of elements: sums may overflow in
 * one order and not in another.  got: of each output, as the compiled call left it. */
void uncompiled_compare(Checker *checker, Operands *o, double *const *got, CheckerCall *call,
                        CheckResult *result);

#endif
