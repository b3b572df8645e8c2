/* In a worker: which of the many cases of a raw signature that are only counted its supervisor is
 * told of all the same, since they may have a cause of their own. */
#ifndef FUZZ_LATER_H
#define FUZZ_LATER_H

#include "fuzz/check/check.h"
#include "likeness.h"

/* Whether findings of this verdict may hide others: those whose values or writes are wrong, unless
 * a reading makes them one bug. */
bool later_may_hide(const Judgement *j);

/* Takes note of a case of the signature.  True where it lacks what all before it had in common, or,
 * once minimal cases are known, what each of these needs: a few times for each signature, and again
 * after each further minimal case. */
bool later_is_unlike(const LikenessList *known, uint64_t key, const Case *c);

#endif
