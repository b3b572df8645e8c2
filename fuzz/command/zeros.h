/* Zeros whose sign counts, NaN that stays, and extents that are never 0, in words: the rows of all
 * operators, those that are alike as one. */
#ifndef FUZZ_COMMAND_ZEROS_H
#define FUZZ_COMMAND_ZEROS_H

#include "ops/op.h"

/* operators are names with spaces between them. */
typedef void ZerosPut(const void *context, const ZeroSign *zeros, const char *operators);
void zeros_visit(ZerosPut *put, const void *context);

/* The texts by which NaN stays. */
typedef void NanPut(const void *context, const char *text, const char *operators);
void nan_visit(NanPut *put, const void *context);

/* The extents that begin at 1: parameters, why, and how many operators have them so. */
typedef void FullPut(const char *parameter, const char *why, int count, const char *operators);
void full_visit(FullPut *put);

/* The text that demands the sign, or that there is none. */
const char *zeros_source(const ZeroSign *zeros);

#endif
