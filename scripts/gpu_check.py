"""What scripts/gpu-check does: runs stages, keeps what each found in FOLDER/STAGE.json, and judges all that is there."""

import argparse
import datetime
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time

PRECISIONS = ("fp32", "tf32", "fp16", "bf16")
# Seconds that a stage may take; together under ten minutes.
LIMITS = {"tests": 80, "calibrate": 50, "models": 220, "precision": 130, "pytorch": 110}
TARGETS = {"pytorch": 1.0, "engine": 0.01, "prediction": 0.05}


class NotMeasured(Exception):
    """A stage or a part of it came to no figures; says why."""


class Machine:
    """The programs, the folder for what they find, and the log of all that was started."""

    def __init__(self, arguments):
        self.folder = arguments.output
        self.environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                         "GTEST_COLOR": "no"}
        if arguments.programs:
            self.programs = {name: arguments.programs / name
                             for name in ("mgbench", "backends_test", "communicators_test", "mpirun")}
        else:
            build = arguments.build
            self.programs = {"mgbench": build / "src/mgbench",
                             "backends_test": build / "tests/bench/backends_test",
                             "communicators_test": build / "tests/bench/communicators_test",
                             "mpirun": pathlib.Path(shutil.which("mpirun") or "mpirun")}
            self.environment["MGBENCH_MODULES"] = str(build / "src")
        self.deadline = None

    def run(self, program, *words, codes=(0,), **variables):
        """Standard output of a program that must end with one of these codes before the stage's time is spent."""
        command = [str(self.programs.get(program, program)), *map(str, words)]
        print("  " + " ".join([program, *map(str, words)]), flush=True)
        left = None if self.deadline is None else self.deadline - time.monotonic()
        if left is not None and left <= 1:
            raise NotMeasured("the stage's time was spent before it")
        with (self.folder / "log.txt").open("a") as log:
            log.write(f"\n$ {' '.join(command)}\n")
            log.flush()
            # Ended as a user would end it: mgbench saves what it has, and ends its ranks.
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True,
                                       env=self.environment | variables)
            try:
                output, _ = process.communicate(timeout=left)
            except subprocess.TimeoutExpired:
                process.terminate()
                try:
                    output, _ = process.communicate(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    output, _ = process.communicate()
                log.write(output)
                raise NotMeasured("it took longer than the stage may") from None
            log.write(output)
        if process.returncode not in codes or not (output or process.returncode == 0):
            raise NotMeasured(f"{program} ended with {process.returncode} (log.txt)")
        return output

    def mgbench(self, *words, **codes):
        return self.run("mgbench", *words, **codes)


def obstacle(machine):
    """Why no GPU can be used here; empty where one can."""
    listed = subprocess.run([machine.programs["mgbench"], "list"], env=machine.environment, check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    line = next(line for line in listed.splitlines() if line.startswith("  cudnn "))
    found = re.search(r"\[not available: (.*)\]$", line)
    return found.group(1) if found else ""


def number_of_gpus(machine):
    return int(re.match(r"\d+", machine.mgbench("run", "--backend", "cudnn", "--model", "tiny", "--dry-run")).group())


def attempt(parts):
    """What each part found, by name; of one that came to nothing, why."""
    found = {}
    for name, part in parts.items():
        try:
            found[name] = part()
        except NotMeasured as reason:
            found[name] = {"not_measured": str(reason)}
    return found


def lack(row):
    """Why a strategy has no times; empty where it has."""
    return row["failure"] or (f"{row['rounds']} rounds that count" if row["rounds"] < 6 else "")


def run_of(machine, folder, options, *words):
    """Trains; the rows of the table, the saved result, and where its page is. Some rows may lack times (code 3)."""
    rows = json.loads(machine.mgbench("run", "--backend", "cudnn", "--budget", options.budget, "--json", "-o", folder,
                                      *words, codes=(0, 3)))
    saved = next(folder.glob("*.json"))
    html = saved.with_suffix(".html")
    machine.mgbench("report", saved, "--html", html)
    return rows, json.loads(saved.read_text()), str(html.relative_to(machine.folder))


def fresh(machine, *names):
    folder = machine.folder.joinpath(*names)
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def tests(machine, options):
    def passed(program, *words, **variables):
        output = machine.run(program, *words, **variables)
        number = int(re.search(r"\[  PASSED  \] (\d+) test", output).group(1))
        if number == 0:
            raise NotMeasured("no test ran (log.txt)")
        return {"passed": number}

    ranks = number_of_gpus(machine)
    return attempt({
        "backends_test": lambda: passed("backends_test", MGBENCH_TEST_BACKEND="cudnn"),
        f"communicators_test, {ranks} ranks": lambda: passed(
            "mpirun", "--oversubscribe", "-n", ranks, machine.programs["communicators_test"])})


def calibrate(machine, options):
    def of(communicator):
        folder = fresh(machine, "calibrate", communicator)
        machine.mgbench("calibrate", "--communicator", communicator, "--budget", options.budget, "-o", folder)
        return {"file": str(next(folder.glob("*.yaml")).relative_to(machine.folder))}

    return attempt({name: lambda name=name: of(name) for name in ("nccl", "mpi-staged")})


def models(machine, options):
    gpus = number_of_gpus(machine)
    ways = {"nccl": ("--communicator", "nccl", "-n", gpus), "mpi-staged": ("--communicator", "mpi-staged", "-n", gpus)}
    for ranks in (16, 64):
        ways[f"10GbE as {ranks}"] = ("--interconnect", "10GbE", "--as-ranks", ranks, "-n", 1)

    def of(model, way):
        folder = fresh(machine, "models", f"{model}-{way.replace(' ', '-')}")
        batch = ("--batch", options.batches[0]) if options.model else ()
        rows, _, html = run_of(machine, folder, options, "--model", model, *ways[way], *batch)
        part = {"page": html, "strategies": {row["strategy"]: {"iteration": row["iteration_seconds"],
                                                               "predicted": row["predicted_iteration_seconds"]}
                                             for row in rows if not lack(row)}}
        missing = [f"{row['strategy']}: {lack(row)}" for row in rows if lack(row)]
        return part | ({"not_measured": "; ".join(missing)} if missing else {})

    return attempt({f"{model}, {way}": lambda model=model, way=way: of(model, way)
                    for model in options.models for way in ways})


def precision(machine, options):
    """An iteration of one rank without messages, and what a message a tensor through NCCL of one rank adds."""
    def of(name, batch):
        rows, saved, html = run_of(
            machine, fresh(machine, "precision", f"{name}-{batch}"), options, "--model", options.timed_model,
            "--communicator", "nccl", "-n", 1, "--strategy", "wfbp", "--precision", name, "--batch", batch)
        if lack(rows[0]) or not saved["alone"]:
            raise NotMeasured(lack(rows[0]) or "no times without messages")
        return {"page": html, "layout": saved["environment"]["software.layout"],
                "iteration": saved["alone"]["median_seconds"], "with_messages": rows[0]["iteration_seconds"]}

    return attempt({f"{name}, batch {batch}": lambda name=name, batch=batch: of(name, batch)
                    for batch in options.batches for name in PRECISIONS})


def pytorch(machine, options):
    script = pathlib.Path(__file__).with_name("pytorch_models.py")
    try:
        version = machine.run("python3", "-c",
                              "import torch; assert torch.cuda.is_available(); print(torch.__version__)").strip()
    except NotMeasured:
        return {"skipped": "python3 has no PyTorch that can use a GPU (log.txt)"}

    def of(name, batch):
        line = machine.run("python3", script, "--device", "cuda", "--model", options.timed_model, "--precision", name,
                           "--batch", batch, "--warmup", 10, "--iterations", 20)
        return {"iteration": float(re.search(r"median_ms ([0-9.]+)", line).group(1)) / 1e3}

    return {"version": version} | attempt({f"{name}, batch {batch}": lambda name=name, batch=batch: of(name, batch)
                                           for batch in options.batches for name in PRECISIONS})


def judge(found):
    """(what, value, limit, fine) of each figure found by the stages that has a target, and what was not measured."""
    figures, missing = [], []
    for stage, parts in found.items():
        for name, part in parts.items():
            if isinstance(part, dict) and "not_measured" in part:
                missing.append(f"{stage}: {name}: {part['not_measured']}")
    for name, part in found.get("models", {}).items():
        for strategy, times in part.get("strategies", {}).items():
            error = times["predicted"] / times["iteration"] - 1
            figures.append((f"prediction of {name}, {strategy}", error, TARGETS["prediction"],
                            abs(error) <= TARGETS["prediction"]))
    theirs = found.get("pytorch", {})
    for name, part in found.get("precision", {}).items():
        if "iteration" not in part:
            continue
        overhead = part["with_messages"] / part["iteration"] - 1
        figures.append((f"engine, {name}", overhead, TARGETS["engine"], overhead < TARGETS["engine"]))
        if "iteration" in theirs.get(name, {}):
            ratio = part["iteration"] / theirs[name]["iteration"]
            figures.append((f"of PyTorch's time, {name}", ratio, TARGETS["pytorch"], ratio <= TARGETS["pytorch"]))
    return figures, missing


def milliseconds(part):
    return f"{1e3 * part['iteration']:.3f}" if "iteration" in part else "-"


def link(name, part):
    return f"[{name}]({part['page']})"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows] + [""]


def page(about, found, figures, missing):
    """The folder's README.md."""
    missed = [figure for figure in figures if not figure[3]]
    lines = [f"# GPU check of {about['host']}, {about['date']}", ""]
    lines += [f"* {name}: {value}" for name, value in about.items() if name not in ("host", "date")] + [""]
    lines += [f"{len(figures) - len(missed)} of {len(figures)} figures meet their targets." if figures
              else "No figure with a target was measured.", ""]
    if missed:
        lines += ["## Missed", ""] + table(("figure", "value", "target"),
                                           [(what, f"{value:.4f}", limit) for what, value, limit, _ in missed])
    if missing:
        lines += ["## Not measured", ""] + [f"* {entry}" for entry in missing] + [""]
    if "tests" in found:
        lines += ["## Tests", ""] + table(("program", "passed"), [(name, part.get("passed", "-"))
                                                                  for name, part in found["tests"].items()])
    if "models" in found:
        rows = [(link(name, part), strategy, milliseconds(times), f"{1e3 * times['predicted']:.3f}",
                 f"{100 * (times['predicted'] / times['iteration'] - 1):+.1f}")
                for name, part in found["models"].items() for strategy, times in part.get("strategies", {}).items()]
        lines += ["## Models", ""] + table(("model", "strategy", "iteration (ms)", "predicted (ms)", "error (%)"), rows)
    if "precision" in found:
        theirs = found.get("pytorch", {})
        rows = []
        for name, part in found["precision"].items():
            if "iteration" not in part:
                continue
            other = theirs.get(name, {})
            ratio = f"{part['iteration'] / other['iteration']:.3f}" if "iteration" in other else "-"
            engine = f"{100 * (part['with_messages'] / part['iteration'] - 1):+.2f}"
            rows.append((link(name, part), part["layout"], milliseconds(part), milliseconds(other), ratio, engine))
        lines += ["## Precision", "", "An iteration of one rank without messages, PyTorch's beside it, and what a message a "
                  "tensor through NCCL of one rank adds (the engine).", ""]
        theirs_name = " ".join(["PyTorch", *theirs.get("version", "").split()])
        lines += table((about["timed model"], "activations", "mgbench (ms)", f"{theirs_name} (ms)", "ratio", "engine (%)"), rows)
        if "skipped" in theirs:
            lines += [f"PyTorch: skipped, {theirs['skipped']}", ""]
    return "\n".join(lines)


def summary(machine, options):
    found = {stage: json.loads((machine.folder / f"{stage}.json").read_text())
             for stage in LIMITS if (machine.folder / f"{stage}.json").exists()}
    about = {"host": socket.gethostname(), "date": datetime.date.today().isoformat(),
             "mgbench": machine.mgbench("--version").strip(), "timed model": options.timed_model}
    for saved in sorted(machine.folder.glob("*/*/*-run-*.json"))[:1]:
        environment = json.loads(saved.read_text())["environment"]
        about |= {"GPU": environment["device.name"], "libraries": environment["software.backend"]}
    for saved in sorted(machine.folder.glob("models/*-nccl/*-run-*.json"))[:1]:
        environment = json.loads(saved.read_text())["environment"]
        about |= {f"NCCL's {what}": environment[f"nccl.{what}"] for what in ("allreduce", "network", "nvls", "channels")
                  if f"nccl.{what}" in environment}
    if shutil.which("nvidia-smi"):
        query = machine.run("nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader")
        about["GPUs"] = "; ".join(query.strip().splitlines())
    figures, missing = judge(found)
    (machine.folder / "README.md").write_text(page(about, found, figures, missing))
    keys = ("figure", "value", "target", "fine")
    (machine.folder / "summary.json").write_text(json.dumps(
        {"about": about, "stages": found, "figures": [dict(zip(keys, figure)) for figure in figures],
         "not_measured": missing}, indent=1))
    missed = [figure[0] for figure in figures if not figure[3]]
    print(f"{machine.folder}/README.md: {len(figures)} figures with targets, {len(missed)} missed; "
          f"{len(missing)} not measured")
    return 1 if missed else 3 if missing else 0


STAGES = {"tests": tests, "calibrate": calibrate, "models": models, "precision": precision, "pytorch": pytorch}


def parse():
    parser = argparse.ArgumentParser(prog="gpu-check", description=__doc__)
    names = ", ".join([*STAGES, "summary"])
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {names} (default: all)")
    parser.add_argument("--programs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FOLDER",
                        default=pathlib.Path("results") / f"gpu-{datetime.date.today():%Y%m%d}",
                        help="where results of other stages of the day lie, too (default: results/gpu-DATE)")
    parser.add_argument("--budget", type=float, default=12, metavar="SECONDS", help="of each run (default: 12)")
    parser.add_argument("--model", help="this one alone (default: alexnet, googlenet, resnet50; resnet50 by precision)")
    parser.add_argument("--batches", default="32,128", help="images a rank, by precision (default: 32,128)")
    options = parser.parse_args()
    options.output = options.output.resolve()
    options.batches = options.batches.split(",")
    options.models = [options.model] if options.model else ["alexnet", "googlenet", "resnet50"]
    options.timed_model = options.model or "resnet50"
    unknown = [stage for stage in options.stages if stage not in [*STAGES, "summary"]]
    if unknown:
        parser.error(f"unknown stage '{unknown[0]}': expected {names}")
    options.stages = options.stages or [*STAGES, "summary"]
    return options


def main():
    options = parse()
    machine = Machine(options)
    if reason := obstacle(machine):
        print(f"gpu-check: no GPU can be used here: {reason}", file=sys.stderr)
        return 3
    machine.folder.mkdir(parents=True, exist_ok=True)
    for stage, work in STAGES.items():
        if stage not in options.stages:
            continue
        begin = time.monotonic()
        print(f"{stage} (at most {LIMITS[stage]} s)", flush=True)
        machine.deadline = begin + LIMITS[stage]
        found = work(machine, options)
        (machine.folder / f"{stage}.json").write_text(json.dumps(found, indent=1))
        skipped = f"; skipped: {found['skipped']}" if "skipped" in found else ""
        print(f"{stage}: {time.monotonic() - begin:.0f} s{skipped}")
    machine.deadline = None
    return summary(machine, options)


if __name__ == "__main__":
    sys.exit(main())
