#!/usr/bin/env bash
# Ends what up.sh FOLDER has started, by the numbers of its processes.
folder=$1
for name in slurmd slurmctld munge/munged; do
    process=$(cat "$folder/$name.pid" 2>/dev/null) || continue
    kill "$process" 2>/dev/null
    for _ in $(seq 100); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.1
    done
    kill -9 "$process" 2>/dev/null
done
exit 0
