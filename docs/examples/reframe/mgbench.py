"""mgbench as a test of ReFrame (4.0 or later): every strategy's sums are right, and nothing is slower than the reference.

    reframe -C settings.py -c docs/examples/reframe -r --performance-report
"""

import re

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class MgbenchRun(rfm.RunOnlyRegressionTest):
    descr = "Training of ResNet-50 under WFBP and MG-WFBP"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    model = variable(str, value="resnet50")
    budget = variable(int, value=60)  # seconds
    num_tasks = 8
    time_limit = "10m"
    executable = "mgbench"
    keep_files = ["results"]

    # By system:partition: figures of a good run there (these are placeholders), and how far they may be off. Without an
    # entry figures are only logged.
    reference = {
        "cluster:cpu": {
            "iteration": (0.9244, None, 0.05, "s"),
            "efficiency": (96.4, -0.03, None, "%"),
            "latency": (1.2e-4, None, 0.20, "s"),
            "bus_bandwidth": (1.15, -0.05, None, "GB/s"),
        }
    }

    @run_before("run")
    def set_options(self):
        self.executable_opts = ["run", f"--model {self.model}", "--strategy wfbp,mg-wfbp", f"--budget {self.budget}"]

    @sanity_function
    def sums_are_right(self):
        # A strategy that failed has no lines.
        return sn.all([self.has_line("iteration/wfbp"), self.has_line("iteration/mg-wfbp")])

    @performance_function("s")
    def iteration(self):
        return self.figure("iteration/mg-wfbp", "s")

    @performance_function("%")
    def efficiency(self):
        return self.figure("efficiency/mg-wfbp", "%")

    @performance_function("s")
    def latency(self):
        return self.figure("latency", "s")

    @performance_function("GB/s")
    def bus_bandwidth(self):
        return self.figure("bus_bandwidth", "GB/s")

    def has_line(self, key):
        return sn.assert_found(rf"^{re.escape(key)}: ", self.stdout)

    def figure(self, key, unit):
        return sn.extractsingle(rf"^{re.escape(key)}: (\S+) {re.escape(unit)}$", self.stdout, 1, float)
