#!/usr/bin/env bash
#SBATCH --job-name=mgbench-regression
#SBATCH --nodes=8
#SBATCH --exclusive
#SBATCH --time=00:15:00
#SBATCH --signal=B:USR1@60
#SBATCH --output=%x-%j.txt
#SBATCH --requeue
#SBATCH --open-mode=append
# Trains as resnet50_8node.sh does, and compares with the last five of the results in a folder. Ends with 1 where a figure is worse.
# Arguments: the folder, and options of `mgbench run`: sbatch regression.sh /data/mgbench/good --strategy wfbp,mg-wfbp
set -euo pipefail

# sbatch runs a copy of this file from its spool; the common part lies beside the original, which Slurm knows.
original=$(scontrol show job "${SLURM_JOB_ID:-none}" 2>/dev/null | sed -n 's/^ *Command=//p') || true
for folder in "$(dirname "$0")" "$(dirname "${original%" $*"}")" "${SLURM_SUBMIT_DIR:-.}/jobs/slurm"; do
  [ ! -e "$folder/common.sh" ] || break
done
# shellcheck source=jobs/slurm/common.sh
source "$folder/common.sh"

[ $# -ge 1 ] || fail "usage: sbatch regression.sh FOLDER [OPTION of mgbench run]..."
[ -d "$1" ] || fail "$1: no such folder of results"
mapfile -t baselines < <(find "$1" -maxdepth 1 -name '*-run-*.json' | sort | tail -n 5)
shift
status=0
measure_once "$results" run "$@" || status=$?
[ -z "$dry_run" ] || exit "$status"
page "${baselines[@]}" || [ "$status" -gt 0 ] || status=$?
[ "$status" -eq 0 ] || exit "$status"
current=$(results_in "$results" | tail -n 1)
if [ ${#baselines[@]} -eq 0 ]; then
  echo "regression.sh: no baseline yet; $current can be the first" >&2
  exit 3
fi
"${mgbench[@]}" compare "${baselines[@]}" "$current" --junit "$results/junit.xml" --markdown "$results/compare.md"
