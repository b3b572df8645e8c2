/* All shards of a fleet: what has become of them, and one database of them. */
#ifndef FUZZ_FLEET_H
#define FUZZ_FLEET_H

#include "fuzz/command/command.h"

typedef enum ShardState {
    STATE_PUBLISHED,
    STATE_WORKING, /* it has written how it goes within the last minute */
    STATE_STOPPED, /* begun, and neither */
    STATE_WAITING, /* never begun */
    STATES
} ShardState;
extern const char *const shard_state_names[STATES];

typedef struct ShardFacts {
    ShardState state;
    int64_t cases, executions, findings;
    double seconds;
} ShardFacts;

/* What its published database says, or else how its campaigns go; false with one sentence in *error
 * where a database is damaged. */
MUST_USE bool shard_look(const char *folder, int shard, int shards, ShardFacts *facts, Text *error);

/* Appends the numbers of the shards that are not published, as 3,5-9; how many they are. */
int fleet_put_missing(const char *folder, int shards, Text *list);

/* The folder of --out, and of how many shards it is; a status, with a message where it is not
 * clean. */
int fleet_find(const Options *options, const char **folder, int *shards);

/* The number of shards of an array 0-LAST, and where its text ends that far; 0 for another text. */
int fleet_array(const char *text, int *end);

/* Writes the plan of a fleet by what an earlier database knows of its strata; a status. */
int fleet_plan(Options *options);

/* Writes the scripts of an array for Slurm and of the merge that follows it, and submits them; a
 * status.  The merge calls the command that these options are of, for shards that were lost. */
int fleet_slurm(const Options *options, const Command *command);

extern const Command command_fleet;

#endif
