"""Tests of tools/calibrate_torch.py: the CSV, who decides on what, and refusals; never how long anything takes."""

import csv
import os
import socket
import subprocess
import sys
import tempfile
import unittest

TOOLS = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, TOOLS)

import calibrate_torch


def run_tool(*words, **variables):
    environment = {key: value for key, value in os.environ.items()
                   if not any(key in names for names in calibrate_torch.LAUNCHERS) and key != "MASTER_ADDR"}
    return subprocess.run([sys.executable, os.path.join(TOOLS, "calibrate_torch.py"), *words],
                          env={**environment, **variables}, capture_output=True, text=True)


class Command(unittest.TestCase):
    def check(self, text):
        lines = text.splitlines()
        self.assertEqual(lines[:3], ["# ranks=2", "# library=gloo", "bytes,seconds"])
        rows = list(csv.DictReader(lines[2:]))
        self.assertEqual([int(row["bytes"]) for row in rows], [4 << k for k in range(11)] + [5000])
        for row in rows:
            self.assertGreater(float(row["seconds"]), 0)

    def test_two_local_processes(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "allreduce.csv")
            result = run_tool("--local", "2", "--max-bytes", "5000", "--samples", "3", "--threads", "1", "-o", path)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            with open(path) as stream:
                self.check(stream.read())

    def test_ranks_of_a_launcher(self):
        words = ["--max-bytes", "5000", "--samples", "2", "--backend", "gloo"]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        common = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        other = subprocess.Popen([sys.executable, os.path.join(TOOLS, "calibrate_torch.py"), *words],
                                 env={**os.environ, **common, "RANK": "1"}, stdout=subprocess.PIPE, text=True)
        result = run_tool(*words, RANK="0", **common)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.check(result.stdout)
        self.assertEqual(other.communicate()[0], "")
        self.assertEqual(other.returncode, 0)

    def test_wrong_input_is_one_clear_line_and_exit_code_two(self):
        for words, variables, expected in [
                ([], {}, "expected torchrun, mpirun or srun, or --local P"),
                ([], {"RANK": "0", "WORLD_SIZE": "1"}, "at least two"),
                ([], {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"}, "MASTER_ADDR is not set"),
                (["--local", "1"], {}, "--local 1: expected at least 2"),
                (["--local", "2", "--backend", "nccl"], {}, "--local starts gloo processes"),
                (["--local", "2", "--max-bytes", "3"], {}, "--max-bytes 3: expected at least 16"),
                (["--local", "2", "--tolerance", "0"], {}, "--tolerance 0.0: expected a number above zero"),
                (["--local", "2", "--budget", "nan"], {}, "--budget nan: expected a number above zero"),
                (["--local", "2", "-o", "/no/such/folder/x.csv"], {}, "/no/such/folder/x.csv: no such folder")]:
            with self.subTest(words=words):
                result = run_tool(*words, **variables)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(result.stdout, "")
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(expected, result.stderr)


class FakeMeter:
    """Calls that take a given time each, from a table or a function; remembers who was asked."""

    def __init__(self, seconds, elapsed=0.0):
        self.seconds = seconds
        self.elapsed = elapsed
        self.asked = []

    def sample(self, size):
        self.asked.append(size)
        return self.seconds(size, self.asked.count(size))

    def largest(self, values):
        return [self.elapsed] * len(values)


class Rules(unittest.TestCase):
    def test_sizes(self):
        self.assertEqual(calibrate_torch.sizes_up_to(16), [4, 8, 16])
        self.assertEqual(calibrate_torch.sizes_up_to(21), [4, 8, 16, 20])
        self.assertEqual(calibrate_torch.sizes_up_to(19), [4, 8, 16])

    def test_median_interval_is_that_of_order_statistics(self):
        self.assertIsNone(calibrate_torch.median_interval([1, 2, 3, 4, 5]))
        # The tables of the binomial distribution: the first and last of 6, the second and last but one of 9 to 11, the
        # sixth and fifteenth of 20.
        self.assertEqual(calibrate_torch.median_interval(range(1, 7)), (1, 6))
        self.assertEqual(calibrate_torch.median_interval(range(1, 10)), (2, 8))
        self.assertEqual(calibrate_torch.median_interval(range(1, 12)), (2, 10))
        self.assertEqual(calibrate_torch.median_interval(range(1, 21)), (6, 15))

    def test_stops_once_medians_have_settled(self):
        meter = FakeMeter(lambda size, call: 1e-6 * size)
        self.assertEqual(calibrate_torch.measure(meter, [4, 8, 16]), {4: 4e-6, 8: 8e-6, 16: 16e-6})
        for size in (4, 8, 16):
            self.assertEqual(meter.asked.count(size), 1 + calibrate_torch.FEWEST_SAMPLES, "one before counting")

    def test_unsettled_sizes_go_on_to_the_bound(self):
        meter = FakeMeter(lambda size, call: 1.0 if size == 4 else 1.0 + call % 2)
        calibrate_torch.measure(meter, [4, 8], most_samples=20)
        self.assertEqual(meter.asked.count(4), 1 + calibrate_torch.FEWEST_SAMPLES)
        self.assertEqual(meter.asked.count(8), 1 + 20)

    def test_the_budget_that_all_ranks_agree_on_ends_it_after_a_whole_pass(self):
        meter = FakeMeter(lambda size, call: float(call), elapsed=100.0)
        calibrate_torch.measure(meter, [4, 8, 16], budget=60)
        self.assertEqual(sorted(meter.asked), [4, 4, 8, 8, 16, 16])

    def test_the_order_is_random_but_the_same_on_all_ranks(self):
        meters = [FakeMeter(lambda size, call: float(call % 7 + 1)) for _ in range(2)]
        for meter in meters:
            calibrate_torch.measure(meter, calibrate_torch.sizes_up_to(1024), most_samples=5)
        self.assertEqual(meters[0].asked, meters[1].asked)
        passes = [tuple(meters[0].asked[begin:begin + 9]) for begin in range(9, 54, 9)]
        self.assertEqual({tuple(sorted(one)) for one in passes}, {tuple(calibrate_torch.sizes_up_to(1024))})
        self.assertGreater(len(set(passes)), 1)

    def test_csv_names_the_library(self):
        for backend, library in (("gloo", "gloo"), ("nccl", "NCCL"), ("mpi", "MPI")):
            self.assertEqual(calibrate_torch.csv_text({8: 2e-5, 4: 1e-5}, 3, backend),
                             f"# ranks=3\n# library={library}\nbytes,seconds\n4,1e-05\n8,2e-05\n")


class WrongSums(unittest.TestCase):
    def test_are_refused(self):
        import torch

        class Broken:
            ReduceOp = torch.distributed.ReduceOp

            @staticmethod
            def barrier():
                pass

            @staticmethod
            def all_reduce(tensor, op=None, async_op=False):
                class Done:
                    def wait(self):
                        pass
                return Done()  # sums nothing

        meter = calibrate_torch.Meter.__new__(calibrate_torch.Meter)
        meter.torch, meter.distributed, meter.device = torch, Broken, torch.device("cpu")
        meter.ranks, meter.rank, meter.buffer = 2, 0, torch.empty(4)
        with self.assertRaisesRegex(calibrate_torch.WrongSum, "16 bytes over 2 ranks"):
            meter.sample(16)


if __name__ == "__main__":
    unittest.main()
