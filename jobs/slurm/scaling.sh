#!/usr/bin/env bash
#SBATCH --job-name=mgbench-scaling
#SBATCH --nodes=8
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --signal=B:USR1@60
#SBATCH --output=%x-%j.txt
#SBATCH --requeue
#SBATCH --open-mode=append
# Trains on 2, 4, ... and all nodes of the job, and shows the results on one page. A job that was requeued goes on where it was.
# Arguments are options of `mgbench run`: sbatch --nodes=64 scaling.sh --model googlenet
set -euo pipefail

# sbatch runs a copy of this file from its spool; the common part lies beside the original, which Slurm knows.
original=$(scontrol show job "${SLURM_JOB_ID:-none}" 2>/dev/null | sed -n 's/^ *Command=//p') || true
for folder in "$(dirname "$0")" "$(dirname "${original%" $*"}")" "${SLURM_SUBMIT_DIR:-.}/jobs/slurm"; do
  [ ! -e "$folder/common.sh" ] || break
done
# shellcheck source=jobs/slurm/common.sh
source "$folder/common.sh"

all=${SLURM_JOB_NUM_NODES:-1}
[ "$all" -ge 2 ] || fail "needs a job of two nodes or more: sbatch --nodes=8 scaling.sh"
worst=0
container=("${launcher[@]}")
for ((nodes = 2; nodes < 2 * all; nodes *= 2)); do
  count=$((nodes < all ? nodes : all))
  status=0
  [ ${#container[@]} -eq 0 ] || launcher=("${container[@]}" "--nodes=$count")  # there srun has to know
  measure_once "$results/$(printf 'nodes-%04d' "$count")" run --nodes "$count" "$@" || status=$?
  worst=$((status > worst ? status : worst))
done
page || [ "$worst" -gt 0 ] || worst=$?
exit "$worst"
