#!/bin/bash
#SBATCH --job-name=opconform
#SBATCH --array=0-7
#SBATCH --cpus-per-task=1
#SBATCH --time=03:00:00
# Eight shards with seeds of their own; whoever ends makes one database of those that are there: merging
# takes them in any order, and again.  SHARDS is a folder that all nodes see.
set -u
SHARDS=${SHARDS:-shards}
mkdir -p "$SHARDS"
opconform fuzz --backend openblas,blis --engine random --time 2h --quiet --seed $((1 + SLURM_ARRAY_TASK_ID)) \
    --db "$SHARDS/shard-$SLURM_ARRAY_TASK_ID.db"
status=$?
[ $status -le 1 ] || exit $status
(
    flock 9
    opconform merge "$SHARDS/all.db" "$SHARDS"/shard-*.db
) 9>"$SHARDS/lock"
