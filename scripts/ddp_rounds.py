"""Trains a torchvision model with DistributedDataParallel under its default and under an exported bucket cap, in turn.

Called by tune_pytorch. Two processes with gloo on this host, one thread each. A round is a block of iterations under the default
and one under the exported cap; the first iteration of a block is discarded; a sample is the slowest rank's time from one
iteration's end to the next. Prints a table in Markdown and writes everything as JSON.
"""

import argparse
import copy
import inspect
import json
import os
import pathlib
import platform
import socket
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))

import torch
import torch.distributed as distributed
import torch.multiprocessing as processes
import torchvision
from torch.nn.parallel import DistributedDataParallel

from calibrate_torch import median_interval

RANKS = 2


def exported_setting(export):
    """(cap or None, its prediction) for the rule of the PyTorch at hand, told by its signature."""
    newer = inspect.signature(DistributedDataParallel).parameters["bucket_cap_mb"].default is None
    setting = export["ddp"]["first_bucket_follows" if newer else "first_bucket_stays_1_mib"]
    return setting["bucket_cap_mb"], setting


def bucket_sizes(model):
    """Bytes of the buckets in the order in which they are sent, as DDP has rebuilt them."""
    text = model._get_ddp_logging_data()["rebuilt_bucket_sizes"]
    return [int(size) for size in text.split(",")]


class Trainee:
    def __init__(self, module, cap):
        options = {} if cap is None else {"bucket_cap_mb": cap}
        self.model = DistributedDataParallel(module, **options)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.0, momentum=0.9)

    def iterate(self, images):
        self.optimizer.zero_grad(set_to_none=True)
        self.model(images).mean().backward()
        self.optimizer.step()

    def block(self, images, iterations):
        """Seconds of each iteration but the first, the slowest rank's."""
        distributed.barrier()
        ends = []
        for _ in range(iterations + 1):
            self.iterate(images)
            ends.append(time.perf_counter())
        seconds = torch.tensor([end - begin for begin, end in zip(ends, ends[1:])], dtype=torch.float64)
        distributed.all_reduce(seconds, op=distributed.ReduceOp.MAX)
        return seconds.tolist()


def train(rank, port, arguments, cap, path):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    torch.manual_seed(1)
    distributed.init_process_group("gloo", rank=rank, world_size=RANKS)
    module = getattr(torchvision.models, arguments.model)(weights=None)
    images = torch.randn(arguments.batch, 3, arguments.image_size, arguments.image_size)
    trainees = {"default": Trainee(copy.deepcopy(module), None), "exported": Trainee(module, cap)}
    for trainee in trainees.values():  # buckets are rebuilt after the first iteration
        for _ in range(3):
            trainee.iterate(images)
    samples = {name: [] for name in trainees}
    for _ in range(arguments.rounds):
        for name, trainee in trainees.items():
            samples[name].append(trainee.block(images, arguments.iterations))
    if rank == 0:
        buckets = {name: bucket_sizes(trainee.model) for name, trainee in trainees.items()}
        pathlib.Path(path).write_text(json.dumps({"samples": samples, "buckets": buckets}))
    distributed.destroy_process_group()


def estimate(values):
    interval = median_interval(values)
    return {"median": statistics.median(values), "interval": list(interval) if interval else None, "samples": len(values)}


def verdict(ratio, same_plan):
    """One sentence; `ratio` is of the default's time by the exported one's, paired."""
    if same_plan:
        return "the best setting is DDP's default: both rows run the same, and differ by noise alone"
    if ratio["interval"] is None:
        return "fewer than six samples: no interval, no verdict"
    low, high = ratio["interval"]
    told = f"{ratio['median']:.3f} [{low:.3f}, {high:.3f}]"
    if low <= 1 <= high:
        return f"not distinguishable: default by exported {told} holds 1"
    return f"the exported setting is {'faster' if low > 1 else 'SLOWER'}: default by exported {told}"


def result_of(arguments, export, measured, cap, setting):
    flat = {name: [second for block in blocks for second in block] for name, blocks in measured["samples"].items()}
    planned = {"default": export["ddp"]["default"], "exported": setting}
    rows = {}
    for name, values in flat.items():
        rows[name] = {"bucket_cap_mb": None if name == "default" else cap,
                      "iteration_seconds": estimate(values),
                      "predicted_iteration_seconds": planned[name]["predicted_iteration_seconds"],
                      "bucket_bytes": measured["buckets"][name],
                      "planned_bucket_bytes": planned[name]["message_bytes"],
                      "buckets_as_planned": measured["buckets"][name] == planned[name]["message_bytes"]}
    ratio = estimate([slow / fast for slow, fast in zip(flat["default"], flat["exported"])])
    return {"command": arguments.command, "model": arguments.model, "batch": arguments.batch,
            "image_size": arguments.image_size, "ranks": RANKS, "backend": "gloo", "torch": torch.__version__,
            "machine": cpu(), "rows": rows, "default_by_exported": ratio, "verdict": verdict(ratio, cap is None),
            "optimum_seconds": export["optimum"]["predicted_iteration_seconds"], "samples_seconds": measured["samples"]}


def cpu():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def table(result):
    lines = ["# A PyTorch job, tuned", "",
             f"Made by `{result['command']}`: {result['model']}, batch {result['batch']}, {result['image_size']} x "
             f"{result['image_size']} images, DistributedDataParallel over gloo, {result['ranks']} processes of one thread on one "
             f"host, PyTorch {result['torch']}. {result['machine']}. Medians with 95 % intervals; `predicted` knows nothing of "
             "what messages take from computation.", "",
             "| setting | bucket_cap_mb | buckets (bytes, as sent) | iteration ms | 95 % interval | predicted ms | error % |",
             "|---|---|---|---|---|---|---|"]
    for name, row in result["rows"].items():
        time_ = row["iteration_seconds"]
        interval = time_["interval"]
        shown = "-" if interval is None else f"[{1e3 * interval[0]:.1f}, {1e3 * interval[1]:.1f}]"
        buckets = ", ".join(str(size) for size in row["bucket_bytes"])
        lines.append(f"| {name} | {row['bucket_cap_mb'] or 'not set'} | {buckets}{'' if row['buckets_as_planned'] else ' (NOT AS PLANNED)'} "
                     f"| {1e3 * time_['median']:.1f} | {shown} | {1e3 * row['predicted_iteration_seconds']:.1f} "
                     f"| {100 * (row['predicted_iteration_seconds'] / time_['median'] - 1):+.1f} |")
    lines += ["", f"Verdict: {result['verdict']}.", ""]
    if not all(row["buckets_as_planned"] for row in result["rows"].values()):
        lines += ["DDP has cut other buckets than those that were planned: the predictions are not of what ran.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--export", required=True, help="of mgbench plan --export json")
    parser.add_argument("--model", required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--image-size", type=int, required=True)
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--iterations", type=int, required=True)
    parser.add_argument("--command", required=True, help="to be named in the results")
    parser.add_argument("--output", required=True, help="folder")
    arguments = parser.parse_args()

    export = json.loads(pathlib.Path(arguments.export).read_text())
    cap, setting = exported_setting(export)
    folder = pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    raw = folder / f".{arguments.model}-samples.json"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        processes.spawn(train, args=(port, arguments, cap, str(raw)), nprocs=RANKS)
        result = result_of(arguments, export, json.loads(raw.read_text()), cap, setting)
    finally:
        raw.unlink(missing_ok=True)
    (folder / f"{arguments.model}.json").write_text(json.dumps(result, indent=1) + "\n")
    text = table(result)
    (folder / "README.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
