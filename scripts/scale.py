"""Runs what scripts/scale says. `scale.py --rank FOLDER PROGRAM ...` is one rank: it runs the program and leaves its peak memory."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

RANKS = [2, 4, 8, 16, 32, 64]
BUDGET = 30
MIB = 2**20


def as_rank(folder, command):
    status = subprocess.run(command).returncode
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    (pathlib.Path(folder) / f"rank-{os.environ['OMPI_COMM_WORLD_RANK']}").write_text(str(peak))
    return status


def on_ranks(ranks, program, words):
    """Peak memory by rank, seconds from start to end, and the folder's results."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")
    with tempfile.TemporaryDirectory() as folder:
        command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable, __file__, "--rank", folder,
                   program, *words, "-o", folder]
        begin = time.monotonic()
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        seconds = time.monotonic() - begin
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
        peaks = [int((pathlib.Path(folder) / f"rank-{rank}").read_text()) for rank in range(ranks)]
        result = json.loads(next(pathlib.Path(folder).glob("*.json")).read_text())
        size = next(pathlib.Path(folder).glob("*.json")).stat().st_size
    return peaks, seconds, result, size


def measure(program, ranks):
    words = ["run", "--model", "tiny", "--strategy", "wfbp,mg-wfbp", "--budget", str(BUDGET), "--threads", "1"]
    peaks, seconds, result, size = on_ranks(ranks, program, words)
    stages = {stage["name"]: stage["seconds"] for stage in result["stages"]}
    pairs_peaks, pairs_seconds, pairs, pairs_size = on_ranks(ranks, program, ["calibrate", "--pairs"])
    return {"ranks": ranks, "root_bytes": peaks[0], "other_bytes": max(peaks[1:]), "result_bytes": size,
            "seconds": seconds, "stages_seconds": stages,
            "start_and_end_seconds": seconds - sum(stages.values()),
            "pairs": {"pairs": len(pairs["pairs"]), "seconds": pairs_seconds, "root_bytes": pairs_peaks[0],
                      "other_bytes": max(pairs_peaks[1:]), "result_bytes": pairs_size}}


def line(points):
    """Least squares y = constant + slope x."""
    n = len(points)
    mean_x, mean_y = (sum(point[i] for point in points) / n for i in (0, 1))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def table(heading, rows):
    yield "| " + " | ".join(heading) + " |"
    yield "|" + " ---: |" * len(heading)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def report(data):
    cases = data["cases"]
    yield "# A run's memory and time beside training, as ranks grow\n"
    yield (f"Written by `scripts/scale` ({data['date']}, {data['preset']} build): real ranks of Open MPI, all on one machine of {data['cores']} "
           "cores, so that times hold what ranks wait for cores: they bound from above what grows, and are no forecast. "
           "docs/scale.md has what a rank holds at 4096 ranks.\n")
    yield "Peak resident memory (MiB) and the size of the result (KiB):\n"
    yield from table(["ranks", "rank 0", "others, largest", "rank 0 more", "result", "pairs: rank 0", "pairs: others", "pairs: file"],
                     [[str(c["ranks"]), f"{c['root_bytes'] / MIB:.1f}", f"{c['other_bytes'] / MIB:.1f}",
                       f"{(c['root_bytes'] - c['other_bytes']) / MIB:+.1f}", f"{c['result_bytes'] / 1024:.0f}",
                       f"{c['pairs']['root_bytes'] / MIB:.1f}", f"{c['pairs']['other_bytes'] / MIB:.1f}",
                       f"{c['pairs']['result_bytes'] / 1024:.0f}"] for c in cases])
    stages = list(cases[0]["stages_seconds"])
    yield f"\nSeconds (a budget of {BUDGET} s; measuring is training):\n"
    yield from table(["ranks", "start and end", *stages, "all", "pairs, all"],
                     [[str(c["ranks"]), f"{c['start_and_end_seconds']:.1f}", *(f"{c['stages_seconds'][stage]:.2f}" for stage in stages),
                       f"{c['seconds']:.1f}", f"{c['pairs']['seconds']:.1f}"] for c in cases])
    yield "\nLines through what grows (least squares over all numbers of ranks; a run's memory also has the samples that its budget was enough for):\n"
    grown = {"run: rank 0 (MiB)": lambda c: c["root_bytes"] / MIB,
             "run: the others, largest (MiB)": lambda c: c["other_bytes"] / MIB,
             "pairs: rank 0 (MiB)": lambda c: c["pairs"]["root_bytes"] / MIB,
             "pairs: the others, largest (MiB)": lambda c: c["pairs"]["other_bytes"] / MIB,
             "pairs: rank 0 more than the others (MiB)": lambda c: (c["pairs"]["root_bytes"] - c["pairs"]["other_bytes"]) / MIB,
             "run: start and end (s)": lambda c: c["start_and_end_seconds"]}
    lines = {what: line([(c["ranks"], value(c)) for c in cases]) for what, value in grown.items()}
    yield from table(["what", "constant", "a rank"], [[what, f"{constant:.2f}", f"{slope:.4f}"] for what, (constant, slope) in lines.items()])


def main(program, preset, folder):
    data = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "preset": preset, "cores": os.cpu_count(), "cases": []}
    for ranks in RANKS:
        data["cases"].append(measure(program, ranks))
        print(f"{ranks} ranks: {data['cases'][-1]['seconds']:.0f} s", file=sys.stderr)
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    (path / "scale.json").write_text(json.dumps(data, indent=1) + "\n")
    (path / "README.md").write_text("\n".join(report(data)) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "--rank":
        sys.exit(as_rank(sys.argv[2], sys.argv[3:]))
    main(*sys.argv[1:])
