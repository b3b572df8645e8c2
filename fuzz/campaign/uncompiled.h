/* What a mode that compiles calls shows may be a bug of the library without its compiler: a case is
 * run there before it is made minimal, which takes no compiling then, and afterwards, so that it is
 * filed where it belongs, and a compiler is blamed for what it does itself. */
#ifndef FUZZ_UNCOMPILED_H
#define FUZZ_UNCOMPILED_H

#include "fuzz/shrink.h"

/* The library of a backend that compiles calls, without the mode and at the same place; false where
 * the backend compiles none. */
bool uncompiled_name(const char *backend, char name[600]);

/* Whether the same library without its compiler shows on a case what the compiled call does: the
 * same symptom, and values that are off by as much. */
bool uncompiled_shows(const char *backend, BlackBox *box, const Case *c, const CheckResult *result,
                      uint64_t deadline);

#endif
