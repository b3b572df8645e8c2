/* Named rules on which libraries differ, each with the situation in which it decides: the rows of
 * the policy matrix.  Each is about a clause, which says what the definition demands. */
#ifndef OPS_POLICY_H
#define OPS_POLICY_H

#include "contract.h"
#include "ops/case/case.h"

/* Those that a check itself finds a result under. */
#define POLICY_ARGUMENT_NUMBER   "argument-number"
#define POLICY_IN_PLACE          "in-place"
#define POLICY_NARROW_ARITHMETIC "narrow-arithmetic"
#define POLICY_POSITION          "position"

/* That of zeros whose sign no text demands (ZeroSign). */
#define POLICY_OTHER_ZERO "other-zero"

/* Departures of which operators may have one cause. */
typedef enum PolicyScope {
    SCOPE_LIBRARY,  /* of any two */
    SCOPE_OF_REALS, /* each complex function has a formula of its own */
    SCOPE_OPERATOR  /* each operator rounds, or approximates, in steps of its own */
} PolicyScope;

/* needs is the facet that a minimal case must need, as the shrinker names it, where the situation
 * is also that of the simplest case; else NULL. */
typedef struct Policy {
    const char *name;
    bool (*applies)(const Case *c); /* NULL: to the operators whose description names the policy */
    const char *needs;
    bool by_reading; /* only findings under the reading of this name speak about it */
    PolicyScope scope;
} Policy;

enum { POLICY_MAX = 64 };
extern const Policy policies[]; /* ended by a NULL name, at most POLICY_MAX */

/* Policies whose situation the case is in, as a mask of their numbers. */
uint64_t policy_situations(const Case *c);

/* Policies that a finding speaks about: the one that its reading names, or those whose situation
 * its minimal case is in; needed are the facets that the shrinker found to be needed. */
uint64_t policy_of_finding(const Case *minimal, const char *reading, const char *needed);

/* True for the name of a policy that only readings of results find. */
bool policy_is_reading(const char *name);

/* True for the name of a policy that says of no two operators on numbers of this type that they
 * depart for one cause. */
bool policy_is_of_operator(const char *name, DType dtype);

#endif
