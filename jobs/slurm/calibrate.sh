#!/usr/bin/env bash
#SBATCH --job-name=mgbench-calibrate
#SBATCH --nodes=8
#SBATCH --exclusive
#SBATCH --time=00:10:00
#SBATCH --signal=B:USR1@60
#SBATCH --output=%x-%j.txt
#SBATCH --requeue
#SBATCH --open-mode=append
# What an allreduce costs on these nodes (all ranks; 2, 4, ... of them; within a node and between nodes), and every pair of nodes.
# Arguments are options of `mgbench calibrate`.
set -euo pipefail

# sbatch runs a copy of this file from its spool; the common part lies beside the original, which Slurm knows.
original=$(scontrol show job "${SLURM_JOB_ID:-none}" 2>/dev/null | sed -n 's/^ *Command=//p') || true
for folder in "$(dirname "$0")" "$(dirname "${original%" $*"}")" "${SLURM_SUBMIT_DIR:-.}/jobs/slurm"; do
  [ ! -e "$folder/common.sh" ] || break
done
# shellcheck source=jobs/slurm/common.sh
source "$folder/common.sh"

measure_once "$results" calibrate --by-ranks "$@"
measure calibrate --pairs -o "$results" "$@"
