#!/usr/bin/env bash
#SBATCH --job-name=mgbench-resnet50
#SBATCH --nodes=8
#SBATCH --exclusive
#SBATCH --time=00:15:00
#SBATCH --signal=B:USR1@60
#SBATCH --output=%x-%j.txt
#SBATCH --requeue
#SBATCH --open-mode=append
# Trains ResNet-50 on eight nodes under every strategy, and leaves a result and a page in results/job-ID.
# Arguments are options of `mgbench run`: sbatch resnet50_8node.sh --batch 8
set -euo pipefail

# sbatch runs a copy of this file from its spool; the common part lies beside the original, which Slurm knows.
original=$(scontrol show job "${SLURM_JOB_ID:-none}" 2>/dev/null | sed -n 's/^ *Command=//p') || true
for folder in "$(dirname "$0")" "$(dirname "${original%" $*"}")" "${SLURM_SUBMIT_DIR:-.}/jobs/slurm"; do
  [ ! -e "$folder/common.sh" ] || break
done
# shellcheck source=jobs/slurm/common.sh
source "$folder/common.sh"

train --model resnet50 "$@"
