/* What a library's language for programs does not take, as its worker says when it starts: so that
 * it is not drawn. */
#ifndef OPS_BACKEND_PROCESS_REFUSALS_H
#define OPS_BACKEND_PROCESS_REFUSALS_H

#include "ops/case/case.h"

/* A line for each: why, and behind tabs extended regular expressions, all of which are found in
 * the source of a program that is not taken; programs with several extents have a line as
 * "EXTENTS 4x1x0" before it. */
typedef struct Refusals {
    char lines[8192];
    size_t length;
} Refusals;

/* Keeps a line; one that there is no room for is for the worker to decline by. */
void refusals_add(Refusals *refusals, const char *line);

/* Whether a case is a program that is not taken, and why. */
bool refusals_have(const Refusals *refusals, const Case *c, Text *why);

#endif
