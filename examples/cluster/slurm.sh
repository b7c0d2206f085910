#!/bin/sh
#SBATCH --job-name=ludus
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --time=04:00:00
#SBATCH --requeue
# sbatch slurm.sh, in this directory on a file system that all nodes share. A task that is requeued goes on with its
# journal; after the time limit, which costs the games in progress only, the same sbatch goes on with all of them.
CONCURRENCY=$SLURM_CPUS_PER_TASK exec ./shard.sh "$SLURM_ARRAY_TASK_ID" "$SLURM_ARRAY_TASK_COUNT"
