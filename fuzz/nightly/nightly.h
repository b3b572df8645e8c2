/* A night's work in steps, each of which can be killed and done again. */
#ifndef FUZZ_NIGHTLY_H
#define FUZZ_NIGHTLY_H

#include "fuzz/command/command.h"
#include "reports/store/night.h"

/* One night under way.  What must outlive a kill is in DIR/night.state: its identity, when it
 * started and which steps are done.  Everything else is in DIR/findings.db and DIR/shards. */
typedef struct Night {
    Options *options;
    const char *folder;
    char uuid[33];
    int64_t started, number; /* number: of the night, from 1 on; the seed follows from it */
    int step;                /* the first that is not done */
    const struct NightStep *steps;
    uint64_t begun; /* by the clock, as if the steps that are done had taken their shares */
    Text database, shard, state;
    int lock;
    bool busy; /* another one works in the folder */
    bool quiet;
} Night;

/* A step: false with one sentence in *error when the night cannot go on.  One that was begun before
 * finds what is there already and does the rest. */
typedef struct NightStep {
    const char *name;
    int percent; /* of the budget, which the night has spent when the step is done */
    bool (*run)(Night *night, Text *error);
} NightStep;
extern const NightStep night_steps[]; /* ended by a NULL name */

/* The database with the night's run as the present one; NULL with one sentence in *error. */
Store *night_store(const Night *night, Text *error);
/* When the present step must end, and seconds until then, of which each has some: never, and 0,
 * where the budget is in cases. */
uint64_t night_deadline(const Night *night);
double night_seconds_left(const Night *night);
/* The steps that run findings again: known ones, and new ones, these with settings as well. */
MUST_USE bool night_replay(Night *night, Text *error);
MUST_USE bool night_settle(Night *night, Text *error);

/* Takes up the night of the folder, or begins one of these steps. */
MUST_USE bool night_open(Night *night, Options *options, const NightStep *steps, Text *error);
/* Notes, so that it survives a kill, that a step is done. */
MUST_USE bool night_put_state(const Night *night, Text *error);
void night_release(Night *night);

/* Ends the whole process at a step's border or inside it where OPCONFORM_NIGHT_KILL counts down to
 * it: for the test of this. */
void night_may_die(void);

/* One line of key=value words, unless the night is quiet. */
void night_say(const Night *night, const char *format, ...) PRINTF_LIKE(2, 3);

/* The findings of the night so far. */
MUST_USE bool night_read_counts(const Night *night, NightCounts *counts, Text *error);

#endif
