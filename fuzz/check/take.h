/* Whether the libraries of a checker take a case, without a call. */
#ifndef FUZZ_CHECK_TAKE_H
#define FUZZ_CHECK_TAKE_H

#include "check.h"

/* Scope.takes: of those libraries that have the operator in its element type one is asked by turns,
 * so that each has its share of what it can run; checker is the Checker.  True where none has it.
 * What is not taken is told to Checker.note_draw, but where it is asked for again. */
bool checker_takes(const Case *c, uint64_t turn, bool again, const void *checker);

/* Drawn.takes_none, of a scope whose taker is the Checker: none of TAKE_SAMPLE cases of the scope,
 * which are the same in each process. */
enum { TAKE_SAMPLE = 64 };
bool checker_takes_none(const Scope *scope, const OpDesc *op, DType dtype, uint64_t turn);

#endif
