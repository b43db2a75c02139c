#!/usr/bin/env bash
#SBATCH --job-name=mgbench-acceptance
#SBATCH --nodes=8
#SBATCH --exclusive
#SBATCH --time=00:20:00
#SBATCH --signal=B:USR1@60
#SBATCH --output=%x-%j.txt
#SBATCH --requeue
#SBATCH --open-mode=append
# Interconnect, every pair of nodes and three models, held against criteria: a new folder with the verdict in results/job-ID.
# Arguments are options of `mgbench accept`: sbatch acceptance.sh --criteria ethernet-10g
set -euo pipefail

# sbatch runs a copy of this file from its spool; the common part lies beside the original, which Slurm knows.
original=$(scontrol show job "${SLURM_JOB_ID:-none}" 2>/dev/null | sed -n 's/^ *Command=//p') || true
for folder in "$(dirname "$0")" "$(dirname "${original%" $*"}")" "${SLURM_SUBMIT_DIR:-.}/jobs/slurm"; do
  [ ! -e "$folder/common.sh" ] || break
done
# shellcheck source=jobs/slurm/common.sh
source "$folder/common.sh"

measure accept -o "$results" "$@"
