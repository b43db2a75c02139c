#!/usr/bin/env python3
"""Measures torch.distributed.all_reduce on your own backend and ranks: CSV `bytes,seconds` for mgbench.

    torchrun --nnodes 2 --nproc-per-node 8 --rdzv-endpoint HOST:PORT --rdzv-backend c10d calibrate_torch.py -o allreduce.csv
    mpirun -n 16 -x MASTER_ADDR=HOST python3 calibrate_torch.py -o allreduce.csv
    calibrate_torch.py --local 2 -o allreduce.csv          # gloo, two processes of its own on this host

A sample is one call, from the start of the asynchronous all_reduce to its completion, after a barrier; its value is the slowest
rank's. Sizes from 4 B to --max-bytes in powers of two are visited in random order, pass after pass, until the 95 % interval of
each median is within --tolerance of it, or --samples or --budget are spent. Sums are checked. Rank 0 writes.
"""

import argparse
import math
import os
import random
import socket
import statistics
import sys
import time

FEWEST_SAMPLES = 6  # with fewer a median has no 95 % interval
LIBRARIES = {"gloo": "gloo", "nccl": "NCCL", "mpi": "MPI"}
LAUNCHERS = [("RANK", "WORLD_SIZE", "LOCAL_RANK"),
             ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
             ("PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
             ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID")]


class InputError(Exception):
    """What a user can put right; one line."""


class WrongSum(Exception):
    """all_reduce gave something else than the sum."""


def median_interval(samples):
    """The order statistics that hold the median with 95 %: none under six samples."""
    ordered = sorted(samples)
    n = len(ordered)
    tail, k = 0.5 ** n, 0  # P(fewer than k + 1 of n samples lie below the median)
    if tail > 0.025:
        return None
    while tail + math.comb(n, k + 1) * 0.5 ** n <= 0.025:
        k += 1
        tail += math.comb(n, k) * 0.5 ** n
    return ordered[k], ordered[n - 1 - k]


def settled(samples, tolerance):
    interval = median_interval(samples) if len(samples) >= FEWEST_SAMPLES else None
    if interval is None:
        return False
    median = statistics.median(samples)
    return max(interval[1] - median, median - interval[0]) <= tolerance * median


def sizes_up_to(most):
    """4, 8, 16, ... and `most` itself, in whole floats."""
    sizes = []
    size = 4
    while size <= most:
        sizes.append(size)
        size *= 2
    if sizes[-1] != most // 4 * 4:
        sizes.append(most // 4 * 4)
    return sizes


class Meter:
    """all_reduce among all ranks of the default process group."""

    def __init__(self, device, most):
        import torch
        import torch.distributed

        self.torch = torch
        self.distributed = torch.distributed
        self.device = device
        self.ranks = self.distributed.get_world_size()
        self.rank = self.distributed.get_rank()
        self.buffer = torch.empty(most // 4, dtype=torch.float32, device=device)

    def synchronize(self):
        if self.device.type == "cuda":
            self.torch.cuda.synchronize(self.device)

    def sample(self, size):
        """Seconds of one call, the slowest rank's."""
        part = self.buffer[:size // 4]
        part.fill_(self.rank + 1)
        self.synchronize()
        self.distributed.barrier()
        self.synchronize()
        begin = time.perf_counter()
        self.distributed.all_reduce(part, async_op=True).wait()
        self.synchronize()
        seconds = time.perf_counter() - begin
        expected = self.ranks * (self.ranks + 1) / 2
        wrong = 0.0 if bool((part == expected).all()) else 1.0
        slowest, wrong = self.largest([seconds, wrong])
        if wrong:
            raise WrongSum(f"all_reduce of {size} bytes over {self.ranks} ranks did not give the sum")
        return slowest

    def largest(self, values):
        """Element by element over the ranks: what all of them decide by."""
        tensor = self.torch.tensor(values, dtype=self.torch.float64, device=self.device)
        self.distributed.all_reduce(tensor, op=self.distributed.ReduceOp.MAX)
        return tensor.tolist()


def measure(meter, sizes, tolerance=0.02, most_samples=200, budget=60.0, seed=1):
    """{bytes: seconds}, medians; every size has at least one sample."""
    order = random.Random(seed)  # the same on every rank
    samples = {size: [] for size in sizes}
    for size in sizes:  # connections, buffers, clocks of the processor
        meter.sample(size)
    begin = time.perf_counter()
    while True:
        left = [size for size in sizes if len(samples[size]) < most_samples and not settled(samples[size], tolerance)]
        order.shuffle(left)
        for size in left:
            samples[size].append(meter.sample(size))
        if not left or meter.largest([time.perf_counter() - begin])[0] > budget:
            return {size: statistics.median(samples[size]) for size in sizes}


def csv_text(seconds, ranks, backend):
    rows = "".join(f"{size},{value:.9g}\n" for size, value in sorted(seconds.items()))
    return f"# ranks={ranks}\n# library={LIBRARIES[backend]}\nbytes,seconds\n{rows}"


def launched_ranks():
    """(rank, ranks, local rank) as the launcher says."""
    for rank, ranks, local in LAUNCHERS:
        if rank in os.environ and ranks in os.environ:
            return int(os.environ[rank]), int(os.environ[ranks]), int(os.environ.get(local, 0))
    raise InputError("no launcher's ranks in the environment; expected torchrun, mpirun or srun, or --local P")


def write(text, output):
    if output is None:
        sys.stdout.write(text)
        return
    with open(output, "w", encoding="utf-8") as stream:
        stream.write(text)


def run_rank(rank, ranks, local_rank, arguments):
    import torch
    import torch.distributed as distributed

    backend = arguments.backend
    if backend == "nccl":
        torch.cuda.set_device(local_rank)
        device = torch.device("cuda", local_rank)
    else:
        device = torch.device("cpu")
        if arguments.threads:
            torch.set_num_threads(arguments.threads)
    distributed.init_process_group(backend, init_method="env://", rank=rank, world_size=ranks)
    try:
        sizes = sizes_up_to(arguments.max_bytes)
        seconds = measure(Meter(device, sizes[-1]), sizes, arguments.tolerance, arguments.samples, arguments.budget,
                          arguments.seed)
        if rank == 0:
            write(csv_text(seconds, ranks, backend), arguments.output)
    finally:
        distributed.destroy_process_group()


def run_local_rank(rank, ranks, port, arguments):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    try:
        run_rank(rank, ranks, rank, arguments)
    except WrongSum as error:
        print(f"calibrate_torch: {error}", file=sys.stderr)
        sys.exit(1)


def run_local(arguments):
    import torch.multiprocessing as processes

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        processes.spawn(run_local_rank, args=(arguments.local, port, arguments), nprocs=arguments.local)
    except processes.ProcessExitedException as error:  # it has said why
        sys.exit(error.exit_code)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--local", type=int, metavar="P", help="start P processes with gloo on this host")
    parser.add_argument("--backend", choices=sorted(LIBRARIES), help="default: nccl where there are GPUs, else gloo")
    parser.add_argument("--max-bytes", type=int, default=1 << 26, help="largest message; at least the model's gradients "
                        "(default: 67108864)")
    parser.add_argument("--tolerance", type=float, default=0.02, help="of medians, relative (default: 0.02)")
    parser.add_argument("--samples", type=int, default=200, help="at most, a size (default: 200)")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds; one pass is always done (default: 60)")
    parser.add_argument("--threads", type=int, help="of PyTorch on a CPU")
    parser.add_argument("--seed", type=int, default=1, help="of the order of sizes")
    parser.add_argument("-o", "--output", help="file (default: standard output)")
    arguments = parser.parse_args(words)
    for name, least in [("max_bytes", 16), ("samples", 1), ("local", 2), ("threads", 1)]:
        value = getattr(arguments, name)
        if value is not None and value < least:
            raise InputError(f"--{name.replace('_', '-')} {value}: expected at least {least}")
    for name in ("tolerance", "budget"):
        if not 0 < getattr(arguments, name) < math.inf:
            raise InputError(f"--{name} {getattr(arguments, name)}: expected a number above zero")
    if arguments.local and arguments.backend not in (None, "gloo"):
        raise InputError(f"--local starts gloo processes; --backend {arguments.backend} needs torchrun or mpirun")
    return arguments


def main(words=None):
    arguments = parse(words)
    try:
        import torch
    except ImportError:
        raise InputError(f"{sys.executable} has no torch; on Debian: apt-get install python3-torch, and /usr/bin/python3") from None
    if arguments.output and not os.path.isdir(os.path.dirname(os.path.abspath(arguments.output))):
        raise InputError(f"{arguments.output}: no such folder")
    if arguments.local:
        arguments.backend = "gloo"
        run_local(arguments)
        return
    rank, ranks, local_rank = launched_ranks()
    if ranks < 2:
        raise InputError("1 rank: an allreduce needs at least two")
    if arguments.backend is None:
        arguments.backend = "nccl" if torch.cuda.is_available() else "gloo"
    if "MASTER_ADDR" not in os.environ:
        raise InputError("MASTER_ADDR is not set; expected the host of rank 0 (torchrun sets it, mpirun: -x MASTER_ADDR=HOST)")
    os.environ.setdefault("MASTER_PORT", "29500")
    run_rank(rank, ranks, local_rank, arguments)


if __name__ == "__main__":
    try:
        main()
    except InputError as error:
        print(f"calibrate_torch: {error}", file=sys.stderr)
        sys.exit(2)
    except WrongSum as error:
        print(f"calibrate_torch: {error}", file=sys.stderr)
        sys.exit(1)
