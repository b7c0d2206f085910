#!/bin/sh
# parallel.sh N [OPTION OF PARALLEL...] plays N shards, as many at a time as there are processor cores, and puts the run
# into merged.ndjson. With "--sshloginfile FILE --workdir ." GNU parallel takes several machines that share this directory;
# where it isn't installed, xargs does the same on one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shards=${1:?usage: parallel.sh N [OPTION OF PARALLEL...]}
shift
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    seq "$shards" | parallel --quote --halt soon,fail=1 "$@" "$here/shard.sh" '{}' "$shards"
else
    seq "$shards" | xargs -P "$(nproc)" -I '{}' "$here/shard.sh" '{}' "$shards"
fi
seq "$shards" | sed "s/.*/shard-&-of-$shards.ndjson/" | xargs "${ARBITER:-arbiter}" merge --output merged.ndjson
