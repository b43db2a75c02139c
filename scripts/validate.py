"""Runs the validation matrix with the program given and writes its table and its JSON (called by scripts/validate)."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

HOSTS = "scripts/network_hosts"
BATCH = {"alexnet": 4, "googlenet": 2, "resnet50": 1, "tiny": 4}
# Seconds for a cell, so that most have six rounds or more; on 1 Gbit/s iterations take as long as the gradients need.
BUDGET = 110
BUDGET_TCP = {"alexnet": 480, "googlenet": 180, "resnet50": 400}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true", help="the tiny model and short budgets, to a temporary folder")
    parser.add_argument("--table", action="store_true", help="measure nothing: write validation.json and the table again from what it holds")
    parser.add_argument("--only", default="", help="cells and parts whose name contains this text")
    return parser.parse_args()


def run(command, **options):
    """Standard output of a command; its messages stand in the exception when it fails."""
    done = subprocess.run(command, text=True, capture_output=True, timeout=1200, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def shortened(value):
    """Seven digits of every number: medians are certain to three at best."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, dict):
        return {key: shortened(inner) for key, inner in value.items()}
    return [shortened(inner) for inner in value] if isinstance(value, list) else value


def laid_out(value, levels=4, indent=0):
    """JSON with a line for each field of the first levels, so that each candidate of a cell has one of its own."""
    if levels == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value)
    pairs = [json.dumps(key) + ": " for key in value] if isinstance(value, dict) else [""] * len(value)
    inner = value.values() if isinstance(value, dict) else value
    margin = " " * (indent + 1)
    lines = ",\n".join(margin + pair + laid_out(each, levels - 1, indent + 1) for pair, each in zip(pairs, inner))
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{lines}\n{' ' * indent}{end}"


