#!/bin/bash
# Shards on the machines of a file, or on this one: hosts.txt has names that ssh reaches without questions, such as 8/node7 for eight
# shards at a time.  All of them see the folder.  A shard that was stopped or whose machine was lost is tried again.
set -u
shards=${SHARDS:-100} fleet=${FLEET:-$PWD/fleet}
machines=()
[ ! -e hosts.txt ] || machines=(--sshloginfile hosts.txt --filter-hosts --workdir .)
seq 0 $((shards - 1)) | parallel "${machines[@]}" --retries 3 --termseq TERM,10000,KILL,100 --joblog "$fleet.log" \
    opconform worker --shard "{}/$shards" --time 1h --out "$fleet" --backend openblas,blis
opconform fleet merge --out "$fleet"
