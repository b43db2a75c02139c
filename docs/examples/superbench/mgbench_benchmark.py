"""mgbench as a micro-benchmark of SuperBench: a metric for each figure, the unit in its name ("iteration/mg-wfbp_s").

Put it into superbench/benchmarks/micro_benchmarks/ and import it in the __init__.py there; mgbench.yaml beside this
file runs it.
"""

import os
import re

from superbench.benchmarks import BenchmarkRegistry, ReturnCode
from superbench.benchmarks.micro_benchmarks import MicroBenchmarkWithInvoke
from superbench.common.utils import logger

UNITS = {"s": "s", "%": "percent", "GB/s": "GBps", "ratio": "ratio"}
LINE = re.compile(r"^([a-z_]+(?:/\S+)?): (\S+) (s|%|GB/s|ratio)$", re.MULTILINE)


class MgbenchBenchmark(MicroBenchmarkWithInvoke):
    """`mgbench run`."""

    def __init__(self, name, parameters=""):
        super().__init__(name, parameters)
        self._bin_name = "mgbench"

    def add_parser_arguments(self):
        super().add_parser_arguments()
        self._parser.add_argument("--model", type=str, default="resnet50", help="Network to train.")
        self._parser.add_argument("--strategy", type=str, default="wfbp,mg-wfbp", help="Strategies, or all.")
        self._parser.add_argument("--budget", type=int, default=60, help="Seconds for everything.")

    def _preprocess(self):
        if not super()._preprocess():
            return False
        program = os.path.join(self._args.bin_dir, self._bin_name)
        self._commands.append(
            f"{program} run --model {self._args.model} --strategy {self._args.strategy} --budget {self._args.budget}"
        )
        return True

    def _process_raw_result(self, cmd_idx, raw_output):
        self._result.add_raw_data(f"raw_output_{cmd_idx}", raw_output, self._args.log_raw_data)
        figures = LINE.findall(raw_output)
        if not figures and int(os.getenv("OMPI_COMM_WORLD_RANK", "0")) > 0:
            return True  # rank 0 speaks for all
        if not figures:
            self._result.set_return_code(ReturnCode.MICROBENCHMARK_RESULT_PARSING_FAILURE)
            logger.error(f"{self._name}: no figure in the output of {self._commands[cmd_idx]}")
            return False
        for key, value, unit in figures:
            self._result.add_result(f"{key}_{UNITS[unit]}", float(value))
        return True


BenchmarkRegistry.register_benchmark("mgbench", MgbenchBenchmark)