class Validation:
    def __init__(self, options, folder, scratch):
        self.program = str(pathlib.Path(options.program).resolve())
        self.models = ["tiny"] if options.quick else ["alexnet", "googlenet", "resnet50"]
        self.quick = options.quick
        self.only = options.only
        self.folder = folder
        self.scratch = scratch
        self.profiles = folder / "profiles"  # by model, of shared memory: what is replayed
        self.path = folder / "validation.json"
        self.report = json.loads(self.path.read_text()) if self.path.exists() else {"cells": {}, "parts": {}}

    def save(self):
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(laid_out({**self.report, "cells": shortened(self.report["cells"])}) + "\n")
        temporary.rename(self.path)

    def budget(self, seconds):
        return ["--budget", "4" if self.quick else str(seconds)]

    def tune(self, name, words, launcher=(), seconds=BUDGET):
        """One cell: all that `mgbench tune` says of it."""
        if self.only not in name:
            return
        print(f"{name} ...", flush=True)
        begin = time.time()
        results = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        command = [*launcher, self.program, "tune", *words, *self.budget(seconds), "--json", "-o", str(results)]
        cell = json.loads(run(command))
        whole = json.loads(next(results.glob("*-tune-*.json")).read_text())
        cell.pop("plan_file"), cell.pop("run_command")
        cell["command"] = "mgbench tune " + " ".join(words).replace(str(self.scratch), "PROFILES")
        cell["communicator"] = whole["communicator"]
        cell["communicator_choice"] = whole["communicator_choice"]
        cell["overlap"] = whole["overlap"]
        cell["remarks"] = whole["remarks"]
        cell["seconds"] = round(time.time() - begin, 1)
        self.report["environment"] = whole["environment"]
        self.report["cells"][name] = cell
        self.save()
        errors = [abs(row["prediction_error"]) for row in cell["summary"] if not row["failure"]]
        print(f"   {cell['seconds']:.0f} s, largest error {max(errors):.1%}, chosen {cell['chosen']}", flush=True)
        if name.startswith("shared memory"):
            self.profiles.mkdir(exist_ok=True)
            (self.profiles / f"{cell['model']}.json").write_text(json.dumps(whole["profile"]) + "\n")

    def hosts(self, number, rate):
        """Starts hosts on shaped links. False where the system does not allow that, and a quick check does without."""
        try:
            run([HOSTS, "up", str(number), rate])
        except RuntimeError as error:
            if not self.quick:
                raise
            print(f"   no network hosts here: {error}", flush=True)
            return False
        return True

    def real_layers(self, model):
        return ["--model", model, "--batch", str(BATCH[model])]

    def matrix(self):
        for model in self.models:
            self.tune(f"shared memory, 2 ranks, {model}", [*self.real_layers(model), "-n", "2"])
        for ranks in (8, 64):
            for model in self.models:
                self.tune(f"emulated 10GbE of {ranks} ranks, {model}",
                          [*self.real_layers(model), "-n", "2", "--interconnect", "10GbE", "--as-ranks", str(ranks)])
        if not self.hosts(2, "1gbit"):
            return
        for model in self.models:
            self.tune(f"TCP 1 Gbit/s, 2 hosts, {model}", [*self.real_layers(model), "--threads", "1"], [HOSTS, "run", "2"],
                      BUDGET_TCP.get(model, BUDGET))
        # Beyond two hosts large allreduces over Open MPI's TCP run near half of the link's rate unless told not to.
        os.environ["MPI_OPTIONS"] = "--mca btl_tcp_flags 1"
        for ranks in (4, 8):
            self.hosts(ranks, "100mbit")
            for model in self.models:
                profile = self.scaled_profile(model, ranks, 12.5e6)
                self.tune(f"TCP 100 Mbit/s, {ranks} hosts, {model} replayed",
                          ["--backend", "replay", "--profile", str(profile), "--threads", "1"], [HOSTS, "run", str(ranks)])
        del os.environ["MPI_OPTIONS"]

    def scaled_profile(self, model, ranks, bytes_per_second):
        """The model's profile of shared memory with tensors so small that a ring takes as long as the computation."""
        profile = json.loads((self.profiles / f"{model}.json").read_text())
        computation = sum(step["forward_seconds"] + step["backward_seconds"] for step in profile["steps"])
        tensors = [tensor for step in profile["steps"] for tensor in step["tensors"]]
        ring = 2 * (ranks - 1) / ranks * sum(tensor["bytes"] for tensor in tensors) / bytes_per_second
        for tensor in tensors:
            tensor["bytes"] = max(4, int(tensor["bytes"] * computation / ring) // 4 * 4)
        path = self.scratch / f"{model}-{ranks}.yaml"
        path.write_text(json.dumps(profile))
        return path

    def part(self, name, measure):
        if self.only in name:
            print(f"{name} ...", flush=True)
            self.report["parts"][name] = measure()
            self.save()
            print(f"   {self.report['parts'][name]}", flush=True)

    def calibrate(self, words, launcher=()):
        begin = time.time()
        budget = ["--budget", "5"] if self.quick else []
        text = run([*launcher, self.program, "calibrate", "--json", "-o", str(self.scratch), *budget, *words])
        return json.loads(text), time.time() - begin

    def known_link(self):
        """a and b of an emulated link, measured / emulated."""
        found = {}
        for ranks, a, b in ((8, 5.230e-4, 8.571e-10), (64, 2.348e-3, 9.643e-10)):
            calibration, _ = self.calibrate(["-n", "2", "--interconnect", "10GbE", "--as-ranks", str(ranks)])
            fit = next(curve for curve in calibration["curves"] if curve["name"] == "engine")["fit"]
            found[f"10GbE of {ranks} ranks"] = {"a_ratio": fit["a_seconds"] / a, "b_ratio": fit["b_seconds_per_byte"] / b}
        return found

    def calibration_time(self):
        return {f"{ranks} ranks, seconds": round(self.calibrate(["-n", str(ranks)])[1], 1) for ranks in (2, 8)}

    def overlap(self):
        """What each way of progressing hides of an allreduce as long as the computation beside it; one core a rank."""
        if not self.hosts(2, "1gbit"):
            return None
        calibration, _ = self.calibrate(["--threads", "1"], [HOSTS, "run", "2"])
        return calibration["provenance"]["communicator"]

    def slow_link(self):
        if not self.hosts(4, "1gbit"):
            return None
        run([HOSTS, "rate", "3", "100mbit"])
        results = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        return {"planted": "h3", "found": json.loads(run([HOSTS, "run", "4", self.program, "calibrate", "--pairs", "--json", "--threads",
                                                          "1", "-o", str(results)]))}

    def slow_rank(self):
        """Rank 1 shares its core with a busy loop."""
        if not self.hosts(2, "1gbit"):
            return None
        busy = subprocess.Popen(["taskset", "-c", "1", sys.executable, "-c", "while True: pass"])
        try:
            results = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
            model = "tiny" if self.quick else "googlenet"  # of many rounds in this time
            run([HOSTS, "run", "2", self.program, "run", *self.real_layers(model), "--strategy", "wfbp,mg-wfbp", "--threads", "1",
                 "--json", "-o", str(results), *self.budget(BUDGET)])
        finally:
            busy.kill()
        whole = json.loads(next(results.glob("*-run-*.json")).read_text())
        return {"planted": "rank 1 on h2", "computation": whole["rank_computation"], "load": whole["machine_load"], "arrival": {row["strategy"]: row.get("rank_arrival") for row in whole["strategies"]}}

    def parts(self):
        self.part("calibration of a known link", self.known_link)
        self.part("time of a calibration", self.calibration_time)
        self.part("overlap on 1 Gbit/s", self.overlap)
        self.part("a slow link planted", self.slow_link)
        self.part("a slow rank planted", self.slow_rank)


def milliseconds(seconds):
    return f"{seconds * 1e3:.1f}" if seconds >= 0.01 else f"{seconds * 1e3:.3f}"


def ratio(median, interval):
    if median is None:
        return "-"
    if interval is None:
        return f"{median:.3f} (no interval)"
    if interval[0] <= 1 <= interval[1]:
        return f"not distinguishable [{interval[0]:.3f}, {interval[1]:.3f}]"
    return f"{median:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"


def parts_text(parts):
    """Milliseconds of an error's parts, largest first."""
    parts = dict(parts)
    total = parts.pop("total")
    named = sorted(parts.items(), key=lambda item: -abs(item[1]))
    return f"{total * 1e3:+.2f} ms: " + ", ".join(f"{name} {value * 1e3:+.2f}" for name, value in named if abs(value) > abs(total) / 5)


def cell_table(name, cell):
    lines = [f"### {name}\n", f"`{cell['command']}`; messages by {cell['communicator']}. Ended: {cell['ended']}.\n",
             "| strategy | messages | samples (rejected) | iteration ms | 95 % interval | predicted ms | error % | MG-WFBP is faster by |",
             "|---|---|---|---|---|---|---|---|"]
    lines_below = []
    for row in cell["summary"]:
        if row["failure"]:
            lines.append(f"| {row['strategy']} | {row['messages']} | FAILED: {row['failure']} | | | | | |")
            continue
        interval = row["iteration_interval_seconds"]
        lines.append(
            f"| {', '.join([row['strategy'], *row['same_plan']])} | {row['messages']} | {row['samples']} ({row['rejected_samples']}) | {milliseconds(row['iteration_seconds'])} "
            f"| {'-' if interval is None else f'{milliseconds(interval[0])} to {milliseconds(interval[1])}'} "
            f"| {milliseconds(row['predicted_iteration_seconds'])} | {row['prediction_error'] * 100:+.1f} "
            f"| {ratio(row['mg_wfbp_speedup'], row['mg_wfbp_speedup_interval'])} |")
        if abs(row["prediction_error"]) > 0.03:
            lines_below.append(f"{row['strategy']} beside its prediction: {parts_text(row['prediction_error_parts_seconds'])}.")
    return [*lines, "", *lines_below, ""]


def tuned(cell):
    """The tuned plan's time / the best fixed strategy's: median and interval; 1 where that strategy was chosen."""
    if cell["chosen"] == cell["best_fixed"]:
        return 1.0, [1.0, 1.0]
    against = next(row for row in cell["candidates"] if row["name"] == cell["best_fixed"])["against_chosen"]
    interval = against["interval"]
    return 1 / against["ratio"], interval and [1 / interval[1], 1 / interval[0]]


def write_table(report, path):
    cells = report["cells"]
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    fixed = [(name, row) for name, cell in cells.items() for row in cell["summary"]
             if not row["failure"] and any(c["name"] == row["strategy"] and c["strategy"] for c in cell["candidates"])]
    errors = sorted(abs(row["prediction_error"]) for _, row in fixed)
    lines = ["# Validation: do the numbers hold?\n",
             f"Made by `scripts/validate` on {report['date']}. Machine: {cpu}, {os.cpu_count()} cores; everything else of it stands in "
             "validation.json (`environment`).",
             "Cells named *emulated* train with real layers, but messages only take the time of the named interconnect. Cells named *replayed* "
             "sleep through a profile's",
             "times, with gradients scaled so that communication weighs about as much as computation. All others are real. Intervals are 95 %; "
             "error is predicted / measured - 1.\n",
             *(note + "\n" for note in report.get("notes", [])),
             "## Predictions\n",
             f"Of {len(errors)} predictions (strategies; tuning's own candidates are in the tables) the median error is "
             f"{statistics.median(errors):.1%}, nine in ten are under {errors[int(0.9 * (len(errors) - 1))]:.2%}, the largest is "
             f"{errors[-1]:.1%}. Targets: 3 % and 8 %.\n",
             "| cell | strategies | median error % | largest % | of |", "|---|---|---|---|---|"]
    for name in cells:
        rows = [row for cell, row in fixed if cell == name]
        worst = max(rows, key=lambda row: abs(row["prediction_error"]))
        lines.append(f"| {name} | {len(rows)} | {statistics.median(abs(r['prediction_error']) for r in rows) * 100:.1f} "
                     f"| {worst['prediction_error'] * 100:+.1f} | {worst['strategy']} |")
    lines += ["\n## Tuning\n", "The plan that `mgbench tune` ends with, its time / the best fixed strategy's (1: it is that strategy).\n",
              "| cell | chosen | messages | best fixed | ratio | rounds |", "|---|---|---|---|---|---|"]
    for name, cell in cells.items():
        chosen = next(row for row in cell["candidates"] if row["name"] == cell["chosen"])
        median, interval = tuned(cell)
        told = "1" if cell["chosen"] == cell["best_fixed"] else ratio(median, interval)
        lines.append(f"| {name} | {cell['chosen']} | {chosen['messages']} | {cell['best_fixed']} | {told} | {chosen['rounds']} |")
    lines.append("\n## Parts\n")
    for name, values in report["parts"].items():
        lines += [f"**{name[0].upper() + name[1:]}**\n", "```", json.dumps(values, indent=1), "```\n"]
    lines.append("## Cells\n")
    for name, cell in cells.items():
        lines += cell_table(name, cell)
    path.write_text("\n".join(lines))


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        folder = scratch if options.quick else pathlib.Path("results/validation")
        folder.mkdir(parents=True, exist_ok=True)
        validation = Validation(options, folder, scratch)
        if not options.table:
            validation.report["date"] = datetime.date.today().isoformat()
            validation.matrix()
            validation.parts()
        validation.save()
        write_table(validation.report, folder / "README.md")
        print((folder / "README.md").read_text())


if __name__ == "__main__":
    main()
