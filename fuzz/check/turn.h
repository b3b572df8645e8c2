/* Which backends run a case that was drawn, so that none takes the time of the others. */
#ifndef FUZZ_TURN_H
#define FUZZ_TURN_H

#include "check.h"

/* Whether it is the turn of a backend. */
bool turn_is(const Checker *checker, int backend, const Case *c);
/* Whether a large case takes a library more than a few seconds, by what its calls took so far: it
 * declines such cases where there are others (Checker.drawn). */
bool turn_takes_seconds(const Checker *checker, int backend, const Case *c);
/* Notes what a call of a large case took that has just ended: begun is the processor time at its
 * beginning, as turn_begin gave it. */
uint64_t turn_begin(const Checker *checker, int backend);
void turn_note_rate(Checker *checker, const Case *c, int backend, uint64_t begun);
/* The results of a case whose operands have no room, by backend, or of backend `only` unless it is
 * -1; their number. */
int turn_decline_all(const Checker *checker, int only, CheckResult *results);

#endif
