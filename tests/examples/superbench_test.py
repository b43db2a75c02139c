"""docs/examples/superbench against the real output of `mgbench run`: superbench_test.py FOLDER MGBENCH.

SuperBench is no package of Debian: what the example uses of it is rebuilt here.
"""

import argparse
import importlib.util
import logging
import os
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

FOLDER, MGBENCH = sys.argv[1:3]
REGISTERED = {}


class Result:
    def __init__(self):
        self.metrics, self.code = {}, 0

    def add_raw_data(self, name, text, only_to_the_log):
        pass

    def add_result(self, metric, value):
        self.metrics[metric] = value

    def set_return_code(self, code):
        self.code = code


class MicroBenchmarkWithInvoke:
    def __init__(self, name, parameters):
        self._name, self._parameters = name, parameters
        self._commands, self._result = [], Result()
        self._parser = argparse.ArgumentParser()

    def add_parser_arguments(self):
        self._parser.add_argument("--bin_dir", default="")
        self._parser.add_argument("--log_raw_data", action="store_true")

    def _preprocess(self):
        self.add_parser_arguments()
        self._args = self._parser.parse_args(self._parameters.split())
        return True


def load_example():
    benchmarks = types.ModuleType("superbench.benchmarks")
    benchmarks.BenchmarkRegistry = types.SimpleNamespace(register_benchmark=REGISTERED.__setitem__)
    benchmarks.ReturnCode = types.SimpleNamespace(MICROBENCHMARK_RESULT_PARSING_FAILURE=33)
    micro_benchmarks = types.ModuleType("superbench.benchmarks.micro_benchmarks")
    micro_benchmarks.MicroBenchmarkWithInvoke = MicroBenchmarkWithInvoke
    utils = types.ModuleType("superbench.common.utils")
    utils.logger = logging.getLogger("superbench")
    sys.modules.update({module.__name__: module for module in (benchmarks, micro_benchmarks, utils)})
    sys.modules.update({name: types.ModuleType(name) for name in ("superbench", "superbench.common")})
    path = Path(FOLDER) / "mgbench_benchmark.py"
    specification = importlib.util.spec_from_file_location("example", path)
    specification.loader.exec_module(importlib.util.module_from_spec(specification))


def benchmark(parameters=""):
    made = REGISTERED["mgbench"]("mgbench", parameters)
    assert made._preprocess()
    return made


class SuperbenchExample(unittest.TestCase):
    def test_every_figure_becomes_a_metric(self):
        made = benchmark(f"--bin_dir {Path(MGBENCH).parent} --model tiny --strategy wfbp,mg-wfbp --budget 6")
        with tempfile.TemporaryDirectory() as folder:
            words = made._commands[0].split() + ["-n", "2"]
            output = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout
        self.assertTrue(made._process_raw_result(0, output))
        for metric in (
            "iteration/wfbp_s",
            "iteration/mg-wfbp_s",
            "efficiency/mg-wfbp_percent",
            "error/mg-wfbp_percent",
            "rank_spread_ratio",
            "latency_s",
            "bus_bandwidth_GBps",
        ):
            self.assertIn(metric, made._result.metrics)

    def test_an_output_without_figures_is_a_failure_but_of_other_ranks(self):
        made = benchmark()
        with self.assertLogs("superbench"):
            self.assertFalse(made._process_raw_result(0, "mgbench: error"))
        self.assertEqual(made._result.code, 33)
        with mock.patch.dict(os.environ, {"OMPI_COMM_WORLD_RANK": "1"}):
            self.assertTrue(made._process_raw_result(0, ""))

    def test_the_file_gives_parameters_that_there_are(self):
        lines = (Path(FOLDER) / "mgbench.yaml").read_text(encoding="utf-8").splitlines()
        parameters = [line.strip().split(": ") for line in lines[lines.index("      parameters:") + 1 :]]
        self.assertGreater(len(parameters), 2)
        benchmark(" ".join(f"--{key} {value}" for key, value in parameters))


load_example()
unittest.main(argv=sys.argv[:1])
