/* What the shards of a fleet take: the strata, which are operators by element types by libraries,
 * dealt out without overlap. */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include "fuzz/command/command.h"

typedef struct PlanStratum {
    int backend; /* the place in --backend */
    int op;      /* its number */
    DType dtype;
    bool named; /* not all types of its operator were asked for: --op ddot */
    /* Of a plan by weights (weight.h): the shards that take it, its parts of the time and of the
     * cases of the fleet, and findings that were met once. */
    int first, last;
    double time, cases;
    int64_t rare;
} PlanStratum;

typedef struct Plan {
    PlanStratum *strata; /* by library, operator and type */
    size_t count;
    uint64_t identity; /* of libraries, their builds, the strata and how they are tested */
    bool weighed;
} Plan;

/* A campaign of a shard: some operators on one library. */
typedef struct ShardPart {
    int backend;
    uint32_t dtypes; /* of all its operators; 0: those of --dtype */
    NameList ops;
    int level;          /* of strata that are to have about as many cases each */
    double time, cases; /* its parts of the shard's budget; they need not sum up to 1 */
} ShardPart;

/* To be released by free(list.slices). */
typedef struct ShardParts {
    ShardPart *slices;
    int count;
    size_t room; /* for slices */
} ShardParts;

/* Asks the libraries of the options what they have, each in a process of its own.  False, with a
 * message printed and *status set, where one is missing or nothing is left to test. */
MUST_USE bool plan_make(Plan *plan, Options *options, int *status);
void plan_release(Plan *plan);

/* The strata of a shard: those that the plan gives it by weights.  Without these, with as many
 * shards as strata or fewer each has its own ones; with more each has one stratum, some of them the
 * same one, on which they differ by their seeds. */
void plan_deal(const Plan *plan, int shard, int shards, ShardParts *list);

#endif
