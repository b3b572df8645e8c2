/* The files of a fleet.  DIR has a closed database for each shard that is done,
 * shard-00007-of-00100.db, and for one that was stopped what there is of it,
 * shard-00007-of-00100.part.db; with --lines shard-00007-of-00100.cases as well; DIR/work has what
 * shards need to go on after a kill. */
#ifndef FUZZ_SHARD_H
#define FUZZ_SHARD_H

#include "reference/base.h"

enum { SHARDS_MAX = 99999 };

typedef enum ShardFile { SHARD_DONE, SHARD_PART, SHARD_LINES, SHARD_LOCK, SHARD_WORK } ShardFile;

/* Appends the path of a file, or of the folder, of a shard. */
void shard_path(const char *folder, int shard, int shards, ShardFile file, Text *path);
bool shard_has(const char *folder, int shard, int shards, ShardFile file);

/* Makes the folder, and notes in it of how many shards it is and the mark of the plan by which they
 * are dealt, 0 for none; false with one sentence in *error where it is of another number or plan.
 */
MUST_USE bool fleet_make(const char *folder, int shards, uint64_t plan, Text *error);
/* Of how many shards it is, 0 where none was begun; false with one sentence in *error where the
 * folder cannot be read. */
MUST_USE bool fleet_count(const char *folder, int *shards, Text *error);

#endif
