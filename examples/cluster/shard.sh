#!/bin/sh
# Plays shard I of N of the run, or goes on with it: shard.sh I N. All samples here start this script, and it is the
# place to say what is played. A game lost by a fault (exit code 3) is a result like others.
set -eu
journal="shard-$1-of-$2.ndjson"
if [ -e "$journal" ]; then
    set -- resume "$journal"
else
    set -- match simplexity "new=minimax{Depth=2}" "old=minimax{Depth=1}" --nodes 100000 --games 400 --sprt class \
        --seed 1 --recover --shard "$1/$2" --journal "$journal"
fi
"${ARBITER:-arbiter}" "$@" --concurrency "${CONCURRENCY:-1}" --quiet || [ $? -eq 3 ]
