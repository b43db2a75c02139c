# shellcheck shell=bash disable=SC2034,SC2119,SC2120  # the jobs use what is not used here
# What the jobs share; each sources it, with its own arguments. A site's own words are in site.sh beside this file, or in the file that
# MGBENCH_SITE names; site.sh.example shows what it may set.

fail() {
  echo "mgbench job: $*" >&2
  exit 2
}

launcher=()      # words before mgbench, where it is not mgbench itself that starts the ranks
mgbench=()       # words that start mgbench; none: that of this folder's project or installation, or the one in PATH
options=()       # of every command that measures
results=results  # folder for the jobs' folders, from where the job was submitted

# A shell inside of a step hands its variables down to the jobs that it submits. A job starts in no step.
unset "${!SLURM_STEP_@}" "${!OMPI_COMM_WORLD_@}" PMI_SIZE PMI_RANK PMIX_RANK PMIX_NAMESPACE

site=${MGBENCH_SITE:-$folder/site.sh}
if [ -e "$site" ]; then
  trap 'fail "$site: a command in it ended with $?"' ERR
  set +u  # what modules and environments source reads variables that nobody has set
  # shellcheck source=/dev/null
  source "$site"
  set -u
  trap - ERR
elif [ -n "${MGBENCH_SITE:-}" ]; then
  fail "MGBENCH_SITE=$site: no such file"
fi

if [ ${#mgbench[@]} -eq 0 ]; then
  for program in "$folder/../../build/release/src/mgbench" "$folder/../../../../bin/mgbench" "$(command -v mgbench)"; do
    if [ -x "$program" ]; then
      mgbench=("$program")
      break
    fi
  done
fi
[ ${#mgbench[@]} -gt 0 ] || fail "no mgbench: build it (scripts/build release), load its module, or name it in $site"

results=$results/job-${SLURM_JOB_ID:-none}
dry_run=
case " $* " in *" --dry-run "*) dry_run=yes ;; esac

# Slurm's warning before the time limit comes to this shell alone (--signal=B:USR1@60), and the ranks have to hear of it. srun and mpirun
# pass SIGUSR1 on; at SIGTERM mpirun would end them.
process=
stopping=
signals=0
stop() {
  stopping=yes
  signals=$((signals + 1))
  [ -z "$process" ] || kill -USR1 "$process" 2>/dev/null || true
}
trap stop USR1 TERM

# COMMAND [OPTION]...: of mgbench, on the job's ranks. Ends as it does.
measure() {
  local command=$1 before status
  shift
  if [ -n "$stopping" ]; then
    echo "mgbench job: not started, since a signal has come: $command $*" >&2
    return 3
  fi
  "${launcher[@]}" "${mgbench[@]}" "$command" "${options[@]}" "$@" &
  process=$!
  while :; do
    before=$signals
    status=0
    wait "$process" || status=$?
    # A signal ends the waiting, not what is waited for.
    if [ "$status" -le 128 ] || [ "$signals" -eq "$before" ]; then break; fi
  done
  process=
  # A rank that a signal ended has measured nothing.
  [ "$status" -le 128 ] || status=3
  return "$status"
}

# FOLDER: the results of `mgbench run` in it, those that a killed rank 0 left unfinished, too (.json.partial), by time, one a line.
results_in() {
  [ ! -d "$1" ] || find "$1" -name '*-run-*.json*' | sort
}

# FOLDER PATTERN: its files of that kind that are of use to a job that was requeued: complete, and measured on the nodes that it has again.
left_in() {
  local file nodes
  if [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ] || [ ! -d "$1" ]; then return; fi
  while read -r file; do
    nodes=$(sed -n '/job\.SLURM_JOB_NODELIST/{s/.*NODELIST"*: //p;q}' "$file" | tr -d '",')
    if [ "$nodes" = "${SLURM_JOB_NODELIST//,/}" ] && ! grep -qE '^ *"?ended"?: "?(stopped by|broken off|not ended)' "$file"; then
      echo "$file"
    fi
  done < <(find "$1" -name "$2")
}

# FOLDER COMMAND [OPTION]...: measures, unless the try before has.
measure_once() {
  local folder=$1 command=$2 files
  shift 2
  mapfile -t files < <(left_in "$folder" "*-$command-*")
  if [ ${#files[@]} -gt 0 ]; then
    echo "mgbench job: measured before this job was requeued: ${files[*]}"
  else
    measure "$command" -o "$folder" "$@"
  fi
}

# [RESULT]...: one page of these and of all the job's results.
page() {
  local files
  mapfile -t files < <(results_in "$results")
  if [ -n "$dry_run" ] || [ ${#files[@]} -eq 0 ]; then return; fi
  "${mgbench[@]}" report "$@" "${files[@]}" --html "$results/report.html"
  echo "mgbench job: page: $results/report.html"
}

# [OPTION]...: the whole job of `mgbench run`. What was measured before it broke off has its page, too.
train() {
  local status=0
  measure_once "$results" run "$@" || status=$?
  page || [ "$status" -gt 0 ] || status=$?
  exit "$status"
}
