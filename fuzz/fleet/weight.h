/* Plans by what strata cost and show: parts of a fleet's time, which an earlier night gives. */
#ifndef FUZZ_WEIGHT_H
#define FUZZ_WEIGHT_H

#include "plan.h"
#include "reports/store/connection.h"

/* Gives each stratum its part of the time of a fleet and of its cases, by what the database knows
 * of it.  A half of the time gives all strata as many cases: it is in proportion to what a case
 * costs. The other half goes where a second showed most: in proportion to findings that were met
 * once, per second.  What the database does not know counts like its average. */
MUST_USE bool plan_weigh(Plan *plan, const Options *options, Store *store, Text *error);

/* Gives each stratum the shards that take it: those with more than the time of two shards have
 * shards of their own, the others are dealt in their order.  Each shard has at least one. */
void plan_assign(Plan *plan, int shards);

/* A number that tells the lines of plans apart, 0 for an empty text. */
uint64_t plan_mark(const Text *lines);

/* The plan as lines that people can read, and back: false with one sentence in *error where it is
 * of other strata or of another number of shards. */
void plan_print(const Plan *plan, const Options *options, int shards, Text *lines);
MUST_USE bool plan_follow(Plan *plan, const Options *options, int shards, const char *path,
                          const Text *lines, Text *error);

#endif
